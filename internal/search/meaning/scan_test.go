package meaning

import (
	"bytes"
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

// scanned compares a query with vectors that lie one after the other; their numbers are their places.
func scanned(query Vector, vectors []byte, keep int) []Hit {
	s := newScanner(query, keep)
	for i := 0; s.size > 0 && (i+1)*s.size <= len(vectors); i++ {
		s.add(uint64(i), vectors[i*s.size:][:s.size])
	}
	return s.hits()
}

// A scan finds what a comparison with each vector finds.
func TestScan(t *testing.T) {
	for _, tt := range []struct {
		name             string
		count, dims, top int
	}{
		{"the best of many", 500, Dims, 10},
		{"all of them", 90, Dims, 200},
		{"the best alone", 300, Dims, 1},
		{"none wanted", 30, Dims, 0},
		{"odd dimensions", 200, 99, 10},
		{"few dimensions", 200, 3, 10},
		{"as many dimensions as may be", 20, MaxDims, 5},
	} {
		t.Run(tt.name, func(t *testing.T) {
			query, vectors, size := Vector(someVectors(1, tt.dims, 1)), someVectors(tt.count, tt.dims, 2), head+tt.dims
			var want []Hit
			for i := range tt.count {
				want = append(want, Hit{uint64(i), cosineOf(query, vectors[i*size:][:size])})
			}
			slices.SortFunc(want, func(a, b Hit) int {
				return cmp.Or(cmp.Compare(b.Score, a.Score),
					cmp.Compare(b.ID, a.ID))
			})
			compareHits(t, scanned(query, vectors, tt.top), want[:min(tt.top, len(want))])
		})
	}
}

func compareHits(t *testing.T, got, want []Hit) {
	t.Helper()
	if !slices.EqualFunc(got, want, func(a, b Hit) bool {
		return a.ID == b.ID &&
			math.Abs(float64(a.Score-b.Score)) < 1e-6
	}) {
		t.Errorf("hits %v\nwant %v", got, want)
	}
}

func TestEqualsAreNewestFirst(t *testing.T) {
	v := Vector(someVectors(1, Dims, 1))
	s := newScanner(v, 3)
	for _, id := range []uint64{4, 9, 2, 7, 5} {
		s.add(id, v)
	}
	var ids []uint64
	for _, h := range s.hits() {
		ids = append(ids, h.ID)
	}
	if !slices.Equal(ids, []uint64{9, 7, 5}) {
		t.Errorf("found %d", ids)
	}
}

// What is stored may be damaged, or of another model: it is left out, never the reason for a crash.
func TestFinderOfBytesThatAreNoVectors(t *testing.T) {
	good := Vector(someVectors(1, Dims, 1))
	damaged := slices.Clone(good)
	copy(damaged, []byte{0, 0, 0xc0, 0x7f}) // NaN
	for _, tt := range []struct {
		name   string
		query  Vector
		record []byte
		hits   int
		ok     bool
	}{
		{"nothing", good, nil, 0, false},
		{"a good one", good, good, 1, true},
		{"no length", good, damaged, 0, true},
		{"one of two has no length", good, slices.Concat(damaged, good), 1, true},
		{"cut off", good, good[:100], 0, false},
		{"one and a half", good, append(slices.Clone(good), good[:100]...), 0, false},
		{"more vectors than a mail has", good, bytes.Repeat(good, 99), 1, true},
		{"no marks", good, append(slices.Clone(good), 0), 1, true},
		{"marks that are not there", good, append(slices.Clone(good), 3), 0, false},
		{"more marks than a mail has", good, append(append(slices.Clone(good), make([]byte, 99*markSize)...), 99), 0,
			false},
		{"empty query", nil, good, 0, false},
		{"query without dimensions", make(Vector, head), make([]byte, 3*head), 0, true},
		{"damaged query", damaged, good, 0, true},
		{"query that is too long", make(Vector, head+MaxDims+1), make([]byte, head+MaxDims+1), 0, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			find := Query{Vector: tt.query}.Find(5)
			ok := find.Add(1, tt.record)
			if hits := find.Hits(-1); len(hits) != tt.hits || ok != tt.ok {
				t.Errorf("hits %v, %t", hits, ok)
			}
		})
	}
}

func BenchmarkScan(b *testing.B) {
	const n = 10_000
	query, vectors := Vector(someVectors(1, Dims, 1)), someVectors(n, Dims, 2)
	for b.Loop() {
		if hits := scanned(query, vectors, 50); len(hits) != 50 {
			b.Fatal("hits are missing")
		}
	}
}
