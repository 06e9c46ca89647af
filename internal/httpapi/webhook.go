package httpapi

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/wire"
)

// webhooks holds the verbs about where events are posted.
type webhooks interface {
	Routes(ctx context.Context, in service.Access) ([]service.RouteSet, error)
	PutRoute(ctx context.Context, in service.Access, n service.NewRoute) (service.RouteSet, error)
	DeleteRoute(ctx context.Context, in service.Access, label string, id mailbox.ID) (string, error)
	TestWebhook(ctx context.Context, in service.Access, url string) (service.Trial, error)
	ResetWebhook(ctx context.Context, in service.Access, url string) ([]string, error)
	WebhookSecret(ctx context.Context, in service.Access) (service.HookSecret, error)
	RotateWebhookSecret(ctx context.Context, in service.Access, route mailbox.ID, overlap time.Duration) (
		service.HookSecret, error)
}

// hookLog holds the verbs about what became of events that were posted.
type hookLog interface {
	Hooks(ctx context.Context, in service.Access, q service.HooksQuery) (service.List[mailbox.Hook], error)
	Hook(ctx context.Context, in service.Access, id mailbox.ID) (service.PostedHook, error)
	ReplayHook(ctx context.Context, in service.Access, id mailbox.ID) (service.Trial, mailbox.Hook, error)
	ReplayHooks(ctx context.Context, in service.Access, q service.HookReplay) (service.ReplayedHooks, error)
}

func (a *API) webhookRoutes(c *call) error {
	list, err := a.svc.Routes(c.Context(), c.in)
	if err != nil {
		return err
	}
	answer := api.Routes{Mailbox: c.in.Box.Address, Routes: make([]api.Route, len(list))}
	for i, r := range list {
		answer.Routes[i] = wire.NewHookRoute(r.HookRoute, r.Secret, r.Warning)
	}
	return a.answer(c, http.StatusOK, answer)
}

func (a *API) putWebhookRoute(c *call) error {
	n, err := c.newRoute()
	if err != nil {
		return err
	}
	route, err := a.svc.PutRoute(c.Context(), c.in, n)
	if err != nil {
		return err
	}
	set := wire.NewHookRoute(route.HookRoute, route.Secret, route.Warning)
	return a.answer(c, http.StatusOK, api.RouteSet{Mailbox: c.in.Box.Address, ID: set.ID, Label: route.Label,
		WebhookURL: set.WebhookURL, Events: set.Events, Form: set.Form, Secret: set.Secret,
		HeaderNames: set.HeaderNames, Warning: route.Warning})
}

// newRoute reads the body of a route. One that names neither a label nor an id is a new one with an id.
func (c *call) newRoute() (n service.NewRoute, err error) {
	var id string
	if id, err = c.fields.word("id"); err == nil && id != "" {
		n.ID, err = parseID("Route", id)
	}
	if err == nil {
		n.Label, err = c.fields.word("label")
	}
	n.Own = n.Label == "" && n.ID.IsZero()
	if err == nil && !n.Own && n.ID.IsZero() {
		var own *bool
		if own, err = c.fields.flag("own_secret"); own != nil {
			n.Own = *own
		}
	}
	if err == nil {
		n.URL, err = c.fields.text("webhook_url")
	}
	if err != nil {
		return n, err
	}
	return n, c.routeTerms(&n)
}

// routeTerms reads what a route may have besides its URL.
func (c *call) routeTerms(n *service.NewRoute) error {
	if _, given := c.fields["events"]; given {
		events, err := c.fields.texts("events")
		if err != nil {
			return err
		}
		n.Events = &events
	}
	form, err := c.fields.text("form")
	if err == nil && form != nil {
		n.Form = new(mailbox.HookForm)
		*n.Form, err = mailbox.ParseHookForm(*form)
	}
	if err != nil {
		return err
	}
	if err := c.routeHeaders(n); err != nil {
		return err
	}
	rotate, err := c.fields.flag("rotate_secret")
	n.Rotate = rotate != nil && *rotate
	status, failed := c.fields.text("status")
	if err != nil || failed != nil || status == nil {
		return errors.Join(err, failed)
	}
	if *status != "active" && *status != "disabled" {
		return mailbox.InvalidField("status", "status is active or disabled.")
	}
	disabled := *status == "disabled"
	n.Disabled = &disabled
	return nil
}

func (c *call) routeHeaders(n *service.NewRoute) error {
	var given map[string]string
	if err := c.fields.read("headers", &given, "an object of strings"); err != nil || given == nil {
		return err
	}
	list := []mailbox.Field{}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		list = append(list, mailbox.Field{Name: name, Value: given[name]})
	}
	n.Headers = &list
	return nil
}

func (a *API) deleteWebhookRoute(c *call) error {
	var label, given string
	if err := c.params.texts(named{"label", &label}, named{"id", &given}); err != nil {
		return err
	}
	var id mailbox.ID
	if given != "" {
		var err error
		if id, err = parseID("Route", given); err != nil {
			return err
		}
	}
	name, err := a.svc.DeleteRoute(c.Context(), c.in, label, id)
	if err != nil {
		return err
	}
	return a.answer(c, http.StatusOK, api.Deleted{OK: true, Deleted: name})
}

func (a *API) webhookDeliveries(c *call) error {
	var q service.HooksQuery
	var route string
	err := c.params.texts(named{"status", &q.Status}, named{"event", &q.Event}, named{"email_id", &q.EmailID},
		named{"route_id", &route}, named{"query", &q.Words})
	if err == nil && route != "" {
		q.Route, err = parseID("Route", route)
	}
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

func (a *API) replayWebhooks(c *call) error {
	var q service.HookReplay
	var err error
	if q.Since, err = c.fields.moment("since"); err == nil {
		q.URL, err = c.fields.word("url")
	}
	if err != nil {
		return err
	}
	done, err := a.svc.ReplayHooks(c.Context(), c.in, q)
	if err != nil {
		return err
	}
	return a.answer(c, http.StatusOK, api.WebhooksReplayed{Queued: done.Queued, Skipped: done.Skipped, More: done.More})
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
	return a.answer(c, http.StatusOK, wire.NewWebhookSecret(secret.Value, secret.OldUntil))
}

func (a *API) rotateWebhookSecret(c *call) error {
	overlap, given, err := c.overlap()
	if err != nil {
		return err
	}
	if !given {
		overlap = service.HookOverlap
	}
	text, err := c.fields.word("route_id")
	var route mailbox.ID
	if err == nil && text != "" {
		route, err = parseID("Route", text)
	}
	if err != nil {
		return err
	}
	secret, err := a.svc.RotateWebhookSecret(c.Context(), c.in, route, overlap)
	if err != nil {
		return err
	}
	return a.answer(c, http.StatusOK, wire.NewWebhookSecret(secret.Value, secret.OldUntil))
}
