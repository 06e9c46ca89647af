package wire

import (
	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
)

func newKey(k mailbox.Key) api.Key {
	return api.Key{
		ID: k.ID.String(), Prefix: k.Hint, Scope: string(k.Scope),
		CreatedAt: at(k.CreatedAt), ExpiresAt: at(k.ExpiresAt), LastUsedAt: at(k.LastUsedAt),
	}
}

// NewKeys returns a list of keys.
func NewKeys(list []mailbox.Key) api.Keys { return api.Keys{Keys: each(list, newKey)} }

// NewCreatedKey returns a new key of the mailbox of that address.
func NewCreatedKey(k mailbox.Key, key mailbox.Secret, address string) api.CreatedKey {
	return api.CreatedKey{APIKey: string(key), ID: k.ID.String(), Mailbox: address, Scope: string(k.Scope),
		CreatedAt: at(k.CreatedAt)}
}
