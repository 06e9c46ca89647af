package client

import (
	"context"
	"iter"
	"net/http"
	"net/url"

	"github.com/mailkin/mailkin/api"
)

// CreateMailbox makes a mailbox, as operator.
func (c *Client) CreateMailbox(ctx context.Context, m api.NewMailbox) (*api.CreatedMailbox, error) {
	r := post("/v1/mailboxes", m)
	r.open = true
	return fetch[api.CreatedMailbox](ctx, c, r)
}

// MailboxesQuery says which mailboxes are asked for.
type MailboxesQuery struct {
	Status string // active or paused; empty: both
	Query  string // a part of the address
	Page
}

// Mailboxes lists mailboxes, as operator. Among many of which few are what is asked for, that takes several calls.
func (c *Client) Mailboxes(ctx context.Context, q MailboxesQuery) (*api.Mailboxes, error) {
	return full(ctx, q.Page, c.mailboxesPage(q), func(l *api.Mailboxes) (*[]api.Mailbox, *api.NullString) {
		return &l.Mailboxes, &l.Next
	})
}

// mailboxesPage asks for a page, which may be short.
func (c *Client) mailboxesPage(q MailboxesQuery) func(context.Context, Page) (*api.Mailboxes, error) {
	return func(ctx context.Context, p Page) (*api.Mailboxes, error) {
		v := values{}
		v.text("status", q.Status)
		v.text("query", q.Query)
		p.values(v)
		r := get("/v1/mailboxes", url.Values(v))
		r.open = true
		return fetch[api.Mailboxes](ctx, c, r)
	}
}

// MailboxesAll walks over all of them.
func (c *Client) MailboxesAll(ctx context.Context, q MailboxesQuery) iter.Seq2[api.Mailbox, error] {
	return all(ctx, q.Page, c.mailboxesPage(q),
		func(l *api.Mailboxes) ([]api.Mailbox, api.NullString) { return l.Mailboxes, l.Next })
}

// Moderated is a mailbox in the hands of the operator. Unlike everything that For returns, it works on one that is
// paused.
type Moderated struct {
	c    *Client
	path string
}

// Moderate puts a mailbox into the hands of the operator.
func (c *Client) Moderate(address string) Moderated {
	deployment := *c
	deployment.mailbox = "" // the path names it
	return Moderated{&deployment, "/v1/mailboxes/" + url.PathEscape(address)}
}

// Mailbox is the mailbox itself.
func (m Moderated) Mailbox(ctx context.Context) (*api.MailboxRecord, error) {
	return fetch[api.MailboxRecord](ctx, m.c, get(m.path, nil))
}

// SetWebhook is as Client.SetWebhook.
func (m Moderated) SetWebhook(ctx context.Context, url string) (*api.MailboxRecord, error) {
	return fetch[api.MailboxRecord](ctx, m.c, change(http.MethodPatch, m.path, webhookChange(url)))
}

// Delete deletes the mailbox, its keys and all its mail. The configured mailbox is emptied and recreated.
func (m Moderated) Delete(ctx context.Context) (*api.DeletedMailbox, error) {
	return fetch[api.DeletedMailbox](ctx, m.c, change(http.MethodDelete, m.path, nil))
}

// Pause pauses the mailbox so that only the operator resumes it.
func (m Moderated) Pause(ctx context.Context, reason string) (*api.PausedMailbox, error) {
	return fetch[api.PausedMailbox](ctx, m.c, change(http.MethodPatch, m.path+"/pause", texts{"reason": reason}))
}

// Resume ends a pause, no matter who began it.
func (m Moderated) Resume(ctx context.Context) (*api.ResumedMailbox, error) {
	return fetch[api.ResumedMailbox](ctx, m.c, change(http.MethodPatch, m.path+"/resume", nil))
}

// CreateKey makes one more key of the mailbox.
func (m Moderated) CreateKey(ctx context.Context) (*api.CreatedKey, error) {
	return m.CreateRestrictedKey(ctx, api.NewKey{})
}

// CreateRestrictedKey makes one more key of the mailbox, bound to what n says.
func (m Moderated) CreateRestrictedKey(ctx context.Context, n api.NewKey) (*api.CreatedKey, error) {
	return fetch[api.CreatedKey](ctx, m.c, post(m.path+"/keys", n))
}

// Keys lists the keys of the mailbox, without what makes them keys.
func (m Moderated) Keys(ctx context.Context) (*api.Keys, error) {
	return fetch[api.Keys](ctx, m.c, get(m.path+"/keys", nil))
}
