package record

import (
	"html"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// quoteAt returns the size of the quote at the front, 0 if there is none.
func quoteAt(s string) int {
	switch {
	case s[0] == '"' || s[0] == '\'' || s[0] == '`':
		return 1
	case strings.HasPrefix(s, "“") || strings.HasPrefix(s, "”") || strings.HasPrefix(s, "„"):
		return 3
	case strings.HasPrefix(s, "&quot;"):
		return 6
	}
	return 0
}

// text reads a text in quotes.
func (r *jsonReader) text() string {
	size := quoteAt(r.s[r.i:])
	quote := r.s[r.i : r.i+size]
	r.repaired = r.repaired || quote != `"`
	r.i += size
	var b strings.Builder
	for r.i < len(r.s) {
		c := r.s[r.i]
		switch {
		case c == '\\' && r.i+1 < len(r.s):
			r.escape(&b)
			continue
		case r.closes(quote):
			return clean(b.String())
		case c == '\n' || c == '\r':
			r.repaired = true
			c = ' '
		}
		if b.Len() < maxJSONText {
			b.WriteByte(c)
		}
		r.i++
	}
	r.repaired = true
	return clean(b.String())
}

// clean resolves entities that were left in a text, and blanks.
func clean(s string) string {
	if strings.IndexByte(s, '&') >= 0 {
		s = html.UnescapeString(s)
	}
	return strings.ToValidUTF8(squeeze(s), "")
}

// closes says whether the quote at hand closes the text, and steps over it. One that stands inside a text is followed
// by more of it, not by a comma, a bracket or another name.
func (r *jsonReader) closes(quote string) bool {
	rest := r.s[r.i:]
	size := 0
	switch {
	case strings.HasPrefix(rest, quote):
		size = len(quote)
	case len(quote) == 3 && quoteAt(rest) == 3:
		size = 3
	default:
		return false
	}
	after := strings.TrimLeft(mailbox.Cut(rest[size:], farQuote), " \t\r\n")
	if after != "" && !endsText(after, quote) {
		r.repaired = true
		return false
	}
	r.i += size
	return true
}

// endsText says whether what follows a quote shows that it was the last of its text.
func endsText(after, quote string) bool {
	switch after[0] {
	case ',', '}', ']', ':', '=', '{', '[', ';', '/':
		return true
	case '<':
		return strings.HasPrefix(after, "<!--")
	}
	if quoteAt(after) > 0 { // a comma is missing, if it is a name that follows
		name := after[quoteAt(after):]
		end := strings.Index(name, quote)
		return end > 0 && end < 60 && strings.HasPrefix(strings.TrimLeft(name[end+len(quote):], " \t\r\n"), ":")
	}
	return false
}

// escape reads a backslash and what it stands for.
func (r *jsonReader) escape(b *strings.Builder) {
	c := r.s[r.i+1]
	r.i += 2
	switch c {
	case 'n', 'r', 't', 'b', 'f', '\n', '\r':
		b.WriteByte(' ')
	case 'u':
		b.WriteRune(r.unicode())
	default:
		b.WriteByte(c)
	}
}

// unicode reads the four digits of an escape, and the second half of a pair.
func (r *jsonReader) unicode() rune {
	first, ok := r.hex()
	if !ok {
		return 'u'
	}
	if !utf16.IsSurrogate(first) || !strings.HasPrefix(r.s[r.i:], `\u`) {
		return first
	}
	r.i += 2
	second, ok := r.hex()
	if !ok {
		return utf8.RuneError
	}
	return utf16.DecodeRune(first, second)
}

func (r *jsonReader) hex() (rune, bool) {
	if len(r.s)-r.i < 4 {
		return 0, false
	}
	n, err := strconv.ParseUint(r.s[r.i:r.i+4], 16, 32)
	if err != nil {
		return 0, false
	}
	r.i += 4
	return rune(n), true
}

// bare reads a number or a word without quotes.
func (r *jsonReader) bare(ends string) string {
	n := strings.IndexAny(r.s[r.i:], ends)
	if n < 0 {
		n = len(r.s) - r.i
	}
	word := strings.TrimSpace(r.s[r.i : r.i+n])
	if comment := strings.Index(word, " //"); comment >= 0 {
		word = strings.TrimSpace(word[:comment])
	}
	r.i += n
	return mailbox.Cut(word, 200)
}
