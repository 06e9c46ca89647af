package client

import (
	"context"
	"iter"
	"net/url"
	"time"

	"github.com/mailkin/mailkin/api"
)

// InboxQuery says which messages are asked for. What is empty does not bind.
type InboxQuery struct {
	Query     string    // words and operators: from:kim has:attachment "order confirmed" -draft after:7d
	Mode      string    // keyword, semantic or hybrid; empty: keyword in Inbox, hybrid in Search
	Direction string    // inbound or outbound
	Label     string    // newsletter, notification, code, personal, … or one of your own
	Seen      *bool     // new(false): only those that were not yet seen
	Since     time.Time // received then or later
	Until     time.Time
	ThreadID  string
	Status    string // statuses with commas between them: scheduled,held
	Trust     string // verified, unverified or suspicious
	Screening string // any: rows have ScreeningVerdict; or a verdict that all have
	Page
}

func (q InboxQuery) query() url.Values {
	v := values{}
	v.text("query", q.Query)
	v.text("mode", q.Mode)
	v.text("direction", q.Direction)
	v.text("label", q.Label)
	v.choice("seen", q.Seen)
	v.moment("since", q.Since)
	v.moment("until", q.Until)
	v.text("thread_id", q.ThreadID)
	v.text("status", q.Status)
	v.text("trust", q.Trust)
	v.text("screening", q.Screening)
	q.values(v)
	return url.Values(v)
}

// Inbox lists messages, newest first. Among many of which few are what is asked for, that takes several calls.
func (c *Client) Inbox(ctx context.Context, q InboxQuery) (*api.Inbox, error) {
	return full(ctx, q.Page, c.inboxPage(q), func(l *api.Inbox) (*[]api.Message, *api.NullString) {
		return &l.Emails, &l.Next
	})
}

// inboxPage asks for a page, which may be short.
func (c *Client) inboxPage(q InboxQuery) func(context.Context, Page) (*api.Inbox, error) {
	return func(ctx context.Context, p Page) (*api.Inbox, error) {
		q.Page = p
		return fetch[api.Inbox](ctx, c, get("/v1/inbox", q.query()))
	}
}

// InboxAll walks over all of them.
func (c *Client) InboxAll(ctx context.Context, q InboxQuery) iter.Seq2[api.Message, error] {
	return all(ctx, q.Page, c.inboxPage(q), func(l *api.Inbox) ([]api.Message, api.NullString) {
		return l.Emails, l.Next
	})
}

// Search finds messages, the best first. The query is needed, the rest narrows it.
func (c *Client) Search(ctx context.Context, q InboxQuery) (*api.SearchResult, error) {
	return fetch[api.SearchResult](ctx, c, get("/v1/search", q.query()))
}

// SearchAll walks over everything that was found.
func (c *Client) SearchAll(ctx context.Context, q InboxQuery) iter.Seq2[api.Found, error] {
	return all(ctx, q.Page, func(ctx context.Context, p Page) (*api.SearchResult, error) {
		q.Page = p
		return c.Search(ctx, q)
	}, func(l *api.SearchResult) ([]api.Found, api.NullString) { return l.Emails, l.Next })
}
