package rfc822

import "strings"

// addresses reads all fields of that name.
func (h Header) addresses(name string) []Address {
	var out []Address
	for _, f := range h.spans {
		if f.nameEnd-f.name == len(name) && strings.EqualFold(h.block[f.name:f.nameEnd], name) {
			list := parseAddresses(unfold(h.block[f.value:f.end]), h.charset)
			if out == nil { // most often it is the only one
				out = list
				continue
			}
			out = append(out, list...)
		}
	}
	return out
}

// maxAddresses bounds what one field gives.
const maxAddresses = 10_000

// parseAddresses reads an address list (RFC 5322 3.4) and whatever else is written in its place. hint is the
// character set of raw 8-bit names.
func parseAddresses(s, hint string) []Address {
	var out []Address
	lex := lexer{s: s}
	carry := -1 // where a name begins that has a comma, and should have been in quotes
	for at := 0; at < len(s) && len(out) < maxAddresses; {
		from := at
		end, sep, next := lex.cutAddress(at)
		at = next
		m := scanMailbox(s[from:end])
		if sep == ':' {
			carry = -1
			continue // the name of a group: its members follow
		}
		// QUIRK: Doe, John <john@example.com>
		if sep == ',' && m.isName() && lex.angleIn(at) {
			if carry < 0 {
				carry = from
			}
			continue
		}
		if carry >= 0 {
			m = scanMailbox(s[carry:end])
			carry = -1
		}
		if several := m.several(); several != nil {
			out = append(out, several...)
		} else if a := m.address(hint); a != (Address{}) {
			out = append(out, a)
		}
	}
	return out[:min(len(out), maxAddresses)]
}

// angleIn says whether the item that begins there has a bracket.
func (l *lexer) angleIn(from int) bool {
	end, _, _ := l.cutAddress(from)
	return strings.IndexByte(l.s[from:end], '<') >= 0
}

// cutAddress finds the end of the item of a list that begins there, and where the next one does. sep is what ended it:
// a comma, the colon after a group's name, the semicolon after a group, or 0 at the end.
func (l *lexer) cutAddress(from int) (end int, sep byte, next int) {
	s := l.s
	angle, route, at := false, false, false
	for i := from; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			i++
		case c == '"':
			i += max(quotedEnd(s[i:]), 1) - 1
		case c == '(':
			i += max(l.commentEnd(i), 1) - 1
		case c == '=' && i+1 < len(s) && s[i+1] == '?':
			if w, ok := l.word(i); ok { // QUIRK: commas inside encoded words
				i += w.length - 1
			}
		case c == '<':
			angle, route = true, isRoute(s[i+1:])
		case c == '>':
			if angle && anotherFollows(s[i+1:]) {
				return i + 1, ',', i + 1
			}
			angle = false
		case c == '@':
			at = true
		case c == ',' && !(angle && route), c == ';' && !angle:
			return i, c, i + 1
		case c == ':' && !angle && !at && !isMailto(s[from:i]):
			return i, c, i + 1
		}
	}
	return len(s), 0, len(s)
}

// anotherFollows says whether one more address in brackets comes before the next separator.
//
// QUIRK: lists without commas.
func anotherFollows(s string) bool {
	i := strings.IndexAny(s, "<,;\"(")
	return i > 0 && s[i] == '<' && trimSpace(s[:i]) != ""
}

// isRoute says whether what follows a bracket is the obsolete <@relay,@relay:user@host>.
func isRoute(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isBlank(s[i]) {
			return s[i] == '@'
		}
	}
	return false
}

// isMailto says whether what stands before a colon is that of a URL and not the name of a group.
func isMailto(s string) bool { return equalFold(trimSpace(s), "mailto") }

// quotedEnd is the length of the quoted string s begins with, 0 where it does not end.
func quotedEnd(s string) int {
	for i := 1; i < len(s) && i < maxComment; i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return 0
}
