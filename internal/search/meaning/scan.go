package meaning

import (
	"cmp"
	"fmt"
	"slices"
)

// Hit is a vector that a scan found.
type Hit struct {
	ID     uint64
	Cosine float32
}

// better orders hits: the nearer first, and of equals the one with the higher number, which is the newer.
func (h Hit) better(than Hit) bool {
	return h.Cosine > than.Cosine || h.Cosine == than.Cosine && h.ID > than.ID
}

// Scanner finds the vectors nearest to a query among those it is shown, every one of which it compares. It is for one
// goroutine.
type Scanner struct {
	query   factor
	size    int // bytes of a vector
	inverse float32
	keep    int
	kept    []Hit // a heap with the worst at its root
	sums    [64]int32
}

// NewScanner begins a scan that keeps the nearest, keep of them at most. A query that is not valid finds nothing.
func NewScanner(query Vector, keep int) *Scanner {
	s := &Scanner{size: len(query), keep: max(keep, 0)}
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

// Add compares one vector. It is an error if it has another size than the query.
func (s *Scanner) Add(id uint64, v Vector) error { return s.AddPage([]uint64{id}, v) }

// AddPage compares len(ids) vectors that lie one after the other in page. It is an error if they are not all of the size of
// the query.
func (s *Scanner) AddPage(ids []uint64, page []byte) error {
	if len(page) != len(ids)*s.size {
		return fmt.Errorf("scan a page: %d bytes are not %d vectors of %d", len(page), len(ids), s.size)
	}
	if s.keep == 0 {
		return nil
	}
	for len(ids) > 0 {
		sums := s.sums[:min(len(ids), len(s.sums))]
		dots(sums, page[head:], s.size, s.query)
		for i, sum := range sums {
			s.offer(ids[i], page[i*s.size:], sum)
		}
		ids, page = ids[len(sums):], page[len(sums)*s.size:]
	}
	return nil
}

// offer keeps a vector if it is among the nearest so far. Stored bytes may be damaged: a length that cannot be is left out.
func (s *Scanner) offer(id uint64, v Vector, sum int32) {
	inverse := v.inverse()
	if !(inverse >= 0 && inverse <= 1) {
		return
	}
	h := Hit{ID: id, Cosine: float32(sum) * s.inverse * inverse}
	switch {
	case len(s.kept) < s.keep:
		s.kept = append(s.kept, h)
		s.rise(len(s.kept) - 1)
	case h.better(s.kept[0]):
		s.kept[0] = h
		s.sink()
	}
}

func (s *Scanner) rise(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if !s.kept[parent].better(s.kept[i]) {
			return
		}
		s.kept[parent], s.kept[i] = s.kept[i], s.kept[parent]
		i = parent
	}
}

func (s *Scanner) sink() {
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

// Hits gives the nearest, the best first. The scan may go on afterwards.
func (s *Scanner) Hits() []Hit {
	hits := slices.Clone(s.kept)
	slices.SortFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Cosine, a.Cosine), cmp.Compare(b.ID, a.ID))
	})
	return hits
}

// Scan is a scan of vectors that lie one after the other; their numbers are their positions.
func Scan(query Vector, vectors []byte, keep int) ([]Hit, error) {
	s := NewScanner(query, keep)
	ids := make([]uint64, len(vectors)/max(s.size, 1))
	for i := range ids {
		ids[i] = uint64(i)
	}
	if err := s.AddPage(ids, vectors); err != nil {
		return nil, err
	}
	return s.Hits(), nil
}

// AddAll compares the vectors of one text, which lie one after the other. Each may be a hit.
func (s *Scanner) AddAll(id uint64, vectors []byte) error {
	for len(vectors) > 0 && s.size > 0 {
		n := min(len(vectors), s.size)
		if err := s.Add(id, vectors[:n]); err != nil {
			return err
		}
		vectors = vectors[n:]
	}
	return nil
}
