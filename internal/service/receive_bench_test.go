package service_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/netip"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/blob"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/store/sqlite"
)

// BenchmarkReceive is the way of a mail from the end of DATA to the 250, in 100 mailboxes, with as many senders at a
// time as the sub-benchmark's name says.
func BenchmarkReceive(b *testing.B) {
	for _, size := range []int{4 << 10, 100 << 10} {
		for _, senders := range []int{1, 10, 50} {
			b.Run(fmt.Sprintf("%dKB/%d", size>>10, senders),
				func(b *testing.B) { benchmarkReceive(b, size, senders, slog.New(slog.DiscardHandler)) })
		}
	}
}

func benchmarkReceive(b *testing.B, size, senders int, log *slog.Logger) {
	ctx := context.Background()
	dir := b.TempDir()
	db, err := sqlite.Open(filepath.Join(dir, "mail.db"))
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	blobs, err := blob.OpenDir(filepath.Join(dir, "blobs"))
	if err != nil {
		b.Fatal(err)
	}
	defer blobs.Close()
	const token = "operator-token-for-benchmarks"
	svc, err := service.Open(ctx, service.Options{Store: db, Blobs: blobs, Domains: []string{"example.test"},
		Configured: "ops@example.test", Operator: token, Limits: mailbox.DefaultLimits(), Now: time.Now,
		AllowPrivate: func(netip.Addr) bool { return false }, MinFree: func(uint64) uint64 { return 0 }, Log: log})
	if err != nil {
		b.Fatal(err)
	}
	who, err := svc.Authenticate(ctx, token)
	if err != nil {
		b.Fatal(err)
	}
	in, err := svc.Enter(ctx, who, service.Act{Need: mailbox.Moderate})
	if err != nil {
		b.Fatal(err)
	}
	for i := range 100 {
		if _, err := svc.CreateMailbox(ctx, in, service.NewMailbox{Name: fmt.Sprintf("user%d", i)}); err != nil {
			b.Fatal(err)
		}
	}
	body := benchmarkBody(size)
	var n atomic.Int64
	b.SetBytes(int64(size))
	b.SetParallelism((senders + 1) / 2)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			i := n.Add(1)
			head := fmt.Sprintf("Received: from a by b; Mon, 2 Jan 2006 15:04:05 +0000\r\nFrom: Jo "+
				"<jo@sender.test>\r\nTo: user%d@example.test\r\n"+
				"Subject: Message %d\r\nMessage-ID: <%d@sender.test>\r\nDate: Mon, 2 Jan 2006 15:04:05 +0000\r\n"+
				"Content-Type: text/plain; charset=utf-8\r\n\r\n", i%100, i, i)
			to, err := svc.Recipient(ctx, fmt.Sprintf("user%d@example.test", i%100))
			if err != nil {
				b.Error(err)
				return
			}
			env := mailbox.Envelope{Recipients: []mailbox.Recipient{to}}
			receipts, err := svc.Receive(ctx, env, bytes.NewReader(append([]byte(head), body...)))
			if err != nil || receipts[0].Err != nil {
				b.Error(err, receipts)
				return
			}
		}
	})
}

// benchmarkBody is text of words that repeat about as often as those of real mail.
func benchmarkBody(size int) []byte {
	rnd := rand.New(rand.NewPCG(1, 2))
	words := make([]string, 2000)
	for i := range words {
		w := make([]byte, 2+rnd.IntN(9))
		for j := range w {
			w[j] = byte('a' + rnd.IntN(26))
		}
		words[i] = string(w)
	}
	var b strings.Builder
	for line := 0; b.Len() < size; {
		w := words[int(float64(len(words))*rnd.Float64()*rnd.Float64())]
		b.WriteString(w)
		if line += len(w) + 1; line > 70 {
			b.WriteString("\r\n")
			line = 0
		} else {
			b.WriteByte(' ')
		}
	}
	return []byte(b.String()[:size])
}
