package service

import (
	"io"
	"sync"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// What a client sends is on the disk before anybody knows whether it will ever be a message: attachments of a send over
// HTTP in a spool file, a submission over SMTP in a draft of the blob store. Both are counted while they come, for each
// mailbox and for all together, and both stop where the disk has no room to spare.

var (
	errUploads = &mailbox.Error{Kind: mailbox.Unavailable, Code: "busy", RetryAfter: time.Minute,
		Message: "Too much mail is being handed in at once; try again in a minute."}
	errOwnUploads = &mailbox.Error{Kind: mailbox.Unavailable, Code: "busy", RetryAfter: time.Minute,
		Message: "Unfinished sends of this mailbox take up all the room it has for them; end some of them, or try " +
			"again in a minute."}
)

// uploads counts the bytes that unfinished sends have on the disk. Its zero value is ready to use.
type uploads struct {
	mu  sync.Mutex
	all int64
	of  map[mailbox.Num]int64
}

// Upload is one unfinished send. It is for one goroutine, and nil counts nothing.
type Upload struct {
	s     *Service
	num   mailbox.Num
	taken int64
}

// Upload begins to count a send that a mailbox hands in. size is what it may come to, 0 where that is not known: one
// that will not fit is refused at once. The caller closes it.
func (s *Service) Upload(in Access, size int64) (*Upload, error) { return s.upload(in.Box.Num, size) }

func (s *Service) upload(num mailbox.Num, size int64) (*Upload, error) {
	u := &Upload{s: s, num: num}
	err := u.Take(size)
	u.Close() // it is counted as it comes
	return u, err
}

// Take asks for room for n more bytes, before they are written.
func (u *Upload) Take(n int64) error {
	if u == nil {
		return nil
	}
	o := &u.s.opt
	if err := u.s.uploads.take(u.num, n, u.s.uploadLimit(o.MailboxUploads), u.s.uploadLimit(o.Uploads)); err != nil {
		return err
	}
	u.taken += n
	return u.s.uploadRoom(n)
}

// Close stops counting: what was handed in is stored, or thrown away.
func (u *Upload) Close() {
	if u != nil {
		u.s.uploads.give(u.num, u.taken)
		u.taken = 0
	}
}

// uploadLimit is a limit on unfinished sends. One message always fits.
func (s *Service) uploadLimit(most int64) int64 { return max(most, s.opt.Limits.WireBytes+uploadSlack) }

// uploadSlack is for what shows that a message is too large: that is another error.
const uploadSlack = 64 << 10

// uploadRoom looks at the disk that unfinished sends are on, every time: they may come faster than a look from a moment
// ago can tell.
func (s *Service) uploadRoom(n int64) error {
	look := s.opt.UploadDisk
	if look == nil {
		look = s.blobs.Free
	}
	free, total, err := look()
	s.space.mu.Lock()
	defer s.space.mu.Unlock()
	if err == nil && less(s.lessOwed(free), s.space.held) < s.opt.MinFree(total)+uint64(max(n, 0)) {
		err = errDiskFull
	}
	return fail(err)
}

// take counts n more bytes of a mailbox, unless that is more than it may have, or all may.
func (c *uploads) take(num mailbox.Num, n, own, all int64) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.of[num]+n > own:
		return errOwnUploads
	case c.all+n > all:
		return errUploads
	}
	c.addLocked(num, n)
	return nil
}

func (c *uploads) give(num mailbox.Num, n int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.addLocked(num, -n)
}

func (c *uploads) addLocked(num mailbox.Num, n int64) {
	if c.of == nil {
		c.of = make(map[mailbox.Num]int64)
	}
	c.all += n
	if c.of[num] += n; c.of[num] == 0 {
		delete(c.of, num)
	}
}

// Uploads counts the bytes that unfinished sends have on the disk of this node.
func (s *Service) Uploads() int64 {
	s.uploads.mu.Lock()
	defer s.uploads.mu.Unlock()
	return s.uploads.all
}

// counting reads a message and counts it.
type counting struct {
	r io.Reader
	u *Upload
}

func (c *counting) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	if full := c.u.Take(int64(n)); full != nil {
		return 0, full
	}
	return n, err
}

// roomEvery is how many bytes of a large message come between two looks at the disk.
const roomEvery = 1 << 20

// roomy reads a message as long as there is room for more.
type roomy struct {
	s    *Service
	r    io.Reader
	left int64 // until the next look
}

func (r *roomy) Read(p []byte) (int, error) {
	if r.left <= 0 {
		if err := r.s.room(0); err != nil {
			return 0, err
		}
		r.left = roomEvery
	}
	n, err := r.r.Read(p)
	r.left -= int64(n)
	return n, err
}
