package service

import (
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rawmail"
	"github.com/mailkin/mailkin/internal/rfc822"
	"github.com/mailkin/mailkin/internal/store"
)

// WholeMessage is a message whose bodies are written as they are read from the store, whole, however long they are.
// It is for one goroutine, which closes it. A client that is slow to take the bodies holds some buffers, and delays
// nobody else.
//
// Bodies that are not too long for any answer are in FullMessage, and the functions are nil.
type WholeMessage struct {
	FullMessage                                // without its bodies
	WriteText, WriteHTML func(io.Writer) error // fail where the message is deleted meanwhile
	Close                func() error
}

// WholeMessage opens one message with its bodies whole. They are read once to find out what they are made of, in the
// turn in which the rest is read: nobody waits for a client there.
func (s *Service) WholeMessage(ctx context.Context, in Access, id mailbox.ID, o MessageOptions) (*WholeMessage, error) {
	var raw *pausingRaw // nil: the bodies are not too long
	var bodies *rfc822.Bodies
	var writeText func(to io.Writer, raw io.Reader) error
	full, err := s.showMarked(ctx, in, id, o, func(m *FullMessage, c store.Content) (err error) {
		if !m.Detail.TextTruncated && !m.Detail.HTMLTruncated {
			return nil
		}
		if raw, err = s.pausingRaw(ctx, in, m.ID, c); err != nil {
			return err
		}
		if bodies, err = rfc822.ScanBodies(raw.reader()); err != nil {
			return fail(err)
		}
		writeText = bodies.WriteText
		if m.Detail.PlainPart != "" {
			writeText = bodies.WriteHTMLText
		}
		m.Detail.Text, m.Detail.HTML, m.Detail.PlainPart = "", "", ""
		m.Detail.TextTruncated, m.Detail.HTMLTruncated = false, false
		return raw.pauseNow()
	})
	if err != nil {
		if raw != nil {
			err = errors.Join(err, raw.Close())
		}
		return nil, err
	}
	if raw == nil {
		return &WholeMessage{FullMessage: full}, nil
	}
	return &WholeMessage{
		FullMessage: full, Close: raw.Close,
		WriteText: func(to io.Writer) error { return writeText(to, raw.reader()) },
		WriteHTML: func(to io.Writer) error { return bodies.WriteHTML(to, raw.reader()) },
	}, nil
}

// stillThere fails where a message is not there any more.
func (s *Service) stillThere(ctx context.Context, in Access, id mailbox.ID) error {
	err := s.ask(ctx, func(r store.Reader) error {
		_, err := r.Message(ctx, in.within(), id)
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return errNoMessage
	}
	return err
}

const (
	presentEvery = 1 << 20     // bytes that are read between two looks whether the message is still there
	pauseTime    = time.Second // after which the raw message is closed, until the next read
	openRawsMost = 32          // how many are open at once; a megabyte is unpacked of each
)

// openRaws are the messages that are open for somebody who may be slow, the one that was opened last at the end.
type openRaws struct {
	mu   sync.Mutex
	list []*pausingRaw
}

// add notes a message that is open. Where there are too many the oldest ones pause, if nobody is reading them just now.
// The caller has the lock of p; nobody waits for that of another one here.
func (o *openRaws) add(p *pausingRaw) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.list = append(o.list, p)
	for i := 0; len(o.list) > openRawsMost && i < len(o.list)-1; {
		if oldest := o.list[i]; oldest.mu.TryLock() {
			_ = oldest.dropLocked() // only read from
			oldest.mu.Unlock()
			o.list = slices.Delete(o.list, i, i+1)
		} else {
			i++
		}
	}
}

func (o *openRaws) remove(p *pausingRaw) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if i := slices.Index(o.list, p); i >= 0 {
		o.list = slices.Delete(o.list, i, i+1)
	}
}

// pausingRaw reads a message as long as it is there: what is deleted is not read to its end, wherever its bytes are.
// While nobody reads, it holds nothing of the store: neither a file nor a connection, nor the memory for what it has
// unpacked.
type pausingRaw struct {
	open    func() (*rawmail.Reader, error)
	present func() error
	among   *openRaws

	size int64

	mu    sync.Mutex
	raw   *rawmail.Reader // nil: closed
	used  time.Time
	pause *time.Timer // closes it; nil before the first read
	left  int         // until the next look
	over  bool
}

// pausingRaw opens the raw bytes of stored content for somebody who may be slow.
func (s *Service) pausingRaw(ctx context.Context, in Access, id mailbox.ID, c store.Content) (*pausingRaw, error) {
	if c.Blob != "" {
		c = store.Content{Blob: c.Blob} // the rest need not stay in memory
	}
	p := &pausingRaw{
		open:    func() (*rawmail.Reader, error) { return s.openRaw(ctx, c) },
		present: func() error { return s.stillThere(ctx, in, id) },
		among:   &s.openRaws,
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.openLocked(); err != nil {
		return nil, err
	}
	p.size = p.raw.Size()
	return p, nil
}

// reader reads from the beginning.
func (p *pausingRaw) reader() *io.SectionReader { return io.NewSectionReader(p, 0, p.size) }

// pauseNow closes the message until the next read.
func (p *pausingRaw) pauseNow() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.closeLocked()
}

func (p *pausingRaw) ReadAt(b []byte, off int64) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.openLocked(); err != nil {
		return 0, err
	}
	n, err := p.raw.ReadAt(b, off)
	p.left -= n
	p.used = time.Now()
	p.pause.Reset(pauseTime)
	return n, err
}

func (p *pausingRaw) openLocked() (err error) {
	if p.over {
		return os.ErrClosed
	}
	if p.left <= 0 || p.raw == nil {
		if err := p.present(); err != nil {
			return err
		}
		p.left = presentEvery
	}
	if p.raw == nil {
		if p.raw, err = p.open(); err != nil {
			return err
		}
		p.among.add(p)
	}
	if p.pause == nil {
		p.pause = time.AfterFunc(pauseTime, p.closeIdle)
	}
	return err
}

// closeIdle closes the message if nobody has read for a while.
func (p *pausingRaw) closeIdle() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if time.Since(p.used) >= pauseTime {
		_ = p.closeLocked() // only read from
	}
}

func (p *pausingRaw) closeLocked() error {
	if p.raw == nil {
		return nil
	}
	p.among.remove(p)
	return p.dropLocked()
}

func (p *pausingRaw) dropLocked() error {
	raw := p.raw
	p.raw = nil
	if raw == nil {
		return nil
	}
	return raw.Close()
}

// Close ends the reading.
func (p *pausingRaw) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.over = true
	if p.pause != nil {
		p.pause.Stop()
	}
	return p.closeLocked()
}
