// Package index keeps the index of words and vectors, and the text of attachments, and answers searches.
//
// Everything in it is derived from the messages in the store, and is written in the background, after the commits. The
// service tells it what was stored (Came, Fresh) and asks it (Search, Newest, Texts); who may search what is decided
// there. App runs its loops (Run, Embed). What it needs of the service is in Options: the store, the disk, and the
// other nodes.
package index

import (
	"context"
	"log/slog"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mailkin/mailkin/internal/background"
	"github.com/mailkin/mailkin/internal/blob"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/wake"
)

// Store is the part of the storage contract that the index works with.
type Store interface {
	View(ctx context.Context, fn func(store.Reader) error) error
	Ask(ctx context.Context, fn func(store.Reader) error) error
	Update(ctx context.Context, fn func(store.Tx) error) error
}

// Disk tells how much of the disk may be taken now. Mail goes before the index.
type Disk struct {
	Spare    func() int64 // bytes for work in the background
	ToForget func() int64 // bytes to note what was deleted and to take it out of the files, which makes room
	// Hold reserves that many of these bytes until release is called.
	Hold func(bytes int64) (release func())
}

// Options is what an index is made of.
type Options struct {
	Store    Store
	Blobs    blob.Store
	Index    store.Index // where words and vectors are kept; nil: there is no search
	Encoder  Encoder     // makes vectors; nil: there is no search by meaning
	Disk     Disk
	Pressure *Pressure // of mail that comes in

	// HasLink tells whether a message has a link.
	HasLink func(mailbox.Message, mailbox.Detail) bool
	// LargeTurn waits until a message may be taken apart, if it is large, and gives what ends the turn. Mailbox 0 is
	// for the loops of the background, which have a turn of their own.
	LargeTurn func(context.Context, mailbox.Message) (leave func(), err error)
	// Turn does work that only one node does at a time, whenever it is this node's turn, until ctx ends.
	Turn func(ctx context.Context, what string, work func(ctx context.Context, fence int64) error) error
	// Share does work that nodes divide by partitions, with this node's share of them, until ctx ends.
	Share func(ctx context.Context, what string, partitions int, work func(context.Context, store.Share) error) error
	// Wake wakes who works on a topic, on every node.
	Wake        func(wake.Topic)
	Alone       bool            // no other node searches
	OnDemand    bool            // mail is indexed while somebody searches; for one node that is alone
	LowPriority func()          // gives the calling goroutine's thread the lowest priority; nil: nothing does
	Leaving     <-chan struct{} // closed: the service is about to stop
	Workers     *background.Workers
	Now         func() time.Time
	Log         *slog.Logger
}

// Index is the index of a deployment, as one node works with it. All methods may be called concurrently.
type Index struct {
	opt       Options
	cores     int      // that there are to share
	indexing  wake.Hub // of mailbox 0: there is something to index
	fresh     fresh    // texts of what was just received, for the indexer
	backlog   backlog
	searching chan struct{} // held by each search while much comes in
	renewals  renewals
	held      atomic.Int64 // partitions of which this node makes the index of words
	sweeps    sync.Mutex   // of the next three
	swept     time.Time
	sweepDue  bool
	dueSince  time.Time
	embedding wake.Hub // of mailbox 0: a mailbox is searched by meaning
	interest  interest
	queries   queries
	sketching chan struct{} // has one while a search makes records
	sketches  sketches
	embedSoon chan struct{} // has one while records are made after a search
	searched  readers
	shown     shownTexts
	looks     background.Tasks // what calls have left to be done in the background
	reading   textReader
	wanting   wake.Hub // of mailbox 0: there are attachments to read
}

// New makes an index. It works when Run and Embed do; searches do without.
func New(opt Options) *Index {
	cores := runtime.GOMAXPROCS(0)
	ix := &Index{opt: opt, cores: cores, swept: opt.Now(), searching: make(chan struct{}, max(1, cores/2)),
		sketching: make(chan struct{}, 1), embedSoon: make(chan struct{}, 1), reading: textReader{time: textTime,
			unpack: textUnpack}}
	ix.fresh.many = make(chan struct{}, 1)
	ix.backlog.demand = make(chan struct{}, 1)
	return ix
}

// Wake wakes what works on a topic of this node.
func (ix *Index) Wake(topic wake.Topic) {
	switch topic {
	case wake.Index:
		ix.indexing.Wake(0)
	case wake.Vectors:
		ix.embedding.Wake(0)
	}
}

// Held is of how many partitions this node makes the index of words now.
func (ix *Index) Held() int64 { return ix.held.Load() }

// Wait waits for what calls have left to be done in the background.
func (ix *Index) Wait() { ix.looks.Wait() }
