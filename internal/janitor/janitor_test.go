package janitor_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mailkin/mailkin/internal/background"
	"github.com/mailkin/mailkin/internal/janitor"
)

// fake notes when it is asked for what.
type fake struct {
	began                   time.Time
	expired, trimmed, ended []time.Duration
	given, reviewed, told   []time.Duration
	err                     error

	mu    sync.Mutex
	swept []time.Duration
	asked []time.Duration
	kept  []time.Duration
	sent  []time.Duration
	takes time.Duration // what a sweep takes
}

func (f *fake) note(to *[]time.Duration) error {
	*to = append(*to, time.Since(f.began))
	return f.err
}

func (f *fake) Expire(context.Context) error        { return f.note(&f.expired) }
func (f *fake) ExpireReviews(context.Context) error { return f.note(&f.reviewed) }
func (f *fake) SendNotices(context.Context) error   { return f.note(&f.told) }
func (f *fake) Trim(context.Context) error          { return f.note(&f.trimmed) }
func (f *fake) GiveUp(context.Context) error        { return f.note(&f.given) }
func (f *fake) Recover(context.Context) error       { return f.note(&f.ended) }

func (f *fake) CheckDomains(context.Context) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.note(&f.asked)
}

func (f *fake) SendReports(context.Context) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.note(&f.sent)
}

func (f *fake) Retain(context.Context) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.note(&f.kept)
}

func (f *fake) SweepBlobs(ctx context.Context) error {
	f.mu.Lock()
	f.swept = append(f.swept, time.Since(f.began))
	f.mu.Unlock()
	select {
	case <-time.After(f.takes):
	case <-ctx.Done():
	}
	return f.err
}

func run(t *testing.T, f *fake, d time.Duration) string {
	t.Helper()
	var out strings.Builder
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	janitor.Run(ctx, f, background.New(slog.New(slog.NewTextHandler(&out, nil))))
	return out.String()
}

func TestTimes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{began: time.Now()}
		if out := run(t, f, 2*time.Hour+time.Second); out != "" {
			t.Errorf("logged %s", out)
		}
		if n := len(f.expired); n != 121 {
			t.Errorf("expired mailboxes were looked for %d times in two hours", n)
		}
		if n := len(f.told); n != 121 || f.told[0] != 0 {
			t.Errorf("reviewers were told %d times in two hours", n)
		}
		if n := len(f.trimmed); n != 13 || f.trimmed[1] != 10*time.Minute {
			t.Errorf("old things were forgotten %d times, at %v", n, f.trimmed)
		}
		if n := len(f.swept); n != 3 || f.swept[1] != time.Hour {
			t.Errorf("swept %d times, at %v", n, f.swept)
		}
		if n := len(f.asked); n != 3 || f.asked[1] != time.Hour {
			t.Errorf("domains were looked up %d times, at %v", n, f.asked)
		}
		if n := len(f.sent); n != 13 || f.sent[1] != 10*time.Minute {
			t.Errorf("reports were sent %d times, at %v", n, f.sent)
		}
		if n := len(f.kept); n != 121 {
			t.Errorf("what is kept no longer was looked for %d times", n)
		}
		if n := len(f.ended); n != 3 || f.ended[0] != 0 || f.ended[2] != 2*time.Hour {
			t.Errorf("recovered %d times, at %v", n, f.ended)
		}
	})
}

// A sweep that takes long holds up nothing.
func TestLongSweep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{began: time.Now(), takes: 90 * time.Minute}
		run(t, f, 2*time.Hour+time.Second)
		if len(f.expired) != 121 || len(f.swept) != 1 {
			t.Errorf("expired mailboxes were looked for %d times in two hours, and swept %d times", len(f.expired),
				len(f.swept))
		}
	})
}

func TestFailureIsNotTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{began: time.Now(), err: errors.New("disk on fire")}
		out := run(t, f, 90*time.Second)
		if len(f.expired) != 2 || strings.Count(out, "disk on fire") != 10 {
			t.Errorf("asked at %v, logged %s", f.expired, out)
		}
	})
}
