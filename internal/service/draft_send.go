package service

import (
	"context"
	"errors"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// DraftSend is how a draft is to be sent.
type DraftSend struct {
	mailbox.DraftRef // without a version whichever it has
	DryRun           bool
}

// SendDraft sends a draft as Send, Reply or Forward would do now, once: whoever sends it again gets the answer of the
// first time. Whoever may only write drafts sees what sending would do.
func (s *Service) SendDraft(ctx context.Context, in Access, q DraftSend) (Sending, error) {
	if !q.DryRun && !in.Caller.May(mailbox.SendMail) {
		return Sending{}, denied(in.Caller, mailbox.SendMail)
	}
	in, err := s.atDraft(ctx, in, q.ID)
	if err != nil {
		return Sending{}, err
	}
	in.Mailbox = in.Box.Address // also the operator sends it from its own mailbox
	// Of several on this node one composes the message; those on others find out in their transaction.
	unlock, err := s.locks.lock(ctx, "draft "+q.ID.String())
	if err != nil {
		return Sending{}, fail(err)
	}
	defer unlock()
	var row store.Draft
	var again Sending
	err = s.view(ctx, func(r store.Reader) (err error) {
		if row, err = openDraft(ctx, r, in.Box.Num, q.DraftRef); row.IsSent() && !q.DryRun {
			again, err = sentAgain(ctx, r, row)
		}
		return err
	})
	if row.IsSent() && !q.DryRun {
		return again, err
	}
	if err != nil {
		return Sending{}, err
	}
	d, err := unpackDraft(row)
	if err != nil {
		return Sending{}, err
	}
	sent, err := s.sendStored(ctx, in, d, q.DryRun)
	if err != nil {
		return s.explainUnsent(ctx, in, d, q, err)
	}
	return sent, nil
}

// sentAgain is the answer to sending a draft that was sent.
func sentAgain(ctx context.Context, r store.Reader, row store.Draft) (Sending, error) {
	return withStatus(ctx, r, row.Mailbox, Sending{ID: row.Message, MessageID: row.MessageID, Thread: row.Thread})
}

// sendStored sends a draft in the way that it is for.
func (s *Service) sendStored(ctx context.Context, in Access, d mailbox.StoredDraft, dryRun bool) (Sending, error) {
	out := d.Draft
	out.Stored, out.DryRun = mailbox.DraftRef{ID: d.ID, Version: d.Version}, dryRun
	for _, f := range d.Files {
		out.Attachments = append(out.Attachments, s.fileOf(ctx, d, f))
	}
	switch {
	case d.Reply:
		return s.Reply(ctx, in, out)
	case d.Forward:
		return s.Forward(ctx, in, out)
	}
	return s.Send(ctx, in, out)
}

// explainUnsent says why a draft could not be sent: also that it, or the message that it is about, went away while its
// parts were read, or that it was sent elsewhere.
func (s *Service) explainUnsent(ctx context.Context, in Access, d mailbox.StoredDraft, q DraftSend,
	err error) (Sending, error) {
	var row store.Draft
	var again Sending
	now := s.view(ctx, func(r store.Reader) (err error) {
		row, err = openDraft(ctx, r, in.Box.Num, mailbox.DraftRef{ID: d.ID, Version: d.Version})
		if row.IsSent() && !q.DryRun {
			again, err = sentAgain(ctx, r, row)
		}
		return err
	})
	switch kind := mailbox.KindOf(now); {
	case row.IsSent() && !q.DryRun:
		return again, now
	case now != nil && (kind == mailbox.NotFound || kind == mailbox.Conflict):
		return Sending{}, now
	case errors.Is(err, errNoMessage) && d.EmailID != "":
		return Sending{}, mailbox.Errorf(mailbox.Conflict, "email_deleted", "The message that this draft is about, "+
			"%s, was deleted. Change email_id, or set it to null to send the draft as a message of its own.",
			mailbox.Clip(d.EmailID, 40))
	}
	return Sending{}, err
}

// draftSent finds what was answered when the draft of a message was sent. store.ErrNotFound: it was not, and is as the
// message says it.
func (s *Service) draftSent(ctx context.Context, r store.Reader, o *outgoing) (Sending, error) {
	row, err := openDraft(ctx, r, o.box.Num, o.draft)
	switch {
	case row.IsSent():
		return sentAgain(ctx, r, row)
	case err != nil:
		return Sending{}, err
	}
	return Sending{}, store.ErrNotFound
}

// closeDraft notes in the transaction of a message that it was the draft. The draft gives up its content.
func (s *Service) closeDraft(ctx context.Context, tx store.Tx, o *outgoing, m mailbox.Message) error {
	row, err := openDraft(ctx, tx, o.box.Num, o.draft)
	if err != nil {
		return err
	}
	d, err := unpackDraft(row)
	if err != nil {
		return err
	}
	for _, f := range d.Files {
		if err := tx.DeleteDraftFile(ctx, d.Mailbox, d.ID, f.N); err != nil {
			return err
		}
	}
	drafted := mailbox.HistoryEntry{At: d.CreatedAt, Kind: mailbox.HistoryDrafted,
		HistoryFacts: mailbox.HistoryFacts{Draft: d.ID.String(), Version: d.Version}}
	if err := tx.AppendHistory(ctx, m.Mailbox, m.Seq, drafted, historyKept); err != nil {
		return err
	}
	o.unused = blobsOf(d.Files)
	d.Version, d.UpdatedAt = d.Version+1, s.now()
	d.Sent = &mailbox.SentDraft{Message: o.answer.ID, Thread: o.answer.Thread, MessageID: o.answer.MessageID,
		At: d.UpdatedAt}
	// Who and what it was is the message's to say, for as long as that is there.
	d.Draft, d.Files, d.Snippet = mailbox.Draft{EmailID: d.EmailID}, nil, ""
	return tx.UpdateDraft(ctx, packDraft(&d))
}
