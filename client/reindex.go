package client

import (
	"context"

	"github.com/mailkin/mailkin/api"
)

// Reindex has the service rebuild its index of words, as operator. It returns at once; searches go on meanwhile.
func (c *Client) Reindex(ctx context.Context) (*api.Reindex, error) {
	return fetch[api.Reindex](ctx, c, post("/v1/reindex", nil))
}

// Reindexing tells how far that is.
func (c *Client) Reindexing(ctx context.Context) (*api.Reindex, error) {
	return fetch[api.Reindex](ctx, c, get("/v1/reindex", nil))
}
