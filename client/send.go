package client

import (
	"context"
	"io"
	"iter"
	"net/http"
	"net/url"

	"github.com/mailkin/mailkin/api"
)

// The paths of what sends.
const (
	sendPath    = "/v1/send"
	replyPath   = "/v1/reply"
	forwardPath = "/v1/forward"
)

// Send sends a message.
func (c *Client) Send(ctx context.Context, d Draft) (*api.Sending, error) {
	return fetch[api.Sending](ctx, c, d.call(sendPath, "", false))
}

// Reply answers a message: recipients, subject and thread are made from it. A message that a program sent is not
// answered (409 automated_message) unless Draft.Force is set.
func (c *Client) Reply(ctx context.Context, emailID string, d Draft) (*api.Sending, error) {
	return fetch[api.Sending](ctx, c, d.call(replyPath, emailID, false))
}

// Forward sends a message on, with its attachments, to the draft's recipients.
func (c *Client) Forward(ctx context.Context, emailID string, d Draft) (*api.Sending, error) {
	return fetch[api.Sending](ctx, c, d.call(forwardPath, emailID, false))
}

// Preview tells what Send would do. Nothing is sent, counted or stored.
func (c *Client) Preview(ctx context.Context, d Draft) (*api.Preview, error) {
	return fetch[api.Preview](ctx, c, d.call(sendPath, "", true))
}

// PreviewReply tells what Reply would do.
func (c *Client) PreviewReply(ctx context.Context, emailID string, d Draft) (*api.Preview, error) {
	return fetch[api.Preview](ctx, c, d.call(replyPath, emailID, true))
}

// PreviewForward tells what Forward would do.
func (c *Client) PreviewForward(ctx context.Context, emailID string, d Draft) (*api.Preview, error) {
	return fetch[api.Preview](ctx, c, d.call(forwardPath, emailID, true))
}

// call is the request that sends a draft. It may be repeated: it has a key by which the service knows it.
func (d Draft) call(path, emailID string, dryRun bool) call {
	return call{
		method: http.MethodPost, path: path, header: idempotency(d.IdempotencyKey),
		body: d.payload(emailID, dryRun), again: ifUnknown,
	}
}

const suppressionsPath = "/v1/suppressions"

// Suppressions lists the addresses that the mailbox does not send to any more.
func (c *Client) Suppressions(ctx context.Context, p Page) (*api.Suppressions, error) {
	return fetch[api.Suppressions](ctx, c, get(suppressionsPath, p.query()))
}

// SuppressionsAll walks over all of them.
func (c *Client) SuppressionsAll(ctx context.Context, p Page) iter.Seq2[api.Suppression, error] {
	return all(ctx, p, c.Suppressions, func(l *api.Suppressions) ([]api.Suppression, api.NullString) {
		return l.Suppressions, l.Next
	})
}

// AddSuppressions puts addresses on the list by hand, at most 1,000 at a time. The reason may be empty.
func (c *Client) AddSuppressions(ctx context.Context, addresses []string, reason string) (*api.AddedSuppressions,
	error) {
	r := post(suppressionsPath, map[string]any{"addresses": addresses, "reason": reason})
	r.again = ifUnknown // twice is once
	return fetch[api.AddedSuppressions](ctx, c, r)
}

// DeleteSuppression takes an address off the list.
func (c *Client) DeleteSuppression(ctx context.Context, address string) error {
	r := change(http.MethodDelete, suppressionsPath, nil)
	r.query = url.Values{"address": {address}}
	_, err := fetch[struct{}](ctx, c, r)
	return err
}

// Ingest hands in a raw message that was received elsewhere for a mailbox, as operator. It is read as File.Content is.
func (c *Client) Ingest(ctx context.Context, mailbox string, raw io.Reader) (*api.IngestReceipt, error) {
	from := newSource(raw)
	body := &stream{media: "message/rfc822", sources: []*source{from}, build: func() io.Reader { return from }}
	// without a Message-ID it would be kept twice
	r := call{method: http.MethodPost, path: "/v1/ingest", body: body, again: ifRefused}
	return fetch[api.IngestReceipt](ctx, c.For(mailbox), r)
}
