package service_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/netip"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/webhook"
	"github.com/mailkin/mailkin/internal/wire"
)

const hookURL = "https://hooks.test/secret-path"

// world is where events are posted to: receivers that answer as a test says, in the time of its bubble.
type world struct {
	mu     sync.Mutex
	began  time.Time
	answer func(url string, n int) (status int, after time.Duration) // to the n-th post to a URL, from 1
	posts  []post
	to     map[string]int
	echoes bool // receivers answer with what they get
}

// post is an attempt that came.
type post struct {
	url  string
	at   time.Duration // since the test began
	job  service.HookJob
	body string
}

func (w *world) Attempt(ctx context.Context, job service.HookJob) mailbox.HookAttempt {
	at := time.Now()
	w.mu.Lock()
	w.to[job.URL]++
	status, after := w.answer(job.URL, w.to[job.URL])
	w.posts = append(w.posts, post{job.URL, at.Sub(w.began), job, string(job.Body)})
	w.mu.Unlock()
	wait := time.NewTimer(min(after, 10*time.Second))
	defer wait.Stop()
	select {
	case <-wait.C:
	case <-ctx.Done():
		return mailbox.HookAttempt{At: at, Duration: time.Since(at), Error: "The attempt was broken off.", Broken: true}
	}
	a := mailbox.HookAttempt{At: at, Duration: time.Since(at), Status: status}
	if w.echoes {
		a.Response = string(job.Body)
	}
	switch {
	case after >= 10*time.Second:
		a.Status, a.Error = 0, "The receiver did not answer within 10s."
	case status < 200 || status > 299:
		a.Error = fmt.Sprintf("The receiver answered %d.", status)
	}
	return a
}

// times are when posts to a URL came, in order.
// Headers says when the attempt was, and whether it can be signed.
func (w *world) Headers(job service.HookJob, at time.Time) map[string]string {
	return map[string]string{"at": at.Sub(w.began).String(), "body": string(job.Body),
		"signed": strconv.FormatBool(len(job.Secret) > 0 && len(job.MailboxSecret) > 0)}
}

func (w *world) times(url string) (list []time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, p := range w.posts {
		if p.url == url {
			list = append(list, p.at)
		}
	}
	return list
}

func (w *world) count(url string) int { return len(w.times(url)) }

// hookKit is a service in a bubble, with a runner that posts to a world.
type hookKit struct {
	*kit
	world  *world
	log    *bytes.Buffer
	broken atomic.Bool // nothing can be stored
	mails  int         // that were delivered
	runner *webhook.Runner
	halt   context.CancelFunc
	ended  chan struct{}
}

// always answers every post alike.
func always(status int, after time.Duration) func(string, int) (int, time.Duration) {
	return func(string, int) (int, time.Duration) { return status, after }
}

func hookBubble(t *testing.T, answer func(string, int) (int, time.Duration), test func(h *hookKit)) {
	synctest.Test(t, func(t *testing.T) {
		h := &hookKit{world: &world{began: time.Now(), answer: answer, to: map[string]int{}}, log: new(bytes.Buffer)}
		h.kit = newService(t, func(o *service.Options) {
			o.Now, o.Poster, o.WebhookSecret = time.Now, h.world, "webhook-secret-for-tests"
			o.AllowPrivate = func(netip.Addr) bool { return true }
			o.HookBody = func(_ mailbox.HookForm, e mailbox.Event, address string) (string, []byte) {
				return string(e.Kind), wire.AppendHook(nil, &e, address)
			}
			o.Log = slog.New(slog.NewTextHandler(h.log, nil))
			o.Store = &storeWith{Store: o.Store, before: func() error {
				if h.broken.Load() {
					return store.ErrStorage
				}
				return nil
			}}
		})
		h.run()
		defer func() { h.stop() }()
		test(h)
	})
}

// bodies lists the bodies of what was posted, or is to be, newest first, with the answers.
func (h *hookKit) bodies(b box) (list []string) {
	h.Helper()
	for _, one := range h.hooks(b, service.HooksQuery{}) {
		whole, err := h.svc.Hook(h.Context(), b.in(mailbox.ManageMailbox), one.ID)
		h.works("Hook", err)
		text := string(whole.Body)
		for _, a := range whole.Log {
			text += " " + a.Response
		}
		list = append(list, text)
	}
	return list
}

// run starts a runner.
func (h *hookKit) run() {
	ctx, cancel := context.WithCancel(h.Context())
	h.halt, h.ended = cancel, make(chan struct{})
	h.runner = webhook.NewRunner(h.svc, h.world, webhook.RunnerOptions{Grace: time.Second,
		Log: slog.New(slog.DiscardHandler), Now: time.Now})
	go func(ended chan struct{}) {
		defer close(ended)
		h.runner.Run(ctx)
	}(h.ended)
}

func (h *hookKit) stop() {
	h.halt()
	<-h.ended
}

// reopen is what a new process finds: a service on the same store, and a runner.
func (h *hookKit) reopen() {
	h.Helper()
	var err error
	if h.svc, err = service.Open(h.Context(), h.opt); err != nil {
		h.Fatal(err)
	}
	h.run()
}

// hooked makes a mailbox with a webhook.
func (h *hookKit) hooked(name, url string) box {
	h.Helper()
	b := h.permanent(name)
	h.set(b, url)
	return b
}

func (h *hookKit) set(b box, url string) {
	h.Helper()
	_, err := h.svc.ChangeMailbox(h.Context(), b.in(mailbox.ManageMailbox), service.MailboxChange{WebhookURL: &url})
	h.works("ChangeMailbox", err)
}

// mail delivers n messages to a mailbox. Their labels decide where their events go, so nothing in them is by chance.
func (h *hookKit) mail(b box, n int) {
	h.Helper()
	for range n {
		h.mails++
		h.receive(letter(fmt.Sprintf("letter.%d", h.mails)), b.Address)
	}
}

// pass lets time pass, and everybody do what they do in it.
func (h *hookKit) pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func (h *hookKit) hooks(b box, q service.HooksQuery) []mailbox.Hook {
	h.Helper()
	if q.Page.Limit == 0 {
		q.Page.Limit = 100
	}
	list, err := h.svc.Hooks(h.Context(), b.in(mailbox.ManageMailbox), q)
	h.works("Hooks", err)
	return list.Items
}

// states counts the hooks of a mailbox by their state.
func (h *hookKit) states(b box) map[mailbox.HookState]int {
	h.Helper()
	out := map[mailbox.HookState]int{}
	for _, one := range h.hooks(b, service.HooksQuery{}) {
		out[one.State]++
	}
	return out
}

func (h *hookKit) webhook(b box) mailbox.Webhook {
	h.Helper()
	r, err := h.svc.MailboxRecord(h.Context(), b.read())
	h.works("MailboxRecord", err)
	return r.Webhook
}

// ref is a value of its own.
func ref[T any](v T) *T { return &v }
