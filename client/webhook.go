package client

import (
	"context"
	"iter"
	"net/http"
	"net/url"
)

// Route is a webhook for the messages with a label.
type Route struct {
	Label               string `json:"label"`
	WebhookURL          string `json:"webhook_url"`
	CreatedAt           Time   `json:"created_at"`
	Status              string `json:"status"` // active or failed
	ConsecutiveFailures int    `json:"consecutive_failures"`
	LastAttemptAt       Time   `json:"last_attempt_at"`
	LastError           string `json:"last_error"`
	Warning             string `json:"warning,omitempty"` // why it may never be used; empty: nothing speaks against it
}

// Routes are a mailbox's webhooks for labels.
type Routes struct {
	Mailbox string  `json:"mailbox"`
	Routes  []Route `json:"routes"`
}

// RouteSet is a route that was set.
type RouteSet struct {
	Mailbox    string `json:"mailbox"`
	Label      string `json:"label"`
	WebhookURL string `json:"webhook_url"`
	Warning    string `json:"warning,omitempty"` // why it may never be used; empty: nothing speaks against it
}

const routesPath = "/v1/mailbox/routes"

// Routes lists the webhooks for labels.
func (c *Client) Routes(ctx context.Context) (*Routes, error) {
	return fetch[Routes](ctx, c, get(routesPath, nil))
}

// SetRoute has the events of messages with a label posted to a URL, beside the mailbox's own.
func (c *Client) SetRoute(ctx context.Context, label, url string) (*RouteSet, error) {
	return fetch[RouteSet](ctx, c, change(http.MethodPut, routesPath, struct {
		Label string `json:"label"`
		URL   string `json:"webhook_url"`
	}{label, url}))
}

// DeleteRoute ends that.
func (c *Client) DeleteRoute(ctx context.Context, label string) error {
	r := change(http.MethodDelete, routesPath, nil)
	r.query = url.Values{"label": {label}}
	_, err := fetch[struct{}](ctx, c, r)
	return err
}

// WebhookDelivery is an event that was posted, or is to be.
type WebhookDelivery struct {
	ID        string           `json:"id"`
	WebhookID string           `json:"webhook_id"` // the header webhook-id
	Event     string           `json:"event"`
	EmailID   string           `json:"email_id"`
	URL       string           `json:"url"`
	Status    string           `json:"status"` // pending, delivered, failed or held
	CreatedAt Time             `json:"created_at"`
	NextAt    Time             `json:"next_attempt_at"`
	Attempts  []WebhookAttempt `json:"attempts"`
}

// WebhookAttempt is how an attempt to post an event went.
type WebhookAttempt struct {
	Time       Time       `json:"time"`
	Status     NullInt    `json:"status"` // of HTTP; 0: there was no answer
	DurationMS float64    `json:"duration_ms"`
	Error      NullString `json:"error"` // empty: it arrived
	Response   string     `json:"response,omitempty"`
	Replay     bool       `json:"replay,omitempty"`
}

// WebhookDeliveries is a page of the log.
type WebhookDeliveries struct {
	Deliveries []WebhookDelivery `json:"deliveries"`
	Next       NullString        `json:"next_cursor"`
}

// WebhookDeliveriesQuery says which deliveries are asked for.
type WebhookDeliveriesQuery struct {
	Status  string
	Event   string
	EmailID string
	Page
}

// WebhookDeliveries lists events that were posted or are to be, newest first.
func (c *Client) WebhookDeliveries(ctx context.Context, q WebhookDeliveriesQuery) (*WebhookDeliveries, error) {
	v := values{}
	v.text("status", q.Status)
	v.text("event", q.Event)
	v.text("email_id", q.EmailID)
	q.values(v)
	return fetch[WebhookDeliveries](ctx, c, get("/v1/webhook/deliveries", url.Values(v)))
}

// PostedWebhook is an event of the log with what was sent.
type PostedWebhook struct {
	WebhookDelivery
	Request WebhookRequest `json:"request"`
}

// WebhookRequest is what was sent, at the latest attempt.
type WebhookRequest struct {
	Method  string            `json:"method"`
	Headers map[string]string `json:"headers"` // none before the first attempt
	Body    string            `json:"body"`
}

// WebhookDelivery reads an event of the log, with what was sent.
func (c *Client) WebhookDelivery(ctx context.Context, deliveryID string) (*PostedWebhook, error) {
	return fetch[PostedWebhook](ctx, c, get("/v1/webhook/deliveries/"+url.PathEscape(deliveryID), nil))
}

// WebhookDeliveriesAll walks over all of them.
func (c *Client) WebhookDeliveriesAll(ctx context.Context, q WebhookDeliveriesQuery) iter.Seq2[WebhookDelivery, error] {
	return all(q.Page, func(p Page) ([]WebhookDelivery, NullString, error) {
		q.Page = p
		list, err := c.WebhookDeliveries(ctx, q)
		if err != nil {
			return nil, "", err
		}
		return list.Deliveries, list.Next, nil
	})
}

// WebhookTrial is a single attempt that somebody asked for.
type WebhookTrial struct {
	OK  bool   `json:"ok"` // it arrived
	URL string `json:"url"`
	WebhookAttempt
	Delivery *WebhookDelivery `json:"delivery,omitempty"` // as it is after a replay
}

// ReplayWebhook posts an event of the log once more, now, and says how it went.
func (c *Client) ReplayWebhook(ctx context.Context, deliveryID string) (*WebhookTrial, error) {
	return fetch[WebhookTrial](ctx, c, post("/v1/webhook/deliveries/"+url.PathEscape(deliveryID)+"/replay", nil))
}

// webhookTarget names one of a mailbox's webhooks.
type webhookTarget struct {
	URL string `json:"url,omitempty"`
}

// TestWebhook posts a sample, now, and says how it went: to the mailbox's own webhook, or to the one of its routes that has this
// URL.
func (c *Client) TestWebhook(ctx context.Context, url string) (*WebhookTrial, error) {
	return fetch[WebhookTrial](ctx, c, post("/v1/webhook/test", webhookTarget{url}))
}

// WebhookReset is which webhooks are active again.
type WebhookReset struct {
	OK    bool     `json:"ok"`
	Reset []string `json:"reset"`
}

// ResetWebhook makes a webhook active again that had failed, or all of them if the URL is empty.
func (c *Client) ResetWebhook(ctx context.Context, url string) (*WebhookReset, error) {
	return fetch[WebhookReset](ctx, c, post("/v1/webhook/reset", webhookTarget{url}))
}

// WebhookSecret is what the events of this mailbox are verified with: see VerifyWebhook.
func (c *Client) WebhookSecret(ctx context.Context) (string, error) {
	out, err := fetch[struct {
		Secret string `json:"secret"`
	}](ctx, c, get("/v1/webhook/secret", nil))
	if err != nil {
		return "", err
	}
	return out.Secret, nil
}
