package mailbox

import (
	"slices"
	"strings"
	"time"
)

// List is one of the lists that people keep about whom a mailbox, or the whole deployment, writes to and hears from.
type List string

const (
	SendAllow  List = "send/allow"
	SendBlock  List = "send/block"
	ReplyAllow List = "reply/allow"
	ReplyBlock List = "reply/block"

	ReceiveAllow List = "receive/allow"
	ReceiveBlock List = "receive/block"
)

// Lists are all of them.
func Lists() []List {
	return []List{SendAllow, SendBlock, ReplyAllow, ReplyBlock, ReceiveAllow, ReceiveBlock}
}

// ParseList finds a list by what it is about and what it does.
func ParseList(name, action string) (List, bool) {
	l := List(name + "/" + action)
	return l, slices.Contains(Lists(), l)
}

// Allows tells whether it names those who are let through, and not those who are kept out.
func (l List) Allows() bool { return strings.HasSuffix(string(l), "/allow") }

// Listed is an entry of a list.
type Listed struct {
	Number    int64
	Mailbox   Num // 0: the deployment's
	List      List
	Pattern   Pattern
	Note      string
	ExpiresAt time.Time // zero: never
	CreatedAt time.Time
}

// Active reports whether an entry has not expired.
func (l Listed) Active(now time.Time) bool { return l.ExpiresAt.IsZero() || now.Before(l.ExpiresAt) }

// Level is what the lists of a mailbox, or those of the deployment, say about one address.
type Level struct {
	InUse []List   // those that have entries, of whatever address
	Found []Listed // active entries whose pattern names the address
}

func (l Level) has(list List) bool {
	return slices.ContainsFunc(l.Found, func(e Listed) bool { return e.List == list })
}

// RefusesSend is the list because of which nothing is sent to the address, empty where there is none. Block wins over
// allow. An allow list without entries allows everybody; one whose entries have expired allows nobody. The reply list
// excuses an answer to the address from the allow list for sending.
func (l Level) RefusesSend(answer bool) List {
	switch {
	case l.has(SendBlock):
		return SendBlock
	case answer && l.has(ReplyBlock):
		return ReplyBlock
	case slices.Contains(l.InUse, SendAllow) && !l.has(SendAllow) && !(answer && l.has(ReplyAllow)):
		return SendAllow
	}
	return ""
}

// Lets reports whether a list names the address as one that may be written to, or as one that may be answered.
func (l Level) Lets(answer bool) bool { return l.has(SendAllow) || answer && l.has(ReplyAllow) }

// RefusesMail is the list because of which mail that names the address as its author is not taken, empty where there is
// none. A block is of all such mail; the allow list lets in only what the author's domain vouches for.
func (l Level) RefusesMail(authentic bool) List {
	switch {
	case l.has(ReceiveBlock):
		return ReceiveBlock
	case slices.Contains(l.InUse, ReceiveAllow) && !(authentic && l.has(ReceiveAllow)):
		return ReceiveAllow
	}
	return ""
}
