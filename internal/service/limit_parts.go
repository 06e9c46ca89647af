package service

import (
	"errors"
	"strconv"
	"sync"
)

// A limit of the whole deployment is counted in parts, each with its share of the limit: who counts locks a part until
// its commit, and with one count everybody would wait for everybody. All shares together are the limit, so it is exact.
// A part that is full stays so until the day is over, and every node remembers those that it has met.

const (
	limitPart  = 500 // what one part is for, about
	limitParts = 16  // at most
)

// partedLimit is what the deployment may do of something in a day.
type partedLimit struct {
	name  string // of its first part
	limit int64
}

func (l partedLimit) parts() int { return int(min(max(l.limit/limitPart, 1), limitParts)) }

// share is how much of the limit a part has.
func (l partedLimit) share(part int) int64 {
	n := int64(l.parts())
	share := l.limit / n
	if int64(part) < l.limit%n {
		share++
	}
	return share
}

func (l partedLimit) part(n int) string {
	if n == 0 {
		return l.name
	}
	return l.name + "/" + strconv.Itoa(n)
}

// errPartFull ends an update that has met a part that is full: it is run again, with another one.
var errPartFull = errors.New("a part of the deployment's limit is full")

// fullParts are the parts that are known to be full. Its zero value is ready to use.
type fullParts struct {
	mu   sync.Mutex
	full map[partDay]uint32 // a bit for each
}

type partDay struct {
	name string
	day  int64
}

// pick returns a part that may have room, from one on; false: all are full.
func (f *fullParts) pick(l partedLimit, day int64, from int) (part int, ok bool) {
	for i := range l.parts() {
		if part = (from + i) % l.parts(); !f.has(l, day, part) {
			return part, true
		}
	}
	return 0, false
}

func (f *fullParts) has(l partedLimit, day int64, part int) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.full[partDay{l.name, day}]&(1<<part) != 0
}

// note remembers that a part is full. What was noted of days long over goes.
func (f *fullParts) note(l partedLimit, day int64, part int, today int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for d := range f.full {
		if d.day < today {
			delete(f.full, d)
		}
	}
	if f.full == nil {
		f.full = make(map[partDay]uint32)
	}
	f.full[partDay{l.name, day}] |= 1 << part
}
