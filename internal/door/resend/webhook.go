package resend

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

type webhook struct {
	Object    string   `json:"object,omitempty"`
	ID        string   `json:"id"`
	Endpoint  string   `json:"endpoint"`
	CreatedAt *string  `json:"created_at"`
	Status    string   `json:"status"`
	Events    []string `json:"events"`
	Secret    string   `json:"signing_secret,omitempty"`
}

func webhookOf(r service.RouteSet) webhook {
	status := "enabled"
	if r.Disabled || r.Webhook.Failed {
		status = "disabled"
	}
	return webhook{ID: r.ID.String(), Endpoint: mailbox.PostedTo(r.Webhook.URL), CreatedAt: moment(r.CreatedAt),
		Status: status, Events: r.Events}
}

// newWebhook is the body of a webhook that is made or changed.
type newWebhook struct {
	Endpoint *string   `json:"endpoint"`
	Events   *[]string `json:"events"`
	Status   *string   `json:"status"`
}

// route is what the service is asked to set.
func (n newWebhook) route() (service.NewRoute, error) {
	form := mailbox.FormResend
	out := service.NewRoute{URL: n.Endpoint, Events: n.Events, Form: &form}
	if n.Events != nil {
		if len(*n.Events) == 0 {
			return out, missing("events")
		}
		for _, name := range *n.Events {
			if kind, _, _ := strings.Cut(name, "."); !strings.Contains(" email contact domain suppression topic inbox ",
				" "+kind+" ") || !strings.Contains(name, ".") {
				return out, door.Refuse(422, "validation_error", "There is no event %q.", mailbox.Clip(name, 40))
			}
		}
	}
	if n.Status == nil {
		return out, nil
	}
	disabled := *n.Status == "disabled"
	if out.Disabled = &disabled; !disabled && *n.Status != "enabled" {
		return out, door.Refuse(422, "validation_error", "`status` is enabled or disabled.")
	}
	return out, nil
}

func (e *edge) createWebhook(c *door.Call) error {
	var in newWebhook
	if err := c.Read(&in, door.ObjectLimit); err != nil {
		return err
	}
	switch {
	case in.Endpoint == nil:
		return missing("endpoint")
	case in.Events == nil:
		return missing("events")
	}
	n, err := in.route()
	if err != nil {
		return err
	}
	n.Own = true
	set, err := e.svc.PutRoute(c.Context(), c.In, n)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusCreated, secretOf(set))
}

type signing struct {
	Object string `json:"object"`
	ID     string `json:"id"`
	Secret string `json:"signing_secret"`
}

func secretOf(r service.RouteSet) signing { return signing{"webhook", r.ID.String(), string(r.Secret)} }

func (e *edge) listWebhooks(c *door.Call) error {
	p, err := pageOf(c)
	if err != nil {
		return err
	}
	all, err := e.svc.Routes(c.Context(), c.In)
	if err != nil {
		return err
	}
	var own []service.RouteSet
	for i := len(all) - 1; i >= 0; i-- { // ids grow with time: the newest first
		if !all[i].ID.IsZero() && all[i].Form == mailbox.FormResend {
			own = append(own, all[i])
		}
	}
	rows, more, err := cut(own, p, func(r service.RouteSet) mailbox.ID { return r.ID })
	if err != nil {
		return err
	}
	var out []webhook
	for _, r := range rows {
		out = append(out, webhookOf(r))
	}
	return c.JSON(http.StatusOK, listOf(out, more))
}

// webhookIn finds the webhook that the path names: one that was made here.
func (e *edge) webhookIn(c *door.Call) (service.RouteSet, error) {
	id, err := idOf(c, "id")
	if err != nil {
		return service.RouteSet{}, err
	}
	r, err := e.svc.Route(c.Context(), c.In, id)
	if err == nil && r.Form != mailbox.FormResend {
		err = mailbox.Errorf(mailbox.NotFound, "not_found", "Webhook not found")
	}
	return r, err
}

func (e *edge) oneWebhook(c *door.Call) error {
	r, err := e.webhookIn(c)
	if err != nil {
		return err
	}
	out := webhookOf(r)
	out.Object, out.Secret = "webhook", string(r.Secret)
	return c.JSON(http.StatusOK, out)
}

// changeWebhook changes the webhook that the path names.
func (e *edge) changeWebhook(c *door.Call, n service.NewRoute) (service.RouteSet, error) {
	r, err := e.webhookIn(c)
	if err != nil {
		return r, err
	}
	n.ID = r.ID
	return e.svc.PutRoute(c.Context(), c.In, n)
}

func (e *edge) updateWebhook(c *door.Call) error {
	var in newWebhook
	if err := c.Read(&in, door.ObjectLimit); err != nil {
		return err
	}
	n, err := in.route()
	if err != nil {
		return err
	}
	set, err := e.changeWebhook(c, n)
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, identified{Object: "webhook", ID: set.ID.String()})
}

func (e *edge) rotateSecret(c *door.Call) error {
	set, err := e.changeWebhook(c, service.NewRoute{Rotate: true})
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, secretOf(set))
}

func (e *edge) deleteWebhook(c *door.Call) error {
	r, err := e.webhookIn(c)
	if err == nil {
		_, err = e.svc.DeleteRoute(c.Context(), c.In, "", r.ID)
	}
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, identified{Object: "webhook", ID: r.ID.String(), Deleted: true})
}

// posted is an event that was posted, or is to be.
type posted struct {
	Object    string  `json:"object,omitempty"`
	ID        string  `json:"id"`
	Type      string  `json:"type"`
	CreatedAt *string `json:"created_at"`
	Status    string  `json:"status"`
}

type wholePosted struct {
	posted
	NextAt  *string         `json:"next_attempt_at"`
	Payload json.RawMessage `json:"payload"`
}

func postedOf(h mailbox.Hook) posted {
	status := map[mailbox.HookState]string{mailbox.HookDelivered: "success", mailbox.HookPending: "pending"}[h.State]
	if status == "" {
		status = "failed"
	}
	out := posted{ID: h.ID.String(), Type: hookNames[h.Kind], CreatedAt: moment(h.At), Status: status}
	var named struct {
		Type string `json:"type"`
	}
	if json.Unmarshal(h.Body, &named) == nil && named.Type != "" {
		out.Type = named.Type
	}
	return out
}

func (e *edge) webhookEvents(c *door.Call) error {
	p, err := pageOf(c)
	if err != nil {
		return err
	}
	r, err := e.webhookIn(c)
	if err != nil {
		return err
	}
	if !p.before.IsZero() {
		return door.Refuse(422, "validation_error", "This list has no `before`.")
	}
	list, err := e.svc.Hooks(c.Context(), c.In, service.HooksQuery{Route: r.ID, Older: p.after,
		Page: service.Page{Limit: p.limit}})
	if err != nil {
		return err
	}
	var out []posted
	for _, h := range list.Items {
		if h.Kind == mailbox.MessageSent || h.Kind == mailbox.MessageBounced { // one kind here is several there
			whole, err := e.svc.Hook(c.Context(), c.In, h.ID)
			if err != nil && mailbox.KindOf(err) != mailbox.NotFound { // it was dropped meanwhile
				return err
			}
			h.Body = whole.Body
		}
		out = append(out, postedOf(h))
	}
	return c.JSON(http.StatusOK, listOf(out, list.Next != ""))
}

// eventIn finds the event that the path names, of the webhook that it names.
func (e *edge) eventIn(c *door.Call) (h service.PostedHook, err error) {
	r, err := e.webhookIn(c)
	if err != nil {
		return h, err
	}
	id, err := idOf(c, "event")
	if err != nil {
		return h, err
	}
	h, err = e.svc.Hook(c.Context(), c.In, id)
	if err == nil && h.URL != r.Webhook.URL {
		err = mailbox.Errorf(mailbox.NotFound, "not_found", "Event not found")
	}
	return h, err
}

func (e *edge) webhookEvent(c *door.Call) error {
	h, err := e.eventIn(c)
	if err != nil {
		return err
	}
	out := wholePosted{postedOf(h.Hook), moment(h.NextAt), h.Body}
	out.Object = "webhook_event"
	if len(out.Payload) == 0 { // forgotten with its message
		out.Payload = json.RawMessage("null")
	}
	return c.JSON(http.StatusOK, out)
}

type attempt struct {
	ID         string  `json:"id"`
	StatusCode int     `json:"http_status_code"`
	Response   string  `json:"response"`
	SentAt     *string `json:"sent_at"`
}

func (e *edge) webhookAttempts(c *door.Call) error {
	p, err := pageOf(c)
	if err != nil {
		return err
	}
	h, err := e.eventIn(c)
	if err != nil {
		return err
	}
	var all []attempt
	for i := len(h.Log) - 1; i >= 0; i-- {
		a := h.Log[i]
		said := a.Response
		if said == "" {
			said = a.Error
		}
		all = append(all, attempt{h.ID.Part(i + 1).String(), a.Status, said, moment(a.At)})
	}
	rows, more, err := cut(all, p, func(a attempt) mailbox.ID { id, _ := mailbox.ParseID(a.ID); return id })
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, listOf(rows, more))
}

func (e *edge) replayEvent(c *door.Call) error {
	h, err := e.eventIn(c)
	if err == nil {
		_, _, err = e.svc.ReplayHook(c.Context(), c.In, h.ID)
	}
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, identified{Object: "webhook_event", ID: h.ID.String()})
}
