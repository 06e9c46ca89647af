package search

import "unicode/utf8"

// unit is a character that is a word by itself.
type unit struct {
	ok         bool // there is one, and nothing parts it from what comes
	wrapped    bool // but a line break
	class      class
	start, end int
	text       string
}

// unit makes tokens of a character: alone, and with the one before it.
func (s *scanner) unit(u unit) {
	s.flush()
	if s.room == 0 {
		return
	}
	before := s.last
	s.emit(u.text, s.pos, 1, origin{u.start, u.end, unit1, !s.apart})
	if before.ok && paired(before.class, u.class) {
		s.emit(s.pairText(before, u), s.pos-1, 2, origin{before.start, u.end, pair, true})
	}
	s.apart = false
	s.pos++
	u.ok = true
	s.last = u
}

// paired tells whether two neighbours make a pair. Han, kana and Hangul do with each other.
func paired(a, b class) bool {
	if a == han || a == hangul {
		return b == han || b == hangul
	}
	return a == b && a != picture
}

// IsPair tells whether a token that covers two positions is a pair of characters that are words, and not a form of
// other words.
func IsPair(t Token) bool {
	r, _ := utf8.DecodeRuneInString(t.Text)
	switch fold(r).class {
	case han, hangul, cluster, flag:
		return t.Span == 2
	}
	return false
}

func (s *scanner) pairText(a, b unit) string {
	if text := s.src[a.start:b.end]; len(text) == len(a.text)+len(b.text) && len(text) <= MaxText &&
		text[:len(a.text)] == a.text && text[len(a.text):] == b.text {
		return text
	}
	s.scratch.reset()
	s.scratch.addText(a.text)
	s.scratch.addText(b.text)
	return s.scratch.copied(s)
}

// gap takes a character that parts words, or joins them to a compound.
func (s *scanner) gap(r rune) {
	s.apart = true
	if s.last.ok && r != '\r' {
		s.last.ok = r == '\n' && s.last.class == han && !s.last.wrapped
		s.last.wrapped = true
	}
	if s.n == 0 {
		return
	}
	if s.joint == 0 && s.joins(r) {
		s.joint = byte(r)
		return
	}
	s.flush()
}
