package store

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Every stored message has a place in the order in which messages were stored, of all mailboxes together. The index of
// words works through those of each partition in that order, after the commits, and remembers how far it has come; what
// it is to forget is noted in the transaction that deletes.

// Places are how far something has come in partitions, by their numbers.
type Places map[int]int64

// IndexWork is a message that is to be indexed.
type IndexWork struct {
	Place   int64
	Mailbox mailbox.Num
	Seq     int64
}

// Forgotten is something that the index is to forget: a message, or with Seq 0 a whole mailbox.
type Forgotten struct {
	Number  int64
	Mailbox mailbox.Num
	Seq     int64
}

// IndexReader tells the index what there is to do, and finds messages by what it knows of them.
type IndexReader interface {
	// ToIndex lists up to limit messages of each of these partitions, those after its place, all in order. It may list
	// a message a little later than others see it; when it does, nothing is added before it any more. The same holds
	// for Forgotten. Partitions that there are not have none.
	ToIndex(ctx context.Context, after Places, limit int) ([]IndexWork, error)
	// NotIndexed lists a mailbox's messages after a place, newest first, at most limit.
	NotIndexed(ctx context.Context, num mailbox.Num, after int64, limit int) ([]mailbox.Message, error)
	// MessagesAt finds the messages with these Seqs, in no order; those that are not there are left out.
	MessagesAt(ctx context.Context, num mailbox.Num, seqs ...int64) ([]mailbox.Message, error)
	// Times returns when the messages with these Seqs were received; those that are not there are left out.
	Times(ctx context.Context, num mailbox.Num, seqs ...int64) (map[int64]time.Time, error)
	// Contents returns the contents of the messages with these Seqs; those that are not there are left out.
	Contents(ctx context.Context, num mailbox.Num, seqs ...int64) (map[int64]Content, error)
	// Forgotten lists what the index is to forget, of all partitions, in order and after a number.
	Forgotten(ctx context.Context, after int64, limit int) ([]Forgotten, error)
	// Forgetting lists the Seqs of up to limit of a mailbox's messages that the index is to forget: every one that is
	// deleted for whoever reads, whether Forgotten lists it already or not.
	Forgetting(ctx context.Context, num mailbox.Num, limit int) ([]int64, error)
}

// IndexWriter notes what the index has done.
type IndexWriter interface {
	// Forgot takes what has these numbers, which are in order, off the list.
	Forgot(ctx context.Context, numbers ...int64) error
}
