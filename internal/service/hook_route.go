package service

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// maxRoutes is how many routes a mailbox may have: each is looked at for every event.
const maxRoutes = 100

// Routes lists the mailbox's webhooks for labels.
func (s *Service) Routes(ctx context.Context, in Access) (routes []RouteSet, err error) {
	err = s.view(ctx, func(r store.Reader) error {
		box, err := r.Mailbox(ctx, in.Box.Num)
		if err != nil {
			return err
		}
		all, err := s.allWebhooks(ctx, r, box)
		for _, w := range all {
			if w.Label == "" {
				continue // the mailbox's own
			}
			warning, err := unusedLabel(ctx, r, box.Num, w.Label)
			if err != nil {
				return err
			}
			routes = append(routes, RouteSet{w, warning})
		}
		return err
	})
	return routes, in.gone(err)
}

// RouteSet is a webhook for a label that was set.
type RouteSet struct {
	mailbox.HookRoute
	Warning string // why it may never be used; empty: nothing speaks against it
}

// PutRoute sets the webhook for a label. Setting it, even to the same URL, revives one that had failed.
func (s *Service) PutRoute(ctx context.Context, in Access, label, url string) (RouteSet, error) {
	label, err := mailbox.ParseLabel("label", label)
	if err != nil {
		return RouteSet{}, err
	}
	url = strings.TrimSpace(url)
	if err := s.checkWebhook(url); err != nil {
		return RouteSet{}, err
	}
	var warning string
	route := mailbox.HookRoute{Mailbox: in.Box.Num, Label: label, CreatedAt: s.now(),
		Webhook: mailbox.Webhook{URL: url}}
	err = s.update(ctx, func(tx store.Tx) error {
		var err error
		if warning, err = unusedLabel(ctx, tx, in.Box.Num, label); err != nil {
			return err
		}
		box, err := tx.Mailbox(ctx, in.Box.Num)
		if err != nil {
			return err
		}
		old, err := tx.HookRoutes(ctx, box.Num)
		if err != nil {
			return err
		}
		at := slices.IndexFunc(old, func(o mailbox.HookRoute) bool { return o.Label == label })
		if at >= 0 {
			route.CreatedAt = old[at].CreatedAt
		} else if len(old) >= maxRoutes {
			return mailbox.Errorf(mailbox.Conflict, "too_many_routes", "A mailbox has at most %d routes; delete "+
				"one first.", maxRoutes)
		}
		if err := tx.PutHookRoute(ctx, route); err != nil {
			return err
		}
		return s.setWebhook(ctx, tx, box, route.Webhook) // of all that have this URL
	})
	return RouteSet{route, warning}, in.gone(err)
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

// DeleteRoute deletes the webhook for a label, and returns the label.
func (s *Service) DeleteRoute(ctx context.Context, in Access, label string) (string, error) {
	if strings.TrimSpace(label) == "" {
		return "", mailbox.InvalidField("label", "Say which route with the parameter label.")
	}
	label, err := mailbox.ParseLabel("label", label)
	if err != nil {
		return "", err
	}
	err = s.update(ctx, func(tx store.Tx) error { return tx.DeleteHookRoute(ctx, in.Box.Num, label) })
	if errors.Is(err, store.ErrNotFound) {
		return "", mailbox.Errorf(mailbox.NotFound, "not_found", "This mailbox has no route for this label")
	}
	return label, err
}
