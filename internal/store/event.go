package store

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// EventReader reads a mailbox's log. Messages and events are numbered together: a message is the event of its coming or
// going, and the log needs no row for it. Numbers grow with Seq. They begin above the mailbox's creation time in
// milliseconds, and above those of mailboxes that were removed. Where a database may have lost the last of them,
// because it was restored or a standby took over, they go on at the current time in milliseconds or at the last and
// one, whichever is more: none is given out twice.
type EventReader interface {
	// Events lists the events after a number, oldest first, each with its message as it is now.
	Events(ctx context.Context, num mailbox.Num, after int64, limit int) ([]mailbox.Event, error)
	// LastEvent is the number of the newest event and its Seq, or those before the first if there is none yet. After a
	// restore the number may be higher: no lower one is given from then on.
	LastEvent(ctx context.Context, num mailbox.Num) (number, seq int64, err error)
	// EventsUntil is the number of the last event before a time and its Seq, or those before the first. The log is in
	// the order of commits, and times in it may be out of order by as long as a commit takes: a caller who must not
	// miss any asks for an earlier time and looks at each.
	EventsUntil(ctx context.Context, num mailbox.Num, before time.Time) (number, seq int64, err error)
	// EventSeq is the Seq of the last event whose number is not above this one, or the one before the first.
	EventSeq(ctx context.Context, num mailbox.Num, number int64) (seq int64, err error)
	// EventNumber is the number of the event with this Seq.
	EventNumber(ctx context.Context, num mailbox.Num, seq int64) (number int64, err error)
}

// EventWriter appends to a mailbox's log.
type EventWriter interface {
	// AppendEvent gives the event the mailbox's next number. Its Mail is not stored.
	AppendEvent(ctx context.Context, e *mailbox.Event) error
	// TrimEvents deletes up to limit events of before a time, of all mailboxes; a message that is still there stays.
	// removed is how many went, and more that there may be further ones: never where none went.
	TrimEvents(ctx context.Context, before time.Time, limit int) (removed int, more bool, err error)
}
