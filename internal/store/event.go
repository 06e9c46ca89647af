package store

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// EventReader reads a mailbox's log. Messages and events are numbered together: a message is the event of its coming or
// going, and the log needs no row for it.
type EventReader interface {
	// Events lists the events after a number, oldest first.
	Events(ctx context.Context, num mailbox.Num, after int64, limit int) ([]mailbox.Event, error)
}

// EventWriter appends to a mailbox's log.
type EventWriter interface {
	// AppendEvent gives the event the mailbox's next number.
	AppendEvent(ctx context.Context, e *mailbox.Event) error
}
