package agentmail

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

func (e *edge) webhookRoutes() (list []door.Route) {
	for _, at := range []struct{ path, box string }{{"/v0/inboxes/{inbox}/webhooks", "inbox"}, {"/v0/webhooks", ""}} {
		route := func(method, path string, how door.Support, note string, handle func(*door.Call) error) {
			list = append(list, door.Route{Method: method, Path: at.path + path, Support: how, Note: note,
				Need: mailbox.ManageMailbox, Box: at.box, Handle: handle})
		}
		how, note := door.Yes, ""
		if at.box == "" {
			how = door.Partly
			note = "A webhook is one inbox's: the one in `inbox_ids`, or the key's own."
		}
		route("POST", "", how, note, e.createWebhook)
		route("GET", "", door.Yes, "", e.webhooks)
		route("GET", "/{webhook}", door.Yes, "", e.webhook)
		route("PATCH", "/{webhook}", how, "", e.changeWebhook)
		route("DELETE", "/{webhook}", door.Yes, "", e.deleteWebhook)
		route("GET", "/{webhook}/headers", door.Yes, "", e.webhookHeaders)
		route("PATCH", "/{webhook}/headers", door.Yes, "", e.changeWebhookHeaders)
	}
	return list
}

type webhookJSON struct {
	ID         string    `json:"webhook_id"`
	URL        string    `json:"url"`
	EventTypes []string  `json:"event_types,omitempty"`
	InboxIDs   []string  `json:"inbox_ids"`
	Secret     string    `json:"secret"`
	Enabled    bool      `json:"enabled"`
	ClientID   string    `json:"client_id,omitempty"`
	UpdatedAt  time.Time `json:"updated_at"`
	CreatedAt  time.Time `json:"created_at"`
}

func newWebhook(r service.RouteSet, address string) webhookJSON {
	out := webhookJSON{ID: r.ID.String(), URL: mailbox.PostedTo(r.Webhook.URL), EventTypes: r.Events,
		InboxIDs: []string{address}, Secret: string(r.Secret), Enabled: !r.Disabled && !r.Webhook.Failed,
		ClientID: r.ClientID, UpdatedAt: r.UpdatedAt, CreatedAt: r.CreatedAt}
	if out.UpdatedAt.IsZero() {
		out.UpdatedAt = r.CreatedAt
	}
	return out
}

// eventTypes are the kinds of events that can be asked for.
var eventTypes = []string{"message.received", "message.received.spam", "message.received.blocked",
	"message.received.unauthenticated", "message.sent", "message.delivered", "message.bounced", "message.complained",
	"message.rejected", "message.opened", "domain.verified"}

func checkTypes(types []string) error {
	if len(types) == 0 {
		return invalid("event_types", "event_types has at least one of %s.", strings.Join(eventTypes, ", "))
	}
	for _, t := range types {
		if !slices.Contains(eventTypes, t) {
			return invalid("event_types", "event_types are of %s.", strings.Join(eventTypes, ", "))
		}
	}
	return nil
}

func (e *edge) createWebhook(c *door.Call) error {
	var body struct {
		URL        string            `json:"url"`
		EventTypes []string          `json:"event_types"`
		ClientID   string            `json:"client_id"`
		Headers    map[string]string `json:"headers"`
		InboxIDs   []string          `json:"inbox_ids"`
		PodIDs     []string          `json:"pod_ids"`
	}
	if err := c.Read(&body, door.ObjectLimit); err != nil {
		return err
	}
	if err := checkTypes(body.EventTypes); err != nil {
		return err
	}
	switch {
	case len(body.InboxIDs) > 1:
		return invalid("inbox_ids", "A webhook is one inbox's here: make one for each.")
	case slices.ContainsFunc(body.PodIDs, func(id string) bool { return id != thePod }):
		return notFound("pod")
	case len(body.InboxIDs) == 1 && c.Route.Box == "":
		if err := c.Enter(body.InboxIDs[0]); err != nil {
			return err
		}
	}
	form, headers := mailbox.FormAgentMail, merged(nil, body.Headers, nil)
	set, err := e.svc.PutRoute(c.Context(), c.In, service.NewRoute{Own: true, URL: &body.URL, Events: &body.EventTypes,
		Form: &form, ClientID: body.ClientID, Headers: &headers})
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, newWebhook(set, c.In.Box.Address))
}

// hooksHere are the webhooks of this door in the mailbox that was entered.
func (e *edge) hooksHere(c *door.Call) ([]service.RouteSet, error) {
	all, err := e.svc.Routes(c.Context(), c.In)
	return slices.DeleteFunc(all, func(r service.RouteSet) bool {
		return r.Form != mailbox.FormAgentMail || r.ID.IsZero()
	}), err
}

func (e *edge) webhooks(c *door.Call) error {
	list := []webhookJSON{}
	err := e.eachOpen(c, func(bool) (bool, error) {
		here, err := e.hooksHere(c)
		for _, r := range here {
			list = append(list, newWebhook(r, c.In.Box.Address))
		}
		return false, err
	})
	if err != nil {
		return err
	}
	rows, p, err := onePage(c, list, func(w webhookJSON) string { return w.ID })
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, struct {
		paged
		Webhooks []webhookJSON `json:"webhooks"`
	}{p, rows})
}

// hookOf finds the webhook that the path names, and enters its mailbox.
func (e *edge) hookOf(c *door.Call) (set service.RouteSet, err error) {
	there := false
	err = e.eachOpen(c, func(bool) (bool, error) {
		here, err := e.hooksHere(c)
		for _, r := range here {
			if r.ID.String() == c.Value("webhook") {
				set, there = r, true
			}
		}
		return there, err
	})
	if err == nil && !there {
		err = notFound("webhook")
	}
	return set, err
}

func (e *edge) webhook(c *door.Call) error {
	r, err := e.hookOf(c)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, newWebhook(r, c.In.Box.Address))
}

func (e *edge) changeWebhook(c *door.Call) error {
	r, err := e.hookOf(c)
	if err != nil {
		return err
	}
	var body struct {
		EventTypes *[]string `json:"event_types"`
		Add        []string  `json:"add_inbox_ids"`
		Remove     []string  `json:"remove_inbox_ids"`
	}
	if err := c.Read(&body, door.ObjectLimit); err != nil {
		return err
	}
	if len(body.Add) > 0 || len(body.Remove) > 0 {
		return invalid("add_inbox_ids", "A webhook is one inbox's here: make one for each.")
	}
	if body.EventTypes != nil {
		if err := checkTypes(*body.EventTypes); err != nil {
			return err
		}
	}
	set, err := e.svc.PutRoute(c.Context(), c.In, service.NewRoute{ID: r.ID, Events: body.EventTypes, Form: &r.Form})
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, newWebhook(set, c.In.Box.Address))
}

func (e *edge) deleteWebhook(c *door.Call) error {
	r, err := e.hookOf(c)
	if err == nil {
		_, err = e.svc.DeleteRoute(c.Context(), c.In, "", r.ID)
	}
	if err != nil {
		return err
	}
	return done(c)
}

func (e *edge) webhookHeaders(c *door.Call) error {
	r, err := e.hookOf(c)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, map[string][]string{"header_names": each(r.Headers,
		func(f mailbox.Field) string { return f.Name })})
}

// merged changes a list of headers; names are the same whatever their case.
func merged(old []mailbox.Field, set map[string]string, remove []string) (list []mailbox.Field) {
	for _, f := range old {
		drop := slices.ContainsFunc(remove, func(name string) bool { return strings.EqualFold(name, f.Name) })
		for name := range set {
			drop = drop || strings.EqualFold(name, f.Name)
		}
		if !drop {
			list = append(list, f)
		}
	}
	for name, value := range set {
		list = append(list, mailbox.Field{Name: name, Value: value})
	}
	slices.SortFunc(list, func(a, b mailbox.Field) int { return strings.Compare(a.Name, b.Name) })
	return list
}

func (e *edge) changeWebhookHeaders(c *door.Call) error {
	r, err := e.hookOf(c)
	if err != nil {
		return err
	}
	var body struct {
		Headers map[string]string `json:"headers"`
		Remove  []string          `json:"remove_headers"`
	}
	if err := c.Read(&body, door.ObjectLimit); err != nil {
		return err
	}
	headers := merged(r.Headers, body.Headers, body.Remove)
	if _, err := e.svc.PutRoute(c.Context(), c.In, service.NewRoute{ID: r.ID, Headers: &headers}); err != nil {
		return err
	}
	return done(c)
}
