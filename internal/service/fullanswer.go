package service

import (
	"errors"
	"sync"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// An answer with whole bodies (full=true) lies on the disk until its client has taken it. A new one is never refused for
// those before it: where they take up too much, the answer whose client has stood still for the longest is ended. So
// slow readers, however many and of however many mailboxes, cost each other their answers and nobody else anything.

const (
	fullAnswersMost  = 128 // answers at once: each has a file open
	fullAnswersShare = 4   // one mailbox may have this part of the bytes

	// stillTime is how long a client may take nothing while background work waits for room on the disk.
	stillTime = 10 * time.Second
)

// fullAnswers are the answers of this node that lie on the disk. Its zero value is ready to use.
type fullAnswers struct {
	mu    sync.Mutex
	open  map[*FullAnswer]struct{}
	ended int64 // so far, to make room for others
}

// FullAnswer is one of them. It is for one goroutine, and nil counts nothing.
type FullAnswer struct {
	s     *Service
	num   mailbox.Num
	end   func()
	size  int64
	moved time.Time // when the client took some of it; zero while it is being written
}

// FullAnswer begins an answer with whole bodies. end cuts its client off and gives its room on the disk back at once; it
// is called at most once, from any goroutine, between Ready and Close. The caller closes the answer.
func (s *Service) FullAnswer(in Access, end func()) *FullAnswer {
	f := &FullAnswer{s: s, num: in.Box.Num, end: end}
	all := &s.fullAnswers
	all.mu.Lock()
	defer all.mu.Unlock()
	for len(all.open) >= fullAnswersMost && all.endOneLocked(anyAnswer) {
	}
	if all.open == nil {
		all.open = make(map[*FullAnswer]struct{})
	}
	all.open[f] = struct{}{}
	return f
}

// Take asks for room for n more bytes, before they are written. One answer always fits, if the disk has room.
func (f *FullAnswer) Take(n int64) error {
	if f == nil {
		return nil
	}
	f.s.fullAnswers.grow(f, n, f.s.opt.FullAnswers)
	for { // others end before background work has to wait for them
		free, bound, err := f.s.uploadDisk()
		if err != nil || free >= backgroundBound(bound)+uint64(n) || !f.s.fullAnswers.endOne(anyAnswer) {
			return f.s.uploadRoom(n)
		}
	}
}

// Ready says that the answer is written: from now on it lies there for its client.
func (f *FullAnswer) Ready() { f.Moved() }

// Moved says that the client has taken some of it.
func (f *FullAnswer) Moved() {
	if f == nil {
		return
	}
	f.s.fullAnswers.mu.Lock()
	defer f.s.fullAnswers.mu.Unlock()
	f.moved = f.s.opt.Now()
}

// Close stops counting the answer. It is not ended any more after that.
func (f *FullAnswer) Close() {
	if f == nil {
		return
	}
	f.s.fullAnswers.mu.Lock()
	defer f.s.fullAnswers.mu.Unlock()
	delete(f.s.fullAnswers.open, f)
}

func anyAnswer(*FullAnswer) bool { return true }

// standsStill says whether an answer has to end because background work needs its room.
func (s *Service) standsStill(f *FullAnswer) bool { return s.opt.Now().Sub(f.moved) >= stillTime }

// grow counts n more bytes of an answer, and ends others as long as there are too many.
func (all *fullAnswers) grow(f *FullAnswer, n, most int64) {
	own := func(o *FullAnswer) bool { return o.num == f.num }
	all.mu.Lock()
	defer all.mu.Unlock()
	f.size += n
	for all.bytesLocked(own) > most/fullAnswersShare && all.endOneLocked(own) {
	}
	for all.bytesLocked(anyAnswer) > most && all.endOneLocked(anyAnswer) {
	}
}

// bytesLocked counts the bytes of those answers.
func (all *fullAnswers) bytesLocked(of func(*FullAnswer) bool) (n int64) {
	for f := range all.open {
		if of(f) {
			n += f.size
		}
	}
	return n
}

// endOneLocked ends the one of those answers whose client has stood still for the longest, if there is one.
func (all *fullAnswers) endOneLocked(of func(*FullAnswer) bool) bool {
	var slowest *FullAnswer
	for f := range all.open {
		if of(f) && !f.moved.IsZero() && (slowest == nil || f.moved.Before(slowest.moved)) {
			slowest = f
		}
	}
	if slowest == nil {
		return false
	}
	slowest.end()
	delete(all.open, slowest)
	all.ended++
	return true
}

// endOne ends one of those answers for the room that it takes up on the disk.
func (all *fullAnswers) endOne(of func(*FullAnswer) bool) bool {
	all.mu.Lock()
	defer all.mu.Unlock()
	return all.endOneLocked(of)
}

// makeRoom looks for room on the disk. Answers that lie there give way to mail, and to new answers.
func (s *Service) makeRoom(look func() error) error {
	for {
		err := look()
		if !errors.Is(err, errDiskFull) || !s.fullAnswers.endOne(anyAnswer) {
			return err
		}
		s.space.forget()
	}
}

// FullAnswers counts the bytes that answers have on the disk of this node, and those that were ended to make room.
func (s *Service) FullAnswers() (bytes, ended int64) {
	s.fullAnswers.mu.Lock()
	defer s.fullAnswers.mu.Unlock()
	return s.fullAnswers.bytesLocked(anyAnswer), s.fullAnswers.ended
}
