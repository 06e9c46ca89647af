package client

import "context"

// Health is whether the service is up.
type Health struct {
	OK      bool   `json:"ok"`
	Status  string `json:"status"`
	Version string `json:"version"`
}

// Health tells whether the service works: ErrUnavailable if not. It needs no key and is asked once.
func (c *Client) Health(ctx context.Context) (*Health, error) { return c.probe(ctx, "/health") }

// Ready tells whether the service can take requests and mail now: ErrUnavailable if not. It needs no key and is asked once.
func (c *Client) Ready(ctx context.Context) (*Health, error) { return c.probe(ctx, "/ready") }

func (c *Client) probe(ctx context.Context, path string) (*Health, error) {
	r := get(path, nil)
	r.open, r.again = true, never
	return fetch[Health](ctx, c, r)
}
