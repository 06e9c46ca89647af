package index_test

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/netip"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/blob"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/store/sqlite"
)

// BenchmarkIndex is what it costs to index mail of 4 KB, 600 words, that came in n at a time for m
// mailboxes: with the merges that follow.
func BenchmarkIndex(b *testing.B) {
	for _, boxes := range []int{1, 100} {
		for _, batch := range []int{1, 100, 1000} {
			b.Run(fmt.Sprintf("boxes=%d/batch=%d", boxes, batch),
				func(b *testing.B) { benchmarkIndex(b, boxes, batch) })
		}
	}
}

func benchmarkIndex(b *testing.B, boxes, batch int) {
	ctx := context.Background()
	svc := benchmarkService(b)
	who, err := svc.Authenticate(ctx, operatorToken)
	if err != nil {
		b.Fatal(err)
	}
	in, err := svc.Enter(ctx, who, service.Act{Need: mailbox.Moderate})
	if err != nil {
		b.Fatal(err)
	}
	for i := range boxes {
		if _, err := svc.CreateMailbox(ctx, in, service.NewMailbox{Name: fmt.Sprintf("user%d", i)}); err != nil {
			b.Fatal(err)
		}
	}
	x := svc.Index().NewIndexer()
	words := newBenchWords()
	var spent time.Duration
	b.ResetTimer()
	for done := 0; done < b.N; done += batch {
		b.StopTimer()
		benchmarkFill(b, svc, words, boxes, done, min(batch, b.N-done))
		b.StartTimer()
		began := cpuTime()
		if err := x.Catch(ctx); err != nil {
			b.Fatal(err)
		}
		spent += cpuTime() - began
	}
	b.ReportMetric(float64(spent.Microseconds())/float64(b.N), "cpu-µs/mail")
}

func benchmarkService(b *testing.B) *service.Service {
	dir := b.TempDir()
	db, err := sqlite.Open(filepath.Join(dir, "mail.db"))
	if err != nil {
		b.Fatal(err)
	}
	blobs, err := blob.OpenDir(filepath.Join(dir, "blobs"))
	if err != nil {
		b.Fatal(err)
	}
	index := sqlite.OpenIndex(filepath.Join(dir, "index.db"))
	b.Cleanup(func() {
		for _, close := range []func() error{index.Close, db.Close, blobs.Close} {
			if err := close(); err != nil {
				b.Error(err)
			}
		}
	})
	return openBenchmark(b, db, blobs, index)
}

// benchmarkServiceOn is a service on these, with its blobs in a folder.
func benchmarkServiceOn(b *testing.B, dir string, db *sqlite.DB, index *sqlite.Index) *service.Service {
	blobs, err := blob.OpenDir(filepath.Join(dir, "blobs"))
	if err != nil {
		b.Fatal(err)
	}
	return openBenchmark(b, db, blobs, index)
}

func openBenchmark(b *testing.B, db *sqlite.DB, blobs blob.Store, index *sqlite.Index) *service.Service {
	svc, err := service.Open(context.Background(), service.Options{Store: db, Blobs: blobs, Index: index, Alone: true,
		Domains:    []string{"example.test"},
		Configured: "ops@example.test", Operator: operatorToken, Limits: mailbox.DefaultLimits(), Now: time.Now,
		AllowPrivate: func(netip.Addr) bool { return false }, MinFree: func(uint64) uint64 { return 0 },
		Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		b.Fatal(err)
	}
	return svc
}

// benchmarkFill receives n messages from ten senders at a time.
func benchmarkFill(b *testing.B, svc *service.Service, words *benchWords, boxes, from, n int) {
	ctx := context.Background()
	var next atomic.Int64
	var senders sync.WaitGroup
	for w := range 10 {
		senders.Go(func() {
			rnd := rand.New(rand.NewPCG(uint64(from), uint64(w)))
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				address := fmt.Sprintf("user%d@example.test", (from+i)%boxes)
				to, err := svc.Recipient(ctx, address)
				if err != nil {
					b.Error(err)
					return
				}
				receipts, err := svc.Receive(ctx, mailbox.Envelope{Recipients: []mailbox.Recipient{to}},
					words.mail(rnd, address, from+i))
				if err != nil || receipts[0].Err != nil {
					b.Error(err, receipts)
					return
				}
			}
		})
	}
	senders.Wait()
}

// benchWords are words that occur about as often as those of real mail.
type benchWords struct{ list []string }

func newBenchWords() *benchWords {
	const syllables = "babecidodufagehikolumanepirosutavezixo"
	w := &benchWords{list: make([]string, 20_000)}
	for i := range w.list {
		var word strings.Builder
		for n := i + 1; n > 0; n /= 19 {
			at := n % 19 * 2
			word.WriteString(syllables[at : at+2])
		}
		w.list[i] = word.String()
	}
	return w
}

func (w *benchWords) word(rnd *rand.Rand) string {
	u := rnd.Float64()
	return w.list[int(float64(len(w.list))*u*u*u*u)]
}

func (w *benchWords) mail(rnd *rand.Rand, to string, n int) *strings.Reader {
	var m strings.Builder
	fmt.Fprintf(&m, "Received: from a by b; Mon, 2 Jan 2006 15:04:05 +0000\r\nFrom: Jo <jo@sender.test>\r\nTo: "+
		"%s\r\nSubject: %s %s %s\r\nMessage-ID: <%d@sender.test>\r\n"+
		"Date: Mon, 2 Jan 2006 15:04:05 +0000\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n", to, w.word(rnd),
		w.word(rnd), w.word(rnd), n)
	for line := 0; m.Len() < 4<<10; {
		word := w.word(rnd)
		m.WriteString(word)
		if line += len(word) + 1; line > 70 {
			m.WriteString("\r\n")
			line = 0
		} else {
			m.WriteByte(' ')
		}
	}
	return strings.NewReader(m.String())
}
