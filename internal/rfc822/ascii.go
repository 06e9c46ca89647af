package rfc822

import "strings"

// Small predicates on bytes: mail syntax is ASCII, and the unicode package's idea of a space is not mail's.

// isBlank is a space or a tab (RFC 5322 WSP).
func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// isSpace is a blank or part of a line end.
func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }

// trimSpace is b without the white space around it.
func trimSpace[T string | []byte](b T) T {
	for len(b) > 0 && isSpace(b[0]) {
		b = b[1:]
	}
	for len(b) > 0 && isSpace(b[len(b)-1]) {
		b = b[:len(b)-1]
	}
	return b
}

// trimLineEnd is b without the line ends at its end.
func trimLineEnd[T string | []byte](b T) T {
	for len(b) > 0 && (b[len(b)-1] == '\n' || b[len(b)-1] == '\r') {
		b = b[:len(b)-1]
	}
	return b
}

// isOneLine says that there is no line end in s.
func isOneLine(s string) bool {
	return strings.IndexByte(s, '\n') < 0 && strings.IndexByte(s, '\r') < 0
}

// isPlain says that s has nothing but letters, digits and the signs that most addresses and ids have: there is nothing
// in it to decode or to clean.
func isPlain(s string) bool {
	for i := range len(s) {
		if !plainSigns[s[i]] {
			return false
		}
	}
	return true
}

var plainSigns = func() (of [256]bool) {
	for c := range of {
		of[c] = isAlphanumeric(byte(c)) || strings.IndexByte(".@_-+=$", byte(c)) >= 0
	}
	return of
}()

// isToken says whether c may stand in a MIME token (RFC 2045 5.1).
func isToken(c byte) bool {
	if c <= ' ' || c >= 0x7f {
		return false
	}
	switch c {
	case '(', ')', '<', '>', '@', ',', ';', ':', '\\', '"', '/', '[', ']', '?', '=':
		return false
	}
	return true
}

// lower is the lower-case form of an ASCII letter.
func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// hasFold says whether b begins with prefix, which is lower-case, in any case.
func hasFold[T string | []byte](b T, prefix string) bool {
	if len(b) < len(prefix) {
		return false
	}
	for i := range len(prefix) {
		if lower(b[i]) != prefix[i] {
			return false
		}
	}
	return true
}

// equalFold says whether b is word, which is lower-case, in any case.
func equalFold[T string | []byte](b T, word string) bool {
	return len(b) == len(word) && hasFold(b, word)
}

// isAlphanumeric is an ASCII letter or digit.
func isAlphanumeric(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= lower(c) && lower(c) <= 'z'
}
