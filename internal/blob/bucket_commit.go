package blob

import (
	"context"
	"errors"
	"io/fs"
	"sync"
	"time"

	"github.com/minio/minio-go/v7"
)

// copiesAtOnce bounds how many keys of one commit are worked on at the same time.
const copiesAtOnce = 8

// seal packs the rest, and completes the upload if there is one.
func (w *bucketDraft) seal(ctx context.Context) error {
	if err := w.pack.flush(true); err != nil {
		return err
	}
	if w.upload == nil {
		return nil
	}
	if len(w.chunks) > 0 {
		if err := w.sendPart(); err != nil {
			return err
		}
	}
	b, up := w.bucket, w.upload
	err := b.callFor(ctx, w.copyTime(), func(ctx context.Context, _ func()) error {
		_, err := b.client.CompleteMultipartUpload(ctx, b.name, up.name, up.id, up.parts, minio.PutObjectOptions{})
		if code(err) == "NoSuchUpload" {
			// Was it completed by an earlier try whose answer was lost? Or has Sweep aborted it?
			if _, statErr := b.client.StatObject(ctx, b.name, up.name, minio.StatObjectOptions{}); statErr == nil {
				return nil
			}
		}
		return err
	})
	up.complete = err == nil
	return err
}

// copyTime is how long the service may take for making or copying the object.
func (w *bucketDraft) copyTime() time.Duration {
	return w.bucket.times.patience + time.Duration(w.upload.size)*time.Second/copySpeed
}

// publish gives the bytes their names, or takes back those it gave.
func (w *bucketDraft) publish(ctx context.Context, names []string) error {
	from, copies, patience := names[0], names[1:], w.bucket.times.patience
	if w.upload != nil {
		from, copies, patience = w.upload.name, names, w.copyTime()
	}
	if !distinct(names) {
		return fs.ErrExist
	}
	if err := w.free(ctx, copies); err != nil {
		return err
	}
	err := w.put(ctx, names[0])
	if err == nil {
		err = each(copies, func(to string) error { return w.copy(ctx, from, to, patience) })
	}
	if err != nil {
		w.takeBack(ctx, names)
	}
	return err
}

// free tells whether the names are not taken.
func (w *bucketDraft) free(ctx context.Context, names []string) error {
	return each(names, func(name string) error {
		_, err := w.bucket.stat(ctx, name)
		switch {
		case errors.Is(err, ErrNotFound):
			return nil
		case err == nil:
			return fs.ErrExist
		}
		return err
	})
}

// distinct tells whether no name is there twice.
func distinct(names []string) bool {
	seen := map[string]bool{}
	for _, name := range names {
		seen[name] = true
	}
	return len(seen) == len(names)
}

// put uploads bytes that are all still here, unless the name is taken.
func (w *bucketDraft) put(ctx context.Context, name string) error {
	if w.upload != nil {
		return nil
	}
	b := w.bucket
	if !b.asksFirst.Load() {
		opt := w.options()
		opt.SetMatchETagExcept("*")
		err := w.putWith(ctx, name, opt)
		switch {
		case errors.Is(err, fs.ErrExist) && w.owns(ctx, name):
			return nil // an earlier try succeeded and its answer was lost
		case !errors.Is(err, errors.ErrUnsupported):
			return err
		}
		b.asksFirst.Store(true)
	}
	if err := w.free(ctx, []string{name}); err != nil {
		return err
	}
	return w.putWith(ctx, name, w.options())
}

func (w *bucketDraft) putWith(ctx context.Context, name string, opt minio.PutObjectOptions) error {
	b := w.bucket
	size, sum := w.waiting()
	return b.call(ctx, func(ctx context.Context, alive func()) error {
		body := w.body(alive)
		defer body.end()
		_, err := b.client.PutObject(ctx, b.name, name, body, size, "", sum, opt)
		return err
	})
}

func (w *bucketDraft) copy(ctx context.Context, from, to string, patience time.Duration) error {
	b := w.bucket
	return b.callFor(ctx, patience, func(ctx context.Context, _ func()) error {
		_, err := b.client.Client.CopyObject(ctx,
			minio.CopyDestOptions{Bucket: b.name, Object: to}, minio.CopySrcOptions{Bucket: b.name, Object: from})
		return err
	})
}

// takeBack removes what a failed commit has made, also where it does not know whether it has. A key that somebody
// else's object has is left alone.
func (w *bucketDraft) takeBack(ctx context.Context, names []string) {
	b := w.bucket
	_ = each(names, func(name string) error {
		return b.once(ctx, b.times.patience, func(ctx context.Context, _ func()) error {
			info, err := b.client.StatObject(ctx, b.name, name, minio.StatObjectOptions{})
			if err != nil && code(err) == "" {
				return err // no answer: the others will not get one either
			}
			if err != nil || !w.marked(info) {
				return nil
			}
			return b.client.RemoveObject(ctx, b.name, name, minio.RemoveObjectOptions{})
		})
	})
}

// owns tells whether the object of that name was made by this draft.
func (w *bucketDraft) owns(ctx context.Context, name string) bool {
	info, err := w.bucket.stat(ctx, name)
	return err == nil && w.marked(info)
}

func (w *bucketDraft) marked(info minio.ObjectInfo) bool {
	return info.Metadata.Get("X-Amz-Meta-"+draftField) == w.mark
}

func (b *Bucket) stat(ctx context.Context, name string) (info minio.ObjectInfo, err error) {
	err = b.call(ctx, func(ctx context.Context, _ func()) (err error) {
		info, err = b.client.StatObject(ctx, b.name, name, minio.StatObjectOptions{})
		return err
	})
	return info, err
}

// each runs fn for the names, some at the same time, and begins no more after an error.
func each(names []string, fn func(name string) error) error {
	var (
		wg     sync.WaitGroup
		mu     sync.Mutex
		failed error
	)
	take := func() (name string, ok bool) {
		mu.Lock()
		defer mu.Unlock()
		if failed != nil || len(names) == 0 {
			return "", false
		}
		name, names = names[0], names[1:]
		return name, true
	}
	for range min(copiesAtOnce, len(names)) {
		wg.Go(func() {
			for name, ok := take(); ok; name, ok = take() {
				if err := fn(name); err != nil {
					mu.Lock()
					failed = errors.Join(failed, err)
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	return failed
}
