package service

import (
	"strings"

	"github.com/mailkin/mailkin/internal/extract/code"
	"github.com/mailkin/mailkin/internal/extract/label"
	"github.com/mailkin/mailkin/internal/extract/link"
	"github.com/mailkin/mailkin/internal/extract/reply"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/screen"
)

// mark sets what a list shows of a message's meaning: its verification code and its labels. It runs on the way in, and
// gives what a glance at the message's links found.
func mark(m *mailbox.Message, d mailbox.Detail) link.Signs {
	signs := link.Glance(linkMail(&FullMessage{Message: *m, Detail: d}))
	m.Code = code.Best(codeMail(*m, d))
	m.Labels = label.Of(label.Mail{From: m.From.Address, EnvelopeFrom: envelopeFrom(*m, d), Subject: m.Subject, Text: d.Text,
		Fields: d.Headers, Types: mediaTypes(d), Code: m.Code != "", Links: signs.Acts})
	return signs
}

// envelopeFrom is who a message says that it was sent by. One that was handed in over HTTP has no envelope: only what the server wrote down that had it.
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
	d.ReplyText, d.InlineReply = reply.Text(reply.Mail{Text: d.Text, HTML: d.HTML, Plain: !d.TextFromHTML})
	_, candidates := code.Find(codeMail(m.Message, *d))
	for _, c := range candidates {
		d.CodeCandidates = append(d.CodeCandidates, mailbox.CodeCandidate(c))
	}
	d.Links = links(m)
	d.Screening = screened(m)
}

// links lists the links of a message.
func links(m *FullMessage) (list []mailbox.Link) {
	for _, l := range link.Find(linkMail(m)) {
		list = append(list, mailbox.Link{URL: l.URL, Text: l.Text, Kind: string(l.Kind), Mismatch: l.Mismatch})
	}
	return list
}

func codeMail(m mailbox.Message, d mailbox.Detail) code.Mail {
	return code.Mail{From: m.From.Address, FromName: m.From.Name, Subject: m.Subject, Text: d.Text, HTML: d.HTML}
}

// unsubscribe is the header that has a link.
const unsubscribe = "List-Unsubscribe"

func linkMail(m *FullMessage) link.Mail {
	return link.Mail{Subject: m.Subject, Text: m.Detail.Text, HTML: m.Detail.HTML, Unsubscribe: m.Detail.Header(unsubscribe)}
}

// Warm makes the tables of words ready, which takes some tens of milliseconds, so that the first mail need not wait for it.
func Warm() {
	m := FullMessage{Message: mailbox.Message{Subject: "Your code"}, Detail: mailbox.Detail{
		Text: "Your code is 123456. https://example.com/verify", HTML: "<p>Your code is 123456</p><a href='https://example.com/verify'>Verify</a>"}}
	mark(&m.Message, m.Detail)
	understand(&m)
	screen.Judge(screenMail(m.Message, m.Detail))
}
