package api

// Key is what may be known of a key; never the key.
type Key struct {
	ID         string `json:"id"`
	Prefix     string `json:"prefix"`
	Scope      string `json:"scope"`
	CreatedAt  Time   `json:"created_at"`
	ExpiresAt  Time   `json:"expires_at"`
	LastUsedAt Time   `json:"last_used_at"`
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
}
