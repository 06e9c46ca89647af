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

	Status    []mailbox.DeliveryStatus // one of these; of a list without Query
	Trust     mailbox.TrustLevel       // of a list without Query
	Screening string                   // AnyScreening: rows say what it found; or a verdict, of a list without Query

	Older, Newer mailbox.ID // only messages that came before this one, or those right after it; zero: any
	Whole        bool       // a page is short at the end alone, however many messages that takes looking at
}

// Inbox lists the mailbox's messages, newest first.
func (s *Service) Inbox(ctx context.Context, in Access, q InboxQuery) (List[mailbox.Message], error) {
	if len(q.Status) > 0 || q.Trust != "" || q.Screening != "" && q.Screening != AnyScreening {
		return s.picked(ctx, in, q)
	}
	out, err := s.listed(ctx, in, q)
	if err == nil && q.Screening != "" {
		err = s.screenRows(ctx, in, out.Items)
	}
	return out, err
}

func (s *Service) listed(ctx context.Context, in Access, q InboxQuery) (List[mailbox.Message], error) {
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
	var next int64
	look := func(r store.Reader) error {
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
		if err := beside(ctx, r, in.Box.Num, q, &f); err != nil {
			return err
		}
		if err := begin(ctx, r, in.Box.Num, &f); err != nil {
			return err
		}
		if q.Whole || f.Offset > 0 || f.Oldest {
			rows, err = r.Messages(ctx, in.Box.Num, f)
		} else {
			rows, next, err = s.lookFor(ctx, r, in.Box.Num, f)
		}
		return err
	}
	ask := s.asking(f)
	err = ask(ctx, look)
	if err == nil && slices.ContainsFunc(rows, isHeld) && s.expireNow(ctx) {
		err = ask(ctx, look)
	}
	if f.Oldest {
		more := len(rows) > q.Page.Limit
		rows = rows[:min(len(rows), q.Page.Limit)]
		slices.Reverse(rows)
		out := List[mailbox.Message]{Items: rows}
		if more {
			out.Next = encodeCursor(cursorMessage, rows[len(rows)-1].Seq)
		}
		return out, err
	}
	out := list(rows, q.Page.Limit, cursorMessage, func(m mailbox.Message) int64 { return m.Seq })
	if next > 0 {
		out.Next = encodeCursor(cursorMessage, next)
	}
	return out, err
}

// beside narrows a list to the messages before or after one, by their places.
func beside(ctx context.Context, r store.Reader, num mailbox.Num, q InboxQuery, f *store.MessageFilter) error {
	for _, side := range []struct {
		field string
		id    mailbox.ID
		place *int64
	}{{"after", q.Older, &f.Before}, {"before", q.Newer, &f.After}} {
		if side.id.IsZero() {
			continue
		}
		m, err := r.Message(ctx, num, side.id)
		if errors.Is(err, store.ErrNotFound) {
			return mailbox.InvalidField(side.field, "%s is not the id of a message here.", side.field)
		}
		if err != nil {
			return err
		}
		*side.place = m.Seq
	}
	f.Oldest = !q.Newer.IsZero()
	return nil
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
	Event   int64 // the number of the event that it is, where it was waited for after an event
}

// MessageOptions is how a message is to be shown.
type MessageOptions struct {
	MarkSeen bool
}

var errNoMessage = mailbox.Errorf(mailbox.NotFound, "not_found", "Email not found")

// Message shows one message.
func (s *Service) Message(ctx context.Context, in Access, id mailbox.ID, o MessageOptions) (FullMessage, error) {
	return s.showMarked(ctx, in, id, o, nil)
}

// showMarked returns a message as its own page shows it, and marks it as the caller wants; inTurn is as in read.
func (s *Service) showMarked(ctx context.Context, in Access, id mailbox.ID, o MessageOptions,
	inTurn func(*FullMessage, store.Content) error) (FullMessage, error) {
	if o.MarkSeen && in.Caller.May(mailbox.ChangeMail) {
		seen := true
		_, err := s.change(ctx, in, id, MessageChange{Seen: &seen})
		if err != nil && mailbox.KindOf(err) != mailbox.DiskFull { // reading goes on when nothing can be stored
			return FullMessage{}, err
		}
	}
	var found foundMessage
	look := func() error {
		return s.view(ctx, func(r store.Reader) error {
			m, box, err := s.find(ctx, r, in, id)
			if err == nil {
				found = foundMessage{full: FullMessage{Message: m, Address: box.Address}}
				err = found.loadSmall(ctx, r)
			}
			return err
		})
	}
	err := look()
	if err == nil && isHeld(found.full.Message) && s.expireNow(ctx) {
		err = look()
	}
	if err != nil {
		return FullMessage{}, noMessage(err)
	}
	return found.read(ctx, s, in, inTurn)
}

// foundMessage is a message that is about to be read. What is stored of a large one is loaded in its turn, so that
// nothing of it is in memory while it waits.
type foundMessage struct {
	full  FullMessage // its list row
	kept  *stored     // nil: not loaded
	texts []byte
}

func (o *foundMessage) loadSmall(ctx context.Context, r store.Reader) error {
	if o.full.Size > largeRead {
		return nil
	}
	return o.load(ctx, r)
}

func (o *foundMessage) load(ctx context.Context, r store.Reader) error {
	kept, err := readStored(ctx, r, o.full.Message)
	if err == nil {
		o.kept = &kept
		o.texts, err = index.KeptTexts(ctx, r, o.full.Message)
	}
	return err
}

// read returns the message as its own page shows it. All that takes the bodies of a large one apart is in one turn:
// whoever waited for a second one would have them in memory meanwhile. inTurn, if there is one, is called at its end.
func (o *foundMessage) read(ctx context.Context, s *Service, in Access,
	inTurn func(*FullMessage, store.Content) error) (FullMessage, error) {
	full := o.full
	if err := o.understand(ctx, s, &full, inTurn); err != nil {
		return FullMessage{}, noMessage(err)
	}
	s.noteRead(&in, full.Message)
	if in.hideFiles(&full.Detail); in.readsFiles() {
		full.Detail.Texts = s.index.Texts(ctx, full.Message, full.Detail.Parts, o.texts)
		screenTexts(&full)
	}
	return full, nil
}

func (o *foundMessage) understand(ctx context.Context, s *Service, full *FullMessage,
	inTurn func(*FullMessage, store.Content) error) error {
	leave, err := s.largeTurn(ctx, full.Message)
	if err != nil {
		return err
	}
	defer leave()
	if o.kept == nil {
		err = s.view(ctx, func(r store.Reader) error { return o.load(ctx, r) })
	}
	if err == nil {
		full.Detail, err = o.kept.detail()
	}
	if err != nil {
		return err
	}
	understand(full)
	if inTurn != nil {
		err = inTurn(full, o.kept.Content)
	}
	full.Detail.SetView(nil) // callers that keep the message need not keep it
	return err
}

// noMessage is an error about a message, as callers see it.
func noMessage(err error) error {
	if errors.Is(err, store.ErrNotFound) {
		return errNoMessage
	}
	return err
}

// stored is what a store has of a message besides its list row.
type stored struct {
	store.Content
	sent   []mailbox.Delivery
	review *mailbox.Review // nil: it was never held
}

func readStored(ctx context.Context, r store.Reader, m mailbox.Message) (st stored, err error) {
	if st.Content, err = r.Content(ctx, m); err == nil && m.Direction == mailbox.Outbound {
		st.sent, err = r.Deliveries(ctx, m)
	}
	if err != nil || m.Direction != mailbox.Outbound {
		return st, err
	}
	review, err := r.Review(ctx, m.Mailbox, m.ID)
	if errors.Is(err, store.ErrNotFound) {
		return st, nil
	}
	st.review = &review
	return st, err
}

// detail gives it as a message's own page shows it.
func (st stored) detail() (mailbox.Detail, error) {
	d, _, err := rawmail.Unpack(st.Content)
	d.Deliveries, d.Review = st.sent, st.review
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
	if box.Status == mailbox.Halted && !in.Need.OnPaused() {
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
