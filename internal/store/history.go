package store

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// HistoryReader reads what happened to messages, as far as it is not stored elsewhere.
type HistoryReader interface {
	// History lists the entries of the message with that Seq in the order in which they were appended.
	History(ctx context.Context, num mailbox.Num, seq int64) ([]mailbox.HistoryEntry, error)
	// WasRead tells whether there is an entry that somebody has read the message.
	WasRead(ctx context.Context, num mailbox.Num, seq int64, actor string) (bool, error)
}

// HistoryWriter appends to it. The entries go with their message.
type HistoryWriter interface {
	// AppendHistory adds an entry and keeps the newest of its message.
	AppendHistory(ctx context.Context, num mailbox.Num, seq int64, e mailbox.HistoryEntry, keep int) error
}
