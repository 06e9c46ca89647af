package client

import (
	"context"
	"iter"
	"net/http"
	"net/url"
	"time"

	"github.com/mailkin/mailkin/api"
)

// List is an allow or block list of the mailbox, or of the deployment.
type List struct {
	Name       string // send, reply or receive
	Action     string // allow or block
	Deployment bool   // as operator
}

// call is a request about the list.
func (l List) call(r call) call {
	r.path = "/v1/lists/" + url.PathEscape(l.Name) + "/" + url.PathEscape(l.Action)
	if r.query == nil {
		r.query = url.Values{}
	}
	if l.Deployment {
		r.query.Set("scope", "deployment")
	}
	return r
}

// ListEntries lists whom a list names, newest first.
func (c *Client) ListEntries(ctx context.Context, l List, p Page) (*api.ListEntries, error) {
	return fetch[api.ListEntries](ctx, c, l.call(get("", p.query())))
}

// ListEntriesAll walks over all of them.
func (c *Client) ListEntriesAll(ctx context.Context, l List, p Page) iter.Seq2[api.ListEntry, error] {
	page := func(ctx context.Context, p Page) (*api.ListEntries, error) { return c.ListEntries(ctx, l, p) }
	return all(ctx, p, page, func(l *api.ListEntries) ([]api.ListEntry, api.NullString) { return l.Entries, l.Next })
}

// PutListEntry puts an address, a domain, or "*." and a domain on a list. The note may be empty, and the zero time is
// never.
func (c *Client) PutListEntry(ctx context.Context, l List, value, note string, expires time.Time) (*api.ListEntry,
	error) {
	body := texts{"value": value, "note": note}
	if !expires.IsZero() {
		body["expires_at"] = expires.UTC().Format(time.RFC3339Nano)
	}
	r := l.call(change(http.MethodPut, "", body))
	r.again = ifUnknown
	return fetch[api.ListEntry](ctx, c, r)
}

// DeleteListEntry takes an entry off a list.
func (c *Client) DeleteListEntry(ctx context.Context, l List, value string) error {
	r := l.call(change(http.MethodDelete, "", nil))
	r.query.Set("value", value)
	_, err := fetch[struct{}](ctx, c, r)
	return err
}
