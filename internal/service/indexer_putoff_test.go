package service

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// busy makes a service that is given more mail than it can take, for as long as the time that is asked about is not far from now.
func busy(now time.Time) *Service {
	s := &Service{opt: Options{Alone: true}, cores: 2}
	for range s.pressure.last {
		s.pressure.arrived(now)
	}
	s.pressure.crowd.Store(3 * crowdUnit)
	return s
}

// What waits is left alone while too much comes in, and not a moment longer than anybody has use for it.
func TestIndexPutOff(t *testing.T) {
	now := time.Now()
	for _, tc := range []struct {
		name   string
		change func(s *Service, x *indexer)
		want   bool
	}{
		{"much comes in", func(*Service, *indexer) {}, true},
		{"no more than others do at once", func(s *Service, _ *indexer) { s.pressure.crowd.Store(2 * crowdUnit) }, false},
		{"more processors", func(s *Service, _ *indexer) { s.cores = 4 }, false},
		{"it is over", func(s *Service, _ *indexer) { s.pressure = pressure{}; s.pressure.crowd.Store(9 * crowdUnit) }, false},
		{"long enough", func(_ *Service, x *indexer) { x.began = now.Add(-putOffMost) }, false},
		{"another node may search", func(s *Service, _ *indexer) { s.opt.Alone = false }, false},
		{"somebody searches", func(s *Service, _ *indexer) { s.backlog.ask(now.Add(-askedTime)) }, false},
		{"somebody searched long ago", func(s *Service, _ *indexer) { s.backlog.ask(now.Add(-askedTime - 1)) }, true},
		{"a mailbox has too many", func(s *Service, _ *indexer) {
			for range backlogMost {
				s.backlog.came(7)
			}
		}, false},
		{"nearly", func(s *Service, _ *indexer) {
			for range backlogMost - 1 {
				s.backlog.came(7)
				s.backlog.came(8)
			}
		}, true},
		{"it had, and they were found", func(s *Service, _ *indexer) {
			for range backlogMost {
				s.backlog.came(7)
			}
			s.backlog.looked()
			s.backlog.came(7)
		}, true},
		{"too many mailboxes", func(s *Service, _ *indexer) {
			for n := range backlogBoxes + 1 {
				s.backlog.came(mailbox.Num(n))
			}
		}, false},
	} {
		s := busy(now)
		x := &indexer{s: s, began: now.Add(-time.Second)}
		tc.change(s, x)
		if got := x.putsOff(now); got != tc.want {
			t.Errorf("%s: put off: %v", tc.name, got)
		}
	}
}

// Whoever searches has the indexer begin at once, and otherwise it begins when it has waited for long.
func TestIndexGather(t *testing.T) {
	for _, tc := range []struct {
		search, want time.Duration
	}{{0, putOffMost}, {2 * time.Second, 2 * time.Second}} {
		synctest.Test(t, func(t *testing.T) {
			s := busy(time.Now().Add(time.Hour)) // mail keeps coming
			began := time.Now()
			x := &indexer{s: s, began: began}
			if tc.search > 0 {
				time.AfterFunc(tc.search, func() { s.backlog.ask(time.Now()) })
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
	var p pressure
	for range 2000 {
		for range 4 {
			p.enter()
		}
		for range 4 {
			p.leave()
		}
	}
	if got := float64(p.crowd.Load()) / crowdUnit; got < 1.4 || got > 1.6 {
		t.Errorf("of groups of four %.2f others were under way", got)
	}
	if p.under.Load() != 0 {
		t.Errorf("%d are under way", p.under.Load())
	}
}
