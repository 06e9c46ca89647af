package service

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rawmail"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/wake"
)

// HookPoster makes one attempt to bring an event to its target.
type HookPoster interface {
	Attempt(ctx context.Context, job HookJob) mailbox.HookAttempt
	// Headers are those of the attempt that was made at a time, without what only the receiver is to know.
	Headers(job HookJob, at time.Time) map[string]string
}

// HookJob is an event that is to be posted now, with what signs it.
type HookJob struct {
	mailbox.Hook
	Secret        []byte          // the deployment's
	MailboxSecret []byte          // of the mailbox, or of the route
	OldSecrets    [][]byte        // as MailboxSecret, those before that still count
	Headers       []mailbox.Field // besides ours
}

// HookBody gives an event of the mailbox of an address as it is posted in a form, and what it is called there: nothing
// where the form has no such event.
type HookBody func(form mailbox.HookForm, e mailbox.Event, address string) (name string, body []byte)

// hook writes down what is to be posted of an event, one hook a target, in the transaction of the event. A mailbox that
// has no webhooks costs nothing.
func (s *Service) hook(ctx context.Context, tx store.Tx, box mailbox.Mailbox, e mailbox.Event) error {
	if !hooked(box) || e.Mail == nil && !e.Message.IsZero() {
		return nil
	}
	routes, err := s.webhooks(ctx, tx, box, e)
	for _, w := range routes {
		if err != nil {
			break
		}
		err = s.insertHook(ctx, tx, box, e, w)
	}
	return err
}

func (s *Service) insertHook(ctx context.Context, tx store.Tx, box mailbox.Mailbox, e mailbox.Event,
	w hookOf) error {
	target, err := tx.HookTarget(ctx, box.Num, w.Webhook.URL)
	if err != nil {
		return err
	}
	h := mailbox.Hook{ID: mailbox.NewID(s.opt.Now()), Mailbox: box.Num, Target: target.Number, Event: e.Number,
		Kind: e.Kind, Message: e.Message, Body: w.body, At: s.now(), State: mailbox.HookPending, NextAt: s.now()}
	if w.Webhook.Failed {
		h.State, h.NextAt = mailbox.HookHeld, time.Time{}
	}
	return tx.InsertHook(ctx, &h)
}

// hookReceived is hook for a message that has just arrived: it is its own event, and the last one.
func (s *Service) hookReceived(ctx context.Context, tx store.Tx, box mailbox.Mailbox, m *mailbox.Message,
	d *mailbox.Detail) error {
	if !hooked(box) {
		return nil
	}
	number, _, err := tx.LastEvent(ctx, box.Num)
	if err != nil {
		return err
	}
	return s.hook(ctx, tx, box, mailbox.Event{Mailbox: box.Num, Number: number, Kind: mailbox.MessageReceived,
		Message: m.ID, At: m.ReceivedAt, Mail: m, Detail: d})
}

// hookSent is hook for a message that was just accepted to be sent: it is its own event.
func (s *Service) hookSent(ctx context.Context, tx store.Tx, box mailbox.Mailbox, m *mailbox.Message,
	d *mailbox.Detail) error {
	if !box.Routed || m.Held { // only routes ask for it
		return nil
	}
	return s.hook(ctx, tx, box, mailbox.Event{Mailbox: box.Num, Number: m.Seq, Kind: mailbox.MessageSent,
		Message: m.ID, At: m.ReceivedAt, Mail: m, Detail: d})
}

// hookSettled is hook for what became of a message that was sent.
func (s *Service) hookSettled(ctx context.Context, tx store.Tx, e mailbox.Event) error {
	box, err := tx.Mailbox(ctx, e.Mailbox)
	if err != nil || !hooked(box) {
		return err
	}
	m, err := tx.Message(ctx, e.Mailbox, e.Message)
	if err != nil {
		return err
	}
	e.Mail = &m
	if e.Kind == mailbox.MessageSent && box.Routed { // which tells of all recipients
		c, err := tx.Content(ctx, m)
		if err != nil {
			return err
		}
		d, _, err := rawmail.Unpack(c)
		if err != nil {
			return err
		}
		e.Detail = &d
	}
	return s.hook(ctx, tx, box, e)
}

// hookPassed is hook for a step of a delivery that is not in the log of events.
func (s *Service) hookPassed(ctx context.Context, tx store.Tx, d mailbox.Delivery, e mailbox.Event) error {
	box, err := tx.Mailbox(ctx, d.Mailbox)
	if err != nil || !box.Routed { // only routes can have a form that tells it
		return err
	}
	m, err := tx.Message(ctx, d.Mailbox, d.Message)
	if err != nil {
		return err
	}
	e.Mailbox, e.Number, e.Message, e.At, e.Mail = d.Mailbox, d.Seq, d.Message, s.now(), &m
	return s.hook(ctx, tx, box, e)
}

// hookLeft is hook for a message that was scheduled, the first delivery of which is due.
func (s *Service) hookLeft(ctx context.Context, tx store.Tx, d mailbox.Delivery) error {
	list, err := tx.Deliveries(ctx, mailbox.Message{Mailbox: d.Mailbox, Seq: d.Seq})
	if err != nil || slices.ContainsFunc(list, func(o mailbox.Delivery) bool {
		return o.N != d.N && (o.Lease > 0 || o.Attempts > 0) // another was first
	}) {
		return err
	}
	return s.hookPassed(ctx, tx, d, mailbox.Event{Kind: mailbox.MessageLeft})
}

// wakeChanged wakes those who wait for mailboxes in which something has happened to a message, webhooks included. The
// mailbox 0 is none.
func (s *Service) wakeChanged(nums ...mailbox.Num) {
	nums = slices.DeleteFunc(nums, func(num mailbox.Num) bool { return num == 0 })
	if len(nums) > 0 {
		s.wake(wake.Mail, nums...)
		s.wake(wake.Hooks, 0)
	}
}

// hooked tells whether a mailbox has webhooks.
func hooked(box mailbox.Mailbox) bool { return box.Webhook.URL != "" || box.Routed }

// hookOf is a webhook that gets an event, and the event in its form.
type hookOf struct {
	mailbox.HookRoute
	body []byte
}

// webhooks lists where an event goes: the mailbox's webhook and the routes, each target once (API 9).
func (s *Service) webhooks(ctx context.Context, r store.Reader, box mailbox.Mailbox, e mailbox.Event) (list []hookOf,
	err error) {
	var labels []string
	if e.Mail != nil {
		labels = e.Mail.Labels
	}
	all, err := s.allWebhooks(ctx, r, box)
	names, bodies := make(map[mailbox.HookForm]string), make(map[mailbox.HookForm][]byte)
	for _, w := range all {
		if _, made := names[w.Form]; !made {
			told, err := inForm(ctx, r, w.Form, e)
			if err != nil {
				return nil, err
			}
			names[w.Form], bodies[w.Form] = s.opt.HookBody(w.Form, told, box.Address)
		}
		known := slices.ContainsFunc(list, func(o hookOf) bool { return o.Webhook.URL == w.Webhook.URL })
		if name := names[w.Form]; !known && name != "" && w.Wants(e.Kind, name, labels) {
			list = append(list, hookOf{w, bodies[w.Form]})
		}
	}
	return list, err
}

// inForm is an event for a form. Where messages are known by their Message-ID, one that another would be taken for has
// none. Where events have tags or the sizes of attachments, the detail of their message is read if it is not known.
func inForm(ctx context.Context, r store.Reader, form mailbox.HookForm, e mailbox.Event) (mailbox.Event, error) {
	if e.Mail == nil || form == mailbox.FormOwn {
		return e, nil
	}
	if form.HasTags() && e.Detail == nil || e.Detail != nil && slices.ContainsFunc(e.Detail.Parts, unmeasured) {
		c, err := r.Content(ctx, *e.Mail)
		if err != nil {
			return e, err
		}
		d, _, err := rawmail.Unpack(c)
		if err != nil {
			return e, err
		}
		e.Detail = &d
	}
	if !form.ByMessageID() {
		return e, nil
	}
	later, err := ambiguous(ctx, r, *e.Mail)
	if later {
		m := *e.Mail
		m.MessageID, e.Mail = "", &m
	}
	return e, err
}

// unmeasured tells whether an attachment was not decoded on the way in, so that its size is not known.
func unmeasured(p mailbox.Part) bool { return p.Size == 0 && p.Length > 0 }

// allWebhooks lists the mailbox's own webhook, as a route without a label, and its routes. Routes to the same URL share
// the state of the first.
func (s *Service) allWebhooks(ctx context.Context, r store.Reader, box mailbox.Mailbox) (list []mailbox.HookRoute,
	err error) {
	if box.Webhook.URL != "" {
		list = append(list, mailbox.HookRoute{Mailbox: box.Num, Webhook: box.Webhook})
	}
	if !box.Routed {
		return list, nil
	}
	routes, err := r.HookRoutes(ctx, box.Num)
	for _, one := range routes {
		if one.Webhook.URL == box.Webhook.URL {
			one.Webhook = box.Webhook
		}
		list = append(list, one)
	}
	return list, err
}

// webhookAt returns the webhook with the URL of a target, if the mailbox has one that is posted to.
func (s *Service) webhookAt(ctx context.Context, r store.Reader, box mailbox.Mailbox, url string) (mailbox.HookRoute,
	bool, error) {
	if box.Webhook.URL == url || !box.Routed {
		own := mailbox.HookRoute{Mailbox: box.Num, Webhook: box.Webhook}
		return own, box.Webhook.URL == url && url != "", nil
	}
	all, err := s.allWebhooks(ctx, r, box)
	for _, w := range all {
		if w.Webhook.URL == url {
			return w, !w.Disabled, err
		}
	}
	return mailbox.HookRoute{}, false, err
}

// setWebhook stores the state of a webhook of a mailbox: where it is the mailbox's own, with the mailbox.
func (s *Service) setWebhook(ctx context.Context, tx store.Tx, box mailbox.Mailbox, w mailbox.Webhook) error {
	if box.Webhook.URL == w.URL {
		box.Webhook = w
		return tx.UpdateMailbox(ctx, box)
	}
	return tx.UpdateHookRoutes(ctx, box.Num, w)
}

// hookSeed is what the secrets of webhooks are derived from. They are the same after a restart and when the root secret
// or the deployment's webhook secret is replaced, and others for a mailbox that is recreated.
type hookSeed struct {
	root, webhook mailbox.Secret
	rotations     int // of the webhook's own secret
}

// secretOf signs what is posted by a route: a route that has an id has a secret of its own.
func (h hookSeed) secretOf(box mailbox.Mailbox, r mailbox.HookRoute) []byte {
	if r.ID.IsZero() {
		parts := []string{string(h.webhook), strconv.FormatInt(int64(box.Num), 10),
			strconv.FormatInt(box.CreatedAt.UnixMilli(), 10)}
		if h.rotations > 0 {
			parts = append(parts, strconv.Itoa(h.rotations))
		}
		sum := derive(h.root, "webhook secret", parts...)
		return sum[:]
	}
	home, made := box.Num, box.CreatedAt
	if r.Home != 0 {
		home, made = r.Home, r.HomeAt
	}
	sum := derive(h.root, "route secret", string(h.webhook), strconv.FormatInt(int64(home), 10),
		strconv.FormatInt(made.UnixMilli(), 10), string(r.ID[:]), strconv.Itoa(h.rotations))
	return sum[:]
}

// hookSeeds lists what a webhook's secret is made from, and then what those were made from that still count.
func (s *Service) hookSeeds(box mailbox.Mailbox, r mailbox.HookRoute) (seeds []hookSeed) {
	k, turns := s.secrets(), box.Profile().Webhook
	if !r.ID.IsZero() {
		turns = r.SecretTurns
	}
	rotations := []int{turns.Rotations}
	if turns.Rotations > 0 && s.now().Before(turns.OldUntil) {
		rotations = append(rotations, turns.Rotations-1)
	}
	for _, pair := range []mailbox.Secret{cmp.Or(k.hooks, hookPair(k.root, k.webhook)), k.hooksOld} {
		root, webhook, ok := strings.Cut(string(pair), "\n")
		for _, n := range rotations {
			if ok {
				seeds = append(seeds, hookSeed{mailbox.Secret(root), mailbox.Secret(webhook), n})
			}
		}
	}
	return seeds
}

// routeSecret signs what is posted by a route. The mailbox's own webhook, and those for a label, are routes without an
// id.
func (s *Service) routeSecret(box mailbox.Mailbox, r mailbox.HookRoute) []byte {
	return s.hookSeeds(box, r)[0].secretOf(box, r)
}

func (s *Service) hookJob(h mailbox.Hook, box mailbox.Mailbox, by mailbox.HookRoute) HookJob {
	k := s.secrets()
	job := HookJob{Hook: h, Secret: []byte(k.webhook), Headers: by.Headers}
	if k.webhookOld != "" { // there is room for one signature: receivers get to know the new secret first
		job.Secret = []byte(k.webhookOld)
	}
	for i, seed := range s.hookSeeds(box, by) {
		if secret := seed.secretOf(box, by); i == 0 {
			job.MailboxSecret = secret
		} else {
			job.OldSecrets = append(job.OldSecrets, secret)
		}
	}
	return job
}
