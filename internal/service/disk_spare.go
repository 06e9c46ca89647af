package service

// Background work stops before mail does: what is left of the disk is for mail, and below the bound for deletions,
// which need some of it for the log of the database. It goes on when there is room again.

// indexLog is how large the log of the index grows before what is in it is written to its file, and indexPart the part
// of a small disk that it may have.
const (
	indexLog  = 32 << 20
	indexPart = 16
)

// background is how much of the disk background work leaves free.
func (d disk) background() uint64 { return d.bound + d.bound/4 + min(indexLog, d.total/indexPart) }

// spare is how many bytes background work may take of the disk now.
func (s *Service) spare() int64 {
	d, err := s.freeDisk()
	if err != nil {
		return 0
	}
	bound, left := d.background(), int64(0)
	if d.free > bound {
		left = int64(min(d.free-bound, 1<<62))
	}
	s.space.mu.Lock()
	defer s.space.mu.Unlock()
	switch { // once for each change: what is just enough for a moment is none
	case s.space.held > 0 || s.space.low == (left == 0) || s.space.low && uint64(left) < d.total/indexPart:
	default:
		if s.space.low = left == 0; s.space.low {
			s.log.Warn("too little free disk: background work waits", "free_bytes", d.free, "until_bytes", bound)
		} else {
			s.log.Info("background work goes on: there is free disk again", "free_bytes", d.free)
		}
	}
	return left
}

// roomToForget is how many bytes of the disk may be taken to note in the index what was deleted, and to take it out of
// its file. That may take more than other work, because it makes room; below the bound it takes a little at a time.
func (s *Service) roomToForget() int64 {
	spare := s.spare()
	d, err := s.freeDisk()
	least := max(d.bound/2, d.reserve())
	if err != nil || d.free < least {
		return 0
	}
	return max(spare/2, int64(min(d.free-least, forgetRoom)))
}

// forgetRoom is what is taken at a time to forget, of what other background work leaves free.
const forgetRoom = 2 << 20
