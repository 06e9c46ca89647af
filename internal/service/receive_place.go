package service

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mailkin/mailkin/internal/blob"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rawmail"
	"github.com/mailkin/mailkin/internal/rfc822"
	"github.com/mailkin/mailkin/internal/store"
)

// content is a message's detail and raw bytes in the form in which they are stored (package rawmail).
type content struct {
	packed []byte
	blob   bool
}

// of is the content of one recipient's copy.
func (c content) of(m mailbox.Message) store.Content {
	if c.blob {
		return store.Content{Packed: c.packed, Blob: blobKey(m)}
	}
	return store.Content{Packed: c.packed}
}

func blobKey(m mailbox.Message) string { return fmt.Sprintf("%d/%s", m.Mailbox, m.ID) }

// place packs a message and, if it is large, makes its blob durable under the keys of all copies.
func (s *Service) place(ctx context.Context, in *intake, d mailbox.Detail, copies ...*mailbox.Message) (content,
	error) {
	c, err := s.packAway(ctx, in, d, copies)
	if err = fail(err); err != nil {
		s.noteStored(err)
	}
	return c, err
}

func (s *Service) packAway(ctx context.Context, in *intake, d mailbox.Detail, copies []*mailbox.Message) (content,
	error) {
	if in.draft == nil {
		size := in.raw.Len()
		if err := s.pack(in, rawmail.Kernel(d, copies[0].Direction == mailbox.Outbound)); err != nil ||
			in.packed.Len() <= inlineMost {
			return content{packed: in.packed.Bytes()}, err
		}
		var err error
		if in.draft, err = s.blobs.Create(ctx); err != nil {
			return content{}, err
		}
		raw := in.raw.Bytes()[:size]
		if _, err := in.draft.Write(raw); err != nil {
			return content{}, err
		}
		skimmed, lim := d, rfc822.DefaultLimits()
		lim.Digest = true
		parsed := rfc822.Parse(raw, lim)
		for _, c := range copies {
			c.Digest = shortDigest(parsed)
		}
		d = rawmail.Detail(parsed)
		d.Envelope, d.Tags, d.Bcc, d.Compared = skimmed.Envelope, skimmed.Tags, skimmed.Bcc, skimmed.Compared
		in.raw.Reset()
	}
	if err := s.pack(in, d); err != nil {
		return content{}, err
	}
	keys := make([]string, len(copies))
	for i, c := range copies {
		keys[i] = blobKey(*c)
	}
	if err := in.draft.Commit(ctx, keys...); err != nil {
		return content{}, fmt.Errorf("store message: %w", err)
	}
	return content{packed: in.packed.Bytes(), blob: true}, nil
}

// dropUnused removes the blobs of copies that were not stored, because of an error or without one. One that cannot be
// removed now is swept up later.
func (s *Service) dropUnused(ctx context.Context, c content, failed error, unused ...*mailbox.Message) {
	// nobody knows whether it was stored: what is not named by then is swept up
	if !c.blob || len(unused) == 0 || errors.Is(failed, store.ErrUnavailable) {
		return
	}
	keys := make([]string, len(unused))
	for i, m := range unused {
		keys[i] = blobKey(*m)
	}
	if err := s.blobs.Delete(context.WithoutCancel(ctx), keys...); err != nil {
		s.log.Warn("remove unused blob", "error", err)
	}
}

// pack makes the packed form of half and of what is in in.raw. It is good until the intake is discarded.
func (s *Service) pack(in *intake, half any) error {
	encoded, err := json.Marshal(half)
	if err != nil {
		return fmt.Errorf("pack message: %w", err)
	}
	in.raw.Write(encoded)
	in.raw.Write(binary.BigEndian.AppendUint32(nil, uint32(len(encoded))))
	in.packed.Reset()
	in.packed.Grow(in.raw.Len()*7/6 + 64) // what Compress may need
	compress := blob.CompressDense
	if !s.opt.Alone { // another node may be of an older version, and could not read that
		compress = blob.Compress
	}
	in.packed.Write(compress(in.packed.AvailableBuffer(), in.raw.Bytes()))
	return nil
}
