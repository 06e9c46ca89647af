package index

import (
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/search"
)

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
