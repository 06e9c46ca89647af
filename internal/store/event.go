package store

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// EventReader reads a mailbox's log. Messages and events are numbered together: a message is the event of its coming or
// going, and the log needs no row for it. Numbers begin above the mailbox's creation time in milliseconds, and above those of
// mailboxes that were removed.
type EventReader interface {
	// Events lists the events after a number, oldest first, each with its message as it is now.
	Events(ctx context.Context, num mailbox.Num, after int64, limit int) ([]mailbox.Event, error)
	// EventBase is the number before the first event: an event's number is the base plus its message's Seq.
	EventBase(ctx context.Context, num mailbox.Num) (int64, error)
	// LastEvent is the number of the newest event, or the one before the first if there is none yet.
	LastEvent(ctx context.Context, num mailbox.Num) (int64, error)
	// EventsUntil is the number of the last event before a time, or the one before the first. The log is in the order
	// of commits, and times in it may be out of order by as long as a commit takes: a caller who must not miss any
	// asks for an earlier time and looks at each.
	EventsUntil(ctx context.Context, num mailbox.Num, before time.Time) (int64, error)
}

// EventWriter appends to a mailbox's log.
type EventWriter interface {
	// AppendEvent gives the event the mailbox's next number. Its Mail is not stored.
	AppendEvent(ctx context.Context, e *mailbox.Event) error
	// TrimEvents deletes up to limit events of before a time, of all mailboxes; a message that is still there stays.
	// more says that there may be further ones.
	TrimEvents(ctx context.Context, before time.Time, limit int) (more bool, err error)
}
