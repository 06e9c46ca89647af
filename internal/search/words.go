package search

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Words is a word or a phrase of a query. It matches where the forms of its words follow each other in one field:
// "e-mail" is there where email is, or e and after it mail.
type Words struct {
	Text   string // as it was typed
	Fields Mask   // where to look
	Quoted bool
	Prefix bool // the last word may also be the beginning of a longer one, in PrefixFields

	arcs   []arc // sorted by from
	end    int   // the last node
	barred bool  // a mail that has them does not match, or not for that
}

// arc is a step from one node to another by a form. Nodes are the places between the words of the query, from 0 to
// Words.end.
type arc struct {
	from, to int
	text     string
	pair     bool // it covers one word more than it steps over, if another pair follows
	prefix   bool
}

// maxNodes bounds a phrase.
const maxNodes = 128

// minPrefix is how many characters a word needs to stand for longer ones.
const minPrefix = 2

// parseWords makes the words of a text. If it is not a phrase, what is parted by more than joints are words of their
// own. Their end says where in the text each of them ends.
func parseWords(text string, fields Mask, quoted bool) (words []*Words, ends []int) {
	s := scanner{src: text, field: Body, room: 16 * maxQuery, keep: true}
	s.scan()
	cuts := s.cuts(quoted)
	for i, from := range cuts {
		to := s.pos
		if i+1 < len(cuts) {
			to = cuts[i+1]
		}
		w := &Words{Fields: fields, Quoted: quoted}
		start, end := w.take(&s, from, min(to, from+maxNodes))
		if quoted {
			w.Text = strings.TrimSpace(text)
		} else {
			w.Text = text[start:end]
		}
		words, ends = append(words, w), append(ends, end)
	}
	return words, ends
}

// cuts are the positions at which words of their own begin. What comes from one character, as the words of ½ do, is not
// parted.
func (s *scanner) cuts(quoted bool) (at []uint32) {
	before := 0
	for i, t := range s.out {
		m := s.marks[i]
		if m.kind != part1 && m.kind != unit1 {
			continue
		}
		if t.Pos == 0 || !quoted && !m.glued && m.start >= before {
			at = append(at, t.Pos)
		}
		before = m.end
	}
	return at
}

// take makes arcs of the tokens at positions from and to, and says where in the source those are.
func (w *Words) take(s *scanner, from, to uint32) (start, end int) {
	pairs := make(map[uint32]bool)
	for i, t := range s.out {
		if s.marks[i].kind == pair && t.Pos >= from && t.Pos+2 <= to {
			pairs[t.Pos] = true
		}
	}
	start = len(s.src)
	for i, t := range s.out {
		next := t.Pos + uint32(t.Span)
		if t.Pos < from || next > to {
			continue
		}
		m := s.marks[i]
		start, end = min(start, m.start), max(end, m.end)
		a := arc{from: int(t.Pos - from), to: int(next - from), text: t.Text}
		switch {
		case m.kind == whole && isVersion(s.src[m.start:m.end]):
			continue // 10.0.0.1 is not 10001
		case m.kind == unit1 && (pairs[t.Pos] || t.Pos > 0 && pairs[t.Pos-1]):
			continue // the pairs say more
		case m.kind == pair:
			a.pair = true
			if pairs[t.Pos+1] {
				a.to--
			}
		}
		w.arcs = append(w.arcs, a)
	}
	w.end = int(to - from)
	slices.SortStableFunc(w.arcs, func(a, b arc) int { return a.from - b.from })
	w.arcs = slices.CompactFunc(w.arcs, func(a, b arc) bool { return a == b })
	return start, end
}

// isVersion tells versions and addresses of machines, such as 1.2.3, from numbers with points between their thousands:
// they have a single digit after a point, and more than one point.
func isVersion(text string) bool {
	parts := strings.Split(text, ".")
	single := false
	for i, p := range parts {
		if !isDigits(p) {
			return false
		}
		single = single || i > 0 && len(p) == 1
	}
	return single && len(parts) > 2
}

// beginning lets the last word stand for longer ones too, if it is long enough to.
func (w *Words) beginning() {
	if w.Fields&PrefixFields == 0 {
		return
	}
	for i := range w.arcs {
		a := &w.arcs[i]
		if a.to != w.end || a.pair || utf8.RuneCountInString(a.text) < minPrefix {
			continue
		}
		if r, _ := utf8.DecodeRuneInString(a.text); fold(r).class == cluster || fold(r).class == flag {
			continue
		}
		a.prefix, w.Prefix = true, true
	}
}

// String is the words as they are typed, with the field they are looked for in.
func (w *Words) String() string {
	text := w.Text
	switch text {
	case "OR", "AND", "NOT":
		text = strings.ToLower(text)
	}
	if w.Quoted {
		text = `"` + text + `"`
	}
	if w.Prefix {
		text += "*"
	}
	for f := Subject; int(f) < Fields; f++ {
		if w.Fields == f.Mask() {
			return f.String() + ":" + text
		}
	}
	return text
}
