package search

import (
	"strings"
	"time"
)

// Query is what was asked for. The zero Query is every mail.
type Query struct {
	Root *Node // nil: everything, or nothing if Void
	Void bool  // something was asked for, but there is no word in it: nothing matches

	words []*Words
}

// Words are the words and phrases of the query in the order they were typed, those that must not occur included. [Hits]
// and [Stats] are in this order.
func (q Query) Words() []*Words { return q.words }

// Within narrows the query to some fields. It is false where words are asked for that could only be in others.
func (q Query) Within(fields Mask) bool {
	for _, w := range q.words {
		if w.Fields &= fields; w.Fields == 0 {
			return false
		}
	}
	return true
}

// Op is what a node of a query is.
type Op uint8

const (
	And Op = iota
	Or
	Not   // has one kid
	Find  // words
	Where // a filter
	Count // holds for every mail: its kids are words that count for the rank alone
)

// Node is a part of a query.
type Node struct {
	Op     Op
	Kids   []*Node // of And, Or, Not and Count
	Words  *Words
	Filter Filter

	typed string // where String is to show this instead of the kids
}

// FilterKind is what a filter looks at.
type FilterKind uint8

const (
	Label     FilterKind = iota // has the label Value
	Has                         // has what Value says: HasAttachment, HasCode, HasLink
	Before                      // came before Time
	After                       // came at Time or later
	Seen                        // was seen if Yes, was not if not
	Direction                   // went out if Yes, came in if not
)

// What a mail can have.
const (
	HasAttachment = "attachment"
	HasCode       = "code"
	HasLink       = "link"
)

// Filter is a condition that is not about words.
type Filter struct {
	Kind  FilterKind
	Value string
	Time  time.Time
	Yes   bool
}

func (f Filter) String() string {
	switch f.Kind {
	case Label:
		return "label:" + f.Value
	case Has:
		return "has:" + f.Value
	case Before:
		return "before:" + dateText(f.Time)
	case After:
		return "after:" + dateText(f.Time)
	case Seen:
		return either(f.Yes, "is:seen", "is:unseen")
	}
	return either(f.Yes, "in:sent", "in:inbox")
}

func either(yes bool, a, b string) string {
	if yes {
		return a
	}
	return b
}

func dateText(t time.Time) string {
	t = t.UTC()
	if t.Equal(t.Truncate(24 * time.Hour)) {
		return t.Format(time.DateOnly)
	}
	return t.Format(time.RFC3339Nano)
}

// String is the query in its one canonical form, which parses to the same query.
func (q Query) String() string {
	if q.Root == nil {
		return ""
	}
	var b strings.Builder
	q.Root.write(&b, And)
	return b.String()
}

// write writes a node that stands in one of the kind outer.
func (n *Node) write(b *strings.Builder, outer Op) {
	switch {
	case n.typed != "" && outer == And:
		b.WriteString(n.typed)
	case n.typed != "":
		b.WriteString("(" + n.typed + ")")
	case n.Op == Find:
		b.WriteString(n.Words.String())
	case n.Op == Where:
		b.WriteString(n.Filter.String())
	case n.Op == Not:
		b.WriteByte('-')
		n.Kids[0].write(b, Not)
	default:
		n.writeKids(b, outer)
	}
}

func (n *Node) writeKids(b *strings.Builder, outer Op) {
	sep, group := " ", outer != And || b.Len() > 0
	if n.Op == Or {
		sep = " OR "
	}
	if group {
		b.WriteByte('(')
	}
	for i, k := range n.Kids {
		if i > 0 {
			b.WriteString(sep)
		}
		inner := n.Op
		if k.Op == And || k.Op == Or || n.Op == Or {
			inner = Not // always in parentheses
		}
		k.write(b, inner)
	}
	if group {
		b.WriteByte(')')
	}
}

// all puts nodes together, leaving out what is not there.
func all(op Op, nodes []*Node) *Node {
	kids := make([]*Node, 0, len(nodes))
	for _, n := range nodes {
		switch {
		case n == nil:
		case n.Op == op && n.typed == "":
			kids = append(kids, n.Kids...)
		default:
			kids = append(kids, n)
		}
	}
	switch len(kids) {
	case 0:
		return nil
	case 1:
		return kids[0]
	}
	return &Node{Op: op, Kids: kids}
}

func not(n *Node) *Node {
	switch {
	case n == nil:
		return nil
	case n.Op == Not:
		return n.Kids[0]
	}
	return &Node{Op: Not, Kids: []*Node{n}}
}
