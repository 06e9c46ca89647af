package service

import (
	"context"
	"errors"
	"io"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rfc822"
	"github.com/mailkin/mailkin/internal/store"
)

// WholeMessage is a message whose bodies are written as they are read from the store, whole, however long they are.
// It is for one goroutine, which closes it. Whoever is slow to take the bodies holds a file open and some megabytes
// of memory, and nobody up.
//
// Bodies that are not too long for any answer are in FullMessage, and the functions are nil.
type WholeMessage struct {
	FullMessage                                // without its bodies
	WriteText, WriteHTML func(io.Writer) error // fail where the message is deleted meanwhile
	Close                func() error
}

// maxBodyScans is how many callers may do so at once. Each has some megabytes in memory.
const maxBodyScans = 4

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
	raw, err := s.openRaw(ctx, c)
	if err != nil {
		return nil, err
	}
	read := func() io.Reader {
		return s.whilePresent(ctx, in, id, io.NewSectionReader(raw, 0, raw.Size()))
	}
	bodies, err := s.scanBodies(ctx, full.Address, read())
	if err != nil {
		return nil, errors.Join(err, raw.Close())
	}
	full.Detail.Text, full.Detail.HTML, full.Detail.TextTruncated, full.Detail.HTMLTruncated = "", "", false, false
	return &WholeMessage{
		FullMessage: full, Close: raw.Close,
		WriteText: func(to io.Writer) error { return bodies.WriteText(to, read()) },
		WriteHTML: func(to io.Writer) error { return bodies.WriteHTML(to, read()) },
	}, nil
}

// scanBodies finds out what the bodies of a message in a mailbox are made of.
func (s *Service) scanBodies(ctx context.Context, address string, raw io.Reader) (*rfc822.Bodies, error) {
	leave, err := s.turns.take(ctx, "whole "+address)
	if err != nil {
		return nil, fail(err)
	}
	defer leave()
	select {
	case s.bodyScans <- struct{}{}:
		defer func() { <-s.bodyScans }()
	case <-ctx.Done():
		return nil, fail(ctx.Err())
	}
	bodies, err := rfc822.ScanBodies(raw)
	return bodies, fail(err)
}

// presentEvery is how many bytes of a message are read between two looks whether it is still there.
const presentEvery = 1 << 20

// whilePresent reads a message as long as it is there: what is deleted is not read to its end, wherever its bytes are.
func (s *Service) whilePresent(ctx context.Context, in Access, id mailbox.ID, raw io.Reader) io.Reader {
	left := 0 // until the next look
	return readerFunc(func(b []byte) (int, error) {
		if left <= 0 {
			left = presentEvery
			err := s.ask(ctx, func(r store.Reader) error {
				_, err := r.Message(ctx, in.within(), id)
				return err
			})
			if errors.Is(err, store.ErrNotFound) {
				err = errNoMessage
			}
			if err != nil {
				return 0, err
			}
		}
		n, err := raw.Read(b)
		left -= n
		return n, err
	})
}

type readerFunc func([]byte) (int, error)

func (r readerFunc) Read(b []byte) (int, error) { return r(b) }
