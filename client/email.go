package client

import (
	"context"
	"net/http"
	"net/url"

	"github.com/mailkin/mailkin/api"
)

// EmailOptions are how a message is asked for.
type EmailOptions struct {
	MarkSeen bool // mark it as seen
	Full     bool // give bodies above 1 MB whole
}

const emailPath = "/v1/email"

// Email is a message, whole.
func (c *Client) Email(ctx context.Context, id string, o EmailOptions) (*api.Email, error) {
	v := values{"id": {id}}
	v.flag("mark_seen", o.MarkSeen)
	v.flag("full", o.Full)
	r := get(emailPath, url.Values(v))
	r.limit = wholeLimit
	return fetch[api.Email](ctx, c, r)
}

// UpdateEmail changes a message's marks, and returns the message.
func (c *Client) UpdateEmail(ctx context.Context, id string, to api.EmailChange) (*api.Email, error) {
	r := change(http.MethodPatch, emailPath, to)
	r.query, r.limit = url.Values{"id": {id}}, wholeLimit
	return fetch[api.Email](ctx, c, r)
}

// CancelEmail calls a message back that waits to be sent, from one recipient or, where that is empty, from all. 409
// already_sent: it is gone.
func (c *Client) CancelEmail(ctx context.Context, id, recipient string) (*api.Cancellation, error) {
	v := values{"id": {id}}
	v.text("recipient", recipient)
	r := change(http.MethodPost, emailPath+"/cancel", nil)
	r.query = url.Values(v)
	return fetch[api.Cancellation](ctx, c, r)
}

// History tells everything that happened to a message, the oldest first.
func (c *Client) History(ctx context.Context, id string) (*api.History, error) {
	return fetch[api.History](ctx, c, get(emailPath+"/history", url.Values{"id": {id}}))
}

// CheckEmail tells which features of HTML and CSS a message uses that not every mail program shows, and which links it
// has.
func (c *Client) CheckEmail(ctx context.Context, id string) (*api.MailCheck, error) {
	return fetch[api.MailCheck](ctx, c, get(emailPath+"/check", url.Values{"id": {id}}))
}

// DeleteEmail deletes a message. What has not left of one that is being sent does not leave.
func (c *Client) DeleteEmail(ctx context.Context, id string) error {
	r := change(http.MethodDelete, emailPath, nil)
	r.query = url.Values{"id": {id}}
	_, err := fetch[struct{}](ctx, c, r)
	return err
}
