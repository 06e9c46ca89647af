package segment

import (
	"slices"
	"testing"
)

func TestHolds(t *testing.T) {
	docs := map[int64][]Token{}
	for seq := int64(10); seq < 100_000; seq += 10 { // many blocks of documents
		docs[seq] = text(0, "word")
	}
	s := build(t, ID{1, 1}, docs)
	for _, c := range []struct{ ask, want []int64 }{
		{nil, nil},
		{[]int64{5, 10, 11, 99_990, 99_991, 50_000, 49_999}, []int64{99_990, 50_000, 10}},
		{[]int64{1, 2, 100_001}, nil},
		{[]int64{10, 20, 30}, []int64{30, 20, 10}},
	} {
		got, err := s.Holds(t.Context(), c.ask)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("of %v: %v, %v; want %v", c.ask, got, err, c.want)
		}
	}
}
