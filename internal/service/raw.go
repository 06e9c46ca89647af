package service

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/mailkin/mailkin/internal/blob"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rawmail"
	"github.com/mailkin/mailkin/internal/store"
)

// Raw is a message as it was received, to the byte. Whoever is slow to read it holds nothing of the store meanwhile; it
// fails where the message is deleted. The caller closes it.
type Raw struct {
	*io.SectionReader
	ID         mailbox.ID
	ReceivedAt time.Time
	Closer     io.Closer // nil: nothing is to be closed
}

// Close ends the reading.
func (r *Raw) Close() error {
	if r.Closer == nil {
		return nil
	}
	return r.Closer.Close()
}

// Raw opens a message's original bytes.
func (s *Service) Raw(ctx context.Context, in Access, id mailbox.ID) (*Raw, error) {
	var m mailbox.Message
	var c store.Content
	err := s.view(ctx, func(r store.Reader) (err error) {
		if m, _, err = s.find(ctx, r, in, id); err == nil {
			c, err = r.Content(ctx, m)
		}
		return err
	})
	if err != nil {
		return nil, noMessage(err)
	}
	s.noteRead(&in, m)
	return s.openPausing(ctx, in, m, c)
}

func (s *Service) openPausing(ctx context.Context, in Access, m mailbox.Message, c store.Content) (*Raw, error) {
	p, err := s.pausingRaw(ctx, in, m.ID, c)
	if err != nil {
		return nil, err
	}
	return &Raw{SectionReader: p.reader(), ID: m.ID, ReceivedAt: m.ReceivedAt, Closer: p}, nil
}

// openRaw opens the raw bytes of stored content.
func (s *Service) openRaw(ctx context.Context, c store.Content) (*rawmail.Reader, error) {
	r, err := rawmail.Open(ctx, s.blobs, c)
	if errors.Is(err, blob.ErrNotFound) {
		return nil, errNoMessage // deleted between the row and the blob
	}
	if err != nil {
		return nil, fail(err)
	}
	return r, nil
}

// Attachment is a decoded part of a message. It is decoded while it is read: going forward skips, going back begins
// again. The caller closes it.
type Attachment struct {
	ID         mailbox.ID
	Part       mailbox.Part
	ReceivedAt time.Time

	raw     *Raw
	decoded io.Reader // nil: start over
	at      int64     // where decoded is
	want    int64     // where the next Read begins
}

// Attachment opens an attachment.
func (s *Service) Attachment(ctx context.Context, in Access, id mailbox.ID) (*Attachment, error) {
	notFound := mailbox.Errorf(mailbox.NotFound, "not_found", "Attachment not found")
	whole, index := id.Whole()
	var m mailbox.Message
	err := s.view(ctx, func(r store.Reader) (err error) {
		m, _, err = s.find(ctx, r, in, whole)
		return err
	})
	var d mailbox.Detail
	var c store.Content
	if err == nil {
		d, c, err = s.unpack(ctx, m)
	}
	if errors.Is(err, store.ErrNotFound) {
		return nil, notFound
	}
	if err != nil {
		return nil, err
	}
	for _, p := range d.Parts {
		if p.Index != index {
			continue
		}
		raw, err := s.openPausing(ctx, in, m, c)
		if errors.Is(err, errNoMessage) {
			return nil, notFound
		}
		s.noteRead(&in, m)
		return &Attachment{ID: id, Part: p, ReceivedAt: m.ReceivedAt, raw: raw}, err
	}
	return nil, notFound
}

// Close ends the reading.
func (a *Attachment) Close() error { return a.raw.Close() }

// Seek moves to where the next Read begins.
func (a *Attachment) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += a.want
	case io.SeekEnd:
		offset += a.Part.Size
	}
	if offset < 0 {
		return 0, errors.New("seek before the beginning")
	}
	a.want = offset
	return offset, nil
}

func (a *Attachment) Read(p []byte) (int, error) {
	if a.decoded == nil || a.at > a.want {
		a.decoded, a.at = rawmail.Decode(a.Part, a.raw), 0
	}
	if a.at < a.want {
		n, err := io.CopyN(io.Discard, a.decoded, a.want-a.at)
		a.at += n
		if err != nil {
			return 0, err
		}
	}
	n, err := a.decoded.Read(p)
	a.at += int64(n)
	a.want = a.at
	return n, err
}
