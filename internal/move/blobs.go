package move

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"sync"

	"github.com/mailkin/mailkin/internal/blob"
	"github.com/mailkin/mailkin/internal/config"
	"github.com/mailkin/mailkin/internal/datadir"
	"github.com/mailkin/mailkin/internal/service"
)

// movers is how many large messages are copied at the same time.
const movers = 8

// blobMove is the copying of large messages to a bucket. Without one they are looked at where they are.
type blobMove struct {
	from  blob.Store
	to    blob.Store // nil: they stay
	total int64
	tell  func(done, total int64)

	mu   sync.Mutex
	done int64
	lost []string
	err  error // the first
}

// moveBlobs copies every large message that is not in the bucket yet, and wants each to be there in its whole length.
func (m *move) moveBlobs(ctx context.Context) (err error) {
	b := &blobMove{tell: func(done, total int64) { m.progress(Blobs, "", done, total) }}
	if err := m.snap.Blobs(func(string) error { b.total++; return nil }); err != nil {
		return fmt.Errorf("count large messages: %w", err)
	}
	if b.total == 0 {
		return nil
	}
	if b.from, err = blob.OpenDir(filepath.Join(m.from, datadir.Blobs)); err != nil {
		return err
	}
	if m.cfg.BlobURL != "" {
		if b.to, err = blob.OpenBucketURL(ctx, string(m.cfg.BlobURL)); err != nil {
			if wrong := new(blob.URLError); errors.As(err, &wrong) {
				return &config.SettingError{Key: "blob_url", Err: err}
			}
			return fmt.Errorf("setting blob_url: %w", err)
		}
		defer func() { err = errors.Join(err, b.to.Close()) }()
		if err := service.ClaimBlobs(ctx, b.to, m.cfg.Secret, m.log); err != nil {
			return fmt.Errorf("setting blob_url: %w", err)
		}
	}
	if err := b.all(ctx, m.snap.Blobs); err != nil {
		return err
	}
	m.done.Blobs, m.done.Lost = int(b.done)-len(b.lost), b.lost
	return nil
}

// all goes through the keys that a list gives, some at the same time.
func (b *blobMove) all(ctx context.Context, list func(func(key string) error) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	keys := make(chan string)
	var workers sync.WaitGroup
	for range movers {
		workers.Go(func() {
			for key := range keys {
				if !b.note(key, b.move(ctx, key)) {
					cancel()
				}
			}
		})
	}
	err := list(func(key string) error {
		select {
		case keys <- key:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	close(keys)
	workers.Wait()
	if b.err != nil {
		return b.err
	}
	return err
}

// errBlobLost is that the data folder does not have the bytes of a message that it has.
var errBlobLost = errors.New("the bytes of the message are missing in the data folder")

// note counts a key that is done, and tells whether to go on.
func (b *blobMove) note(key string, err error) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case errors.Is(err, errBlobLost):
		b.lost = append(b.lost, key)
	case err != nil:
		if b.err == nil {
			b.err = fmt.Errorf("large message %s: %w", key, err)
		}
		return false
	}
	b.done++
	b.tell(b.done, b.total)
	return true
}

// move copies one, unless it is there already.
func (b *blobMove) move(ctx context.Context, key string) (err error) {
	from, err := b.from.Open(ctx, key)
	if errors.Is(err, blob.ErrNotFound) {
		return errBlobLost
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	if b.to == nil {
		return nil
	}
	size, err := b.size(ctx, key)
	if errors.Is(err, blob.ErrNotFound) {
		if err = b.copy(ctx, key, from); err == nil {
			size, err = b.size(ctx, key)
		}
	}
	if err == nil && size != from.Size() {
		err = fmt.Errorf("%w: %d bytes instead of %d", errDiffers, size, from.Size())
	}
	return err
}

// size is how long a message in the bucket is.
func (b *blobMove) size(ctx context.Context, key string) (int64, error) {
	o, err := b.to.Open(ctx, key)
	if err != nil {
		return 0, err
	}
	return o.Size(), o.Close()
}

func (b *blobMove) copy(ctx context.Context, key string, from blob.Object) error {
	draft, err := b.to.Create(ctx)
	if err != nil {
		return err
	}
	defer draft.Abort()
	if _, err := io.Copy(draft, io.NewSectionReader(from, 0, from.Size())); err != nil {
		return err
	}
	if err := draft.Commit(ctx, key); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil // it has come there since, and is looked at
}
