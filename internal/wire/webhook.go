package wire

import (
	"strconv"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// AppendHook writes an event of the mailbox of that address as it is posted to webhooks (SPEC 6.1, API 9).
func AppendHook(dst []byte, e *mailbox.Event, address string) []byte {
	m := e.Mail
	dst = appendMember(dst, `{"event":`, string(e.Kind))
	dst = append(dst, `,"email_id":`...)
	dst = appendID(dst, e.Message)
	dst = appendMember(dst, `,"mailbox":`, address)
	dst = appendMember(dst, `,"from":`, m.From.Address)
	dst = appendMember(dst, `,"subject":`, m.Subject)
	dst = append(dst, `,"received_at":`...)
	dst = appendTime(dst, m.ReceivedAt)
	dst = append(dst, `,"message_id":`...)
	dst = appendMessageID(dst, m.MessageID)
	dst = append(dst, `,"thread_id":`...)
	dst = appendID(dst, m.Thread)
	dst = append(dst, `,"labels":`...)
	dst = appendStrings(dst, m.Labels)
	dst = append(dst, `,"has_attachments":`...)
	dst = strconv.AppendBool(dst, m.Attachments > 0)
	dst = append(dst, `,"attachment_count":`...)
	dst = strconv.AppendInt(dst, int64(m.Attachments), 10)
	dst = appendOutcome(dst, e, m)
	return append(dst, '}')
}

// Hook is an event that was posted, or is to be (API 9).
type Hook struct {
	ID        ID            `json:"id"`
	WebhookID string        `json:"webhook_id"`
	Event     string        `json:"event"`
	EmailID   ID            `json:"email_id"`
	URL       string        `json:"url"`
	Status    string        `json:"status"`
	CreatedAt Time          `json:"created_at"`
	NextAt    Time          `json:"next_attempt_at"` // null: never
	Attempts  []HookAttempt `json:"attempts"`
}

// HookAttempt is how an attempt went.
type HookAttempt struct {
	At         Time    `json:"time"`
	Status     *int    `json:"status"` // null: there was no answer
	DurationMS float64 `json:"duration_ms"`
	Error      *string `json:"error"` // null: it arrived
	Response   string  `json:"response,omitempty"`
	Replay     bool    `json:"replay,omitempty"`
}

// NewHookAttempt gives an attempt.
func NewHookAttempt(a mailbox.HookAttempt) HookAttempt {
	out := HookAttempt{At: Time(a.At), DurationMS: float64(a.Duration.Microseconds()) / 1000, Error: orNull(a.Error),
		Response: a.Response, Replay: a.Replay}
	if a.Status != 0 {
		out.Status = &a.Status
	}
	return out
}

// NewHook gives an event on its way to a webhook.
func NewHook(h mailbox.Hook) Hook {
	return Hook{ID: ID(h.ID), WebhookID: h.Name(), Event: string(h.Kind), EmailID: ID(h.Message), URL: h.URL, Status: string(h.State),
		CreatedAt: Time(h.At), NextAt: Time(h.NextAt), Attempts: each(h.Log, NewHookAttempt)}
}

// PostedHook is one of them with what was sent.
type PostedHook struct {
	Hook
	Request HookRequest `json:"request"`
}

// HookRequest is what was sent, at the latest attempt.
type HookRequest struct {
	Method  string            `json:"method"`
	Headers map[string]string `json:"headers"` // none: it was not sent yet
	Body    string            `json:"body"`
}

// NewPostedHook gives an event on its way to a webhook with these headers.
func NewPostedHook(h mailbox.Hook, headers map[string]string) PostedHook {
	if headers == nil {
		headers = map[string]string{}
	}
	return PostedHook{Hook: NewHook(h), Request: HookRequest{Method: "POST", Headers: headers, Body: string(h.Body)}}
}

// Hooks is the log of what was posted.
type Hooks struct {
	Deliveries []Hook `json:"deliveries"`
	Next       Cursor `json:"next_cursor"`
}

// NewHooks gives the log and where it goes on.
func NewHooks(list []mailbox.Hook, next string) Hooks {
	return Hooks{Deliveries: each(list, NewHook), Next: orNull(next)}
}

// Trial is the answer to a test or a replay: a single attempt.
type Trial struct {
	OK  bool   `json:"ok"` // it arrived
	URL string `json:"url"`
	HookAttempt
	Delivery *Hook `json:"delivery,omitempty"` // as it is after a replay
}

// NewTrial gives a single attempt to post to a URL.
func NewTrial(url string, a mailbox.HookAttempt) Trial {
	return Trial{OK: a.OK(), URL: url, HookAttempt: NewHookAttempt(a)}
}

// ResetWebhook is the answer to a reset.
type ResetWebhook struct {
	OK    bool     `json:"ok"`
	Reset []string `json:"reset"` // URLs
}

// WebhookSecret is what a mailbox's owner verifies its events with.
type WebhookSecret struct {
	Secret string `json:"secret"`
}

// HookRoutes is a mailbox's webhooks for labels (API 4).
type HookRoutes struct {
	Mailbox string      `json:"mailbox"`
	Routes  []HookRoute `json:"routes"`
}

// HookRoute is one of them.
type HookRoute struct {
	Label               string `json:"label"`
	WebhookURL          string `json:"webhook_url"`
	CreatedAt           Time   `json:"created_at"`
	Status              string `json:"status"`
	ConsecutiveFailures int    `json:"consecutive_failures"`
	LastAttemptAt       Time   `json:"last_attempt_at"` // null: never
	LastError           string `json:"last_error"`
	Warning             string `json:"warning,omitempty"` // why it may never be used
}

// NewHookRoute gives a route, with a warning where there is one.
func NewHookRoute(r mailbox.HookRoute, warning string) HookRoute {
	return HookRoute{Label: r.Label, WebhookURL: r.Webhook.URL, CreatedAt: Time(r.CreatedAt), Status: r.Webhook.Status(),
		ConsecutiveFailures: r.Webhook.ConsecutiveFailures, LastAttemptAt: Time(r.Webhook.LastAttemptAt), LastError: r.Webhook.LastError,
		Warning: warning}
}

// PutHookRoute is the answer to setting a route.
type PutHookRoute struct {
	Mailbox    string `json:"mailbox"`
	Label      string `json:"label"`
	WebhookURL string `json:"webhook_url"`
	Warning    string `json:"warning,omitempty"` // why it may never be used
}

// DeletedHookRoute is the answer to deleting a route.
type DeletedHookRoute struct {
	OK      bool   `json:"ok"`
	Deleted string `json:"deleted"`
}
