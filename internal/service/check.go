package service

import (
	"context"

	"github.com/mailkin/mailkin/internal/htmlcheck"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// MailCheck is what those who test their mail want to know of a message.
type MailCheck struct {
	ID    mailbox.ID
	HTML  bool // it has HTML
	Whole bool // all of its bodies was looked at
	htmlcheck.Result
	Links []htmlcheck.Link
}

// CheckMail says which features of HTML and CSS a message uses that not every mail program shows, and which links it
// has. It follows none.
func (s *Service) CheckMail(ctx context.Context, in Access, id mailbox.ID) (out MailCheck, err error) {
	_, err = s.showMarked(ctx, in, id, MessageOptions{}, func(m *FullMessage, _ store.Content) error {
		d := &m.Detail
		out = MailCheck{ID: m.ID, HTML: d.HTML != "", Whole: !d.TextTruncated && !d.HTMLTruncated,
			Result: htmlcheck.Check(d.HTML), Links: htmlcheck.Links(PlainText(d), d.HTML)}
		return nil
	})
	return out, err
}
