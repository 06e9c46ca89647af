package catalogue

import (
	"slices"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Field is what a term is about.
type Field int

const (
	Text        Field = iota // anything that is searched: people, subject, body, names of files
	From                     // a part of the name or the address
	To                       // the same of any of the recipients; so are Cc, Bcc and ReplyTo
	Cc                       //
	Bcc                      //
	ReplyTo                  //
	Addressed                // any of those five
	Subject                  // a part of it
	MessageID                // a part of it
	Tag                      // a whole tag
	Seen                     // it was read
	Tagged                   // it has a tag
	Attachments              // it has files that are attached
	Inline                   // it has files that are shown in its text
	After                    // it came at this time or later
	Before                   // it came at this time or earlier
	Larger                   // it has more bytes
	Smaller                  // it has fewer bytes
)

// Term is a condition. Value is folded by Fold; of a tag only the case does not count.
type Term struct {
	Field Field
	Not   bool
	Value string
	At    time.Time
	Size  int64

	rare int // the place of its rarest character, counted from 1; 0: not yet known
}

// Query is what messages are looked for; all terms hold.
type Query struct {
	Terms []Term
	Until time.Time // only what came before; zero: everything
}

// Everything tells whether every message matches.
func (q *Query) Everything() bool { return len(q.Terms) == 0 && q.Until.IsZero() }

// needsCard tells whether a term can be decided only with a card, and needsText whether only with its text.
func (t *Term) needsCard() bool {
	return t.Field == Attachments || t.Field == Inline || t.Field <= MessageID
}

func (t *Term) needsText() bool { return t.Field == Text }

// NeedsText tells whether what matches cannot be decided without the bodies of messages.
func (q *Query) NeedsText() bool {
	return slices.ContainsFunc(q.Terms, func(t Term) bool { return t.needsText() })
}

// matches tells whether a term holds for a message. Its card has what the term needs.
func (t *Term) matches(m *mailbox.Message, c *Card) bool {
	switch t.Field {
	case After, Before: // the opposite of each includes the moment, too
		if t.Field == After != t.Not {
			return !m.ReceivedAt.Before(t.At)
		}
		return !m.ReceivedAt.After(t.At)
	case Larger, Smaller:
		if t.Field == Larger != t.Not {
			return m.Size > t.Size
		}
		return m.Size < t.Size
	}
	return t.holds(m, c) != t.Not
}

func (t *Term) holds(m *mailbox.Message, c *Card) bool {
	switch t.Field {
	case Seen:
		return m.Seen
	case Tag:
		return hasTag(m, t.Value)
	case Tagged:
		return len(mailbox.Tags(m.Labels)) > 0
	case Attachments:
		return c.Attachments > 0
	case Inline:
		return c.Inline > 0
	case Addressed:
		for f := From; f <= ReplyTo; f++ {
			if t.in(c.words.field(f)) {
				return true
			}
		}
		return false
	case Text:
		return t.in(c.words.head) || t.in(c.words.body)
	}
	return t.in(c.words.field(t.Field))
}

// in tells whether the value is a part of a text. It looks for the character of the value that is rare in texts, which
// is several times as fast as to look for the first one.
func (t *Term) in(s string) bool {
	if t.rare == 0 {
		t.rare = rarest(t.Value) + 1
	}
	at, n := t.rare-1, len(t.Value)
	if n == 0 {
		return true
	}
	c := t.Value[at]
	for looked, all := 0, len(s); n <= len(s); looked++ {
		if looked > (all-len(s)+256)/16 { // it is not rare here
			return strings.Contains(s, t.Value)
		}
		i := strings.IndexByte(s[at:len(s)-n+at+1], c)
		if i < 0 {
			return false
		}
		if s[i:i+n] == t.Value {
			return true
		}
		s = s[i+1:]
	}
	return false
}

// common are the characters of texts, the most frequent first.
const common = " etaoinsrhldcumfpgwybvkxjqz-/.:=0123456789@_"

// rarest is the place of the rarest character of a value.
func rarest(value string) (at int) {
	best := -1
	for i := range len(value) {
		rank := strings.IndexByte(common, value[i])
		if rank < 0 {
			rank = len(common)
		}
		if rank > best {
			at, best = i, rank
		}
	}
	return at
}

func hasTag(m *mailbox.Message, tag string) bool {
	for _, t := range mailbox.Tags(m.Labels) {
		if strings.EqualFold(t, tag) {
			return true
		}
	}
	return false
}
