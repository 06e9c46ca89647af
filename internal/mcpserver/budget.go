package mcpserver

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Bounds of a result. Its JSON comes twice, as structure and as text, and has at most 40,000 characters in all, which
// is well under the 25,000 tokens that common clients take.
const (
	resultLimit   = 40000
	defaultBudget = 6000  // characters of mail in a result
	mostBudget    = 10000 // the same, if a call asks for more
	leastBudget   = 200
	entryBudget   = 2000 // of the text of one message in a list
	lineLimit     = 300  // of a subject, a name, a link's text
	wordLimit     = 100  // of an id, a label, a code
	fenceCost     = 160  // of the lines around a text
)

// cost is how many characters of JSON a character takes, in the more expensive of its two places and rounded up: inside
// the text, JSON is escaped twice, and <, > and & always.
func cost(r rune) int {
	switch {
	case r == '"' || r == '\\' || r == '\n' || r == '\t':
		return 3
	case r == '<' || r == '>' || r == '&' || r == '\u2028' || r == '\u2029':
		return 7
	case r >= utf8.RuneSelf: // clients count bytes, and tokens follow them
		return utf8.RuneLen(r)
	}
	return 1
}

// costOf is what a text takes of a budget.
func costOf(s string) int {
	n := 0
	for _, r := range s {
		n += cost(r)
	}
	return n
}

// clean makes a text one that can be read: lines end in one way, and what is neither seen nor a space is left out.
func clean(s string) string {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\r':
			return '\n'
		case r == '\n' || r == '\t':
			return r
		case unicode.IsControl(r), r >= 0xe0000 && r <= 0xe0fff: // tags: a way to write what only a model reads
			return -1
		// they show a text in another order than it is read in
		case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
			return -1
		}
		return r
	}, s)
}

// oneLine makes a text one line of bounded length.
func oneLine(s string) string {
	line := strings.Join(strings.Fields(clean(s)), " ")
	if strings.Contains(line, "---") {
		line = fenceLike().ReplaceAllString(line, "(imitates a fence)")
	}
	return shortened(line, lineLimit)
}

// fenceLike is what looks like a line of a fence, where there is none.
var fenceLike = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)-{3,} ?mail text .{0,60}?(begins|ends) ?-{3,}`)
})

// shortened is the beginning of a text.
func shortened(s string, budget int) string {
	end := fit(s, budget)
	if end == len(s) {
		return s
	}
	return s[:end] + "…"
}

// fit is how many bytes of a text are within a budget.
func fit(s string, budget int) int {
	for i, r := range s {
		if budget -= cost(r); budget < 0 {
			return i
		}
	}
	return len(s)
}

// piece is a part of a text.
type piece struct {
	text   string
	offset int // characters before it
	length int // its characters
	total  int // of the whole
}

// next is where the rest begins; 0: there is none.
func (p piece) next() int {
	if end := p.offset + p.length; end < p.total {
		return end
	}
	return 0
}

// cut takes a piece of a text, from a character on. It ends between words or lines where one is near.
func cut(s string, offset, budget int) piece {
	p := piece{total: utf8.RuneCountInString(s), offset: min(max(offset, 0), utf8.RuneCountInString(s))}
	rest := s
	for range p.offset {
		_, size := utf8.DecodeRuneInString(rest)
		rest = rest[size:]
	}
	end := fit(rest, budget)
	if end < len(rest) {
		if at := strings.LastIndexAny(rest[:end], "\n "); at > end/2 {
			end = at + 1
		}
	}
	p.text = rest[:end]
	p.length = utf8.RuneCountInString(p.text)
	return p
}
