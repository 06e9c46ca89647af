package postgres

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/mailkin/mailkin/internal/store/postgres/pgtest"
)

// What one sending of a node costs the server and all nodes together, where so many of 50 nodes listen to the channel
// that it is sent to. The others listen to another.
func BenchmarkNoticeListeners(b *testing.B) {
	for _, listening := range []int{1, 10, 50} {
		b.Run(fmt.Sprintf("listening=%d", listening), func(b *testing.B) { benchListeners(b, 50, listening) })
	}
}

func benchListeners(b *testing.B, nodes, listening int) {
	server := pgtest.Start(b, "max_connections=100")
	url := server.URL(b)
	var heard atomic.Int64
	all := make(chan struct{}, 1) // all that listen have heard a sending
	var reading sync.WaitGroup
	ctx, cancel := context.WithCancel(b.Context())
	defer func() { cancel(); reading.Wait() }()
	for i := range nodes {
		conn, err := pgx.Connect(ctx, url)
		if err != nil {
			b.Fatal(err)
		}
		channel := "other"
		if i < listening {
			channel = noticeChannel
		}
		if _, err := conn.Exec(ctx, "LISTEN "+channel); err != nil {
			b.Fatal(err)
		}
		reading.Go(func() {
			defer hangUp(conn)
			for {
				if _, err := conn.WaitForNotification(ctx); err != nil {
					return
				}
				if heard.Add(1)%int64(listening) == 0 {
					all <- struct{}{}
				}
			}
		})
	}
	sender, err := pgx.Connect(ctx, url)
	if err != nil {
		b.Fatal(err)
	}
	defer hangUp(sender)
	payload := strings.Repeat("1.4.a2 ", 100) // of some hundred mailboxes
	node, base := ownCPU(), server.CPU(b)
	for b.Loop() {
		if _, err := sender.Exec(ctx, `SELECT pg_notify($1, $2)`, noticeChannel, payload); err != nil {
			b.Fatal(err)
		}
		<-all
	}
	b.ReportMetric(float64((server.CPU(b)-base).Microseconds())/float64(b.N), "db-µs/sending")
	b.ReportMetric(float64((ownCPU()-node).Microseconds())/float64(b.N), "nodes-µs/sending")
}
