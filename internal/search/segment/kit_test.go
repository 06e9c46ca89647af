package segment

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// rows is a segment as a store keeps it.
type rows struct {
	blocks map[int][]byte
	reads  int
}

func newRows() *rows { return &rows{blocks: map[int][]byte{}} }

func (r *rows) WriteBlock(n int, data []byte) error {
	if _, ok := r.blocks[n]; ok || len(data) > MaxBlock {
		return fmt.Errorf("block %d of %d bytes, known: %v", n, len(data), ok)
	}
	r.blocks[n] = bytes.Clone(data)
	return nil
}

func (r *rows) Block(_ context.Context, n int) ([]byte, error) {
	r.reads++
	return r.blocks[n], nil
}

// kept is a segment with its blocks at hand.
type kept struct {
	*Reader
	rows *rows
}

func keep(id ID, meta Meta, r *rows) kept { return kept{NewReader(id, meta, r), r} }

func readers(segments []kept) []*Reader {
	var rs []*Reader
	for _, s := range segments {
		rs = append(rs, s.Reader)
	}
	return rs
}

// build makes one segment of the documents.
func build(t testing.TB, id ID, docs map[int64][]Token) kept {
	t.Helper()
	b := NewBuilder()
	for seq, tokens := range docs {
		if err := b.Add(seq, slices.Values(tokens)); err != nil {
			t.Fatal(err)
		}
	}
	r := newRows()
	meta, err := b.Write(r, id)
	if err != nil {
		t.Fatal(err)
	}
	return keep(id, meta, r)
}

func merge(t testing.TB, id ID, from []kept, dropped func(int64) bool) kept {
	t.Helper()
	r := newRows()
	meta, err := Merge(t.Context(), r, id, readers(from), dropped)
	if err != nil {
		t.Fatal(err)
	}
	if meta.Docs == 0 && len(r.blocks) > 0 {
		t.Fatal("blocks of an empty segment")
	}
	return keep(id, meta, r)
}

// text makes tokens of the words, all in one field.
func text(field uint8, words ...string) []Token {
	var tokens []Token
	for i, w := range words {
		tokens = append(tokens, Token{Term: w, Field: field, Pos: uint32(i)})
	}
	return tokens
}

// search returns the hits of a query that takes one call.
func search(t testing.TB, segments []kept, q Query, opt Options) []int64 {
	t.Helper()
	var got []int64
	res, err := Eval(t.Context(), readers(segments), q, opt, func(h Hit) bool { got = append(got, h.Seq); return true })
	if err != nil || res.Next != 0 {
		t.Fatalf("%+v, %v", res, err)
	}
	return got
}

// mailWords returns the words of mail: a vocabulary in which the i-th is used about 1/i as often as the first.
type mailWords struct {
	r     *rand.Rand
	zipf  *rand.Zipf
	words []string
}

func newMailWords(seed uint64, vocabulary int) *mailWords {
	r := rand.New(rand.NewPCG(seed, 1))
	m := &mailWords{r: r, zipf: rand.NewZipf(r, 1.07, 8, uint64(vocabulary-1))}
	names := rand.New(rand.NewPCG(9, 9)) // the same words for every seed
	for i := range vocabulary {
		w := make([]byte, 0, 12)
		for range 2 + names.IntN(4) {
			w = append(w, "bdfgklmnprstvwz"[names.IntN(15)], "aeiou"[names.IntN(5)])
		}
		m.words = append(m.words, fmt.Sprintf("%s%d", w, i%10))
	}
	return m
}

// mail returns a subject of 8 words, two addresses, and a body.
func (m *mailWords) mail(dst []Token, body int) []Token {
	dst = dst[:0]
	for i, n := range []int{8, 2, 2, body} {
		for pos := range n {
			dst = append(dst, Token{Term: m.words[m.zipf.Uint64()], Field: uint8(i), Pos: uint32(pos)})
		}
	}
	return dst
}
