package store

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Content is what is stored of a message besides its list row.
type Content struct {
	Packed []byte // the service's own form: detail, and the raw bytes where they are small
	Blob   string // key of the raw bytes in the blob store; empty when they are in Packed
	// Seal makes, for InsertMessage, what is stored in place of Packed, when the message has its Seq; nil: Packed is.
	Seal func(seq int64) ([]byte, error)
}

// Sealed is the content as it is stored for the message with that Seq.
func (c Content) Sealed(seq int64) (Content, error) {
	if c.Seal == nil {
		return c, nil
	}
	packed, err := c.Seal(seq)
	return Content{Packed: packed, Blob: c.Blob}, err
}

// MessageFilter narrows a list of messages. They come newest first, unless it says otherwise.
type MessageFilter struct {
	Direction mailbox.Direction // empty: both
	Label     string            // empty: any
	Since     time.Time         // received at or after
	Until     time.Time         // received before
	Seen      *bool
	Thread    mailbox.ID
	From      string // part of the sender's address or name, in lower case; empty: any
	Code      bool   // only with a code
	Untaken   bool   // only those whose code was not handed out, or that have none
	After     int64  // only messages with a higher Seq
	Before    int64  // only messages with a lower Seq; 0: from the newest
	Oldest    bool   // the oldest come first
	Offset    int
	Limit     int
}

// MessageReader finds messages.
type MessageReader interface {
	// Message finds a message by its id in one mailbox, or in any if num is 0.
	Message(ctx context.Context, num mailbox.Num, id mailbox.ID) (mailbox.Message, error)
	Messages(ctx context.Context, num mailbox.Num, f MessageFilter) ([]mailbox.Message, error)
	Content(ctx context.Context, m mailbox.Message) (Content, error)
	// Mentioned tells whether a message of the mailbox has this Message-ID or answers it.
	Mentioned(ctx context.Context, num mailbox.Num, messageID string) (bool, error)
	// Duplicate finds the message of a mailbox with this Message-ID and digest.
	Duplicate(ctx context.Context, num mailbox.Num, messageID string, digest mailbox.Digest) (mailbox.Message, error)
	// WithMessageID lists up to limit messages of a mailbox with this Message-ID, oldest first.
	WithMessageID(ctx context.Context, num mailbox.Num, messageID string, limit int) ([]mailbox.Message, error)
	// Labels lists the labels that messages of the mailbox have or had, without the automatic ones.
	Labels(ctx context.Context, num mailbox.Num) ([]string, error)
	// BlobsInUse lists those of the keys under which the raw bytes of a message are stored, in any order.
	BlobsInUse(ctx context.Context, keys []string) ([]string, error)
}

// MessageWriter changes messages and, with them, the counters of their mailbox.
type MessageWriter interface {
	// InsertMessage stores a message with its content and gives it its Seq, which is also the place of the event that
	// it is, received or sent, in the mailbox's log. ErrNotFound if the mailbox is gone.
	InsertMessage(ctx context.Context, m *mailbox.Message, c Content) error
	// UpdateMessage stores seen, labels, status, code, taken and snippet.
	UpdateMessage(ctx context.Context, m mailbox.Message) error
	// UpdateStatus stores the status of the message with that Seq.
	UpdateStatus(ctx context.Context, num mailbox.Num, seq int64, status string) error
	// DeleteMessage takes a message away; the event that it was stays. answers are the Message-IDs that were noted for
	// it with Answers.
	DeleteMessage(ctx context.Context, m mailbox.Message, answers []string) error
}
