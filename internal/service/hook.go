package service

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
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
	Secret        []byte // the deployment's
	MailboxSecret []byte
	OldSecret     []byte // as MailboxSecret, made from the root secret of before; empty: there is none
}

// hook writes down what is to be posted of an event, one hook a target, in the transaction of the event. A mailbox that
// has no webhooks costs nothing.
func (s *Service) hook(ctx context.Context, tx store.Tx, box mailbox.Mailbox, e mailbox.Event) error {
	if !hooked(box) || e.Mail == nil && !e.Message.IsZero() || !slices.Contains(mailbox.HookKinds(), e.Kind) {
		return nil
	}
	var labels []string
	if e.Mail != nil {
		labels = e.Mail.Labels
	}
	webhooks, err := s.webhooks(ctx, tx, box, labels)
	if err != nil || len(webhooks) == 0 {
		return err
	}
	body := s.opt.HookBody(e, box.Address)
	for _, w := range webhooks {
		target, err := tx.HookTarget(ctx, box.Num, w.URL)
		if err != nil {
			return err
		}
		h := mailbox.Hook{ID: mailbox.NewID(s.opt.Now()), Mailbox: box.Num, Target: target.Number, Event: e.Number,
			Kind:    e.Kind,
			Message: e.Message, Body: body, At: s.now(), State: mailbox.HookPending, NextAt: s.now()}
		if w.Failed {
			h.State, h.NextAt = mailbox.HookHeld, time.Time{}
		}
		if err := tx.InsertHook(ctx, &h); err != nil {
			return err
		}
	}
	return nil
}

// hookReceived is hook for a message that has just arrived: it is its own event, and the last one.
func (s *Service) hookReceived(ctx context.Context, tx store.Tx, box mailbox.Mailbox, m *mailbox.Message) error {
	if !hooked(box) {
		return nil
	}
	number, _, err := tx.LastEvent(ctx, box.Num)
	if err != nil {
		return err
	}
	return s.hook(ctx, tx, box, mailbox.Event{Mailbox: box.Num, Number: number, Kind: mailbox.MessageReceived,
		Message: m.ID, At: m.ReceivedAt, Mail: m})
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
	return s.hook(ctx, tx, box, e)
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

// webhooks lists where the events of a message with these labels go: the mailbox's webhook and the routes, each URL
// once (API 9).
func (s *Service) webhooks(ctx context.Context, r store.Reader, box mailbox.Mailbox,
	labels []string) (list []mailbox.Webhook, err error) {
	all, err := s.allWebhooks(ctx, r, box)
	for _, w := range all {
		known := slices.ContainsFunc(list, func(o mailbox.Webhook) bool { return o.URL == w.Webhook.URL })
		if !known && (w.Label == "" || slices.Contains(labels, w.Label)) {
			list = append(list, w.Webhook)
		}
	}
	return list, err
}

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

// webhookAt returns the state of the webhook with a URL, if the mailbox has one.
func (s *Service) webhookAt(ctx context.Context, r store.Reader, box mailbox.Mailbox, url string) (mailbox.Webhook,
	bool, error) {
	if box.Webhook.URL == url || !box.Routed {
		return box.Webhook, box.Webhook.URL == url && url != "", nil
	}
	all, err := s.allWebhooks(ctx, r, box)
	for _, w := range all {
		if w.Webhook.URL == url {
			return w.Webhook, true, err
		}
	}
	return mailbox.Webhook{}, false, err
}

// setWebhook stores the state of a webhook of a mailbox: where it is the mailbox's own, with the mailbox.
func (s *Service) setWebhook(ctx context.Context, tx store.Tx, box mailbox.Mailbox, w mailbox.Webhook) error {
	if box.Webhook.URL == w.URL {
		box.Webhook = w
		return tx.UpdateMailbox(ctx, box)
	}
	return tx.UpdateHookRoutes(ctx, box.Num, w)
}

// mailboxSecret signs a mailbox's events for its owner. It is derived, so it is the same after a restart, and another
// one for a mailbox that is recreated.
func (s *Service) mailboxSecret(box mailbox.Mailbox) []byte {
	return s.mailboxSecretOf(s.opt.Root, box)
}

func (s *Service) mailboxSecretOf(root mailbox.Secret, box mailbox.Mailbox) []byte {
	sum := derive(root, "webhook secret", string(s.opt.WebhookSecret), strconv.FormatInt(int64(box.Num), 10),
		strconv.FormatInt(box.CreatedAt.UnixMilli(), 10))
	return sum[:]
}

func (s *Service) hookJob(h mailbox.Hook, box mailbox.Mailbox) HookJob {
	job := HookJob{Hook: h, Secret: []byte(s.opt.WebhookSecret), MailboxSecret: s.mailboxSecret(box)}
	if s.opt.RootOld != "" {
		job.OldSecret = s.mailboxSecretOf(s.opt.RootOld, box)
	}
	return job
}
