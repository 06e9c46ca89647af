package store

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// ListFilter narrows the entries of a list.
type ListFilter struct {
	Before int64
	Offset int
	Limit  int
}

// ListReader reads the allow and block lists. Those of mailbox 0 are the deployment's.
type ListReader interface {
	// Listed lists the entries with one of these patterns that a mailbox or the deployment has on any list, in any
	// order, expired ones included.
	Listed(ctx context.Context, num mailbox.Num, patterns []mailbox.Pattern) ([]mailbox.Listed, error)
	// ListEntries lists the entries of a list, newest first, with a lower number than before if that is not 0.
	ListEntries(ctx context.Context, num mailbox.Num, l mailbox.List, f ListFilter) ([]mailbox.Listed, error)
	CountListed(ctx context.Context, num mailbox.Num, l mailbox.List) (int64, error)
}

// ListWriter changes them.
type ListWriter interface {
	// PutListed stores an entry in the place of one with the same pattern.
	PutListed(ctx context.Context, e mailbox.Listed) error
	// DeleteListed deletes an entry. ErrNotFound if there is none.
	DeleteListed(ctx context.Context, num mailbox.Num, l mailbox.List, p mailbox.Pattern) error
}
