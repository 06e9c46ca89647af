package mailbox

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

var hookNoon = time.Date(2026, time.March, 14, 12, 0, 0, 0, time.UTC)

func TestHookDelay(t *testing.T) {
	for attempts, want := range map[int]time.Duration{0: time.Second, 1: time.Second, 2: 3 * time.Second,
		3: 8 * time.Second, 4: 8 * time.Second, 99: 8 * time.Second} {
		if got := HookDelay(attempts); got != want {
			t.Errorf("after %d: %v, want %v", attempts, got, want)
		}
	}
}

func TestHookAfter(t *testing.T) {
	failed := HookAttempt{At: hookNoon, Duration: 1500 * time.Millisecond, Status: 500, Error: "no"}
	good := HookAttempt{At: hookNoon, Duration: time.Millisecond, Status: 204}
	for _, tt := range []struct {
		name     string
		state    HookState
		attempts int
		a        HookAttempt
		want     string // state, attempts, wait until the next
		gaveUp   bool
	}{
		{"first arrives", HookPending, 0, good, "delivered 1 never", false},
		{"last arrives", HookPending, 3, good, "delivered 4 never", false},
		{"first fails", HookPending, 0, failed, "pending 1 2.5s", false},
		{"second fails", HookPending, 1, failed, "pending 2 4.5s", false},
		{"third fails", HookPending, 2, failed, "pending 3 9.5s", false},
		{"last fails", HookPending, 3, failed, "failed 4 never", true},
		{"held meanwhile, fails", HookHeld, 1, failed, "held 2 never", false},
		{"held meanwhile, last fails", HookHeld, 3, failed, "held 4 never", false},
		{"held meanwhile, arrives", HookHeld, 1, good, "delivered 2 never", false},
		{"broken off", HookPending, 1, HookAttempt{At: hookNoon, Broken: true}, "pending 1 0s", false},
		{"broken off after it was held", HookHeld, 1, HookAttempt{At: hookNoon, Broken: true}, "held 1 never", false},
		{"less than a millisecond counts as one", HookPending, 0, HookAttempt{At: hookNoon, Duration: 1, Error: "no"},
			"pending 1 1.001s", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := Hook{State: tt.state, Attempts: tt.attempts, Lease: 3, Leased: true}
			if tt.state == HookPending {
				h.NextAt = hookNoon.Add(time.Hour)
			}
			got, gaveUp := h.After(tt.a, 4)
			next := "never"
			if !got.NextAt.IsZero() {
				next = got.NextAt.Sub(hookNoon).String()
			}
			if said := fmt.Sprintf("%s %d %s", got.State, got.Attempts, next); said != tt.want || gaveUp != tt.gaveUp ||
				got.Leased && tt.state == HookPending {
				t.Errorf("%s, gave up %v, leased %v; want %s", said, gaveUp, got.Leased, tt.want)
			}
		})
	}
}

func TestHookReplayed(t *testing.T) {
	for _, state := range HookStates() {
		h := Hook{State: state, Attempts: 2}
		if got := h.Replayed(HookAttempt{Status: 500, Error: "no"}); got.State != state || got.Attempts != 2 ||
			!got.Log[0].Replay {
			t.Errorf("%s: a replay that failed gave %+v", state, got)
		}
		if got := h.Replayed(HookAttempt{Status: 200}); got.State != HookDelivered || got.Attempts != 2 {
			t.Errorf("%s: a replay gave %+v", state, got)
		}
	}
	var h Hook
	for i := range 50 {
		h = h.Replayed(HookAttempt{Status: i, Error: "no"})
	}
	if len(h.Log) != 20 || h.Log[19].Status != 49 {
		t.Errorf("%d attempts are kept", len(h.Log))
	}
}

func TestWebhookAttempted(t *testing.T) {
	bad, good := HookAttempt{At: hookNoon, Error: "no"}, HookAttempt{At: hookNoon, Status: 200}
	for _, tt := range []struct {
		name   string
		w      Webhook
		a      HookAttempt
		gaveUp bool
		fails  int
		failed bool
		said   string
	}{
		{"an attempt fails", Webhook{ConsecutiveFailures: 3}, bad, false, 3, false, "no"},
		{"an event fails", Webhook{ConsecutiveFailures: 3}, bad, true, 4, false, "no"},
		{"the ninth", Webhook{ConsecutiveFailures: 8}, bad, true, 9, false, "no"},
		{"the tenth", Webhook{ConsecutiveFailures: 9}, bad, true, 10, true, "no"},
		{"a success", Webhook{ConsecutiveFailures: 9, LastError: "no"}, good, false, 0, false, ""},
		{"a late success changes nothing", Webhook{ConsecutiveFailures: 10, Failed: true, LastError: "x"}, good, false,
			10, true, "x"},
		{"a late failure changes nothing", Webhook{ConsecutiveFailures: 10, Failed: true, LastError: "x"}, bad, true,
			10, true, "x"},
		{"broken off", Webhook{ConsecutiveFailures: 2, LastError: "x"}, HookAttempt{Broken: true, Error: "no"}, false,
			2, false, "x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := tt.w.Attempted(tt.a, tt.gaveUp, 10)
			if got.ConsecutiveFailures != tt.fails || got.Failed != tt.failed || got.LastError != tt.said {
				t.Errorf("%+v", got)
			}
			if w := got.Revived(); w.Failed || w.ConsecutiveFailures != 0 {
				t.Errorf("revived %+v", w)
			}
		})
	}
}

func TestEncodeAttempts(t *testing.T) {
	list := []HookAttempt{
		{At: hookNoon.Add(7 * time.Millisecond), Duration: 1234 * time.Microsecond, Status: 503,
			Error: "The receiver answered 503.", Response: "a <b> ü"},
		{At: hookNoon, Duration: 10 * time.Second, Error: "It did not answer.", Replay: true},
		{At: hookNoon, Status: 200},
	}
	if got := DecodeAttempts(EncodeAttempts(list)); !reflect.DeepEqual(got, list) {
		t.Errorf("%+v", got)
	}
	if got := DecodeAttempts(EncodeAttempts(nil)); got != nil {
		t.Errorf("none are %+v", got)
	}
	got := DecodeAttempts(EncodeAttempts([]HookAttempt{{At: hookNoon, Error: "a\nb\tc", Response: "d\ne"}, list[2]}))
	if len(got) != 2 || got[0].Error != "a b c" || got[0].Response != "d e" {
		t.Errorf("line breaks: %+v", got)
	}
}

func FuzzDecodeAttempts(f *testing.F) {
	f.Add(EncodeAttempts([]HookAttempt{{At: hookNoon, Error: "no"}}))
	f.Add("1\t2\t3\n\t\t\t\t\t")
	f.Fuzz(func(t *testing.T, s string) {
		list := DecodeAttempts(s)
		if again := DecodeAttempts(EncodeAttempts(list)); len(again) != len(list) {
			t.Errorf("%q has %d attempts, then %d", s, len(list), len(again))
		}
	})
}

func TestHookName(t *testing.T) {
	h := Hook{ID: NewID(hookNoon)}
	if name := h.Name(); len(name) != 36 || !strings.HasPrefix(name, "msg_") || strings.Contains(name, "-") {
		t.Error(name)
	}
}
