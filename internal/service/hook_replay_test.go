package service_test

import (
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// All that did not arrive since a time is posted again, as new events are; what is older, or has arrived, is not.
func TestReplaySince(t *testing.T) {
	var good bool
	hookBubble(t, func(string, int) (int, time.Duration) {
		if good {
			return 200, 0
		}
		return 500, 0
	}, func(h *hookKit) {
		b := h.hooked("robin", hookURL)
		in := b.in(mailbox.ManageMailbox)
		replay := func(since time.Time, url string) service.ReplayedHooks {
			h.Helper()
			out, err := h.svc.ReplayHooks(h.Context(), in, service.HookReplay{Since: since, URL: url})
			h.works("ReplayHooks", err)
			return out
		}
		h.mail(b, 3)
		h.pass(time.Minute)
		since := time.Now()
		h.mail(b, 4)
		h.pass(time.Minute)
		before := h.world.count(hookURL)
		h.same("another URL", replay(since, "https://other.test/"), service.ReplayedHooks{})
		good = true
		h.same("since then", replay(since, ""), service.ReplayedHooks{Queued: 4})
		h.pass(time.Second)
		h.same("posts", h.world.count(hookURL), before+4)
		h.same("states", h.states(b), map[mailbox.HookState]int{mailbox.HookDelivered: 4, mailbox.HookFailed: 3})
		h.same("again", replay(since, ""), service.ReplayedHooks{})

		good = false // it has a whole schedule
		h.same("of one URL", replay(since.Add(-time.Hour), mailbox.PostedTo(hookURL)), service.ReplayedHooks{Queued: 3})
		h.pass(time.Minute)
		h.same("posts of a schedule", h.world.count(hookURL), before+4+3*4)

		h.mail(b, 12) // now it is marked failed
		h.pass(time.Minute)
		got := replay(since.Add(-time.Hour), "")
		if got.Queued != 0 || got.Skipped != 15 {
			t.Errorf("of a failed webhook: %+v", got)
		}
		if _, err := h.svc.ResetWebhook(h.Context(), in, ""); err != nil {
			t.Fatal(err)
		}
		good = true
		h.same("after a reset", replay(since.Add(-time.Hour), ""), service.ReplayedHooks{Queued: 15})
		h.pass(time.Minute)
		h.same("at last", h.states(b), map[mailbox.HookState]int{mailbox.HookDelivered: 19})
		_, err := h.svc.ReplayHooks(h.Context(), in, service.HookReplay{})
		wantCode(t, err, "invalid_since")
	})
}
