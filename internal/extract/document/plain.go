package document

import (
	"strings"

	"github.com/mailkin/mailkin/internal/extract/document/pdf"
	"github.com/mailkin/mailkin/internal/rfc822"
	"github.com/mailkin/mailkin/internal/view"
)

// extract reads d.data into d.out.
func (d *document) extract(f format) error {
	switch f {
	case html:
		d.html()
	case xmlText:
		return d.xmlText()
	case calendar:
		d.calendar(rfc822.Text(d.data, d.part.Charset))
	case rtf:
		return d.rtf()
	case message:
		d.message()
	case zipped:
		return d.zipped()
	case portable:
		return d.pdf()
	default:
		return d.plain()
	}
	return nil
}

// plain returns text as it is, with its own lines and blanks.
func (d *document) plain() error {
	s := rfc822.Text(d.data, d.part.Charset)
	if isBinary(s) {
		return errKind
	}
	if strings.IndexByte(s, '\r') >= 0 {
		s = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s)
	}
	d.give(strings.TrimRight(s, " \t\n"))
	return nil
}

// give takes text that needs no more than to be cut.
func (d *document) give(s string) {
	end := runeEnd(s, d.lim.Text)
	d.out.full = end < len(s)
	d.out.given = s[:end]
}

// isBinary says whether what was called text is none: by the control characters at its beginning.
func isBinary(s string) bool {
	head := s[:runeEnd(s, 4<<10)]
	odd := strings.Count(head, "\ufffd")
	for i := range len(head) {
		if c := head[i]; c < ' ' && c != '\n' && c != '\r' && c != '\t' && c != '\f' && c != 0x1b {
			odd++
		}
	}
	return odd*10 > len(head)
}

// html writes what a reader sees of a page.
func (d *document) html() {
	charset := d.part.Charset
	if charset == "" {
		charset = declared(d.data, "charset=")
	}
	d.give(view.ReadString(rfc822.Text(d.data, charset)).Text())
}

// declared is the character set a document says it is in, near its beginning.
func declared(b []byte, mark string) string {
	// Lower case may be longer than what it is made from, so that only one of the two has offsets.
	_, name, ok := strings.Cut(strings.ToLower(string(b[:min(len(b), HeadBytes)])), mark)
	if !ok {
		return ""
	}
	name = strings.TrimLeft(name, ` "'`)
	if end := strings.IndexAny(name, `"'?>; /`); end >= 0 {
		name = name[:end]
	}
	return name
}

// message writes the subject, who wrote it and the text of a nested message.
func (d *document) message() {
	lim := rfc822.DefaultLimits()
	lim.Text, lim.HTML, lim.Skim = int64(d.lim.Text), int64(d.lim.Text)*4, true
	m := rfc822.Parse(d.data, lim)
	var head strings.Builder
	line := func(name, value string) {
		if value != "" {
			head.WriteString(name + ": " + value + "\n")
		}
	}
	line("Subject", m.Subject)
	if len(m.From) > 0 {
		line("From", person(m.From[0].Name, m.From[0].Address))
	}
	if !m.Date.IsZero() {
		line("Date", m.Date.Format("2006-01-02 15:04 -0700"))
	}
	d.cut = m.TextTruncated
	d.give(strings.TrimSpace(head.String() + "\n" + m.Text))
}

// person is a name with an address.
func person(name, address string) string {
	switch {
	case name == "":
		return address
	case address == "":
		return name
	}
	return name + " <" + address + ">"
}

// pdf reads a PDF.
func (d *document) pdf() error {
	if !pdf.Is(d.data) {
		return errFormat
	}
	text, whole, err := pdf.Text(d.data, d.bud, d.lim.Text)
	switch err {
	case nil:
	case pdf.ErrPassword:
		return errKind
	default:
		return err
	}
	d.cut = !whole
	d.give(text)
	return nil
}
