package service

import (
	"context"
	"slices"
	"strings"

	"github.com/mailkin/mailkin/internal/catalogue"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/view"
)

// readCard makes the card of a stored message. One that is gone meanwhile, or cannot be read, has a card without text.
func (s *Service) readCard(ctx context.Context, m *mailbox.Message, text bool) (*catalogue.Card, error) {
	d, _, err := s.unpack(ctx, *m)
	if err != nil && ctx.Err() != nil {
		return nil, err
	}
	if err != nil {
		d = mailbox.Detail{Subject: m.Subject}
	}
	return newCard(m, &d, text), nil
}

// newCard makes the card of a message, with its body where text is set.
func newCard(m *mailbox.Message, d *mailbox.Detail, text bool) *catalogue.Card {
	c := &catalogue.Card{From: ShownAuthor(m, d), To: d.To, Cc: d.Cc, Bcc: BlindCopies(d), ReplyTo: d.ReplyTo,
		ReturnPath: d.Envelope.From}
	if d.Envelope.Captured != nil {
		c.Username = d.Envelope.Captured.User
	}
	body, extra := searchedText(d)
	for _, p := range d.Parts {
		if Attached(p) {
			c.Attachments++
			extra = append(extra, p.Filename)
		} else if p.Disposition == "inline" {
			c.Inline++
		}
	}
	c.Fill(catalogue.Source{Subject: d.Subject, MessageID: m.MessageID, Body: body, Extra: extra,
		Bare: !text})
	return c
}

// Attached tells whether a part is attached to a captured message, as Mailpit decides it; else it is shown in the text,
// or belongs to it.
func Attached(p mailbox.Part) bool {
	return p.Disposition == "attachment" || p.ContentType == "application/octet-stream"
}

// ShownAuthor is who wrote a captured message. What cannot be read as an address is shown as a name.
func ShownAuthor(m *mailbox.Message, d *mailbox.Detail) mailbox.Address {
	if m.From == (mailbox.Address{}) {
		return mailbox.Address{Name: mailbox.Clip(d.Header("From"), maxField)}
	}
	return m.From
}

// BlindCopies are the recipients of a captured message that its header names in Bcc, and those that it does not name.
func BlindCopies(d *mailbox.Detail) []mailbox.Address {
	bcc := slices.Clone(d.Bcc)
	if d.Envelope.Captured == nil {
		return bcc
	}
	named := make(map[string]bool)
	for _, a := range slices.Concat(d.To, d.Cc, d.Bcc) {
		named[strings.ToLower(a.Address)] = true
	}
	for _, to := range d.Envelope.Captured.Recipients {
		if key := strings.ToLower(to); !named[key] {
			named[key] = true
			bcc = append(bcc, mailbox.Address{Address: to})
		}
	}
	return bcc
}

// searchedText is the text of a message in which parts of words are looked for: all of its HTML with what its links
// lead to, or its plain text.
func searchedText(d *mailbox.Detail) (body string, extra []string) {
	v := bodyOf(d).view
	if v == nil {
		return PlainText(d), nil
	}
	var b strings.Builder
	for _, r := range v.Runs {
		if r.Gap != view.GapNone {
			b.WriteByte(' ')
		}
		b.WriteString(r.Text)
	}
	for _, l := range v.Links {
		if strings.HasPrefix(strings.ToLower(l.Href), "http") {
			extra = append(extra, l.Href)
		}
	}
	return b.String(), extra
}

// PlainText is the plain part of a message as it came, or its text where it has none.
func PlainText(d *mailbox.Detail) string {
	if d.PlainPart != "" {
		return d.PlainPart
	}
	return d.Text
}

// tagsOf are the tags with which a captured message comes: those in its header X-Tags, and behind a + in addresses.
func tagsOf(d *mailbox.Detail, from mailbox.Address) []string {
	var found []string
	if list := d.Header("X-Tags"); list != "" {
		found = strings.Split(list, ",")
	}
	for _, a := range slices.Concat(d.To, d.Cc, BlindCopies(d), []mailbox.Address{from}) {
		local, _, _ := strings.Cut(a.Address, "@")
		if _, tags, ok := strings.Cut(local, "+"); ok {
			found = append(found, strings.Split(tags, "+")...)
		}
	}
	return cleanTags(found, nil)
}

// tagView sets the tags of the copy in the view of all captured mail, which is the last.
func tagView(copies []*mailCopy, d *mailbox.Detail) {
	m := &copies[len(copies)-1].message
	m.Labels = mailbox.Retag(m.Labels, tagsOf(d, m.From))
}

// maxTags is how many tags a message may have.
const maxTags = 32

// cleanTags returns tags as they are kept, each once whatever its case. A tag that is known keeps its spelling.
func cleanTags(tags []string, known map[string]int) (out []string) {
	spelled := make(map[string]string, len(known))
	for t := range known {
		spelled[strings.ToLower(t)] = t
	}
	seen := make(map[string]bool)
	for _, t := range tags {
		t = mailbox.CleanTag(t)
		key := strings.ToLower(t)
		if t == "" || seen[key] || len(out) == maxTags {
			continue
		}
		seen[key] = true
		if s, ok := spelled[key]; ok {
			t = s
		}
		out = append(out, t)
	}
	return out
}
