package service_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// A receiver that hangs keeps nobody else waiting: not another mailbox, not another target of the same.
func TestHookFairness(t *testing.T) {
	const dead, route = "https://dead.test/", "https://route.test/"
	answer := func(url string, _ int) (int, time.Duration) {
		if url == dead {
			return 0, time.Hour
		}
		return 200, time.Millisecond
	}
	hookBubble(t, answer, func(h *hookKit) {
		slow, fast := h.hooked("slow", dead), h.hooked("fast", hookURL)
		_, err := h.svc.PutRoute(h.Context(), slow.in(mailbox.ManageMailbox), service.NewRoute{Label: "personal",
			URL: ref(route)})
		h.works("PutRoute", err)
		h.mail(slow, 100)
		for n := range 50 {
			began := time.Since(h.world.began)
			h.mail(fast, 1)
			h.pass(time.Second)
			if times := h.world.times(hookURL); len(times) != n+1 || times[n]-began > 10*time.Millisecond {
				t.Fatalf("event %d at %v: %v", n, began, times)
			}
		}
		if got := h.world.times(route); len(got) != 100 || got[99] > time.Second {
			t.Errorf("%d came by the route, the last at %v", len(got), got[len(got)-1])
		}
		h.pass(5 * time.Minute)
		if w := h.webhook(slow); !w.Failed {
			t.Errorf("the dead one is %+v", w)
		}
		if states := h.states(slow); states[mailbox.HookPending] > 0 {
			t.Errorf("states %v", states)
		}
		if most := inFlight(h.world, dead); most > 8 {
			t.Errorf("%d posts to the dead one at a time", most)
		}
	})
}

// Where most targets hang, those that answer have their events within a second: also those of which nothing is known
// yet, after a start, and while the others are tried again and again.
func TestHookManyDead(t *testing.T) {
	const targets, dead, first, events = 500, 400, 3, 6
	answer := func(url string, _ int) (int, time.Duration) {
		if strings.HasPrefix(url, "https://dead") {
			return 0, time.Hour
		}
		return 200, time.Millisecond
	}
	hookBubble(t, answer, func(h *hookKit) {
		h.stop() // what comes waits for the start
		sent := map[string][]time.Duration{}
		boxes, urls := make([]box, targets), make([]string, targets)
		for i := range targets {
			urls[i] = fmt.Sprintf("https://dead%d.test/", i)
			if i*7%targets >= dead { // mixed
				urls[i] = fmt.Sprintf("https://live%d.test/", i)
			}
			boxes[i] = h.hooked(fmt.Sprint("box", i), urls[i])
			h.mail(boxes[i], first) // more than there are places for
		}
		for _, url := range urls {
			sent[url] = slices.Repeat([]time.Duration{time.Since(h.world.began)}, first)
		}
		h.run()
		for range events {
			h.pass(2 * time.Second)
			for i, b := range boxes {
				if strings.HasPrefix(urls[i], "https://live") {
					h.mail(b, 1)
					sent[urls[i]] = append(sent[urls[i]], time.Since(h.world.began))
				}
			}
		}
		h.pass(2 * time.Second)
		for url, list := range sent {
			if !strings.HasPrefix(url, "https://live") {
				continue
			}
			times := h.world.times(url)
			if len(times) != len(list) {
				t.Errorf("%s had %d of %d events", url, len(times), len(list))
				continue
			}
			for i, at := range times {
				if wait := at - list[i]; wait > time.Second {
					t.Errorf("%s waited %v for event %d", url, wait, i)
				}
			}
		}
	})
}

// The waits of SPEC 6.1 are between attempts: the time of one that hangs comes on top of them (decision 29).
func TestHookHangs(t *testing.T) {
	hookBubble(t, always(0, time.Hour), func(h *hookKit) {
		b := h.hooked("robin", hookURL)
		began := time.Since(h.world.began)
		h.mail(b, 1)
		h.pass(51 * time.Second)
		h.same("before the end", h.states(b), map[mailbox.HookState]int{mailbox.HookPending: 1})
		h.pass(2 * time.Second)
		h.same("in the end", h.states(b), map[mailbox.HookState]int{mailbox.HookFailed: 1})
		var seconds []int
		for _, at := range h.world.times(hookURL) {
			seconds = append(seconds, int((at-began+time.Second/2)/time.Second))
		}
		h.same("attempts", seconds, []int{0, 11, 24, 42})
	})
}

// inFlight is the highest number of posts to a URL within the time that one takes to give up.
func inFlight(w *world, url string) (most int) {
	times := w.times(url)
	for i := range times {
		n := 0
		for _, other := range times[i:] {
			if other-times[i] < 10*time.Second {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

// What waits for its turn in memory is looked at once more before it is posted.
func TestHookWaiting(t *testing.T) {
	const elsewhere = "https://elsewhere.test/"
	for _, tt := range []struct {
		name   string
		change func(h *hookKit, b box)
		posts  int
	}{
		{"nothing happens", func(*hookKit, box) {}, 12},
		{"another URL", func(h *hookKit, b box) { h.set(b, elsewhere) }, 8},
		{"no URL", func(h *hookKit, b box) { h.set(b, "") }, 8},
		{"paused", func(h *hookKit, b box) {
			_, err := h.svc.PauseMailbox(h.Context(), h.operator(mailbox.Moderate, b.Address), "")
			h.works("PauseMailbox", err)
		}, 8},
		{"deleted", func(h *hookKit, b box) {
			_, err := h.svc.DeleteMailbox(h.Context(), b.in(mailbox.DeleteMailbox))
			h.works("DeleteMailbox", err)
		}, 8},
	} {
		t.Run(tt.name, func(t *testing.T) {
			hookBubble(t, always(200, 5*time.Second), func(h *hookKit) {
				b := h.hooked("robin", hookURL)
				h.mail(b, 1)
				h.pass(10 * time.Second) // that it answers is known from here on
				h.mail(b, 12)
				h.pass(2 * time.Second)
				h.same("at first", h.world.count(hookURL), 1+8)
				tt.change(h, b)
				h.pass(20 * time.Minute)
				h.same("in the end", h.world.count(hookURL), 1+tt.posts)
				h.same("elsewhere", h.world.count(elsewhere), 0)
			})
		})
	}
}

// While nothing can be stored, results are kept: an event that has arrived is not posted again.
func TestHookBrokenStore(t *testing.T) {
	hookBubble(t, always(200, time.Second), func(h *hookKit) {
		b := h.hooked("robin", hookURL)
		h.mail(b, 1)
		synctest.Wait()
		h.broken.Store(true)
		h.pass(time.Minute)
		h.broken.Store(false)
		h.pass(10 * time.Minute)
		h.same("attempts", h.world.count(hookURL), 1)
		h.same("states", h.states(b), map[mailbox.HookState]int{mailbox.HookDelivered: 1})
	})
}
