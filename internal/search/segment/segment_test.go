package segment

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestBuilderRefuses(t *testing.T) {
	for _, c := range []struct {
		name  string
		seq   int64
		token Token
	}{
		{"no term", 2, Token{}},
		{"long term", 2, Token{Term: strings.Repeat("a", MaxTerm+1)}},
		{"field", 2, Token{Term: "a", Field: Fields}},
		{"seq", 0, Token{Term: "a"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := NewBuilder()
			if err := b.Add(1, slices.Values(text(0, "kept"))); err != nil {
				t.Fatal(err)
			}
			err := b.Add(c.seq, slices.Values([]Token{{Term: "lost"}, c.token}))
			if !errors.Is(err, ErrDocument) {
				t.Fatalf("error %v", err)
			}
			r := newRows()
			meta, err := b.Write(r, ID{1, 1})
			if err != nil || meta.Docs != 1 {
				t.Fatalf("%+v, %v", meta, err)
			}
			s := keep(ID{1, 1}, meta, r)
			if got := search(t, []kept{s}, Word(0, "kept"), Options{}); !slices.Equal(got, []int64{1}) {
				t.Errorf("kept: %v", got)
			}
			if got := search(t, []kept{s}, Word(0, "lost"), Options{}); got != nil {
				t.Errorf("lost: %v", got)
			}
		})
	}
	b := NewBuilder()
	_ = b.Add(1, slices.Values(text(0, "a")))
	_ = b.Add(1, slices.Values(text(0, "b")))
	if _, err := b.Write(newRows(), ID{1, 1}); !errors.Is(err, ErrDocument) {
		t.Errorf("a seq twice: %v", err)
	}
	if meta, err := NewBuilder().Write(newRows(), ID{1, 1}); err != nil || meta.Docs != 0 || meta.Blocks != 0 {
		t.Errorf("nothing: %+v, %v", meta, err)
	}
}

// TestSmallSegmentIsOneBlock: most mailboxes get mail one by one, and each block is a row of the store.
func TestSmallSegmentIsOneBlock(t *testing.T) {
	s := build(t, ID{1, 1}, map[int64][]Token{5: newMailWords(1, 20_000).mail(nil, 588)})
	if s.meta.Blocks != 1 || s.meta.Bytes > 8<<10 {
		t.Errorf("%+v", s.meta)
	}
}

// longLists is a segment whose lists have one, several and many groups.
func longLists(t *testing.T, id, from, n int) (kept, map[string][]int64) {
	docs := map[int64][]Token{}
	want := map[string][]int64{}
	for i := n; i > 0; i-- {
		seq := int64(from + 3*i)
		tokens := []Token{}
		for name, every := range map[string]int{"one": 1, "two": 2, "seven": 7, "many": 100, "few": n / 3} {
			if i%every == 0 {
				for pos := range 1 + i%3 {
					tokens = append(tokens, Token{name, uint8(i % 2 * pos), uint32(i%5 + pos)})
				}
				want[name] = append(want[name], seq)
			}
		}
		docs[seq] = tokens
	}
	return build(t, ID{1, int64(id)}, docs), want
}

func TestPostings(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	s, want := longLists(t, 1, 0, 20_000)
	old := map[string][]int64{}
	var parts []kept
	for i := range 3 {
		part, w := longLists(t, i+2, i*27_000, 9_000)
		parts = append(parts, part)
		for name, seqs := range w {
			old[name] = append(slices.Clone(seqs), old[name]...)
		}
	}
	merged := merge(t, ID{1, 9}, parts, func(seq int64) bool { return seq%11 == 0 })
	for name := range old {
		old[name] = slices.DeleteFunc(old[name], func(seq int64) bool { return seq%11 == 0 })
	}
	for _, c := range []struct {
		name string
		kept
		want map[string][]int64
	}{{"built", s, want}, {"merged", merged, old}} {
		for term, seqs := range c.want {
			t.Run(c.name+" "+term, func(t *testing.T) { checkPostings(t, c.kept, term, seqs) })
		}
	}
}

func checkPostings(t *testing.T, s kept, term string, want []int64) {
	p, err := s.Term(t.Context(), term)
	if err != nil || p == nil || p.Docs() != len(want) {
		t.Fatalf("%v, %v", p, err)
	}
	for i := 0; ; i++ {
		ok, err := p.Next(t.Context())
		if err != nil || ok != (i < len(want)) {
			t.Fatalf("next %d of %d: %v, %v", i, len(want), ok, err)
		}
		if !ok {
			break
		}
		if p.Seq() != want[i] {
			t.Fatalf("document %d is %d, want %d", i, p.Seq(), want[i])
		}
	}
	r := rand.New(rand.NewPCG(4, 4))
	for range 200 {
		p, _ := s.Term(t.Context(), term)
		for target := want[0] + 5; target > 0; target -= 1 + r.Int64N(1<<r.IntN(16)) {
			checkSeek(t, p, target, want)
		}
	}
}

func checkSeek(t *testing.T, p *Postings, target int64, want []int64) {
	t.Helper()
	i, _ := slices.BinarySearchFunc(want, target, func(a, b int64) int { return int(b - a) })
	ok, err := p.Seek(t.Context(), target)
	if err != nil || ok != (i < len(want)) || ok && p.Seq() != want[i] {
		t.Fatalf("seek %d: %v, %v", target, ok, err)
	}
	if !ok || target%5 != 0 {
		return
	}
	at, err := p.Positions(t.Context(), nil)
	n := int(p.Seq()/3) % 9_000 // where the mailboxes of the merge begin again
	if p.v.r.meta.Docs == 20_000 {
		n = int(p.Seq() / 3)
	}
	if n == 0 {
		n = 9_000
	}
	if err != nil || len(at) != int(p.Freq()) || len(at) != 1+n%3 || at[0].Pos() != uint32(n%5) || at[0].Field() != 0 {
		t.Fatalf("positions in %d: %v, %v", p.Seq(), at, err)
	}
}

func TestManyOccurrences(t *testing.T) {
	var tokens []Token
	for i := range MaxFreq + 10 {
		tokens = append(tokens, Token{Term: "again", Field: uint8(i % 3), Pos: uint32(i)})
	}
	tokens = append(tokens, Token{Term: "far", Pos: 1<<32 - 1})
	s := build(t, ID{1, 1}, map[int64][]Token{7: tokens, 6: text(1, "again", "and", "again")})
	s = merge(t, ID{1, 2}, []kept{s}, nil)
	p, err := s.Term(t.Context(), "again")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []uint32{MaxFreq, 2} {
		if ok, err := p.Next(t.Context()); !ok || err != nil || p.Freq() != want {
			t.Fatalf("%v, %v, %d", ok, err, p.Freq())
		}
		at, err := p.Positions(t.Context(), nil)
		if err != nil || len(at) != int(want) || !slices.IsSorted(at) {
			t.Fatalf("%d positions, %v", len(at), err)
		}
	}
	if got := search(t, []kept{s}, Phrase(0, "again", "and"), Options{}); !slices.Equal(got, []int64{6}) {
		t.Error(got)
	}
	if got := search(t, []kept{s}, Word(0, "far"), Options{}); !slices.Equal(got, []int64{7}) {
		t.Error(got)
	}
}

func TestPrefix(t *testing.T) {
	docs := map[int64][]Token{}
	for i := range int64(3000) {
		docs[i+1] = text(0, fmt.Sprintf("a%04d", i), fmt.Sprintf("b%d", i%7), "c")
	}
	s := build(t, ID{1, 1}, docs)
	got, cut, err := s.Prefix(t.Context(), "b", 3)
	if err != nil || !cut || len(got) != 3 || got[0] != (TermCount{"b0", 429}) {
		t.Errorf("%v, %v, %v", got, cut, err)
	}
	if got, cut, err = s.Prefix(t.Context(), "b6", 3); err != nil || cut ||
		!slices.Equal(got, []TermCount{{"b6", 428}}) {
		t.Errorf("%v, %v, %v", got, cut, err)
	}
	if got, cut, err = s.Prefix(t.Context(), "zz", 3); err != nil || cut || len(got) != 0 {
		t.Errorf("%v, %v, %v", got, cut, err)
	}
	hits := 0
	res, err := Eval(t.Context(), []*Reader{s.Reader}, Prefix(0, "a"), Options{},
		func(Hit) bool { hits++; return true })
	if err != nil || !res.Cut || hits != prefixTerms {
		t.Errorf("%d hits, %+v, %v", hits, res, err)
	}
}

func TestContextEnds(t *testing.T) {
	s, _ := longLists(t, 1, 0, 1000)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Eval(ctx, []*Reader{s.Reader}, Word(0, "one"), Options{}, func(Hit) bool { return true }); !errors.Is(
		err, context.Canceled) {
		t.Error(err)
	}
	if _, err := Merge(ctx, newRows(), ID{1, 2}, []*Reader{s.Reader}, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
