package report

import (
	"bytes"
	"io"
	"strings"

	"github.com/mailkin/mailkin/internal/rfc822"
)

// document is the mail at hand.
type document struct {
	m   *rfc822.Message
	raw io.ReaderAt
	shape
}

// shape says which parts make up a report. What lies inside a returned message is not among them.
type shape struct {
	status      *rfc822.Part // message/delivery-status
	feedback    *rfc822.Part // message/feedback-report
	disposition *rfc822.Part // message/disposition-notification
	returned    *rfc822.Part // the original message, or its header
	inner       *rfc822.Part // a delivery-status inside the returned message
}

// shapeOf finds the first part of each kind.
func shapeOf(parts []rfc822.Part) (s shape) {
	var inside int64 // where the returned message ends
	for i := range parts {
		p := &parts[i]
		nested := p.Offset < inside
		switch p.ContentType {
		case "message/delivery-status", "message/global-delivery-status":
			if nested {
				s.inner = first(s.inner, p)
			} else {
				s.status = first(s.status, p)
			}
		case "message/feedback-report":
			if !nested {
				s.feedback = first(s.feedback, p)
			}
		case "message/disposition-notification", "message/global-disposition-notification":
			if !nested {
				s.disposition = first(s.disposition, p)
			}
		case "message/rfc822", "message/global", "message/partial":
			if !nested {
				s.returned = first(s.returned, p)
				inside = p.Offset + p.Length
			}
		case "text/rfc822-headers", "text/rfc822-header", "text/rfc822", "message/global-headers":
			if !nested {
				s.returned = first(s.returned, p)
			}
		}
	}
	return s
}

func first(have, p *rfc822.Part) *rfc822.Part {
	if have != nil {
		return have
	}
	return p
}

// content is the decoded bytes of a part, cut at max. A part that cannot be read is empty: the code that stored the
// message will notice.
func (d *document) content(p *rfc822.Part, max int64) []byte {
	b := make([]byte, min(max, p.Length)) // decoding makes nothing longer
	n, _ := io.ReadFull(p.Decode(io.NewSectionReader(d.raw, p.Offset, p.Length)), b)
	return b[:n]
}

// clean makes text of bytes: valid UTF-8, lines ended by LF, no NUL.
func clean(b []byte) string {
	s := strings.ToValidUTF8(string(b), "\uFFFD")
	if strings.IndexByte(s, '\r') >= 0 {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	}
	return strings.ReplaceAll(s, "\x00", "")
}

// groups reads the fields of a part made for programs.
func (d *document) groups(p *rfc822.Part) []group { return parseGroups(clean(d.content(p, maxPart))) }

// text is what the report says to people. The parser's Text also holds what attached messages say, so where there
// is one, the mail is read again up to there.
func (d *document) text() string {
	text := d.m.Text
	if d.returned != nil && strings.HasPrefix(d.returned.ContentType, "message/") {
		head := make([]byte, min(d.returned.Offset, maxPart))
		n, _ := d.raw.ReadAt(head, 0)
		text = rfc822.Parse(head[:n], rfc822.Limits{Text: maxPart, Skim: true}).Text
	}
	return text[:min(len(text), maxPart)]
}

// returnedHead is the header of the original message, where a part holds it.
func (d *document) returnedHead() string {
	if d.returned == nil {
		return ""
	}
	b := bytes.TrimLeft(d.content(d.returned, maxHead), "\r\n\t ")
	for _, end := range [...]string{"\n\r\n", "\n\n"} {
		if i := bytes.Index(b, []byte(end)); i >= 0 {
			b = b[:i+1]
		}
	}
	return clean(b)
}
