package store

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// ReviewFilter narrows a list of reviews. They come newest first.
type ReviewFilter struct {
	Mailbox mailbox.Num          // 0: any
	Status  mailbox.ReviewStatus // empty: any
	Before  int64                // only those with a lower number; 0: from the newest
	Offset  int
	Limit   int
}

// ReviewReader finds the decisions about messages that need approval.
type ReviewReader interface {
	// Review finds the one about a message.
	Review(ctx context.Context, num mailbox.Num, message mailbox.ID) (mailbox.Review, error)
	Reviews(ctx context.Context, f ReviewFilter) ([]mailbox.Review, error)
	// CountHeld is how many messages of a mailbox wait for a decision.
	CountHeld(ctx context.Context, num mailbox.Num) (int64, error)
	// CountUnsent is how many messages of a mailbox were held and were not approved: they are not sent.
	CountUnsent(ctx context.Context, num mailbox.Num) (int64, error)
	// ExpiredReviews lists up to limit messages that have waited for a decision until a time, the oldest first.
	ExpiredReviews(ctx context.Context, at time.Time, limit int) ([]mailbox.Review, error)
	// Unnoticed lists up to limit mailboxes with messages that wait for a decision and of which nobody was told by
	// mail, in the order of their numbers, after one.
	Unnoticed(ctx context.Context, after mailbox.Num, limit int) ([]mailbox.Num, error)
	// UnnoticedReviews lists up to limit such messages of a mailbox, the oldest first.
	UnnoticedReviews(ctx context.Context, num mailbox.Num, limit int) ([]mailbox.Review, error)
}

// ReviewWriter changes reviews. They go with their message.
type ReviewWriter interface {
	InsertReview(ctx context.Context, r mailbox.Review) error
	// UpdateReview stores version, status, note, who decided, and when. ErrNotFound if it is gone.
	UpdateReview(ctx context.Context, r mailbox.Review) error
	// MarkNoticed notes that people were told of a mailbox's reviews up to a number. It returns of how many they had
	// not been told.
	MarkNoticed(ctx context.Context, num mailbox.Num, upTo int64) (int64, error)
}
