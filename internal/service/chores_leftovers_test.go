package service_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/blob"
	"github.com/mailkin/mailkin/internal/service"
)

// sharedBlobs is a store that others can reach too.
type sharedBlobs struct {
	blob.Store
	mark string
	err  error
}

func (b *sharedBlobs) Mark(context.Context) (string, error) { return b.mark, b.err }
func (b *sharedBlobs) MarkName() string                     { return "deployment" }
func (b *sharedBlobs) SetMark(_ context.Context, mark string) error {
	b.mark = mark
	return b.err
}

// Nothing is removed from a bucket that is another's, or that has seen a database which knew more than this one.
func TestWhoseBlobs(t *testing.T) {
	var bucket *sharedBlobs
	k := newService(t, func(o *service.Options) { bucket = &sharedBlobs{Store: o.Blobs}; o.Blobs = bucket })
	if !strings.HasPrefix(bucket.mark, "mailkin ") || strings.Contains(bucket.mark, string(k.opt.Root)) {
		t.Fatalf("marked with %q", bucket.mark)
	}
	own := k.permanent("own")
	n := 0
	orphan := func() {
		d, err := bucket.Create(t.Context())
		k.works("Create", err)
		n++
		k.works("Commit", d.Commit(t.Context(), fmt.Sprintf("%d/orphan%d", own.Num, n)))
		old := time.Now().Add(-2 * time.Hour)
		for _, f := range k.files() {
			k.works("Chtimes", os.Chtimes(f, old, old))
		}
	}
	sweep := func(what string, left int, good bool) {
		t.Helper()
		orphan()
		if err := k.svc.SweepBlobs(t.Context()); (err == nil) != good {
			t.Errorf("%s: %v", what, err)
		}
		k.same(what, len(k.files()), left)
	}
	sweep("its own", 0, true)
	before := bucket.mark
	sweep("again", 0, true)
	later := strings.Replace(bucket.mark, " 2\n", " 9\n", 1)
	for i, c := range []struct{ name, mark string }{
		{"ahead of the database", later}, {"another's", "mailkin 0123456789abcdef01234567 1\n"},
		{"no mark that we know", "hands off"},
	} {
		bucket.mark = c.mark
		sweep(c.name, i+1, false)
		again, err := service.Open(t.Context(), k.opt)
		if (err == nil) != (c.mark == later) {
			t.Errorf("%s: opened with %v", c.name, err)
		}
		_ = again
		if bucket.mark != c.mark {
			t.Errorf("%s: marked again", c.name)
		}
	}
	bucket.mark = "" // the operator has taken it away
	sweep("nobody's", 0, true)
	bucket.mark = before
	sweep("behind the database", 0, true)
}

// A service is there while its bucket is away, and not where the bucket is refused to it.
func TestBucketAwayAtTheStart(t *testing.T) {
	var bucket *sharedBlobs
	k := newService(t, func(o *service.Options) { bucket = &sharedBlobs{Store: o.Blobs}; o.Blobs = bucket })
	bucket.err = fmt.Errorf("%w: no answer", blob.ErrUnavailable)
	if _, err := service.Open(t.Context(), k.opt); err != nil {
		t.Errorf("away: %v", err)
	}
	if err := k.svc.SweepBlobs(t.Context()); !errors.Is(err, blob.ErrUnavailable) {
		t.Errorf("sweep: %v", err)
	}
	bucket.err = fmt.Errorf("%w: %w", blob.ErrUnavailable, blob.ErrRefused)
	if _, err := service.Open(t.Context(), k.opt); err == nil {
		t.Error("refused, and opened")
	}
}
