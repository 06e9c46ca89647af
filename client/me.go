package client

import (
	"context"
	"net/url"
	"strconv"

	"github.com/mailkin/mailkin/api"
)

// Me tells who the key is, what it may do, and every limit in force. It is the way to find out whether a key is right.
func (c *Client) Me(ctx context.Context) (*api.Me, error) {
	return fetch[api.Me](ctx, c, get("/v1/me", nil))
}

// Stats counts the mailbox.
func (c *Client) Stats(ctx context.Context) (*api.Stats, error) {
	return fetch[api.Stats](ctx, c, get("/v1/stats", nil))
}

// DailyStats counts the mailbox, and each of its last days, 90 at most, by itself.
func (c *Client) DailyStats(ctx context.Context, days int) (*api.Stats, error) {
	return fetch[api.Stats](ctx, c, get("/v1/stats", url.Values{"days": {strconv.Itoa(days)}}))
}
