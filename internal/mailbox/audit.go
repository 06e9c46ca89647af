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

// Follows says what is wrong with the first entry that does not continue a chain; empty: it does.
func (l AuditLink) Follows(a Audit) string {
	switch {
	case a.Seq == 0:
		return "it has no place in the chain"
	case a.Seq != l.Seq+1:
		return fmt.Sprintf("it comes after entry %d", l.Seq)
	case a.Previous != l.Hash:
		return "it does not have the hash of the entry before"
	case a.Hash != a.Sum():
		return "it does not have the hash of what it says"
	}
	return ""
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
	switch reason := c.Last.Follows(a); {
	case c.Broken != nil:
	case a.Seq == 0 && c.Entries == 0:
		c.Unchained++
	case reason != "":
		c.Broken = &AuditBreak{Seq: max(a.Seq, c.Last.Seq+1), At: a.At, Reason: reason}
	default:
		c.Entries++
		c.Last = a.Link()
	}
}

// End checks that the chain ends where it should.
func (c *AuditCheck) End(head AuditLink) {
	if c.Broken == nil && c.Last != head {
		c.Broken = &AuditBreak{Seq: c.Last.Seq + 1, Reason: fmt.Sprintf("the chain ends after entry %d, and should "+
			"end with entry %d", c.Last.Seq, head.Seq)}
	}
}
