package client

import (
	"context"
	"iter"
	"net/url"

	"github.com/mailkin/mailkin/api"
)

// Activity lists what happened last over all mailboxes, newest first; as operator.
func (c *Client) Activity(ctx context.Context, limit int) (*api.Activity, error) {
	r := get("/v1/activity", Page{Limit: limit}.query())
	r.open = true
	return fetch[api.Activity](ctx, c, r)
}

// Audit lists what the operator did, newest first; as operator.
func (c *Client) Audit(ctx context.Context, p Page) (*api.Audit, error) {
	r := get("/v1/audit", p.query())
	r.open = true
	return fetch[api.Audit](ctx, c, r)
}

// AuditAll walks over all of it.
func (c *Client) AuditAll(ctx context.Context, p Page) iter.Seq2[api.AuditEntry, error] {
	return all(ctx, p, c.Audit, func(l *api.Audit) ([]api.AuditEntry, api.NullString) { return l.Audit, l.Next })
}

// Rejects lists mail for this mailbox that was refused, newest first. An operator who names no mailbox sees all of it.
func (c *Client) Rejects(ctx context.Context, p Page) (*api.Rejects, error) {
	return fetch[api.Rejects](ctx, c, get("/v1/rejects", p.query()))
}

// RejectsAll walks over all of it.
func (c *Client) RejectsAll(ctx context.Context, p Page) iter.Seq2[api.Reject, error] {
	return all(ctx, p, c.Rejects, func(l *api.Rejects) ([]api.Reject, api.NullString) { return l.Rejects, l.Next })
}

func (p Page) query() url.Values {
	v := values{}
	p.values(v)
	return url.Values(v)
}
