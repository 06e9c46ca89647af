package spf

import (
	"slices"
	"strconv"
	"strings"
)

// macro is %{letter digits r delimiters} (RFC 7208 7.1), or an escape.
type macro struct {
	literal string // what an escape stands for
	letter  byte   // in lower case, 0 for an escape
	escape  bool   // the letter was in upper case: the value is to be escaped as in a URL
	keep    int    // parts from the right, 0 for all
	reverse bool
	delims  string
}

// cutMacro splits a macro string before and after its first macro.
func cutMacro(s string) (before string, m macro, after string, ok bool) {
	before, s, has := strings.Cut(s, "%")
	if !has || s == "" {
		return before, m, "", !has
	}
	switch s[0] {
	case '%':
		return before, macro{literal: "%"}, s[1:], true
	case '_':
		return before, macro{literal: " "}, s[1:], true
	case '-':
		return before, macro{literal: "%20"}, s[1:], true
	}
	body, after, closed := strings.Cut(s, "}")
	if !closed || len(body) < 2 || body[0] != '{' {
		return before, m, "", false
	}
	m, ok = parseMacro(body[1:])
	return before, m, after, ok
}

func parseMacro(s string) (m macro, ok bool) {
	m.letter, m.escape = s[0]|0x20, isAlpha(s[0]) && s[0]&0x20 == 0
	// c, r and t are for explanations alone.
	if !isAlpha(s[0]) || !strings.ContainsRune("slodiphv", rune(m.letter)) {
		return m, false
	}
	s = s[1:]
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	if digits > 0 {
		n, err := strconv.Atoi(s[:digits])
		if n == 0 || err != nil {
			return m, false
		}
		m.keep, s = n, s[digits:]
	}
	if s != "" && s[0]|0x20 == 'r' {
		m.reverse, s = true, s[1:]
	}
	m.delims = s
	return m, strings.Trim(s, ".-+,/_=") == ""
}

// isMacroString is macro-string of 7.1.
func isMacroString(s string) bool {
	for s != "" {
		before, _, after, ok := cutMacro(s)
		if !ok || !isVisible(before) {
			return false
		}
		s = after
	}
	return true
}

func isVisible(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// isDomainSpec is domain-spec of 7.1: a macro string that ends in a macro or in a label that can be a top-level domain.
func isDomainSpec(s string) bool {
	if !isMacroString(s) || s == "" {
		return false
	}
	if s[len(s)-1] == '}' && strings.LastIndex(s, "%{") > strings.LastIndexByte(s[:len(s)-1], '}') {
		return true
	}
	s = strings.TrimSuffix(s, ".")
	dot := strings.LastIndexByte(s, '.')
	top := s[dot+1:]
	if dot < 0 || top == "" || isNumber(top) || top[0] == '-' || top[len(top)-1] == '-' {
		return false
	}
	return strings.IndexFunc(top, func(r rune) bool { return r >= 0x80 || !isAlnum(byte(r)) && r != '-' }) < 0
}

// Expand puts values in the place of a domain-spec's macros: value returns that of a letter of 7.2, in lower case, or
// false where it cannot.
func Expand(spec string, value func(letter byte) (string, bool)) (text string, ok bool) {
	var b strings.Builder
	for spec != "" {
		before, m, after, _ := cutMacro(spec)
		b.WriteString(before)
		b.WriteString(m.literal)
		if m.letter != 0 {
			v, ok := value(m.letter)
			if !ok {
				return "", false
			}
			b.WriteString(m.transform(v))
		}
		spec = after
	}
	return b.String(), true
}

// transform splits a value, keeps some of its parts, and joins them with dots (7.3).
func (m macro) transform(value string) string {
	if m.keep > 0 || m.reverse || m.delims != "" {
		delims := m.delims
		if delims == "" {
			delims = "."
		}
		parts := splitAny(value, delims)
		if m.reverse {
			slices.Reverse(parts)
		}
		if m.keep > 0 && m.keep < len(parts) {
			parts = parts[len(parts)-m.keep:]
		}
		value = strings.Join(parts, ".")
	}
	if m.escape {
		return escapeURL(value)
	}
	return value
}

func splitAny(s, delims string) []string {
	var parts []string
	for {
		i := strings.IndexAny(s, delims)
		if i < 0 {
			return append(parts, s)
		}
		parts = append(parts, s[:i])
		s = s[i+1:]
	}
}

// escapeURL leaves what RFC 3986 2.3 calls unreserved.
func escapeURL(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; isAlnum(c) || strings.IndexByte("-._~", c) >= 0 {
			b.WriteByte(c)
		} else {
			const digits = "0123456789ABCDEF"
			b.Write([]byte{'%', digits[c>>4], digits[c&15]})
		}
	}
	return b.String()
}
