package segment

import (
	"context"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
)

// queriesOf picks words of the generated mail by how common they are: rank 0 is in nearly every mail.
func queriesOf(words []string) map[string]Query {
	pick := func(rank int) string { return words[rank] }
	return map[string]Query{
		"common":     Word(0, pick(0)),
		"middling":   Word(0, pick(500)),
		"rare":       Word(0, pick(19_990)),
		"absent":     Word(0, "zzzz"),
		"phrase":     Phrase(0, pick(3), pick(5)),
		"rarephrase": Phrase(0, pick(300), pick(310)),
		"prefix":     Prefix(0, pick(100)[:3]),
		"letter":     Prefix(0, pick(100)[:1]),
		"and":        And{Word(0, pick(2)), Word(0, pick(800)), Word(0, pick(900))},
		"subject":    Word(1, pick(400)),
		"negation":   And{Word(0, pick(100)), Not{Word(0, pick(0))}},
		"onlynot":    Not{Word(0, pick(0))},
	}
}

// BenchmarkNewest50 is what a search page costs, without the store's own time.
func BenchmarkNewest50(b *testing.B) { askAll(b, large()) }

// BenchmarkSmallMailbox asks a mailbox of 127 mails that came one by one: it has as many tiny segments as there can be.
func BenchmarkSmallMailbox(b *testing.B) { askAll(b, grow(b, 127, 1, *benchWords)) }

func askAll(b *testing.B, m *mailboxIndex) {
	queries := queriesOf(m.words.words)
	for _, name := range slices.Sorted(maps.Keys(queries)) {
		b.Run(name, func(b *testing.B) {
			var hits, reads int
			b.ReportAllocs()
			start := cpuTime()
			for b.Loop() {
				hits, reads = newest(b, m, queries[name], 50)
			}
			b.ReportMetric(float64((cpuTime()-start).Microseconds())/float64(b.N), "cpu-µs/op")
			b.ReportMetric(float64(hits), "hits")
			b.ReportMetric(float64(reads), "blocks")
			b.ReportMetric(float64(len(m.segments)), "segments")
		})
	}
}

// newest asks readers that know nothing yet, as after a restart.
func newest(b *testing.B, m *mailboxIndex, q Query, limit int) (hits, reads int) {
	var fresh []*Reader
	for _, s := range m.segments {
		s.rows.reads = 0
		fresh = append(fresh, NewReader(s.id, s.meta, s.rows))
	}
	opt := Options{}
	for {
		res, err := Eval(b.Context(), fresh, q, opt, func(Hit) bool { hits++; return hits < limit })
		if err != nil {
			b.Fatal(err)
		}
		if opt.From = res.Next; hits >= limit || res.Next == 0 {
			break
		}
	}
	for _, s := range m.segments {
		reads += s.rows.reads
	}
	return hits, reads
}

// BenchmarkRelevance scores the newest thousand hits of three words, any of them, and keeps the best fifty.
func BenchmarkRelevance(b *testing.B) {
	m := large()
	w := m.words.words
	q := Or{Word(0, w[20]), Word(0, w[200]), Word(0, w[2000])}
	b.ReportAllocs()
	for b.Loop() {
		if n := len(ranked(b, m, q)); n != 50 {
			b.Fatal(n)
		}
	}
}

type scored struct {
	seq   int64
	score float64
}

func ranked(b *testing.B, m *mailboxIndex, q Query) []scored {
	ctx := context.Background()
	all := readers(m.segments)
	stats, err := TotalStats(ctx, all)
	if err != nil {
		b.Fatal(err)
	}
	counts, err := Frequencies(ctx, all, q)
	if err != nil {
		b.Fatal(err)
	}
	mean := float64(stats.Tokens[3]) / float64(stats.Docs)
	var hits []scored
	_, err = Eval(ctx, all, q, Options{}, func(h Hit) bool {
		sizes, err := h.Sizes(ctx)
		if err != nil {
			b.Fatal(err)
		}
		score := 0.0
		for i, l := range h.Leaves {
			f := float64(l.Freq)
			idf := math.Log(1 + (float64(stats.Docs-counts[i])+0.5)/(float64(counts[i])+0.5))
			score += idf * f * 2.2 / (f + 1.2*(0.25+0.75*float64(sizes[3])/mean))
		}
		hits = append(hits, scored{h.Seq, score})
		return len(hits) < 1000
	})
	if err != nil {
		b.Fatal(err)
	}
	slices.SortFunc(hits, func(x, y scored) int { return int(math.Copysign(1, y.score-x.score)) })
	return hits[:50]
}

// BenchmarkGrow reports what a mail costs with all merges until the mailbox has n: from batches, and one by one.
func BenchmarkGrow(b *testing.B) {
	for _, batch := range []int{1, batchDocs} {
		b.Run(map[int]string{1: "single", batchDocs: "batch"}[batch], func(b *testing.B) {
			docs := *benchDocs
			var m *mailboxIndex
			for b.Loop() {
				m = grow(b, docs, batch, *benchWords)
			}
			n := float64(docs)
			b.ReportMetric(float64(m.build.Microseconds())/n, "build-µs/mail")
			b.ReportMetric(float64(m.merge.Microseconds())/n, "merge-µs/mail")
			b.ReportMetric(float64(m.written)/float64(m.bytes()), "written")
			b.ReportMetric(float64(m.bytes())/n, "B/mail")
			b.ReportMetric(float64(len(m.segments)), "segments")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkDictionary finds terms in one segment.
func BenchmarkDictionary(b *testing.B) {
	s := buildMails(b, newMailWords(5, 20_000), ID{1, 1}, 0, batchDocs, mailBody)
	absent := strings.Repeat("q", 9)
	for b.Loop() {
		if p, err := s.Term(b.Context(), absent); p != nil || err != nil {
			b.Fatal(p, err)
		}
	}
}
