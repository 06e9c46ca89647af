package store

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// ClaimReader finds claims and the temporary mailboxes that can be asked for again.
type ClaimReader interface {
	// Claim finds a claim by the digest of its session or of its link.
	Claim(ctx context.Context, digest [32]byte) (mailbox.Claim, error)
	// PendingClaims lists claims that nobody has confirmed and whose time is not over, newest first.
	PendingClaims(ctx context.Context, now time.Time, limit int) ([]mailbox.Claim, error)
	// Bootstrap finds what was made with an Idempotency-Key, while its mailbox is there.
	Bootstrap(ctx context.Context, digest [32]byte) (mailbox.Bootstrap, error)
	// Spent is what a client has used of its quota on a day (days since 1970, UTC). The client "" is the deployment as
	// a whole.
	Spent(ctx context.Context, day int64, client string) (int64, error)
}

// ClaimWriter changes claims.
type ClaimWriter interface {
	InsertClaim(ctx context.Context, c mailbox.Claim) error
	// UpdateClaim stores DoneAt, ExpiresAt, Address and Mailbox of a claim.
	UpdateClaim(ctx context.Context, c mailbox.Claim) error
	// InsertBootstrap replaces an earlier one with the same digest.
	InsertBootstrap(ctx context.Context, b mailbox.Bootstrap) error
	// Spend adds one to what a client has used of its quota on a day.
	Spend(ctx context.Context, day int64, client string) error
	// TrimClaims deletes claims that were made before a time, and quotas of days before the given one.
	TrimClaims(ctx context.Context, before time.Time, day int64) error
}
