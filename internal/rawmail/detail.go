package rawmail

import (
	"slices"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rfc822"
)

// Detail makes what only the message's own page shows, with its bodies as they came: see Settle.
func Detail(p *rfc822.Message) mailbox.Detail {
	d := mailbox.Detail{
		To: addresses(p.To), Cc: addresses(p.Cc), Bcc: addresses(p.Bcc), ReplyTo: addresses(p.ReplyTo),
		Subject: p.Subject, Text: p.Text, HTML: p.HTML, TextFromHTML: p.TextFromHTML,
		Alternative: p.Alternative, TextTruncated: p.TextTruncated, HTMLTruncated: p.HTMLTruncated,
		References: p.References, Date: p.Date,
	}
	d.SetView(func() any { return p.View() })
	if len(p.From) > 0 {
		d.Author = mailbox.Address(p.From[0])
	}
	if len(p.InReplyTo) > 0 {
		d.InReplyTo = p.InReplyTo[0]
	}
	fields := p.Header.Fields()
	d.Headers = slices.Grow(d.Headers, len(fields)) // nil where there are none
	for _, f := range fields {
		d.Headers = append(d.Headers, mailbox.Field{Name: f.Name, Value: f.Value})
	}
	for _, f := range p.Defects {
		d.Defects = append(d.Defects, string(f))
	}
	for _, f := range p.Parts {
		d.Parts = append(d.Parts, part(f))
	}
	return d
}

func part(p rfc822.Part) mailbox.Part {
	out := mailbox.Part{Index: p.Index, ContentType: p.ContentType, Charset: p.Charset, Filename: p.Filename,
		Disposition: p.Disposition, ContentID: p.ContentID, Offset: p.Offset, Length: p.Length,
		Encoding: uint8(p.Encoding),
		Size:     p.Size, SHA256: p.SHA256}
	if w := p.Inner; w != nil {
		out.Inner = &mailbox.Window{Offset: w.Offset, Length: w.Length, Encoding: uint8(w.Encoding)}
	}
	return out
}

func addresses(list []rfc822.Address) []mailbox.Address {
	out := make([]mailbox.Address, len(list))
	for i, a := range list {
		out[i] = mailbox.Address(a)
	}
	return out
}
