package wire

import "github.com/mailkin/mailkin/internal/mailbox"

// Key is what may be known of an API key; never the key.
type Key struct {
	ID         ID     `json:"id"`
	Prefix     string `json:"prefix"`
	Scope      string `json:"scope"`
	CreatedAt  Time   `json:"created_at"`
	ExpiresAt  Time   `json:"expires_at"`   // null: until revoked
	LastUsedAt Time   `json:"last_used_at"` // null: never
}

func newKey(k mailbox.Key) Key {
	return Key{
		ID: ID(k.ID), Prefix: k.Hint, Scope: string(k.Scope),
		CreatedAt: Time(k.CreatedAt), ExpiresAt: Time(k.ExpiresAt), LastUsedAt: Time(k.LastUsedAt),
	}
}

// Keys is a mailbox's keys, all of them.
type Keys struct {
	Keys []Key  `json:"keys"`
	Next Cursor `json:"next_cursor"`
}

// NewKeys gives a list of keys.
func NewKeys(list []mailbox.Key) Keys { return Keys{Keys: each(list, newKey)} }

// CreatedKey is a new key, which is shown this once.
type CreatedKey struct {
	APIKey    string `json:"api_key"`
	ID        ID     `json:"id"`
	Mailbox   string `json:"mailbox"`
	Scope     string `json:"scope"`
	CreatedAt Time   `json:"created_at"`
}

// NewCreatedKey gives a new key of the mailbox of that address.
func NewCreatedKey(k mailbox.Key, key mailbox.Secret, address string) CreatedKey {
	return CreatedKey{APIKey: string(key), ID: ID(k.ID), Mailbox: address, Scope: string(k.Scope), CreatedAt: Time(k.CreatedAt)}
}

// RevokedKey is the answer to revoking a key.
type RevokedKey struct {
	OK      bool `json:"ok"`
	Deleted ID   `json:"deleted"`
}
