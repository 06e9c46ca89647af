package compose

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// quotedLine is how long a line may be, its soft break included (RFC 2045 6.7).
const quotedLine = 76

// appendQuoted appends lines of a text in quoted-printable. Lines never begin with a dot or "From ", which some
// relays change (RFC 2049 3), and blanks at their ends are escaped.
func appendQuoted(dst []byte, text string) []byte {
	dst = slices.Grow(dst, len(text)+len(text)/4)
	for text != "" {
		line, rest, ended := strings.Cut(text, "\n")
		if dst = appendQuotedLine(dst, line); ended {
			dst = append(dst, '\r', '\n')
		}
		text = rest
	}
	return dst
}

func appendQuotedLine(dst []byte, line string) []byte {
	start := len(dst) // of the line that is written
	for i := 0; i < len(line); {
		if n := quotedRun(line[i:], quotedLine-1-(len(dst)-start)); n > 0 && len(dst) > start {
			dst = append(dst, line[i:i+n]...)
			i += n
			continue
		}
		n, width := quotedUnit(line, i, len(dst) == start)
		if room := quotedLine - (len(dst) - start); width > room || width == room && i+n < len(line) {
			dst = append(dst, '=', '\r', '\n')
			start = len(dst)
			continue
		}
		if width == 1 {
			dst = append(dst, line[i])
		} else {
			for _, c := range []byte(line[i : i+n]) {
				dst = append(dst, '=', upperHexes[c>>4], upperHexes[c&15])
			}
		}
		i += n
	}
	return dst
}

// quotedRun is how many bytes at the beginning of s, the rest of a line, are themselves there; at most room. What it
// leaves has to be looked at more closely.
func quotedRun(s string, room int) int {
	n := 0
	for n < len(s) && n < room && isQuotedPlain[s[n]] {
		n++
	}
	if n > 0 && n == len(s) && (s[n-1] == ' ' || s[n-1] == '\t') {
		n--
	}
	return n
}

// isQuotedPlain is what may be itself, depending on where it stands.
var isQuotedPlain = func() (table [256]bool) {
	for c := byte(' '); c <= '~'; c++ {
		table[c] = c != '='
	}
	table['\t'] = true
	return table
}()

// quotedUnit is what has to stay together at i, and the width it is written with: an ASCII character, or all bytes of
// another, so that nobody who reads line by line finds half of one.
func quotedUnit(line string, i int, atStart bool) (bytes, width int) {
	switch c := line[i]; {
	case c >= utf8.RuneSelf:
		_, n := utf8.DecodeRuneInString(line[i:])
		return n, 3 * n
	case c < ' ' && c != '\t' || c == '=' || c == 0x7f:
		return 1, 3
	case (c == ' ' || c == '\t') && i == len(line)-1:
		return 1, 3
	case atStart && (c == '.' || c == 'F' && strings.HasPrefix(line[i:], "From ")):
		return 1, 3
	}
	return 1, 1
}
