package service

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// A draft is changed and sent in transactions that look at its version, so that of two who do it at the same time,
// wherever they are, one is told. What was sent stays for sentDraftsKept without its content: sending it again answers
// what was answered then.

const (
	maxDrafts      = 1000 // of one mailbox that were not sent
	maxDraftFiles  = 100  // as many as a send may have
	sentDraftsKept = 30 * 24 * time.Hour
)

// FullDraft is a draft with its mailbox's address.
type FullDraft struct {
	mailbox.StoredDraft
	Address  string
	Replayed bool // it was made before, under the same ClientID
}

// DraftsQuery is which drafts are wanted: those that are not sent, or those that are.
type DraftsQuery struct {
	Status       string   // empty or draft, or sent
	Waiting      bool     // with those that were sent, and whose message is scheduled
	Tags         []string // that a draft has, all of them
	Since, Until time.Time
	Oldest       bool // the oldest come first
	Page         Page
}

// Takes tells whether a draft is one that is asked for.
func (q DraftsQuery) Takes(d mailbox.StoredDraft) bool {
	for _, t := range q.Tags {
		if !slices.Contains(d.Tags, t) {
			return false
		}
	}
	return !d.UpdatedAt.Before(q.Since) && (q.Until.IsZero() || d.UpdatedAt.Before(q.Until))
}

var errNoDraft = mailbox.Errorf(mailbox.NotFound, "not_found", "Draft not found")

func errDraftChanged(version int64) error {
	return &mailbox.Error{Kind: mailbox.Conflict, Code: "draft_changed", Version: version, Message: fmt.Sprintf(
		"The draft was changed meanwhile: it has version %d now. Read it again before you change or send it.", version)}
}

func errDraftSent(message mailbox.ID) error {
	return mailbox.Errorf(mailbox.Conflict, "draft_sent", "The draft was sent, as %s, and cannot be changed any more.",
		message)
}

// CreateDraft keeps a message that is not to be sent yet. It may be unfinished.
func (s *Service) CreateDraft(ctx context.Context, in Access, e mailbox.DraftEdit) (FullDraft, error) {
	in, err := s.draftHome(ctx, in, e)
	if err != nil {
		return FullDraft{}, err
	}
	if err := checkProfile(mailbox.Profile{ClientID: e.ClientID}); err != nil {
		return FullDraft{}, err
	}
	now := s.now()
	d := mailbox.StoredDraft{ID: mailbox.NewID(s.opt.Now()), Mailbox: in.Box.Num, Version: 1, CreatedAt: now,
		UpdatedAt: now, ClientID: e.ClientID}
	d.Apply(e)
	files, err := s.keepFiles(ctx, in.Box, e.Attachments)
	if err != nil {
		return FullDraft{}, err
	}
	whole, before, told := d, FullDraft{}, false
	err = s.update(ctx, func(tx store.Tx) error {
		d = whole
		if before, err = draftOf(ctx, tx, d); before.Replayed {
			return errMade
		}
		if err != nil {
			return err
		}
		switch n, err := tx.CountDrafts(ctx, d.Mailbox); {
		case err != nil:
			return err
		case n >= maxDrafts:
			return mailbox.Errorf(mailbox.Conflict, "too_many_drafts", "This mailbox has %d drafts, which is as many "+
				"as it may have; delete or send some.", n)
		}
		if err := s.attach(ctx, tx, &d, files); err != nil {
			return err
		}
		if err := s.checkDraft(ctx, tx, &d, e); err != nil {
			return err
		}
		row := packDraft(&d)
		if told, err = s.keepDraft(ctx, tx, in.Box.Num, row.Size); err != nil {
			return err
		}
		return tx.InsertDraft(ctx, &row)
	})
	s.dropKept(ctx, files, err)
	s.wakeTold(in.Box.Num, told && err == nil)
	switch {
	case errors.Is(err, errMade):
		before.Address = in.Box.Address
		return before, nil
	case errors.Is(err, store.ErrNotFound):
		err = errUnauthorized // the mailbox was deleted meanwhile
	}
	return FullDraft{StoredDraft: d, Address: in.Box.Address}, err
}

// draftOf finds the draft that was made under the same ClientID; none is no error.
func draftOf(ctx context.Context, r store.Reader, d mailbox.StoredDraft) (FullDraft, error) {
	for _, sent := range []bool{false, true} {
		if d.ClientID == "" {
			break
		}
		rows, err := r.Drafts(ctx, d.Mailbox, store.DraftFilter{Sent: sent, Limit: maxDrafts})
		for _, row := range rows {
			if err != nil {
				return FullDraft{}, err
			}
			var old mailbox.StoredDraft
			if old, err = unpackDraft(row); err != nil || old.ClientID != d.ClientID {
				continue
			}
			if row, err = r.Draft(ctx, d.Mailbox, old.ID); err == nil { // with its bodies
				old, err = unpackDraft(row)
			}
			return FullDraft{StoredDraft: old, Replayed: err == nil}, err
		}
		if err != nil {
			return FullDraft{}, err
		}
	}
	return FullDraft{}, nil
}

// draftHome is the mailbox that a new draft is for: the caller's, or where an operator names none the one that holds
// the message that it is about, or that it is from.
func (s *Service) draftHome(ctx context.Context, in Access, e mailbox.DraftEdit) (Access, error) {
	if !in.anywhere() {
		return in, nil
	}
	box, err := in.Box, error(nil)
	id, about := mailbox.ParseID(e.EmailID)
	switch {
	case about:
		err = s.view(ctx, func(r store.Reader) error {
			_, box, err = s.find(ctx, r, in, id)
			return err
		})
		if errors.Is(err, store.ErrNotFound) {
			err = errNoMessage
		}
	case strings.TrimSpace(e.From) != "":
		var from mailbox.Address
		if from, err = parseAddress("from", e.From); err == nil {
			box, err = s.mailboxAt(ctx, canonical(from.Address))
		}
	}
	if err == nil {
		err = s.auditSend(ctx, in, box)
	}
	in.Box, in.Mailbox = box, box.Address
	return in, err
}

// checkDraft says what is wrong with a draft that is about to be stored.
func (s *Service) checkDraft(ctx context.Context, r store.Reader, d *mailbox.StoredDraft, e mailbox.DraftEdit) error {
	if err := d.Check(); err != nil {
		return err
	}
	if n := d.Bytes(); n > s.opt.Limits.MessageBytes {
		return mailbox.Errorf(mailbox.TooLarge, "message_too_large", "The message is too large with all attachments: "+
			"at most %d bytes.", s.opt.Limits.MessageBytes)
	}
	if len(d.Files) > maxDraftFiles {
		return mailbox.InvalidField("attachments", "A draft has at most %d attachments.", maxDraftFiles)
	}
	if !e.Gives("email_id") || d.EmailID == "" {
		return nil
	}
	id, ok := mailbox.ParseID(d.EmailID)
	err := store.ErrNotFound
	if ok {
		_, err = r.Message(ctx, d.Mailbox, id)
	}
	if errors.Is(err, store.ErrNotFound) {
		return mailbox.InvalidField("email_id", "email_id names a message that is not in this mailbox.")
	}
	return err
}

// Drafts lists the drafts of a mailbox, newest first, without their bodies.
func (s *Service) Drafts(ctx context.Context, in Access, q DraftsQuery) (List[FullDraft], error) {
	before, err := decodeCursor(cursorDraft, q.Page.Cursor)
	if err != nil {
		return List[FullDraft]{}, err
	}
	switch q.Status {
	case "", "draft", "sent":
	default:
		return List[FullDraft]{}, mailbox.InvalidField("status", "status is draft or sent.")
	}
	var rows []store.Draft
	err = s.ask(ctx, func(r store.Reader) (err error) {
		if q.Oldest || len(q.Tags) > 0 || !q.Since.IsZero() || !q.Until.IsZero() {
			rows, err = selectDrafts(ctx, r, in.Box.Num, q, before)
			return err
		}
		rows, err = r.Drafts(ctx, in.Box.Num, store.DraftFilter{Sent: q.Status == "sent", Waiting: q.Waiting,
			Before: before, Offset: q.Page.Offset, Limit: q.Page.Limit + 1})
		return err
	})
	page := list(rows, q.Page.Limit, cursorDraft, func(d store.Draft) int64 { return d.Number })
	out := List[FullDraft]{Next: page.Next, Items: make([]FullDraft, len(page.Items))}
	for i, row := range page.Items {
		if err == nil {
			out.Items[i].Address = in.Box.Address
			out.Items[i].StoredDraft, err = unpackDraft(row)
		}
	}
	return out, err
}

// selectDrafts lists those of a mailbox's drafts that a query takes.
func selectDrafts(ctx context.Context, r store.Reader, num mailbox.Num, q DraftsQuery, place int64) ([]store.Draft,
	error) {
	rows, err := allDrafts(ctx, r, num, store.DraftFilter{Sent: q.Status == "sent", Waiting: q.Waiting})
	if err != nil {
		return nil, err
	}
	if q.Oldest {
		slices.Reverse(rows)
	}
	var out []store.Draft
	for _, row := range rows {
		if passed := q.Oldest && row.Number <= place || !q.Oldest && row.Number >= place; place > 0 && passed {
			continue
		}
		d, err := unpackDraft(row)
		if err == nil && row.IsSent() && q.Waiting {
			d.Tags, err = labelsOf(ctx, r, row) // it has given its own up
		}
		if err != nil {
			return nil, err
		}
		if q.Takes(d) && len(out) <= q.Page.Limit {
			out = append(out, row)
		}
	}
	return out, nil
}

// allDrafts lists all that a filter takes.
func allDrafts(ctx context.Context, r store.Reader, num mailbox.Num, f store.DraftFilter) (all []store.Draft,
	err error) {
	for f.Limit = maxDrafts; ; f.Before = all[len(all)-1].Number {
		rows, err := r.Drafts(ctx, num, f)
		if all = append(all, rows...); err != nil || len(rows) < f.Limit {
			return all, err
		}
	}
}

// labelsOf are the labels of the message that a draft was sent as; none where it is gone.
func labelsOf(ctx context.Context, r store.Reader, d store.Draft) ([]string, error) {
	m, err := r.Message(ctx, d.Mailbox, d.Message)
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil
	}
	return m.Labels, err
}

// Draft shows one draft.
func (s *Service) Draft(ctx context.Context, in Access, id mailbox.ID) (d FullDraft, err error) {
	err = s.view(ctx, func(r store.Reader) error {
		row, err := r.Draft(ctx, in.within(), id)
		if err != nil {
			return err
		}
		box, err := s.boxOf(ctx, r, in, row.Mailbox)
		if err != nil {
			return err
		}
		if box.Num != in.Box.Num {
			s.ledger.note(s.audited(in, box.Address, ""))
		}
		d.Address = box.Address
		d.StoredDraft, err = unpackDraft(row)
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		err = errNoDraft
	}
	return d, err
}

// EditDraft changes the members of a draft that an edit gives. The edit says on which version it is based.
func (s *Service) EditDraft(ctx context.Context, in Access, id mailbox.ID, e mailbox.DraftEdit) (FullDraft, error) {
	if e.Version <= 0 {
		return FullDraft{}, mailbox.InvalidField("version", "version is needed: that of the draft which the change is "+
			"based on, so that nobody's change is lost.")
	}
	in, err := s.atDraft(ctx, in, id)
	if err != nil {
		return FullDraft{}, err
	}
	files, err := s.keepFiles(ctx, in.Box, e.Attachments)
	if err != nil {
		return FullDraft{}, err
	}
	d, err := s.changeDraft(ctx, in, mailbox.DraftRef{ID: id, Version: e.Version},
		func(tx store.Tx, d *mailbox.StoredDraft) (unused []string, err error) {
			d.Apply(e)
			if e.Gives("attachments") {
				if unused, err = s.detach(ctx, tx, d, allFiles); err != nil {
					return nil, err
				}
			}
			if err := s.attach(ctx, tx, d, files); err != nil {
				return nil, err
			}
			return unused, s.checkDraft(ctx, tx, d, e)
		})
	s.dropKept(ctx, files, err)
	return d, err
}

// atDraft is the access to the mailbox that holds a draft.
func (s *Service) atDraft(ctx context.Context, in Access, id mailbox.ID) (Access, error) {
	if !in.anywhere() {
		return in, nil
	}
	box := in.Box
	err := s.view(ctx, func(r store.Reader) error {
		row, err := r.Draft(ctx, 0, id)
		if err == nil {
			box, err = s.boxOf(ctx, r, in, row.Mailbox)
		}
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		err = errNoDraft
	}
	if err == nil {
		err = s.auditSend(ctx, in, box)
	}
	in.Box, in.Mailbox = box, box.Address
	return in, err
}

// openDraft reads a draft that is to be changed: the version that is named, or the one that it has where none is.
func openDraft(ctx context.Context, r store.Reader, num mailbox.Num, ref mailbox.DraftRef) (store.Draft, error) {
	row, err := r.Draft(ctx, num, ref.ID)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return row, errNoDraft
	case err != nil:
		return row, err
	case row.IsSent():
		return row, errDraftSent(row.Message)
	case ref.Version != 0 && ref.Version != row.Version:
		return row, errDraftChanged(row.Version)
	}
	return row, nil
}

// changeDraft runs a change and gives the draft its next version. The blobs that the change leaves unused go when it is
// durable.
func (s *Service) changeDraft(ctx context.Context, in Access, ref mailbox.DraftRef,
	change func(tx store.Tx, d *mailbox.StoredDraft) (unused []string, err error)) (FullDraft, error) {
	var d mailbox.StoredDraft
	var unused []string
	told := false
	err := s.update(ctx, func(tx store.Tx) error {
		row, err := openDraft(ctx, tx, in.Box.Num, ref)
		if err != nil {
			return err
		}
		if d, err = unpackDraft(row); err != nil {
			return err
		}
		if unused, err = change(tx, &d); err != nil {
			return err
		}
		d.Version, d.UpdatedAt = d.Version+1, s.now()
		now := packDraft(&d)
		if told, err = s.keepDraft(ctx, tx, in.Box.Num, now.Size-row.Size); err != nil {
			return err
		}
		return tx.UpdateDraft(ctx, now)
	})
	if err != nil {
		return FullDraft{}, err
	}
	s.dropBlobs(ctx, unused)
	s.wakeTold(in.Box.Num, told)
	return FullDraft{StoredDraft: d, Address: in.Box.Address}, nil
}

// DeleteDraft throws a draft away: the version that is named, or any.
func (s *Service) DeleteDraft(ctx context.Context, in Access, ref mailbox.DraftRef) error {
	in, err := s.atDraft(ctx, in, ref.ID)
	if err != nil {
		return err
	}
	var unused []string
	err = s.update(ctx, func(tx store.Tx) error {
		row, err := openDraft(ctx, tx, in.Box.Num, ref)
		if err != nil {
			return err
		}
		d, err := unpackDraft(row)
		if err != nil {
			return err
		}
		unused = blobsOf(d.Files)
		return tx.DeleteDraft(ctx, d.Mailbox, d.ID)
	})
	if err == nil {
		s.dropBlobs(ctx, unused)
	}
	return err
}
