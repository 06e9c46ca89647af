package index

import (
	"math"
	"time"

	"github.com/mailkin/mailkin/internal/search"
)

// Ranking needs to know how old every hit is, within a little. Messages come one after the other, so the times of some
// hits say enough of those between them: a thousand rows need not be looked up, each in another place of the table. A
// time out of order, from when the clock was wrong, counts only where it is looked up. Where mail comes between two
// pages, hits that differ by less than a step may change places, as they also may because scores change with every mail
// and every moment.

// recencyStep is how much two hits may differ in recency for those between them not to be looked up: in a score, by a
// seven-hundredth.
const recencyStep = 1.0 / 100

// partsMost is into how many parts hits are cut that differ by more: at once, because every look may be a round trip to
// a database.
const partsMost = 8

// dates sets the times of hits that have none yet.
type dates struct {
	hits []hit // newest first
	now  time.Time
	look func(seqs []int64) (map[int64]time.Time, error) // of those that there are
}

// span is a run of hits of which the first and the last have their times.
type span struct{ first, last int }

// find looks up as few times as will do. false: one of the hits is gone.
func (d *dates) find() (bool, error) {
	spans, ask := []span{{0, len(d.hits) - 1}}, []int{0, len(d.hits) - 1}
	for len(spans) > 0 {
		if ok, err := d.lookUp(ask); !ok || err != nil {
			return false, err
		}
		var next []span
		ask = ask[:0]
		for _, s := range spans {
			differ := math.Abs(d.recency(s.first) - d.recency(s.last))
			if differ <= recencyStep {
				d.between(s)
				continue
			}
			for parts := min(int(differ/recencyStep)+1, partsMost); parts > 1 && s.last-s.first > 1; parts-- {
				middle := s.first + max((s.last-s.first)/parts, 1)
				ask = append(ask, middle)
				next = append(next, span{s.first, middle})
				s.first = middle
			}
			if s.last-s.first > 1 {
				next = append(next, s)
			}
		}
		spans = next
	}
	return true, nil
}

func (d *dates) recency(i int) float64 { return search.Recency(d.now.Sub(d.hits[i].at)) }

// lookUp finds the times of some. false: one of them is gone.
func (d *dates) lookUp(some []int) (bool, error) {
	var seqs []int64
	for _, i := range some {
		if d.hits[i].at.IsZero() {
			seqs = append(seqs, d.hits[i].seq)
		}
	}
	if len(seqs) == 0 {
		return true, nil
	}
	times, err := d.look(seqs)
	if err != nil {
		return false, err
	}
	for _, i := range some {
		h := &d.hits[i]
		if at, ok := times[h.seq]; ok {
			h.at = at
		}
		if h.at.IsZero() {
			return false, nil
		}
	}
	return true, nil
}

// between sets the times of those inside a span in proportion to their Seqs.
func (d *dates) between(s span) {
	first, last := d.hits[s.first], d.hits[s.last]
	for i := s.first + 1; i < s.last; i++ {
		h := &d.hits[i]
		if h.at.IsZero() {
			part := float64(first.seq-h.seq) / float64(first.seq-last.seq)
			h.at = first.at.Add(-time.Duration(part * float64(first.at.Sub(last.at))))
		}
	}
}
