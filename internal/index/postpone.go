package index

import (
	"context"
	"sync"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Where mail comes in faster than the machine can take it and index it, indexing takes a third of the processor from
// those who wait for an answer, and nobody has use for it: so it is put off, for some seconds. Anyone who searches ends
// that for a while. Until it is indexed mail is found all the same, by looking through what waits of a mailbox, so no
// mailbox gets too much of it. Vectors wait as well.
//
// A test server indexes on demand: most of its mail is deleted before anybody searches it.

const (
	// putOffMost is how long the oldest of what waits is put off.
	putOffMost = 5 * time.Second
	// putOffStep is how often it is asked whether that is still right. Where mail is indexed on demand no one needs to
	// ask: the demand wakes the indexer.
	putOffStep = 50 * time.Millisecond
	// askedTime is how long a search counts: anyone who searches once does so again.
	askedTime = time.Minute
	// backlogMost is how many messages of one mailbox may wait, and backlogBoxes in how many mailboxes.
	backlogMost  = 500
	backlogBoxes = 10_000
	// demandMost is how many messages of one mailbox may wait where mail is indexed on demand. The first search looks
	// through all of them, which takes about a second.
	demandMost = 10_000
)

// backlog is what waits for the indexer, and whether anybody cares. Its zero value is ready to use.
type backlog struct {
	mu    sync.Mutex
	boxes map[mailbox.Num]int // messages that came since the indexer looked
	full  bool                // some mailbox has too many
	asked time.Time           // when somebody last searched

	demand chan struct{} // has a token when somebody searched or a mailbox has too many; nil: nobody listens
}

// Came notes a message that is to be indexed.
func (ix *Index) Came(num mailbox.Num) { ix.backlog.came(num, ix.backlogMost()) }

func (ix *Index) backlogMost() int {
	if ix.opt.OnDemand {
		return demandMost
	}
	return backlogMost
}

// waitingMost is how many messages that are not indexed a search looks through.
func (ix *Index) waitingMost() int {
	if ix.opt.OnDemand {
		return demandMost
	}
	return searchWaiting
}

func (b *backlog) came(num mailbox.Num, most int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.boxes == nil {
		b.boxes = make(map[mailbox.Num]int)
	}
	b.boxes[num]++
	if !b.full && (b.boxes[num] >= most || len(b.boxes) > backlogBoxes) {
		b.full = true
		b.wake()
	}
}

// wake tells the indexer that what waits is not to wait longer.
func (b *backlog) wake() {
	select {
	case b.demand <- struct{}{}:
	default:
	}
}

// looked restarts the count: what came before this the indexer finds.
func (b *backlog) looked() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.boxes, b.full = nil, false // a map keeps the room of its fullest time
}

// ask notes a search.
func (b *backlog) ask(now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.asked = now
	b.wake()
}

// patient tells whether what waits may wait longer.
func (b *backlog) patient(now time.Time) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return !b.full && now.Sub(b.asked) > askedTime
}

// gather lets mail come together before it is indexed.
func (x *indexer) gather(ctx context.Context) {
	step := putOffStep
	if x.ix.opt.OnDemand {
		step = putOffMost
	}
	for x.putsOff(time.Now()) && sleep(ctx, x.ix.backlog.demand, step) {
	}
	sleep(ctx, x.ix.fresh.many, x.pause())
}

// putsOff tells whether what waits is left alone for now.
func (x *indexer) putsOff(now time.Time) bool {
	return now.Sub(x.began) < putOffMost && x.ix.patient(now)
}

// patient tells whether so much comes in that what follows may wait, and nobody searches. Other nodes' searches
// are not known here, so that is for one that is alone.
func (ix *Index) patient(now time.Time) bool {
	return ix.undemanded(now) ||
		ix.opt.Alone && ix.opt.Pressure.overloaded(now, ix.cores) && ix.backlog.patient(now)
}

// undemanded tells whether mail is indexed on demand, and there is none: what waits is not read at all.
func (ix *Index) undemanded(now time.Time) bool { return ix.opt.OnDemand && ix.backlog.patient(now) }
