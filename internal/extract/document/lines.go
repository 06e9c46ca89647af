package document

import (
	"strings"
	"unicode/utf8"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// lines writes text with plain white space: no blanks at the end of a line, no more than one empty line. It takes no
// more than max bytes; then it is full, and what follows is dropped.
type lines struct {
	given  string // text that has its lines already, in the place of b
	b      []byte
	max    int
	full   bool
	breaks int
	tab    bool
	space  bool
}

// words writes text as it is, but for its line ends.
func (l *lines) words(s string) {
	for s != "" && !l.full {
		end := strings.IndexAny(s, " \t\r\n")
		if end < 0 {
			end = len(s)
		}
		if end > 0 {
			l.word(s[:end])
		}
		if s = s[end:]; s == "" {
			return
		}
		switch s[0] {
		case '\n':
			l.line()
		case '\t':
			l.tab = true
		default:
			l.space = true
		}
		s = s[1:]
	}
}

// word writes what has no white space, after what waits before it.
func (l *lines) word(s string) {
	if len(l.b) > 0 {
		switch {
		case l.breaks > 0:
			l.b = append(l.b, "\n\n"[:min(l.breaks, 2)]...)
		case l.tab:
			l.b = append(l.b, '\t')
		case l.space:
			l.b = append(l.b, ' ')
		}
	}
	l.breaks, l.tab, l.space = 0, false, false
	if len(l.b)+len(s) > l.max {
		s = s[:runeEnd(s, max(0, l.max-len(l.b)))]
		l.full = true
	}
	l.b = append(l.b, s...)
}

// line ends a line; twice leaves one empty.
func (l *lines) line() { l.breaks++ }

// lineEnd ends a line that has something in it.
func (l *lines) lineEnd() { l.breaks = max(l.breaks, 1) }

// cell ends a cell of a row: what was a line end inside it is a blank.
func (l *lines) cell() { l.tab = true }

func (l *lines) String() string {
	if l.given == "" {
		return string(printable(l.b[:min(len(l.b), l.max)]))
	}
	if isPrintable(l.given) {
		return l.given
	}
	return string(printable([]byte(l.given)))
}

// isPrintable says whether a text is plain ASCII with nothing to drop.
func isPrintable(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < ' ' || c >= 0x7f) && c != '\n' && c != '\t' && c != '\f' {
			return false
		}
	}
	return true
}

// runeEnd is the last end of a character at n or before it.
func runeEnd(s string, n int) int {
	return len(mailbox.Cut(s, n))
}

// printable drops what is no text: control characters but the form feed, which ends a page, and bytes that are not
// UTF-8. It works in place.
func printable(b []byte) []byte {
	out := b[:0]
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		switch {
		case r == utf8.RuneError && n == 1:
		case r < ' ' && r != '\n' && r != '\t' && r != '\f', r >= 0x7f && r < 0xa0, r == 0xfeff:
		default:
			out = append(out, b[i:i+n]...)
		}
		i += n
	}
	return out
}
