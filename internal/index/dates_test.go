package index

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/search"
)

// Of a thousand hits few times are looked up, however they lie, and the others are right within a little.
func TestDates(t *testing.T) {
	const day = 24 * time.Hour
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		name string
		age  func(i int) time.Duration // of the i-th newest of a thousand
		most int
	}{
		{"all at once", func(int) time.Duration { return day }, 2},
		{"within an hour", func(i int) time.Duration { return time.Duration(i) * 3 * time.Second }, 2},
		{"a month", func(i int) time.Duration { return time.Duration(i) * 43 * time.Minute }, 70},
		{"three years", func(i int) time.Duration { return time.Duration(i) * 26 * time.Hour }, 110},
		{"long ago", func(i int) time.Duration { return 2000*day + time.Duration(i)*day }, 2},
		{"two bursts", func(i int) time.Duration { return time.Duration(i/500) * 60 * day }, 24},
		{"one is older", func(i int) time.Duration { return time.Duration(i/999) * 60 * day }, 24},
		{"by chance", func() func(int) time.Duration {
			var ages []time.Duration
			for range 1000 {
				ages = append(ages, time.Duration(rnd.ExpFloat64()*float64(100*day)))
			}
			slices.Sort(ages)
			return func(i int) time.Duration { return ages[i] }
		}(), 170},
	} {
		t.Run(c.name, func(t *testing.T) {
			hits, at := make([]hit, 1000), make(map[int64]time.Time)
			for i := range hits {
				hits[i].seq = int64(5000 - 3*i)
				at[hits[i].seq] = now.Add(-c.age(i))
			}
			looked, rounds := 0, 0
			d := dates{hits, now, func(seqs []int64) (map[int64]time.Time, error) {
				looked, rounds = looked+len(seqs), rounds+1
				return at, nil
			}}
			if ok, err := d.find(); !ok || err != nil {
				t.Fatal(ok, err)
			}
			for i, h := range hits {
				if wrong := math.Abs(search.Recency(now.Sub(h.at)) - search.Recency(c.age(i))); wrong > recencyStep {
					t.Fatalf("the %d-th is of %v, and is said to be of %v", i, c.age(i), now.Sub(h.at))
				}
				if i > 0 && h.at.After(hits[i-1].at) {
					t.Fatalf("the %d-th is said to be newer than the one before", i)
				}
			}
			if looked > c.most || rounds > 6 {
				t.Errorf("%d were looked up in %d rounds, want at most %d", looked, rounds, c.most)
			}
		})
	}
}

// What has its time keeps it, and one that is gone is noticed if it is looked up.
func TestDatesOfSome(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	asked, failed := 0, errors.New("no disk")
	for _, c := range []struct {
		name  string
		hits  []hit
		times map[int64]time.Time
		err   error
		ok    bool
		asked int
	}{
		{"one", []hit{{seq: 7}}, map[int64]time.Time{7: now}, nil, true, 1},
		{"one that has it", []hit{{seq: 7, at: now}}, nil, nil, true, 0},
		{"one that is gone", []hit{{seq: 7}}, nil, nil, false, 1},
		{"the last is gone", []hit{{seq: 7, at: now}, {seq: 6}, {seq: 5}}, map[int64]time.Time{6: now}, nil, false, 1},
		{"between two that have it", []hit{{seq: 7, at: now}, {seq: 6}, {seq: 5, at: now}}, nil, nil, true, 0},
		{"it cannot be looked up", []hit{{seq: 7}}, nil, failed, false, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			asked = 0
			d := dates{c.hits, now, func([]int64) (map[int64]time.Time, error) { asked++; return c.times, c.err }}
			ok, err := d.find()
			if ok != c.ok || !errors.Is(err, c.err) || asked != c.asked {
				t.Fatalf("%v, %v, asked %d times", ok, err, asked)
			}
			for _, h := range c.hits {
				if ok && !h.at.Equal(now) {
					t.Errorf("%d is said to be of %v", h.seq, h.at)
				}
			}
		})
	}
}
