package service_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// The table of SPEC 6.1, looked at after every half second of a minute.
func TestHookSchedule(t *testing.T) {
	seconds := func(list ...float64) (out []time.Duration) {
		for _, s := range list {
			out = append(out, time.Duration(s*float64(time.Second)))
		}
		return out
	}
	nth := func(n, status int) func(string, int) (int, time.Duration) {
		return func(_ string, i int) (int, time.Duration) {
			if i == n {
				return status, 0
			}
			return 500, 0
		}
	}
	for _, tt := range []struct {
		name   string
		answer func(string, int) (int, time.Duration)
		want   []time.Duration
		state  mailbox.HookState
		fails  int
	}{
		{"200", always(200, 0), seconds(0), mailbox.HookDelivered, 0},
		{"204 after a while", always(204, 9*time.Second), seconds(0), mailbox.HookDelivered, 0},
		{"299", always(299, 0), seconds(0), mailbox.HookDelivered, 0},
		{"500", always(500, 0), seconds(0, 1, 4, 12), mailbox.HookFailed, 1},
		{"301", always(301, 0), seconds(0, 1, 4, 12), mailbox.HookFailed, 1},
		{"400", always(400, 0), seconds(0, 1, 4, 12), mailbox.HookFailed, 1},
		{"500 after two seconds", always(500, 2*time.Second), seconds(0, 3, 8, 18), mailbox.HookFailed, 1},
		{"no answer", always(0, time.Hour), seconds(0, 11, 24, 42), mailbox.HookFailed, 1},
		{"the second arrives", nth(2, 200), seconds(0, 1), mailbox.HookDelivered, 0},
		{"the third arrives", nth(3, 201), seconds(0, 1, 4), mailbox.HookDelivered, 0},
		{"the fourth arrives", nth(4, 202), seconds(0, 1, 4, 12), mailbox.HookDelivered, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			hookBubble(t, tt.answer, func(h *hookKit) {
				b := h.hooked("robin", hookURL)
				h.mail(b, 1)
				synctest.Wait()
				for now := time.Duration(0); now < time.Minute; now += 500 * time.Millisecond {
					due := 0
					for due < len(tt.want) && tt.want[due] <= now {
						due++
					}
					if got := h.world.count(hookURL); got != due {
						t.Fatalf("after %v: %d attempts, want %d", now, got, due)
					}
					h.pass(500 * time.Millisecond)
				}
				h.same("times", h.world.times(hookURL), tt.want)
				one := h.hooks(b, service.HooksQuery{})[0]
				if one.State != tt.state || one.Attempts != len(tt.want) || len(one.Log) != len(tt.want) ||
					!one.NextAt.IsZero() {
					t.Errorf("hook %+v", one)
				}
				if w := h.webhook(b); w.ConsecutiveFailures != tt.fails || w.Failed || w.LastAttemptAt.IsZero() ||
					(w.LastError == "") != (tt.fails == 0) {
					t.Errorf("webhook %+v", w)
				}
				ids := map[string]bool{}
				for _, p := range h.world.posts {
					ids[p.job.Name()+p.body] = true
				}
				if len(ids) != 1 {
					t.Errorf("id and body differ between attempts: %v", ids)
				}
			})
		})
	}
}

// SPEC 3: ten events in a row that fail, over time, mark the webhook failed; a success in between resets the count.
func TestWebhookFails(t *testing.T) {
	good := false
	answer := func(string, int) (int, time.Duration) {
		if good {
			return 200, 0
		}
		return 503, 0
	}
	hookBubble(t, answer, func(h *hookKit) {
		b := h.hooked("robin", hookURL)
		round := func() { h.mail(b, 1); h.pass(20 * time.Second) }
		for range 9 {
			round()
		}
		if w := h.webhook(b); w.ConsecutiveFailures != 9 || w.Failed {
			t.Fatalf("after nine: %+v", w)
		}
		good = true
		round()
		good = false
		if w := h.webhook(b); w.ConsecutiveFailures != 0 {
			t.Fatalf("after a success: %+v", w)
		}
		for range 10 {
			round()
		}
		if w := h.webhook(b); w.ConsecutiveFailures != 10 || !w.Failed || w.Status() != "failed" {
			t.Fatalf("after ten: %+v", w)
		}
		if h.svc.HooksFailed() != 1 || !strings.Contains(h.log.String(),
			"mailbox=robin@example.test host=hooks.test") || strings.Contains(h.log.String(), "secret-path") {
			t.Errorf("%d are counted, log %s", h.svc.HooksFailed(), h.log)
		}
		before := h.world.count(hookURL)
		round()
		h.same("attempts while it is failed", h.world.count(hookURL), before)
		h.same("states", h.states(b), map[mailbox.HookState]int{mailbox.HookDelivered: 1, mailbox.HookFailed: 19,
			mailbox.HookHeld: 1})

		good = true
		if _, err := h.svc.ResetWebhook(h.Context(), b.in(mailbox.ManageMailbox), ""); err != nil {
			t.Fatal(err)
		}
		h.pass(time.Minute)
		h.same("attempts after a reset", h.world.count(hookURL), before)
		round()
		h.same("attempts of a new event", h.world.count(hookURL), before+1)
		held := h.hooks(b, service.HooksQuery{Status: "held"})[0]
		trial, after, err := h.svc.ReplayHook(h.Context(), b.in(mailbox.ManageMailbox), held.ID)
		if err != nil || !trial.Attempt.OK() || after.State != mailbox.HookDelivered || len(after.Log) != 1 ||
			!after.Log[0].Replay {
			t.Errorf("replay: %+v, %+v, %v", trial, after, err)
		}
	})
}

// Reaching the limit stops what is under way; setting the URL again revives it.
func TestWebhookFailsTogether(t *testing.T) {
	hookBubble(t, always(500, 0), func(h *hookKit) {
		b := h.hooked("robin", hookURL)
		h.mail(b, 9)
		h.pass(10 * time.Second)
		h.mail(b, 5) // these are in the middle of it when the nine have failed
		h.pass(12*time.Second - 10*time.Second)
		h.mail(b, 1)
		h.pass(5 * time.Minute)
		states, w := h.states(b), h.webhook(b)
		if !w.Failed || w.ConsecutiveFailures != 10 || states[mailbox.HookFailed] < 10 ||
			states[mailbox.HookHeld] == 0 || states[mailbox.HookPending] > 0 {
			t.Errorf("%+v, %v", w, states)
		}
		h.set(b, hookURL)
		if w := h.webhook(b); w.Failed || w.ConsecutiveFailures != 0 {
			t.Errorf("set again: %+v", w)
		}
		before := h.world.count(hookURL)
		h.mail(b, 1)
		h.pass(time.Minute)
		h.same("attempts", h.world.count(hookURL), before+4)
	})
}

// A new process goes on where the last one was.
func TestHookRestart(t *testing.T) {
	for _, tt := range []struct {
		name string
		at   time.Duration // when it stops
		down time.Duration
		want []time.Duration
	}{
		{"between attempts", 2 * time.Second, time.Second, []time.Duration{0, time.Second, 4 * time.Second,
			12 * time.Second}},
		{"down longer than the wait", 2 * time.Second, 10 * time.Second, []time.Duration{0, time.Second,
			12 * time.Second, 20 * time.Second}},
		{"right after the first", 0, 0, []time.Duration{0, time.Second, 4 * time.Second, 12 * time.Second}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			hookBubble(t, always(500, 0), func(h *hookKit) {
				b := h.hooked("robin", hookURL)
				h.mail(b, 1)
				h.pass(tt.at)
				h.stop()
				h.pass(tt.down)
				h.reopen()
				h.pass(time.Minute)
				h.same("times", h.world.times(hookURL), tt.want)
			})
		})
	}
	t.Run("in the middle of an attempt", func(t *testing.T) {
		hookBubble(t, always(200, 5*time.Second), func(h *hookKit) {
			b := h.hooked("robin", hookURL)
			h.mail(b, 1)
			h.pass(time.Second)
			h.stop() // after its grace time of a second
			if one := h.hooks(b, service.HooksQuery{})[0]; one.State != mailbox.HookPending || one.Attempts != 0 ||
				one.Leased {
				t.Errorf("given back as %+v", one)
			}
			h.reopen()
			h.pass(time.Minute)
			h.same("times", h.world.times(hookURL), []time.Duration{0, 2 * time.Second})
			h.same("states", h.states(b), map[mailbox.HookState]int{mailbox.HookDelivered: 1})
		})
	})
	t.Run("a crash with a lease", func(t *testing.T) {
		hookBubble(t, always(200, 0), func(h *hookKit) {
			h.stop()
			b := h.hooked("robin", hookURL)
			h.mail(b, 1)
			work, err := h.svc.WorkHooks(h.Context(), nil, service.HookQuery{Limit: 10, Room: func(mailbox.HookTarget,
				int) int {
				return 10
			}})
			if err != nil || len(work.Jobs) != 1 {
				t.Fatalf("%+v, %v", work, err)
			}
			h.reopen()
			h.pass(time.Second)
			h.same("attempts", h.world.count(hookURL), 1)
			// The old process reports late: its lease is lost.
			_, err = h.svc.WorkHooks(h.Context(), []service.HookResult{{Hook: work.Jobs[0].Hook,
				Attempt: mailbox.HookAttempt{At: time.Now(), Error: "no"}}}, service.HookQuery{})
			h.works("WorkHooks", err)
			if one := h.hooks(b, service.HooksQuery{})[0]; one.State != mailbox.HookDelivered || len(one.Log) != 1 {
				t.Errorf("%+v", one)
			}
		})
	})
}
