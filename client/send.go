package client

import (
	"context"
	"io"
	"iter"
	"net/http"
	"net/url"
)

// Sending is a message that the service has taken: it is stored, and will be delivered. What becomes of it is in
// Email.Deliveries, and in events.
type Sending struct {
	ID         string     `json:"id"`
	MessageID  string     `json:"message_id"`
	ThreadID   string     `json:"thread_id"`
	ProviderID NullString `json:"provider_id"`
	Status     string     `json:"status"`
}

// Preview is what a draft would do.
type Preview struct {
	DryRun     bool             `json:"dry_run"`
	From       string           `json:"from"`
	To         []Address        `json:"to"`
	Cc         []Address        `json:"cc"`
	Bcc        []Address        `json:"bcc"`
	Subject    string           `json:"subject"`
	SizeBytes  int64            `json:"size_bytes"`
	SendAt     Time             `json:"send_at"`
	Deliveries []PreviewedRoute `json:"deliveries"`
}

// PreviewedRoute is the way that mail to one recipient would take.
type PreviewedRoute struct {
	Recipient string `json:"recipient"`
	Route     string `json:"route"`
}

// Delivery is what became of a message for one recipient.
type Delivery struct {
	Recipient string  `json:"recipient"`
	Status    string  `json:"status"` // queued, sent, delivery_delayed, delivered, captured, bounced, failed or complained
	Attempts  int     `json:"attempts"`
	LastCode  NullInt `json:"last_code"` // of SMTP
	LastText  string  `json:"last_text"`
	MX        string  `json:"mx"`
	TLS       string  `json:"tls"`
	NextAt    Time    `json:"next_attempt_at"`
	Outcome   string  `json:"outcome,omitempty"` // unknown: it may have arrived twice
	Simulated bool    `json:"simulated"`         // it did not leave the machine
}

// The paths of what sends.
const (
	sendPath    = "/v1/send"
	replyPath   = "/v1/reply"
	forwardPath = "/v1/forward"
)

// Send sends a message.
func (c *Client) Send(ctx context.Context, d Draft) (*Sending, error) {
	return fetch[Sending](ctx, c, d.call(sendPath, "", false))
}

// Reply answers a message: recipients, subject and thread are made from it. A message that a program sent is not answered
// (409 automated_message) unless Draft.Force is set.
func (c *Client) Reply(ctx context.Context, emailID string, d Draft) (*Sending, error) {
	return fetch[Sending](ctx, c, d.call(replyPath, emailID, false))
}

// Forward sends a message on, with its attachments, to the draft's recipients.
func (c *Client) Forward(ctx context.Context, emailID string, d Draft) (*Sending, error) {
	return fetch[Sending](ctx, c, d.call(forwardPath, emailID, false))
}

// Preview tells what Send would do. Nothing is sent, counted or stored.
func (c *Client) Preview(ctx context.Context, d Draft) (*Preview, error) {
	return fetch[Preview](ctx, c, d.call(sendPath, "", true))
}

// PreviewReply tells what Reply would do.
func (c *Client) PreviewReply(ctx context.Context, emailID string, d Draft) (*Preview, error) {
	return fetch[Preview](ctx, c, d.call(replyPath, emailID, true))
}

// PreviewForward tells what Forward would do.
func (c *Client) PreviewForward(ctx context.Context, emailID string, d Draft) (*Preview, error) {
	return fetch[Preview](ctx, c, d.call(forwardPath, emailID, true))
}

// call is the request that sends a draft. It may be repeated: it has a key by which the service knows it.
func (d Draft) call(path, emailID string, dryRun bool) call {
	return call{
		method: http.MethodPost, path: path, header: idempotency(d.IdempotencyKey),
		body: d.payload(emailID, dryRun), again: ifUnknown,
	}
}

// Suppression is an address that the mailbox does not send to any more.
type Suppression struct {
	Address   string `json:"address"`
	Reason    string `json:"reason"` // bounce or complaint
	Detail    string `json:"detail"`
	EmailID   string `json:"email_id"`
	CreatedAt Time   `json:"created_at"`
}

// Suppressions is a page of them.
type Suppressions struct {
	Suppressions []Suppression `json:"suppressions"`
	Next         NullString    `json:"next_cursor"`
}

const suppressionsPath = "/v1/suppressions"

// Suppressions lists the addresses that the mailbox does not send to any more.
func (c *Client) Suppressions(ctx context.Context, p Page) (*Suppressions, error) {
	return fetch[Suppressions](ctx, c, get(suppressionsPath, p.query()))
}

// SuppressionsAll walks over all of them.
func (c *Client) SuppressionsAll(ctx context.Context, p Page) iter.Seq2[Suppression, error] {
	return all(p, func(p Page) ([]Suppression, NullString, error) {
		list, err := c.Suppressions(ctx, p)
		if err != nil {
			return nil, "", err
		}
		return list.Suppressions, list.Next, nil
	})
}

// DeleteSuppression takes an address off the list.
func (c *Client) DeleteSuppression(ctx context.Context, address string) error {
	r := change(http.MethodDelete, suppressionsPath, nil)
	r.query = url.Values{"address": {address}}
	_, err := fetch[struct{}](ctx, c, r)
	return err
}

// IngestReceipt is what became of a message that was handed in.
type IngestReceipt struct {
	ID        string `json:"id"`
	Mailbox   string `json:"mailbox"`
	Duplicate bool   `json:"duplicate"` // it was there already
}

// Ingest hands in a raw message that was received elsewhere for a mailbox, as operator. It is read as File.Content is.
func (c *Client) Ingest(ctx context.Context, mailbox string, raw io.Reader) (*IngestReceipt, error) {
	from := newSource(raw)
	body := &stream{media: "message/rfc822", sources: []*source{from}, build: func() io.Reader { return from }}
	r := call{method: http.MethodPost, path: "/v1/ingest", body: body, again: ifRefused} // without a Message-ID it would be kept twice
	return fetch[IngestReceipt](ctx, c.For(mailbox), r)
}
