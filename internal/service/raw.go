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

// Raw is a message as it was received, to the byte. The caller closes it.
type Raw struct {
	*rawmail.Reader
	ID         mailbox.ID
	ReceivedAt time.Time
}

// Raw opens a message's original bytes.
func (s *Service) Raw(ctx context.Context, in Access, id mailbox.ID) (*Raw, error) {
	raw, _, err := s.openMessage(ctx, in, id)
	if errors.Is(err, store.ErrNotFound) {
		return nil, errNoMessage
	}
	return raw, err
}

// openMessage opens the raw bytes of a message and reads its detail.
func (s *Service) openMessage(ctx context.Context, in Access, id mailbox.ID) (*Raw, mailbox.Detail, error) {
	var m mailbox.Message
	var box mailbox.Mailbox
	var c store.Content
	err := s.view(ctx, func(r store.Reader) (err error) {
		if m, box, err = s.find(ctx, r, in, id); err != nil {
			return err
		}
		c, err = r.Content(ctx, m)
		return err
	})
	if err != nil {
		return nil, mailbox.Detail{}, err
	}
	leave, err := s.largeTurn(ctx, m, box.Address)
	if err != nil {
		return nil, mailbox.Detail{}, err
	}
	d, _, err := rawmail.Unpack(c)
	leave()
	if err != nil {
		return nil, d, err
	}
	raw, err := s.openRaw(ctx, c)
	if err != nil {
		return nil, d, err
	}
	raw.ID, raw.ReceivedAt = m.ID, m.ReceivedAt
	return raw, d, nil
}

// openRaw opens the raw bytes of stored content.
func (s *Service) openRaw(ctx context.Context, c store.Content) (*Raw, error) {
	r, err := rawmail.Open(ctx, s.blobs, c)
	if errors.Is(err, blob.ErrNotFound) {
		return nil, errNoMessage // deleted between the row and the blob
	}
	if err != nil {
		return nil, fail(err)
	}
	return &Raw{Reader: r}, nil
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
	raw, d, err := s.openMessage(ctx, in, whole)
	if errors.Is(err, store.ErrNotFound) || errors.Is(err, errNoMessage) {
		return nil, notFound
	}
	if err != nil {
		return nil, err
	}
	for _, p := range d.Parts {
		if p.Index == index {
			return &Attachment{ID: id, Part: p, ReceivedAt: raw.ReceivedAt, raw: raw}, nil
		}
	}
	return nil, errors.Join(notFound, raw.Close())
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
