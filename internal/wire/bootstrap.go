package wire

import (
	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
)

// NewBootstrapped returns a temporary mailbox with its key.
func NewBootstrapped(m mailbox.Mailbox, key mailbox.Secret, replayed bool, up api.Upgrade) api.Bootstrapped {
	return api.Bootstrapped{
		Mailbox: m.Address, APIKey: string(key), Scope: string(m.Scope), ExpiresAt: at(m.ExpiresAt),
		Replayed: replayed, Capabilities: (&mailbox.Caller{Scope: m.Scope, Mailbox: m}).Names(), Upgrade: up,
	}
}
