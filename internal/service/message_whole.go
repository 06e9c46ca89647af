package service

import (
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
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

// WholeMessage opens one message with its bodies whole. They are read once to find out what they are made of, by a
// few callers at a time, of each mailbox by one: nobody waits for a client there.
func (s *Service) WholeMessage(ctx context.Context, in Access, id mailbox.ID, o MessageOptions) (*WholeMessage, error) {
	full, c, err := s.showMarked(ctx, in, id, o)
	if err != nil {
		return nil, err
	}
	if !full.Detail.TextTruncated && !full.Detail.HTMLTruncated {
		return &WholeMessage{FullMessage: full}, nil
	}
	if c.Blob != "" {
		c = store.Content{Blob: c.Blob} // the rest is in full, and need not stay in memory
	}
	raw := &pausingRaw{
		open:    func() (*Raw, error) { return s.openRaw(ctx, c) },
		present: func() error { return s.stillThere(ctx, in, id) },
	}
	size, err := raw.size()
	if err != nil {
		return nil, err
	}
	read := func() io.Reader { return io.NewSectionReader(raw, 0, size) }
	bodies, err := s.scanBodies(ctx, full.Message, full.Address, read())
	if err != nil {
		return nil, errors.Join(err, raw.Close())
	}
	writeText := bodies.WriteText
	if full.Detail.PlainPart != "" {
		writeText = bodies.WriteHTMLText
	}
	full.Detail.Text, full.Detail.HTML, full.Detail.PlainPart = "", "", ""
	full.Detail.TextTruncated, full.Detail.HTMLTruncated = false, false
	return &WholeMessage{
		FullMessage: full, Close: raw.Close,
		WriteText: func(to io.Writer) error { return writeText(to, read()) },
		WriteHTML: func(to io.Writer) error { return bodies.WriteHTML(to, read()) },
	}, nil
}

// scanBodies finds out what the bodies of a message in a mailbox are made of.
func (s *Service) scanBodies(
	ctx context.Context, m mailbox.Message, address string, raw io.Reader,
) (*rfc822.Bodies, error) {
	leave, err := s.largeTurn(ctx, m, address)
	if err != nil {
		return nil, err
	}
	defer leave()
	bodies, err := rfc822.ScanBodies(raw)
	return bodies, fail(err)
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
)

// pausingRaw reads a message as long as it is there: what is deleted is not read to its end, wherever its bytes are.
// While nobody reads, it holds nothing of the store: neither a file nor a connection, nor the memory for what it has
// unpacked.
type pausingRaw struct {
	open    func() (*Raw, error)
	present func() error

	mu    sync.Mutex
	raw   *Raw // nil: closed
	used  time.Time
	pause *time.Timer // closes it; nil before the first read
	left  int         // until the next look
	over  bool
}

// size opens the message and says how long it is.
func (p *pausingRaw) size() (int64, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.openLocked(); err != nil {
		return 0, err
	}
	return p.raw.Size(), nil
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
		p.raw, err = p.open()
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
	raw := p.raw
	p.raw = nil
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
