package mailbox

import (
	"strconv"
	"strings"
	"time"
)

// QueueState is what a delivery in the queue waits for.
type QueueState string

const (
	QueueWaiting   QueueState = "waiting"   // for its first attempt, or the next
	QueueSending   QueueState = "sending"   // for the attempt that is made now
	QueueScheduled QueueState = "scheduled" // for the time at which it is to be sent
	QueueOnHold    QueueState = "on_hold"   // for an operator to release it
)

// QueueStates lists them.
func QueueStates() []QueueState {
	return []QueueState{QueueWaiting, QueueSending, QueueScheduled, QueueOnHold}
}

// QueueAction is what an operator does with deliveries in the queue.
type QueueAction string

const (
	QueueRetry   QueueAction = "retry"   // try it now
	QueueCancel  QueueAction = "cancel"  // end it without sending it
	QueueHold    QueueAction = "hold"    // keep it until it is released
	QueueRelease QueueAction = "release" // try it now what was kept
)

// InQueue tells whether the delivery is still to be tried, being tried, or kept by an operator.
func (d Delivery) InQueue() bool { return d.Status == OnHold || !d.NextAt.IsZero() }

// QueueState is what a delivery in the queue waits for.
func (d Delivery) QueueState() QueueState {
	switch {
	case d.Status == OnHold:
		return QueueOnHold
	case d.Leased:
		return QueueSending
	case d.Status == Scheduled:
		return QueueScheduled
	}
	return QueueWaiting
}

// Hold returns the delivery as kept by an operator. Whoever had a lease on it loses it.
func (d Delivery) Hold() Delivery {
	d.Status, d.NextAt, d.Leased = OnHold, time.Time{}, false
	return d
}

// Release returns a kept delivery as due again: at its scheduled time if that is in the future, else now. The time
// for which it is tried begins then.
func (d Delivery) Release(now time.Time) Delivery {
	if d.Status = Queued; d.QueuedAt.After(now) {
		d.Status = Scheduled
	} else {
		d.QueuedAt = now
	}
	d.NextAt = d.QueuedAt
	return d
}

// QueueMatch selects deliveries in the queue. An empty member matches all.
type QueueMatch struct {
	Destination string     // the recipient's domain
	State       QueueState //
	Before      time.Time  // came into the queue before
	// Error is a part of the last answer, with its code; "4xx" and "5xx" stand for all codes that begin so, "none" for
	// deliveries without an answer.
	Error string
}

// Matches reports whether a delivery is selected. The store matches the destination and the mailbox.
func (q QueueMatch) Matches(d Delivery) bool {
	return d.InQueue() && (q.State == "" || q.State == d.QueueState()) &&
		(q.Before.IsZero() || d.EnteredAt.Before(q.Before)) && q.matchesError(d)
}

func (q QueueMatch) matchesError(d Delivery) bool {
	switch want := strings.ToLower(q.Error); want {
	case "":
		return true
	case "4xx", "5xx":
		return d.Code/100 == int(want[0]-'0')
	case "none":
		return d.Code == 0 && d.Text == ""
	default:
		return strings.Contains(strings.ToLower(strconv.Itoa(d.Code)+" "+d.Text), want)
	}
}

// QueueSum is a summary of the deliveries that wait for a destination.
type QueueSum struct {
	Destination string
	Deliveries  int64
	OnHold      int64     // of them
	OldestAt    time.Time // when the first of them came into the queue
	Last        Delivery  // the one that was tried last and is still to be tried; zero: there is none
}
