package store

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Segment is a part of a mailbox's index: blocks of bytes, and what package segment needs to know of them.
type Segment struct {
	Mailbox        mailbox.Num
	ID             int64
	Docs, Blocks   int
	MinSeq, MaxSeq int64
	Bytes          int64
	Dropped        int // of Docs, those deleted since it was written
}

// Index keeps the words of messages apart from the messages. It is derived: it may lose its newest updates in a crash,
// but for what they drop, and can be thrown away. Updates are atomic.
//
// The parts of single mailboxes can be rebuilt while the old ones serve: new segments are written as blocks that no
// segment is noted for, in as many updates as it takes, and noted in the update in which the old ones go. The list of
// what is to be rebuilt is part of the index, so that it outlives a crash, and any node may add to it.
//
// A store may be cut into partitions by mailbox. Each has a place of its own, so that several nodes can make the index,
// each that of some partitions.
type Index interface {
	// Partitions is how many there are: 1 where the store is not cut.
	Partitions() int
	// Partition is the one that a mailbox is in, counted from 0.
	Partition(num mailbox.Num) int
	SegmentReader
	VectorReader
	Update(ctx context.Context, fn func(IndexTx) error) error
	// Size is how many bytes the index takes up.
	Size(ctx context.Context) (int64, error)
	Close() error
}

// SegmentReader reads the words of mailboxes.
type SegmentReader interface {
	// Places are how far the index has come in each partition.
	Places(ctx context.Context) (Places, error)
	// Segments lists those of a mailbox.
	Segments(ctx context.Context, num mailbox.Num) ([]Segment, error)
	// Block returns a block of a segment, whose bytes nobody may write to. ErrNotFound if it is gone.
	Block(ctx context.Context, num mailbox.Num, segment int64, n int) ([]byte, error)
	// Dropped tells which of a mailbox's messages were deleted and are still in segments.
	Dropped(ctx context.Context, num mailbox.Num) (map[int64]bool, error)
	// DroppedIn lists the mailboxes that have entries in Dropped.
	DroppedIn(ctx context.Context) ([]mailbox.Num, error)
	// Unmerged lists up to limit mailboxes whose segments changed since Merged was last called for them.
	Unmerged(ctx context.Context, limit int) ([]mailbox.Num, error)
	// Renewals lists up to limit mailboxes whose part is to be rebuilt.
	Renewals(ctx context.Context, limit int) ([]mailbox.Num, error)
}

// VectorReader reads the vectors of mailboxes, for search by meaning.
type VectorReader interface {
	// VectorPlace is how far vectors have been made, and by which model.
	VectorPlace(ctx context.Context) (place int64, model string, err error)
	// Vectors returns every vector of a mailbox.
	Vectors(ctx context.Context, num mailbox.Num, each func(seq int64, vector []byte) error) error
	// Asked lists the mailboxes that were searched by meaning at a time or later.
	Asked(ctx context.Context, since time.Time) ([]mailbox.Num, error)
}

// IndexTx is what an update of the index can do.
type IndexTx interface {
	SegmentWriter
	RenewalWriter
	VectorWriter
	// Durable has the update outlive a crash: for whoever notes elsewhere that it was made. What drops something does
	// so anyway.
	Durable()
}

// SegmentWriter changes the words of mailboxes.
type SegmentWriter interface {
	SetPlace(partition int, place int64) error
	// NewSegment returns a number for a segment, higher than all before.
	NewSegment() (int64, error)
	PutBlock(num mailbox.Num, segment int64, n int, data []byte) error
	PutSegment(s Segment) error
	DeleteSegment(num mailbox.Num, segment int64) error
	// Drop notes that a message was deleted; with Seq 0 everything of the mailbox goes, and it is off the list of what
	// is to be rebuilt.
	Drop(num mailbox.Num, seq int64) error
	// Undrop forgets dropped messages that are in no segment any more.
	Undrop(num mailbox.Num, seqs []int64) error
	// Merged takes a mailbox off the list of those that changed.
	Merged(num mailbox.Num) error
}

// RenewalWriter changes the list of mailboxes whose part is to be rebuilt.
type RenewalWriter interface {
	// Renew notes that the part of a mailbox is to be rebuilt. It may be noted already.
	Renew(num mailbox.Num) error
	// Renewed takes a mailbox off the list, and deletes those of its blocks that belong to no segment.
	Renewed(num mailbox.Num) error
}

// VectorWriter changes the vectors of mailboxes.
type VectorWriter interface {
	// SetVectorPlace notes how far vectors have been made. Those of another model go.
	SetVectorPlace(place int64, model string) error
	PutVector(num mailbox.Num, seq int64, vector []byte) error
	// Ask notes that a mailbox is searched by meaning.
	Ask(num mailbox.Num, at time.Time) error
}

// ScrubIndex is an Index whose files keep bytes of what was deleted until they are told not to.
type ScrubIndex interface {
	Index
	// Scrub takes what was deleted before out of the files, for a moment, and tells whether there is more to do. It
	// needs some of the disk for that, and takes no more than room.
	Scrub(ctx context.Context, room int64) (more bool, err error)
}
