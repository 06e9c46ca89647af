package background_test

import (
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/background"
)

func TestWorker(t *testing.T) {
	var out strings.Builder
	all := background.New(slog.New(slog.NewTextHandler(&out, nil)))
	w := all.Worker("index")
	var last time.Duration
	for i := range 20 {
		wait := w.NoProgress("mailbox", 7)
		if wait < last || wait > time.Minute || i == 3 && wait <= 2*last-1 {
			t.Fatalf("waits %v after %v", wait, last)
		}
		last = wait
	}
	if last != time.Minute || strings.Count(out.String(), "mailbox=7") != 1 {
		t.Errorf("waits %v at last, and logs %s", last, &out)
	}
	w.Progress()
	if wait := w.NoProgress(); wait > time.Second {
		t.Errorf("waits %v after progress", wait)
	}
	if n := all.NoProgress()["index"]; n != 21 {
		t.Errorf("counts %d", n)
	}
}

func TestFound(t *testing.T) {
	var w background.Worker
	for _, place := range []int{1, 2, 3, 4} {
		if wait := w.Found(place); wait != 0 {
			t.Errorf("place %d waits %v", place, wait)
		}
	}
	for range 2 {
		if w.Found(4) == 0 {
			t.Error("the same work again is progress")
		}
	}
	if w.Total() != 2 {
		t.Errorf("%d rounds without progress were counted, want 2", w.Total())
	}
	w.Failed("work", errors.New("no"))
	if w.Found(4) != 0 || w.Total() != 3 {
		t.Error("the same work after a failure is none")
	}
	w.Progress()
	if w.Found(4) != 0 {
		t.Error("there was nothing to do, and then the same work")
	}
}

func TestFailuresAreLoggedOnce(t *testing.T) {
	var out strings.Builder
	w := background.New(slog.New(slog.NewTextHandler(&out, nil))).Worker("index")
	for range 5 {
		w.Failed("write", errors.New("disk on fire"))
	}
	w.Progress()
	w.Failed("write", errors.New("disk on fire"))
	if n := strings.Count(out.String(), "disk on fire"); n != 2 || !strings.Contains(out.String(), "goes on") {
		t.Errorf("logged %s", &out)
	}
}
