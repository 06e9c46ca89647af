package mailbox

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A hook is an event on its way to one target of its mailbox. Its schedule and the state of its target are here, as
// functions of what was and what happened (SPEC 3, 6.1):
//
//	hook     pending ─2xx─► delivered
//	            │ ──4 failures──► failed        and the target's counter rises by one
//	            └──the target fails, or is a target no longer──► held
//	target   active ──counter at 10──► failed ──set again, or reset──► active
//
// Failed and held hooks are sent again by replay alone: one of them in a single attempt, or all since a time as new
// ones.

// HookState is how far a hook has come.
type HookState string

const (
	HookPending   HookState = "pending"
	HookDelivered HookState = "delivered"
	HookFailed    HookState = "failed"
	HookHeld      HookState = "held" // it was not tried, or not to the end: its target had failed
)

// HookStates lists every state, in the order it is shown.
func HookStates() []HookState {
	return []HookState{HookPending, HookDelivered, HookFailed, HookHeld}
}

// HookKinds lists the kinds of events that are posted (SPEC 6.1).
func HookKinds() []EventKind {
	return []EventKind{MessageReceived, MessageDelivered, MessageBounced, MessageComplained, MessageHeld,
		MessageApproved, MessageRejected, MessageCanceled, SendingPaused, MailboxQuota,
		RecipientUnsubscribed}
}

// Hook is one event on its way to one target.
type Hook struct {
	N       int64 // place in the log: grows
	ID      ID
	Mailbox Num
	Target  int64
	URL     string // of the target
	Event   int64  // its number
	Kind    EventKind
	Message ID
	Body    []byte // as it is posted, the same at every attempt
	At      time.Time

	State    HookState
	Attempts int       // of the schedule; replays are not counted
	NextAt   time.Time // when it is tried next, or its lease ends; zero: never
	Lease    int64     // grows with every lease; a worker with a lower number has lost the delivery
	Leased   bool
	Log      []HookAttempt // the latest
}

// Name is the webhook-id: own to event and target, the same over retries and replays.
func (h Hook) Name() string { return "msg_" + strings.ReplaceAll(h.ID.String(), "-", "") }

// HookAttempt is how one attempt went.
type HookAttempt struct {
	At       time.Time
	Duration time.Duration
	Status   int    // of the answer; 0: there was none
	Error    string // empty: it arrived
	Response string // the beginning of the answer
	Replay   bool
	Broken   bool // it was broken off, by us: it does not count
}

// OK tells whether the event arrived.
func (a HookAttempt) OK() bool { return a.Error == "" && !a.Broken }

// End is when the attempt was over, to the millisecond after it.
func (a HookAttempt) End() time.Time {
	end := a.At.Add(a.Duration)
	if whole := end.Truncate(time.Millisecond); !whole.Equal(end) {
		return whole.Add(time.Millisecond)
	}
	return end
}

// hookDelays are the waits before the second, third and fourth attempt (SPEC 6.1).
var hookDelays = []time.Duration{time.Second, 3 * time.Second, 8 * time.Second}

// HookDelay is how long to wait after a given number of failed attempts.
func HookDelay(attempts int) time.Duration {
	return hookDelays[min(max(attempts, 1), len(hookDelays))-1]
}

// Take returns the hook as leased until a time.
func (h Hook) Take(until time.Time) Hook {
	h.Leased, h.NextAt = true, until
	h.Lease++
	return h
}

// PutBack returns a leased hook as it was before: due at a time. One that is no longer pending stays what it became.
func (h Hook) PutBack(at time.Time) Hook {
	if h.State == HookPending {
		h.Leased, h.NextAt = false, at
	}
	return h
}

// After returns the hook after an attempt of its schedule, of at most that many, and whether that was the last one and
// failed.
func (h Hook) After(a HookAttempt, most int) (next Hook, failed bool) {
	if a.Broken {
		return h.PutBack(a.At), false
	}
	h.Log, h.Leased = logged(h.Log, a), false
	h.Attempts++
	switch {
	case a.OK():
		h.State, h.NextAt = HookDelivered, time.Time{}
	case h.State != HookPending: // held meanwhile
	case h.Attempts >= most:
		h.State, h.NextAt = HookFailed, time.Time{}
		return h, true
	default:
		h.NextAt = a.End().Add(HookDelay(h.Attempts))
	}
	return h, false
}

// Replayed returns the hook after a single attempt outside its schedule.
func (h Hook) Replayed(a HookAttempt) Hook {
	a.Replay = true
	h.Log = logged(h.Log, a)
	if a.OK() {
		h.State, h.NextAt, h.Leased = HookDelivered, time.Time{}, false
	}
	return h
}

// Requeued returns a hook that did not arrive as one that is still to be posted, with a whole schedule before it. Its
// log stays.
func (h Hook) Requeued(at time.Time) Hook {
	h.State, h.Attempts, h.NextAt, h.Leased = HookPending, 0, at, false
	return h
}

// hookLog is how many attempts are remembered.
const hookLog = 20

func logged(log []HookAttempt, a HookAttempt) []HookAttempt {
	log = append(slices.Clip(log), a)
	return log[max(len(log)-hookLog, 0):]
}

// EncodeAttempts returns attempts as one text, for a store: one a line, its fields between tabs.
func EncodeAttempts(list []HookAttempt) string {
	var b strings.Builder
	for i, a := range list {
		if i > 0 {
			b.WriteByte('\n')
		}
		replay := 0
		if a.Replay {
			replay = 1
		}
		fmt.Fprintf(&b, "%d\t%d\t%d\t%d\t%s\t%s", a.At.UnixMilli(), a.Duration.Microseconds(), a.Status, replay,
			oneField(a.Error), oneField(a.Response))
	}
	return b.String()
}

// oneField keeps a text from ending its field.
func oneField(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, s)
}

// DecodeAttempts reads what EncodeAttempts wrote.
func DecodeAttempts(s string) (list []HookAttempt) {
	for line := range strings.SplitSeq(s, "\n") {
		f := strings.SplitN(line, "\t", 6)
		if len(f) < 6 {
			continue
		}
		var n [4]int64
		for i := range n {
			n[i], _ = strconv.ParseInt(f[i], 10, 64) // only EncodeAttempts writes them
		}
		list = append(list, HookAttempt{At: time.UnixMilli(n[0]).UTC(),
			Duration: time.Duration(n[1]) * time.Microsecond,
			Status:   int(n[2]), Replay: n[3] != 0, Error: f[4], Response: f[5]})
	}
	return list
}

// HookTarget is where hooks of a mailbox go, with a number of its own. It is there from its first event on.
type HookTarget struct {
	Number  int64
	Mailbox Num
	URL     string
}

// Attempted returns the webhook's state after an attempt of a schedule. gaveUp says that it was the last one of its
// event, and failed; at most that many events in a row may end like that.
func (w Webhook) Attempted(a HookAttempt, gaveUp bool, most int) Webhook {
	if a.Broken || w.Failed {
		return w // only setting it again, or a reset, changes one that failed
	}
	w.LastAttemptAt, w.LastError = a.At.Truncate(time.Millisecond), a.Error
	switch {
	case a.OK():
		w.ConsecutiveFailures = 0
	case gaveUp:
		w.ConsecutiveFailures++
		w.Failed = w.ConsecutiveFailures >= most
	}
	return w
}

// Revived returns the webhook as active, with no failures.
func (w Webhook) Revived() Webhook {
	w.Failed, w.ConsecutiveFailures = false, 0
	return w
}
