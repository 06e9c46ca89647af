package compose

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strconv"
	"strings"

	"github.com/mailkin/mailkin/internal/rfc822"
)

// plan is a message as pieces in order. Nothing is encoded yet but header lines.
type plan struct {
	header
	pieces     []piece
	stem       string // of every boundary
	openEnd    bool   // as Mail's
	multiparts int
}

// piece is one of: lines as they are, a text, or a stream of bytes.
type piece struct {
	lines  []byte
	text   body
	stream *stream
}

// plan lays the message out.
func (m Mail) plan() (*plan, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	p := &plan{stem: m.stem(), openEnd: m.OpenEnd}
	p.buf = make([]byte, 0, 1024)
	if err := p.top(m); err != nil {
		return nil, err
	}
	if err := p.mixed(m); err != nil {
		return nil, err
	}
	if last := len(p.pieces) - 1; len(p.buf) > 0 || p.pieces[last].stream != nil {
		p.buf = append(p.buf, '\r', '\n') // a message ends with a line end
	}
	p.flush()
	return p, nil
}

// maxSeed is how much of a given boundary is used as it is: RFC 2046 5.1.1 allows 70 in all.
const maxSeed = 40

// stem is what boundaries begin with. Neither base64 nor quoted-printable can have "=_" (RFC 2045 6.7).
func (m Mail) stem() string {
	if plain := strings.Trim(m.Boundary, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == ""; plain && m.Boundary != "" && len(m.Boundary) <= maxSeed {
		return "=_" + m.Boundary
	}
	seed := m.Boundary
	if seed == "" {
		seed = m.MessageID
	}
	sum := sha256.Sum256([]byte(seed))
	return "=_" + hex.EncodeToString(sum[:12])
}

// top writes the fields of the message.
func (p *plan) top(m Mail) error {
	p.field("Date", m.Date.UTC().Format("Mon, 02 Jan 2006 15:04:05 +0000"))
	if m.MessageID != "" {
		p.ids("Message-ID", m.MessageID)
	}
	for _, f := range [...]struct {
		name string
		list []Address
	}{{"From", []Address{m.From}}, {"Reply-To", m.ReplyTo}, {"To", m.To}, {"Cc", m.Cc}} {
		if err := p.addresses(f.name, f.list); err != nil {
			return err
		}
	}
	if len(m.To) == 0 && len(m.Cc) == 0 {
		p.field("To", "undisclosed-recipients:;")
	}
	p.begin("Subject")
	p.header.text(oneLine(m.Subject), maxWord)
	p.end()
	p.ids("In-Reply-To", m.InReplyTo)
	p.ids("References", m.References...)
	for _, f := range m.Fields {
		p.added(f)
	}
	p.field("MIME-Version", "1.0")
	return nil
}

// flush ends the lines at hand.
func (p *plan) flush() {
	if len(p.buf) > 0 {
		p.pieces = append(p.pieces, piece{lines: p.buf})
		p.buf = nil
	}
}

// mixed writes the body and the attachments next to it.
func (p *plan) mixed(m Mail) error {
	inline, files := m.shown()
	if len(files) == 0 {
		return p.alternative(m, inline)
	}
	media, params := "multipart/mixed", []param(nil)
	if m.Report != "" {
		media, params = "multipart/report", []param{{"report-type", m.Report}}
	}
	b := p.multipart(media, params...)
	if m.HasText || m.HasHTML {
		p.part(b)
		if err := p.alternative(m, inline); err != nil {
			return err
		}
	}
	for _, a := range files {
		p.part(b)
		disposition := "attachment"
		if a.Inline {
			disposition = "inline"
		}
		if err := p.file(a, disposition); err != nil {
			return err
		}
	}
	p.close(b)
	return nil
}

// alternative writes the texts.
func (p *plan) alternative(m Mail, inline []Attachment) error {
	switch {
	case !m.HasHTML:
		text := m.Text
		if !m.HasText {
			text = ""
		}
		p.text("text/plain", text)
		return nil
	case !m.HasText:
		return p.related(m, inline)
	}
	b := p.multipart("multipart/alternative")
	p.part(b)
	p.text("text/plain", m.Text)
	p.part(b)
	if err := p.related(m, inline); err != nil {
		return err
	}
	p.close(b)
	return nil
}

// related writes the HTML with what it shows.
func (p *plan) related(m Mail, inline []Attachment) error {
	if len(inline) == 0 {
		p.text("text/html", m.HTML)
		return nil
	}
	b := p.multipart("multipart/related", param{"type", "text/html"}) // RFC 2387 3.1
	p.part(b)
	p.text("text/html", m.HTML)
	for _, a := range inline {
		p.part(b)
		if err := p.file(a, "inline"); err != nil {
			return err
		}
	}
	p.close(b)
	return nil
}

// multipart writes the header of a container and returns its boundary.
func (p *plan) multipart(media string, params ...param) string {
	p.multiparts++
	b := p.stem + "." + strconv.Itoa(p.multiparts)
	p.contentType(media, append(params, param{"boundary", b})...)
	return b
}

// part begins a part. Before the first one, the line end is the empty line after the header.
func (p *plan) part(b string) { p.buf = append(p.buf, "\r\n--"+b+"\r\n"...) }

func (p *plan) close(b string) { p.buf = append(p.buf, "\r\n--"+b+"--"...) }

// text writes a text with its header.
func (p *plan) text(media, text string) {
	b := newBody(text, p.stem, p.openEnd)
	p.contentType(media, param{"charset", b.charset})
	p.field("Content-Transfer-Encoding", string(b.encoding))
	p.buf = append(p.buf, '\r', '\n')
	p.flush()
	if b.encoding != base64Encoding {
		p.pieces = append(p.pieces, piece{text: b})
		return
	}
	lines := appendLines(make([]byte, 0, len(b.text)+len(b.text)/16), b.text)
	p.pieces = append(p.pieces, piece{stream: &stream{
		open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(lines)), nil },
		size: int64(len(lines)), base64: true, name: "text",
	}})
}

// file writes an attachment with its header.
func (p *plan) file(a Attachment, disposition string) error {
	t := typeOf(a)
	enc := base64Encoding
	if t.media == nestedMessage {
		ok, err := a.fitsAsIs(p.stem)
		if err != nil {
			return err
		}
		if enc = sevenBit; !ok {
			t, enc = contentType{media: octetStream}, base64Encoding
		}
	}
	name := rfc822.SafeFilename(a.Filename)
	p.contentType(t.media, append(t.params, param{"name", name})...)
	p.field("Content-Transfer-Encoding", string(enc))
	p.parameters("Content-Disposition", disposition, []param{{"filename", name}})
	if a.ContentID != "" {
		p.ids("Content-ID", a.ContentID)
	}
	p.buf = append(p.buf, '\r', '\n')
	p.flush()
	p.pieces = append(p.pieces, piece{stream: &stream{open: a.Open, size: a.Size, base64: enc == base64Encoding,
		name: a.Filename}})
	return nil
}
