package service

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// The disk is shared by mail, which stops at a bound (the setting min_free_disk), by background work, which stops
// before it (disk_spare.go), and by what is changed and deleted, which goes on below it. Nobody takes what another is
// about to take: who stores something holds the room for it until it is on the disk, and what the store has in its logs
// and not yet in its files is counted as taken.

const (
	// lookEvery is how long a look at the disk is good for where there is plenty of room.
	lookEvery = 200 * time.Millisecond
	// plentyRoom is more than can be taken within that time.
	plentyRoom = 1 << 30
	// deletePart is the part of the disk that changes leave free for deletions, up to deleteMost, or half of the bound.
	deletePart = 128
	deleteMost = 32 << 20
)

var (
	errDiskFull = mailbox.Errorf(mailbox.DiskFull, "disk_full", "Too little free disk to take mail; try again later.")
	errNoChange = mailbox.Errorf(mailbox.DiskFull, "disk_full",
		"Too little free disk for changes: reading and deleting still work, and deleting mail makes room.")
)

// space is what is known of the disk. Its zero value is ready to use.
type space struct {
	mu          sync.Mutex
	at          time.Time // of the last look
	free, total uint64    // less what the store is about to take
	held        uint64    // by what is being stored
	low         bool      // background work waits for more
}

// disk is how much room there is.
type disk struct {
	free  uint64 // that nobody has or is about to take
	bound uint64 // that mail leaves free
	total uint64
}

// reserve is what changes leave free.
func (d disk) reserve() uint64 { return min(d.bound/2, d.total/deletePart, deleteMost) }

// freeDisk looks at the disk, as it is or, where there is plenty of room, as it was a moment ago.
func (s *Service) freeDisk() (disk, error) {
	s.space.mu.Lock()
	defer s.space.mu.Unlock()
	return s.freeDiskLocked()
}

func (s *Service) freeDiskLocked() (disk, error) {
	c, now := &s.space, s.opt.Now()
	if now.Sub(c.at) > lookEvery || now.Before(c.at) || c.free < s.opt.MinFree(c.total)+plentyRoom {
		free, total, err := s.blobs.Free()
		if err != nil {
			return disk{}, fail(err)
		}
		c.at, c.free, c.total = now, s.lessOwed(free), total
	}
	return disk{less(c.free, c.held), s.opt.MinFree(c.total), c.total}, nil
}

// lessOwed takes off what the store is about to take.
func (s *Service) lessOwed(free uint64) uint64 {
	if s.opt.Owed == nil {
		return free
	}
	return less(free, uint64(s.opt.Owed()))
}

func less(free, taken uint64) uint64 { return free - min(free, taken) }

// room refuses mail while there is too little free disk for it (API 11).
func (s *Service) room(size int64) error {
	d, err := s.freeDisk()
	if err == nil && d.free < d.bound+uint64(max(size, 0)) {
		err = errDiskFull
	}
	return err
}

// hold takes room for mail that is about to be stored, and refuses it where there is none. release is called when it is
// stored.
func (s *Service) hold(size int64) (release func(), err error) {
	n := uint64(max(size, 0))
	s.space.mu.Lock()
	defer s.space.mu.Unlock()
	d, err := s.freeDiskLocked()
	if err == nil && d.free < d.bound+n {
		err = errDiskFull
	}
	if err != nil {
		return func() {}, err
	}
	s.space.held += n
	return s.releasing(n), nil
}

// keepFree holds room for work that has looked for it.
func (s *Service) keepFree(size int64) (release func()) {
	n := uint64(max(size, 0))
	s.space.mu.Lock()
	defer s.space.mu.Unlock()
	s.space.held += n
	return s.releasing(n)
}

// releasing gives room back that was held, once. What was stored in it is on the disk by then.
func (s *Service) releasing(n uint64) func() {
	return sync.OnceFunc(func() {
		s.space.mu.Lock()
		defer s.space.mu.Unlock()
		s.space.held -= n
	})
}

// mailPages is for the rows and indexes of a message, in the log.
const mailPages = 64 << 10

// insert is update for what stores a message for a given number of mailboxes. It holds the room that this takes: in the
// log of the store and in its file, with the pages around it.
func (s *Service) insert(ctx context.Context, c content, boxes int, fn func(store.Tx) error) error {
	if s.opt.Owed != nil { // else it is on another disk
		release, err := s.hold(int64(boxes) * int64(2*len(c.packed)+mailPages))
		if err != nil {
			return err
		}
		defer release()
	}
	return s.update(ctx, fn)
}

// mayChange refuses what changes something where the disk has room for deletions alone.
func (s *Service) mayChange(act Act) error {
	if act.Need.Reads() || act.Need == mailbox.PauseMailbox ||
		strings.HasPrefix(act.Verb, "PATCH /v1/mailboxes/{address}/") || // pausing, too
		strings.HasPrefix(act.Verb, "DELETE ") || strings.HasPrefix(act.Verb, "GET ") {
		return nil
	}
	return s.roomForChange()
}

func (s *Service) roomForChange() error {
	if s.opt.Owed == nil {
		return nil // it is stored elsewhere
	}
	d, err := s.freeDisk()
	if err == nil && d.free < d.reserve() {
		err = errNoChange
	}
	return err
}
