package client

import (
	"context"
	"net/url"
	"time"

	"github.com/mailkin/mailkin/api"
)

// Secrets lists the deployment's secrets, as operator, without what they are.
func (c *Client) Secrets(ctx context.Context) (*api.Secrets, error) {
	return fetch[api.Secrets](ctx, c, get("/v1/secrets", nil))
}

// RotateSecret replaces a secret of the deployment, as operator: token, root, webhook or mailbox-webhooks. The one
// before is taken until the overlap is over; 0: a day for the token, a week for the others.
func (c *Client) RotateSecret(ctx context.Context, name string, overlap time.Duration) (*api.RotatedSecret, error) {
	body := map[string]any{}
	if overlap > 0 {
		body["overlap_seconds"] = int(overlap.Seconds())
	}
	return fetch[api.RotatedSecret](ctx, c, post("/v1/secrets/"+url.PathEscape(name)+"/rotate", body))
}

// EndSecret ends the secret that was replaced, before its time.
func (c *Client) EndSecret(ctx context.Context, name string) (*api.Secret, error) {
	return fetch[api.Secret](ctx, c, post("/v1/secrets/"+url.PathEscape(name)+"/end", nil))
}

// RotateWebhookSecret replaces the secret of the mailbox's webhook, or of the route with an id. Until the overlap is
// over events are signed with both.
func (c *Client) RotateWebhookSecret(ctx context.Context, route string, overlap time.Duration) (*api.WebhookSecret,
	error) {
	return fetch[api.WebhookSecret](ctx, c, post("/v1/webhook/secret/rotate", map[string]any{"route_id": route,
		"overlap_seconds": int(overlap.Seconds())}))
}
