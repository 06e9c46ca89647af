package store

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Draft is a draft as it is stored.
type Draft struct {
	Number               int64 // its place in the mailbox's list, given by InsertDraft
	ID                   mailbox.ID
	Mailbox              mailbox.Num
	Version              int64
	CreatedAt, UpdatedAt time.Time
	Size                 int64  // bytes that it counts for in its mailbox's counters
	Head                 []byte // the service's own form: everything but the bodies
	Body                 []byte // the same: the bodies; Drafts leaves it out

	// What it was sent as; zero where it was not.
	SentAt          time.Time
	Message, Thread mailbox.ID
	MessageID       string
}

// IsSent tells whether the draft was sent.
func (d Draft) IsSent() bool { return !d.SentAt.IsZero() }

// DraftFilter narrows a list of drafts.
type DraftFilter struct {
	Sent    bool  // those that were sent, in place of those that were not
	Waiting bool  // those that were not sent, and those whose message is scheduled
	Before  int64 // only those with a lower Number; 0: from the newest
	Offset  int
	Limit   int
}

// DraftReader finds drafts.
type DraftReader interface {
	// Draft finds a draft by its id in one mailbox, or in any if num is 0.
	Draft(ctx context.Context, num mailbox.Num, id mailbox.ID) (Draft, error)
	// Drafts lists the drafts of a mailbox, newest first, without their bodies.
	Drafts(ctx context.Context, num mailbox.Num, f DraftFilter) ([]Draft, error)
	// CountDrafts counts the drafts of a mailbox that were not sent.
	CountDrafts(ctx context.Context, num mailbox.Num) (int64, error)
	// DraftFile gives an attachment of a draft. Its bytes alone are in Packed where it has no Blob.
	DraftFile(ctx context.Context, num mailbox.Num, id mailbox.ID, n int) (Content, error)
}

// DraftWriter changes drafts and, with them, the bytes that their mailbox counts.
type DraftWriter interface {
	// InsertDraft stores a draft and gives it its Number. ErrNotFound if the mailbox is gone.
	InsertDraft(ctx context.Context, d *Draft) error
	// UpdateDraft stores version, time, size, head, body and what it was sent as.
	UpdateDraft(ctx context.Context, d Draft) error
	// DeleteDraft takes a draft away with its attachments.
	DeleteDraft(ctx context.Context, num mailbox.Num, id mailbox.ID) error
	// InsertDraftFile and DeleteDraftFile change the attachments of a draft. Its size is UpdateDraft's to change.
	InsertDraftFile(ctx context.Context, num mailbox.Num, id mailbox.ID, n int, c Content) error
	DeleteDraftFile(ctx context.Context, num mailbox.Num, id mailbox.ID, n int) error
	// TrimDrafts forgets up to limit drafts that were sent before a moment: those have neither size nor attachments.
	// removed and more are as in TrimSends.
	TrimDrafts(ctx context.Context, before time.Time, limit int) (removed int, more bool, err error)
}
