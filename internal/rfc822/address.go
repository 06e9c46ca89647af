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
	carry := "" // of a name with a comma that should have been in quotes
	for s != "" && len(out) < maxAddresses {
		var item string
		var sep byte
		item, sep, s = cutAddress(s)
		m := scanMailbox(item)
		if sep == ':' {
			carry = ""
			continue // the name of a group: its members follow
		}
		// QUIRK: Doe, John <john@example.com>
		if sep == ',' && m.isName() && strings.IndexByte(nextAddress(s), '<') >= 0 {
			carry += item + ","
			continue
		}
		if carry != "" {
			m = scanMailbox(carry + item)
			carry = ""
		}
		if several := m.several(); several != nil {
			out = append(out, several...)
		} else if a := m.address(hint); a != (Address{}) {
			out = append(out, a)
		}
	}
	return out[:min(len(out), maxAddresses)]
}

// nextAddress is the item that s begins with.
func nextAddress(s string) string {
	item, _, _ := cutAddress(s)
	return item
}

// cutAddress takes one item off a list. sep is what ended it: a comma, the colon after a group's name, the
// semicolon after a group, or 0 at the end.
func cutAddress(s string) (item string, sep byte, rest string) {
	angle, route, at := false, false, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			i++
		case c == '"':
			i += max(quotedEnd(s[i:]), 1) - 1
		case c == '(':
			i += max(commentEnd(s[i:]), 1) - 1
		case c == '=' && i+1 < len(s) && s[i+1] == '?':
			if w, ok := parseWord(s[i:]); ok { // QUIRK: commas inside encoded words
				i += w.length - 1
			}
		case c == '<':
			angle, route = true, isRoute(s[i+1:])
		case c == '>':
			if angle && anotherFollows(s[i+1:]) {
				return s[:i+1], ',', s[i+1:]
			}
			angle = false
		case c == '@':
			at = true
		case c == ',' && !(angle && route), c == ';' && !angle:
			return s[:i], c, s[i+1:]
		case c == ':' && !angle && !at && !isMailto(s[:i]):
			return s[:i], c, s[i+1:]
		}
	}
	return s, 0, ""
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
