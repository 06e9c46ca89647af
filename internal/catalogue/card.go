package catalogue

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Card is what is known of a message beside its row, and never changes. Fields are read only.
type Card struct {
	From                 mailbox.Address
	To, Cc, Bcc, ReplyTo []mailbox.Address
	ReturnPath           string
	Username             string // under which its sender logged in
	Attachments, Inline  int
	Snippet              string

	words words
}

// words is what searches compare: one text, of which the fields are parts.
type words struct {
	all                                            string
	from, to, cc, bcc, replyTo, subject, messageID string
	known                                          bool // false: it was dropped to save room
}

// size is about how much memory the text of a card takes.
func (c *Card) size() int { return len(c.words.all) }

// bare is the card without its text.
func (c *Card) bare() *Card {
	out := *c
	out.words = words{}
	return &out
}

// Source is what the text of a card is made of.
type Source struct {
	Subject   string
	MessageID string
	Body      string
	Extra     []string // more to search: names of files, addresses of links
}

// snippetMost is how many bytes of a text a list shows.
const snippetMost = 200

// Fill makes what a list shows of the text, and what searches compare.
func (c *Card) Fill(s Source) {
	b := make([]byte, 0, len(s.Body)+len(s.Subject)+500)
	part := func(s string) (from, to int) {
		from = len(b)
		b = fold(b, s)
		to = len(b)
		b = append(b, ' ')
		return from, to
	}
	type span struct{ from, to int }
	spans := make([]span, 0, 7)
	for _, s := range []string{people(c.From), people(c.To...), people(c.Cc...), people(c.Bcc...),
		people(c.ReplyTo...), s.Subject, s.MessageID} {
		from, to := part(s)
		spans = append(spans, span{from, to})
	}
	part(c.ReturnPath)
	part(s.Body)
	for _, name := range s.Extra {
		part(name)
	}
	all := string(b)
	cut := func(i int) string { return all[spans[i].from:spans[i].to] }
	c.words = words{all: all, from: cut(0), to: cut(1), cc: cut(2), bcc: cut(3), replyTo: cut(4), subject: cut(5),
		messageID: cut(6), known: true}
	c.Snippet = snippet(s.Body)
}

// people writes addresses as they are searched.
func people(list ...mailbox.Address) string {
	var b strings.Builder
	for _, a := range list {
		b.WriteString(a.Name)
		b.WriteByte(' ')
		b.WriteString(a.Address)
		b.WriteByte(' ')
	}
	return b.String()
}

// Fold writes a text as searches compare it: in lower case, with one space for white space and for the signs that
// stand around names and addresses.
func Fold(s string) string { return string(fold(make([]byte, 0, len(s)), s)) }

// fold appends a folded text.
func fold(b []byte, s string) []byte {
	space, begun := false, len(b)
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf { // mail is mostly that
			i++
			if c = ascii[c]; c == ' ' {
				space = len(b) > begun
				continue
			}
			if space {
				b, space = append(b, ' '), false
			}
			b = append(b, c)
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n
		if separates(r) {
			space = len(b) > begun
			continue
		}
		if space {
			b, space = append(b, ' '), false
		}
		b = utf8.AppendRune(b, unicode.ToLower(r))
	}
	return b
}

// ascii is what each character of ASCII is folded to.
var ascii = func() (table [utf8.RuneSelf]byte) {
	for c := range table {
		table[c] = byte(unicode.ToLower(rune(c)))
		if separates(rune(c)) {
			table[c] = ' '
		}
	}
	return table
}()

func separates(r rune) bool {
	switch r {
	case ' ', '\t', '\r', '\n', '\v', '\f', 0x85, 0xa0, 0xfeff, 0x2028, 0x2029, '<', '>', '"', ',', ';', '(', ')':
		return true
	}
	return false
}

// snippet is the beginning of a text in one line.
func snippet(text string) string {
	var b strings.Builder
	space := false
	for _, r := range text {
		if r <= ' ' || r == 0xfeff || r == 0xa0 {
			space = b.Len() > 0
			continue
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		if b.Len()+utf8.RuneLen(r) > snippetMost {
			return strings.TrimRight(b.String(), " ") + "..."
		}
		b.WriteRune(r)
	}
	return b.String()
}
