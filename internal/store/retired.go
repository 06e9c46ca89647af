package store

import (
	"context"
	"time"
)

// RetiredReader finds addresses of deleted mailboxes. They are canonical.
type RetiredReader interface {
	// Retired is when the last mailbox with this address was deleted. ErrNotFound: that is not known of any.
	Retired(ctx context.Context, address string) (time.Time, error)
}

// RetiredWriter changes what is remembered of deleted mailboxes.
type RetiredWriter interface {
	// Retire notes that the mailbox with this address was deleted at a time, in the place of an earlier note.
	Retire(ctx context.Context, address string, at time.Time) error
	// TrimRetired forgets up to limit addresses that were retired before a time. removed is how many went,
	// and more that there may be further ones: never where none went.
	TrimRetired(ctx context.Context, before time.Time, limit int) (removed int, more bool, err error)
}
