package store

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Roster knows which nodes work on a store. A store that belongs to one process has none.
type Roster interface {
	// SeeNode notes that a node is there now, and forgets those that were not seen for a day. The clock is the store's.
	SeeNode(ctx context.Context, n mailbox.Node) error
	// LeaveNode forgets a node that ends.
	LeaveNode(ctx context.Context, name string) error
	// Nodes lists up to limit of them, those seen last first.
	Nodes(ctx context.Context, limit int) ([]mailbox.Node, error)
}
