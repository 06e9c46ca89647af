package client

import (
	"context"
	"iter"
	"net/url"
)

// Happening is something that happened in one of all mailboxes.
type Happening struct {
	Event   string `json:"event"`
	Mailbox string `json:"mailbox"`
	EmailID string `json:"email_id"`
	At      Time   `json:"at"`
}

// Activity is what happened last.
type Activity struct {
	Activity []Happening `json:"activity"`
}

// Activity lists what happened last over all mailboxes, newest first; as operator.
func (c *Client) Activity(ctx context.Context, limit int) (*Activity, error) {
	r := get("/v1/activity", Page{Limit: limit}.query())
	r.open = true
	return fetch[Activity](ctx, c, r)
}

// AuditEntry is something that the operator did to a mailbox other than the configured one.
type AuditEntry struct {
	At      Time   `json:"at"`
	Action  string `json:"action"`
	Mailbox string `json:"mailbox"`
	Note    string `json:"note"`
}

// Audit is a page of the operator's log.
type Audit struct {
	Audit []AuditEntry `json:"audit"`
	Next  NullString   `json:"next_cursor"`
}

// Audit lists what the operator did, newest first; as operator.
func (c *Client) Audit(ctx context.Context, p Page) (*Audit, error) {
	r := get("/v1/audit", p.query())
	r.open = true
	return fetch[Audit](ctx, c, r)
}

// AuditAll walks over all of it.
func (c *Client) AuditAll(ctx context.Context, p Page) iter.Seq2[AuditEntry, error] {
	return all(p, func(p Page) ([]AuditEntry, NullString, error) {
		list, err := c.Audit(ctx, p)
		if err != nil {
			return nil, "", err
		}
		return list.Audit, list.Next, nil
	})
}

// Reject is mail that was refused, and why.
type Reject struct {
	At     Time   `json:"at"`
	Stage  string `json:"stage"`
	From   string `json:"from"`
	To     string `json:"to"`
	Remote string `json:"remote"`
	Reply  string `json:"reply"` // what the sender was told
}

// Rejects is a page of refused mail.
type Rejects struct {
	Rejects []Reject   `json:"rejects"`
	Next    NullString `json:"next_cursor"`
}

// Rejects lists mail for this mailbox that was refused, newest first. An operator who names no mailbox sees all of it.
func (c *Client) Rejects(ctx context.Context, p Page) (*Rejects, error) {
	return fetch[Rejects](ctx, c, get("/v1/rejects", p.query()))
}

// RejectsAll walks over all of it.
func (c *Client) RejectsAll(ctx context.Context, p Page) iter.Seq2[Reject, error] {
	return all(p, func(p Page) ([]Reject, NullString, error) {
		list, err := c.Rejects(ctx, p)
		if err != nil {
			return nil, "", err
		}
		return list.Rejects, list.Next, nil
	})
}

func (p Page) query() url.Values {
	v := values{}
	p.values(v)
	return url.Values(v)
}
