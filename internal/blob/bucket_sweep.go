package blob

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
)

// bucketSweep is one run of Sweep. Ages are by the clock of the service, which may differ from ours by minutes.
type bucketSweep struct {
	bucket  *Bucket
	before  time.Time // what is younger stays
	kept    Kept
	removed int
}

func (b *Bucket) Sweep(ctx context.Context, age time.Duration, kept Kept) (int, error) {
	s := &bucketSweep{bucket: b, before: time.Now().Add(-age), kept: kept}
	if err := s.uploads(ctx); err != nil {
		return s.removed, fmt.Errorf("sweep drafts: %w", err)
	}
	err := b.eachPage(ctx, b.prefix, func(page []minio.ObjectInfo) error { return s.objects(ctx, page) })
	if err != nil {
		return s.removed, fmt.Errorf("sweep blobs: %w", err)
	}
	return s.removed, nil
}

// objects removes the leftovers among what was listed: drafts that were completed and not committed, and objects that
// nobody names. Other things in the bucket are not ours to judge.
func (s *bucketSweep) objects(ctx context.Context, page []minio.ObjectInfo) error {
	var names, keys []string
	for _, o := range page {
		if !o.LastModified.Before(s.before) {
			continue
		}
		if strings.HasPrefix(o.Key, s.bucket.prefix+draftPrefix) {
			names = append(names, o.Key)
		} else if key, ok := s.bucket.key(o.Key); ok {
			keys = append(keys, key)
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	left, err := s.kept.leftovers(keys)
	if err != nil {
		return err
	}
	objects, err := s.bucket.objects(left)
	if err != nil {
		return err
	}
	names = append(names, objects...)
	if err := s.bucket.remove(ctx, names); err != nil {
		return err
	}
	s.removed += len(names)
	return nil
}

// uploads aborts drafts that nobody goes on with.
func (s *bucketSweep) uploads(ctx context.Context) error {
	b := s.bucket
	var page minio.ListMultipartUploadsResult
	for more := true; more; more = page.IsTruncated {
		keyMarker, idMarker := page.NextKeyMarker, page.NextUploadIDMarker
		err := b.call(ctx, func(ctx context.Context, _ func()) (err error) {
			page, err = b.client.ListMultipartUploads(ctx, b.name, b.prefix+draftPrefix, keyMarker, idMarker, "",
				listBatch)
			return err
		})
		if err != nil {
			return err
		}
		for _, up := range page.Uploads {
			if err := s.upload(ctx, up); err != nil {
				return err
			}
		}
		if page.IsTruncated && page.NextKeyMarker == keyMarker && page.NextUploadIDMarker == idMarker {
			return fmt.Errorf("%w: its list goes round in circles", ErrUnavailable)
		}
	}
	return nil
}

// upload aborts a draft unless it is young or a part came of late.
func (s *bucketSweep) upload(ctx context.Context, up minio.ObjectMultipartInfo) error {
	b := s.bucket
	if !up.Initiated.Before(s.before) {
		return nil
	}
	old := true
	err := b.call(ctx, func(ctx context.Context, _ func()) error {
		parts, err := b.client.ListObjectParts(ctx, b.name, up.Key, up.UploadID, 0, listBatch)
		for _, part := range parts.ObjectParts {
			old = old && part.LastModified.Before(s.before)
		}
		if err == nil && old {
			err = b.client.AbortMultipartUpload(ctx, b.name, up.Key, up.UploadID)
		}
		if code(err) == "NoSuchUpload" { // its owner or another node's sweep was faster
			old, err = false, nil
		}
		return err
	})
	if err == nil && old {
		s.removed++
	}
	return err
}
