package compose

import (
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// addressParser reads address syntax (RFC 5322 3.4 without its obsolete forms, RFC 6532).
type addressParser struct {
	s     string
	alone bool // s is one address and no list
	from  int  // where the address at hand begins
	pos   int
}

// peek is the next byte, 0 at the end.
func (p *addressParser) peek() byte {
	if p.pos == len(p.s) {
		return 0
	}
	return p.s[p.pos]
}

// until is where the first of the stops is after pos, outside quotes, or the end.
func (p *addressParser) until(stops string) int {
	for i := p.pos; i < len(p.s); i++ {
		if p.s[i] == '"' {
			n := mailbox.QuotedLength(p.s[i:])
			if n == 0 {
				break // it is not closed: nothing after it is outside
			}
			i += n - 1
		} else if strings.IndexByte(stops, p.s[i]) >= 0 {
			return i
		}
	}
	return len(p.s)
}

func (p *addressParser) blanks() {
	for p.peek() == ' ' {
		p.pos++
	}
}

// comments passes over blanks and comments.
func (p *addressParser) comments(ph *phrase) error {
	comment, err := p.space()
	if comment != "" {
		ph.comment = comment
	}
	return err
}

// space passes over blanks and comments (RFC 5322 3.2.2) and returns the text of the last comment.
func (p *addressParser) space() (comment string, err error) {
	for {
		p.blanks()
		if p.peek() != '(' {
			return comment, nil
		}
		var text strings.Builder
		depth := 0
		for ; ; p.pos++ {
			c := p.peek()
			switch {
			case c == 0:
				return "", p.wrong("a comment is not closed")
			case c == '\\' && p.pos+1 < len(p.s):
				p.pos++
				c = p.s[p.pos]
			case c == '(':
				if depth++; depth == 1 {
					continue
				}
			case c == ')':
				depth--
			}
			if depth == 0 {
				break
			}
			text.WriteByte(c)
		}
		p.pos++
		comment = strings.Trim(text.String(), " ")
	}
}

// quotedWord reads a word in quotes.
func (p *addressParser) quotedWord(ph *phrase) error {
	n := mailbox.QuotedLength(p.s[p.pos:])
	if n == 0 {
		return p.wrong("a quote is not closed")
	}
	ph.words = append(ph.words, unquote(p.s[p.pos:p.pos+n]))
	ph.from, ph.to, ph.quoted = p.pos, p.pos+n, true
	p.pos += n
	return nil
}

// atom reads a word without quotes. Dots are taken in names, as in "John Q. Public".
func (p *addressParser) atom(ph *phrase) {
	ph.from = p.pos
	for isAtext(p.peek()) || p.peek() == '.' {
		p.pos++
	}
	ph.to = p.pos
	ph.words = append(ph.words, p.s[ph.from:ph.to])
}

// unquote is the text of a quoted string.
func unquote(s string) string {
	s = s[1 : len(s)-1]
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		out = append(out, s[i])
	}
	return string(out)
}
