package store

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// SuppressionFilter narrows a list of suppressions.
type SuppressionFilter struct {
	Before, After int64  // only those with a lower number, and with a higher one; 0: all
	Reason        string // empty: any
	Oldest        bool   // the oldest come first
	Offset        int
	Limit         int
}

// SuppressionReader finds the addresses that a mailbox does not send to.
type SuppressionReader interface {
	// Suppression finds an address that a mailbox does not send to.
	Suppression(ctx context.Context, num mailbox.Num, address string) (mailbox.Suppression, error)
	// Suppressions lists them, newest first unless the oldest are asked for.
	Suppressions(ctx context.Context, num mailbox.Num, f SuppressionFilter) ([]mailbox.Suppression, error)
	CountSuppressions(ctx context.Context, num mailbox.Num) (int64, error)
}

// SuppressionWriter changes them.
type SuppressionWriter interface {
	// InsertSuppression adds an address, if it is not there already.
	InsertSuppression(ctx context.Context, s mailbox.Suppression) error
	// DeleteSuppression takes an address off the list. ErrNotFound if it is not on it.
	DeleteSuppression(ctx context.Context, num mailbox.Num, address string) error
}
