package client

import (
	"context"
	"net/http"
	"net/url"
)

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

// RevokedKey is a key that was ended.
type RevokedKey struct {
	OK      bool   `json:"ok"`
	Deleted string `json:"deleted"`
}

// RotateKey makes a new key of the mailbox in place of the one that this client has, which ends at once or after the
// deployment's grace time. Go on with WithKey.
func (c *Client) RotateKey(ctx context.Context) (*CreatedKey, error) {
	return fetch[CreatedKey](ctx, c, post("/v1/keys/rotate", nil))
}

// RevokeKey ends a key at once, as operator. Its id is in Moderated.Keys.
func (c *Client) RevokeKey(ctx context.Context, id string) (*RevokedKey, error) {
	r := change(http.MethodDelete, "/v1/keys/"+url.PathEscape(id), nil)
	r.open = true
	return fetch[RevokedKey](ctx, c, r)
}
