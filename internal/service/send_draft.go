package service

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rfc822/compose"
	"github.com/mailkin/mailkin/internal/store"
)

// check makes an outgoing message of a draft, or says what is wrong with it.
func (s *Service) check(ctx context.Context, by author, d mailbox.Draft) (*outgoing, error) {
	if by.id.IsZero() {
		by.id = mailbox.NewID(s.opt.Now())
	}
	o := &outgoing{box: by.box, by: by.key, id: by.id, from: by.from.Address, tags: d.Tags,
		proto: "HTTP", key: d.IdempotencyKey, body: d.Body, dryRun: d.DryRun, subject: d.Subject, draft: d.Stored,
		skips: d.SkipSuppressed, notTwice: d.NotTwice}
	m := compose.Mail{From: compose.Address(by.from), Fields: by.fields, Subject: d.Subject, Text: d.Text, HTML: d.HTML,
		HasText: d.HasText, HasHTML: d.HasHTML}
	if err := s.checkBodies(d); err != nil {
		return nil, err
	}
	if err := s.addressees(o, &m, d); err != nil {
		return nil, err
	}
	var err error
	if o.due, err = s.dueTime(d.SendAt); err != nil {
		return nil, err
	}
	if err := s.headers(ctx, o.box.Num, &m, d); err != nil {
		return nil, err
	}
	if d.Unsubscribe {
		if err := s.addUnsubscribe(o, &m); err != nil {
			return nil, err
		}
	}
	if m.Attachments, err = s.attached(d); err != nil {
		return nil, err
	}
	m.Date, m.MessageID = s.now(), s.newMessageID(o.id, o.from)
	if err := m.Check(); err != nil {
		return nil, mailbox.Errorf(mailbox.Invalid, "invalid_message", "%v", err)
	}
	o.open = func() io.ReadCloser { return m.Reader() }
	return o, nil
}

// checkBodies holds a draft to the limits of SPEC 8.
func (s *Service) checkBodies(d mailbox.Draft) error {
	lim := s.opt.Limits
	switch {
	case strings.TrimSpace(d.Subject) == "":
		return mailbox.InvalidField("subject", "A subject is needed.")
	case utf8.RuneCountInString(d.Subject) > lim.SubjectChars:
		return mailbox.InvalidField("subject", "The subject is too long: at most %d characters.", lim.SubjectChars)
	case strings.IndexFunc(d.Subject, unicode.IsControl) >= 0 && strings.IndexFunc(d.Subject, notTab) >= 0:
		return mailbox.InvalidField("subject", "The subject must not hold line breaks or other control characters.")
	case !d.HasText && !d.HasHTML:
		return mailbox.InvalidField("text", "Give text, html or both.")
	case int64(len(d.Text)) > lim.TextBytes:
		return mailbox.Errorf(mailbox.TooLarge, "text_too_large", "text is too large: at most %d bytes.", lim.TextBytes)
	case int64(len(d.HTML)) > lim.HTMLBytes:
		return mailbox.Errorf(mailbox.TooLarge, "html_too_large", "html is too large: at most %d bytes.", lim.HTMLBytes)
	}
	return nil
}

func notTab(r rune) bool { return unicode.IsControl(r) && r != '\t' }

// addressees fills in whom a message goes to.
func (s *Service) addressees(o *outgoing, m *compose.Mail, d mailbox.Draft) (err error) {
	if o.to, err = parseAddressees("to", d.To); err != nil {
		return err
	}
	if o.cc, err = parseAddressees("cc", d.Cc); err != nil {
		return err
	}
	if o.bcc, err = parseAddressees("bcc", d.Bcc); err != nil {
		return err
	}
	replyTo, err := parseAddressees("reply_to", d.ReplyTo)
	if err != nil {
		return err
	}
	o.recipients = once(o.to, o.cc, o.bcc)
	switch n := len(o.recipients); {
	case n == 0:
		return mailbox.InvalidField("to", "At least one recipient is needed.")
	case n > s.opt.Limits.Recipients:
		return &mailbox.Error{Kind: mailbox.Invalid, Code: "too_many_recipients", Field: "to",
			Message: fmt.Sprintf("Too many recipients: %d, and at most %d are allowed in to, cc and bcc together.", n,
				s.opt.Limits.Recipients)}
	}
	m.To, m.Cc, m.ReplyTo = composed(o.to), composed(o.cc), composed(replyTo)
	return nil
}

// dueTime is when a message is to be sent.
func (s *Service) dueTime(at time.Time) (time.Time, error) {
	now := s.now()
	switch {
	case at.Before(now): // also where none was given
		return now, nil
	case at.After(now.Add(sendAhead)):
		return at, mailbox.InvalidField("send_at", "send_at is too far ahead: at most 30 days.")
	}
	return at.UTC().Truncate(time.Millisecond), nil
}

// headers fills in the fields that a caller may set (API 7).
func (s *Service) headers(ctx context.Context, num mailbox.Num, m *compose.Mail, d mailbox.Draft) error {
	answered := d.InReplyTo
	for _, f := range d.Headers {
		if err := compose.CheckField(f.Name, f.Value); err != nil {
			return mailbox.InvalidAs("headers", err)
		}
		switch name := strings.ToLower(f.Name); {
		case name == "reply-to":
			list, err := parseAddressees("headers", []string{f.Value})
			if err != nil {
				return err
			}
			m.ReplyTo = composed(list)
		case name == "in-reply-to":
			if answered == "" {
				answered = f.Value
			}
		case name == "references":
			m.References = append(m.References, messageIDs(f.Value)...)
		case name == "list-unsubscribe", name == "list-unsubscribe-post", strings.HasPrefix(name, "x-"):
			m.Fields = append(m.Fields, compose.Field(f))
		case d.AnyHeader && !keptHeader(name):
			m.Fields = append(m.Fields, compose.Field(f))
		default:
			return mailbox.InvalidField("headers", "The header %s cannot be set; Reply-To, In-Reply-To, References, "+
				"List-Unsubscribe, List-Unsubscribe-Post and X-… can.", mailbox.Clip(f.Name, 60))
		}
	}
	if answered == "" {
		return nil
	}
	if strings.IndexFunc(answered, unicode.IsControl) >= 0 {
		return mailbox.InvalidField("in_reply_to", "in_reply_to must not hold line breaks or other control characters.")
	}
	id, refs, err := s.answering(ctx, num, answered)
	if err != nil {
		return err
	}
	m.InReplyTo = id
	if len(m.References) == 0 {
		m.References = refs
	}
	return nil
}

// keptHeader tells whether a field says who sent a message, to whom, when and how: those are ours to write.
func keptHeader(name string) bool {
	for _, prefix := range []string{"content-", "arc-", "resent-", "dkim-", "received", "authentication-results"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return slices.Contains([]string{"from", "sender", "to", "cc", "bcc", "subject", "date", "message-id",
		"mime-version", "return-path", "auto-submitted", "domainkey-signature"}, name)
}

// messageIDs reads Message-IDs with or without angle brackets.
func messageIDs(text string) []string {
	return strings.Fields(strings.NewReplacer("<", " ", ">", " ", ",", " ").Replace(text))
}

// answering returns the Message-ID that a message answers, and its References: those of the answered one, where it is
// here, and that itself.
func (s *Service) answering(ctx context.Context, num mailbox.Num, text string) (string, []string, error) {
	var m mailbox.Message
	id, byID := mailbox.ParseID(strings.TrimSpace(text))
	found := false
	err := s.view(ctx, func(r store.Reader) (err error) {
		if byID {
			m, err = r.Message(ctx, num, id)
		} else {
			m, err = withMessageID(ctx, r, num, text)
		}
		found = err == nil
		return err
	})
	var d mailbox.Detail
	if err == nil && found {
		d, _, err = s.unpack(ctx, m)
	}
	switch {
	case errors.Is(err, store.ErrNotFound) && byID:
		return "", nil, mailbox.InvalidField("in_reply_to", "in_reply_to names a message that is not in this mailbox.")
	case errors.Is(err, store.ErrNotFound):
		ids := messageIDs(text)
		if len(ids) != 1 || len(ids[0]) > 900 {
			return "", nil, mailbox.InvalidField("in_reply_to", "in_reply_to is one Message-ID, or the id of a "+
				"message of this mailbox.")
		}
		return ids[0], ids, nil
	case err != nil || !found:
		return "", nil, err
	}
	if m.MessageID == "" {
		return "", nil, nil
	}
	return m.MessageID, references(d, m.MessageID), nil
}

// references are those of a message that is answered, and itself (RFC 5322 3.6.4).
func references(d mailbox.Detail, messageID string) []string {
	refs := d.References
	if len(refs) == 0 && d.InReplyTo != "" {
		refs = []string{d.InReplyTo}
	}
	return append(append([]string{}, refs...), messageID)
}

// withMessageID finds a message of the mailbox by its Message-ID.
func withMessageID(ctx context.Context, r store.Reader, num mailbox.Num, text string) (mailbox.Message, error) {
	ids := messageIDs(text)
	if len(ids) != 1 {
		return mailbox.Message{}, store.ErrNotFound
	}
	threads, err := r.Related(ctx, num, ids)
	for _, t := range threads {
		list, err := r.Conversation(ctx, num, t, 0, 500)
		if err != nil {
			return mailbox.Message{}, err
		}
		for _, m := range list {
			if m.MessageID == ids[0] {
				return m, nil
			}
		}
	}
	if err == nil {
		err = store.ErrNotFound
	}
	return mailbox.Message{}, err
}

// attached checks the attachments of a draft.
func (s *Service) attached(d mailbox.Draft) ([]compose.Attachment, error) {
	lim := s.opt.Limits
	total := int64(len(d.Text) + len(d.HTML))
	out := make([]compose.Attachment, len(d.Attachments))
	for i, a := range d.Attachments {
		total += a.Size
		switch {
		case a.Size > lim.AttachmentBytes:
			return nil, mailbox.Errorf(mailbox.TooLarge, "attachment_too_large", "The attachment %s is too large: at "+
				"most %d bytes.", mailbox.Clip(a.Filename, 80), lim.AttachmentBytes)
		case total > lim.MessageBytes:
			return nil, mailbox.Errorf(mailbox.TooLarge, "message_too_large", "The message is too large with all "+
				"attachments: at most %d bytes.", lim.MessageBytes)
		}
		out[i] = compose.Attachment(a)
	}
	return out, nil
}
