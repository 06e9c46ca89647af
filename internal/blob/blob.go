// Package blob keeps raw messages: stored once, compressed, restorable to the byte.
//
// It has two halves.
//
// The codec. Compress and Decompress turn one small message into one S2 block, for a database row. A large message
// becomes a packed stream: one zstd frame for every 1 MB of raw bytes, then an index of the frames, so that a read may
// begin anywhere at the cost of decoding one frame. The index travels in a skippable frame: `zstd -d` restores a packed
// file without knowing about it. Every frame carries a checksum and so does the index: a damaged message gives
// ErrCorrupt, never wrong bytes.
//
// The store. A Store holds packed streams under keys. Dir is the one on disk, Bucket the one in S3; the interface is
// here and not with its users because there are two. The way in is a Draft: bytes are compressed as they come, a few of
// them are in memory, and Commit returns only when the object would survive a power cut under each of its keys. On disk
// many recipients of one message share its bytes. A crash leaves at worst objects that no row names and drafts that
// nobody finished; Sweep removes both. The order that makes this safe is the caller's: Commit first, then the row;
// delete the row first, then the object.
//
// Encoders, decoders and buffers come from pools and are held only while they work, so memory follows what is running,
// not what is connected: a session that sends 100 KB holds about 128 KB, one that sends 100 MB holds 1 MB, or 6 MB on
// its way to a bucket.
package blob

import (
	"context"
	"errors"
	"io"
	"time"
)

var (
	// ErrNotFound is what Open returns for a key that names nothing.
	ErrNotFound = errors.New("blob not found")
	// ErrCorrupt is what reading returns when the stored bytes are not what was written.
	ErrCorrupt = errors.New("blob corrupt")
	// ErrUnavailable is what any call returns when the store cannot be reached: try again.
	ErrUnavailable = errors.New("blob store cannot be reached")
	// ErrRefused comes with ErrUnavailable where that is not for a moment: keys or names are wrong.
	ErrRefused = errors.New("the service refuses")
)

// Store holds packed messages under keys of the form "<mailbox number>/<id>": two parts of the characters [0-9a-z-], at
// most 64 each. Anything else is refused before the disk is touched. A key names the same bytes for as long as it
// exists. All methods may be called at the same time.
type Store interface {
	// Create starts an object that no key names yet. It costs nothing until there is a frame to write; a full or broken
	// disk shows in Write or Commit.
	Create(ctx context.Context) (Draft, error)
	// Open returns the object, to be closed by the caller, or ErrNotFound. When its key is deleted, an open object
	// stays readable on disk; in a bucket reading may give ErrNotFound.
	Open(ctx context.Context, key string) (Object, error)
	// Delete removes the keys; missing ones are no error. Bytes go when their last key goes. After an error some of the
	// keys may be left: call it again.
	Delete(ctx context.Context, keys ...string) error
	// DeletePrefix removes every object of a mailbox, given as "<mailbox number>" or "<mailbox number>/", and says how
	// many there were. It never touches a mailbox whose number only begins alike.
	DeletePrefix(ctx context.Context, prefix string) (int, error)
	// Sweep removes leftovers and says how many: drafts that were not written to for age, and objects older than age
	// that kept does not give back of the keys it is asked about, up to a thousand at a time. Age must exceed the time
	// between Commit and the row that names the object. An error of kept ends the sweep and is returned.
	Sweep(ctx context.Context, age time.Duration, kept Kept) (int, error)
	// Ping tells whether the store can be written to.
	Ping(ctx context.Context) error
	// Free returns the bytes left to us and the size of the device; a store without such limits gives the largest
	// values.
	Free() (free, total uint64, err error)
	// Close ends the store. Drafts and objects must be done with by then.
	Close() error
}

// Kept returns those of the keys that are to be kept.
type Kept func(keys []string) ([]string, error)

// Draft takes the raw bytes of an object. One goroutine at a time may use it. It ends with Commit or Abort; a failed
// Write has ended it too, and every later Write and Commit gives the same error.
type Draft interface {
	io.Writer
	// Commit makes the object durable under each of the keys before it returns; on disk: data synced, then linked, then
	// the folders synced. It ends the draft. On error nothing is left under any key, or in a bucket that has gone away
	// what Sweep will find; a key that existed before is fs.ErrExist and keeps what it had. ctx is looked at before the
	// first step only: a commit under way is finished.
	Commit(ctx context.Context, keys ...string) error
	// Size is the number of raw bytes written so far.
	Size() int64
	// Abort throws the draft away. It may be called at any time and more than once; after Commit it does nothing.
	Abort()
}

// Object is a stored message. ReadAt takes offsets of the raw bytes, may be called by many goroutines, and keeps the
// last decoded frame: reading in sequence, through an io.SectionReader of any read size, decodes every frame once.
type Object interface {
	io.ReaderAt
	io.Closer
	// Size is the number of raw bytes.
	Size() int64
}
