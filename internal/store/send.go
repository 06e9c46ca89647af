package store

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// SendReader reads what binds sending: what was used of the limits, and what was sent under a key.
type SendReader interface {
	// Tally is how often something was done in a slot of time. The mailbox 0 is the deployment as a whole.
	Tally(ctx context.Context, num mailbox.Num, what string, slot int64) (int64, error)
	// Idempotent finds the send that a mailbox made with a key.
	Idempotent(ctx context.Context, num mailbox.Num, key [32]byte) (mailbox.Idempotent, error)
	// Pace is how a mailbox sends, as SetPace stored it; the zero value where it never did.
	Pace(ctx context.Context, num mailbox.Num) (mailbox.Pace, error)
}

// SendWriter changes what binds sending.
type SendWriter interface {
	// Count adds one to a tally. It is kept until a time.
	Count(ctx context.Context, num mailbox.Num, what string, slot int64, until time.Time) error
	InsertIdempotent(ctx context.Context, i mailbox.Idempotent) error
	// SetPace stores how a mailbox sends.
	SetPace(ctx context.Context, num mailbox.Num, p mailbox.Pace) error
	// TrimSends forgets up to limit tallies whose time was over at a moment, and as many keys of sends before another.
	// removed is how many went, and more that there may be further ones: never where none went.
	TrimSends(ctx context.Context, tallies, keys time.Time, limit int) (removed int, more bool, err error)
}
