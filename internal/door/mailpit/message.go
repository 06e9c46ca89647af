package mailpit

import (
	"bytes"
	"io"
	"net/http"
	"net/mail"
	"net/url"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/door"
	"github.com/mailkin/mailkin/internal/download"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// message is one message with its bodies.
type message struct {
	ID              string
	MessageID       string
	From            address
	To              []address
	Cc              []address
	Bcc             []address
	ReplyTo         []address
	ReturnPath      string
	Subject         string
	ListUnsubscribe unsubscribe
	Date            time.Time
	Tags            []string
	Username        string
	Text            string
	HTML            string
	Size            int64
	Inline          []part
	Attachments     []part
}

// part is a file of a message.
type part struct {
	PartID      string
	FileName    string
	ContentType string
	ContentID   string
	Size        int64
	Checksums   struct{ MD5, SHA1, SHA256 string }
}

var errNoMessage = door.Refuse(http.StatusNotFound, "no_message", "Message not found")

// idOf reads which message a request is about: one by its id, or the latest, or the latest that a query finds.
func (e *edge) idOf(c *door.Call, in service.Access) (mailbox.ID, error) {
	if s := c.Value("id"); s != "latest" {
		id, ok := mailbox.ParseID(s)
		if !ok {
			return id, mailbox.Errorf(mailbox.NotFound, "not_found", "Message not found")
		}
		return id, nil
	}
	var q service.CapturedQuery
	if s := strings.TrimSpace(c.URL.Query().Get("query")); s != "" {
		q = parseQuery(s, zoneOf(c.Request))
	}
	found, err := e.svc.ListCaptured(c.Context(), in, q, 0, 1)
	if err != nil {
		return mailbox.ID{}, err
	}
	if len(found.Entries) == 0 {
		return mailbox.ID{}, errNoMessage
	}
	return found.Entries[0].ID, nil
}

// read reads the message of a request with its bodies whole, and marks it as read.
func (e *edge) read(c *door.Call, in service.Access) (m *service.FullMessage, text, html string, err error) {
	id, err := e.idOf(c, in)
	if err != nil {
		return nil, "", "", err
	}
	whole, err := e.svc.WholeMessage(c.Context(), in, id, service.MessageOptions{MarkSeen: true})
	if err != nil {
		return nil, "", "", err
	}
	defer done(whole)
	text, html = service.PlainText(&whole.Detail), whole.Detail.HTML
	if whole.WriteText == nil {
		return &whole.FullMessage, text, html, nil
	}
	if err := c.Origin.Hold(int(whole.Size)); err != nil {
		return nil, "", "", err
	}
	var b bytes.Buffer
	if err = whole.WriteText(&b); err == nil {
		text = b.String()
		b.Reset()
		err = whole.WriteHTML(&b)
	}
	return &whole.FullMessage, text, b.String(), err
}

// done ends the reading of a message.
func done(m *service.WholeMessage) {
	if m.Close != nil {
		_ = m.Close() // only read from
	}
}

func (e *edge) message(c *door.Call, in service.Access) error {
	m, text, html, err := e.read(c, in)
	if err != nil {
		return err
	}
	d := &m.Detail
	out := message{ID: m.ID.String(), MessageID: m.MessageID,
		From: address(service.ShownAuthor(&m.Message, d)), To: addresses(d.To),
		Cc: addresses(d.Cc), Bcc: addresses(service.BlindCopies(d)), ReplyTo: addresses(d.ReplyTo),
		ReturnPath: d.Envelope.From, Subject: d.Subject, ListUnsubscribe: unsubscribeOf(d), Date: d.Date,
		Tags: orEmpty(mailbox.Tags(m.Labels)), Text: text, HTML: html, Size: m.Size,
		Inline: []part{}, Attachments: []part{}}
	if d.Envelope.Captured != nil {
		out.Username = d.Envelope.Captured.User
	}
	if out.ReturnPath == "" {
		out.ReturnPath = m.From.Address
	}
	if out.Date.IsZero() {
		out.Date = m.ReceivedAt
	}
	if err := e.addParts(c, in, m, &out); err != nil {
		return err
	}
	return c.JSON(http.StatusOK, out)
}

// addParts adds the files that have a name or can be referred to.
func (e *edge) addParts(c *door.Call, in service.Access, m *service.FullMessage, out *message) error {
	if len(m.Detail.Parts) == 0 {
		return nil
	}
	sums, err := e.svc.PartSums(c.Context(), in, m.ID)
	if err != nil {
		return err
	}
	for _, p := range m.Detail.Parts {
		sum := sums[p.Index]
		o := part{PartID: itoa(p.Index), FileName: nameOf(p), ContentType: p.ContentType, ContentID: p.ContentID,
			Size: sum.Size}
		o.Checksums.MD5, o.Checksums.SHA1, o.Checksums.SHA256 = sum.MD5, sum.SHA1, sum.SHA256
		switch {
		case o.FileName == "":
		case service.Attached(p):
			out.Attachments = append(out.Attachments, o)
		default:
			out.Inline = append(out.Inline, o)
		}
	}
	return nil
}

func nameOf(p mailbox.Part) string {
	if p.Filename != "" {
		return p.Filename
	}
	return p.ContentID
}

// headerMost is how many bytes of a message are read for its header.
const headerMost = 1 << 20

// headers returns the header fields as they are written, with what a server adds on delivery.
func (e *edge) headers(c *door.Call, in service.Access) error {
	id, err := e.idOf(c, in)
	if err != nil {
		return err
	}
	whole, err := e.svc.WholeMessage(c.Context(), in, id, service.MessageOptions{})
	if err != nil {
		return err
	}
	defer done(whole)
	raw, err := e.svc.Raw(c.Context(), in, id)
	if err != nil {
		return err
	}
	defer func() { _ = raw.Close() }() // only read from
	d := &whole.Detail
	head := make(map[string][]string)
	if parsed, err := mail.ReadMessage(io.LimitReader(raw, headerMost)); err == nil {
		head = parsed.Header
	} else { // it has lines that are no field
		for _, f := range d.Headers {
			head[f.Name] = append(head[f.Name], f.Value)
		}
	}
	if len(head["Return-Path"]) == 0 && d.Envelope.From != "" {
		head["Return-Path"] = []string{"<" + d.Envelope.From + ">"}
	}
	if blind := service.BlindCopies(d)[len(d.Bcc):]; len(blind) > 0 {
		var list []string
		for _, a := range blind {
			list = append(list, a.Address)
		}
		head["Bcc"] = append(head["Bcc"], strings.Join(list, ", "))
	}
	return c.JSON(http.StatusOK, head)
}

// openRaw opens the message that the path names.
func (e *edge) openRaw(c *door.Call, in service.Access) (id mailbox.ID, raw io.ReadCloser, err error) {
	if id, err = e.idOf(c, in); err != nil {
		return id, nil, err
	}
	raw, err = e.svc.Raw(c.Context(), in, id)
	return id, raw, err
}

// raw hands out a message as it came.
func (e *edge) raw(c *door.Call, in service.Access) error {
	id, raw, err := e.openRaw(c, in)
	if err != nil {
		return err
	}
	defer func() { _ = raw.Close() }() // only read from
	if c.URL.Query().Get("dl") == "1" {
		c.W.Header().Set("Content-Disposition", `attachment; filename="`+id.String()+`.eml"`)
	}
	return stream(c, "text/plain; charset=utf-8", raw)
}

// part hands out a file. It came from a stranger, and is shown in the browser.
func (e *edge) part(c *door.Call, in service.Access) error {
	file, err := e.file(c, in)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // only read from
	c.W.Header().Set("Content-Disposition", `inline; filename="`+url.PathEscape(nameOf(file.Part))+`"`)
	return stream(c, download.MediaType(file.Part), file)
}

// maxPart is the highest number of a part.
const maxPart = 0xfff

// file opens the part that a request is about.
func (e *edge) file(c *door.Call, in service.Access) (*service.Attachment, error) {
	id, err := e.idOf(c, in)
	if err != nil {
		return nil, err
	}
	n := 0
	for _, r := range c.Value("part") {
		if r < '0' || r > '9' || n > maxPart {
			return nil, mailbox.Errorf(mailbox.NotFound, "not_found", "There is no such part.")
		}
		n = 10*n + int(r-'0')
	}
	if n < 1 || n > maxPart {
		return nil, mailbox.Errorf(mailbox.NotFound, "not_found", "There is no such part.")
	}
	return e.svc.Attachment(c.Context(), in, id.Part(n))
}

// strangerPolicy is for what came from a stranger: nothing of it runs, and it loads nothing.
const strangerPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'; sandbox"

// streamBytes is what an answer takes that is handed on as it is read.
const streamBytes = 256 << 10

// stream hands on bytes of any number.
func stream(c *door.Call, mediaType string, from io.Reader) error {
	if err := c.Origin.Hold(streamBytes); err != nil {
		return err
	}
	h := c.W.Header()
	h.Set("Content-Type", mediaType)
	h.Set("Content-Security-Policy", strangerPolicy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
	if c.Method == http.MethodHead {
		c.W.WriteHeader(http.StatusOK)
		return nil
	}
	first := make([]byte, 32<<10) // so that what cannot be read at all is an error
	n, err := io.ReadFull(from, first)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return err
	}
	c.W.WriteHeader(http.StatusOK)
	if _, err := c.W.Write(first[:n]); err == nil {
		if _, err := io.Copy(c.W, from); err != nil {
			c.Origin.Note(http.StatusOK, err)
			panic(http.ErrAbortHandler) // what is missing must not look like the end
		}
	}
	return nil
}
