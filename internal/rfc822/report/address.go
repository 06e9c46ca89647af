package report

import "strings"

// place is an address in a text.
type place struct {
	address    string
	start, end int
}

// nextAddress finds the first address in s at or after from. It reads what people and programs write into a text,
// not RFC 5322: no quoted local parts, no routes.
func nextAddress(s string, from int) (p place, ok bool) {
	for from < len(s) {
		at := strings.IndexByte(s[from:], '@')
		if at < 0 {
			return p, false
		}
		at += from
		start, end := at, at+1
		for start > from && isLocal(s[start-1]) {
			start--
		}
		for start < at && strings.IndexByte("'`/=.-*|", s[start]) >= 0 {
			start++ // quotes, bullets and the like
		}
		if at-start > len("smtp=") && strings.EqualFold(s[start:start+len("smtp=")], "smtp=") {
			start += len("smtp=") // an address in one of X.400: "dda:SMTP=a@example.com"
		}
		for end < len(s) && isDomain(s[end]) {
			end++
		}
		for end > at+1 && (s[end-1] == '.' || s[end-1] == '-') {
			end--
		}
		from = end
		if start < at && end > at+1 && end-start <= maxAddress && (isDotted(s[at+1:end]) || inBrackets(s, start, end)) {
			return place{s[start:end], start, end}, true
		}
	}
	return p, false
}

func isLocal(c byte) bool {
	return isAlphanumeric(c) || c >= 0x80 || strings.IndexByte(".!#$%&'*+/=?^_`{|}~-", c) >= 0
}

func isDomain(c byte) bool { return isAlphanumeric(c) || c == '.' || c == '-' || c >= 0x80 }

// isDotted says whether s may be a domain of the network.
func isDotted(s string) bool {
	dot := strings.LastIndexByte(s, '.')
	return dot > 0 && dot < len(s)-1
}

func inBrackets(s string, start, end int) bool {
	return start > 0 && end < len(s) && s[start-1] == '<' && s[end] == '>'
}

// addresses lists the addresses in a text, each once.
func addresses(s string) []string {
	var out []string
	for from := 0; len(out) < maxRecipients; {
		p, ok := nextAddress(s, from)
		if !ok {
			break
		}
		from = p.end
		out = appendAddress(out, p.address)
	}
	return out
}

// appendAddress adds an address that is not yet in the list.
func appendAddress(list []string, address string) []string {
	if hasAddress(list, address) {
		return list
	}
	return append(list, address)
}

func hasAddress(list []string, address string) bool {
	for _, a := range list {
		if strings.EqualFold(a, address) {
			return true
		}
	}
	return false
}

// cleanAddress makes an address of the value of a recipient field, "" where there is none.
func cleanAddress(value string) string {
	kind, s := cutType(value)
	if open := strings.IndexByte(s, '<'); open >= 0 {
		s = s[open+1:]
		if end := strings.LastIndexByte(s, '>'); end >= 0 {
			s = s[:end]
		}
	} else if strings.IndexByte(s, '"') < 0 {
		s, _, _ = strings.Cut(s, " ") // a comment follows
	}
	if colon := strings.LastIndexByte(s, ':'); colon > 0 && s[0] == '@' {
		s = s[colon+1:] // a route: @relay.example:a@example.com
	}
	if s = strings.Trim(s, " \t'<>,;"); len(s) > maxAddress || strings.ContainsAny(s, "\t\n") {
		return ""
	}
	if kind == "rfc822" {
		s = xtext.Replace(s)
	}
	return s
}

// xtext undoes the two escapes that RFC 3461 4 asks for. QUIRK: reports repeat ORCPT as it was given.
var xtext = strings.NewReplacer("+2B", "+", "+3D", "=")
