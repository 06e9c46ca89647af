package store

import (
	"context"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// The text of a message's attachments is read once, after the commit, and stored with the message. It is derived:
// `move` leaves it behind, and it is read again where it is missing. It goes with its message, in the same transaction.

// TextStep is what is to be done about the attachments of a message.
type TextStep int

const (
	ReadText  TextStep = iota // the attachments are to be read
	IndexText                 // their text is kept, and the index of words is to take it up
)

// TextWork is a message with a step to be done.
type TextWork struct {
	Mailbox mailbox.Num
	Seq     int64
}

// PartTextReader finds the texts of attachments.
type PartTextReader interface {
	// PartTexts returns what PutTexts kept for these messages; those that have nothing are left out.
	PartTexts(ctx context.Context, num mailbox.Num, seqs ...int64) (map[int64][]byte, error)
	// TextWork lists up to limit messages with that step to be done, of mailboxes with a higher number, in the order of
	// mailboxes and Seqs.
	TextWork(ctx context.Context, step TextStep, after mailbox.Num, limit int) ([]TextWork, error)
}

// PartTextWriter keeps the texts of attachments.
type PartTextWriter interface {
	// WantTexts notes that the index has these messages without the text of their attachments: it is to be read, and
	// then taken up, or taken up where it is kept already.
	WantTexts(ctx context.Context, num mailbox.Num, seqs ...int64) error
	// PutTexts keeps what was read of a message's attachments. If it was wanted, the index is to take it up now.
	// ErrNotFound if the message is gone.
	PutTexts(ctx context.Context, num mailbox.Num, seq int64, packed []byte) error
	// DoneTexts takes messages off the list of a step.
	DoneTexts(ctx context.Context, step TextStep, num mailbox.Num, seqs ...int64) error
}
