package segment

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
)

// TestOldSegmentsAreNotTouched: what is newer than a segment is found without it.
func TestOldSegmentsAreNotTouched(t *testing.T) {
	words := newMailWords(8, 1000)
	var segments []kept
	for i := range 5 {
		segments = append(segments, buildMails(t, words, ID{1, int64(i + 1)}, i*500, 500, 50))
	}
	n := 0
	_, err := Eval(t.Context(), readers(segments), Word(0, words.words[0]), Options{},
		func(Hit) bool { n++; return n < 50 })
	if err != nil || n != 50 {
		t.Fatal(n, err)
	}
	for i, s := range segments {
		if touched := s.rows.reads > 0; touched != (i == 4) || s.rows.reads > 3 {
			t.Errorf("%d reads of segment %d", s.rows.reads, i)
		}
	}
}

// TestPositionsAreForPhrases: a word never reads where it is.
func TestPositionsAreForPhrases(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	words := newMailWords(8, 1000)
	s := buildMails(t, words, ID{1, 1}, 0, 2000, 300)
	for n := range s.rows.blocks {
		if n>>kindShift == int(positionBlock) {
			delete(s.rows.blocks, n)
		}
	}
	q := Or{Word(0, words.words[0]), Prefix(0, words.words[7][:2]), Not{Word(2, words.words[9])}}
	if got := search(t, []kept{s}, q, Options{}); len(got) != 2000 {
		t.Errorf("%d hits", len(got))
	}
}

func TestQueryLimits(t *testing.T) {
	s := build(t, ID{1, 1}, map[int64][]Token{1: text(0, "a")})
	deep := Query(Word(0, "a"))
	for range maxDepth {
		deep = Not{deep}
	}
	for _, c := range []struct {
		name string
		q    Query
	}{
		{"nothing", nil},
		{"nothing inside", And{nil}},
		{"deep", deep},
		{"wide", Or(slices.Repeat([]Query{Word(0, "a")}, MaxLeaves+1))},
		{"long", Phrase(0, slices.Repeat([]string{"a"}, MaxSlots+1)...)},
		{"alternatives", Word(0, slices.Repeat([]string{"a"}, MaxAlike+1)...)},
		{"no slot", Leaf{}},
		{"no word", Word(0)},
		{"no prefix", Prefix(0, "")},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := Eval(t.Context(), []*Reader{s.Reader}, c.q, Options{}, nil); !errors.Is(err, ErrQuery) {
				t.Error(err)
			}
			if _, err := Frequencies(t.Context(), []*Reader{s.Reader}, c.q); !errors.Is(err, ErrQuery) {
				t.Error(err)
			}
		})
	}
	if got := search(t, []kept{s}, Word(0, strings.Repeat("long", 1000)), Options{}); got != nil {
		t.Error(got)
	}
	if got := search(t, nil, All{}, Options{}); got != nil {
		t.Error(got)
	}
}

func TestStats(t *testing.T) {
	one := build(t, ID{1, 1}, map[int64][]Token{1: text(0, "red", "green"), 2: text(3, "red")})
	two := build(t, ID{1, 2}, map[int64][]Token{3: text(3, "red", "red", "blue"), 4: nil})
	all := []*Reader{one.Reader, two.Reader}
	stats, err := TotalStats(t.Context(), all)
	if err != nil || stats != (Stats{Docs: 4, Tokens: [Fields]uint64{0: 2, 3: 4}}) {
		t.Errorf("%+v, %v", stats, err)
	}
	q := And{Word(0, "red"), Not{Phrase(0, "red", "green")}, Prefix(0, "b"), Word(0, "red", "blue"), Word(0, "none")}
	counts, err := Frequencies(t.Context(), all, q)
	if err != nil || !slices.Equal(counts, []int64{3, 1, 1, 4, 0}) {
		t.Errorf("%v, %v", counts, err)
	}
}

// TestIsolation: nothing of one mailbox is ever an answer in another, even if a store mixes up its rows.
func TestIsolation(t *testing.T) {
	mine := build(t, ID{1, 1}, map[int64][]Token{1: text(0, "secret")})
	theirs := build(t, ID{2, 1}, map[int64][]Token{1: text(0, "secret")})
	next := build(t, ID{1, 2}, map[int64][]Token{1: text(0, "secret")})
	none := func(Hit) bool { t.Error("a hit"); return true }
	if _, err := Eval(t.Context(), readers([]kept{mine, theirs}), Word(0, "secret"), Options{}, none); !errors.Is(err,
		ErrQuery) {
		t.Errorf("two mailboxes: %v", err)
	}
	for name, rows := range map[string]*rows{"another mailbox": theirs.rows, "another segment": next.rows} {
		mixed := keep(mine.id, mine.meta, rows)
		if _, err := Eval(t.Context(), []*Reader{mixed.Reader}, Word(0, "secret"), Options{}, none); !errors.Is(err,
			ErrCorrupt) {
			t.Errorf("a block of %s: %v", name, err)
		}
	}
	another := NewReader(mine.id, Meta{Docs: 1, MinSeq: 1, MaxSeq: 2}, mine.rows)
	if _, err := another.open(t.Context()); !errors.Is(err, ErrCorrupt) {
		t.Errorf("another segment's meta: %v", err)
	}
}

// TestReadersAreShared: a caller may keep the readers of a mailbox for all its queries.
func TestReadersAreShared(t *testing.T) {
	words := newMailWords(8, 1000)
	meta, src := sharedSegment(t, words)
	shared := []*Reader{NewReader(ID{1, 1}, meta, src)}
	results := make(chan int)
	for range 4 {
		go func() {
			n := 0
			_, err := Eval(context.Background(), shared, Phrase(0, words.words[0], words.words[1]), Options{},
				func(Hit) bool { n++; return true })
			if err != nil {
				n = -1
			}
			results <- n
		}()
	}
	first := <-results
	for range 3 {
		if n := <-results; n != first || n <= 0 {
			t.Errorf("%d hits, then %d", first, n)
		}
	}
}

// blocksOnly is a source that may be read by many.
type blocksOnly map[int][]byte

func (b blocksOnly) Block(_ context.Context, n int) ([]byte, error) { return b[n], nil }

func sharedSegment(t *testing.T, words *mailWords) (Meta, Source) {
	s := buildMails(t, words, ID{1, 1}, 0, 1000, 100)
	return s.meta, blocksOnly(s.rows.blocks)
}

// TestParts: after a word that stands for several the next one is where those end.
func TestParts(t *testing.T) {
	// docs has the words of a text, and over some of them what stands for them.
	doc := func(form string, at uint32, words ...string) []Token {
		return append(text(0, words...), Token{Term: form, Pos: at})
	}
	s := build(t, ID{1, 1}, map[int64][]Token{
		1: text(0, "my", "email", "address"), 2: doc("email", 1, "my", "e", "mail", "address"),
		3: text(0, "my", "email", "new", "address"),
		4: doc("email", 1, "address", "e", "mail", "my"), 5: append(doc("email", 0, "e", "mail"),
			text(1, "address")...),
		6: doc("email", 2, "my", "email", "e", "mail", "address"), 7: text(0, "email", "my", "e", "mail", "address"),
	})
	q := Phrase(0, "email", "address")
	if got := search(t, []kept{s}, q, Options{}); !slices.Equal(got, []int64{1}) {
		t.Errorf("one after the other: %v", got)
	}
	q.Slots[0].Parts = []string{"e", "em", "ema", "emai"}
	if got := search(t, []kept{s}, q, Options{}); !slices.Equal(got, []int64{6, 2, 1}) {
		t.Errorf("with parts: %v", got)
	}
	q = Phrase(0, "my", "email", "address")
	q.Slots[0].Parts, q.Slots[1].Parts = []string{"m"}, []string{"e"}
	if got := search(t, []kept{s}, q, Options{}); !slices.Equal(got, []int64{2, 1}) {
		t.Errorf("in the middle: %v", got)
	}
}
