package postgres

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/search/segment"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/postgres/pgtest"
)

// The mailbox of the benchmarks is small enough for every day; 102400 mails are what the requirements speak of.
var indexDocs = flag.Int("index-docs", 8<<10, "mails in the mailbox of the index benchmarks")

const (
	benchBatch = 1024
	benchWords = 600
	benchBox   = mailbox.Num(7)
)

// mailWords returns the words of mail: the i-th is used about 1/i as often as the first.
type mailWords struct {
	zipf  *rand.Zipf
	words []string
}

func newMailWords() *mailWords {
	r := rand.New(rand.NewPCG(1, 2))
	m := &mailWords{zipf: rand.NewZipf(r, 1.07, 8, 19_999)}
	for i := range 20_000 {
		m.words = append(m.words, fmt.Sprintf("%c%c%c%d", 'a'+r.IntN(26), 'a'+r.IntN(26), 'a'+r.IntN(26), i))
	}
	return m
}

func (m *mailWords) mail(yield func(segment.Token) bool) {
	for pos := range benchWords {
		if !yield(segment.Token{Term: m.words[m.zipf.Uint64()], Field: uint8(min(pos/8, 3)), Pos: uint32(pos)}) {
			return
		}
	}
}

// blocksOf lets package segment write the blocks of a segment.
type blocksOf struct {
	tx store.IndexTx
	id int64
}

func (s blocksOf) WriteBlock(n int, data []byte) error { return s.tx.PutBlock(benchBox, s.id, n, data) }

func benchReaders(b testing.TB, x store.Index) (readers []*segment.Reader, list []store.Segment) {
	list, err := x.Segments(b.Context(), benchBox)
	if err != nil {
		b.Fatal(err)
	}
	for _, s := range list {
		readers = append(readers, segment.NewReader(segment.ID{Mailbox: int64(benchBox), Segment: s.ID},
			segment.Meta{Docs: s.Docs, MinSeq: s.MinSeq, MaxSeq: s.MaxSeq, Blocks: s.Blocks, Bytes: s.Bytes},
			source{x, s.ID}))
	}
	return readers, list
}

// put writes a segment as an update's last step.
func (s blocksOf) put(meta segment.Meta, err error) error {
	if err != nil {
		return err
	}
	return s.tx.PutSegment(store.Segment{Mailbox: benchBox, ID: s.id, Docs: meta.Docs, Blocks: meta.Blocks,
		MinSeq: meta.MinSeq, MaxSeq: meta.MaxSeq, Bytes: meta.Bytes})
}

// newSegment makes an update that writes one segment.
func newSegment(b testing.TB, x store.Index, write func(s blocksOf) (segment.Meta, error)) {
	b.Helper()
	err := x.Update(b.Context(), func(tx store.IndexTx) error {
		id, err := tx.NewSegment()
		if err != nil {
			return err
		}
		s := blocksOf{tx, id}
		return s.put(write(s))
	})
	if err != nil {
		b.Fatal(err)
	}
}

func (s blocksOf) name() segment.ID { return segment.ID{Mailbox: int64(benchBox), Segment: s.id} }

// growIndex indexes mail as the indexer does, and merges when Plan says so.
func growIndex(b testing.TB, x store.Index, docs int, words *mailWords) {
	builder := segment.NewBuilder()
	for seq := int64(1); seq <= int64(docs); {
		builder.Reset()
		for range benchBatch {
			if err := builder.Add(seq, words.mail); err != nil {
				b.Fatal(err)
			}
			seq++
		}
		newSegment(b, x, func(s blocksOf) (segment.Meta, error) { return builder.Write(s, s.name()) })
		for mergeOnce(b, x) {
		}
	}
}

func mergeOnce(b testing.TB, x store.Index) bool {
	readers, list := benchReaders(b, x)
	var planned []segment.Planned
	for i, s := range list {
		planned = append(planned, segment.Planned{ID: readers[i].ID(), Docs: s.Docs})
	}
	chosen := segment.Plan(planned)
	if len(chosen) == 0 {
		return false
	}
	from := slices.DeleteFunc(readers, func(r *segment.Reader) bool { return !slices.Contains(chosen, r.ID()) })
	newSegment(b, x, func(s blocksOf) (segment.Meta, error) {
		meta, err := segment.Merge(b.Context(), s, s.name(), from, nil)
		for _, id := range chosen {
			if err == nil {
				err = s.tx.DeleteSegment(benchBox, id.Segment)
			}
		}
		return meta, err
	})
	return true
}

// searchIndex asks the index what a search by relevance does: the newest thousand that match, in pages, and how common
// the words are.
func searchIndex(b testing.TB, x store.Index, word string) (hits int) {
	if _, err := placeOf(b.Context(), x); err != nil {
		b.Fatal(err)
	}
	readers, _ := benchReaders(b, x)
	leaf := segment.Word(0xff, word)
	q := segment.And{leaf, segment.Or{segment.All{}, leaf}}
	opt := segment.Options{}
	for {
		page := 0
		res, err := segment.Eval(b.Context(), readers, q, opt, func(segment.Hit) bool { page++; return page < 200 })
		if err != nil {
			b.Fatal(err)
		}
		if hits += page; res.Next == 0 || hits >= 1000 {
			break
		}
		opt.From = res.Next
	}
	if _, err := segment.TotalStats(b.Context(), readers); err != nil {
		b.Fatal(err)
	}
	if _, err := segment.Frequencies(b.Context(), readers, q); err != nil {
		b.Fatal(err)
	}
	return hits
}

// BenchmarkIndexSearch asks a node that has just started and one that was asked before. The mail's own rows are not
// part of it.
func BenchmarkIndexSearch(b *testing.B) {
	pool, trips := indexPoolAt(b, pgtest.Start(b, pgtest.Durable()...).URL(b))
	words := newMailWords()
	start := time.Now()
	growIndex(b, NewIndex(pool), *indexDocs, words)
	_, list := benchReaders(b, NewIndex(pool))
	b.Logf("%d mails in %d segments after %v, with %d round trips", *indexDocs, len(list), time.Since(start),
		trips.n.Load())
	var size, table int64
	if err := pool.QueryRow(b.Context(), `SELECT sum(octet_length(data)), pg_total_relation_size('index_blocks') FROM index_blocks`).Scan(&size, &table); err != nil {
		b.Fatal(err)
	}
	b.Logf("%d bytes of blocks, a table of %d", size, table)
	for _, c := range []struct{ name, word string }{
		{"common", words.words[0]}, {"middling", words.words[500]}, {"rare", words.words[19_990]}, {"absent", "kzzz"},
	} {
		warm := NewIndex(pool)
		searchIndex(b, warm, c.word)
		for _, node := range []string{"new", "used"} {
			b.Run(c.name+"/"+node, func(b *testing.B) {
				trips.n.Store(0)
				hits := 0
				for b.Loop() {
					x := warm
					if node == "new" {
						x = NewIndex(pool)
					}
					hits = searchIndex(b, x, c.word)
				}
				b.ReportMetric(float64(hits), "hits")
				b.ReportMetric(float64(trips.n.Load())/float64(b.N), "trips/op")
			})
		}
	}
}

// source reads the blocks of a segment for package segment.
type source struct {
	x  store.Index
	id int64
}

func (s source) Block(ctx context.Context, n int) ([]byte, error) {
	return s.x.Block(ctx, benchBox, s.id, n)
}
