package service

import (
	"context"
	"slices"
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// ProviderMessage is a message taken apart, for a provider that puts it together itself. Its attachments are read when
// they are written.
type ProviderMessage struct {
	From, Subject, Text, HTML string
	To, ReplyTo               []string
	Headers                   map[string]string
	Attachments               []mailbox.Attachment
}

// ProviderMessage takes apart the message of a delivery, for its recipient alone.
func (s *Service) ProviderMessage(ctx context.Context, d mailbox.Delivery) (*ProviderMessage, error) {
	var m mailbox.Message
	var box mailbox.Mailbox
	var kept stored
	err := s.view(ctx, func(r store.Reader) (err error) {
		if m, err = r.Message(ctx, d.Mailbox, d.Message); err != nil {
			return err
		}
		if box, err = r.Mailbox(ctx, d.Mailbox); err != nil {
			return err
		}
		kept, err = readStored(ctx, r, m)
		return err
	})
	if err != nil {
		return nil, errLease // deleted since, or it is tried again
	}
	if err := s.domainMaySend(box, m.From.Address); err != nil {
		return nil, err
	}
	detail, err := kept.detail()
	if err != nil {
		return nil, err
	}
	return s.providerMessage(ctx, d.Recipient, original{Message: m, detail: detail, box: box,
		in: Access{Box: box, Act: Act{Mailbox: box.Address}}}), nil
}

func (s *Service) providerMessage(ctx context.Context, to string, o original) *ProviderMessage {
	d := o.detail
	p := &ProviderMessage{From: o.From.Text(), Subject: o.subject(), Text: d.Text, HTML: d.HTML,
		Headers: make(map[string]string)}
	if d.TextFromHTML {
		p.Text = d.PlainPart
	}
	p.To = []string{to}
	for _, a := range append(slices.Clone(d.To), d.Cc...) {
		if canonical(a.Address) == canonical(to) {
			p.To = []string{a.Text()}
			break
		}
	}
	for _, a := range d.ReplyTo {
		p.ReplyTo = append(p.ReplyTo, a.Text())
	}
	for _, f := range d.Headers {
		switch name := strings.ToLower(f.Name); {
		case name == "message-id", name == "in-reply-to", name == "references", name == "auto-submitted",
			strings.HasPrefix(name, "list-"), strings.HasPrefix(name, "x-"):
			p.Headers[f.Name] = f.Value
		}
	}
	for _, part := range d.Parts {
		p.Attachments = append(p.Attachments, s.passOn(ctx, o, part))
	}
	return p
}
