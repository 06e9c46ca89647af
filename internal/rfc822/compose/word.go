package compose

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"

	"github.com/mailkin/mailkin/internal/mailbox"
)

const (
	wordOpen   = "=?utf-8?q?"
	wordOpenB  = "=?utf-8?b?"
	wordClose  = "?="
	wordFrame  = len(wordOpen) + len(wordClose)
	maxWord    = 75             // RFC 2047 2
	leastWord  = wordFrame + 12 // room for any character in either encoding
	upperHexes = "0123456789ABCDEF"
)

// encoded writes s as encoded words in the shorter of the two encodings. No character is cut in two (RFC 2047 5).
func (h *header) encoded(s string) {
	fits, open := fittingQ, wordOpen
	if base64.StdEncoding.EncodedLen(len(s)) < escapedLength(s, isQ) {
		fits, open = fittingBase64, wordOpenB
	}
	for s != "" {
		room := lineLength - h.col - 1
		if room < leastWord {
			h.fold()
			room = lineLength - 1
		}
		n := fits(s, min(room, maxWord)-wordFrame)
		start := len(h.buf)
		h.buf = append(append(h.buf, ' '), open...)
		if open == wordOpenB {
			h.buf = base64.StdEncoding.AppendEncode(h.buf, []byte(s[:n]))
		} else {
			h.buf = appendQ(h.buf, s[:n])
		}
		h.buf = append(h.buf, wordClose...)
		h.col += len(h.buf) - start
		h.first = false
		s = s[n:]
	}
}

// fittingBase64 is how many bytes of s, whole characters, become at most room characters.
func fittingBase64(s string, room int) int {
	return len(mailbox.Cut(s, room/4*3))
}

func fittingQ(s string, room int) int { return fitting(s, room, isQ) }

// fitting is how many bytes of s, whole characters, fit into room where each takes three but those that plain says. It
// is at least one character.
func fitting(s string, room int, plain func(byte) bool) int {
	n := 0
	for n < len(s) {
		_, size := utf8.DecodeRuneInString(s[n:])
		if room -= escapedLength(s[n:n+size], plain); room < 0 && n > 0 {
			break
		}
		n += size
	}
	return n
}

// escapedLength is what s becomes where each byte takes three but those that plain says.
func escapedLength(s string, plain func(byte) bool) int {
	n := 0
	for i := range len(s) {
		n += 3
		if plain(s[i]) {
			n -= 2
		}
	}
	return n
}

// isQ is a character that takes one in an encoded word wherever that stands, also in a name (RFC 2047 5 (3)); a blank
// is an underscore.
func isQ(c byte) bool { return isAlphanumeric(c) || c == ' ' || strings.IndexByte("!*+-/", c) >= 0 }

func appendQ(dst []byte, s string) []byte {
	for i := range len(s) {
		switch c := s[i]; {
		case c == ' ':
			dst = append(dst, '_')
		case isQ(c):
			dst = append(dst, c)
		default:
			dst = append(dst, '=', upperHexes[c>>4], upperHexes[c&15])
		}
	}
	return dst
}
