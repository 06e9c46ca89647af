package api

// Key is what may be known of a key; never the key.
type Key struct {
	ID         string `json:"id"`
	Prefix     string `json:"prefix"`
	Scope      string `json:"scope"`
	CreatedAt  Time   `json:"created_at"`
	ExpiresAt  Time   `json:"expires_at"`
	LastUsedAt Time   `json:"last_used_at"`
	KeyBounds
	Mailboxes []string `json:"mailboxes,omitempty"` // that it opens beside its own
}

// KeyBounds are what a key is bound to. Those that are not there do not bind it.
type KeyBounds struct {
	Name            string   `json:"name,omitempty"`
	Capabilities    []string `json:"capabilities,omitempty"` // read, code, send, draft, review, manage, control
	Recipients      []string `json:"recipients,omitempty"`   // addresses, domains, *.domains that it may write to
	Networks        []string `json:"networks,omitempty"`     // that it may come from
	Domain          string   `json:"domain,omitempty"`       // whose addresses it may send from
	CreateMailboxes bool     `json:"create_mailboxes,omitempty"`
}

// NewKey is a key to be made.
type NewKey struct {
	KeyBounds
	Mailboxes []string `json:"mailboxes,omitempty"` // addresses of those that it opens beside its own
	ExpiresAt Time     `json:"expires_at,omitzero"`
}

// KeyChange is what is to be different about a key. What is nil stays; a pointer to a nil list, to the zero time or to
// an empty name takes that bound away.
type KeyChange struct {
	Name         *string   `json:"name,omitempty"`
	Capabilities *[]string `json:"capabilities,omitempty"`
	Recipients   *[]string `json:"recipients,omitempty"`
	Networks     *[]string `json:"networks,omitempty"`
	Domain       *string   `json:"domain,omitempty"`
	ExpiresAt    *Time     `json:"expires_at,omitempty"`
}

// Keys are the keys of a mailbox, all of them.
type Keys struct {
	Keys []Key      `json:"keys"`
	Next NullString `json:"next_cursor"`
}

// CreatedKey is a new key, which is shown this once.
type CreatedKey struct {
	APIKey    string `json:"api_key"`
	ID        string `json:"id"`
	Mailbox   string `json:"mailbox"`
	Scope     string `json:"scope"`
	CreatedAt Time   `json:"created_at"`
	ExpiresAt Time   `json:"expires_at,omitzero"`
	KeyBounds
}
