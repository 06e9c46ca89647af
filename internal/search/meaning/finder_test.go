package meaning

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

func record(t testing.TB, e *Encoder, texts ...string) []byte {
	t.Helper()
	var list []Text
	for _, text := range texts {
		list = append(list, Text{Whole: text})
	}
	r, err := e.Record(context.Background(), list)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRecord(t *testing.T) {
	e := open(t)
	const size = head + Dims
	long := strings.Repeat("The parcel with the blue kettle waits at the station. ", 20)
	for _, tt := range []struct {
		name           string
		texts          []string
		vectors, marks int
	}{
		{"nothing to read", nil, 0, 0},
		{"an empty text", []string{""}, 1, 0},
		{"a mark for each word that tells something", []string{"the money and the house"}, 1, 2},
		{"words that tell nothing are better than none", []string{"the, the"}, 1, 3},
		{"a long text", []string{long}, 1, maxMarks},
		{"an answer", []string{long, "my money has come"}, 2, 4},
		{"a long answer", []string{long, "Yes. " + long}, 2, 15},
		{"more than there is room for", []string{"one", "two", "three", long}, 4, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := record(t, e, tt.texts...)
			if len(r) == 0 && tt.vectors == 0 {
				return
			}
			vectors, marks, ok := split(r, size)
			if !ok || len(vectors) != tt.vectors*size || len(marks) != tt.marks*markSize {
				t.Fatalf("%d bytes of vectors, %d marks, %t", len(vectors), len(marks)/markSize, ok)
			}
			for v := range slices.Chunk(vectors, size) {
				if !Vector(v).Valid() {
					t.Error("a vector that is none")
				}
			}
			if len(r) > maxRecord && tt.vectors < 4 {
				t.Errorf("%d bytes", len(r))
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Record(ctx, []Text{{Whole: "a"}}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// Neither case nor what a mail says later may hide its beginning.
func TestRecordIsOfTheBeginningAndWithoutCase(t *testing.T) {
	e := open(t)
	if !bytes.Equal(record(t, e, "Your ORDER Has Shipped"), record(t, e, "your order has shipped")) {
		t.Error("case makes a difference")
	}
	whole := "The dentist expects you. Parking is behind the house, the lift is out of order, and the café next door " +
		"has new opening hours."
	with, err := e.Record(t.Context(), []Text{{Whole: whole, Lead: "The dentist expects you."}})
	if err != nil {
		t.Fatal(err)
	}
	const size = head + Dims
	query := e.Query("dentist appointment").Vector
	if near, far := cosineOf(query, with[:size]), cosineOf(query, record(t, e, whole)[:size]); near <= far {
		t.Errorf("cosine %v with its beginning, %v without", near, far)
	}
}

// fitPlainly is fit as it is meant, number by number.
func fitPlainly(q Query, marks Marks) (score float64) {
	for _, w := range q.words {
		best := math.Inf(-1)
		for mark := range slices.Chunk([]byte(marks), markSize) {
			var sum float64
			for i, v := range w.says.wide {
				if mark[i/8]>>(i%8)&1 == 1 {
					v = -v
				}
				sum += float64(v)
			}
			best = max(best, sum)
		}
		score += best * float64(w.worth)
	}
	return score
}

func TestFit(t *testing.T) {
	e := open(t)
	for _, tt := range []struct{ name, query, text string }{
		{"the same", "where is my parcel", "Where is my parcel?"},
		{"another", "where is my parcel", "The dentist expects you on Monday."},
		{"one mark", "where is my parcel", "parcel"},
		{"long", strings.Repeat("where is my parcel ", 60), strings.Repeat("The dentist expects you on Monday. ", 30)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, marks, ok := split(record(t, e, tt.text), head+Dims)
			q := e.Query(tt.query)
			got, _ := wordsFit(q.words, marks, nil)
			if want := fitPlainly(q, marks); !ok || math.Abs(float64(got)-want) > 1e-4 || got < -1 || got > 1 {
				t.Errorf("fits by %v, want %v", got, want)
			}
		})
	}
}

func TestFinder(t *testing.T) {
	e := open(t)
	mails := []string{
		"Your flight. Boarding starts at 9:40 at gate 12.", "Invoice. The amount due is 120 euros, please pay within " +
			"two weeks.",
		"Team lunch. We are eating pizza together on Friday.", "Dentist. Your next check-up is on Tuesday.",
	}
	for _, tt := range []struct {
		name, query string
		keep        int
		least       float32
		hits        int
		first       uint64
	}{
		{"the nearest first", "when does my plane leave", 4, -1, 4, 0},
		{"money", "what I owe", 4, -1, 4, 1},
		{"the best alone", "doctor appointment", 1, -1, 1, 3},
		{"what is far is left out", "doctor appointment", 4, 0.99, 0, 0},
		{"none wanted", "doctor appointment", 0, -1, 0, 0},
		{"a mark of punctuation", "?", 4, -1, 4, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			find := e.Query(tt.query).Find(tt.keep)
			for i, m := range mails {
				if !find.Add(uint64(i), record(t, e, m)) {
					t.Fatal("not a record")
				}
			}
			hits := find.Hits(tt.least)
			if len(hits) != tt.hits || tt.hits > 0 && tt.query != "?" && hits[0].ID != tt.first {
				t.Errorf("hits %v", hits)
			}
			if !slices.IsSortedFunc(hits, func(a, b Hit) int {
				return int(math.Copysign(1,
					float64(b.Score-a.Score)))
			}) {
				t.Errorf("not in order: %v", hits)
			}
		})
	}
}

// A mail is as near as the nearest of its vectors, and is one hit. What has no marks, as from an endpoint, counts by
// its cosine.
func TestFinderOfSeveralVectors(t *testing.T) {
	q := Query{Vector: someVectors(1, 64, 1)}
	far, near := Vector(someVectors(1, 64, 2)), q.Vector
	find := q.Find(5)
	find.Add(1, far)
	find.Add(2, slices.Concat(far, near, far))
	hits := find.Hits(-1)
	compareHits(t, hits, []Hit{{2, 1}, {1, cosineOf(q.Vector, far)}})
}

// However many mails are looked at, only the marks of the nearest are held on to.
func TestFinderForgets(t *testing.T) {
	e := open(t)
	const keep = 3
	find := e.Query("where is my parcel").Find(keep)
	best := record(t, e, "Where is my parcel?")
	for i := range uint64(50) {
		r := slices.Clone(best)
		for d := range Dims - 8*int(i) {
			r[head+d] ^= 0xff // away from the query, less with each
		}
		if !find.Add(i, r) {
			t.Fatal("not a record")
		}
		if len(find.marks) > 4*keep+1 {
			t.Fatalf("%d mails, marks of %d are held", i+1, len(find.marks))
		}
	}
	for _, h := range find.Hits(-1) {
		if len(find.marks[h.ID]) == 0 {
			t.Errorf("the marks of %d are gone", h.ID)
		}
	}
}

// What is stored may be damaged, or of another model.
func FuzzFinder(f *testing.F) {
	e := open(f)
	good := record(f, e, "Where is my parcel?")
	f.Add(good)
	f.Add(good[:len(good)-1])
	f.Add(good[:head+Dims])
	f.Add([]byte{})
	f.Add([]byte{255})
	q := e.Query("where is my parcel")
	f.Fuzz(func(t *testing.T, r []byte) {
		find := q.Find(2)
		find.Add(1, r)
		for _, h := range find.Hits(-1) {
			if !(h.Score >= -2 && h.Score <= 200) { // a damaged length may be anything from 1 on
				t.Errorf("score %v", h.Score)
			}
		}
	})
}

func BenchmarkQuery(b *testing.B) {
	e := open(b)
	for b.Loop() {
		e.Query("when does my parcel arrive")
	}
}

func BenchmarkFinder(b *testing.B) {
	e := open(b)
	q := e.Query("when does my parcel arrive")
	var records [][]byte
	for i := range 64 {
		records = append(records, record(b, e, fmt.Sprintf("Order %d. The lamp you bought was handed to the courier "+
			"this morning. Expect it on Thursday between nine and noon.", i)))
	}
	for b.Loop() {
		find := q.Find(200)
		for i := range uint64(10_000) {
			find.Add(10_000-i, records[i%64])
		}
		if len(find.Hits(0)) != 200 {
			b.Fatal("hits are missing")
		}
	}
}
