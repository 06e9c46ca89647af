package segment

import (
	"errors"
	"runtime"
	"slices"
	"testing"
)

func TestMerge(t *testing.T) {
	old := build(t, ID{1, 1}, map[int64][]Token{1: text(0, "first"), 2: text(0, "second", "stale"),
		5: text(0, "fifth")})
	late := build(t, ID{1, 2}, map[int64][]Token{2: text(0, "second", "fresh"), 4: text(0, "fourth", "word")})
	for _, c := range []struct {
		name    string
		from    []kept
		dropped func(int64) bool
		want    map[string][]int64
	}{
		{"in order", []kept{old, late}, nil, map[string][]int64{"first": {1}, "second": {2}, "fresh": {2}, "stale": nil,
			"word": {4}}},
		{"the other way round", []kept{late, old}, nil, map[string][]int64{"second": {2}, "fresh": {2}, "stale": nil,
			"fifth": {5}}},
		{"dropped", []kept{old, late}, func(seq int64) bool { return seq%2 == 0 },
			map[string][]int64{"first": {1}, "second": nil, "fresh": nil, "stale": nil, "word": nil, "fifth": {5}}},
		{"one alone", []kept{old}, func(seq int64) bool { return seq == 2 }, map[string][]int64{"first": {1},
			"stale": nil}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := merge(t, ID{1, 3}, c.from, c.dropped)
			for term, want := range c.want {
				if got := search(t, []kept{s}, Word(0, term), Options{}); !slices.Equal(got, want) {
					t.Errorf("%s: %v, want %v", term, got, want)
				}
				if p, err := s.Term(t.Context(), term); err != nil || (p != nil) != (want != nil) {
					t.Errorf("%s is in the dictionary: %v, %v", term, p != nil, err)
				}
			}
		})
	}
	if s := merge(t, ID{1, 3}, []kept{old, late}, func(int64) bool { return true }); s.meta != (Meta{}) {
		t.Errorf("all dropped: %+v", s.meta)
	}
	other := build(t, ID{2, 1}, map[int64][]Token{9: text(0, "theirs")})
	if _, err := Merge(t.Context(), newRows(), ID{1, 3}, readers([]kept{old, other}), nil); !errors.Is(err, ErrQuery) {
		t.Errorf("another mailbox: %v", err)
	}
	if _, err := Merge(t.Context(), newRows(), ID{1, 3}, readers(slices.Repeat([]kept{old}, MaxMerge+1)),
		nil); !errors.Is(err, ErrTooLarge) {
		t.Errorf("too many: %v", err)
	}
}

// TestMergeIsTheSame: whatever way documents come together, the bytes are those of one build.
func TestMergeIsTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	words := newMailWords(4, 2000)
	all := map[int64][]Token{}
	var parts []kept
	for i := range int64(6) {
		part := map[int64][]Token{}
		for j := range int64(200) {
			part[1+j*6+i] = words.mail(nil, 100)
			all[1+j*6+i] = part[1+j*6+i]
		}
		parts = append(parts, build(t, ID{1, i + 1}, part))
	}
	want := build(t, ID{1, 99}, all)
	left := merge(t, ID{1, 7}, parts[:2], nil)
	right := merge(t, ID{1, 8}, parts[2:], nil)
	got := merge(t, ID{1, 99}, []kept{right, left}, nil)
	if got.meta != want.meta {
		t.Fatalf("%+v, want %+v", got.meta, want.meta)
	}
	for n, b := range want.rows.blocks {
		if !slices.Equal(got.rows.blocks[n], b) {
			t.Errorf("block %d differs", n)
		}
	}
}

// TestMergeBounds: sources are read once, and what a merge allocates does not grow with them.
func TestMergeBounds(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	var parts []kept
	words := newMailWords(6, 3000)
	blocks := 0
	for i := range 6 {
		s := buildMails(t, words, ID{1, int64(i + 1)}, i*1000, 1000, 100)
		parts = append(parts, s)
		blocks += s.meta.Blocks
	}
	fresh := make([]*Reader, len(parts))
	for i, s := range parts {
		fresh[i] = NewReader(s.id, s.meta, s.rows)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	meta, err := Merge(t.Context(), discard{}, ID{1, 9}, fresh, nil)
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	if got := after.TotalAlloc - before.TotalAlloc; got > 2<<20 {
		t.Errorf("allocates %d bytes for a segment of %d", got, meta.Bytes)
	}
	reads := 0
	for _, s := range parts {
		reads += s.rows.reads
	}
	if reads > blocks {
		t.Errorf("%d reads of %d blocks", reads, blocks)
	}
}
