package client

import (
	"context"
	"iter"
	"net/http"
	"net/url"
	"time"

	"github.com/mailkin/mailkin/api"
)

const routesPath = "/v1/mailbox/routes"

// Routes lists the webhooks besides the mailbox's own.
func (c *Client) Routes(ctx context.Context) (*api.Routes, error) {
	return fetch[api.Routes](ctx, c, get(routesPath, nil))
}

// SetRoute has the events of messages with a label posted to a URL, in addition to the mailbox's own.
func (c *Client) SetRoute(ctx context.Context, label, url string) (*api.RouteSet, error) {
	return c.PutRoute(ctx, api.RouteChange{Label: label, WebhookURL: url})
}

// PutRoute sets a webhook besides the mailbox's own.
func (c *Client) PutRoute(ctx context.Context, r api.RouteChange) (*api.RouteSet, error) {
	return fetch[api.RouteSet](ctx, c, change(http.MethodPut, routesPath, r))
}

// DeleteRoute deletes the route of a label.
func (c *Client) DeleteRoute(ctx context.Context, label string) error {
	return c.deleteRoute(ctx, url.Values{"label": {label}})
}

// DeleteRouteID deletes a route by its id.
func (c *Client) DeleteRouteID(ctx context.Context, id string) error {
	return c.deleteRoute(ctx, url.Values{"id": {id}})
}

func (c *Client) deleteRoute(ctx context.Context, which url.Values) error {
	r := change(http.MethodDelete, routesPath, nil)
	r.query = which
	_, err := fetch[struct{}](ctx, c, r)
	return err
}

// WebhookDeliveriesQuery says which deliveries are asked for.
type WebhookDeliveriesQuery struct {
	Status  string
	Event   string
	EmailID string
	Page
}

// WebhookDeliveries lists events that were posted or are to be, newest first.
func (c *Client) WebhookDeliveries(ctx context.Context, q WebhookDeliveriesQuery) (*api.WebhookDeliveries, error) {
	v := values{}
	v.text("status", q.Status)
	v.text("event", q.Event)
	v.text("email_id", q.EmailID)
	q.values(v)
	return fetch[api.WebhookDeliveries](ctx, c, get("/v1/webhook/deliveries", url.Values(v)))
}

// WebhookDelivery reads an event of the log, with what was sent.
func (c *Client) WebhookDelivery(ctx context.Context, deliveryID string) (*api.PostedWebhook, error) {
	return fetch[api.PostedWebhook](ctx, c, get("/v1/webhook/deliveries/"+url.PathEscape(deliveryID), nil))
}

// WebhookDeliveriesAll walks over all of them.
func (c *Client) WebhookDeliveriesAll(ctx context.Context, q WebhookDeliveriesQuery) iter.Seq2[api.WebhookDelivery,
	error] {
	return all(ctx, q.Page, func(ctx context.Context, p Page) (*api.WebhookDeliveries, error) {
		q.Page = p
		return c.WebhookDeliveries(ctx, q)
	}, func(l *api.WebhookDeliveries) ([]api.WebhookDelivery, api.NullString) { return l.Deliveries, l.Next })
}

// ReplayWebhook posts an event of the log once more, now, and says how it went.
func (c *Client) ReplayWebhook(ctx context.Context, deliveryID string) (*api.WebhookTrial, error) {
	return fetch[api.WebhookTrial](ctx, c, post("/v1/webhook/deliveries/"+url.PathEscape(deliveryID)+"/replay", nil))
}

// ReplayWebhooks has all events posted again that did not arrive since a time: those for a URL, or all if it is empty.
func (c *Client) ReplayWebhooks(ctx context.Context, since time.Time, url string) (*api.WebhooksReplayed, error) {
	body := texts{"since": since.UTC().Format(time.RFC3339Nano), "url": url}
	return fetch[api.WebhooksReplayed](ctx, c, post("/v1/webhook/replay", body))
}

// TestWebhook posts a sample, now, and says how it went: to the mailbox's own webhook, or to the one of its routes that
// has this URL.
func (c *Client) TestWebhook(ctx context.Context, url string) (*api.WebhookTrial, error) {
	return fetch[api.WebhookTrial](ctx, c, post("/v1/webhook/test", texts{"url": url}))
}

// ResetWebhook makes a webhook active again that had failed, or all of them if the URL is empty.
func (c *Client) ResetWebhook(ctx context.Context, url string) (*api.WebhookReset, error) {
	return fetch[api.WebhookReset](ctx, c, post("/v1/webhook/reset", texts{"url": url}))
}

// WebhookSecret is what the events of this mailbox are verified with: see VerifyWebhook.
func (c *Client) WebhookSecret(ctx context.Context) (string, error) {
	out, err := fetch[api.WebhookSecret](ctx, c, get("/v1/webhook/secret", nil))
	if err != nil {
		return "", err
	}
	return out.Secret, nil
}
