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

// words is what searches compare: the head, which is short and always there, and the body, which is not.
type words struct {
	head  string        // people, subject and Message-ID, one behind the other
	ends  [heads]uint32 // where each of them ends in it; a space follows
	body  string        // the text, names of files, addresses of links
	known bool          // whether the body is there
}

// heads is how many fields a head has: From, To, Cc, Bcc, ReplyTo, Subject, MessageID, in the order of their numbers.
const heads = int(MessageID) - 1 // Addressed is none

// field is a part of the head.
func (w *words) field(f Field) string {
	if w.head == "" {
		return ""
	}
	from, i := uint32(0), int(f)-int(From)
	if f > Addressed { // which is no field of its own
		i--
	}
	if i > 0 {
		from = w.ends[i-1] + 1
	}
	return w.head[from:w.ends[i]]
}

// size is about how much memory the body of a card takes.
func (c *Card) size() int { return len(c.words.body) }

// bare is the card without its body.
func (c *Card) bare() *Card {
	out := *c
	out.words.body, out.words.known = "", false
	return &out
}

// Source is what the words of a card are made of.
type Source struct {
	Subject   string
	MessageID string
	Body      string
	Extra     []string // more to search: names of files, addresses of links
	Bare      bool     // the card is to have no body
}

// snippetMost is how many bytes of a text a list shows.
const snippetMost = 200

// Fill makes what a list shows of the text, and what searches compare.
func (c *Card) Fill(s Source) {
	c.Snippet = snippet(s.Body)
	var room [512]byte
	head := room[:0]
	for i, list := range [...][]mailbox.Address{{c.From}, c.To, c.Cc, c.Bcc, c.ReplyTo} {
		head = foldPeople(head, list)
		c.words.ends[i] = uint32(len(head))
		head = append(head, ' ')
	}
	head = foldOn(head, s.Subject)
	c.words.ends[5] = uint32(len(head))
	head = foldOn(append(head, ' '), s.MessageID)
	c.words.ends[6] = uint32(len(head))
	c.words.head = string(append(head, ' '))
	if c.words.known = !s.Bare; s.Bare {
		return
	}
	body := make([]byte, 0, len(s.Body)+len(c.ReturnPath)+2)
	body = foldOn(append(foldOn(body, c.ReturnPath), ' '), s.Body)
	for _, more := range s.Extra {
		body = foldOn(append(body, ' '), more)
	}
	c.words.body = string(body)
}

// foldPeople appends addresses as they are searched.
func foldPeople(b []byte, list []mailbox.Address) []byte {
	for i, a := range list {
		if i > 0 {
			b = append(b, ' ')
		}
		if a.Name != "" {
			b = append(foldOn(b, a.Name), ' ')
		}
		b = foldOn(b, a.Address)
	}
	return b
}

// Fold writes a text as searches compare it: in lower case, with one space for white space and for the signs that
// stand around names and addresses.
func Fold(s string) string { return string(foldOn(make([]byte, 0, len(s)), s)) }

// foldOn appends a folded text.
func foldOn(b []byte, s string) []byte {
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
