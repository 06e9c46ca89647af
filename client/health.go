package client

import (
	"context"

	"github.com/mailkin/mailkin/api"
)

// Health tells whether the service works: ErrUnavailable if not. It needs no key and is asked once.
func (c *Client) Health(ctx context.Context) (*api.Health, error) { return c.probe(ctx, "/health") }

// Ready tells whether the service can take requests and mail now: ErrUnavailable if not. It needs no key and is asked
// once.
func (c *Client) Ready(ctx context.Context) (*api.Health, error) { return c.probe(ctx, "/ready") }

func (c *Client) probe(ctx context.Context, path string) (*api.Health, error) {
	r := get(path, nil)
	r.open, r.again = true, never
	return fetch[api.Health](ctx, c, r)
}
