package service

import (
	"bufio"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// reviewEdit is the message that an edited one comes in the place of: with the same id, so that for everybody who knows
// it the message has changed, and told once more as an event, in the order in which the rest of the mailbox happens.
type reviewEdit struct {
	in      Access // the reviewer's, to the mailbox
	ref     ReviewRef
	detail  mailbox.Detail
	head    head // of the message as it was
	sent    []mailbox.Delivery
	changes mailbox.DraftEdit
	linked  bool // it has a link with which its recipient unsubscribes

	review  mailbox.Review         // as it was, from takeOut on
	history []mailbox.HistoryEntry // that it had, likewise
}

// EditReview changes a message that is held, as a person wants it to be sent. It stays held, in its next version.
func (s *Service) EditReview(ctx context.Context, in Access, id mailbox.ID, e mailbox.DraftEdit) (ReviewPage, error) {
	edit := &reviewEdit{changes: e}
	var full FullReview
	err := s.view(ctx, func(r store.Reader) (err error) {
		full, edit.in, err = s.openReview(ctx, r, in, ReviewRef{ID: id, Version: e.Version})
		if err == nil {
			edit.sent, err = r.Deliveries(ctx, full.Mail)
		}
		return err
	})
	var content store.Content
	if err == nil {
		edit.ref = ReviewRef{ID: id, Version: full.Version}
		edit.detail, content, err = s.unpack(ctx, full.Mail)
		edit.linked = s.ownUnsubscribe(edit.detail)
	}
	if err == nil {
		err = s.replaceHeld(ctx, edit, full, content)
	}
	if errors.Is(err, store.ErrNotFound) {
		err = errNoReview
	}
	if err != nil {
		return ReviewPage{}, err
	}
	if content.Blob != "" {
		s.dropBlobs(ctx, []string{content.Blob})
	}
	return s.Review(ctx, in, id)
}

// replaceHeld composes the edited message and stores it.
func (s *Service) replaceHeld(ctx context.Context, edit *reviewEdit, full FullReview, content store.Content) error {
	raw, err := s.openPausing(ctx, edit.in, full.Mail, content)
	if err != nil {
		return err
	}
	defer raw.Close()
	body := bufio.NewReader(raw)
	if edit.head, err = readHead(body); err != nil {
		return err
	}
	d, err := edit.draft(full.Mail, func(p mailbox.Part) mailbox.Attachment {
		return s.passOn(ctx, original{Message: full.Mail, in: edit.in}, p)
	})
	if err != nil {
		return err
	}
	by, err := s.author(ctx, edit.in, d.From)
	if err != nil {
		return err
	}
	by.id = full.Message
	o, err := s.check(ctx, by, d)
	if err != nil {
		return err
	}
	composed := o.open()
	defer composed.Close()
	if o.open, err = edit.merge(composed, body); err != nil {
		return err
	}
	o.edit, o.proto, o.about, o.status = edit, edit.detail.Envelope.Proto, full.About, mailbox.Held
	if o.thread = full.Mail.Thread; o.thread == full.Message {
		o.thread = mailbox.ID{} // it began the conversation
	}
	if o.recipients = edit.recipients(o.recipients); len(o.recipients) == 0 {
		return mailbox.InvalidField("to", "At least one recipient is needed.")
	}
	if !slices.ContainsFunc(o.recipients, func(a addressee) bool { return !edit.canceled(a) }) {
		return mailbox.InvalidField("to", "The message was called back from everybody whom this would leave.")
	}
	if err := s.room(0); err != nil {
		return err
	}
	return s.compose(ctx, o)
}

// editable are the members of an edit that a message which is held takes.
var editable = []string{"from", "to", "cc", "bcc", "reply_to", "subject", "text", "html", "headers", "attachments",
	"send_at", "tags"}

// draft describes the message as it is to be: as it was, but for what the edit gives.
func (e *reviewEdit) draft(m mailbox.Message, passOn func(mailbox.Part) mailbox.Attachment) (mailbox.Draft, error) {
	if err := e.check(); err != nil {
		return mailbox.Draft{}, err
	}
	old := e.detail
	// The header keeps what is not given: here it only has to be there.
	d := mailbox.StoredDraft{Draft: mailbox.Draft{From: old.Author.Text(), To: texts(old.To), Cc: texts(old.Cc),
		Bcc: texts(old.Bcc), Subject: "As it was", Tags: old.Tags}}
	d.HasText = true
	if e.body() {
		d.Text, d.HasText = e.plain()
		d.HTML, d.HasHTML = old.HTML, old.HTML != ""
	}
	d.SendAt = m.SendAt(e.sent)
	for _, p := range e.kept() {
		d.Attachments = append(d.Attachments, passOn(p))
	}
	d.Apply(e.changes)
	if e.changes.Gives("attachments") {
		d.Attachments = e.changes.Attachments
	}
	return d.Draft, nil
}

// check says what is wrong with an edit.
func (e *reviewEdit) check() error {
	if len(e.changes.Given) == 0 {
		return mailbox.InvalidField("body", "Nothing is to be changed: give some of %s.", strings.Join(editable, ", "))
	}
	for _, member := range e.changes.Given {
		if !slices.Contains(editable, member) {
			return mailbox.InvalidField(member, "%s cannot be changed of a message that is held.", member)
		}
		if e.linked && slices.Contains([]string{"to", "cc", "bcc"}, member) {
			return mailbox.InvalidField(member, "The recipient of a message with a link to unsubscribe cannot be "+
				"changed: reject it, and send another.")
		}
	}
	if !e.body() {
		return nil
	}
	if !e.composed() {
		return errNotEditable
	}
	text, html := e.changes.Gives("text"), e.changes.Gives("html")
	_, has := e.plain()
	if has && e.detail.HTML != "" && (text && !html && e.changes.HasText || html && !text && e.changes.HTML != "") {
		return mailbox.InvalidField("text", "The message has text and html, which say the same: change both, or take "+
			"one away with null.")
	}
	if e.detail.TextTruncated && !text || e.detail.HTMLTruncated && !html {
		return mailbox.InvalidField("text", "The message is too long to be changed in part: give text and html.")
	}
	return nil
}

// plain is the text that the message has of its own, and whether it has one.
func (e *reviewEdit) plain() (string, bool) {
	switch {
	case e.detail.PlainPart != "":
		return e.detail.PlainPart, true
	case e.detail.TextFromHTML:
		return "", false
	}
	return e.detail.Text, e.detail.Text != "" || e.detail.HTML == ""
}

// settable tells whether a caller who sends may set a header field.
func settable(name string) bool {
	return strings.HasPrefix(name, "x-") || name == "list-unsubscribe" || name == "list-unsubscribe-post"
}

// recipients are those who get the edited message: those who were to get it and are still named, and those whom the
// edit names. The header of mail that was handed in by SMTP may name others, too.
func (e *reviewEdit) recipients(all []addressee) (to []addressee) {
	named := make(map[string]bool)
	for _, list := range []struct {
		member string
		texts  []string
	}{{"to", e.changes.To}, {"cc", e.changes.Cc}, {"bcc", e.changes.Bcc}} {
		if given, err := parseAddressees(list.member, list.texts); e.changes.Gives(list.member) && err == nil {
			for _, a := range given {
				named[a.canonical] = true
			}
		}
	}
	for _, d := range e.sent {
		named[canonical(d.Recipient)] = true
	}
	return slices.DeleteFunc(all, func(a addressee) bool { return !named[a.canonical] })
}

// canceled tells whether the message was called back from a recipient.
func (e *reviewEdit) canceled(rcpt addressee) bool {
	return e != nil && slices.ContainsFunc(e.sent, func(d mailbox.Delivery) bool {
		return canonical(d.Recipient) == rcpt.canonical && d.Status == mailbox.Canceled
	})
}

// takeOut removes the message that an edited one comes in the place of, if it is still as it was when it was read.
func (s *Service) takeOut(ctx context.Context, tx store.Tx, o *outgoing) error {
	full, at, err := s.openReview(ctx, tx, o.edit.in, o.edit.ref)
	if err != nil {
		return err
	}
	o.edit.review = full.Review
	if o.edit.history, err = tx.History(ctx, full.Mailbox, full.Mail.Seq); err != nil {
		return err
	}
	if o.edit.sent, err = tx.Deliveries(ctx, full.Mail); err != nil {
		return err
	}
	if slices.ContainsFunc(o.edit.sent, beyondRecall) {
		return errPartlySent
	}
	if err := tx.AppendAudit(ctx, s.audited(at, full.Address, full.Message.String())); err != nil {
		return err
	}
	return tx.DeleteMessage(ctx, full.Mail, answered(o.edit.detail))
}

// keepHistory gives the edited message what happened to it before, and notes the edit.
func (s *Service) keepHistory(ctx context.Context, tx store.Tx, o *outgoing, m mailbox.Message) error {
	for _, e := range o.edit.history {
		if err := tx.AppendHistory(ctx, m.Mailbox, m.Seq, e, historyKept); err != nil {
			return err
		}
	}
	return s.record(ctx, tx, m, mailbox.HistoryEntry{Kind: mailbox.HistoryEdited, Actor: o.edit.in.Caller.Actor(),
		HistoryFacts: mailbox.HistoryFacts{Version: o.edit.review.Version + 1}})
}

func texts(list []mailbox.Address) []string {
	out := make([]string, len(list))
	for i, a := range list {
		out[i] = a.Text()
	}
	return out
}
