package index

import (
	"context"
	"sync/atomic"
	"time"
)

// pressing is how many messages a second are so many that reception needs the processor.
const pressing = 50

// Pressure tells whether so much comes in that reception needs the processor: work that can wait leaves it the
// processor.
type Pressure struct {
	count atomic.Int64
	last  [32]atomic.Int64 // when the last ones came, in nanoseconds

	under  atomic.Int64 // updates of the store that are under way
	others atomic.Int64 // how many others were when one ended, of late, in parts of crowdUnit
}

const (
	// othersUnit makes whole numbers of the average, and crowdLate is how many updates it is about.
	othersUnit, othersOver = 1 << 16, 256
	// overloadAt is how many updates under way for every two processors mean that everybody waits for one. Ten senders
	// that wait for nothing but their answers make five on two processors; as much mail as the two can just index as
	// well makes one or two.
	overloadAt = 3
)

// Enter and Leave are called around an update of the store.
func (p *Pressure) Enter() { p.under.Add(1) }

func (p *Pressure) Leave() {
	others := p.under.Add(-1)
	was := p.others.Load()
	p.others.Store(was + (others*othersUnit-was)/othersOver) // two at once may count as one
}

// overloaded tells whether so many messages come in at once that they wait for the processor or the disk, and would
// wait longer for everything else that is done.
func (p *Pressure) overloaded(now time.Time, cores int) bool {
	return p.high(now) && p.others.Load()*2 >= int64(cores)*overloadAt*othersUnit
}

// arrived notes that a message came.
func (p *Pressure) arrived(now time.Time) {
	n := p.count.Add(1)
	p.last[n%int64(len(p.last))].Store(now.UnixNano())
}

// high tells whether messages come faster than pressing, judged by the last of them.
func (p *Pressure) high(now time.Time) bool {
	oldest := p.last[(p.count.Load()+1)%int64(len(p.last))].Load()
	return oldest != 0 && now.UnixNano()-oldest < int64(len(p.last))*int64(time.Second)/pressing
}

// searchSlot waits for a search's turn at the processor. As long as mail does not wait for it everybody has one;
// otherwise as many as half the processors have, and the others wait, and for half as long as it took after each: to
// the scheduler of Go eight searches are worth as much as eight senders. A search that has a slot calls done.
func (ix *Index) searchSlot(ctx context.Context) (done func(), err error) {
	if !ix.opt.Pressure.overloaded(time.Now(), ix.cores) {
		return func() {}, nil
	}
	select {
	case ix.searching <- struct{}{}:
		began := time.Now()
		return func() { time.AfterFunc(time.Since(began)/2, func() { <-ix.searching }) }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
