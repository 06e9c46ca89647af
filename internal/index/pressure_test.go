package index

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

func TestPressure(t *testing.T) {
	now := time.Unix(1_000_000_000, 0)
	var p Pressure
	come := func(n int, every time.Duration) {
		for range n {
			now = now.Add(every)
			p.arrived(now)
		}
	}
	want := func(name string, high bool) {
		t.Helper()
		if p.high(now) != high {
			t.Errorf("%s: %v", name, !high)
		}
	}
	want("nothing came", false)
	come(20, 0)
	want("a few at once", false)
	come(20, 0)
	want("more at once", true)
	now = now.Add(time.Second)
	want("a second later", false)
	come(100, time.Second/40)
	want("forty a second", false)
	come(100, time.Second/60)
	want("sixty a second", true)
	now = now.Add(time.Second)
	want("a second later", false)
}

// While much comes in searches run one at a time, with a pause between them; one that gives up does not get a slot.
func TestSearchesTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ix := &Index{opt: Options{Pressure: new(Pressure)}, searching: make(chan struct{}, 1)}
		for range 10 {
			if _, err := ix.searchSlot(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		for range len(ix.opt.Pressure.last) {
			ix.opt.Pressure.arrived(time.Now())
		}
		done, err := ix.searchSlot(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(20 * time.Millisecond)
		impatient, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		if _, err := ix.searchSlot(impatient); err == nil {
			t.Error("a second search has its turn")
		}
		ended := time.Now()
		done()
		done, err = ix.searchSlot(t.Context())
		if rested := time.Since(ended); err != nil || rested != 20*time.Millisecond {
			t.Errorf("the next has its turn after %v: %v", rested, err)
		}
		done()
		time.Sleep(time.Second)
		if len(ix.searching) != 0 {
			t.Error("the turn was not given back")
		}
	})
}
