package meaning

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// someVectors makes n vectors one after the other.
func someVectors(n, dims int, seed uint64) []byte {
	random := rand.New(rand.NewPCG(seed, 7))
	values := make([]float32, dims)
	var page []byte
	for range n {
		for i := range values {
			values[i] = float32(random.NormFloat64())
		}
		page = append(page, round(values)...)
	}
	return page
}

// A scan finds what a comparison with each vector finds, however the vectors are divided into pages.
func TestScan(t *testing.T) {
	for _, tt := range []struct {
		name             string
		count, dims, top int
		page             int
	}{
		{"one page", 500, Dims, 10, 500},
		{"many pages", 500, Dims, 10, 7},
		{"one by one", 100, Dims, 10, 1},
		{"all of them", 90, Dims, 200, 64},
		{"the best alone", 300, Dims, 1, 100},
		{"none wanted", 30, Dims, 0, 30},
		{"odd dimensions", 200, 99, 10, 50},
		{"few dimensions", 200, 3, 10, 50},
		{"as many dimensions as may be", 20, MaxDims, 5, 20},
	} {
		t.Run(tt.name, func(t *testing.T) {
			query, vectors, size := Vector(someVectors(1, tt.dims, 1)), someVectors(tt.count, tt.dims, 2), head+tt.dims
			var want []Hit
			s := NewScanner(query, tt.top)
			var ids []uint64
			for i := range tt.count {
				want = append(want, Hit{uint64(i), Cosine(query, vectors[i*size:][:size])})
				ids = append(ids, uint64(i))
			}
			for first := 0; first < tt.count; first += tt.page {
				last := min(first+tt.page, tt.count)
				if err := s.AddPage(ids[first:last], vectors[first*size:last*size]); err != nil {
					t.Fatal(err)
				}
			}
			slices.SortFunc(want, func(a, b Hit) int { return cmp.Or(cmp.Compare(b.Cosine, a.Cosine), cmp.Compare(b.ID, a.ID)) })
			compareHits(t, s.Hits(), want[:min(tt.top, len(want))])
			atOnce, err := Scan(query, vectors, tt.top)
			if err != nil {
				t.Fatal(err)
			}
			compareHits(t, atOnce, want[:min(tt.top, len(want))])
		})
	}
}

func compareHits(t *testing.T, got, want []Hit) {
	t.Helper()
	if !slices.EqualFunc(got, want, func(a, b Hit) bool { return a.ID == b.ID && math.Abs(float64(a.Cosine-b.Cosine)) < 1e-6 }) {
		t.Errorf("hits %v\nwant %v", got, want)
	}
}

func TestEqualsAreNewestFirst(t *testing.T) {
	v := Vector(someVectors(1, Dims, 1))
	s := NewScanner(v, 3)
	for _, id := range []uint64{4, 9, 2, 7, 5} {
		if err := s.Add(id, v); err != nil {
			t.Fatal(err)
		}
	}
	var ids []uint64
	for _, h := range s.Hits() {
		ids = append(ids, h.ID)
	}
	if !slices.Equal(ids, []uint64{9, 7, 5}) {
		t.Errorf("found %d", ids)
	}
}

// What is stored may be damaged, or of another model: it is refused or left out, never the reason for a crash.
func TestScanOfBytesThatAreNoVectors(t *testing.T) {
	good := Vector(someVectors(1, Dims, 1))
	damaged := slices.Clone(good)
	copy(damaged, []byte{0, 0, 0xc0, 0x7f}) // NaN
	for _, tt := range []struct {
		name    string
		query   Vector
		vectors []byte
		hits    int
		fails   bool
	}{
		{"nothing", good, nil, 0, false},
		{"a good one", good, good, 1, false},
		{"no length", good, damaged, 0, false},
		{"cut off", good, good[:100], 0, true},
		{"one and a half", good, append(slices.Clone(good), good[:100]...), 0, true},
		{"empty query", nil, good, 0, true},
		{"query without dimensions", make(Vector, head), make([]byte, 3*head), 0, false},
		{"damaged query", damaged, good, 0, false},
		{"query that is too long", make(Vector, head+MaxDims+1), make([]byte, head+MaxDims+1), 0, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			hits, err := Scan(tt.query, tt.vectors, 5)
			if len(hits) != tt.hits || (err != nil) != tt.fails {
				t.Errorf("hits %v, error %v", hits, err)
			}
		})
	}
}

func BenchmarkScan(b *testing.B) {
	const n = 10_000
	query, vectors := Vector(someVectors(1, Dims, 1)), someVectors(n, Dims, 2)
	b.ResetTimer()
	for b.Loop() {
		if hits, err := Scan(query, vectors, 50); err != nil || len(hits) != 50 {
			b.Fatal(err)
		}
	}
}
