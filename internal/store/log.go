package store

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// LogFilter narrows a list of log entries. They come newest first.
type LogFilter struct {
	Addresses []string // only entries about these; empty: all
	Before    int64    // only entries with a lower number; 0: from the newest
	Offset    int
	Limit     int
}

// Entry is a log entry with its number.
type Entry[T any] struct {
	Number int64
	Value  T
}

// LogReader reads the deployment's logs.
type LogReader interface {
	Rejects(ctx context.Context, f LogFilter) ([]Entry[mailbox.Reject], error)
	Audits(ctx context.Context, f LogFilter) ([]Entry[mailbox.Audit], error)
}

// LogWriter appends to the deployment's logs.
type LogWriter interface {
	// AppendRejects adds to the ring of refused mail and keeps its newest entries.
	AppendRejects(ctx context.Context, rs []mailbox.Reject, keep int) error
	AppendAudit(ctx context.Context, a mailbox.Audit) error
}
