package mailbox

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// TheOperator is the operator as an actor.
const TheOperator = "operator"

// Audit is an entry of the log of what operators did, and of what owners changed.
type Audit struct {
	At      time.Time
	Action  string // the route, "PATCH /v1/mailbox", or what happened, "sign-in"
	Mailbox string // address
	Note    string
	// Actor is "operator", the id of a key, or "reviewer by mail" and an address; empty: it was noted before there
	// were actors.
	Actor string
	AuditFacts

	Seq            int64    // place in the chain, from 1; 0: it is from before the chain
	Previous, Hash [32]byte // of the entry before, and of this one
}

// Reads tells whether it changed nothing.
func (a Audit) Reads() bool {
	return strings.HasPrefix(a.Action, "GET ") || a.Action == "POST /v1/extract"
}

// AuditFacts are who did it, from where and with which request.
type AuditFacts struct {
	Name       string // of the operator or of the key
	Role       Role   // of an operator
	Credential string // id of the key or session, or AUTH_TOKEN
	Client     string // address that the request came from
	Request    string // its id, which the answer and the log carry, too
}

// Encode gives the facts as one text, for a store.
func (f AuditFacts) Encode() string { return encode(f) }

// DecodeAuditFacts reads what Encode wrote. Text that cannot be read yields no facts, which breaks the chain.
func DecodeAuditFacts(text string) (f AuditFacts) {
	_ = json.Unmarshal([]byte(text), &f)
	return f
}

// AuditTime is how the time of an entry is written where it is hashed.
const AuditTime = "2006-01-02T15:04:05.000Z"

// Sum is the hash that an entry should have: SHA-256 of the hash of the entry before and, each with its length in bytes
// before it and a comma behind it ("5:hello,"), of its members.
func (a *Audit) Sum() [32]byte {
	text := append([]byte(nil), a.Previous[:]...)
	for _, member := range []string{strconv.FormatInt(a.Seq, 10), a.At.UTC().Format(AuditTime), a.Action, a.Mailbox,
		a.Note, a.Actor, a.Name, string(a.Role), a.Credential, a.Client, a.Request} {
		text = append(strconv.AppendInt(text, int64(len(member)), 10), ':')
		text = append(append(text, member...), ',')
	}
	return sha256.Sum256(text)
}

// AuditLink is a place in the chain, and the hash of the entry there.
type AuditLink struct {
	Seq  int64
	Hash [32]byte
}

// Join appends an entry to the chain that ends with another one.
func (l AuditLink) Join(a Audit) Audit {
	a.Seq, a.Previous = l.Seq+1, l.Hash
	a.Hash = a.Sum()
	return a
}

// Link is the entry's own place.
func (a *Audit) Link() AuditLink { return AuditLink{a.Seq, a.Hash} }

// Follows says what is wrong where an entry does not continue a chain, and of which entry that is so; empty: it does.
// An entry that says what it was hashed for is as it was written, so that the one before is not, or is missing.
func (l AuditLink) Follows(a Audit) (broken int64, reason string) {
	place := l.Seq + 1
	switch {
	case a.Seq == 0:
		return place, "an entry without a place in the chain stands there"
	case a.Hash != a.Sum():
		return place, "it does not have the hash of what it says: it was changed"
	case a.Seq == place+1:
		return place, fmt.Sprintf("it is missing: entry %d follows entry %d", a.Seq, l.Seq)
	case a.Seq > place:
		return place, fmt.Sprintf("it and those up to entry %d are missing", a.Seq-1)
	case a.Seq < place:
		return place, fmt.Sprintf("entry %d stands in its place", a.Seq)
	case a.Previous != l.Hash && l.Seq == 0:
		return place, "it says that there was an entry before, and it is the first"
	case a.Previous != l.Hash:
		return l.Seq, fmt.Sprintf("entry %d has another hash of it: it was changed, and its hash, too", a.Seq)
	}
	return 0, ""
}

// AuditCheck verifies a chain, entry by entry.
type AuditCheck struct {
	Last      AuditLink // checked so far
	Entries   int       // of the chain
	Unchained int       // from before it
	Broken    *AuditBreak
}

// AuditBreak is the first entry that does not fit.
type AuditBreak struct {
	Seq    int64 // of the entry, or the place where one should be
	At     time.Time
	Reason string
}

// Add checks the next entry. An entry after the first that does not fit is not looked at.
func (c *AuditCheck) Add(a Audit) {
	switch broken, reason := c.Last.Follows(a); {
	case c.Broken != nil:
	case a.Seq == 0 && c.Entries == 0:
		c.Unchained++
	case reason != "":
		c.Break(broken, a.At, reason)
	default:
		c.Entries++
		c.Last = a.Link()
	}
}

// Break notes the first entry that does not fit.
func (c *AuditCheck) Break(seq int64, at time.Time, reason string) {
	if c.Broken == nil {
		c.Broken = &AuditBreak{Seq: seq, At: at, Reason: reason}
	}
}

// End checks that the chain ends where it should.
func (c *AuditCheck) End(head AuditLink) {
	switch {
	case c.Last == head:
	case c.Last.Seq == head.Seq:
		c.Break(head.Seq, time.Time{}, "it does not have the hash with which the chain ends: it was changed")
	default:
		c.Break(c.Last.Seq+1, time.Time{}, fmt.Sprintf("it is missing: the chain should end with entry %d", head.Seq))
	}
}
