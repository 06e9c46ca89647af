package client

import (
	"context"
	"net/http"
	"net/url"

	"github.com/mailkin/mailkin/api"
)

// RotateKey makes a new key of the mailbox in place of the one that this client has, which ends at once or after the
// deployment's grace time. Go on with WithKey.
func (c *Client) RotateKey(ctx context.Context) (*api.CreatedKey, error) {
	return fetch[api.CreatedKey](ctx, c, post("/v1/keys/rotate", nil))
}

// UpdateKey changes what a key is bound to, as operator: its next request finds it so. Its id is in Moderated.Keys.
func (c *Client) UpdateKey(ctx context.Context, id string, to api.KeyChange) (*api.Key, error) {
	r := change(http.MethodPatch, "/v1/keys/"+url.PathEscape(id), to)
	r.open = true
	return fetch[api.Key](ctx, c, r)
}

// RevokeKey ends a key at once, as operator. Its id is in Moderated.Keys.
func (c *Client) RevokeKey(ctx context.Context, id string) (*api.Deleted, error) {
	r := change(http.MethodDelete, "/v1/keys/"+url.PathEscape(id), nil)
	r.open = true
	return fetch[api.Deleted](ctx, c, r)
}
