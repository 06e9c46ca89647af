package store

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Bearer is whose a key is.
type Bearer struct {
	Key     mailbox.Key
	Mailbox mailbox.Mailbox
	Claimed bool // the mailbox has a provisional key besides others
}

// KeyReader finds API keys.
type KeyReader interface {
	// Bearer finds whose a key is, in one question.
	Bearer(ctx context.Context, digest [32]byte) (Bearer, error)
	KeyByDigest(ctx context.Context, digest [32]byte) (mailbox.Key, error)
	Key(ctx context.Context, id mailbox.ID) (mailbox.Key, error)
	Keys(ctx context.Context, num mailbox.Num) ([]mailbox.Key, error)
	// KeyBoxes lists the mailboxes that a key opens beside its own.
	KeyBoxes(ctx context.Context, id mailbox.ID) ([]mailbox.Num, error)
	// KeyOpens tells whether a mailbox is one of them.
	KeyOpens(ctx context.Context, id mailbox.ID, num mailbox.Num) (bool, error)
}

// KeyWriter changes API keys.
type KeyWriter interface {
	InsertKey(ctx context.Context, k mailbox.Key) error
	// InsertKeyBox lets a key open a mailbox beside its own. It goes with the key and with the mailbox.
	InsertKeyBox(ctx context.Context, id mailbox.ID, num mailbox.Num) error
	// UpdateKey stores what a key is bound to, and its end.
	UpdateKey(ctx context.Context, k mailbox.Key) error
	// ExpireKey gives a key an end.
	ExpireKey(ctx context.Context, id mailbox.ID, at time.Time) error
	DeleteKey(ctx context.Context, id mailbox.ID) error
	// TrimKeys deletes keys whose end was before a time.
	TrimKeys(ctx context.Context, before time.Time) error
	// TouchKey notes when a key was last used.
	TouchKey(ctx context.Context, id mailbox.ID, at time.Time) error
}
