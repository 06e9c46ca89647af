package store

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// HookFilter narrows a list of hooks. They come newest first, without their bodies.
type HookFilter struct {
	State   mailbox.HookState // empty: any
	Kind    mailbox.EventKind // empty: any
	Message mailbox.ID        // zero: any
	Target  string            // the URL of one; empty: any
	Before  int64             // only older ones; 0: from the newest
	Offset  int
	Limit   int
}

// HookReader finds events on their way to webhooks.
type HookReader interface {
	// Hook finds a hook of a mailbox.
	Hook(ctx context.Context, num mailbox.Num, id mailbox.ID) (mailbox.Hook, error)
	Hooks(ctx context.Context, num mailbox.Num, f HookFilter) ([]mailbox.Hook, error)
	// DueTargets lists up to limit targets that have a hook due at a time, that of the moment included, the longest due
	// first, without the given ones. What it costs grows with the targets, not with their hooks.
	DueTargets(ctx context.Context, at time.Time, except []int64, limit int) ([]mailbox.HookTarget, error)
	// DueHooks lists up to limit hooks of a target that are due at a time: first those that were tried before, so that
	// a schedule that has begun is not held up by all that came after it; then the others, the longest due first.
	DueHooks(ctx context.Context, target int64, at time.Time, limit int) ([]mailbox.Hook, error)
	// NextHook is when the next hook is due, without those for the given targets; zero: there is none.
	NextHook(ctx context.Context, except []int64) (time.Time, error)
}

// HookWriter changes hooks.
type HookWriter interface {
	// InsertHook stores a hook and gives it its place.
	InsertHook(ctx context.Context, h *mailbox.Hook) error
	// UpdateHook stores the target of a hook, its state, attempts, lease and log. ErrNotFound if it is gone. Targets
	// whose hooks were changed must be settled in the same transaction.
	UpdateHook(ctx context.Context, h mailbox.Hook) error
	// ScrubHook stores the body and the log of a hook whose message was deleted.
	ScrubHook(ctx context.Context, h mailbox.Hook) error
	// HoldHooks makes what a target has pending held.
	HoldHooks(ctx context.Context, target int64) error
	// PutOffHooks makes what a target has due at a time due at another. A lease that has ended by then is over.
	PutOffHooks(ctx context.Context, target int64, at, until time.Time) error
	// ReleaseHooks makes due at a time what a process had leased that is no more.
	ReleaseHooks(ctx context.Context, at time.Time) error
	// TrimHooks deletes up to limit hooks of before a time, of all mailboxes, and targets that nothing names any more.
	// removed is how many hooks went, and more that there may be further ones: never where none went.
	TrimHooks(ctx context.Context, before time.Time, limit int) (removed int, more bool, err error)
}

// HookTargetWriter changes targets: the URLs that hooks of a mailbox go to.
type HookTargetWriter interface {
	// HookTarget returns the target of a mailbox with this URL, and makes it where there is none.
	HookTarget(ctx context.Context, num mailbox.Num, url string) (mailbox.HookTarget, error)
	// SettleTargets notes when the next hooks of these targets are due.
	SettleTargets(ctx context.Context, targets ...int64) error
}
