package client

import (
	"context"

	"github.com/mailkin/mailkin/api"
)

// Problems asks, as operator, what is wrong with the deployment: keys that cannot be opened, domains that have lapsed,
// mailboxes whose domain is not served, certificates that could not be obtained.
func (c *Client) Problems(ctx context.Context) (*api.Problems, error) {
	return fetch[api.Problems](ctx, c, get("/v1/problems", nil))
}
