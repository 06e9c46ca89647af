package meaning

import (
	"slices"
	"testing"
)

func TestMerge(t *testing.T) {
	for _, tt := range []struct {
		name  string
		near  []Hit
		words []Match
		want  []uint64
	}{
		{"nothing", nil, nil, nil},
		{"no words", []Hit{{3, .9}, {1, .5}}, nil, []uint64{3, 1}},
		{"words alone", nil, []Match{{7, 1}, {8, 1}}, []uint64{7, 8}},
		{"in both", []Hit{{1, .9}, {2, .8}}, []Match{{2, 1}, {3, 1}}, []uint64{2, 1, 3}},
		{"all words against the nearest: the newer", []Hit{{1, .9}}, []Match{{2, 1}}, []uint64{2, 1}},
		{"a few words hardly count", []Hit{{1, .9}, {2, .8}, {3, .7}}, []Match{{9, .2}, {3, .2}}, []uint64{1, 2, 3, 9}},
		{"shares that cannot be", []Hit{{1, .9}}, []Match{{2, -5}, {3, 90}}, []uint64{1, 3, 2}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []uint64
			for _, m := range Merge(tt.near, tt.words) {
				got = append(got, m.ID)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("merged %d, want %d", got, tt.want)
			}
		})
	}
	if first := Merge([]Hit{{1, .9}}, []Match{{1, 1}})[0]; first.Score != 1 {
		t.Errorf("the first of both has %v", first.Score)
	}
}
