package service

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mailkin/mailkin/internal/blob"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// content is a message's detail and raw bytes in the form in which they are stored: packed together for a database row,
// where the text inside the raw bytes costs next to nothing, or the detail alone beside a blob.
//
// The packed form, before compression, is the detail's length as a varint, the detail as JSON, the raw bytes.
type content struct {
	packed []byte
	blob   bool
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
	detail, err := json.Marshal(d)
	if err != nil {
		return content{}, fmt.Errorf("pack detail: %w", err)
	}
	head := binary.AppendUvarint(make([]byte, 0, 10), uint64(len(detail)))
	if in.draft == nil {
		raw := in.raw.Bytes()
		whole := make([]byte, 0, len(head)+len(detail)+len(raw))
		whole = append(append(append(whole, head...), detail...), raw...)
		packed := blob.Compress(nil, whole)
		if len(packed) <= inlineMost {
			return content{packed: packed}, nil
		}
		if in.draft, err = s.blobs.Create(ctx); err != nil {
			return content{}, err
		}
		if _, err := in.draft.Write(raw); err != nil {
			return content{}, err
		}
	}
	keys := make([]string, len(copies))
	for i, c := range copies {
		keys[i] = c.blobKey()
	}
	if err := in.draft.Commit(ctx, keys...); err != nil {
		return content{}, fmt.Errorf("store message: %w", err)
	}
	return content{packed: blob.Compress(nil, append(head, detail...)), blob: true}, nil
}

// dropUnused removes the blobs of copies that were not stored. One that cannot be removed now is swept up later.
func (s *Service) dropUnused(ctx context.Context, c content, copies []*mailCopy, failed error) {
	if !c.blob {
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

// unpack gives the detail and, where they are in the row, the raw bytes.
func unpack(c store.Content) (d mailbox.Detail, raw []byte, err error) {
	whole, err := blob.Decompress(nil, c.Packed, maxPacked)
	if err != nil {
		return d, nil, fmt.Errorf("unpack message: %w", err)
	}
	length, n := binary.Uvarint(whole)
	if n <= 0 || length > uint64(len(whole)-n) {
		return d, nil, errors.New("unpack message: wrong length")
	}
	if err := json.Unmarshal(whole[n:n+int(length)], &d); err != nil {
		return d, nil, fmt.Errorf("unpack message: %w", err)
	}
	return d, whole[n+int(length):], nil
}
