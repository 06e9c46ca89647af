package service

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mailkin/mailkin/internal/blob"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/rfc822"
	"github.com/mailkin/mailkin/internal/rfc822/report"
	"github.com/mailkin/mailkin/internal/store"
)

// content is a message's detail and raw bytes in the form in which they are stored.
//
// Of a small message a row holds the raw bytes and what cannot be read from them: how it came, and where its parts are, so
// that the number of an attachment never changes. The rest of its detail is parsed anew when it is read. Of a large message
// the row holds the whole detail, and a blob the raw bytes.
//
// The packed form, before compression, is the raw bytes, then the other half as JSON, then that half's length in 4 bytes:
// so the half is put behind the message where it lies, and nothing is copied.
type content struct {
	packed []byte
	blob   bool
}

// kernel is what is kept of a small message's detail.
type kernel struct {
	Parts    []mailbox.Part
	Envelope mailbox.Trace
}

// sentKernel is the same of a message that was sent, with what its bytes do not say.
type sentKernel struct {
	kernel
	Bcc  []mailbox.Address
	Tags []string
}

func kernelOf(d mailbox.Detail, out bool) any {
	k := kernel{Parts: d.Parts, Envelope: d.Envelope}
	if !out {
		return k
	}
	return sentKernel{kernel: k, Bcc: d.Bcc, Tags: d.Tags}
}

// maxPacked bounds what one row may unpack to: a detail of several megabytes of text, and a small message.
const maxPacked = 64 << 20

// of is the content of one recipient's copy.
func (c content) of(to *mailCopy) store.Content {
	if c.blob {
		return store.Content{Packed: c.packed, Blob: to.blobKey()}
	}
	return store.Content{Packed: c.packed}
}

func (c *mailCopy) blobKey() string {
	return fmt.Sprintf("%d/%s", c.box.Num, c.message.ID)
}

// place packs a message and, if it is large, makes its blob durable under the keys of all copies.
func (s *Service) place(ctx context.Context, in *intake, d mailbox.Detail, copies []*mailCopy) (content, error) {
	if in.draft == nil {
		size := in.raw.Len()
		if err := in.pack(kernelOf(d, copies[0].message.Direction == mailbox.Outbound)); err != nil || in.packed.Len() <= inlineMost {
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
			c.message.Digest = shortDigest(parsed)
		}
		d = detail(parsed)
		d.Envelope, d.Tags, d.Bcc = skimmed.Envelope, skimmed.Tags, skimmed.Bcc
		in.raw.Reset()
	}
	if err := in.pack(d); err != nil {
		return content{}, err
	}
	keys := make([]string, len(copies))
	for i, c := range copies {
		keys[i] = c.blobKey()
	}
	if err := in.draft.Commit(ctx, keys...); err != nil {
		return content{}, fmt.Errorf("store message: %w", err)
	}
	return content{packed: in.packed.Bytes(), blob: true}, nil
}

// dropUnused removes the blobs of copies that were not stored. One that cannot be removed now is swept up later.
func (s *Service) dropUnused(ctx context.Context, c content, copies []*mailCopy, failed error) {
	if !c.blob || errors.Is(failed, store.ErrUnavailable) { // nobody knows whether it was stored: what is not named by then is swept up
		return
	}
	var keys []string
	for _, c := range copies {
		if failed != nil || c.receipt.Err != nil || c.receipt.Duplicate {
			keys = append(keys, c.blobKey())
		}
	}
	if len(keys) == 0 {
		return
	}
	if err := s.blobs.Delete(context.WithoutCancel(ctx), keys...); err != nil {
		s.log.Warn("remove unused blob", "error", err)
	}
}

// pack makes the packed form of half and of what is in in.raw. It is good until the intake is discarded.
func (in *intake) pack(half any) error {
	encoded, err := json.Marshal(half)
	if err != nil {
		return fmt.Errorf("pack message: %w", err)
	}
	in.raw.Write(encoded)
	in.raw.Write(binary.BigEndian.AppendUint32(nil, uint32(len(encoded))))
	in.packed.Reset()
	in.packed.Grow(in.raw.Len()*7/6 + 64) // what Compress may need
	in.packed.Write(blob.Compress(in.packed.AvailableBuffer(), in.raw.Bytes()))
	return nil
}

// halves gives the raw bytes of a packed message, and the other half.
func halves(c store.Content) (raw, half []byte, err error) {
	return halvesIn(new([]byte), c)
}

// halvesIn is halves in the room that it is given, which becomes larger where that is not enough.
func halvesIn(room *[]byte, c store.Content) (raw, half []byte, err error) {
	whole, err := blob.Decompress((*room)[:0], c.Packed, maxPacked)
	if err != nil {
		return nil, nil, fmt.Errorf("unpack message: %w", err)
	}
	*room = whole
	end := len(whole) - 4
	if end < 0 {
		return nil, nil, errors.New("unpack message: no length")
	}
	length := int(binary.BigEndian.Uint32(whole[end:]))
	if length > end {
		return nil, nil, errors.New("unpack message: wrong length")
	}
	return whole[: end-length : end-length], whole[end-length : end], nil
}

// unpack gives the detail and, where they are in the row, the raw bytes.
func unpack(c store.Content) (d mailbox.Detail, raw []byte, err error) {
	raw, half, err := halves(c)
	if err != nil {
		return d, nil, err
	}
	if c.Blob != "" {
		return d, nil, json.Unmarshal(half, &d)
	}
	var k sentKernel
	if err := json.Unmarshal(half, &k); err != nil {
		return d, nil, err
	}
	parsed := rfc822.Parse(raw, rfc822.DefaultLimits())
	d = detail(parsed)
	d.Report = reported(report.Read(parsed, bytes.NewReader(raw)))
	weigh(k.Parts, d.Parts)
	d.Parts, d.Envelope, d.Tags = k.Parts, k.Envelope, k.Tags
	if k.Bcc != nil {
		d.Bcc = k.Bcc
	}
	return d, raw, nil
}

// weigh gives parts that were not decoded on their way in the size and digest that reading them again found.
func weigh(parts, read []mailbox.Part) {
	for i := range parts {
		p := &parts[i]
		if p.SHA256 != ([32]byte{}) {
			continue
		}
		for _, r := range read {
			if r.Offset == p.Offset && r.Length == p.Length && r.Encoding == p.Encoding && same(r.Inner, p.Inner) {
				p.Size, p.SHA256 = r.Size, r.SHA256
			}
		}
	}
}

func same(a, b *mailbox.Window) bool { return a == b || a != nil && b != nil && *a == *b }
