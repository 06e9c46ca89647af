package service

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/index"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rawmail"
	"github.com/mailkin/mailkin/internal/store"
)

// InboxQuery narrows a mailbox's list of messages.
type InboxQuery struct {
	Direction    mailbox.Direction
	Label        string
	Query, Mode  string
	Since, Until time.Time
	Seen         *bool
	Thread       string
	Page         Page
}

// Inbox lists the mailbox's messages, newest first.
func (s *Service) Inbox(ctx context.Context, in Access, q InboxQuery) (List[mailbox.Message], error) {
	if strings.TrimSpace(q.Query) != "" {
		if s.opt.Index == nil {
			return List[mailbox.Message]{}, errNoSearch
		}
		if q.Mode == "semantic" || q.Mode == "hybrid" { // with cursors of its own
			found, err := s.Search(ctx, in, q)
			out := List[mailbox.Message]{Next: found.Next}
			for _, m := range found.Items {
				out.Items = append(out.Items, m.Message)
			}
			return out, err
		}
		return s.newest(ctx, in, q)
	}
	f, err := filter(q)
	if err != nil {
		return List[mailbox.Message]{}, err
	}
	var rows []mailbox.Message
	err = s.ask(ctx, func(r store.Reader) error {
		if f.Label != "" {
			if err := known(ctx, r, in.Box.Num, f.Label); err != nil {
				return err
			}
		}
		if q.Thread != "" {
			if f.Thread, err = threadOf(ctx, r, in.Box.Num, q.Thread); err != nil {
				return err
			}
			if f.Thread.IsZero() {
				return nil
			}
		}
		rows, err = r.Messages(ctx, in.Box.Num, f)
		return err
	})
	return list(rows, q.Page.Limit, cursorMessage, func(m mailbox.Message) int64 { return m.Seq }), err
}

// filter checks a query and gives it as the store takes it.
func filter(q InboxQuery) (store.MessageFilter, error) {
	f := store.MessageFilter{Direction: q.Direction, Since: q.Since, Until: q.Until, Seen: q.Seen,
		Offset: q.Page.Offset, Limit: q.Page.Limit + 1}
	switch q.Direction {
	case "", mailbox.Inbound, mailbox.Outbound:
	default:
		return f, mailbox.InvalidField("direction", "direction is inbound or outbound.")
	}
	switch q.Mode {
	case "", "keyword", "semantic", "hybrid":
	default:
		return f, mailbox.InvalidField("mode", "mode is keyword, semantic or hybrid.")
	}
	f.Label = strings.ToLower(strings.TrimSpace(q.Label))
	before, err := decodeCursor(cursorMessage, q.Page.Cursor)
	f.Before = before
	return f, err
}

// known refuses a label that is neither automatic nor one the mailbox has had, and says which are.
func known(ctx context.Context, r store.Reader, num mailbox.Num, label string) error {
	labels := mailbox.AutomaticLabels()
	if slices.Contains(labels, label) {
		return nil
	}
	own, err := r.Labels(ctx, num)
	if err != nil || slices.Contains(own, label) {
		return err
	}
	return &mailbox.Error{Kind: mailbox.Invalid, Code: "unknown_label", Field: "label",
		Message: "No message here has had the label " + mailbox.Clip(label, 40) + ". Known labels: " +
			strings.Join(append(labels, own...), ", ") + "."}
}

// threadOf finds the thread that a list is narrowed to; none has no messages.
func threadOf(ctx context.Context, r store.Reader, num mailbox.Num, s string) (mailbox.ID, error) {
	id, ok := mailbox.ParseID(s)
	if !ok {
		return mailbox.ID{}, nil
	}
	id, _, err := r.ThreadID(ctx, num, id)
	if errors.Is(err, store.ErrNotFound) {
		return mailbox.ID{}, nil
	}
	return id, err
}

// FullMessage is a message with its detail and its mailbox's address.
type FullMessage struct {
	mailbox.Message
	Detail  mailbox.Detail
	Address string
}

// MessageOptions is how a message is to be shown.
type MessageOptions struct {
	MarkSeen bool
}

var errNoMessage = mailbox.Errorf(mailbox.NotFound, "not_found", "Email not found")

// Message shows one message.
func (s *Service) Message(ctx context.Context, in Access, id mailbox.ID, o MessageOptions) (FullMessage, error) {
	full, _, err := s.showMarked(ctx, in, id, o)
	return full, err
}

// showMarked returns a message as its own page shows it, and its stored content, and marks it as the caller wants.
func (s *Service) showMarked(
	ctx context.Context, in Access, id mailbox.ID, o MessageOptions,
) (FullMessage, store.Content, error) {
	if o.MarkSeen && in.Caller.May(mailbox.ChangeMail) {
		seen := true
		_, err := s.ChangeMessage(ctx, in, id, MessageChange{Seen: &seen})
		if err != nil && mailbox.KindOf(err) != mailbox.DiskFull { // reading goes on when nothing can be stored
			return FullMessage{}, store.Content{}, err
		}
	}
	return s.show(ctx, in, id)
}

// show returns a message as its own page shows it, and its stored content.
func (s *Service) show(ctx context.Context, in Access, id mailbox.ID) (full FullMessage, c store.Content, err error) {
	var kept stored
	var texts []byte
	read := func(r store.Reader) (err error) {
		if kept, err = readStored(ctx, r, full.Message); err == nil {
			texts, err = index.KeptTexts(ctx, r, full.Message)
		}
		return err
	}
	err = s.view(ctx, func(r store.Reader) error {
		m, box, err := s.find(ctx, r, in, id)
		full = FullMessage{Message: m, Address: box.Address}
		if err != nil || m.Size > largeRead {
			return err
		}
		return read(r)
	})
	if err == nil && full.Size > largeRead { // nothing of it is in memory while it waits
		leave, late := s.largeTurn(ctx, full.Message, full.Address)
		if late != nil {
			return FullMessage{}, c, late
		}
		defer leave()
		err = s.view(ctx, read)
	}
	if errors.Is(err, store.ErrNotFound) {
		err = errNoMessage
	}
	if err == nil {
		full.Detail, err = kept.detail()
	}
	if err != nil {
		return FullMessage{}, store.Content{}, err
	}
	understand(&full)
	if in.hideFiles(&full.Detail); in.readsFiles() {
		full.Detail.Texts = s.index.Texts(ctx, full.Message, full.Detail.Parts, texts)
	}
	return full, kept.Content, nil
}

// stored is what a store has of a message besides its list row.
type stored struct {
	store.Content
	sent []mailbox.Delivery
}

func readStored(ctx context.Context, r store.Reader, m mailbox.Message) (st stored, err error) {
	if st.Content, err = r.Content(ctx, m); err == nil && m.Direction == mailbox.Outbound {
		st.sent, err = r.Deliveries(ctx, m)
	}
	return st, err
}

// detail gives it as a message's own page shows it.
func (st stored) detail() (mailbox.Detail, error) {
	d, _, err := rawmail.Unpack(st.Content)
	d.Deliveries = st.sent
	return d, err
}

// find looks a message up where the caller may see it.
func (s *Service) find(ctx context.Context, r store.Reader, in Access, id mailbox.ID) (mailbox.Message, mailbox.Mailbox,
	error) {
	m, err := r.Message(ctx, in.within(), id)
	if err != nil {
		return m, mailbox.Mailbox{}, err
	}
	box, err := s.boxOf(ctx, r, in, m.Mailbox)
	return m, box, err
}

// boxOf is the mailbox in which an id was found: the caller's own, or for an operator any, noted in the audit log and
// refused while it is paused.
func (s *Service) boxOf(ctx context.Context, r store.Reader, in Access, num mailbox.Num) (mailbox.Mailbox, error) {
	if num == in.Box.Num {
		return in.Box, nil
	}
	box, err := r.Mailbox(ctx, num)
	if err != nil {
		return box, err
	}
	if box.Status == mailbox.Halted {
		return box, errPaused
	}
	if in.Need.Reads() {
		s.ledger.note(s.audited(in, box.Address, ""))
	}
	return box, nil
}

// noteChange audits a change to a message that the operator found by its id alone, in the change's own transaction.
func (s *Service) noteChange(ctx context.Context, tx store.Tx, in Access, box mailbox.Mailbox) error {
	if box.Num == in.Box.Num || in.Need.Reads() {
		return nil
	}
	return tx.AppendAudit(ctx, s.audited(in, box.Address, ""))
}

// MessageChange is what a caller may change of a message. A nil field stays.
type MessageChange struct {
	Seen        *bool
	Add, Remove []string // labels
}

// maxLabels bounds how many labels a message may have.
const maxLabels = 64

// ChangeMessage sets whether a message was seen, and its labels.
func (s *Service) ChangeMessage(ctx context.Context, in Access, id mailbox.ID, c MessageChange) (FullMessage, error) {
	add, err := parseLabels("add_labels", c.Add)
	if err != nil {
		return FullMessage{}, err
	}
	remove, err := parseLabels("remove_labels", c.Remove)
	if err != nil {
		return FullMessage{}, err
	}
	var full FullMessage
	var kept stored
	var texts []byte
	err = s.update(ctx, func(tx store.Tx) error {
		m, box, err := s.find(ctx, tx, in, id)
		if err != nil {
			return err
		}
		if c.Seen != nil {
			m.Seen = *c.Seen
		}
		m.Labels = mailbox.Relabel(m.Labels, add, remove)
		if len(m.Labels) > maxLabels {
			return mailbox.InvalidField("add_labels", "A message has at most %d labels.", maxLabels)
		}
		if err := s.noteChange(ctx, tx, in, box); err != nil {
			return err
		}
		if err := tx.UpdateMessage(ctx, m); err != nil {
			return err
		}
		full = FullMessage{Message: m, Address: box.Address}
		if kept, err = readStored(ctx, tx, m); err == nil {
			texts, err = index.KeptTexts(ctx, tx, m)
		}
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return FullMessage{}, errNoMessage
	}
	if err != nil {
		return FullMessage{}, err
	}
	leave, err := s.largeTurn(ctx, full.Message, full.Address)
	if err != nil {
		return FullMessage{}, err
	}
	defer leave()
	if full.Detail, err = kept.detail(); err == nil {
		understand(&full)
		full.Detail.Texts = s.index.Texts(ctx, full.Message, full.Detail.Parts, texts)
	}
	return full, err
}

func parseLabels(field string, labels []string) ([]string, error) {
	out := make([]string, 0, len(labels))
	for _, l := range labels {
		parsed, err := mailbox.ParseLabel(field, l)
		if err != nil {
			return nil, err
		}
		out = append(out, parsed)
	}
	return out, nil
}

// DeleteMessage deletes a message and everything of it.
func (s *Service) DeleteMessage(ctx context.Context, in Access, id mailbox.ID) error {
	var content store.Content
	err := s.view(ctx, func(r store.Reader) error {
		m, _, err := s.find(ctx, r, in, id)
		if err == nil {
			content, err = r.Content(ctx, m)
		}
		return err
	})
	var d mailbox.Detail
	if err == nil {
		d, _, err = rawmail.Unpack(content)
	}
	if err == nil {
		err = s.update(ctx, func(tx store.Tx) error {
			m, box, err := s.find(ctx, tx, in, id)
			if err == nil {
				err = s.noteChange(ctx, tx, in, box)
			}
			if err == nil {
				err = tx.DeleteMessage(ctx, m, answered(d))
			}
			if err == nil {
				err = s.scrubHooks(ctx, tx, box, m)
			}
			return err
		})
	}
	if errors.Is(err, store.ErrNotFound) {
		return errNoMessage
	}
	if err != nil || content.Blob == "" {
		return err
	}
	if err := s.blobs.Delete(context.WithoutCancel(ctx), content.Blob); err != nil {
		s.log.Warn("remove blob of a deleted message", "error", err) // it is swept up later
	}
	return nil
}
