package service_test

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/background"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// While mail keeps coming in, segments are merged when a mailbox has got many, and not before.
func TestMergeWhileBusy(t *testing.T) {
	k := newService(t, withIndex(t))
	b, other := k.permanent("robin"), k.permanent("kim")
	x := k.svc.NewIndexer()
	count := func(b box) int {
		t.Helper()
		list, err := k.opt.Index.Segments(t.Context(), b.Num)
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	for i := range 40 {
		k.receive(plainMail("x@y.test", fmt.Sprint("number ", i), "common text"), b.Address)
		if i < 10 {
			k.receive(plainMail("x@y.test", fmt.Sprint("number ", i), "common text"), other.Address)
		}
		if err := x.BusyRound(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := count(b); n > 32 || i == 30 && n != 31 {
			t.Fatalf("%d segments after %d rounds", n, i+1)
		}
	}
	if n := count(other); n != 10 {
		t.Errorf("one that has few has %d", n)
	}
	if got := b.find("common"); len(got) != 40 {
		t.Errorf("%d found", len(got))
	}
}

// A message that was deleted before it was indexed is in no segment, but may lie between those of one. That is no reason to
// write the segment again, neither now nor when it is merged, swept, or found by another start.
func TestDroppedInNoSegment(t *testing.T) {
	workers := background.New(slog.Default())
	k := newService(t, withIndex(t), func(o *service.Options) { o.Workers = workers })
	b := k.permanent("robin")
	x := k.svc.NewIndexer()
	mail := func(n int) mailbox.ID {
		return k.receive(plainMail("x@y.test", fmt.Sprint("number ", n), "common text"), b.Address)[0].ID
	}
	catch := func() {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		if err := x.Catch(ctx); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 40 {
		mail(2 * i)
		gone := mail(2*i + 1)
		if err := k.svc.DeleteMessage(t.Context(), b.change(), gone); err != nil {
			t.Fatal(err)
		}
		if i%3 == 0 { // the number lies between two segments, and in one when they are merged
			catch()
		}
	}
	mail(100)
	catch()
	if got := b.find("common"); len(got) != 41 {
		t.Errorf("%d found", len(got))
	}
	if n := workers.NoProgress()["index_merge"]; n != 0 {
		t.Errorf("%d merges without progress", n)
	}
}
