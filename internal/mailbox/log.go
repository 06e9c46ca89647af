package mailbox

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxLogged is how many bytes of a text from outside a log line has.
const maxLogged = 256

// Loggable makes a text from outside, such as an address or a host name, fit for a log line: bounded, and without
// characters that a terminal would obey or that are invisible.
func Loggable(s string) string {
	plain := len(s) <= maxLogged
	for i := 0; plain && i < len(s); i++ {
		plain = s[i] >= ' ' && s[i] < 0x7f
	}
	if plain {
		return s
	}
	return strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, Clip(s, maxLogged))
}
