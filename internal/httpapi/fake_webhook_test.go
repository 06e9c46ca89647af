package httpapi

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

func fakeAttempt() mailbox.HookAttempt {
	return mailbox.HookAttempt{At: fakeTime, Duration: 12345 * time.Microsecond, Status: 503,
		Error: "The receiver answered 503.", Response: "no <b>"}
}

func fakeHook() mailbox.Hook {
	return mailbox.Hook{N: 7, ID: fakeID, URL: "https://x.example/hook", Kind: mailbox.MessageReceived, Message: fakeID,
		At:    fakeTime,
		State: mailbox.HookPending, Attempts: 1, NextAt: fakeTime.Add(time.Second),
		Log: []mailbox.HookAttempt{fakeAttempt()}}
}

// setRoute is what PutRoute was asked.
type setRoute struct{ Label, URL string }

func (f *fake) Routes(context.Context, service.Access) ([]service.RouteSet, error) {
	return []service.RouteSet{{HookRoute: mailbox.HookRoute{Label: "code", CreatedAt: fakeTime,
		Webhook: mailbox.Webhook{
			URL: "https://x.example/hook", Failed: true,
			ConsecutiveFailures: 10, LastAttemptAt: fakeTime, LastError: "The receiver answered 503."}}}}, f.did(nil)
}

func (f *fake) PutRoute(_ context.Context, _ service.Access, n service.NewRoute) (service.RouteSet, error) {
	r := service.RouteSet{HookRoute: mailbox.HookRoute{Label: n.Label}}
	if n.URL != nil {
		r.Webhook.URL = *n.URL
	}
	if n.Own {
		r.ID, r.Secret = fakeID, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	}
	if n.Events != nil {
		r.Events = *n.Events
	}
	return r, f.did(setRoute{n.Label, r.Webhook.URL})
}

func (f *fake) DeleteRoute(_ context.Context, _ service.Access, label string, id mailbox.ID) (string, error) {
	if !id.IsZero() {
		label = id.String()
	}
	return label, f.did(label)
}

func (f *fake) Hooks(_ context.Context, _ service.Access, q service.HooksQuery) (service.List[mailbox.Hook], error) {
	return service.List[mailbox.Hook]{Items: []mailbox.Hook{fakeHook()}, Next: "next"}, f.did(q)
}

func (f *fake) Hook(_ context.Context, _ service.Access, id mailbox.ID) (service.PostedHook, error) {
	h := fakeHook()
	h.Body = []byte(`{"event":"message.received"}`)
	return service.PostedHook{Hook: h, Headers: map[string]string{"webhook-id": h.Name()}}, f.did(id)
}

func (f *fake) ReplayHook(_ context.Context, _ service.Access, id mailbox.ID) (service.Trial, mailbox.Hook, error) {
	return service.Trial{URL: fakeHook().URL, Attempt: fakeAttempt()}, fakeHook(), f.did(id)
}

func (f *fake) ReplayHooks(_ context.Context, _ service.Access, q service.HookReplay) (service.ReplayedHooks, error) {
	return service.ReplayedHooks{Queued: 3, Skipped: 1, More: true}, f.did(q)
}

func (f *fake) TestWebhook(_ context.Context, _ service.Access, url string) (service.Trial, error) {
	return service.Trial{URL: "https://x.example/hook", Attempt: mailbox.HookAttempt{At: fakeTime,
		Duration: time.Millisecond, Status: 204}}, f.did(url)
}

func (f *fake) ResetWebhook(_ context.Context, _ service.Access, url string) ([]string, error) {
	return []string{"https://x.example/hook"}, f.did(url)
}

func (f *fake) WebhookSecret(context.Context, service.Access) (service.HookSecret, error) {
	return service.HookSecret{Value: "whsec_c2VjcmV0"}, f.did(nil)
}

func (f *fake) RotateWebhookSecret(_ context.Context, _ service.Access, route mailbox.ID, overlap time.Duration) (
	service.HookSecret, error) {
	return service.HookSecret{Value: "whsec_bmV3", OldUntil: fakeTime.Add(overlap)}, f.did(route)
}

func (f *fake) Secrets(context.Context, service.Access) ([]service.SecretState, error) {
	return []service.SecretState{{Name: mailbox.SecretToken, InFile: true, MadeAt: fakeTime},
		{Name: mailbox.SecretRoot, OldUntil: fakeTime, Overdue: true, Pending: true}}, f.did(nil)
}

func (f *fake) RotateSecret(_ context.Context, _ service.Access, name mailbox.SecretName, overlap time.Duration) (
	service.NewSecret, error) {
	return service.NewSecret{SecretState: service.SecretState{Name: name, InFile: true, MadeAt: fakeTime,
		OldUntil: fakeTime.Add(overlap)}, Value: "mk_new"}, f.did(overlap)
}

func (f *fake) EndSecret(_ context.Context, _ service.Access, name mailbox.SecretName) (service.SecretState, error) {
	return service.SecretState{Name: name, MadeAt: fakeTime}, f.did(name)
}
