package index_test

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
	x := k.svc.Index().NewIndexer()
	count := func(b box) int {
		t.Helper()
		list, err := k.Options.Index.Segments(t.Context(), b.Num)
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	for i := range 40 {
		k.receive(plainMail("x@y.test", fmt.Sprint("number ", i), "common text"), b.Address)
		if i < 5 {
			k.receive(plainMail("x@y.test", fmt.Sprint("number ", i), "common text"), other.Address)
		}
		if err := x.BusyRound(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := count(b); n > 23 || i == 22 && n != 23 || i == 23 && n != 1 {
			t.Fatalf("%d segments after %d rounds", n, i+1)
		}
	}
	if n := count(other); n != 5 {
		t.Errorf("one that has few has %d", n)
	}
	if got := b.find("common"); len(got) != 40 {
		t.Errorf("%d found", len(got))
	}
}

// A message that was deleted before it was indexed is in no segment, but may lie between those of one. That is no
// reason to write the segment again, neither now nor when it is merged, swept, or found by another start.
func TestDroppedInNoSegment(t *testing.T) {
	workers := background.New(slog.Default())
	k := newService(t, withIndex(t), func(o *service.Options) { o.Workers = workers })
	b := k.permanent("robin")
	x := k.svc.Index().NewIndexer()
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

// While mail keeps coming in, what was deleted is taken out of the segments when it is much.
func TestDeletedWhileBusy(t *testing.T) {
	k := newService(t, withIndex(t))
	b := k.permanent("robin")
	x := k.svc.Index().NewIndexer()
	var ids []mailbox.ID
	for i := range 60 {
		ids = append(ids, k.receive(plainMail("x@y.test", fmt.Sprint("number ", i), "common text"), b.Address)[0].ID)
		if i%20 == 19 {
			k.works("round", x.BusyRound(t.Context()))
		}
	}
	for _, id := range ids[:35] { // one segment, and most of the next
		k.works("delete", k.svc.DeleteMessage(t.Context(), b.change(), id))
	}
	k.works("round", x.BusyRound(t.Context()))
	list, err := k.Options.Index.Segments(t.Context(), b.Num)
	k.works("segments", err)
	docs := 0
	for _, sg := range list {
		docs += sg.Docs
	}
	dropped, err := k.Options.Index.Dropped(t.Context(), b.Num)
	k.works("dropped", err)
	if docs != 25 || len(list) != 2 || len(dropped) != 0 {
		t.Errorf("%d messages in %d segments, %d dropped", docs, len(list), len(dropped))
	}
	if got := b.find("common"); len(got) != 25 {
		t.Errorf("%d found", len(got))
	}
}

// Mail that goes in the order in which it came is taken out of the index without writing anything again: its segments
// die whole.
func TestOldestDeletedWhileBusy(t *testing.T) {
	hooked := &betweenIndex{}
	k := newService(t, withIndex(t), func(o *service.Options) { hooked.Index, o.Index = o.Index, hooked })
	b := k.permanent("robin")
	x := k.svc.Index().NewIndexer()
	var ids []mailbox.ID
	for i := range 100 {
		ids = append(ids, k.receive(plainMail("x@y.test", fmt.Sprint("number ", i), "common text"), b.Address)[0].ID)
		if i%20 == 19 {
			k.works("round", x.BusyRound(t.Context()))
		}
	}
	hooked.written = 0
	for i, id := range ids[:64] {
		k.works("delete", k.svc.DeleteMessage(t.Context(), b.change(), id))
		if i%8 == 7 {
			k.works("round", x.BusyRound(t.Context()))
		}
	}
	k.works("round", x.BusyRound(t.Context()))
	list, err := k.Options.Index.Segments(t.Context(), b.Num)
	k.works("segments", err)
	k.same("segments that are left", len(list), 2)
	k.same("segments that were written", hooked.written, 0)
	k.same("found", len(b.find("common")), 36)
}
