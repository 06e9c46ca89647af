package rfc822

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
