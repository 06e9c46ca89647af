package main

import (
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// Text from mail can hold what a terminal obeys: sequences that move the cursor, set the title, or answer on the
// keyboard's behalf, and marks that show text in another order than it has. Nothing of it reaches a terminal: every
// character that is not to be seen is replaced by one that is.

// visible is a character that can be shown: itself, or a stand-in.
func visible(r rune) rune {
	switch {
	case r == utf8.RuneError:
		return r
	case r < ' ':
		return '\u2400' + r // the picture of a control character
	case r == 0x7f:
		return '\u2421'
	case r >= 0x80 && r < 0xa0, isHidden(r):
		return utf8.RuneError
	}
	return r
}

// isHidden tells of a character that changes how others are shown, or that nobody sees.
func isHidden(r rune) bool {
	switch {
	// order, lines
	case r == 0x061c, r >= 0x200e && r <= 0x200f, r >= 0x2028 && r <= 0x202e, r >= 0x2060 && r <= 0x206f:
		return true
	case r == 0xfeff, r >= 0xfff9 && r <= 0xfffb, r >= 0xe0000 && r <= 0xe0fff: // marks, tags
		return true
	}
	return false
}

// line makes a text one line that can be shown. It has as many characters as before, so that positions in it stay
// right.
func line(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' || r == '\t' {
			return ' '
		}
		return visible(r)
	}, s)
}

// lines makes a text such that it can be shown, with its line breaks and tabs.
func lines(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return r
		}
		return visible(r)
	}, strings.ReplaceAll(s, "\r\n", "\n"))
}

// cleanJSON writes with escapes what JSON may hold as it is and a terminal should not get. It is the same JSON.
func cleanJSON(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for _, r := range string(b) {
		if r >= ' ' && visible(r) != r {
			out = appendEscape(out, r)
			continue
		}
		out = utf8.AppendRune(out, r)
	}
	return out
}

func appendEscape(out []byte, r rune) []byte {
	const digits = "0123456789abcdef"
	unit := func(u rune) {
		out = append(out, '\\', 'u', digits[u>>12&15], digits[u>>8&15], digits[u>>4&15], digits[u&15])
	}
	if r > 0xffff {
		unit(0xd800 + (r-0x10000)>>10)
		r = 0xdc00 + (r-0x10000)&0x3ff
	}
	unit(r)
	return out
}

// cleanWriter shows what is written to it as lines does. It is for a terminal that gets the bytes of a file.
type cleanWriter struct {
	w    io.Writer
	rest []byte // the beginning of a character
}

func (c *cleanWriter) Write(p []byte) (int, error) {
	text := append(c.rest, p...)
	end := len(text)
	for i := 1; i < utf8.UTFMax && i <= len(text); i++ {
		if utf8.RuneStart(text[len(text)-i]) {
			if !utf8.FullRune(text[len(text)-i:]) {
				end = len(text) - i
			}
			break
		}
	}
	c.rest = append([]byte(nil), text[end:]...)
	if _, err := io.WriteString(c.w, lines(string(text[:end]))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// columns is how many columns of a terminal a text takes that line has made.
func columns(s string) int {
	n := 0
	for _, r := range s {
		n += runeColumns(r)
	}
	return n
}

func runeColumns(r rune) int {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case r < 0x1100:
		return 1
	case r >= 0x1f300 && r <= 0x1faff: // pictures
		return 2
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// cut makes a text fit into a given number of columns, and says with … that there was more.
func cut(s string, most int) string {
	if columns(s) <= most {
		return s
	}
	n := 0
	for i, r := range s {
		w := runeColumns(r)
		if n+w > most-1 {
			return s[:i] + "…"
		}
		n += w
	}
	return s
}

// pad fills a text up to a given number of columns.
func pad(s string, to int) string {
	return s + strings.Repeat(" ", max(0, to-columns(s)))
}
