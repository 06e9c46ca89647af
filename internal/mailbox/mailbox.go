package mailbox

import (
	"slices"
	"time"
)

// Num is a mailbox's number inside the store. It is never used again, so what a deleted mailbox left behind can never
// turn up in a new one of the same address.
type Num int64

// Status is whether a mailbox accepts requests.
type Status string

const (
	Active Status = "active"
	Halted Status = "paused"
)

// PausedBy is who paused a mailbox: what the operator paused, only the operator resumes (API 4).
type PausedBy string

const (
	ByOwner    PausedBy = "owner"
	ByOperator PausedBy = "operator"
)

// Mailbox is one address with its aliases, its mail and its settings.
type Mailbox struct {
	Num       Num
	Address   string // canonical: lower case, domain in its ASCII form
	Aliases   []string
	Scope     Scope // Provisional or Permanent
	CreatedAt time.Time
	ExpiresAt time.Time // zero: never

	DomainOwner Num // the mailbox that owned the address's domain when this one was made; 0: the deployment

	Status      Status
	PausedBy    PausedBy
	PauseReason string
	PausedAt    time.Time

	Webhook Webhook
	Routed  bool     // it has routes: webhooks for messages with a label
	Decided *Control // nil: nothing; a pointer, because each request copies its mailbox several times
	About   *Profile // nil: nothing
}

// Expired tells whether a provisional mailbox's time is over: from that instant its key and its address are refused,
// whether or not its data is already gone.
func (m Mailbox) Expired(now time.Time) bool {
	return !m.ExpiresAt.IsZero() && !now.Before(m.ExpiresAt)
}

// Owns tells whether address (canonical) is the mailbox's own or one of its aliases.
func (m Mailbox) Owns(address string) bool {
	return m.Address == address || slices.Contains(m.Aliases, address)
}

// Pause returns the mailbox as paused by someone. Pausing again changes nothing, except that the operator takes over
// what the owner paused.
func (m Mailbox) Pause(by PausedBy, reason string, now time.Time) Mailbox {
	if m.Status == Halted && (m.PausedBy == by || by == ByOwner) {
		return m
	}
	m.Status, m.PausedBy, m.PauseReason, m.PausedAt = Halted, by, reason, now
	return m
}

// Resume returns the mailbox as active again, or says why it may not be.
func (m Mailbox) Resume(by PausedBy) (Mailbox, error) {
	if m.Status == Halted && m.PausedBy == ByOperator && by != ByOperator {
		return m, Errorf(Denied, "moderated", "The operator of this service paused this mailbox; only they can "+
			"resume it.")
	}
	m.Status, m.PausedBy, m.PauseReason, m.PausedAt = Active, "", "", time.Time{}
	return m, nil
}

// Webhook is where a mailbox's events go.
type Webhook struct {
	URL                 string // empty: none
	Failed              bool
	ConsecutiveFailures int
	LastAttemptAt       time.Time
	LastError           string
}

// Status is the webhook's state as the interface shows it.
func (w Webhook) Status() string {
	switch {
	case w.URL == "":
		return "none"
	case w.Failed:
		return "failed"
	}
	return "active"
}

// Counters are a mailbox's sums. They are kept in the transactions that change them, never counted on demand.
type Counters struct {
	Inbound, Outbound, Unseen int64
	Bytes                     int64 // raw size of all stored messages
	Month                     int32 // year*12 + month-1 in UTC that ThisMonth belongs to
	ThisMonth                 int64
}

// MonthOf numbers the UTC month of t, for Counters.Month.
func MonthOf(t time.Time) int32 {
	t = t.UTC()
	return int32(t.Year()*12 + int(t.Month()) - 1)
}
