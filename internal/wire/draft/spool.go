package draft

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"sync/atomic"
)

const (
	heldEach = 64 << 10 // the largest attachment that is held in memory
	heldAll  = 1 << 20  // the most that all of them may have there

	leastRoom   = 512                          // below this the buffer is made larger or written out
	leastBuffer = 4 << 10                      // of an attachment that may be small
	mostBuffer  = heldEach + leastRoom + 1<<10 // of one that may just be held
)

// Spool holds the attachments of one draft: small ones in memory, the others one after the other in a file that has no
// name, so that nothing is left of it after a crash. It is filled by Read; after that its attachments may be opened at
// the same time and more than once, until Close.
type Spool struct {
	dir  string
	take func(n int64) error // asks for room in the file; nil: there is enough
	high int64               // bytes of it that there was room for
	file *os.File            // nil: not needed so far
	name string              // of the file, where the system cannot remove the name of an open one
	size int64               // bytes of the file that are in use
	held int64               // bytes in memory

	at  int64  // where in the file the attachment begins that is being written
	buf []byte // those of its bytes that are not in the file

	closed atomic.Bool
}

// NewSpool makes a spool whose file, if one is needed, is made in dir. Before the file grows take is asked, whose error
// ends the reading; nil: the file may grow.
func NewSpool(dir string, take func(n int64) error) *Spool { return &Spool{dir: dir, take: take} }

// Close gives back the file and the memory. The attachments cannot be opened after that.
func (s *Spool) Close() error {
	if s.closed.Swap(true) || s.file == nil {
		return nil
	}
	err := s.file.Close()
	if s.name != "" {
		if gone := os.Remove(s.name); err == nil {
			err = gone
		}
	}
	if err != nil {
		return fmt.Errorf("close spool: %w", err)
	}
	return nil
}

// mark is a state that a spool can go back to.
type mark struct{ size, held int64 }

func (s *Spool) mark() mark { return mark{s.size, s.held} }

// rewind throws away the attachments since the mark. What comes next takes their place in the file.
func (s *Spool) rewind(to mark) { s.size, s.held = to.size, to.held }

// freeBuffer releases what is needed only while attachments are written.
func (s *Spool) freeBuffer() { s.buf = nil }

// begin starts an attachment.
func (s *Spool) begin() { s.at, s.buf = s.size, s.buf[:0] }

// written is how many bytes the attachment has.
func (s *Spool) written() int64 { return s.size - s.at + int64(len(s.buf)) }

// makeRoom sees to it that the buffer takes some more.
func (s *Spool) makeRoom() error {
	switch most := cap(s.buf); {
	case most-len(s.buf) >= leastRoom:
		return nil
	case most < mostBuffer:
		larger := min(max(2*most, leastBuffer), mostBuffer)
		s.buf = append(make([]byte, 0, larger), s.buf...)
		return nil
	}
	return s.flush()
}

// decode appends what src stands for, as far as there is room. It says how much it took, and whether what follows is
// something else than base64.
func (s *Spool) decode(d *decoder, src []byte) (taken int, stuck bool) {
	room := (cap(s.buf) - len(s.buf) - decodeSlack) / 3 * 4
	src = src[:min(len(src), room)]
	s.buf, taken = d.decode(s.buf, src)
	return taken, taken < len(src)
}

// one appends what a single character stands for.
func (s *Spool) one(d *decoder, c byte) (ok bool) {
	s.buf, ok = d.one(s.buf, c)
	return ok
}

// end appends what is unfinished.
func (s *Spool) end(d *decoder) (ok bool) {
	s.buf, ok = d.end(s.buf)
	return ok
}

// flush writes the buffer to the file.
func (s *Spool) flush() error {
	if err := s.create(); err != nil {
		return noSpace("create spool", err)
	}
	if err := s.grow(s.size + int64(len(s.buf))); err != nil {
		return err
	}
	if _, err := s.file.WriteAt(s.buf, s.size); err != nil {
		return noSpace("write spool", err)
	}
	s.size += int64(len(s.buf))
	s.buf = s.buf[:0]
	return nil
}

// grow asks for room for a file of that size.
func (s *Spool) grow(size int64) error {
	if s.take == nil || size <= s.high {
		return nil
	}
	if err := s.take(size - s.high); err != nil {
		return err
	}
	s.high = size
	return nil
}

func (s *Spool) create() error {
	if s.closed.Load() {
		return os.ErrClosed
	}
	if s.file != nil {
		return nil
	}
	f, err := os.CreateTemp(s.dir, "draft-*") // mode 0600
	if err != nil {
		return err
	}
	s.file = f
	if os.Remove(f.Name()) != nil {
		s.name = f.Name()
	}
	return nil
}

// finish ends an attachment and returns its size and the way to its bytes.
func (s *Spool) finish() (int64, func() (io.ReadCloser, error), error) {
	size, isNew := s.written(), s.size == s.at
	if isNew && size <= heldEach && s.held+size <= heldAll {
		s.held += size
		data := slices.Clone(s.buf)
		return size, s.opener(func() io.Reader { return bytes.NewReader(data) }), nil
	}
	if err := s.flush(); err != nil {
		return 0, nil, err
	}
	file, at := s.file, s.at
	return size, s.opener(func() io.Reader { return io.NewSectionReader(file, at, size) }), nil
}

// opener makes a reader openable for as long as the spool is open.
func (s *Spool) opener(open func() io.Reader) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) {
		if s.closed.Load() {
			return nil, fmt.Errorf("open attachment: %w", os.ErrClosed)
		}
		return io.NopCloser(open()), nil
	}
}
