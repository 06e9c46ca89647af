package service

import (
	"strings"

	"github.com/mailkin/mailkin/internal/extract/code"
	"github.com/mailkin/mailkin/internal/extract/label"
	"github.com/mailkin/mailkin/internal/extract/link"
	"github.com/mailkin/mailkin/internal/extract/reply"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rawmail"
	"github.com/mailkin/mailkin/internal/screen"
	"github.com/mailkin/mailkin/internal/view"
)

// mark sets what a list shows of a message's meaning: its verification code and its labels. It runs on the way in, and
// gives what a glance at the message's links found.
func mark(m *mailbox.Message, d mailbox.Detail) link.Signs {
	b := bodyOf(&d)
	signs := link.Glance(linkMail(m, &d, b))
	m.Code = code.Best(codeMail(m, &d, b))
	from := screen.Author(m.From.Address)
	m.Labels = label.Of(label.Mail{From: from, Name: m.From.Name, EnvelopeFrom: envelopeFrom(*m, d), Subject: m.Subject,
		Text:   d.Text,
		Fields: d.Headers, Types: mediaTypes(d), Code: m.Code != "", Links: signs.Acts})
	return signs
}

// settle decides which of the two forms of a body counts, for the row and the detail of a message.
func settle(m *mailbox.Message, d *mailbox.Detail) {
	if rawmail.Settle(d); d.PlainPart != "" {
		m.Snippet = snippet(d.Text)
	}
}

// envelopeFrom is who a message says that it was sent by. One that was handed in over HTTP has no envelope: only what
// the server wrote down that had it.
func envelopeFrom(m mailbox.Message, d mailbox.Detail) string {
	if d.Envelope.Proto != "HTTP" || d.Envelope.From != "" {
		return d.Envelope.From
	}
	if path := strings.TrimSpace(d.Header("Return-Path")); path != "" {
		return path
	}
	return m.From.Address
}

// mediaTypes lists the media types of a message, that of the whole first.
func mediaTypes(d mailbox.Detail) []string {
	whole, _, _ := strings.Cut(d.Header("Content-Type"), ";")
	types := []string{strings.ToLower(strings.TrimSpace(whole))}
	for _, p := range d.Parts {
		types = append(types, p.ContentType)
	}
	return types
}

// understand works out what a message means, for those who read it whole.
func understand(m *FullMessage) {
	d := &m.Detail
	if d.Subject != "" { // else it was stored before there was one
		m.Subject = d.Subject
	}
	b := bodyOf(d)
	d.ReplyText, d.InlineReply = reply.Text(replyMail(d, b))
	d.CodeCandidates = candidates(m, b)
	d.Links = links(m, b)
	d.Screening = screened(m, b)
}

// body is a message's body as the readers of it take it. HTML is read once for all of them.
type body struct {
	text string     // of the message's own; empty where it was made from HTML
	view *view.View // nil where there is no HTML
}

// bodyOf returns the body of a message.
func bodyOf(d *mailbox.Detail) body {
	if d.HTML == "" {
		return body{text: d.Text}
	}
	v, _ := d.View().(*view.View)
	if v == nil {
		v = view.ReadString(d.HTML)
		d.SetView(func() any { return v })
	}
	b := body{text: d.Text, view: v}
	if d.TextFromHTML && strings.HasPrefix(v.Text(), d.Text) {
		b.text = ""
	}
	return b
}

// candidates lists what could be the code of a message.
func candidates(m *FullMessage, b body) (list []mailbox.CodeCandidate) {
	_, found := code.Find(codeMail(&m.Message, &m.Detail, b))
	for _, c := range found {
		list = append(list, mailbox.CodeCandidate(c))
	}
	return list
}

// links lists the links of a message.
func links(m *FullMessage, b body) (list []mailbox.Link) {
	for _, l := range link.Find(linkMail(&m.Message, &m.Detail, b)) {
		list = append(list, mailbox.Link{URL: l.URL, Text: l.Text, Kind: string(l.Kind), Mismatch: l.Mismatch})
	}
	return list
}

func replyMail(d *mailbox.Detail, b body) reply.Mail {
	return reply.Mail{Text: d.Text, View: b.view, Plain: !d.TextFromHTML}
}

func codeMail(m *mailbox.Message, d *mailbox.Detail, b body) code.Mail {
	return code.Mail{From: m.From.Address, FromName: m.From.Name, Subject: m.Subject, Text: b.text, View: b.view,
		Alternative: d.Alternative}
}

// unsubscribe is the header that has a link.
const unsubscribe = "List-Unsubscribe"

func linkMail(m *mailbox.Message, d *mailbox.Detail, b body) link.Mail {
	return link.Mail{Subject: m.Subject, Text: b.text, View: b.view, Unsubscribe: d.Header(unsubscribe),
		Alternative: d.Alternative}
}

// Warm makes the tables of words ready, which takes some tens of milliseconds, so that the first mail need not wait for
// it.
func Warm() {
	m := FullMessage{Message: mailbox.Message{Subject: "Your code"}, Detail: mailbox.Detail{
		Text: "Your code is 123456. https://example.com/verify", HTML: "<p>Your code is 123456</p><a " +
			"href='https://example.com/verify'>Verify</a>"}}
	mark(&m.Message, m.Detail)
	understand(&m)
	screen.Judge(screenMail(m.Message, m.Detail))
}
