package service_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/blob"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/sqlite"
	"github.com/mailkin/mailkin/internal/webhook"
)

// BenchmarkWebhooks brings events that wait in the store to one fast receiver, every step of it durable, and holds that
// against a plain loop of POSTs to the same receiver, one and eight at a time. "of-plain" is the part of the loop's
// rate that is reached (0.25 is needed, 0.5 the aim).
func BenchmarkWebhooks(b *testing.B) {
	var posts atomic.Int64
	arrived := make(chan struct{}, 1)
	r := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		_, _ = io.Copy(io.Discard, req.Body)
		posts.Add(1)
		select {
		case arrived <- struct{}{}:
		default:
		}
	}))
	defer r.Close()
	allowed := func(netip.Addr) bool { return true }
	poster := webhook.New(webhook.Options{AllowPrivate: allowed})
	defer poster.Close()
	svc, body := benchmarkHooks(b, r.URL, service.Options{Poster: poster, AllowPrivate: allowed})

	b.ResetTimer()
	began := time.Now()
	ctx, stop := context.WithCancel(b.Context())
	runner := webhook.NewRunner(svc, poster, webhook.RunnerOptions{Grace: time.Second,
		Log: slog.New(slog.DiscardHandler), Now: time.Now})
	var running sync.WaitGroup
	running.Go(func() { runner.Run(ctx) })
	for posts.Load() < int64(b.N) {
		<-arrived
	}
	took := time.Since(began)
	b.StopTimer()
	stop()
	running.Wait()
	b.ReportMetric(float64(plainPosts(b, r.URL, body, 1))/float64(took), "of-plain-1")
	b.ReportMetric(float64(plainPosts(b, r.URL, body, 8))/float64(took), "of-plain-8")
}

// benchmarkHooks makes a service with b.N events that are due.
func benchmarkHooks(b *testing.B, url string, o service.Options) (*service.Service, []byte) {
	db, err := sqlite.Open(filepath.Join(b.TempDir(), "mail.db"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = db.Close() })
	blobs, err := blob.OpenDir(filepath.Join(b.TempDir(), "blobs"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = blobs.Close() })
	o.Store, o.Blobs, o.Domains, o.Configured, o.Operator = db, blobs, []string{"example.test"}, configured,
		operatorToken
	o.Limits, o.Now, o.Log, o.WebhookSecret = mailbox.DefaultLimits(), time.Now, slog.New(slog.DiscardHandler), "secret"
	svc, err := service.Open(b.Context(), o)
	if err != nil {
		b.Fatal(err)
	}
	body := append([]byte(`{"subject":"`), append(bytes.Repeat([]byte("a"), 500), `"}`...)...)
	err = db.Update(b.Context(), func(tx store.Tx) error {
		box, err := tx.MailboxAt(b.Context(), configured)
		if err != nil {
			return err
		}
		box.Webhook.URL = url
		if err := tx.UpdateMailbox(b.Context(), box); err != nil {
			return err
		}
		target, err := tx.HookTarget(b.Context(), box.Num, url)
		for i := 0; i < b.N && err == nil; i++ {
			err = tx.InsertHook(b.Context(), &mailbox.Hook{ID: mailbox.NewID(time.Now()), Mailbox: box.Num,
				Target: target.Number,
				Kind:   mailbox.MessageReceived, Body: body, At: time.Now(), State: mailbox.HookPending,
				NextAt: time.Now()})
		}
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return svc, body
}

// plainPosts is how long b.N plain POSTs take, n at a time.
func plainPosts(b *testing.B, url string, body []byte, together int) time.Duration {
	transport := &http.Transport{MaxIdleConnsPerHost: together}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	began := time.Now()
	var n atomic.Int64
	var loops sync.WaitGroup
	for range together {
		loops.Go(func() {
			for n.Add(1) <= int64(b.N) {
				resp, err := client.Post(url, "application/json", bytes.NewReader(body))
				if err != nil {
					b.Error(err)
					return
				}
				_, _ = io.Copy(io.Discard, resp.Body)
				_ = resp.Body.Close()
			}
		})
	}
	loops.Wait()
	return time.Since(began)
}
