package index_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/sqlite"
)

// BenchmarkSearchInChurn is what a search takes while mail comes and goes: 300 messages a second in and as many
// deleted, over 50 mailboxes, with bodies of 375 different words, and three readers. MAILKIN_TEST_CHURN says for how
// many seconds, and how long a message lives. It prints the medians of a search by words and of one by relevance, how
// large the index is for each message, at its largest and at the median of all seconds, compared with one just made,
// and what it is made of. docs/speed.md has the command.
func BenchmarkSearchInChurn(b *testing.B) {
	var seconds, lives int
	if given := os.Getenv("MAILKIN_TEST_CHURN"); given == "" {
		b.Skip("MAILKIN_TEST_CHURN is not set: 60,49 is a minute, with messages that live for 49 seconds")
	} else if _, err := fmt.Sscanf(given, "%d,%d", &seconds, &lives); err != nil {
		b.Fatal(err)
	}
	for range b.N {
		c := newChurn(b)
		ctx, stop := context.WithCancel(context.Background())
		var working sync.WaitGroup
		working.Go(func() { _ = c.svc.Index().Run(ctx) })
		c.mailFor(ctx, &working, time.Duration(lives)*time.Second)
		c.wait(b, lives+lives/2) // until as much goes as comes
		written := processWrites()
		for i := range 3 {
			working.Go(func() { c.read(ctx, b, uint64(i)) })
		}
		came := c.came()
		sizes := c.wait(b, seconds)
		came, written = c.came()-came, processWrites()-written
		stop()
		working.Wait()
		c.svc.Index().Wait()
		c.describe(b)
		if err := c.close(); err != nil {
			b.Fatal(err)
		}
		c.report(b, sizes, float64(written)/float64(max(came, 1)))
	}
}

// churn is a service on which mail comes and goes.
type churn struct {
	svc   *service.Service
	close func() error
	index store.Index
	nums  []mailbox.Num
	dir   string
	boxes []service.Access
	words []string

	gone             atomic.Int64 // messages that were deleted
	mu               sync.Mutex
	stored           int
	byWords, byScore []time.Duration
}

const churnBoxes, churnRate = 50, 300

func newChurn(b *testing.B) *churn {
	c := &churn{dir: b.TempDir()}
	db, err := sqlite.Open(filepath.Join(c.dir, "mail.db"))
	if err != nil {
		b.Fatal(err)
	}
	index := sqlite.OpenIndex(filepath.Join(c.dir, "index.db"))
	c.index = index
	c.svc = benchmarkServiceOn(b, c.dir, db, index)
	c.close = func() error { return errors.Join(index.Close(), db.Close()) }
	base := newBenchWords().list
	for i := range base {
		c.words = append(c.words, fmt.Sprint(base[i%400], i))
	}
	ctx := context.Background()
	who, err := c.svc.Authenticate(ctx, operatorToken)
	if err != nil {
		b.Fatal(err)
	}
	for i := range churnBoxes {
		in, err := c.svc.Enter(ctx, who, service.Act{Need: mailbox.Moderate})
		if err == nil {
			var made service.CreatedMailbox
			made, err = c.svc.CreateMailbox(ctx, in, service.NewMailbox{Name: fmt.Sprintf("user%d", i)})
			c.nums = append(c.nums, made.Num)
		}
		if err == nil {
			in, err = c.svc.Enter(ctx, who, service.Act{Need: mailbox.Moderate,
				Mailbox: fmt.Sprintf("user%d@example.test", i)})
		}
		if err != nil {
			b.Fatal(err)
		}
		c.boxes = append(c.boxes, in)
	}
	return c
}

type livingMail struct {
	box int
	id  mailbox.ID
	at  time.Time
}

// mailFor has mail come at its rate, and go when its life is over.
func (c *churn) mailFor(ctx context.Context, working *sync.WaitGroup, life time.Duration) {
	living := make(chan livingMail, 1<<20)
	const senders = 3
	for i := range senders {
		working.Go(func() {
			rnd := rand.New(rand.NewPCG(22, uint64(i)))
			tick := time.NewTicker(senders * time.Second / churnRate)
			defer tick.Stop()
			for n := i; ctx.Err() == nil; n += senders {
				<-tick.C
				address := fmt.Sprintf("user%d@example.test", n%churnBoxes)
				to, err := c.svc.Recipient(ctx, address)
				if err != nil {
					continue
				}
				receipts, err := c.svc.Receive(ctx, mailbox.Envelope{Recipients: []mailbox.Recipient{to}},
					c.mail(rnd, address, n))
				if err == nil && receipts[0].Err == nil {
					living <- livingMail{n % churnBoxes, receipts[0].ID, time.Now()}
					c.mu.Lock()
					c.stored++
					c.mu.Unlock()
				}
			}
		})
	}
	for range senders {
		working.Go(func() {
			for ctx.Err() == nil {
				select {
				case m := <-living:
					if !sleepUntil(ctx, m.at.Add(life)) {
						return
					}
					if c.svc.DeleteMessage(ctx, c.boxes[m.box], m.id) == nil {
						c.gone.Add(1)
					}
				case <-ctx.Done():
				}
			}
		})
	}
}

func sleepUntil(ctx context.Context, at time.Time) bool {
	t := time.NewTimer(time.Until(at))
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// read searches, once by words and once by relevance, again and again.
func (c *churn) read(ctx context.Context, b *testing.B, seed uint64) {
	rnd := rand.New(rand.NewPCG(seed, 3))
	for ctx.Err() == nil {
		in := c.boxes[rnd.IntN(len(c.boxes))]
		q := service.InboxQuery{Query: c.words[rnd.IntN(len(c.words))], Mode: "keyword", Page: service.Page{Limit: 20}}
		began := time.Now()
		_, err := c.svc.Inbox(ctx, in, q)
		words := time.Since(began)
		began = time.Now()
		if err == nil {
			q.Query = "common " + q.Query[:2] + "*"
			_, err = c.svc.Search(ctx, in, q)
		}
		if err != nil && ctx.Err() == nil {
			b.Error(err)
			return
		}
		c.mu.Lock()
		c.byWords, c.byScore = append(c.byWords, words), append(c.byScore, time.Since(began))
		c.mu.Unlock()
	}
}

// live is how many messages are there.
func (c *churn) live() int { return c.came() - int(c.gone.Load()) }

func (c *churn) came() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.stored
}

// wait lets the load run, and gives how many bytes the index takes for a message at every second of it, sorted.
func (c *churn) wait(b *testing.B, seconds int) (sizes []float64) {
	b.Helper()
	for range seconds {
		time.Sleep(time.Second)
		sizes = append(sizes, float64(indexSize(b, c.dir))/float64(max(c.live(), 1)))
	}
	slices.Sort(sizes)
	return sizes
}

// describe says what the index is made of: that tells where room goes that a fresh one does not take.
func (c *churn) describe(b *testing.B) {
	var segments, small, docs, gone int
	var bytes int64
	for _, num := range c.nums {
		list, err := c.index.Segments(context.Background(), num)
		if err != nil {
			b.Fatal(err)
		}
		for _, sg := range list {
			segments, docs, gone, bytes = segments+1, docs+sg.Docs, gone+sg.Dropped, bytes+sg.Bytes
			if sg.Docs < 10 {
				small++
			}
		}
	}
	b.Logf("%d messages in %d segments, %d of them small; %d messages of them deleted; %.1f MB of segments",
		docs, segments, small, gone, float64(bytes)/1e6)
}

func median(list []time.Duration) float64 {
	slices.Sort(list)
	if len(list) == 0 {
		return 0
	}
	return float64(list[len(list)/2].Microseconds()) / 1000
}

// freeBytes is how much of the file of the index, which is closed, is free.
func freeBytes(b *testing.B, dir string) int64 {
	file, err := os.Open(filepath.Join(dir, "index.db"))
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	var head [40]byte // of SQLite: 16 is the size of a page, 36 how many are free
	if _, err := file.ReadAt(head[:], 0); err != nil {
		b.Fatal(err)
	}
	return int64(binary.BigEndian.Uint16(head[16:])) * int64(binary.BigEndian.Uint32(head[36:]))
}

// report rebuilds the index for comparison.
func (c *churn) report(b *testing.B, sizes []float64, written float64) {
	fresh := float64(freshIndexSize(b, c.dir)) / float64(max(c.live(), 1))
	b.ReportMetric(median(c.byWords), "ms-words")
	b.ReportMetric(median(c.byScore), "ms-relevance")
	most, middle := sizes[len(sizes)-1], sizes[len(sizes)/2]
	b.ReportMetric(most/fresh, "index/fresh")
	b.ReportMetric(middle/fresh, "index/fresh-median")
	b.ReportMetric(float64(indexSize(b, c.dir))/1e6, "index-MB")
	b.ReportMetric(float64(c.live()), "messages")
	b.ReportMetric(float64(freeBytes(b, c.dir))/1e6, "free-MB")
	b.ReportMetric(written/1000, "KB-written/mail")
	b.ReportMetric(float64(len(c.byWords)), "searches")
	b.ReportMetric(0, "ns/op")
}

// indexSize is what the file of the index takes, without its log.
func indexSize(b *testing.B, dir string) int64 {
	info, err := os.Stat(filepath.Join(dir, "index.db"))
	if err != nil {
		b.Fatal(err)
	}
	return info.Size()
}

// processWrites is how many bytes this process has written, where that can be seen.
func processWrites() int64 {
	text, _ := os.ReadFile("/proc/self/io")
	_, rest, _ := strings.Cut(string(text), "wchar: ")
	line, _, _ := strings.Cut(rest, "\n")
	n, _ := strconv.ParseInt(line, 10, 64)
	return n
}

// freshIndexSize is what the index of the same mail takes when it was just made.
func freshIndexSize(b *testing.B, dir string) int64 {
	ctx := context.Background()
	index := sqlite.OpenIndex(filepath.Join(dir, "fresh.db"))
	db, err := sqlite.Open(filepath.Join(dir, "mail.db"))
	if err != nil {
		b.Fatal(err)
	}
	svc := benchmarkServiceOn(b, dir, db, index)
	if err := svc.Index().NewIndexer().Catch(ctx); err != nil {
		b.Fatal(err)
	}
	for more := true; more && err == nil; {
		more, err = index.Scrub(ctx, math.MaxInt64)
	}
	if err = errors.Join(err, index.Close(), db.Close()); err != nil {
		b.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(dir, "fresh.db"))
	if err != nil {
		b.Fatal(err)
	}
	return info.Size()
}

// mail is a message of 375 different words, a few of which all have.
func (c *churn) mail(rnd *rand.Rand, to string, n int) *strings.Reader {
	var m strings.Builder
	fmt.Fprintf(&m, "From: Jo <jo@sender.test>\r\nTo: %s\r\nSubject: common number %d\r\nMessage-ID: "+
		"<%d@sender.test>\r\n\r\n", to, n, n)
	first := rnd.IntN(len(c.words))
	for i := range 375 {
		m.WriteString(c.words[(first+i*53)%len(c.words)])
		m.WriteString([]string{" ", " ", " ", " ", "\r\n"}[i%5])
	}
	return strings.NewReader(m.String())
}
