package blob

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/blob/s3test"
)

// large is a message that is uploaded in two parts.
const large = 6 << 20

// What one try does not bring, another does.
func TestBucketTriesAgain(t *testing.T) {
	server := s3test.Start(t)
	b, p := startProxy(t, server)
	for _, tt := range []struct {
		request string
		size    int
	}{
		{"PUT 01/1/", 1000}, {"GET", 1000}, {"DELETE", 1000},
		{"POST tmp?uploads", large}, {"PUT tmp?partNumber", large}, {"POST tmp?uploadId", large}, {"HEAD", large},
		{"PUT 01/1/", large},
	} {
		for name, f := range map[string]fault{"busy": busy, "lost": lost} {
			t.Run(fmt.Sprintf("%s of %d bytes %s", tt.request, tt.size, name), func(t *testing.T) {
				p.fail(first(1, tt.request, f))
				raw := randomBytes(tt.size)
				put(t, b, raw, "1/a")
				wantObject(t, b, "1/a", raw)
				if err := b.Delete(t.Context(), "1/a"); err != nil {
					t.Error(err)
				}
			})
		}
	}
	// What could not be removed is found by the next sweep.
	p.fail(nil)
	if _, err := b.Sweep(t.Context(), -time.Hour, keepNone); err != nil {
		t.Error(err)
	}
	if left := bucketFiles(t, server, b); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
}

// An answer that breaks off is continued where it broke.
func TestBucketReadGoesOn(t *testing.T) {
	b, p := startProxy(t, s3test.Start(t))
	raw, o := putLarge(t, b)
	p.fail(first(2, "GET", cut))
	if got, err := readAll(o); err != nil || !bytes.Equal(got, raw) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	p.fail(first(1000, "GET", cut))
	if _, err := o.ReadAt(make([]byte, 10), 0); !errors.Is(err, ErrUnavailable) {
		t.Errorf("%v, want ErrUnavailable", err)
	}
}

// Every request of a commit is refused once: nothing is left under any key, and nothing of the draft.
func TestBucketCommitFailures(t *testing.T) {
	server := s3test.Start(t)
	b, p := startProxy(t, server)
	for _, n := range []int{1000, large} {
		for failAt, done := 1, false; !done; failAt++ {
			requests, failed := 0, ""
			p.fail(func(request string) fault {
				// What repairs is not refused; that it may fail is Sweep's matter.
				if requests++; requests == failAt && !strings.HasPrefix(request, "DELETE") {
					failed = request
					return refused
				}
				return none
			})
			w := newBucketDraft(b)
			_, err := w.Write(randomBytes(n))
			if err == nil {
				err = w.Commit(t.Context(), "1/a", "2/b", "2/c")
			}
			done = requests < failAt
			p.fail(nil)
			switch {
			case failed == "" && err != nil:
				t.Fatalf("nothing failed: %v", err)
			case failed == "":
				if err := b.Delete(t.Context(), "1/a", "2/b", "2/c"); err != nil {
					t.Fatal(err)
				}
				continue
			case !errors.Is(err, ErrUnavailable):
				t.Errorf("%q fails: %v, want ErrUnavailable", failed, err)
			}
			if left := bucketFiles(t, server, b); len(left) > 0 {
				t.Errorf("%q failed and left %v", failed, left)
			}
			if _, err := w.Write([]byte("x")); err == nil {
				t.Errorf("%q failed and the draft goes on", failed)
			}
		}
	}
}

// everyCall makes every call that needs the service, on a bucket with the object 1/a, which is open. A frozen service
// may well do them later: nothing here harms that object.
func everyCall(t *testing.T, b *Bucket, open Object) map[string]error {
	t.Helper()
	ctx := t.Context()
	small, err := b.Create(ctx)
	if err != nil {
		t.Fatal(err)
	}
	begun, _ := b.Create(ctx)
	errs := map[string]error{"Commit": small.Commit(ctx, "1/b", "1/c"), "Delete": b.Delete(ctx, "2/a", "2/b"),
		"Ping": b.Ping(ctx)}
	_, errs["Write"] = begun.Write(randomBytes(large))
	begun.Abort()
	_, errs["Open"] = b.Open(ctx, "1/a")
	_, errs["ReadAt"] = open.ReadAt(make([]byte, 10), 0)
	_, errs["DeletePrefix"] = b.DeletePrefix(ctx, "2")
	_, errs["Sweep"] = b.Sweep(ctx, time.Hour, keepNone)
	return errs
}

// While the service is gone or frozen every call says so, soon; when it is back everything works again.
func TestBucketAway(t *testing.T) {
	server := s3test.Start(t)
	for _, tt := range []struct {
		name string
		away func() (back func())
	}{
		{"stopped", func() func() { server.Stop(); return func() { server.Restart(t) } }},
		{"frozen", func() func() { return server.Pause(t) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := openBucket(t, server)
			raw, o := putLarge(t, b)
			b.times = times{tries: 2, patience: 20 * time.Millisecond, longest: time.Minute, pause: time.Millisecond}
			back := tt.away()
			for call, err := range everyCall(t, b, o) {
				if !errors.Is(err, ErrUnavailable) || errors.Is(err, io.EOF) {
					t.Errorf("%s: %v, want ErrUnavailable", call, err)
				} else if text := err.Error(); strings.Contains(text, s3test.AccessKey) ||
					strings.Contains(text, "http") {
					t.Errorf("%s says too much: %v", call, err)
				}
			}
			back()
			b.times = calm
			wantObject(t, b, "1/a", raw)
			if got, err := readAll(o); err != nil || !bytes.Equal(got, raw) {
				t.Errorf("what was open: %d bytes, %v", len(got), err)
			}
			if err := b.Delete(t.Context(), "1/a", "1/b", "1/c"); err != nil {
				t.Error(err)
			}
		})
	}
}

// The times that are not tests' own add up to what is promised.
func TestBucketPatience(t *testing.T) {
	u := usualTimes
	most := time.Duration(u.tries)*u.patience + u.pause + 3*u.pause
	if most > 10*time.Second {
		t.Errorf("a call may wait for %v", most)
	}
}

// A caller that goes away is not kept until the service answers.
func TestBucketCancelledUnderWay(t *testing.T) {
	server := s3test.Start(t)
	b := openBucket(t, server)
	defer server.Pause(t)()
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(10*time.Millisecond, cancel)
	if _, err := b.Open(ctx, "1/a"); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want context.Canceled", err)
	}
}

func TestBucketMisconfigured(t *testing.T) {
	server := s3test.Start(t)
	good, err := ParseBucketURL(server.URLWithKeys())
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name   string
		change func(*BucketOptions)
		want   string
	}{
		{"no bucket", func(o *BucketOptions) { o.Bucket = "missing" }, "NoSuchBucket (status 404)"},
		{"wrong secret", func(o *BucketOptions) { o.Keys.Secret = "wrong" }, "SignatureDoesNotMatch (status 403)"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			opt := good
			tt.change(&opt)
			b, err := OpenBucket(opt)
			if err != nil {
				t.Fatal(err)
			}
			defer b.Close()
			err = b.Ping(t.Context())
			if !errors.Is(err, ErrUnavailable) || !strings.HasSuffix(err.Error(), tt.want) {
				t.Errorf("%v, want %s", err, tt.want)
			}
			if _, err := b.Open(t.Context(), "1/a"); !errors.Is(err, ErrUnavailable) {
				t.Errorf("Open: %v, want ErrUnavailable", err)
			}
		})
	}
}
