package store

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Quarantined is mail in quarantine as it is stored. Its id is that of the message that it becomes when it is released.
type Quarantined struct {
	Number                int64 // its place in the list, given by InsertQuarantined
	ID                    mailbox.ID
	Mailbox               mailbox.Num
	ReceivedAt, ExpiresAt time.Time
	Size                  int64
	Digest                mailbox.Digest // tells the same mail delivered twice; zero: it has no Message-ID
	Head                  []byte         // the service's own form: what lists show of it

	// Since it was released it has neither head nor content. Message is what it was released as: itself, or the same
	// mail that had come another way.
	ReleasedAt time.Time
	Message    mailbox.ID
}

// QuarantineFilter narrows a list of mail in quarantine.
type QuarantineFilter struct {
	At     time.Time // only what has not expired by then
	Before int64     // only those with a lower Number; 0: from the newest
	Offset int
	Limit  int
}

// QuarantineReader finds mail in quarantine.
type QuarantineReader interface {
	// Quarantined finds mail in the quarantine of one mailbox, or of any if num is 0, also what was released.
	Quarantined(ctx context.Context, num mailbox.Num, id mailbox.ID) (Quarantined, error)
	// QuarantinedContent is its content. ErrNotFound where it was released.
	QuarantinedContent(ctx context.Context, num mailbox.Num, id mailbox.ID) (Content, error)
	// Quarantine lists what was not released, newest first, of one mailbox or of all if num is 0.
	Quarantine(ctx context.Context, num mailbox.Num, f QuarantineFilter) ([]Quarantined, error)
	// CountQuarantine says how much of a mailbox's mail is in quarantine.
	CountQuarantine(ctx context.Context, num mailbox.Num) (messages, bytes int64, err error)
	// QuarantinedTwin finds the mail in a mailbox's quarantine with this digest.
	QuarantinedTwin(ctx context.Context, num mailbox.Num, digest mailbox.Digest) (mailbox.ID, error)
}

// QuarantineWriter changes what is in quarantine.
type QuarantineWriter interface {
	// InsertQuarantined stores mail and gives it its Number. ErrNotFound if the mailbox is gone.
	InsertQuarantined(ctx context.Context, m *Quarantined, c Content) error
	// MarkReleased notes when and as what mail was released, and forgets its head and content.
	MarkReleased(ctx context.Context, m Quarantined) error
	// DeleteQuarantined takes mail away. ErrNotFound if there is none.
	DeleteQuarantined(ctx context.Context, num mailbox.Num, id mailbox.ID) error
	// TrimQuarantine forgets up to limit mails whose time was over at a moment, released ones too, and returns the keys
	// of their blobs. removed and more are as in TrimSends.
	TrimQuarantine(ctx context.Context, at time.Time, limit int) (blobs []string, removed int, more bool, err error)
}
