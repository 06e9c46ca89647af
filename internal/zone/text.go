package zone

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxString is how long a string of a TXT record can be (RFC 1035 3.3). A longer text is several of them, which readers
// join.
const maxString = 255

// Quote is a text as the value of a TXT record in a zone file: strings in quotes, as many as it takes.
func Quote(text string) string {
	var b strings.Builder
	for start := 0; start == 0 || start < len(text); start += maxString {
		if start > 0 {
			b.WriteByte(' ')
		}
		b.WriteByte('"')
		for _, c := range []byte(text[start:min(start+maxString, len(text))]) {
			switch {
			case c == '"' || c == '\\':
				b.WriteString(`\` + string(c))
			case c < ' ' || c > '~':
				fmt.Fprintf(&b, `\%03d`, c)
			default:
				b.WriteByte(c)
			}
		}
		b.WriteByte('"')
	}
	return b.String()
}

// Line is the record as a line of a zone file.
func (r Record) Line() string {
	switch r.Type {
	case typeMX:
		return fmt.Sprintf("%s. IN MX %d %s.", r.Host, r.Priority, r.Value)
	case typeTXT:
		return fmt.Sprintf("%s. IN TXT %s", r.Host, Quote(r.Value))
	case typePTR, typeCNAME:
		return fmt.Sprintf("%s. IN %s %s.", r.Host, r.Type, r.Value)
	}
	return fmt.Sprintf("%s. IN %s %s", r.Host, r.Type, r.Value)
}

// Instructions tell a person what to do with the records.
func (p Plan) Instructions() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Add these records where the DNS of %s is managed, then verify the domain. "+
		"It may take from minutes to a day until everybody sees them.\n", p.Domain)
	for i, r := range p.Records() {
		value := r.Value
		if r.Type == typeMX {
			value = fmt.Sprintf("%s, with priority %d", value, r.Priority)
		}
		fmt.Fprintf(&b, "\n%d. %s at %s: %s\n   %s\n", i+1, r.Type, r.Host, value, r.Purpose)
	}
	b.WriteString("\nSome providers add the domain to the host by themselves: give them what is before ." + p.Domain +
		", or @ for the domain itself.\n")
	return b.String()
}

// printable is a text from elsewhere that may be shown: nothing in it moves a cursor or hides, and it has at most limit
// bytes.
func printable(s string, limit int) string {
	cut := len(s) > limit
	if cut {
		s = s[:limit]
		for len(s) > 0 && !utf8.RuneStart(s[len(s)-1]) {
			s = s[:len(s)-1]
		}
		if len(s) > 0 && s[len(s)-1] >= utf8.RuneSelf {
			s = s[:len(s)-1]
		}
	}
	s = strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, s)
	if cut {
		s += "…"
	}
	return s
}
