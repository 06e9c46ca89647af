package wire

import (
	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
)

// NewKey returns a key with the addresses of the mailboxes that it opens beside its own.
func NewKey(k mailbox.Key, mailboxes []string) api.Key {
	return api.Key{
		ID: k.ID.String(), Prefix: k.Hint, Scope: string(k.Scope),
		CreatedAt: at(k.CreatedAt), ExpiresAt: at(k.ExpiresAt), LastUsedAt: at(k.LastUsedAt),
		KeyBounds: keyBounds(k.Restriction()), Mailboxes: mailboxes,
	}
}

// NewCreatedKey returns a new key of the mailbox of that address.
func NewCreatedKey(k mailbox.Key, key mailbox.Secret, address string) api.CreatedKey {
	return api.CreatedKey{APIKey: string(key), ID: k.ID.String(), Mailbox: address, Scope: string(k.Scope),
		CreatedAt: at(k.CreatedAt), ExpiresAt: at(k.ExpiresAt), KeyBounds: keyBounds(k.Restriction())}
}

// NewOwnKey gives the key in use with the addresses of the mailboxes that it opens beside its own.
func NewOwnKey(k mailbox.Key, mailboxes []string) *api.OwnKey {
	if k.ID.IsZero() {
		return nil
	}
	return &api.OwnKey{ID: k.ID.String(), KeyBounds: keyBounds(k.Restriction()), Mailboxes: mailboxes}
}

func keyBounds(r mailbox.Restriction) api.KeyBounds {
	b := api.KeyBounds{Name: r.Name, Capabilities: r.Capabilities, Domain: r.Domain,
		CreateMailboxes: r.CreateMailboxes}
	for _, p := range r.Recipients {
		b.Recipients = append(b.Recipients, string(p))
	}
	for _, p := range r.Networks {
		b.Networks = append(b.Networks, p.String())
	}
	return b
}
