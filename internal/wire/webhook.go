package wire

import (
	"strconv"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
)

// AppendHook writes an event of the mailbox of that address as it is posted to webhooks (SPEC 6.1, API 9). Of a message
// that was deleted since it says what AppendEvent does.
func AppendHook(dst []byte, e *mailbox.Event, address string) []byte {
	m := e.Mail
	if m == nil {
		m = &mailbox.Message{ReceivedAt: e.At}
	}
	dst = appendAbout(dst, e, m, address, m.ReceivedAt)
	dst = append(dst, `,"message_id":`...)
	dst = appendMessageID(dst, m.MessageID)
	dst = appendThread(dst, e, m)
	dst = append(dst, `,"attachment_count":`...)
	dst = strconv.AppendInt(dst, int64(m.Attachments), 10)
	dst = appendDeleted(dst, e)
	dst = appendOutcome(dst, e, m)
	return append(dst, '}')
}

// NewHookAttempt returns an attempt.
func NewHookAttempt(a mailbox.HookAttempt) api.WebhookAttempt {
	return api.WebhookAttempt{
		Time: at(a.At), Status: api.NullInt(a.Status), DurationMS: float64(a.Duration.Microseconds()) / 1000,
		Error: null(a.Error), Response: a.Response, Replay: a.Replay,
	}
}

// NewHook returns an event on its way to a webhook.
func NewHook(h mailbox.Hook) api.WebhookDelivery {
	return api.WebhookDelivery{ID: h.ID.String(), WebhookID: h.Name(), Event: string(h.Kind),
		EmailID: idOf(h.Message), URL: mailbox.PostedTo(h.URL), Status: string(h.State),
		CreatedAt: at(h.At), NextAt: at(h.NextAt), Attempts: each(h.Log, NewHookAttempt)}
}

// NewPostedHook returns an event on its way to a webhook with these headers.
func NewPostedHook(h mailbox.Hook, headers map[string]string) api.PostedWebhook {
	if headers == nil {
		headers = map[string]string{}
	}
	return api.PostedWebhook{WebhookDelivery: NewHook(h),
		Request: api.WebhookRequest{Method: "POST", Headers: headers, Body: string(h.Body)}}
}

// NewHooks returns the log and where it goes on.
func NewHooks(list []mailbox.Hook, next string) api.WebhookDeliveries {
	return api.WebhookDeliveries{Deliveries: each(list, NewHook), Next: null(next)}
}

// NewTrial returns a single attempt to post to a URL.
func NewTrial(url string, a mailbox.HookAttempt) api.WebhookTrial {
	return api.WebhookTrial{OK: a.OK(), URL: url, WebhookAttempt: NewHookAttempt(a)}
}

// NewHookRoute returns a route, with a warning where there is one.
func NewHookRoute(r mailbox.HookRoute, secret mailbox.Secret, warning string) api.Route {
	route := api.Route{
		Label: r.Label, WebhookURL: mailbox.PostedTo(r.Webhook.URL), CreatedAt: at(r.CreatedAt),
		Status: r.Webhook.Status(), ConsecutiveFailures: r.Webhook.ConsecutiveFailures,
		LastAttemptAt: at(r.Webhook.LastAttemptAt), LastError: r.Webhook.LastError, Warning: warning,
	}
	if len(r.Events) > 0 {
		route.Events = r.Events
	}
	if r.ID.IsZero() {
		return route
	}
	route.ID, route.Form, route.Secret = r.ID.String(), r.Form.Name(), string(secret)
	for _, h := range r.Headers {
		route.HeaderNames = append(route.HeaderNames, h.Name)
	}
	if r.Disabled {
		route.Status = "disabled"
	}
	return route
}
