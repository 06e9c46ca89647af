package store

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// CountReader tells those who watch how much there is. Nothing is kept for it: it reads what is there.
type CountReader interface {
	// CountSpans counts a mailbox's messages after a Seq by span, direction and status, the newest limit of them. They
	// come in no order. The spans are whole seconds, and divide a day.
	CountSpans(ctx context.Context, num mailbox.Num, after int64, limit int, span time.Duration) ([]mailbox.SpanCount,
		error)
	// Holdings returns what mailboxes hold; those that are not there are left out.
	Holdings(ctx context.Context, nums ...mailbox.Num) (map[mailbox.Num]mailbox.Holding, error)
	// Happenings lists what happened last over all mailboxes, in no order: the newest limit messages that came or went,
	// without those that were deleted, and the newest limit of all other events.
	Happenings(ctx context.Context, limit int) ([]mailbox.Happening, error)
	// Backlog tells what waits to leave. It counts no more than limit deliveries and limit hooks; of more hooks it may
	// miss the oldest.
	Backlog(ctx context.Context, limit int) (mailbox.Backlog, error)
}
