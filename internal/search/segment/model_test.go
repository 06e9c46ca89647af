package segment

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// model is the index as one would write it without thinking of speed: all documents, looked at one by one.
type model map[int64][]Token

// found is what a leaf finds in a document.
func (m model) found(seq int64, l Leaf) LeafHit {
	fields := l.Fields
	if fields == 0 {
		fields = 0xff
	}
	var hit LeafHit
	var allowed bool
	for _, t := range m[seq] {
		if !l.Slots[0].fits(t.Term) {
			continue
		}
		whole := true
		for i, s := range l.Slots[1:] {
			whole = whole && slices.ContainsFunc(m[seq], func(u Token) bool {
				return u.Field == t.Field && u.Pos == t.Pos+uint32(i+1) && s.fits(u.Term)
			})
		}
		in := fields&(1<<t.Field) != 0
		if !whole || len(l.Slots) > 1 && !in {
			continue
		}
		hit.Fields |= 1 << t.Field
		hit.Freq++
		allowed = allowed || in
	}
	if !allowed {
		return LeafHit{}
	}
	return hit
}

func (s Slot) fits(term string) bool {
	return slices.Contains(s.Terms, term) || s.Prefix != "" && strings.HasPrefix(term, s.Prefix)
}

func (m model) matches(seq int64, q Query) bool {
	switch q := q.(type) {
	case And:
		return !slices.ContainsFunc(q, func(p Query) bool { return !m.matches(seq, p) })
	case Or:
		return slices.ContainsFunc(q, func(p Query) bool { return m.matches(seq, p) })
	case First:
		return m.matches(seq, Or(q))
	case Not:
		return !m.matches(seq, q.Of)
	case Leaf:
		return m.found(seq, q).Freq > 0
	}
	return true
}

func (m model) search(q Query, from, until int64) []int64 {
	var hits []int64
	for seq := range m {
		if seq <= from && seq >= until && m.matches(seq, q) {
			hits = append(hits, seq)
		}
	}
	slices.Sort(hits)
	slices.Reverse(hits)
	return hits
}

// world is a mailbox that is indexed, merged, deleted from and searched at random.
type world struct {
	t        *testing.T
	r        *rand.Rand
	words    []string
	docs     model
	dead     map[int64]bool // deleted, maybe still in segments
	segments []kept
	seq, id  int64
	builder  *Builder
}

func newWorld(t *testing.T, seed uint64) *world {
	w := &world{t: t, r: rand.New(rand.NewPCG(seed, 7)), docs: model{}, dead: map[int64]bool{}, builder: NewBuilder()}
	w.seq = int64(seed % 3 * 1e12)
	for i := range 40 {
		w.words = append(w.words, strings.Repeat("ab", i%5)+string(rune('a'+i%7))+fmt.Sprint(i*i))
	}
	w.words = append(w.words, strings.Repeat("x", MaxTerm), strings.Repeat("x", MaxTerm-1)+"y", "\x00", "\xff\xff", "é")
	return w
}

func (w *world) word() string { return w.words[w.r.IntN(1+w.r.IntN(len(w.words)))] }

func (w *world) tokens() []Token {
	var tokens []Token
	for range w.r.IntN(40) {
		tokens = append(tokens, Token{w.word(), uint8(w.r.IntN(1 + w.r.IntN(Fields))), uint32(w.r.IntN(30))})
	}
	return tokens
}

// index writes a segment of new documents, and sometimes of some that were written before.
func (w *world) index() {
	batch := model{}
	for range 1 + w.r.IntN(1<<w.r.IntN(8)) {
		w.seq += 1 + int64(w.r.IntN(1<<w.r.IntN(5)))
		if w.r.IntN(5) > 0 { // the others come later, so that ranges interleave
			batch[w.seq] = w.tokens()
		}
	}
	for seq, tokens := range w.docs {
		if len(batch) > 0 && w.r.IntN(50) == 0 {
			batch[seq] = tokens
		}
	}
	for range 3 {
		if old := 1 + w.r.Int64N(w.seq); w.docs[old] == nil && !w.dead[old] && batch[old] == nil {
			batch[old] = w.tokens()
		}
	}
	w.write(batch)
}

func (w *world) write(batch model) {
	w.id++
	w.builder.Reset()
	for seq, tokens := range batch {
		if err := w.builder.Add(seq, slices.Values(tokens)); err != nil {
			w.t.Fatal(err)
		}
		w.docs[seq] = append([]Token{}, tokens...)
	}
	r, id := newRows(), ID{3, w.id}
	meta, err := w.builder.Write(r, id)
	if err != nil || meta.Docs != len(batch) || meta.Blocks != len(r.blocks) {
		w.t.Fatalf("%+v of %d documents: %v", meta, len(batch), err)
	}
	if meta.Docs > 0 {
		w.segments = append(w.segments, keep(id, meta, r))
	}
}

func (w *world) delete() {
	for seq := range w.docs {
		if w.r.IntN(4) == 0 {
			delete(w.docs, seq)
			w.dead[seq] = true
		}
	}
}

func (w *world) merge() {
	w.r.Shuffle(len(w.segments), func(i, j int) { w.segments[i], w.segments[j] = w.segments[j], w.segments[i] })
	n := min(1+w.r.IntN(8), len(w.segments))
	w.id++
	merged := merge(w.t, ID{3, w.id}, w.segments[:n], func(seq int64) bool { return w.dead[seq] })
	w.segments = slices.Clone(w.segments[n:])
	if merged.meta.Docs > 0 {
		w.segments = append(w.segments, merged)
	}
}

func (w *world) leaf() Leaf {
	l := Leaf{}
	if w.r.IntN(3) == 0 {
		l.Fields = uint8(w.r.IntN(256))
	}
	for range 1 + w.r.IntN(1+w.r.IntN(3)) {
		s := Slot{Terms: []string{w.word()}}
		for w.r.IntN(4) == 0 {
			s.Terms = append(s.Terms, w.word())
		}
		switch w.r.IntN(6) {
		case 0:
			s.Prefix = "ab"
		case 1:
			s = Slot{Prefix: w.word()[:1]}
		case 2:
			s.Terms[0] += "?"
		}
		l.Slots = append(l.Slots, s)
	}
	return l
}

func (w *world) query(depth int) Query {
	if depth == 0 {
		return w.leaf()
	}
	var parts []Query
	for range w.r.IntN(4) {
		parts = append(parts, w.query(w.r.IntN(depth)))
	}
	switch w.r.IntN(8) {
	case 0:
		return All{}
	case 7:
		return First(parts)
	case 1, 2:
		return And(parts)
	case 3, 4:
		return Or(parts)
	case 5:
		return Not{w.query(depth - 1)}
	}
	return w.leaf()
}

// check asks the same of the segments and of the model. Deleted documents are hidden, as a caller does.
func (w *world) check() {
	q := w.query(3)
	opt := Options{From: w.r.Int64N(w.seq*2) + 1, Budget: 1 + w.r.IntN(1<<w.r.IntN(12))}
	opt.Until = w.seq / (1 + w.r.Int64N(5)) / (1 + w.r.Int64N(9))
	want := w.docs.search(q, opt.From, opt.Until)
	var got []int64
	leaves := Leaves(q)
	limit := 1 + w.r.IntN(1000)
	for calls := 0; opt.From > 0; calls++ {
		left := limit
		res, err := Eval(w.t.Context(), readers(w.segments), q, opt, func(h Hit) bool {
			if w.dead[h.Seq] {
				return true
			}
			got = append(got, h.Seq)
			w.checkHit(h, q, leaves)
			left--
			return left > 0
		})
		if err != nil || res.Cut || res.Next >= opt.From || calls > 1e5 {
			w.t.Fatalf("%#v from %d: %+v, %v", q, opt.From, res, err)
		}
		opt.From = res.Next
	}
	if d := cmp.Diff(want, got); d != "" {
		w.t.Fatalf("%#v, %+v: %s", q, opt, d)
	}
}

// checkHit compares what the leaves tell; those in a part that was not needed may tell nothing.
func (w *world) checkHit(h Hit, q Query, leaves []Leaf) {
	for i, l := range leaves {
		want := w.docs.found(h.Seq, l)
		if h.Leaves[i] != want && (h.Leaves[i] != LeafHit{} || isLeaf(q)) {
			w.t.Fatalf("leaf %d of %#v in %d: %+v, want %+v", i, q, h.Seq, h.Leaves[i], want)
		}
	}
	sizes, err := h.Sizes(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	var want [Fields]uint64
	for _, t := range w.docs[h.Seq] {
		want[t.Field]++
	}
	for f := range want {
		want[f] = byteSize(sizeByte(want[f]))
	}
	if sizes != want {
		w.t.Fatalf("sizes of %d: %v, want %v", h.Seq, sizes, want)
	}
}

func isLeaf(q Query) bool {
	_, ok := q.(Leaf)
	return ok
}

// TestModel does anything in any order and asks everything.
func TestModel(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	testModel(t)
}

// TestModelOfWhatLacks does it where every list that may have runs of what lacks its term has them.
func TestModelOfWhatLacks(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	defer func(n int) { lacksDocs = n }(lacksDocs)
	lacksDocs = inlineDocs + 1
	t.Run("all", testModel)
}

func testModel(t *testing.T) {
	for seed := range uint64(10) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, seed)
			for range 40 {
				switch w.r.IntN(8) {
				case 0, 1, 2:
					w.index()
				case 3:
					w.delete()
				case 4, 5:
					if len(w.segments) > 0 {
						w.merge()
					}
				}
				if w.seq == 0 {
					continue
				}
				for range 3 {
					w.check()
				}
			}
		})
	}
}
