package service

import (
	"sync"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Background work stops before mail does: what is left of the disk is for mail, and below the bound for deletions, which
// need some of it for the log of the database. It goes on when there is room again.

// indexLog is how large the log of the index grows before what is in it is written to its file.
const indexLog = 32 << 20

// backgroundBound is how much of the disk background work leaves free where mail leaves bound.
func backgroundBound(bound uint64) uint64 { return bound + bound/4 + indexLog }

// spare is how many bytes background work may take of the disk now.
func (s *Service) spare() int64 {
	free, bound, err := s.freeDisk()
	if err != nil {
		return 0
	}
	bound = backgroundBound(bound)
	left := int64(0)
	if free > bound {
		left = int64(min(free-bound, 1<<62))
	}
	s.space.mu.Lock()
	defer s.space.mu.Unlock()
	if low := left == 0; low != s.space.low {
		s.space.low = low
		if low {
			s.log.Warn("too little free disk: background work waits", "free_bytes", free, "until_bytes", bound)
		} else {
			s.log.Info("background work goes on: there is free disk again", "free_bytes", free)
		}
	}
	return left
}

// roomToForget is how many bytes of the disk may be taken to note in the index what was deleted, and to take it out of its
// file. That may take more than other work, because it makes room.
func (s *Service) roomToForget() int64 {
	free, bound, err := s.freeDisk()
	if err != nil || free < bound/2 {
		return 0
	}
	return int64(min(free-bound/2, 1<<62))
}

// freeDisk gives how much of the disk is free, as of a moment ago, and how much must stay free.
func (s *Service) freeDisk() (free, bound uint64, err error) {
	s.space.mu.Lock()
	defer s.space.mu.Unlock()
	if now := s.opt.Now(); now.Sub(s.space.at) > 200*time.Millisecond || now.Before(s.space.at) {
		free, total, err := s.blobs.Free()
		if err != nil {
			return 0, 0, fail(err)
		}
		s.space.at, s.space.free, s.space.total = now, free, total
	}
	return s.space.free, s.opt.MinFree(s.space.total), nil
}

// space remembers for a moment how much room the disk has.
type space struct {
	mu          sync.Mutex
	at          time.Time
	free, total uint64
	low         bool // background work waits for more
}

var errDiskFull = mailbox.Errorf(mailbox.DiskFull, "disk_full", "Too little free disk to take mail; try again later.")

// forget has the next look be a new one.
func (s *space) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.at = time.Time{}
}

// room refuses mail while there is too little free disk for it (API 11).
func (s *Service) room(size int64) error {
	free, bound, err := s.freeDisk()
	if err == nil && free < bound+uint64(max(size, 0)) {
		err = errDiskFull
	}
	return err
}
