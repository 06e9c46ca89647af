package store

import (
	"context"
	"time"

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

// AuditEnds are the newest entry of the audit log's chain, and the newest of those that TrimAudits has deleted.
type AuditEnds struct{ Head, Base mailbox.AuditLink }

// LogReader reads the deployment's logs.
type LogReader interface {
	Rejects(ctx context.Context, f LogFilter) ([]Entry[mailbox.Reject], error)
	Audits(ctx context.Context, f LogFilter) ([]Entry[mailbox.Audit], error)
	// AuditsAfter lists entries of the audit log with a higher number, oldest first.
	AuditsAfter(ctx context.Context, number int64, limit int) ([]Entry[mailbox.Audit], error)
	AuditEnds(ctx context.Context) (AuditEnds, error)
}

// LogWriter appends to the deployment's logs.
type LogWriter interface {
	// AppendRejects adds to the ring of refused mail and keeps its newest entries.
	AppendRejects(ctx context.Context, rs []mailbox.Reject, keep int) error
	// AppendAudit adds an entry behind the newest one of the chain.
	AppendAudit(ctx context.Context, a mailbox.Audit) error
	// TrimAudits deletes up to limit entries from before a time, the oldest first, and notes where the chain begins
	// then.
	TrimAudits(ctx context.Context, before time.Time, limit int) (removed int, more bool, err error)
}
