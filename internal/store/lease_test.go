package store_test

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mailkin/mailkin/internal/store"
)

// leases are those of one thing, by the clock of the test.
type leases struct {
	store.Sharer
	mu     sync.Mutex
	holder string
	until  time.Time
	fence  int64
	away   bool
	given  int
}

func (l *leases) Lease(_ context.Context, _, holder string, ttl time.Duration) (int64, bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.away:
		return 0, false, store.ErrUnavailable
	case l.holder != holder && time.Now().Before(l.until):
		return 0, false, nil
	case l.holder != holder:
		l.holder = holder
		l.fence++
	}
	l.until = time.Now().Add(ttl)
	return l.fence, true, nil
}

func (l *leases) Unlease(_ context.Context, _, holder string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.holder == holder {
		l.holder, l.until = "", time.Time{}
		l.given++
	}
	return nil
}

func (l *leases) set(fn func(l *leases)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	fn(l)
}

const ttl = 30 * time.Second

// turns runs a node, and returns the fence of each of its turns, and why it ended.
func turns(t *testing.T, l *leases) (began chan int64, ended chan error, stop func() error) {
	began, ended = make(chan int64, 10), make(chan error, 10)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		turn := store.Turn{Leaser: l, What: "index", Holder: "me", TTL: ttl, Log: slog.New(slog.DiscardHandler)}
		done <- turn.Run(ctx, func(ctx context.Context, fence int64) error {
			began <- fence
			<-ctx.Done()
			ended <- context.Cause(ctx)
			return nil
		})
	}()
	return began, ended, func() error { cancel(); return <-done }
}

func TestTurn(t *testing.T) {
	for _, c := range []struct {
		name string
		run  func(t *testing.T, l *leases, began chan int64, ended chan error)
	}{
		{"it goes on while it is renewed", func(t *testing.T, l *leases, began chan int64, ended chan error) {
			<-began
			time.Sleep(time.Hour)
			if synctest.Wait(); len(ended) > 0 || len(began) > 0 || l.holder != "me" {
				t.Errorf("it ended: %v", l.holder)
			}
		}},
		{"another has it, and dies", func(t *testing.T, l *leases, began chan int64, _ chan error) {
			<-began
			l.set(func(l *leases) { l.holder, l.fence, l.until = "other", 7, time.Now().Add(time.Minute) })
			start := time.Now()
			if fence := <-began; fence != 8 || time.Since(start) > time.Minute+ttl/3 {
				t.Errorf("fence %d after %v", fence, time.Since(start))
			}
		}},
		{"another takes it", func(t *testing.T, l *leases, began chan int64, ended chan error) {
			<-began
			l.set(func(l *leases) { l.holder, l.fence, l.until = "other", 7, time.Now().Add(time.Hour) })
			start := time.Now()
			if err := <-ended; !errors.Is(err, store.ErrFenced) || time.Since(start) > ttl/3 {
				t.Errorf("%v after %v", err, time.Since(start))
			}
			if synctest.Wait(); l.holder != "other" {
				t.Error("another's lease was given back")
			}
		}},
		{"another had it in between", func(t *testing.T, l *leases, began chan int64, ended chan error) {
			<-began
			l.set(func(l *leases) { l.fence = 7 })
			if err := <-ended; !errors.Is(err, store.ErrFenced) {
				t.Error(err)
			}
			if fence := <-began; fence != 8 {
				t.Errorf("fence %d", fence)
			}
		}},
		{"the store is away for a moment", func(t *testing.T, l *leases, began chan int64, ended chan error) {
			<-began
			l.set(func(l *leases) { l.away = true })
			time.Sleep(ttl/3 + time.Second)
			l.set(func(l *leases) { l.away = false })
			time.Sleep(time.Hour)
			if synctest.Wait(); len(ended) > 0 {
				t.Error("it ended")
			}
		}},
		{"the store is away", func(t *testing.T, l *leases, began chan int64, ended chan error) {
			<-began
			l.set(func(l *leases) { l.away = true })
			start := time.Now()
			if err := <-ended; !errors.Is(err, store.ErrFenced) || time.Since(start) >= ttl {
				t.Errorf("%v after %v: another may have it", err, time.Since(start))
			}
			time.Sleep(time.Hour)
			l.set(func(l *leases) { l.away = false })
			<-began
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := &leases{}
				began, ended, stop := turns(t, l)
				c.run(t, l, began, ended)
				_ = stop()
				if l.holder == "me" {
					t.Error("it was not given back")
				}
			})
		})
	}
}

// Work that is done, or fails, is the end; and so it is where there is nobody to take turns with.
func TestTurnEnds(t *testing.T) {
	broken := errors.New("broken")
	for _, want := range []error{nil, broken} {
		l := &leases{}
		turn := store.Turn{Leaser: l, Holder: "me", TTL: ttl, Log: slog.New(slog.DiscardHandler)}
		if err := turn.Run(t.Context(), func(context.Context, int64) error { return want }); !errors.Is(err, want) ||
			l.given != 1 {
			t.Errorf("%v, given back %d times", err, l.given)
		}
		fence := int64(-1)
		if err := (store.Turn{}).Run(t.Context(), func(_ context.Context,
			f int64) error {
			fence = f
			return want
		}); !errors.Is(err, want) || fence != 0 {
			t.Errorf("alone: fence %d, %v", fence, err)
		}
	}
}
