package blob

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"github.com/minio/minio-go/v7"
)

// Marked is a Store that other deployments can reach too. A mark in it says whose it is, so that nobody sweeps what is
// another's.
type Marked interface {
	// Mark returns what was marked last; empty: nothing.
	Mark(ctx context.Context) (string, error)
	SetMark(ctx context.Context, mark string) error
	// MarkName is where a person finds the mark.
	MarkName() string
}

var _ Marked = (*Bucket)(nil)

const (
	markObject = "deployment" // no shard and no draft: Sweep leaves it
	markMost   = 1 << 10
)

// MarkName is the object's name in the bucket.
func (b *Bucket) MarkName() string { return b.prefix + markObject }

func (b *Bucket) Mark(ctx context.Context) (mark string, err error) {
	err = b.call(ctx, func(ctx context.Context, _ func()) error {
		body, _, _, err := b.client.GetObject(ctx, b.name, b.MarkName(), minio.GetObjectOptions{})
		if err != nil {
			return err
		}
		defer func() { _ = body.Close() }() // only read from
		text, err := io.ReadAll(io.LimitReader(body, markMost))
		mark = string(text)
		return err
	})
	if errors.Is(err, ErrNotFound) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read the bucket's mark: %w", err)
	}
	return mark, nil
}

func (b *Bucket) SetMark(ctx context.Context, mark string) error {
	sum := sha256.Sum256([]byte(mark))
	err := b.call(ctx, func(ctx context.Context, _ func()) error {
		_, err := b.client.PutObject(ctx, b.name, b.MarkName(), bytes.NewReader([]byte(mark)), int64(len(mark)), "",
			hex.EncodeToString(sum[:]),
			minio.PutObjectOptions{ContentType: "text/plain"})
		return err
	})
	if err != nil {
		return fmt.Errorf("mark the bucket: %w", err)
	}
	return nil
}
