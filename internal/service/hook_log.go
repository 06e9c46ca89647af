package service

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// HooksQuery narrows the log of what was posted. Empty fields ask for everything.
type HooksQuery struct {
	Status, Event, EmailID string
	Words                  string     // that its URL, kind, ids, or its attempts have
	Route                  mailbox.ID // zero: of all routes
	Older                  mailbox.ID // only those before this one; zero: any
	Page                   Page
}

// Hooks lists what was posted, or is to be, newest first.
func (s *Service) Hooks(ctx context.Context, in Access, q HooksQuery) (List[mailbox.Hook], error) {
	f, none, err := hookFilter(q)
	if err != nil || none {
		return List[mailbox.Hook]{}, err
	}
	var rows []mailbox.Hook
	err = s.view(ctx, func(r store.Reader) (err error) {
		if !q.Route.IsZero() {
			route, err := s.routeOf(ctx, r, in, q.Route)
			if err != nil {
				return err
			}
			f.Target = route.Webhook.URL
		}
		if !q.Older.IsZero() {
			h, err := r.Hook(ctx, in.Box.Num, q.Older)
			if errors.Is(err, store.ErrNotFound) {
				err = mailbox.InvalidField("after", "after is not the id of an event here.")
			}
			if err != nil {
				return err
			}
			f.Before = h.N
		}
		if q.Words == "" {
			rows, err = in.shownHooks(r.Hooks(ctx, in.Box.Num, f))
		}
		return err
	})
	if err == nil && q.Words != "" {
		return s.findHooks(ctx, in, f, q)
	}
	return list(rows, q.Page.Limit, cursorHook, func(h mailbox.Hook) int64 { return h.N }), err
}

// shownHooks are hooks with as much of their URLs as the caller may see.
func (in *Access) shownHooks(list []mailbox.Hook, err error) ([]mailbox.Hook, error) {
	for i := range list {
		list[i].URL = in.shownURL(list[i].URL)
	}
	return list, err
}

// findHooks lists those that have words.
func (s *Service) findHooks(ctx context.Context, in Access, f store.HookFilter, q HooksQuery) (List[mailbox.Hook],
	error) {
	return narrowing[mailbox.Hook]{kind: cursorHook, most: narrowMostHooks,
		place: func(h mailbox.Hook) int64 { return h.N },
		fits:  func(h mailbox.Hook) bool { return wordsIn(q.Words, hookTexts(h)...) },
		read: func(before int64, limit int) (rows []mailbox.Hook, err error) {
			f.Before, f.Offset, f.Limit = before, 0, limit
			err = s.view(ctx, func(r store.Reader) (err error) {
				rows, err = in.shownHooks(r.Hooks(ctx, in.Box.Num, f))
				return err
			})
			return rows, err
		}}.page(q.Page)
}

// hookTexts are what a person sees of a hook in the log.
func hookTexts(h mailbox.Hook) []string {
	texts := []string{string(h.Kind), mailbox.PostedTo(h.URL), string(h.State), h.ID.String(), h.Message.String()}
	for _, a := range h.Log {
		texts = append(texts, strconv.Itoa(a.Status), a.Error, a.Response)
	}
	return texts
}

// PostedHook is an event on its way to a webhook, with what was sent there.
type PostedHook struct {
	mailbox.Hook
	Headers map[string]string // of the latest attempt; nil: there was none
}

// Hook returns one of them as it is posted. Its secret is not part of it; the signature is.
func (s *Service) Hook(ctx context.Context, in Access, id mailbox.ID) (PostedHook, error) {
	var h mailbox.Hook
	var box mailbox.Mailbox
	var by mailbox.HookRoute
	err := s.view(ctx, func(r store.Reader) (err error) {
		if box, err = r.Mailbox(ctx, in.Box.Num); err != nil {
			return err
		}
		if h, err = r.Hook(ctx, in.Box.Num, id); err == nil {
			by, _, err = s.webhookAt(ctx, r, box, h.URL)
		}
		return err
	})
	out := PostedHook{Hook: h}
	if err == nil && len(h.Log) > 0 && s.opt.Poster != nil {
		out.Headers = s.opt.Poster.Headers(s.hookJob(h, box, by), h.Log[len(h.Log)-1].At)
	}
	return out, hookGone(err)
}

// hookFilter reads a query. none says that nothing can be found by it: its message is none of ours.
func hookFilter(q HooksQuery) (f store.HookFilter, none bool, err error) {
	f = store.HookFilter{State: mailbox.HookState(q.Status), Kind: mailbox.EventKind(q.Event), Offset: q.Page.Offset,
		Limit: q.Page.Limit + 1}
	if f.State != "" && !slices.Contains(mailbox.HookStates(), f.State) {
		return f, false, mailbox.InvalidField("status", "status is %s.", oneOf(mailbox.HookStates()))
	}
	if f.Kind != "" && !slices.Contains(mailbox.HookKinds(), f.Kind) {
		return f, false, mailbox.InvalidField("event", "event is %s.", oneOf(mailbox.HookKinds()))
	}
	if q.EmailID != "" {
		id, ok := mailbox.ParseID(q.EmailID)
		f.Message, none = id, !ok
	}
	f.Before, err = decodeCursor(cursorHook, q.Page.Cursor)
	return f, none, err
}

// oneOf names the values that a field may have.
func oneOf[T ~string](list []T) string {
	names := make([]string, len(list))
	for i, v := range list {
		names[i] = string(v)
	}
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}

// Trial is a single attempt that a caller asked for, and how it went.
type Trial struct {
	URL     string
	Attempt mailbox.HookAttempt
}

const noWebhook = "This mailbox has no webhook; set one with PATCH /v1/mailbox."

// TestWebhook posts a sample to a webhook of the mailbox, its own where url is empty. It counts for nothing.
func (s *Service) TestWebhook(ctx context.Context, in Access, url string) (Trial, error) {
	var box mailbox.Mailbox
	var by mailbox.HookRoute
	var ours bool
	err := s.view(ctx, func(r store.Reader) (err error) {
		if box, err = r.Mailbox(ctx, in.Box.Num); err != nil {
			return err
		}
		if url == "" {
			url = box.Webhook.URL
		}
		by, ours, err = s.webhookNamed(ctx, r, box, url)
		return err
	})
	switch {
	case err != nil:
		return Trial{}, in.gone(err)
	case url == "":
		return Trial{}, mailbox.Errorf(mailbox.Conflict, "no_webhook", noWebhook)
	case !ours:
		return Trial{}, errNoTarget
	}
	id, now := mailbox.NewID(s.opt.Now()), s.now()
	m := mailbox.Message{ID: id, Mailbox: box.Num, Thread: id, Direction: mailbox.Inbound, Status: "received",
		ReceivedAt: now,
		From:       mailbox.Address{Name: "Mailkin", Address: "webhook-test@" + s.opt.Domains[0]}, To: box.Address,
		Subject: "A sample, to test the webhook", MessageID: id.String() + "@" + s.opt.Domains[0]}
	e := mailbox.Event{Mailbox: box.Num, Kind: mailbox.MessageReceived, Message: id, At: now, Mail: &m}
	_, body := s.opt.HookBody(by.Form, e, box.Address)
	h := mailbox.Hook{ID: mailbox.NewID(s.opt.Now()), Mailbox: box.Num, URL: by.Webhook.URL, Kind: e.Kind,
		Message: id, Body: body}
	return s.try(ctx, h, box, by)
}

var errNoTarget = mailbox.Errorf(mailbox.NotFound, "not_found", "This mailbox has no webhook with this URL")

// try makes a single attempt for a caller who waits for it.
func (s *Service) try(ctx context.Context, h mailbox.Hook, box mailbox.Mailbox, by mailbox.HookRoute) (Trial, error) {
	if s.opt.Poster == nil {
		return Trial{}, mailbox.Errorf(mailbox.Unimplemented, "webhooks_unavailable", "This service does not post "+
			"webhooks.")
	}
	if !s.trials.enter(box.Address) {
		return Trial{}, &mailbox.Error{Kind: mailbox.Limited, Code: "too_many_attempts", RetryAfter: 10 * time.Second,
			Message: "Too many tests and replays of this mailbox are under way; wait for one to end."}
	}
	defer s.trials.leave(box.Address)
	return Trial{URL: mailbox.PostedTo(h.URL), Attempt: s.opt.Poster.Attempt(ctx, s.hookJob(h, box, by))}, nil
}

// maxTrials is how many attempts a mailbox's callers may wait for at a time.
const maxTrials = 16

// trialCounter counts the attempts that each mailbox's callers wait for.
type trialCounter struct {
	mu sync.Mutex
	of map[string]int
}

func (c *trialCounter) enter(box string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.of == nil {
		c.of = make(map[string]int)
	}
	if c.of[box] >= maxTrials {
		return false
	}
	c.of[box]++
	return true
}

func (c *trialCounter) leave(box string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.of[box]--; c.of[box] <= 0 {
		delete(c.of, box)
	}
}

// ReplayHook posts an event once more: to the URL it was for, or where that is no webhook of the mailbox any more, to
// the mailbox's own. It counts for nothing but the event itself, which has arrived when it succeeds.
func (s *Service) ReplayHook(ctx context.Context, in Access, id mailbox.ID) (Trial, mailbox.Hook, error) {
	h, box, by, err := s.replayable(ctx, in, id)
	if err != nil {
		return Trial{}, h, err
	}
	trial, err := s.try(ctx, h, box, by)
	if err != nil {
		return trial, h, err
	}
	// It has been sent: a caller who hangs up does not keep it from being noted.
	err = s.update(context.WithoutCancel(ctx), func(tx store.Tx) error {
		was, err := tx.Hook(ctx, in.Box.Num, id)
		if err != nil {
			return err
		}
		target, err := tx.HookTarget(ctx, in.Box.Num, h.URL)
		if err != nil {
			return err
		}
		if len(was.Body) != len(h.Body) { // its message was deleted meanwhile, and the answer may repeat it
			trial.Attempt.Response = ""
		}
		h = was.Replayed(trial.Attempt)
		h.Target, h.URL = target.Number, target.URL
		if err := tx.UpdateHook(ctx, h); err != nil {
			return err
		}
		return tx.SettleTargets(ctx, was.Target, h.Target)
	})
	return trial, h, hookGone(err)
}

// replayable returns a hook that can be posted once more, with the URL that it is to be posted to.
func (s *Service) replayable(ctx context.Context, in Access, id mailbox.ID) (h mailbox.Hook, box mailbox.Mailbox,
	by mailbox.HookRoute, err error) {
	err = s.view(ctx, func(r store.Reader) error {
		if box, err = r.Mailbox(ctx, in.Box.Num); err != nil {
			return err
		}
		if h, err = r.Hook(ctx, in.Box.Num, id); err != nil {
			return err
		}
		var ours bool
		if by, ours, err = s.webhookAt(ctx, r, box, h.URL); !ours {
			h.URL, by = box.Webhook.URL, mailbox.HookRoute{}
		}
		return err
	})
	switch {
	case err != nil:
		return h, box, by, hookGone(err)
	case h.State == mailbox.HookPending:
		return h, box, by, mailbox.Errorf(mailbox.Conflict, "delivery_pending", "This event is still being delivered; "+
			"replay it when that has ended.")
	case h.URL == "":
		return h, box, by, mailbox.Errorf(mailbox.Conflict, "no_webhook", noWebhook)
	}
	return h, box, by, nil
}

// scrubStep is how many hooks of a deleted message are read at a time.
const scrubStep = 500

// scrubHooks takes what a deleted message said out of the log of what was posted. What is still to be posted of it
// says, as the stream of events does, that it was deleted.
func (s *Service) scrubHooks(ctx context.Context, tx store.Tx, box mailbox.Mailbox, m mailbox.Message) error {
	f := store.HookFilter{Message: m.ID, Limit: scrubStep}
	for {
		list, err := tx.Hooks(ctx, box.Num, f)
		if err != nil {
			return err
		}
		for _, h := range list {
			e, err := eventOf(ctx, tx, h)
			if err != nil {
				return err
			}
			by, _, err := s.webhookAt(ctx, tx, box, h.URL)
			if err != nil {
				return err
			}
			_, h.Body = s.opt.HookBody(by.Form, e, box.Address)
			for i := range h.Log {
				h.Log[i].Response = "" // it may repeat what was posted
			}
			if err := tx.ScrubHook(ctx, h); err != nil {
				return err
			}
			f.Before = h.N
		}
		if len(list) < scrubStep {
			return nil
		}
	}
}

// eventOf is the event of a hook whose message was deleted, with what became of the message where that is still known.
func eventOf(ctx context.Context, r store.Reader, h mailbox.Hook) (mailbox.Event, error) {
	e := mailbox.Event{Mailbox: h.Mailbox, Number: h.Event, Kind: h.Kind, Message: h.Message, At: h.At}
	list, err := r.Events(ctx, h.Mailbox, h.Event-1, 1)
	if err == nil && len(list) == 1 && list[0].Number == h.Event && list[0].Message == h.Message {
		e.At, e.Result = list[0].At, list[0].Result
	}
	return e, err
}

func hookGone(err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return mailbox.Errorf(mailbox.NotFound, "not_found", "Webhook delivery not found")
	}
	return err
}

// ResetWebhook makes a failed webhook of the mailbox active again, or all of them where url is empty, and returns those
// that it was done to. What they missed is sent by replay alone.
func (s *Service) ResetWebhook(ctx context.Context, in Access, url string) (urls []string, err error) {
	err = s.update(ctx, func(tx store.Tx) error {
		var done []string
		urls = nil
		box, err := tx.Mailbox(ctx, in.Box.Num)
		if err != nil {
			return err
		}
		all, err := s.allWebhooks(ctx, tx, box)
		if err != nil {
			return err
		}
		for _, w := range all {
			if slices.Contains(done, w.Webhook.URL) || url != "" && mailbox.PostedTo(w.Webhook.URL) != url {
				continue
			}
			done = append(done, w.Webhook.URL)
			if shown := mailbox.PostedTo(w.Webhook.URL); !slices.Contains(urls, shown) {
				urls = append(urls, shown)
			}
			if err := s.setWebhook(ctx, tx, box, w.Webhook.Revived()); err != nil {
				return err
			}
		}
		return nil
	})
	switch {
	case err != nil:
		return nil, in.gone(err)
	case len(urls) == 0 && url == "":
		return nil, mailbox.Errorf(mailbox.Conflict, "no_webhook", noWebhook)
	case len(urls) == 0:
		return nil, errNoTarget
	}
	return urls, nil
}
