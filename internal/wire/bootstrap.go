package wire

import "github.com/mailkin/mailkin/internal/mailbox"

// Bootstrapped is a temporary mailbox with its key (API 3).
type Bootstrapped struct {
	Mailbox      string   `json:"mailbox"`
	APIKey       string   `json:"api_key"`
	Scope        string   `json:"scope"`
	ExpiresAt    Time     `json:"expires_at"`
	Replayed     bool     `json:"replayed"`
	Capabilities []string `json:"capabilities"`
	Upgrade      Upgrade  `json:"upgrade"`
}

// NewBootstrapped gives a temporary mailbox with its key.
func NewBootstrapped(m mailbox.Mailbox, key mailbox.Secret, replayed bool, up Upgrade) Bootstrapped {
	return Bootstrapped{
		Mailbox: m.Address, APIKey: string(key), Scope: string(m.Scope), ExpiresAt: Time(m.ExpiresAt),
		Replayed: replayed, Capabilities: m.Scope.Names(), Upgrade: up,
	}
}

// Upgrade says how a provisional mailbox becomes a permanent one.
type Upgrade struct {
	Command string `json:"command"`
	URL     string `json:"url"`
}
