package segment

import (
	"context"
	"errors"
	"fmt"
)

// What a document may be made of.
const (
	Fields  = 8  // fields are numbered 0 to 7
	MaxTerm = 64 // bytes of a term

	// MaxFreq is how many occurrences of one term in one document are kept; later ones are not found by phrases.
	MaxFreq = 1<<16 - 1
	// MaxPosition is the last position that is told from later ones.
	MaxPosition = 1<<29 - 1
	// MaxBlock is the size of the largest block, checksum included.
	MaxBlock = 64 << 10
	// MaxDocuments is how many documents one segment may have; Plan keeps well below it.
	MaxDocuments = 1 << 24
)

var (
	// ErrCorrupt is what reading returns when the bytes are not those that were written for this mailbox, segment and
	// block.
	ErrCorrupt = errors.New("index segment corrupt")
	// ErrDocument is what Add returns for a document that cannot be indexed as it is.
	ErrDocument = errors.New("document not indexable")
	// ErrQuery is what Eval returns for a query beyond the limits, or over segments of several mailboxes.
	ErrQuery = errors.New("query refused")
	// ErrTooLarge is what a merge returns when its result would not fit in a segment.
	ErrTooLarge = errors.New("index segment too large")
)

// ReadError says which of several segments could not be read.
type ReadError struct {
	Doing string
	ID    ID
	Err   error
}

func (e *ReadError) Error() string {
	return fmt.Sprintf("%s in segment %d: %v", e.Doing, e.ID.Segment, e.Err)
}

func (e *ReadError) Unwrap() error { return e.Err }

// ID names a segment. Numbers of segments grow within a mailbox: of two copies of a document the one in the higher is
// valid.
type ID struct {
	Mailbox int64
	Segment int64
}

// Meta is what a store stores with the blocks of a segment: enough to plan merges and to pass over a segment unread.
type Meta struct {
	Docs   int
	MinSeq int64
	MaxSeq int64
	Blocks int
	Bytes  int64
}

// Token is one occurrence of a term. Positions count within a field. Tokens come in any order; they are smallest to
// index when ordered by field and position.
type Token struct {
	Term  string
	Field uint8
	Pos   uint32
}

// Writer takes the blocks of one segment, each number once, in any order. The bytes are only lent for the call. Blocks
// count for nothing until the store has noted the segment's Meta, so they may be written in several transactions.
type Writer interface {
	WriteBlock(n int, data []byte) error
}

// Source gives blocks back: a block that is not there as no bytes and no error, which is ErrCorrupt to anyone who reads
// the segment. Many calls may run at the same time; nobody writes to the bytes, which stay valid.
type Source interface {
	Block(ctx context.Context, n int) ([]byte, error)
}

// Stats are what relevance needs to know of all documents together.
type Stats struct {
	Docs   int64
	Tokens [Fields]uint64
}

func corrupt(what string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrCorrupt, fmt.Sprintf(what, args...))
}
