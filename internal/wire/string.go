package wire

import (
	"unicode/utf8"

	"github.com/mailkin/mailkin/api"
)

const hexDigits = "0123456789abcdef"

// plain marks the bytes that a JSON string holds as they are: printable ASCII without quote and backslash.
var plain = func() (table [256]bool) {
	for c := 0x20; c < utf8.RuneSelf; c++ {
		table[c] = c != '"' && c != '\\'
	}
	return table
}()

// appendString writes s as a JSON string, byte for byte as encoding/json does without HTML escaping: invalid UTF-8
// becomes U+FFFD, and the line separators that JavaScript stumbles over are escaped.
func appendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	dst = appendEscaped(dst, s)
	return append(dst, '"')
}

func appendEscaped(dst []byte, s string) []byte {
	start := 0
	for i := 0; i < len(s); {
		for i+8 <= len(s) && allPlain(s[i:i+8]) {
			i += 8
		}
		for i < len(s) && plain[s[i]] {
			i++
		}
		if i == len(s) {
			break
		}
		if s[i] < utf8.RuneSelf {
			dst = append(dst, s[start:i]...)
			dst = appendControl(dst, s[i])
			i++
			start = i
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			dst = append(append(dst, s[start:i]...), `\ufffd`...)
		case r == '\u2028' || r == '\u2029':
			dst = append(append(dst, s[start:i]...), `\u202`...)
			dst = append(dst, hexDigits[r&0xf])
		default:
			i += size
			continue
		}
		i += size
		start = i
	}
	return append(dst, s[start:]...)
}

// allPlain tells of eight bytes at once whether all are plain: in which a subtraction borrows, or the top bit is set,
// is not.
func allPlain(s string) bool {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	_ = s[7]
	x := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
	control := x - ' '*ones
	quote := (x ^ '"'*ones) - ones
	backslash := (x ^ '\\'*ones) - ones
	return (x|control|quote|backslash)&tops == 0
}

func appendControl(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, '\\', 'b')
	case '\f':
		return append(dst, '\\', 'f')
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}
	return append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&0xf])
}

func appendStrings(dst []byte, list []string) []byte {
	dst = append(dst, '[')
	for i, s := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(dst, s)
	}
	return append(dst, ']')
}

// null is a string that is null where there is nothing to say.
type null = api.NullString

// listed makes an empty list of one that is nil.
func listed[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
