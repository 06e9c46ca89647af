package segment

import (
	"context"
	"flag"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"
)

const (
	mailBody  = 588 // with subject and addresses 600 words
	batchDocs = 1024
)

// The mailbox of the query benchmarks is small enough for every day; 102400 mails are what the requirements speak of.
var (
	benchDocs  = flag.Int("docs", 16<<10, "mails in the mailbox of the query benchmarks")
	benchWords = flag.Int("words", mailBody, "words of each")
)

// batch are mails ready to be indexed, the same in every run.
var batch = sync.OnceValue(func() [][]Token {
	words := newMailWords(1, 20_000)
	var mails [][]Token
	for range batchDocs {
		mails = append(mails, words.mail(nil, mailBody))
	}
	return mails
})

func perMail(b *testing.B, start time.Duration, docs int, bytes int64) {
	b.ReportMetric(float64((cpuTime()-start).Microseconds())/float64(b.N*docs), "cpu-µs/mail")
	b.ReportMetric(float64(bytes)/float64(docs), "B/mail")
}

// BenchmarkBuild indexes mail of 600 words in segments of n messages.
func BenchmarkBuild(b *testing.B) {
	for _, size := range []int{1, 8, 64, 1024} {
		b.Run(strconv.Itoa(size), func(b *testing.B) {
			mails := batch()
			builder := NewBuilder()
			var bytes int64
			b.ReportAllocs()
			start := cpuTime()
			for b.Loop() {
				bytes = 0
				for from := 0; from < batchDocs; from += size {
					builder.Reset()
					for i, mail := range mails[from : from+size] {
						if err := builder.Add(int64(from+i+1), slices.Values(mail)); err != nil {
							b.Fatal(err)
						}
					}
					meta, err := builder.Write(discard{}, ID{1, 1})
					if err != nil {
						b.Fatal(err)
					}
					bytes += meta.Bytes
				}
			}
			perMail(b, start, batchDocs, bytes)
		})
	}
}

type discard struct{}

func (discard) WriteBlock(int, []byte) error { return nil }

// BenchmarkMerge makes one segment of eight.
func BenchmarkMerge(b *testing.B) {
	for _, size := range []int{1, 8, 64, 1024} {
		b.Run("8x"+strconv.Itoa(size), func(b *testing.B) {
			segments := make([]kept, 8)
			words := newMailWords(2, 20_000)
			for i := range segments {
				segments[i] = buildMails(b, words, ID{1, int64(i + 1)}, i*size, size, mailBody)
			}
			var meta Meta
			b.ReportAllocs()
			start := cpuTime()
			for b.Loop() {
				var err error
				if meta, err = Merge(b.Context(), discard{}, ID{1, 99}, readers(segments), nil); err != nil {
					b.Fatal(err)
				}
			}
			perMail(b, start, meta.Docs, meta.Bytes)
		})
	}
}

func buildMails(b testing.TB, words *mailWords, id ID, from, n, body int) kept {
	builder := NewBuilder()
	var mail []Token
	for i := range n {
		mail = words.mail(mail, body)
		if err := builder.Add(int64(from+i+1), slices.Values(mail)); err != nil {
			b.Fatal(err)
		}
	}
	r := newRows()
	meta, err := builder.Write(r, id)
	if err != nil {
		b.Fatal(err)
	}
	return keep(id, meta, r)
}

// mailbox is an index that has grown as a store would let it grow.
type mailboxIndex struct {
	segments []kept
	words    *mailWords
	id       int64
	build    time.Duration
	merge    time.Duration
	written  int64
}

func grow(b testing.TB, docs, batch, body int) *mailboxIndex {
	m := &mailboxIndex{words: newMailWords(3, 20_000)}
	builder := NewBuilder()
	var mail []Token
	for from := 0; from < docs; from += batch {
		builder.Reset()
		for i := range batch {
			mail = m.words.mail(mail, body)
			start := cpuTime()
			if err := builder.Add(int64(from+i+1), slices.Values(mail)); err != nil {
				b.Fatal(err)
			}
			m.build += cpuTime() - start
		}
		m.id++
		r := newRows()
		start := cpuTime()
		meta, err := builder.Write(r, ID{1, m.id})
		m.build += cpuTime() - start
		if err != nil {
			b.Fatal(err)
		}
		m.written += meta.Bytes
		m.segments = append(m.segments, keep(ID{1, m.id}, meta, r))
		m.tidy(b)
	}
	return m
}

// tidy merges as long as Plan wants it.
func (m *mailboxIndex) tidy(b testing.TB) {
	for {
		var planned []Planned
		for _, s := range m.segments {
			planned = append(planned, Planned{ID: s.id, Docs: s.meta.Docs})
		}
		chosen := Plan(planned)
		if len(chosen) == 0 {
			return
		}
		var from, rest []kept
		for _, s := range m.segments {
			if slices.Contains(chosen, s.id) {
				from = append(from, s)
			} else {
				rest = append(rest, s)
			}
		}
		m.id++
		start := cpuTime()
		r := newRows()
		meta, err := Merge(context.Background(), r, ID{1, m.id}, readers(from), nil)
		if err != nil {
			b.Fatal(err)
		}
		merged := keep(ID{1, m.id}, meta, r)
		m.merge += cpuTime() - start
		m.written += merged.meta.Bytes
		m.segments = append(rest, merged)
	}
}

func (m *mailboxIndex) bytes() int64 {
	sum := int64(0)
	for _, s := range m.segments {
		sum += s.meta.Bytes
	}
	return sum
}

// large is the mailbox that the queries are asked of, made once.
var large = sync.OnceValue(func() *mailboxIndex { return grow(nil, *benchDocs, batchDocs, *benchWords) })
