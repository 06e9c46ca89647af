package postgres

import (
	"context"
	"log/slog"
	"net"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/postgres/pgtest"
	"github.com/mailkin/mailkin/internal/wake"
)

// mute listens at an address and never says a word.
func mute(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var open sync.WaitGroup
	open.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { _ = c.Close() })
		}
	})
	t.Cleanup(func() { _ = l.Close(); open.Wait() })
	return l.Addr().String()
}

// behind returns the URL of a database with a host before its own.
func behind(t *testing.T, first, database string) string {
	t.Helper()
	u, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	u.Host = first + "," + u.Host
	return u.String()
}

// A host that does not answer costs the first connection its time, and no other; nodes hear each other all the same.
func TestSilentHost(t *testing.T) {
	t.Parallel()
	database := pgtest.URL(t)
	at := behind(t, mute(t), database)
	db := openStore(t, at, Options{MaxConns: 10})
	for range 8 {
		conn, err := db.pool.Acquire(t.Context()) // each another one
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(conn.Release)
	}
	node := startNode(t, db.pool)
	if !node.Hearing() {
		t.Error("it does not hear, it says")
	}
	other, err := NewNotifier(db.pool, at, slog.New(slog.DiscardHandler)) // by a URL of its own
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	heard := make(chan struct{}, 100)
	running.Go(func() { other.Run(ctx, func([]wake.Notice) { heard <- struct{}{} }) })
	<-heard
	other.Tell(wake.Notice{Topic: wake.Mail, Num: 7})
	if got := node.next(); got.Num != 7 {
		t.Errorf("heard %v", got)
	}
}

// A primary that is frozen, so that the system goes on acknowledging for it, is given up for the standby that took
// over: what waits for an answer of it does not wait for its whole time.
func TestFrozenPrimary(t *testing.T) {
	t.Parallel()
	primary := pgtest.Start(t)
	database := primary.URL(t)
	standby := primary.Standby(t)
	u, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	u.Host += "," + standby.Addr()
	k := openEra(t, u.String())
	k.insert()
	k.append(1)
	standby.Detach(t, primary)
	primary.Pause(t)
	stuck := make(chan error, 1)
	go func() {
		stuck <- k.db.Update(context.Background(), func(tx store.Tx) error {
			return tx.AppendEvent(context.Background(), &mailbox.Event{Mailbox: k.box, Kind: mailbox.MessageBounced})
		})
	}()
	standby.Promote(t)
	began := time.Now()
	for {
		err := k.db.Update(t.Context(), func(tx store.Tx) error {
			return tx.AppendEvent(t.Context(), &mailbox.Event{Mailbox: k.box, Kind: mailbox.MessageBounced})
		})
		if err == nil {
			break
		}
		if time.Since(began) > time.Minute {
			t.Fatal(err)
		}
	}
	took := time.Since(began)
	t.Logf("the first update after the promotion took %v", took.Round(time.Millisecond))
	if took > updateTime/2 {
		t.Errorf("the first update after the promotion took %v", took)
	}
	<-stuck // it is stored or not, and its caller is told
}
