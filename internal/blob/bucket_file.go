package blob

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/minio/minio-go/v7"
)

// The methods of this file use a bucket as a plain folder of named files, without the form that messages have. A Store
// and such files must not share a prefix.

// PutFile writes a file, and replaces what had the name.
func (b *Bucket) PutFile(ctx context.Context, name string, data []byte) error {
	sum := sha256.Sum256(data)
	err := b.call(ctx, func(ctx context.Context, alive func()) error {
		body := &body{from: lively{bytes.NewReader(data), alive}}
		defer body.end()
		_, err := b.client.PutObject(ctx, b.name, b.prefix+name, body, int64(len(data)), "",
			hex.EncodeToString(sum[:]), minio.PutObjectOptions{DisableContentSha256: true})
		return err
	})
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}

// File reads a file; fs.ErrNotExist where there is none.
func (b *Bucket) File(ctx context.Context, name string) (data []byte, err error) {
	err = b.call(ctx, func(ctx context.Context, alive func()) error {
		body, _, _, err := b.client.GetObject(ctx, b.name, b.prefix+name, minio.GetObjectOptions{})
		if err != nil {
			return err
		}
		defer func() { _ = body.Close() }() // only read from
		data, err = io.ReadAll(lively{body, alive})
		return err
	})
	if errors.Is(err, ErrNotFound) {
		err = fs.ErrNotExist
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	return data, nil
}

// Files lists the names that begin with a prefix.
func (b *Bucket) Files(ctx context.Context, prefix string) (names []string, err error) {
	err = b.eachPage(ctx, b.prefix+prefix, func(page []minio.ObjectInfo) error {
		for _, o := range page {
			names = append(names, strings.TrimPrefix(o.Key, b.prefix))
		}
		return nil
	})
	return names, err
}

// RemoveFiles removes files; missing ones are no error.
func (b *Bucket) RemoveFiles(ctx context.Context, names ...string) error {
	whole := make([]string, len(names))
	for i, name := range names {
		whole[i] = b.prefix + name
	}
	return b.remove(ctx, whole)
}
