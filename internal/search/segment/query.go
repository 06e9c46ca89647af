package segment

import "fmt"

// What a query may consist of. Beyond it Eval gives ErrQuery.
const (
	maxDepth  = 32
	MaxLeaves = 192
	MaxSlots  = 512 // of all leaves
	MaxAlike  = 64  // alternatives of a slot
)

// Query is And, Or, First, Not, All or Leaf.
type Query interface{ isQuery() }

// And matches documents that match all its parts. One whose parts are all Not, or none, begins with every document.
type And []Query

// Or matches documents that match any of its parts.
type Or []Query

// First matches as Or does. A document is asked for its parts in turn, and after one that it has for no other: the
// leaves of those that follow tell nothing.
type First []Query

// Not matches every document that its part does not.
type Not struct{ Of Query }

// All matches every document.
type All struct{}

// Leaf matches documents that have its slots at consecutive positions of one field. With one slot it is a word, and
// reads no positions.
type Leaf struct {
	Slots  []Slot
	Fields uint8 // mask; 0 is any field
}

// Slot is what may be at one position: any of the terms, or a term with the prefix. Of a prefix a segment takes the 64
// terms that are in most documents, and all that are in four or less, of the first 2,048.
type Slot struct {
	Terms  []string
	Prefix string
	// Parts are terms of which one is at the same position where the slot stands for several words, as e is where email
	// stands for e-mail. The next slot is then up to MaxParts positions after it.
	Parts []string
}

// MaxParts is how many words one may stand for.
const MaxParts = 16

func (And) isQuery()   {}
func (Or) isQuery()    {}
func (First) isQuery() {}
func (Not) isQuery()   {}
func (All) isQuery()   {}
func (Leaf) isQuery()  {}

// Word is a leaf that matches any of the terms.
func Word(fields uint8, terms ...string) Leaf {
	return Leaf{Fields: fields, Slots: []Slot{{Terms: terms}}}
}

// Phrase is a leaf that matches the terms one after the other.
func Phrase(fields uint8, terms ...string) Leaf {
	l := Leaf{Fields: fields}
	for _, t := range terms {
		l.Slots = append(l.Slots, Slot{Terms: []string{t}})
	}
	return l
}

// Prefix is a leaf that matches any term that begins so.
func Prefix(fields uint8, prefix string) Leaf {
	return Leaf{Fields: fields, Slots: []Slot{{Prefix: prefix}}}
}

// Leaves returns the leaves in the order in which hits and frequencies name them: as written, those under Not too.
func Leaves(q Query) []Leaf {
	return appendLeaves(nil, q, maxDepth+1)
}

func appendLeaves(dst []Leaf, q Query, depth int) []Leaf {
	if depth == 0 {
		return dst
	}
	switch q := q.(type) {
	case And:
		for _, part := range q {
			dst = appendLeaves(dst, part, depth-1)
		}
	case Or:
		for _, part := range q {
			dst = appendLeaves(dst, part, depth-1)
		}
	case First:
		return appendLeaves(dst, Or(q), depth)
	case Not:
		dst = appendLeaves(dst, q.Of, depth-1)
	case Leaf:
		dst = append(dst, q)
	}
	return dst
}

// validate refuses what would cost too much to even begin.
func validate(q Query) error {
	if err := validateDepth(q, maxDepth); err != nil {
		return err
	}
	leaves := Leaves(q)
	if len(leaves) > MaxLeaves {
		return fmt.Errorf("%w: %d words and phrases", ErrQuery, len(leaves))
	}
	slots := 0
	for _, l := range leaves {
		slots += len(l.Slots)
		for _, s := range l.Slots {
			if len(s.Terms) > MaxAlike || len(s.Parts) > MaxAlike || len(s.Terms) == 0 && s.Prefix == "" {
				return fmt.Errorf("%w: a word with %d alternatives", ErrQuery, len(s.Terms))
			}
		}
		if len(l.Slots) == 0 || slots > MaxSlots {
			return fmt.Errorf("%w: a phrase of %d words", ErrQuery, len(l.Slots))
		}
	}
	return nil
}

func validateDepth(q Query, depth int) error {
	if depth == 0 {
		return fmt.Errorf("%w: nested too deep", ErrQuery)
	}
	var parts []Query
	switch q := q.(type) {
	case And:
		parts = q
	case Or:
		parts = q
	case First:
		parts = q
	case Not:
		parts = []Query{q.Of}
	case All, Leaf:
	default:
		return fmt.Errorf("%w: %T", ErrQuery, q)
	}
	for _, part := range parts {
		if err := validateDepth(part, depth-1); err != nil {
			return err
		}
	}
	return nil
}
