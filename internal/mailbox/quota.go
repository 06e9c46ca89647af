package mailbox

import (
	"maps"
	"math"
	"strconv"
	"strings"
	"time"
)

// Use is how much a mailbox holds, as its limits count it.
type Use struct{ Bytes, Messages int64 }

// Caps is what people have decided about how much a mailbox may hold and do. What is nil is the deployment's default,
// and 0 is no limit.
type Caps struct {
	Bytes, Messages            *int64
	DailySends, InboundPerHour *int64
	Retention                  *OwnRetention
	// Spared: the mailbox held more than the default limit when that was introduced, so it has no limit until somebody
	// decides on one.
	Spared bool
}

// Retention is for how many days messages are kept, by their direction; 0: for ever. A label's days count in place of
// those; of several labels the longest do.
type Retention struct {
	Inbound, Outbound float64
	Labels            map[string]float64
}

// OwnRetention is what people have decided about how long a mailbox keeps messages. What is nil, and a label that is
// not named, is the deployment's default.
type OwnRetention struct {
	Inbound, Outbound *float64
	Labels            map[string]float64
}

// over returns the rules in force, given the defaults.
func (o *OwnRetention) over(r Retention) Retention {
	if o == nil {
		return r
	}
	if o.Inbound != nil {
		r.Inbound = *o.Inbound
	}
	if o.Outbound != nil {
		r.Outbound = *o.Outbound
	}
	if len(o.Labels) > 0 {
		labels := make(map[string]float64, len(r.Labels)+len(o.Labels))
		maps.Copy(labels, r.Labels)
		maps.Copy(labels, o.Labels)
		r.Labels = labels
	}
	return r
}

// Shortest is the shortest time for which a message is kept; 0: all are kept for ever.
func (r Retention) Shortest() (least time.Duration) {
	list := []float64{r.Inbound, r.Outbound}
	for _, n := range r.Labels {
		list = append(list, n)
	}
	for _, n := range list {
		if d := days(n); d > 0 && (least == 0 || d < least) {
			least = d
		}
	}
	return least
}

// Ends is until when a message is kept; zero: for ever.
func (r Retention) Ends(m Message) time.Time {
	n, ruled := r.Inbound, false
	if m.Direction == Outbound {
		n = r.Outbound
	}
	for _, label := range m.Labels {
		of, ok := r.Labels[label]
		switch {
		case ok && of == 0:
			return time.Time{}
		case ok && (!ruled || of > n):
			n, ruled = of, true
		}
	}
	if n == 0 {
		return time.Time{}
	}
	return m.ReceivedAt.Add(days(n))
}

func days(n float64) time.Duration { return time.Duration(n * float64(24*time.Hour)) }

// Allowance is how much a mailbox may hold and do, as it is in force. 0: no limit.
type Allowance struct {
	Bytes, Messages            int64
	DailySends, InboundPerHour int64
	Retention                  Retention
}

// Bounded tells whether permanent mailboxes have a limit by default.
func (l Limits) Bounded() bool { return l.MailboxBytes > 0 || l.MailboxMessages > 0 }

// MailboxUse is what a permanent mailbox may use by default; what has no limit is more than anybody can use.
func (l Limits) MailboxUse() Use {
	u := Use{Bytes: l.MailboxBytes, Messages: l.MailboxMessages}
	for _, n := range []*int64{&u.Bytes, &u.Messages} {
		if *n == 0 {
			*n = math.MaxInt64
		}
	}
	return u
}

// Told is the least use of which owners are told, rounded down.
func (u Use) Told() Use {
	part := float64(quotaShares[0]) / 100
	return Use{Bytes: int64(float64(u.Bytes) * part), Messages: int64(float64(u.Messages) * part)}
}

// Allowance is that of a mailbox.
func (l Limits) Allowance(m Mailbox) Allowance {
	a := Allowance{Bytes: l.MailboxBytes, Messages: l.MailboxMessages, DailySends: int64(l.DailySends),
		InboundPerHour: l.InboundPerHour, Retention: l.Retention}
	if m.Scope == Provisional {
		a.Bytes, a.Messages = l.ProvisionalBytes, l.ProvisionalMessages
	}
	if m.Decided == nil || m.Decided.Limits == nil {
		return a
	}
	c := m.Decided.Limits
	for _, one := range []struct{ decided, to *int64 }{{c.Bytes, &a.Bytes}, {c.Messages, &a.Messages},
		{c.DailySends, &a.DailySends}, {c.InboundPerHour, &a.InboundPerHour}} {
		if one.decided != nil {
			*one.to = *one.decided
		}
	}
	a.Retention = c.Retention.over(a.Retention)
	return a
}

// Fits tells whether there is room for one more message of this size beside what is used.
func (a Allowance) Fits(used Use, size int64) bool {
	return (a.Bytes == 0 || used.Bytes+max(size, 1) <= a.Bytes) && (a.Messages == 0 || used.Messages < a.Messages)
}

// quotaShares are the percentages of a limit at which the owner of a mailbox is told, and quotaAgain is how far below
// one of them the use must have fallen before its owner is told of it again.
var quotaShares = [...]int64{80, 95}

const quotaAgain = 5

// QuotaTold is the last percentage of each limit that the owner of a mailbox was told of, and of which limit that was;
// 0: it was not noted.
type QuotaTold struct{ Bytes, Messages, OfBytes, OfMessages int64 }

// QuotaNotice is what an event says about how much of a limit is used.
type QuotaNotice struct {
	What        string // "bytes" or "messages"
	Percent     int64  // that was reached
	Used, Limit int64
}

// Notices returns what to tell the owner of a mailbox when its use has grown or its limits were changed, and the new
// record of what was told. When a limit was lowered, all of its notices are due again.
func (a Allowance) Notices(told QuotaTold, before, now Use) (list []QuotaNotice, then QuotaTold) {
	for _, one := range []struct {
		what               string
		told, of           *int64
		limit, before, now int64
	}{
		{"bytes", &told.Bytes, &told.OfBytes, a.Bytes, before.Bytes, now.Bytes},
		{"messages", &told.Messages, &told.OfMessages, a.Messages, before.Messages, now.Messages},
	} {
		if one.limit < *one.of {
			*one.told = 0
		}
		last := int64(0)
		for _, share := range quotaShares {
			switch {
			case one.limit == 0:
			case share <= *one.told && reaches(one.before, share-quotaAgain, one.limit):
				last = share
			case reaches(one.now, share, one.limit):
				list, last = append(list, QuotaNotice{one.what, share, one.now, one.limit}), share
			}
		}
		*one.told, *one.of = last, 0
		if last > 0 {
			*one.of = one.limit
		}
	}
	return list, told
}

// reaches tells whether used is at least so many percent of limit, without overflow.
func reaches(used, percent, limit int64) bool {
	return float64(used)*100 >= float64(limit)*float64(percent)
}

// Result gives a notice as an event has it.
func (n QuotaNotice) Result() Result {
	return Result{Status: n.What, Reason: strings.Join([]string{strconv.FormatInt(n.Percent, 10),
		strconv.FormatInt(n.Used, 10), strconv.FormatInt(n.Limit, 10)}, " ")}
}

// NoticeOf reads what Result wrote.
func NoticeOf(r Result) (n QuotaNotice) {
	n.What = r.Status
	parts := strings.Fields(r.Reason)
	for i, to := range []*int64{&n.Percent, &n.Used, &n.Limit} {
		if i < len(parts) {
			*to, _ = strconv.ParseInt(parts[i], 10, 64)
		}
	}
	return n
}
