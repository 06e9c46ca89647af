package service

import (
	"context"
	"encoding/base64"
	"errors"
	"slices"
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// maxRoutes is how many routes a mailbox may have: each is looked at for every event.
const maxRoutes = 100

// Routes lists the mailbox's webhooks besides its own.
func (s *Service) Routes(ctx context.Context, in Access) (routes []RouteSet, err error) {
	err = s.view(ctx, func(r store.Reader) error {
		box, err := r.Mailbox(ctx, in.Box.Num)
		if err != nil {
			return err
		}
		all, err := s.allWebhooks(ctx, r, box)
		for _, w := range all {
			if w.Label == "" && w.ID.IsZero() {
				continue // the mailbox's own
			}
			set := RouteSet{HookRoute: w, Secret: secretText(s.routeSecret(box, w))}
			if w.Label != "" {
				if set.Warning, err = unusedLabel(ctx, r, box.Num, w.Label); err != nil {
					return err
				}
			}
			routes = append(routes, set)
		}
		return err
	})
	return routes, in.gone(err)
}

// RouteSet is a webhook besides the mailbox's own.
type RouteSet struct {
	mailbox.HookRoute
	Secret  mailbox.Secret // that what is posted there is signed with
	Warning string         // why it may never be used; empty: nothing speaks against it
}

// NewRoute is a webhook that is to be set: for a label, or one with an id. Nil fields of a route with an id stay.
type NewRoute struct {
	ID       mailbox.ID // of the route that is changed; zero: there is none
	Own      bool       // it gets an id, a secret and a choice of events of its own
	Label    string
	URL      *string
	Events   *[]string
	Form     *mailbox.HookForm
	Headers  *[]mailbox.Field
	Disabled *bool
	Rotate   bool // it gets a new secret
	ClientID string
	Also     []Access // to further mailboxes that get the same route
	Wide     bool     // and so do those that the caller's key makes later
}

// PutRoute sets the webhook for a label, or one with an id. Setting its URL, even to the same, revives one that had
// failed.
func (s *Service) PutRoute(ctx context.Context, in Access, n NewRoute) (set RouteSet, err error) {
	if n.Label != "" || !n.Own && n.ID.IsZero() {
		if n.Label, err = mailbox.ParseLabel("label", n.Label); err != nil {
			return RouteSet{}, err
		}
	}
	if err := s.checkRoute(&n); err != nil {
		return RouteSet{}, err
	}
	err = s.update(ctx, func(tx store.Tx) (err error) {
		set = RouteSet{}
		box, err := tx.Mailbox(ctx, in.Box.Num)
		if err != nil {
			return err
		}
		if set.HookRoute, err = s.routeToBe(ctx, tx, box, n); err != nil {
			return err
		}
		if set.Form.HasBodies() && !in.Caller.May(mailbox.ReadMail) {
			return denied(in.Caller, mailbox.ReadMail) // it would be sent what it may not read
		}
		if set.Label != "" {
			if set.Warning, err = unusedLabel(ctx, tx, box.Num, set.Label); err != nil {
				return err
			}
		}
		set.Secret = secretText(s.routeSecret(box, set.HookRoute))
		if n.Wide {
			set.Wide = in.Caller.Key.ID
		}
		if err := tx.PutHookRoute(ctx, set.HookRoute); err != nil {
			return err
		}
		for _, other := range n.Also {
			if err := s.copyRoute(ctx, tx, set.HookRoute.In(other.Box.Num, box)); err != nil {
				return err
			}
		}
		if n.URL == nil {
			return nil
		}
		return s.setWebhook(ctx, tx, box, set.Webhook) // of all that have this URL
	})
	return set, in.gone(err)
}

// copyRoute gives a mailbox a route that another one has; one that it has already stays.
func (s *Service) copyRoute(ctx context.Context, tx store.Tx, route mailbox.HookRoute) error {
	old, err := tx.HookRoutes(ctx, route.Mailbox)
	switch {
	case err != nil:
		return err
	case slices.ContainsFunc(old, func(o mailbox.HookRoute) bool { return o.ID == route.ID }):
		return nil
	case len(old) >= maxRoutes:
		return errManyRoutes
	}
	return tx.PutHookRoute(ctx, route)
}

// inheritRoutes gives a mailbox that a key has made the routes that are for all of its mailboxes.
func (s *Service) inheritRoutes(ctx context.Context, tx store.Tx, by mailbox.Key, num mailbox.Num) error {
	home, err := tx.Mailbox(ctx, by.Mailbox)
	if err != nil || !home.Routed {
		return err
	}
	routes, err := tx.HookRoutes(ctx, by.Mailbox)
	for _, r := range routes {
		if err == nil && r.Wide == by.ID {
			err = s.copyRoute(ctx, tx, r.In(num, home))
		}
	}
	return err
}

// passRoutes has the routes of a key follow the one that it was rotated to.
func (s *Service) passRoutes(ctx context.Context, tx store.Tx, from, to mailbox.Key) error {
	routes, err := tx.HookRoutes(ctx, from.Mailbox)
	for _, r := range routes {
		if err == nil && r.Wide == from.ID {
			r.Wide = to.ID
			err = tx.PutHookRoute(ctx, r)
		}
	}
	return err
}

var errManyRoutes = mailbox.Errorf(mailbox.Conflict, "too_many_routes", "A mailbox has at most %d routes; delete one "+
	"first.", maxRoutes)

const (
	maxRouteEvents  = 100
	maxRouteHeaders = 20
)

// checkRoute refuses what no route may have.
func (s *Service) checkRoute(n *NewRoute) error {
	if n.URL != nil || n.ID.IsZero() {
		url := ""
		if n.URL != nil {
			url = strings.TrimSpace(*n.URL)
		}
		if err := s.checkWebhook(url); err != nil {
			return err
		}
		n.URL = &url
	}
	if n.Events != nil && len(*n.Events) > maxRouteEvents {
		return mailbox.InvalidField("events", "A route has at most %d events.", maxRouteEvents)
	}
	if n.Events != nil && (n.Form == nil && n.ID.IsZero() || n.Form != nil && *n.Form == mailbox.FormOwn) {
		for _, name := range *n.Events {
			if !mailbox.EventKind(name).Known() {
				return mailbox.InvalidField("events", "events are of %s.", oneOf(mailbox.EventKinds()))
			}
		}
	}
	if n.Headers != nil {
		return checkRouteHeaders(*n.Headers)
	}
	return nil
}

func checkRouteHeaders(list []mailbox.Field) error {
	if len(list) > maxRouteHeaders {
		return mailbox.InvalidField("headers", "A route has at most %d headers.", maxRouteHeaders)
	}
	for _, h := range list {
		name := strings.ToLower(h.Name)
		switch {
		case name == "" || len(name) > 100 || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_-") != "":
			return mailbox.InvalidField("headers", "%q is not the name of a header.", mailbox.Clip(h.Name, 40))
		case len(h.Value) > 2000 || strings.ContainsFunc(h.Value, func(r rune) bool { return r < ' ' || r == 0x7f }):
			return mailbox.InvalidField("headers", "The value of the header %s is too long, or not one line.", h.Name)
		case strings.HasPrefix(name, "webhook-"), strings.HasPrefix(name, "svix-"),
			strings.HasPrefix(name, "x-webhook-"), slices.Contains(headersOfPosts, name):
			return mailbox.InvalidField("headers", "The header %s is not yours to set.", h.Name)
		}
	}
	return nil
}

// headersOfPosts are those that a post has by itself, or that say how it is sent.
var headersOfPosts = []string{"host", "content-type", "content-length", "content-encoding", "transfer-encoding",
	"connection", "upgrade", "te", "trailer", "expect", "user-agent", "idempotency-key", "keep-alive",
	"proxy-connection", "proxy-authorization"}

// routeToBe is a route as it is to be stored.
func (s *Service) routeToBe(ctx context.Context, r store.Reader, box mailbox.Mailbox, n NewRoute) (mailbox.HookRoute,
	error) {
	route := mailbox.HookRoute{Mailbox: box.Num, Label: n.Label, CreatedAt: s.now()}
	old, err := r.HookRoutes(ctx, box.Num)
	if err != nil {
		return route, err
	}
	at := slices.IndexFunc(old, func(o mailbox.HookRoute) bool {
		switch {
		case !n.ID.IsZero():
			return o.ID == n.ID
		case n.Own:
			return n.ClientID != "" && o.ClientID == n.ClientID && n.Form != nil && o.Form == *n.Form
		}
		return o.ID.IsZero() && o.Label == n.Label
	})
	switch {
	case at >= 0 && n.Own && n.ID.IsZero():
		return old[at], nil // it was made before, under the same name
	case at >= 0:
		route = old[at]
	case !n.ID.IsZero():
		return route, errNoRoute
	case len(old) >= maxRoutes:
		return route, errManyRoutes
	case n.Own:
		route.ID, route.ClientID, route.About = mailbox.NewID(s.opt.Now()), n.ClientID, n.Label
	}
	return route, s.changeRoute(&route, n)
}

var errNoRoute = mailbox.Errorf(mailbox.NotFound, "not_found", "This mailbox has no such route")

// changeRoute applies what is given of a route.
func (s *Service) changeRoute(route *mailbox.HookRoute, n NewRoute) (err error) {
	if n.URL != nil {
		route.Webhook = mailbox.Webhook{URL: route.Target(*n.URL)}
	}
	if n.Label != "" && !route.ID.IsZero() {
		route.Label, route.About = n.Label, n.Label
	}
	if n.Events != nil {
		route.Events = *n.Events
	}
	if n.Form != nil {
		route.Form = *n.Form
	}
	if n.Headers != nil {
		route.Headers = *n.Headers
	}
	if n.Disabled != nil {
		if route.Disabled && !*n.Disabled {
			route.Webhook = route.Webhook.Revived()
		}
		route.Disabled = *n.Disabled
	}
	if n.Rotate {
		route.SecretTurns, err = s.turned(route.SecretTurns, HookOverlap)
	}
	if !route.ID.IsZero() {
		route.UpdatedAt = s.now()
	}
	return err
}

// Route finds a route by its id.
func (s *Service) Route(ctx context.Context, in Access, id mailbox.ID) (set RouteSet, err error) {
	err = s.view(ctx, func(r store.Reader) error {
		box, err := r.Mailbox(ctx, in.Box.Num)
		if err != nil {
			return err
		}
		set.HookRoute, err = s.routeOf(ctx, r, in, id)
		set.Secret = secretText(s.routeSecret(box, set.HookRoute))
		return err
	})
	return set, in.gone(err)
}

// routeOf finds a route of the mailbox by its id.
func (s *Service) routeOf(ctx context.Context, r store.Reader, in Access, id mailbox.ID) (mailbox.HookRoute, error) {
	all, err := r.HookRoutes(ctx, in.Box.Num)
	for _, one := range all {
		if one.ID == id && !id.IsZero() {
			return one, err
		}
	}
	if err == nil {
		err = errNoRoute
	}
	return mailbox.HookRoute{}, err
}

// secretText is a secret as libraries of Standard Webhooks take it.
func secretText(secret []byte) mailbox.Secret {
	return mailbox.Secret("whsec_" + base64.StdEncoding.EncodeToString(secret))
}

// webhookNamed is webhookAt for a URL as it is posted to.
func (s *Service) webhookNamed(ctx context.Context, r store.Reader, box mailbox.Mailbox,
	url string) (mailbox.HookRoute, bool, error) {
	all, err := s.allWebhooks(ctx, r, box)
	for _, w := range all {
		if mailbox.PostedTo(w.Webhook.URL) == url {
			return w, true, err
		}
	}
	return mailbox.HookRoute{}, false, err
}

// unusedLabel warns of a label that is not given to mail by itself and that no message of the mailbox has: it may be
// misspelt.
func unusedLabel(ctx context.Context, r store.Reader, num mailbox.Num, label string) (string, error) {
	err := known(ctx, r, num, label)
	var unknown *mailbox.Error
	if !errors.As(err, &unknown) {
		return "", err
	}
	return "No mail gets the label " + label + " by itself, and no message here has it: nothing is posted until " +
		"one does. " +
		"Labels that mail gets by itself: " + strings.Join(mailbox.AutomaticLabels(), ", ") + ".", nil
}

// DeleteRoute deletes the webhook for a label, or the one with an id, and returns how it was called.
func (s *Service) DeleteRoute(ctx context.Context, in Access, label string, id mailbox.ID) (string, error) {
	route := mailbox.HookRoute{ID: id}
	if id.IsZero() {
		if strings.TrimSpace(label) == "" {
			return "", mailbox.InvalidField("label", "Say which route with the parameter label, or id.")
		}
		parsed, err := mailbox.ParseLabel("label", label)
		if err != nil {
			return "", err
		}
		route.Label = parsed
	}
	err := s.update(ctx, func(tx store.Tx) error { return tx.DeleteHookRoute(ctx, in.Box.Num, route.Key()) })
	switch {
	case errors.Is(err, store.ErrNotFound) && id.IsZero():
		return "", mailbox.Errorf(mailbox.NotFound, "not_found", "This mailbox has no route for this label")
	case errors.Is(err, store.ErrNotFound):
		return "", errNoRoute
	}
	return strings.TrimPrefix(route.Key(), "#"), err
}
