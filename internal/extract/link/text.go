package link

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// readText finds the addresses in a plain text, at most max. Spans is memory for them.
func readText(spans []span, text string, max int) page {
	return page{text: text, spans: appendBare(spans, text, 0, len(text), max)}
}

// appendBare appends the addresses that stand in text[from:to].
func appendBare(spans []span, text string, from, to, max int) []span {
	signs := addressSigns{text: text[:to]}
	for i := from; i < to && len(spans) < max; {
		at := signs.next(i)
		if at < 0 {
			break
		}
		s, end := bareAt(text[:to], at, from)
		if s.url != "" {
			spans = append(spans, s)
		}
		i = end
	}
	return spans
}

// addressSigns goes through a text by what addresses have and text has seldom: the colon of "http:", the full stop of
// "www.". It keeps where the next ones are, so that no part of the text is looked at twice.
type addressSigns struct {
	text       string
	colon, dot int
}

// next is where "http" or "www." is next, from start on, -1 if nowhere. A start must be after where the last one was
// found.
func (a *addressSigns) next(start int) int {
	const www = len("www")
	a.colon, a.dot = a.find(':', a.colon, start), a.find('.', a.dot, start+www)
	for a.colon < len(a.text) || a.dot < len(a.text) {
		if a.colon < a.dot-www || a.dot == len(a.text) {
			if at := schemeBefore(a.text, a.colon, start); at >= 0 {
				return at
			}
			a.colon = a.find(':', a.colon, a.colon+1)
			continue
		}
		if at := a.dot - www; a.text[at]|0x20 == 'w' && isWWW(a.text[at:]) && (at == start || isWordStart(a.text, at)) {
			return at
		}
		a.dot = a.find('.', a.dot, a.dot+1)
	}
	return -1
}

// find is where a sign is next, from start on, if known is where it was found before. The end of the text is nowhere.
func (a *addressSigns) find(sign byte, known, start int) int {
	if known >= start && known > 0 {
		return known
	}
	if start < len(a.text) {
		if a.text[start] == sign {
			return start
		}
		if n := strings.IndexByte(a.text[start:], sign); n >= 0 {
			return start + n
		}
	}
	return len(a.text)
}

// schemeBefore is where the scheme begins that ends with the colon, -1 if there is none from start on.
func schemeBefore(text string, colon, start int) int {
	if !strings.HasPrefix(text[colon+1:], "//") {
		return -1
	}
	for _, scheme := range [...]string{"https", "http"} {
		if at := colon - len(scheme); at >= start && strings.EqualFold(text[at:colon], scheme) {
			return at
		}
	}
	return -1
}

func isWWW(s string) bool { return len(s) > len("www.") && strings.EqualFold(s[:len("www.")], "www.") }

// isWordStart tells whether no letter, digit or sign of an address is before s[i].
func isWordStart(s string, i int) bool {
	if i == 0 {
		return true
	}
	c := s[i-1]
	return c <= ' ' || strings.IndexByte("<>()[]{}\"'*|,;:=", c) >= 0 || c >= utf8.RuneSelf
}

// bareAt reads the address at text[i:], and tells where to go on. Without a scheme, as www., it is taken for https.
func bareAt(text string, i, from int) (span, int) {
	if s, end, ok := bracketed(text, i, from); ok {
		return s, end
	}
	end := i + addressLength(text[i:])
	if end-i > maxURL || strings.HasPrefix(text[end:], "](") {
		return span{}, end // or the text of a link in Markdown
	}
	if i > from && text[i-1] == '(' {
		end = i + untilClosed(text[i:end])
	}
	end = i + len(trimEnd(text[i:end]))
	if strings.HasPrefix(text[end:], "…") && strings.Count(text[i:end], "/") > 2 {
		return span{}, end // cut short for showing
	}
	if end <= i {
		return span{}, i + 1
	}
	s := span{start: i, end: end, bare: true, url: bareURL(text[i:end]), label: markdownLabel(text, i, from)}
	return s, end
}

func bareURL(written string) string {
	if schemeLength(written) == 0 {
		if strings.Count(written, ".") < 2 {
			return ""
		}
		written = "https://" + written
	}
	u, _ := validTarget(written)
	return u
}

// validTarget is target for addresses in text: the host must have a dot, or be an address or a name that people use.
func validTarget(written string) (string, bool) {
	u, ok := target(written)
	if !ok {
		return "", false
	}
	host := hostOf(u)
	if strings.IndexByte(host, '.') < 0 && host != "localhost" && !strings.HasPrefix(host, "[") &&
		host[len(host)-1] < utf8.RuneSelf {
		return "", false
	}
	return u, true
}

// bracketed reads an address in angle brackets, which may go over several lines (RFC 3986 C).
func bracketed(text string, i, from int) (span, int, bool) {
	before := strings.TrimSuffix(text[from:i], "URL:")
	if !strings.HasSuffix(before, "<") {
		return span{}, 0, false
	}
	const longest = 2_000
	inside := text[i:min(len(text), i+longest)]
	n := strings.IndexAny(inside, "<>\"")
	if n < 0 || inside[n] != '>' || strings.Contains(inside[:n], "\n\n") {
		return span{}, 0, false
	}
	for line := range strings.SplitSeq(inside[:n], "\n") {
		if strings.ContainsAny(strings.TrimSpace(line), " \t") {
			return span{}, 0, false
		}
	}
	u := bareURL(strings.Join(strings.Fields(inside[:n]), ""))
	if u == "" {
		return span{}, 0, false
	}
	return span{start: i, end: i + n, bare: true, url: u, label: u}, i + n, true
}

// addressLength is how far an address may go: up to white space, brackets and quotes, and signs of scripts that write
// no spaces. Their letters end an address as well, unless they stand where a word of it may begin.
func addressLength(s string) int {
	for i, r := range s {
		if i > maxURL {
			return i // too long in any case
		}
		if r < utf8.RuneSelf {
			if r == ']' && strings.HasPrefix(s[i:], "](") {
				return i
			}
			if r <= ' ' || r == '<' || r == '>' || r == '"' || r == '`' || r == '|' || r == '\\' || r == 0x7f ||
				r == '^' {
				return i
			}
			continue
		}
		if !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsNumber(r) || isDense(r) && glued(s[:i]) {
			return i
		}
	}
	return len(s)
}

// isDense tells of the scripts that part no words.
func isDense(r rune) bool {
	return r >= 0x0E00 && r < 0x1100 || r >= 0x1780 && r < 0x1800 || r >= 0x2E80
}

// glued tells whether a letter of a dense script after s belongs to the sentence, not to the address.
func glued(s string) bool {
	c := s[len(s)-1]
	if c >= utf8.RuneSelf {
		return false // it goes on as it began
	}
	_, rest, _ := strings.Cut(s, "//")
	if strings.IndexByte(rest, '/') < 0 {
		return strings.IndexByte(rest, '.') >= 0 && c != '.'
	}
	return strings.IndexByte("/=-_", c) < 0
}

// untilClosed is how much of s is before a bracket that was opened before it.
func untilClosed(s string) int {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				return i
			}
		}
	}
	return len(s)
}

// trimEnd takes off the punctuation of the sentence, and closing brackets that the address did not open.
func trimEnd(s string) string {
	opened, closed := counts(s, "([{"), counts(s, ")]}")
	for len(s) > 0 {
		c := s[len(s)-1]
		switch c {
		case '.', ',', ';', ':', '!', '?', '\'', '*':
		case ')', ']', '}':
			k := strings.IndexByte(")]}", c)
			if closed[k] <= opened[k] {
				return s
			}
			closed[k]--
		default:
			return s
		}
		s = s[:len(s)-1]
	}
	return s
}

// counts counts each of three signs in s.
func counts(s, set string) (n [3]int) {
	for i := range len(s) {
		if k := strings.IndexByte(set, s[i]); k >= 0 {
			n[k]++
		}
	}
	return n
}

// markdownLabel is the text before an address that is written [text](address), empty if it is not.
func markdownLabel(text string, i, from int) string {
	before, ok := strings.CutSuffix(text[max(from, i-maxText):i], "](")
	if !ok {
		return ""
	}
	if at := strings.LastIndexAny(before, "[\n"); at >= 0 && before[at] == '[' {
		return before[at+1:]
	}
	return ""
}
