package record

import "strings"

// shape is a form that tracking numbers have. Its pattern is read from left to right: #4 are four digits, @2 two
// capital letters, *8 eight of both, #7-13 seven to thirteen, [HT] one of these, everything else stands for itself.
type shape struct {
	pattern string
	check   func(string) bool
	strong  bool // nothing else looks like this
}

// fits says whether a number has the form and the right check digit.
func (s shape) fits(number string) bool {
	return fits(s.pattern, number) && (s.check == nil || s.check(number))
}

func fits(pattern, s string) bool {
	for pattern != "" {
		part, rest, _ := strings.Cut(pattern, " ")
		pattern = rest
		least, most, kind := partOf(part)
		if kind == 0 {
			if !strings.HasPrefix(s, part) {
				return false
			}
			s = s[len(part):]
			continue
		}
		n := 0
		for n < len(s) && n < most && ofKind(kind, part, s[n]) {
			n++
		}
		if n < least {
			return false
		}
		s = s[n:]
	}
	return s == ""
}

// partOf reads a part of a pattern. Kind is 0 for what stands for itself.
func partOf(part string) (least, most int, kind byte) {
	switch part[0] {
	case '[':
		return 1, 1, '['
	case '#', '@', '*':
		a, b, spans := strings.Cut(part[1:], "-")
		least, _, _ = digits(a, 1, 2)
		most = least
		if spans {
			most, _, _ = digits(b, 1, 2)
		}
		return least, most, part[0]
	}
	return 0, 0, 0
}

func ofKind(kind byte, part string, b byte) bool {
	digit, letter := isDigit(b), 'A' <= b && b <= 'Z'
	switch kind {
	case '#':
		return digit
	case '@':
		return letter
	case '*':
		return digit || letter
	}
	return strings.IndexByte(part[1:len(part)-1], b) >= 0
}
