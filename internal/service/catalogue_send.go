package service

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rfc822/compose"
)

// CapturedDraft is a message that is written here, to be captured.
type CapturedDraft struct {
	From                 mailbox.Address
	To, Cc, Bcc, ReplyTo []mailbox.Address
	Subject, Text, HTML  string
	Headers              []mailbox.Field
	Tags                 []string
	Files                []CapturedFile
	User                 string // the name that the client logged in with; empty: none
}

// CapturedFile is a file that goes with it.
type CapturedFile struct {
	Name, ContentType string // an empty type is guessed
	ContentID         string // of one that is shown in the text; empty: it is attached
	Data              []byte
}

// SendCaptured writes a message and captures it, as if it had come by SMTP. It returns its id and its size.
func (s *Service) SendCaptured(ctx context.Context, in Access, d CapturedDraft) (mailbox.ID, int64, error) {
	mail, to, err := s.composeCaptured(d)
	if err != nil {
		return mailbox.ID{}, 0, err
	}
	message := mail.Reader()
	defer func() { _ = message.Close() }() // only read from
	counted := &countedReader{from: message}
	id, err := s.Capture(ctx, in, CapturedMail{From: mail.From.Address, To: to, User: d.User}, counted)
	return id, counted.n, err
}

// countedReader counts what is read.
type countedReader struct {
	from io.Reader
	n    int64
}

func (r *countedReader) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	r.n += int64(n)
	return n, err
}

// composeCaptured describes the message, and lists whom it is for.
func (s *Service) composeCaptured(d CapturedDraft) (m compose.Mail, to []string, err error) {
	now := s.opt.Now()
	m = compose.Mail{Subject: d.Subject, Text: d.Text, HTML: d.HTML, HasText: d.Text != "" || d.HTML == "",
		HasHTML: d.HTML != "", OpenEnd: true, Date: now, MessageID: mailbox.NewID(now).String() + "@" + s.opt.Hostname}
	from, err := checkedPeople("From", d.From)
	if err != nil {
		return m, nil, err
	}
	m.From = from[0]
	for _, list := range []struct {
		name string
		from []mailbox.Address
		to   *[]compose.Address
	}{{"To", d.To, &m.To}, {"Cc", d.Cc, &m.Cc}, {"Bcc", d.Bcc, nil}, {"Reply-To", d.ReplyTo, &m.ReplyTo}} {
		checked, err := checkedPeople(list.name, list.from...)
		if err != nil {
			return m, nil, err
		}
		if list.to != nil {
			*list.to = checked
		}
		if list.name != "Reply-To" {
			for _, a := range checked {
				to = append(to, a.Address)
			}
		}
	}
	if len(to) == 0 {
		return m, nil, mailbox.InvalidField("to", "A message needs a recipient.")
	}
	if err := addHeaders(&m, d); err != nil {
		return m, nil, err
	}
	for _, f := range d.Files {
		m.Attachments = append(m.Attachments, attachmentOf(f))
	}
	if err := m.Check(); err != nil {
		return m, nil, mailbox.InvalidField("message", "%s", err)
	}
	return m, to, nil
}

func checkedPeople(field string, list ...mailbox.Address) (out []compose.Address, err error) {
	for _, a := range list {
		parsed, err := compose.ParseAddress(a.Address)
		if err != nil {
			return nil, mailbox.InvalidField(strings.ToLower(field), "%s: %s", field, err)
		}
		if a.Name != "" {
			parsed.Name = a.Name
		}
		out = append(out, parsed)
	}
	return out, nil
}

// ownHeaders are those that the members of a draft make.
var ownHeaders = []string{"To", "From", "Cc", "Bcc", "Reply-To", "Date", "Subject", "Content-Type", "Mime-Version"}

func addHeaders(m *compose.Mail, d CapturedDraft) error {
	own := ownHeaders
	if len(d.Tags) > 0 {
		own = append(own[:len(own):len(own)], "X-Tags")
		m.Fields = append(m.Fields, compose.Field{Name: "X-Tags", Value: strings.Join(d.Tags, ", ")})
	}
	for _, f := range d.Headers {
		for _, name := range own {
			if strings.EqualFold(f.Name, name) {
				return mailbox.InvalidField("headers", "Headers cannot set %s.", name)
			}
		}
		if strings.EqualFold(f.Name, "Message-ID") {
			m.MessageID = strings.Trim(f.Value, "<> ")
			continue
		}
		m.Fields = append(m.Fields, compose.Field(f))
	}
	return nil
}

func attachmentOf(f CapturedFile) compose.Attachment {
	kind := f.ContentType
	if kind == "" {
		kind = http.DetectContentType(f.Data)
	}
	return compose.Attachment{Filename: f.Name, ContentType: kind, ContentID: f.ContentID, Size: int64(len(f.Data)),
		Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(f.Data)), nil }}
}
