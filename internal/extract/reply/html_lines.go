package reply

import (
	"strings"
	"unicode/utf8"
)

// splitMarked makes lines of a text with marks in it.
func splitMarked(text string) []line {
	s := markedText{ls: make([]line, 0, strings.Count(text, "\n")+1)}
	for l := range strings.SplitSeq(text, "\n") {
		s.split(l)
	}
	fences(s.ls)
	return s.ls
}

// markedText follows which marks are open.
type markedText struct {
	ls         []line
	depth      int
	head, sign bool
}

// split takes the marks out of a line.
func (s *markedText) split(l string) {
	for {
		at, mark, size := markIndex(l)
		if at < 0 {
			s.add(l)
			return
		}
		if strings.TrimSpace(l[:at]) != "" {
			s.add(l[:at])
		}
		s.mark(mark)
		if l = l[at+size:]; strings.TrimSpace(l) == "" {
			return
		}
	}
}

// markIndex finds the first mark.
func markIndex(l string) (at int, mark rune, size int) {
	for from := 0; ; {
		k := strings.IndexByte(l[from:], 0xf4)
		if k < 0 {
			return -1, 0, 0
		}
		r, n := utf8.DecodeRuneInString(l[from+k:])
		if r >= markQuote && r <= markThinRule {
			return from + k, r, n
		}
		from += k + 1
	}
}

func (s *markedText) mark(mark rune) {
	switch mark {
	case markQuote:
		s.depth++
		s.head, s.sign = false, false
	case markUnquote:
		s.depth = max(s.depth-1, 0)
	case markHead, markHeadEnd:
		s.head = mark == markHead
	case markSign, markSignEnd:
		s.sign = mark == markSign
	case markIntro:
		s.element(intro)
	case markHard:
		s.element(hard)
	case markRule:
		s.element(rule)
	case markThinRule:
		s.element(thinRule)
	}
}

// element adds a line that stands for an element. What is quoted is history already.
func (s *markedText) element(k kind) {
	if s.depth == 0 {
		s.sign = false
		s.ls = append(s.ls, line{kind: k})
	}
}

func (s *markedText) add(text string) {
	l := newLine(text)
	if s.depth > 0 {
		l = line{text: text, body: trim(text), depth: s.depth, made: true}
	}
	switch {
	case l.blank():
	case s.depth == 0 && s.head:
		l.kind = attribution
	case s.depth == 0 && s.sign:
		l.kind = dropped
	}
	s.ls = append(s.ls, l)
}
