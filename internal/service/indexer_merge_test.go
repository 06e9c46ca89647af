package service_test

import (
	"fmt"
	"testing"
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
