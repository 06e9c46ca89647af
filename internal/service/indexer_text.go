package service

import (
	"encoding/json"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rfc822"
	"github.com/mailkin/mailkin/internal/search"
	"github.com/mailkin/mailkin/internal/store"
)

// skimmed gives what of a message is searched, without decoding what is not.
func skimmed(c store.Content) (d mailbox.Detail, err error) {
	if c.Blob != "" {
		d, _, err = unpack(c)
		return d, err
	}
	raw, half, err := halves(c)
	if err != nil {
		return d, err
	}
	var k sentKernel
	if err := json.Unmarshal(half, &k); err != nil {
		return d, err
	}
	p := skim(raw)
	d = mailbox.Detail{Subject: p.Subject, Text: p.Text, HTML: p.HTML, To: addresses(p.To), Cc: addresses(p.Cc), Bcc: addresses(p.Bcc), Parts: k.Parts}
	if k.Bcc != nil {
		d.Bcc = k.Bcc
	}
	return d, nil
}

// skim parses a message without decoding what is attached.
func skim(raw []byte) *rfc822.Message {
	limits := rfc822.DefaultLimits()
	limits.Skim = true
	return rfc822.Parse(raw, limits)
}

// bodyText gives no more of a message than its text. It unpacks it in the room that it is given.
func bodyText(room *[]byte, c store.Content) (string, error) {
	if c.Blob != "" {
		d, _, err := unpack(c)
		return d.Text, err
	}
	raw, _, err := halvesIn(room, c)
	if err != nil {
		return "", err
	}
	return skim(raw).Text, nil
}

// searchMail is a message as package search looks at it.
func searchMail(m mailbox.Message, d mailbox.Detail) search.Mail {
	out := search.Mail{Subject: m.Subject, From: []mailbox.Address{m.From}, To: recipients(m, d), Body: d.Text}
	if d.Subject != "" {
		out.Subject = d.Subject
	}
	for _, p := range d.Parts {
		out.Files = append(out.Files, p.Filename)
		if t := d.Texts[p.Index].Text; t != "" {
			out.FileTexts = append(out.FileTexts, t)
		}
	}
	return out
}

func recipients(m mailbox.Message, d mailbox.Detail) []mailbox.Address {
	list := make([]mailbox.Address, 0, len(d.To)+len(d.Cc)+len(d.Bcc)+1)
	list = append(append(append(list, d.To...), d.Cc...), d.Bcc...)
	if len(list) == 0 && m.Recipient != "" {
		list = append(list, mailbox.Address{Address: m.Recipient})
	}
	return list
}
