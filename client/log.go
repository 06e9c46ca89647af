package client

import (
	"context"
	"iter"
	"net/url"
	"strconv"

	"github.com/mailkin/mailkin/api"
)

// Activity lists what happened last over all mailboxes, newest first; as operator.
func (c *Client) Activity(ctx context.Context, limit int) (*api.Activity, error) {
	r := get("/v1/activity", Page{Limit: limit}.query())
	r.open = true
	return fetch[api.Activity](ctx, c, r)
}

// Overview counts mail over all mailboxes, by the last hours, or by the last days if hours is 0; as operator.
func (c *Client) Overview(ctx context.Context, hours, days int) (*api.Overview, error) {
	return fetch[api.Overview](ctx, c, overviewOf("/v1/overview", hours, days))
}

// Screenings counts what screening found over all mailboxes, in the last hours or days, as operator. Each request reads
// some of the messages that were not screened yet: ask again while there is More.
func (c *Client) Screenings(ctx context.Context, hours, days int) (*api.Screenings, error) {
	return fetch[api.Screenings](ctx, c, overviewOf("/v1/overview/screening", hours, days))
}

func overviewOf(path string, hours, days int) call {
	v := values{}
	if hours > 0 {
		v.text("hours", strconv.Itoa(hours))
	}
	if days > 0 {
		v.text("days", strconv.Itoa(days))
	}
	r := get(path, url.Values(v))
	r.open = true
	return r
}

// Nodes lists the processes that work on the store; as operator.
func (c *Client) Nodes(ctx context.Context) (*api.Nodes, error) {
	r := get("/v1/nodes", nil)
	r.open = true
	return fetch[api.Nodes](ctx, c, r)
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

// ExportAudit downloads the audit log after a place in its chain, or all of it after 0: lines of JSON, each an
// api.AuditEntry, oldest first; as operator.
func (c *Client) ExportAudit(ctx context.Context, after int64) (*Download, error) {
	r := get("/v1/audit", url.Values{"format": {"jsonl"}, "after": {strconv.FormatInt(after, 10)}})
	r.open = true
	return c.stream(ctx, r)
}

// VerifyAudit has the service check the chain of its audit log; as operator.
func (c *Client) VerifyAudit(ctx context.Context) (*api.AuditReport, error) {
	r := get("/v1/audit/verify", nil)
	r.open = true
	return fetch[api.AuditReport](ctx, c, r)
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
