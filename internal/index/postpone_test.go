package index

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// busy makes a service that is given more mail than it can take, for as long as the time that is asked about is not far
// from now.
func busy(now time.Time) *Index {
	ix := &Index{opt: Options{Alone: true, Pressure: new(Pressure)}, cores: 2}
	for range ix.opt.Pressure.last {
		ix.opt.Pressure.arrived(now)
	}
	ix.opt.Pressure.others.Store(3 * othersUnit)
	return ix
}

// What waits is left alone while too much comes in, and not a moment longer than anybody has use for it.
func TestIndexPutOff(t *testing.T) {
	now := time.Now()
	for _, tc := range []struct {
		name   string
		change func(ix *Index, x *indexer)
		want   bool
	}{
		{"much comes in", func(*Index, *indexer) {}, true},
		{"no more than others do at once", func(ix *Index, _ *indexer) { ix.opt.Pressure.others.Store(2 * othersUnit) },
			false},
		{"more processors", func(ix *Index, _ *indexer) { ix.cores = 4 }, false},
		{"it is over", func(ix *Index, _ *indexer) {
			ix.opt.Pressure = new(Pressure)
			ix.opt.Pressure.others.Store(9 * othersUnit)
		}, false},
		{"long enough", func(_ *Index, x *indexer) { x.began = now.Add(-putOffMost) }, false},
		{"another node may search", func(ix *Index, _ *indexer) { ix.opt.Alone = false }, false},
		{"somebody searches", func(ix *Index, _ *indexer) { ix.backlog.ask(now.Add(-askedTime)) }, false},
		{"somebody searched long ago", func(ix *Index, _ *indexer) { ix.backlog.ask(now.Add(-askedTime - 1)) }, true},
		{"a mailbox has too many", func(ix *Index, _ *indexer) {
			for range backlogMost {
				ix.Came(7)
			}
		}, false},
		{"nearly", func(ix *Index, _ *indexer) {
			for range backlogMost - 1 {
				ix.Came(7)
				ix.Came(8)
			}
		}, true},
		{"it had, and they were found", func(ix *Index, _ *indexer) {
			for range backlogMost {
				ix.Came(7)
			}
			ix.backlog.looked()
			ix.Came(7)
		}, true},
		{"on demand", func(ix *Index, _ *indexer) {
			ix.opt.OnDemand, ix.opt.Pressure = true, new(Pressure)
			for range backlogMost {
				ix.Came(7)
			}
		}, true},
		{"on demand, and somebody searches", func(ix *Index, _ *indexer) {
			ix.opt.OnDemand, ix.opt.Pressure = true, new(Pressure)
			ix.backlog.ask(now)
		}, false},
		{"on demand, and a mailbox has too many", func(ix *Index, _ *indexer) {
			ix.opt.OnDemand, ix.opt.Pressure = true, new(Pressure)
			for range demandMost {
				ix.Came(7)
			}
		}, false},
		{"too many mailboxes", func(ix *Index, _ *indexer) {
			for n := range backlogBoxes + 1 {
				ix.Came(mailbox.Num(n))
			}
		}, false},
	} {
		ix := busy(now)
		x := &indexer{ix: ix, began: now.Add(-time.Second)}
		tc.change(ix, x)
		if got := x.putsOff(now); got != tc.want {
			t.Errorf("%s: put off: %v", tc.name, got)
		}
	}
}

// Anyone who searches has the indexer begin at once, and otherwise it begins when it has waited for long.
func TestIndexGather(t *testing.T) {
	for _, tc := range []struct {
		search, want time.Duration
	}{{0, putOffMost}, {2 * time.Second, 2 * time.Second}} {
		synctest.Test(t, func(t *testing.T) {
			ix := busy(time.Now().Add(time.Hour)) // mail keeps coming
			began := time.Now()
			x := &indexer{ix: ix, began: began}
			if tc.search > 0 {
				time.AfterFunc(tc.search, func() { ix.backlog.ask(time.Now()) })
			}
			x.gather(context.Background())
			if took := time.Since(began); took < tc.want || took > tc.want+putOffStep+indexPause {
				t.Errorf("with a search after %v it began after %v", tc.search, took)
			}
		})
	}
}

// How many updates are under way is an average: a group that ends together is not a crowd.
func TestCrowd(t *testing.T) {
	var p Pressure
	for range 2000 {
		for range 4 {
			p.Enter()
		}
		for range 4 {
			p.Leave()
		}
	}
	if got := float64(p.others.Load()) / othersUnit; got < 1.4 || got > 1.6 {
		t.Errorf("of groups of four %.2f others were under way", got)
	}
	if p.under.Load() != 0 {
		t.Errorf("%d are under way", p.under.Load())
	}
}
