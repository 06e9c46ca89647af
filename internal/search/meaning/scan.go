package meaning

import (
	"cmp"
	"slices"
)

// Hit is a mail that was found.
type Hit struct {
	ID    uint64
	Score float32 // 1 for what could not be nearer; of a scan the cosine
}

// better orders hits: the nearer first, and of equals the one with the higher number, which is the newer.
func (h Hit) better(than Hit) bool {
	return h.Score > than.Score || h.Score == than.Score && h.ID > than.ID
}

// scanner finds the mails nearest to a query by their vectors, every one of which it compares.
type scanner struct {
	query   factor
	size    int // bytes of a vector
	inverse float32
	keep    int
	kept    []Hit // a heap with the worst at its root
	sums    [8]int32
}

// newScanner begins a scan that keeps the nearest, keep of them at most. A query that is not valid finds nothing.
func newScanner(query Vector, keep int) *scanner {
	s := &scanner{size: len(query), keep: max(keep, 0)}
	if !query.Valid() {
		s.keep = 0
		return s
	}
	values := make([]int16, query.Dims())
	for i, b := range query[head:] {
		values[i] = int16(int8(b))
	}
	s.query, s.inverse = newFactor(values), query.inverse()
	return s
}

// add compares the vectors of one mail, which lie one after the other, at most eight of them, and takes the nearest. It
// tells whether the mail is among the nearest so far. Stored bytes may be damaged: a vector whose length cannot be is
// left out.
func (s *scanner) add(id uint64, vectors []byte) bool {
	if s.keep == 0 {
		return false
	}
	cosine, found := s.nearest(vectors)
	return found && s.keeps(Hit{ID: id, Score: cosine})
}

// nearest is the highest cosine of the vectors of one mail.
func (s *scanner) nearest(vectors []byte) (best float32, found bool) {
	n := min(len(vectors)/max(s.size, 1), len(s.sums))
	if n == 0 || len(s.query.wide) == 0 {
		return 0, false
	}
	dots(s.sums[:n], vectors[head:], s.size, s.query)
	for i, sum := range s.sums[:n] {
		if cosine, ok := s.cosine(vectors[i*s.size:], sum); ok && (!found || cosine > best) {
			best, found = cosine, true
		}
	}
	return best, found
}

// cosine is what the product of a vector with the query says.
func (s *scanner) cosine(v Vector, sum int32) (cosine float32, ok bool) {
	inverse := v.inverse()
	return float32(sum) * s.inverse * inverse, inverse >= 0 && inverse <= 1
}

// keeps takes a hit if it is among the nearest so far, and tells whether it is.
func (s *scanner) keeps(h Hit) bool {
	switch {
	case len(s.kept) < s.keep:
		s.kept = append(s.kept, h)
		s.rise(len(s.kept) - 1)
	case len(s.kept) > 0 && h.better(s.kept[0]):
		s.kept[0] = h
		s.sink()
	default:
		return false
	}
	return true
}

func (s *scanner) rise(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if !s.kept[parent].better(s.kept[i]) {
			return
		}
		s.kept[parent], s.kept[i] = s.kept[i], s.kept[parent]
		i = parent
	}
}

func (s *scanner) sink() {
	for i := 0; ; {
		worst := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(s.kept); child++ {
			if s.kept[worst].better(s.kept[child]) {
				worst = child
			}
		}
		if worst == i {
			return
		}
		s.kept[i], s.kept[worst] = s.kept[worst], s.kept[i]
		i = worst
	}
}

// hits returns the nearest, the best first.
func (s *scanner) hits() []Hit { return inOrder(slices.Clone(s.kept)) }

// inOrder sorts hits, the best first.
func inOrder(hits []Hit) []Hit {
	slices.SortFunc(hits, func(a, b Hit) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(b.ID, a.ID)) })
	return hits
}
