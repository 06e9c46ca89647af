package mailbox

import (
	"strings"
	"time"
)

// DeliveryStatus is what became of a message for one recipient (API 5).
type DeliveryStatus string

const (
	Held      DeliveryStatus = "held"      // a person has to approve it first
	OnHold    DeliveryStatus = "on_hold"   // an operator keeps it in the queue
	Scheduled DeliveryStatus = "scheduled" // it is not due yet
	Queued    DeliveryStatus = "queued"
	Sent      DeliveryStatus = "sent" // a relay or provider took it
	Delayed   DeliveryStatus = "delivery_delayed"
	Canceled  DeliveryStatus = "canceled" // it was called back before it left
	Rejected  DeliveryStatus = "rejected" // a person did not approve it
	Expired   DeliveryStatus = "expired"  // nobody approved it in time
	Delivered DeliveryStatus = "delivered"
	Captured  DeliveryStatus = "captured" // it was kept here and never left
	Bounced   DeliveryStatus = "bounced"
	Failed    DeliveryStatus = "failed" // it could not be tried at all
	// Suppressed is a recipient on the suppression list, of a message that leaves such out.
	Suppressed DeliveryStatus = "suppressed"
	Complained DeliveryStatus = "complained"
	Deleted    DeliveryStatus = "deleted" // only of a request that is repeated: the message is not here any more
)

// Statuses are those that messages are listed by: of one that was received, and of those that were sent.
var Statuses = []string{"received", string(Held), string(OnHold), string(Scheduled), string(Queued), string(Sent),
	string(Delayed), string(Canceled), string(Rejected), string(Expired), string(Suppressed), string(Delivered),
	string(Captured), string(Bounced), string(Failed), string(Complained)}

// steps order the states: a delivery only moves to a higher one. Of a message of which some was delivered and some
// captured, the status is captured: delivered would say of all of it what is true of a part.
var steps = map[DeliveryStatus]int{Held: -3, OnHold: -2, Scheduled: -1, Queued: 0, Sent: 1, Delayed: 2, Canceled: 3,
	Rejected: 3, Expired: 3, Suppressed: 3, Delivered: 4, Captured: 5, Bounced: 6, Failed: 6, Complained: 7}

// Decided reports whether delivery has ended for the recipient. Later states only correct that result.
func (s DeliveryStatus) Decided() bool { return steps[s] >= steps[Canceled] }

// Follows tells whether a delivery moves from one state to another: only forward. What was captured or never
// let out stays so: nobody outside has the mail, so no news of it can come.
func (s DeliveryStatus) Follows(old DeliveryStatus) bool {
	return old != Captured && steps[old] != steps[Canceled] && steps[s] > steps[old]
}

// event is the kind of event that reaching a state is; empty: none.
func (s DeliveryStatus) event() EventKind {
	switch s {
	case Delivered:
		return MessageDelivered
	case Bounced, Failed:
		return MessageBounced
	case Complained:
		return MessageComplained
	}
	return ""
}

// StatusOf is the status of a message with these deliveries: the lowest of the undecided, else the highest decided.
func StatusOf(list []Delivery) DeliveryStatus {
	var open, closed DeliveryStatus
	for _, d := range list {
		switch {
		case !d.Status.Decided() && (open == "" || steps[d.Status] < steps[open]):
			open = d.Status
		case d.Status.Decided() && (closed == "" || steps[d.Status] > steps[closed]):
			closed = d.Status
		}
	}
	if open != "" {
		return open
	}
	return closed
}

// Delivery is a message on its way to one recipient.
type Delivery struct {
	Mailbox     Num
	Message     ID
	Seq         int64 // of the message
	N           int   // the recipient's number in the message, from 1
	Recipient   string
	Destination string // deliveries with the same one share connections and their limit: a domain

	Status   DeliveryStatus
	Attempts int
	Code     int    // of the last answer; 0: there was none
	Text     string // the other server's words, or what went wrong
	Host     string // the server that was spoken to
	TLS      string // "TLS1.3"; empty: none
	Provider string // the provider's id, where one took it

	TriedAt   time.Time // when the last attempt was over; zero: there was none
	EnteredAt time.Time // when it came into the queue
	QueuedAt  time.Time // when it was due first; of a scheduled one, when it will be
	NextAt    time.Time // when it is tried next, or its lease ends; zero: never
	Lease     int64     // grows with every lease; a worker with a lower number has lost the delivery
	Leased    bool
	Begun     bool // the next server is being told the message: whether it took it is not known until it has answered
	Unknown   bool // the attempt was interrupted once, so the mail may have arrived twice
	Told      Told

	Unreadable bool // the key of its mailbox is lost: to whom it goes, and what was answered, is not known
}

// ID names the delivery: the message's id with the recipient's number.
func (d Delivery) ID() ID { return d.Message.Part(d.N) }

// Left reports whether a server outside may have the message.
func (d Delivery) Left() bool {
	switch d.Status {
	case Held, OnHold, Scheduled, Queued, Delayed, Canceled, Rejected, Expired, Suppressed, Failed, Captured:
		return d.Unknown
	}
	return true
}

// Recallable reports whether delivery can still be canceled: no server has been sent the message yet.
func (d Delivery) Recallable() bool {
	switch d.Status {
	case Held, OnHold, Scheduled, Queued, Delayed:
		return !d.Begun && !d.Unknown
	}
	return false
}

// CaptureHost stands for the server that was spoken to, where mail did not leave the machine.
const CaptureHost = "capture"

// Simulated tells whether what became of the message was simulated: it did not leave the machine.
func (d Delivery) Simulated() bool { return d.Host == CaptureHost }

// Told is which events were written for a delivery: one of each kind at most (API 5).
type Told uint8

const (
	toldDelivered Told = 1 << iota
	toldBounced
	toldComplained
)

func toldOf(k EventKind) Told {
	return map[EventKind]Told{MessageDelivered: toldDelivered, MessageBounced: toldBounced,
		MessageComplained: toldComplained}[k]
}

// Outcome is how an attempt to deliver went.
type Outcome uint8

const (
	Put        Outcome = iota // not tried: the lease is given back
	Accepted                  // by the recipient's own server
	Relayed                   // by a server that passes it on
	Deferred                  // try again later
	Refused                   // for good
	Impossible                // it cannot be tried at all
	Lost                      // the connection broke while the other server had the message and had not answered
	Kept                      // it is not sent at all: this deployment captures what it would send
)

// Attempt is one try to deliver, and how it went.
type Attempt struct {
	Outcome  Outcome
	Code     int
	Enhanced string // enhanced status code
	Text     string
	Host     string
	Addr     string // of the host; empty: not known
	TLS      string
	Provider string
	Begun    bool          // the other server was told the message
	NoUser   bool          // the words of a refusal say that there is no such recipient
	Relay    bool          // a relay was asked: it does not know whether mail is delayed on its way
	Wait     time.Duration // until the next try, where the other side said; 0: by the schedule
}

// Hard tells whether a refusal is about the address itself, so that nothing should be sent there again.
func (a Attempt) Hard() bool {
	return a.Outcome == Refused && (a.NoUser || hardStatus(a.Enhanced, a.Code))
}

// hardStatus: no such user, no such domain, domain that takes no mail, mailbox moved or disabled (RFC 3463 X.1 and
// 5.2.1).
func hardStatus(enhanced string, code int) bool {
	switch enhanced {
	case "5.1.0", "5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.2.1":
		return true
	case "":
		return code == 550 || code == 551 || code == 553
	}
	return false
}

// RetryDelay is how long to wait after a given number of attempts: one minute at first, then twice as long each time,
// at most two hours, and up to a fifth more or less, so that what failed together is not tried together. luck is from 0
// to 1.
func RetryDelay(attempts int, luck float64) time.Duration {
	const first, most = time.Minute, 2 * time.Hour
	d := most
	if attempts < 8 {
		d = min(first<<max(attempts-1, 0), most)
	}
	return d + time.Duration((luck-0.5)*0.4*float64(d))
}

// Word is news about a delivery: the state that it has, and why.
type Word struct {
	Status DeliveryStatus
	Reason string
	Bounce string // "hard" or "soft", of a bounce
}

// Learn returns the delivery with news, and the event that they are; nil: they change nothing that is told.
func (d Delivery) Learn(w Word, at time.Time) (Delivery, *Event) {
	if !w.Status.Follows(d.Status) {
		return d, nil
	}
	d.Status = w.Status
	if d.Status.Decided() {
		d.NextAt, d.Leased, d.Begun = time.Time{}, false, false
	}
	kind := w.Status.event()
	if kind == "" || d.Told&toldOf(kind) != 0 {
		return d, nil
	}
	d.Told |= toldOf(kind)
	return d, &Event{Mailbox: d.Mailbox, Kind: kind, Message: d.Message, At: at,
		Result: Result{Recipient: d.Recipient, Status: string(w.Status), Bounce: w.Bounce, Reason: w.Reason,
			Simulated: d.Simulated()}}
}

// Take returns the delivery as leased until a time. What was interrupted while the next server had the message may have
// arrived: it is tried once more, and marked.
func (d Delivery) Take(until time.Time) Delivery {
	d.Unknown = d.Unknown || d.Begun
	d.Begun, d.Leased, d.NextAt = false, true, until
	d.Lease++
	return d
}

// Schedule is how long a delivery is tried, and the chance in its delays.
type Schedule struct {
	Keep time.Duration // since it was first due
	Luck float64
}

// After returns the delivery after an attempt, and the event that this is, if it is one.
func (d Delivery) After(a Attempt, s Schedule, now time.Time) (Delivery, *Event) {
	d.Leased = false
	if a.Outcome == Put {
		d.NextAt, d.Begun = now.Add(a.Wait), false
		return d, nil
	}
	d.Attempts, d.TriedAt = d.Attempts+1, now
	d.Code, d.Text, d.Host, d.TLS = a.Code, a.Text, a.Host, a.TLS
	if a.Provider != "" {
		d.Provider = a.Provider
	}
	d.Begun = false
	switch a.Outcome {
	case Accepted:
		return d.Learn(Word{Status: Delivered}, now)
	case Kept:
		return d.Learn(Word{Status: Captured}, now)
	case Relayed:
		d.NextAt = time.Time{}
		return d.Learn(Word{Status: Sent}, now)
	case Refused:
		return d.Learn(Word{Status: Bounced, Reason: reason(a), Bounce: bounceType(a.Hard())}, now)
	case Impossible:
		return d.Learn(Word{Status: Failed, Reason: reason(a), Bounce: bounceType(false)}, now)
	case Lost:
		d.Unknown = true
	}
	return d.again(a, s, now)
}

// leastAttempts are made in any case, also where the service was stopped for longer than a delivery is tried.
const leastAttempts = 3

// again puts a delivery off, or gives it up when it has been tried for too long.
func (d Delivery) again(a Attempt, s Schedule, now time.Time) (Delivery, *Event) {
	wait := a.Wait
	if wait == 0 {
		wait = RetryDelay(d.Attempts, s.Luck)
	}
	if now.Sub(d.QueuedAt) >= s.Keep && d.Attempts >= leastAttempts {
		return d.Learn(Word{Status: Bounced, Bounce: bounceType(false),
			Reason: "Given up after trying for " + s.Keep.String() + ". Last answer: " + reason(a)}, now)
	}
	d.NextAt = now.Add(wait)
	if a.Relay {
		return d, nil
	}
	return d.Learn(Word{Status: Delayed}, now)
}

func bounceType(hard bool) string {
	if hard {
		return "hard"
	}
	return "soft"
}

func reason(a Attempt) string {
	text := strings.TrimSpace(a.Text)
	if text == "" {
		return "no answer"
	}
	return text
}

// SuppressedByHand is the reason of a suppression that no mail has caused.
const SuppressedByHand = "manual"

// SuppressedByRecipient is the reason of a suppression that the recipient asked for with a link to unsubscribe.
const SuppressedByRecipient = "unsubscribe"

// Suppression is an address that a mailbox does not send to any more, and why.
type Suppression struct {
	Number  int64
	Mailbox Num
	Address string // canonical
	Reason  string // "bounce", "complaint", SuppressedByHand or SuppressedByRecipient
	Detail  string
	Message ID // zero: none
	At      time.Time
}

// SendAt is when a message that waits is to be sent, by its deliveries; zero: as soon as it can be.
func (m Message) SendAt(all []Delivery) (at time.Time) {
	for _, d := range all {
		if (d.Status == Held || d.Status == Scheduled) && d.QueuedAt.After(m.ReceivedAt) {
			at = d.QueuedAt
		}
	}
	return at
}
