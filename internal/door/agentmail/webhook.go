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
		note := ""
		if at.box == "" {
			note = "For the inboxes in `inbox_ids`; without any for all of the key's, also those that it makes later."
		}
		route("POST", "", door.Yes, note, e.createWebhook)
		route("GET", "", door.Yes, "", e.webhooks)
		route("GET", "/{webhook}", door.Yes, "", e.webhook)
		route("PATCH", "/{webhook}", door.Yes, "", e.changeWebhook)
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
	PodIDs     []string  `json:"pod_ids,omitempty"`
	Secret     string    `json:"secret"`
	Enabled    bool      `json:"enabled"`
	ClientID   string    `json:"client_id,omitempty"`
	UpdatedAt  time.Time `json:"updated_at"`
	CreatedAt  time.Time `json:"created_at"`
}

// hook is a webhook in each of the mailboxes that have it.
type hook []hookIn

type hookIn struct {
	service.RouteSet
	in service.Access
}

func newWebhook(h hook) webhookJSON {
	r := h[0]
	out := webhookJSON{ID: r.ID.String(), URL: mailbox.PostedTo(r.Webhook.URL), EventTypes: r.Events,
		Secret: string(r.Secret), Enabled: true, ClientID: r.ClientID, UpdatedAt: r.UpdatedAt, CreatedAt: r.CreatedAt}
	for _, r := range h {
		out.InboxIDs = append(out.InboxIDs, r.in.Box.Address)
		out.Enabled = out.Enabled && !r.Disabled && !r.Webhook.Failed
		if !r.Wide.IsZero() {
			out.PodIDs = []string{thePod}
		}
	}
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
	if slices.ContainsFunc(body.PodIDs, func(id string) bool { return id != thePod }) {
		return notFound("pod")
	}
	boxes, wide, err := e.hookBoxes(c, body.InboxIDs)
	if err != nil {
		return err
	}
	if body.ClientID != "" {
		if all, err := e.allHooks(c); err != nil || slices.ContainsFunc(all, func(h hook) bool {
			return h[0].ClientID == body.ClientID
		}) {
			return e.answerHook(c, err, func(h hook) bool { return h[0].ClientID == body.ClientID })
		}
	}
	form, headers := mailbox.FormAgentMail, merged(nil, body.Headers, nil)
	set, err := e.svc.PutRoute(c.Context(), boxes[0], service.NewRoute{Own: true, URL: &body.URL,
		Events: &body.EventTypes, Form: &form, ClientID: body.ClientID, Headers: &headers, Also: boxes[1:], Wide: wide})
	return e.answerHook(c, err, func(h hook) bool { return h[0].ID == set.ID })
}

// hookMost is how many inboxes a webhook can be made for.
const hookMost = 1000

// hookBoxes enters the mailboxes that a webhook is to be for. Without names it is the path's or the key's own, and
// where the key opens several, all of them and those to come.
func (e *edge) hookBoxes(c *door.Call, names []string) (list []service.Access, wide bool, err error) {
	several := c.Who().Scope != mailbox.Operator && c.Who().Key.Restriction().Several
	switch {
	case c.Route.Box != "" || len(names) == 0 && !several:
		return []service.Access{c.In}, false, nil
	case len(names) > hookMost:
		return nil, false, invalid("inbox_ids", "Name at most %d inboxes.", hookMost)
	case len(names) == 0:
		own := c.In
		err = e.eachBox(c, hookMost, nil, func(mailbox.Mailbox) error {
			if c.In.Box.Num != own.Box.Num {
				list = append(list, c.In)
			}
			return nil
		})
		return append([]service.Access{own}, list...), true, err // new mailboxes get those of the key's own
	}
	for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
		if err := c.Enter(name); err != nil {
			return nil, false, err
		}
		if !slices.ContainsFunc(list, func(in service.Access) bool { return in.Box.Num == c.In.Box.Num }) {
			list = append(list, c.In)
		}
	}
	// always in the same order, so that two who make it at once do not wait for each other
	slices.SortFunc(list, func(a, b service.Access) int { return int(a.Box.Num - b.Box.Num) })
	return list, false, nil
}

// eachBox enters mailboxes that the key opens, up to a number of those that are looked at.
func (e *edge) eachBox(c *door.Call, most int, skip func(mailbox.Mailbox) bool, fn func(mailbox.Mailbox) error) error {
	own, q := c.In, service.OpenQuery{Page: service.Page{Limit: pageMost}}
	for seen := 0; seen < most; seen += pageMost {
		open, err := e.svc.OpenMailboxes(c.Context(), own, q)
		if err != nil {
			return err
		}
		for _, m := range open.Items {
			if m.Status != mailbox.Active || skip != nil && skip(m) {
				continue
			}
			if err := c.Enter(m.Address); err != nil {
				return err
			}
			if err := fn(m); err != nil {
				return err
			}
		}
		if q.Page.Cursor = open.Next; open.Next == "" {
			break
		}
	}
	return nil
}

// allHooks are the webhooks of this door in the mailbox of the path, or in all that the key opens.
func (e *edge) allHooks(c *door.Call) (all []hook, err error) {
	here := func(mailbox.Mailbox) error {
		routes, err := e.svc.Routes(c.Context(), c.In)
		for _, r := range routes {
			if r.Form != mailbox.FormAgentMail || r.ID.IsZero() {
				continue
			}
			one := hookIn{r, c.In}
			if i := slices.IndexFunc(all, func(h hook) bool { return h[0].ID == r.ID }); i >= 0 {
				all[i] = append(all[i], one)
			} else {
				all = append(all, hook{one})
			}
		}
		return err
	}
	if c.Route.Box != "" || c.Who().Scope != mailbox.Operator && !c.Who().Key.Restriction().Several {
		return all, here(c.In.Box)
	}
	err = e.eachBox(c, hookMost, func(m mailbox.Mailbox) bool { return !m.Routed }, here)
	slices.SortFunc(all, func(a, b hook) int { return strings.Compare(b[0].ID.String(), a[0].ID.String()) })
	return all, err
}

// answerHook answers with the webhook that is meant, as it is now.
func (e *edge) answerHook(c *door.Call, err error, meant func(hook) bool) error {
	if err != nil {
		return err
	}
	all, err := e.allHooks(c)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(all, meant)
	if i < 0 {
		return notFound("webhook")
	}
	return c.JSON(http.StatusOK, newWebhook(all[i]))
}

func (e *edge) webhooks(c *door.Call) error {
	all, err := e.allHooks(c)
	if err != nil {
		return err
	}
	rows, p, err := onePage(c, each(all, newWebhook), func(w webhookJSON) string { return w.ID })
	if err != nil {
		return err
	}
	return c.JSON(http.StatusOK, struct {
		paged
		Webhooks []webhookJSON `json:"webhooks"`
	}{p, rows})
}

// pathHook tells whether a webhook is the one that the path names.
func pathHook(c *door.Call) func(hook) bool {
	return func(h hook) bool { return h[0].ID.String() == c.Value("webhook") }
}

// hookOf finds the webhook that the path names.
func (e *edge) hookOf(c *door.Call) (hook, error) {
	all, err := e.allHooks(c)
	if err != nil {
		return nil, err
	}
	if i := slices.IndexFunc(all, pathHook(c)); i >= 0 {
		return all[i], nil
	}
	return nil, notFound("webhook")
}

func (e *edge) webhook(c *door.Call) error { return e.answerHook(c, nil, pathHook(c)) }

func (e *edge) changeWebhook(c *door.Call) error {
	h, err := e.hookOf(c)
	if err != nil {
		return err
	}
	var body struct {
		EventTypes *[]string `json:"event_types"`
		Add        []string  `json:"add_inbox_ids"`
		Remove     []string  `json:"remove_inbox_ids"`
		AddPods    []string  `json:"add_pod_ids"`
		RemovePods []string  `json:"remove_pod_ids"`
	}
	if err := c.Read(&body, door.ObjectLimit); err != nil {
		return err
	}
	if len(body.AddPods)+len(body.RemovePods) > 0 {
		return invalid("add_pod_ids", "There is one pod: change inbox_ids.")
	}
	if body.EventTypes != nil {
		if err := checkTypes(*body.EventTypes); err != nil {
			return err
		}
	}
	if c.Route.Box != "" && len(body.Add)+len(body.Remove) > 0 {
		return invalid("add_inbox_ids", "Under an inbox, a webhook is that inbox's.")
	}
	keep := slices.DeleteFunc(slices.Clone(h), func(r hookIn) bool {
		return slices.ContainsFunc(body.Remove, func(name string) bool {
			return strings.EqualFold(name, r.in.Box.Address)
		})
	})
	if len(keep) == 0 {
		return invalid("remove_inbox_ids", "An inbox must be left: delete the webhook instead.")
	}
	var add []service.Access
	if len(body.Add) > 0 {
		if add, _, err = e.hookBoxes(c, body.Add); err != nil {
			return err
		}
	}
	for i, r := range keep {
		change := service.NewRoute{ID: r.ID, Events: body.EventTypes, Form: &r.Form}
		if i == 0 {
			change.Also = add
		}
		if _, err := e.svc.PutRoute(c.Context(), r.in, change); err != nil {
			return err
		}
	}
	for _, r := range h {
		if !slices.ContainsFunc(keep, func(k hookIn) bool { return k.in.Box.Num == r.in.Box.Num }) {
			if _, err := e.svc.DeleteRoute(c.Context(), r.in, "", r.ID); err != nil {
				return err
			}
		}
	}
	return e.answerHook(c, nil, pathHook(c))
}

func (e *edge) deleteWebhook(c *door.Call) error {
	h, err := e.hookOf(c)
	for _, r := range h {
		if err == nil {
			_, err = e.svc.DeleteRoute(c.Context(), r.in, "", r.ID)
		}
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
	return c.JSON(http.StatusOK, map[string][]string{"header_names": each(r[0].Headers,
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
	headers := merged(r[0].Headers, body.Headers, body.Remove)
	for _, one := range r {
		if _, err := e.svc.PutRoute(c.Context(), one.in, service.NewRoute{ID: one.ID, Headers: &headers}); err != nil {
			return err
		}
	}
	return done(c)
}
