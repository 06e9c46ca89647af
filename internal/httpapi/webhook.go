package httpapi

import (
	"context"
	"net/http"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/wire"
)

// webhooks holds the verbs about where events are posted.
type webhooks interface {
	Routes(ctx context.Context, in service.Access) ([]service.RouteSet, error)
	PutRoute(ctx context.Context, in service.Access, label, url string) (service.RouteSet, error)
	DeleteRoute(ctx context.Context, in service.Access, label string) (string, error)
	TestWebhook(ctx context.Context, in service.Access, url string) (service.Trial, error)
	ResetWebhook(ctx context.Context, in service.Access, url string) ([]string, error)
	WebhookSecret(ctx context.Context, in service.Access) (mailbox.Secret, error)
}

// hookLog holds the verbs about what became of events that were posted.
type hookLog interface {
	Hooks(ctx context.Context, in service.Access, q service.HooksQuery) (service.List[mailbox.Hook], error)
	Hook(ctx context.Context, in service.Access, id mailbox.ID) (service.PostedHook, error)
	ReplayHook(ctx context.Context, in service.Access, id mailbox.ID) (service.Trial, mailbox.Hook, error)
}

func (a *API) webhookRoutes(c *call) error {
	list, err := a.svc.Routes(c.Context(), c.in)
	if err != nil {
		return err
	}
	answer := api.Routes{Mailbox: c.in.Box.Address, Routes: make([]api.Route, len(list))}
	for i, r := range list {
		answer.Routes[i] = wire.NewHookRoute(r.HookRoute, r.Warning)
	}
	return a.answer(c, http.StatusOK, answer)
}

func (a *API) putWebhookRoute(c *call) error {
	label, err := c.fields.word("label")
	if err != nil {
		return err
	}
	url, err := c.fields.word("webhook_url")
	if err != nil {
		return err
	}
	route, err := a.svc.PutRoute(c.Context(), c.in, label, url)
	if err != nil {
		return err
	}
	return a.answer(c, http.StatusOK, api.RouteSet{
		Mailbox: c.in.Box.Address, Label: route.Label, WebhookURL: route.Webhook.URL, Warning: route.Warning,
	})
}

func (a *API) deleteWebhookRoute(c *call) error {
	label, err := c.params.text("label")
	if err != nil {
		return err
	}
	label, err = a.svc.DeleteRoute(c.Context(), c.in, label)
	if err != nil {
		return err
	}
	return a.answer(c, http.StatusOK, api.Deleted{OK: true, Deleted: label})
}

func (a *API) webhookDeliveries(c *call) error {
	var q service.HooksQuery
	err := c.params.texts(named{"status", &q.Status}, named{"event", &q.Event}, named{"email_id", &q.EmailID})
	if err != nil {
		return err
	}
	if q.Page, err = c.params.page(); err != nil {
		return err
	}
	list, err := a.svc.Hooks(c.Context(), c.in, q)
	if err != nil {
		return err
	}
	return a.answer(c, http.StatusOK, wire.NewHooks(list.Items, list.Next))
}

func (a *API) webhookDelivery(c *call) error {
	return answerTo(a, c, c.hookID, a.svc.Hook, func(h service.PostedHook) api.PostedWebhook {
		return wire.NewPostedHook(h.Hook, h.Headers)
	})
}

// hookID is the delivery that the path names.
func (c *call) hookID() (mailbox.ID, error) {
	if err := checkText("id", c.value); err != nil {
		return mailbox.ID{}, err
	}
	return parseID("Webhook delivery", c.value)
}

func (a *API) replayWebhook(c *call) error {
	id, err := c.hookID()
	if err != nil {
		return err
	}
	trial, hook, err := a.svc.ReplayHook(c.Context(), c.in, id)
	if err != nil {
		return err
	}
	answer, after := wire.NewTrial(trial.URL, trial.Attempt), wire.NewHook(hook)
	answer.Delivery = &after
	return a.answer(c, http.StatusOK, answer)
}

func (a *API) testWebhook(c *call) error {
	return answerTo(a, c, c.fields.wordNamed("url"), a.svc.TestWebhook, func(t service.Trial) api.WebhookTrial {
		return wire.NewTrial(t.URL, t.Attempt)
	})
}

func (a *API) resetWebhook(c *call) error {
	return answerTo(a, c, c.fields.wordNamed("url"), a.svc.ResetWebhook, func(urls []string) api.WebhookReset {
		return api.WebhookReset{OK: true, Reset: urls}
	})
}

func (a *API) webhookSecret(c *call) error {
	secret, err := a.svc.WebhookSecret(c.Context(), c.in)
	if err != nil {
		return err
	}
	c.out.Header().Set("Cache-Control", "no-store")
	return a.answer(c, http.StatusOK, api.WebhookSecret{Secret: string(secret)})
}
