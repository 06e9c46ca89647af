package service

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"html"
	"io"
	"slices"
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rfc822/compose"
	"github.com/mailkin/mailkin/internal/store"
)

// original is the message that a reply or forward is about.
type original struct {
	mailbox.Message
	detail mailbox.Detail
	in     Access // to the mailbox that holds it
	box    mailbox.Mailbox
}

// original finds the message that a draft is about, and the mailbox that it is sent from.
func (s *Service) original(ctx context.Context, in Access, d mailbox.Draft) (o original, err error) {
	if d.EmailID == "" {
		return o, mailbox.InvalidField("email_id", "email_id is needed: the id of the message that this is about.")
	}
	if !in.Caller.May(mailbox.ReadMail) { // it would be sent what it may not read
		return o, denied(in.Caller, mailbox.ReadMail)
	}
	id, ok := mailbox.ParseID(d.EmailID)
	if !ok {
		return o, errNoMessage
	}
	err = s.view(ctx, func(r store.Reader) (err error) {
		o.Message, o.box, err = s.find(ctx, r, in, id)
		return err
	})
	if err == nil {
		o.detail, _, err = s.unpack(ctx, o.Message)
	}
	if errors.Is(err, store.ErrNotFound) {
		return o, errNoMessage
	}
	if err == nil {
		err = s.auditSend(ctx, in, o.box)
	}
	o.in = in
	o.in.Box, o.in.Mailbox = o.box, o.box.Address
	return o, err
}

// from is the address that an answer is sent from: the one that the message came to, if it is the mailbox's.
func (o original) from(d mailbox.Draft) string {
	if strings.TrimSpace(d.From) != "" {
		return d.From
	}
	if to := canonical(o.Recipient); o.Direction == mailbox.Inbound && o.box.Owns(to) {
		return to
	}
	return o.box.Address
}

// Reply answers a message of the mailbox.
func (s *Service) Reply(ctx context.Context, in Access, d mailbox.Draft) (Sending, error) {
	d.Body = sha256.Sum256(append([]byte("reply "), d.Body[:]...)) // the same words to another verb are another request
	if again, err := s.SentBefore(ctx, in, d); again != nil || err != nil {
		return *again, err
	}
	o, err := s.original(ctx, in, d)
	if err != nil {
		return Sending{}, err
	}
	var fields []compose.Field
	if automated(o) {
		if !d.Force {
			return Sending{}, mailbox.Errorf(mailbox.Conflict, "automated_message",
				"This message was sent by a program, and answering those makes mail loops. Send with force: true to "+
					"answer all the same.")
		}
		fields = []compose.Field{{Name: "Auto-Submitted", Value: "auto-replied"}}
	}
	if len(d.To) == 0 {
		d.To, d.Cc = o.answerTo(d)
	}
	if d.Subject == "" {
		d.Subject = prefixed("Re: ", o.subject(), s.opt.Limits.SubjectChars, "re:", "aw:", "antw:", "sv:", "vs:", "回复:",
			"回复:", "返信:")
	}
	d.InReplyTo = o.ID.String()
	return s.about(ctx, o, d, fields)
}

// SentBefore returns what was answered to the same request, also when the message that it is about is gone; nil: it is
// new.
func (s *Service) SentBefore(ctx context.Context, in Access, d mailbox.Draft) (*Sending, error) {
	if d.IdempotencyKey == "" || d.DryRun || in.anywhere() {
		return nil, nil
	}
	var again Sending
	err := s.view(ctx, func(r store.Reader) (err error) {
		again, err = s.repeated(ctx, r, &outgoing{box: in.Box, key: d.IdempotencyKey, body: d.Body})
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	return &again, err
}

// about sends a draft from the mailbox of the message that it is about.
func (s *Service) about(ctx context.Context, o original, d mailbox.Draft, fields []compose.Field) (Sending, error) {
	by, err := s.author(ctx, o.in, o.from(d))
	if err != nil {
		return Sending{}, err
	}
	by.fields = fields
	out, err := s.check(ctx, by, d)
	if err != nil {
		return Sending{}, err
	}
	out.about = o.ID
	if d.InReplyTo != "" {
		out.thread = o.Thread
	}
	return s.post(ctx, out)
}

// automated tells whether a message was written by a program that should not be answered by another (RFC 3834 2).
func automated(o original) bool {
	if o.Direction == mailbox.Outbound {
		return false
	}
	switch {
	case isAutomatic(o.detail):
		return true
	case o.detail.Envelope.Proto != "HTTP" && o.detail.Envelope.From == "":
		return true
	}
	return slices.Contains(o.Labels, mailbox.LabelBounce) || slices.Contains(o.Labels, mailbox.LabelAutoreply)
}

// answerTo is whom an answer goes to: who wrote the message, or where they want answers; with All everybody else too,
// but not ourselves. An answer to a message of our own goes to whom that went.
func (o original) answerTo(d mailbox.Draft) (to, cc []string) {
	direct := o.detail.ReplyTo
	switch {
	case o.Direction == mailbox.Outbound:
		direct = o.detail.To
	case len(direct) == 0:
		direct = []mailbox.Address{o.From}
	}
	seen := make(map[string]bool)
	add := func(list []mailbox.Address, own bool) (texts []string) {
		for _, a := range list {
			key := canonical(a.Address)
			if a.Address == "" || seen[key] || !own && o.box.Owns(untag(key)) {
				continue
			}
			seen[key] = true
			texts = append(texts, a.Text())
		}
		return texts
	}
	to = add(direct, true)
	cc = d.Cc
	if d.All {
		others := add(append(slices.Clone(o.detail.To), o.detail.Cc...), false)
		cc = append(slices.Clone(cc), others...)
	}
	return to, cc
}

func (o original) subject() string {
	if o.detail.Subject != "" {
		return o.detail.Subject
	}
	return o.Message.Subject
}

// prefixed puts a prefix before a subject that does not have one of its kind, on one line and within the limit.
func prefixed(prefix, subject string, most int, known ...string) string {
	subject = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if notTab(r) {
			return ' '
		}
		return r
	}, subject)), " ")
	has := slices.ContainsFunc(known, func(k string) bool {
		return len(subject) >= len(k) && strings.EqualFold(subject[:len(k)], k)
	})
	if !has {
		subject = prefix + subject
	}
	if runes := []rune(subject); len(runes) > most {
		subject = string(runes[:most])
	}
	return subject
}

// Forward sends a message of the mailbox on to others, with its attachments.
func (s *Service) Forward(ctx context.Context, in Access, d mailbox.Draft) (Sending, error) {
	d.Body = sha256.Sum256(append([]byte("forward "), d.Body[:]...))
	if again, err := s.SentBefore(ctx, in, d); again != nil || err != nil {
		return *again, err
	}
	o, err := s.original(ctx, in, d)
	if err != nil {
		return Sending{}, err
	}
	if d.Subject == "" {
		d.Subject = prefixed("Fwd: ", o.subject(), s.opt.Limits.SubjectChars, "fwd:", "fw:", "wg:", "tr:", "rv:")
	}
	text := mailbox.Clip(joined(d.Text, o.forwardText()), int(s.opt.Limits.TextBytes)-len("…"))
	if d.HasHTML || o.detail.HTML != "" {
		d = o.forwardHTML(d, int(s.opt.Limits.HTMLBytes))
	}
	d.Text, d.HasText = text, true
	for _, p := range o.detail.Parts {
		d.Attachments = append(d.Attachments, s.passOn(ctx, o, p))
	}
	return s.about(ctx, o, d, nil)
}

// passOn returns an attachment of a stored message as one of a draft.
func (s *Service) passOn(ctx context.Context, o original, p mailbox.Part) mailbox.Attachment {
	name := p.Filename
	if name == "" {
		name = fmt.Sprintf("attachment-%d", p.Index)
	}
	return mailbox.Attachment{Filename: name, ContentType: p.ContentType, ContentID: p.ContentID, Size: p.Size,
		Open: func() (io.ReadCloser, error) { return s.Attachment(ctx, o.in, o.ID.Part(p.Index)) }}
}

func joined(note, quoted string) string {
	if note == "" {
		return quoted
	}
	return note + "\n\n" + quoted
}

// heading is what a forward says of the message in it.
func (o original) heading() [][2]string {
	list := func(as []mailbox.Address) string {
		texts := make([]string, len(as))
		for i, a := range as {
			texts[i] = a.Text()
		}
		return strings.Join(texts, ", ")
	}
	date := o.detail.Date
	if date.IsZero() {
		date = o.ReceivedAt
	}
	lines := [][2]string{{"From", o.From.Text()}, {"Date", date.Format("Mon, 2 Jan 2006 15:04:05 -0700")},
		{"Subject", o.subject()}, {"To", list(o.detail.To)}}
	if len(o.detail.Cc) > 0 {
		lines = append(lines, [2]string{"Cc", list(o.detail.Cc)})
	}
	return lines
}

const forwardMark = "---------- Forwarded message ----------"

func (o original) forwardText() string {
	var b strings.Builder
	b.WriteString(forwardMark + "\n")
	for _, l := range o.heading() {
		b.WriteString(l[0] + ": " + l[1] + "\n")
	}
	b.WriteString("\n" + o.detail.Text)
	return b.String()
}

// forwardHTML returns the draft with the original under its HTML, if that is not too much. Else the text has it, and
// the HTML is the draft's own, if it has any.
func (o original) forwardHTML(d mailbox.Draft, most int) mailbox.Draft {
	var b strings.Builder
	note := d.HTML
	if !d.HasHTML {
		note = asHTML(d.Text)
	}
	b.WriteString(note + "<br><div>" + forwardMark + "<br>\n")
	for _, l := range o.heading() {
		b.WriteString("<b>" + l[0] + ":</b> " + html.EscapeString(l[1]) + "<br>\n")
	}
	b.WriteString("</div><br>\n")
	body := o.detail.HTML
	if body == "" {
		body = asHTML(o.detail.Text)
	}
	if b.Len()+len(body) <= most {
		d.HTML, d.HasHTML = b.String()+body, true
	}
	return d
}

func asHTML(text string) string {
	if text == "" {
		return ""
	}
	return "<div>" + strings.ReplaceAll(html.EscapeString(text), "\n", "<br>\n") + "</div>"
}
