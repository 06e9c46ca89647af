package blob

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/minio/minio-go/v7"
)

// listBatch is how many names S3 lists or deletes in one request.
const listBatch = 1000

func (b *Bucket) Delete(ctx context.Context, keys ...string) error {
	names, err := b.objects(keys)
	if err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := b.remove(ctx, names); err != nil {
		return fmt.Errorf("delete blobs: %w", err)
	}
	return nil
}

// remove deletes what there is of the names.
func (b *Bucket) remove(ctx context.Context, names []string) error {
	for batch := range slices.Chunk(names, listBatch) {
		if err := b.removeBatch(ctx, batch); err != nil {
			return err
		}
	}
	return nil
}

func (b *Bucket) removeBatch(ctx context.Context, names []string) error {
	err := b.call(ctx, func(ctx context.Context, alive func()) error {
		if len(names) == 1 {
			return b.client.RemoveObject(ctx, b.name, names[0], minio.RemoveObjectOptions{})
		}
		results, err := b.client.RemoveObjectsWithIter(ctx, b.name, func(yield func(minio.ObjectInfo) bool) {
			for _, name := range names {
				if !yield(minio.ObjectInfo{Key: name}) {
					return
				}
			}
		}, minio.RemoveObjectsOptions{})
		if err != nil {
			return err
		}
		for r := range results {
			if r.Err != nil && code(r.Err) != "NoSuchKey" {
				return r.Err
			}
			alive()
		}
		return nil
	})
	if errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}

func (b *Bucket) DeletePrefix(ctx context.Context, prefix string) (int, error) {
	box := strings.TrimSuffix(prefix, "/")
	if !validPart(box) {
		return 0, fmt.Errorf("invalid blob prefix %q", prefix)
	}
	total := 0
	err := b.eachPage(ctx, b.boxPrefix(box), func(page []minio.ObjectInfo) error {
		names := make([]string, len(page))
		for i, o := range page {
			names[i] = o.Key
		}
		if err := b.remove(ctx, names); err != nil {
			return err
		}
		total += len(names)
		return nil
	})
	if err != nil {
		return total, fmt.Errorf("delete blobs of %s: %w", box, err)
	}
	return total, nil
}

// eachPage lists what begins with the prefix, in order, page by page.
func (b *Bucket) eachPage(ctx context.Context, prefix string, fn func(page []minio.ObjectInfo) error) error {
	for after := ""; ; {
		page, err := b.page(ctx, prefix, after)
		if err != nil || len(page) == 0 {
			return err
		}
		if err := fn(page); err != nil {
			return err
		}
		if len(page) < listBatch {
			return nil
		}
		last := page[len(page)-1].Key
		if last <= after {
			return fmt.Errorf("%w: its list goes round in circles", ErrUnavailable)
		}
		after = last
	}
}

// page lists the next names after one. Each page is a listing of its own, so that it has its own tries and its own end.
func (b *Bucket) page(ctx context.Context, prefix, after string) (page []minio.ObjectInfo, err error) {
	err = b.call(ctx, func(ctx context.Context, alive func()) error {
		page = page[:0]
		opt := minio.ListObjectsOptions{Prefix: prefix, StartAfter: after, Recursive: true, MaxKeys: listBatch}
		for o := range b.client.ListObjectsIter(ctx, b.name, opt) {
			if o.Err != nil {
				return o.Err
			}
			alive()
			if page = append(page, o); len(page) == listBatch {
				break
			}
		}
		return nil
	})
	return page, err
}
