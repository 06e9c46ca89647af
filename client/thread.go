package client

import (
	"context"
	"iter"

	"github.com/mailkin/mailkin/api"
)

// Threads lists conversations, by their newest message.
func (c *Client) Threads(ctx context.Context, p Page) (*api.Threads, error) {
	return fetch[api.Threads](ctx, c, get("/v1/threads", p.query()))
}

// ThreadsAll walks over all of them.
func (c *Client) ThreadsAll(ctx context.Context, p Page) iter.Seq2[api.Thread, error] {
	return all(ctx, p, c.Threads, func(l *api.Threads) ([]api.Thread, api.NullString) { return l.Threads, l.Next })
}

// Thread returns the messages of a conversation, oldest first.
func (c *Client) Thread(ctx context.Context, id string, p Page) (*api.Conversation, error) {
	r := get("/v1/thread", p.query())
	r.query.Set("id", id)
	r.limit = wholeLimit
	return fetch[api.Conversation](ctx, c, r)
}

// ThreadAll walks over all of them.
func (c *Client) ThreadAll(ctx context.Context, id string, p Page) iter.Seq2[api.Email, error] {
	return all(ctx, p, func(ctx context.Context, p Page) (*api.Conversation, error) {
		return c.Thread(ctx, id, p)
	}, func(l *api.Conversation) ([]api.Email, api.NullString) { return l.Emails, l.Next })
}
