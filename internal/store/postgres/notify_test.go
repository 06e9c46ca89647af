package postgres

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store/postgres/pgtest"
	"github.com/mailkin/mailkin/internal/wake"
)

// noticePool returns a pool on an empty database: notices need no tables.
func noticePool(t testing.TB) *pgxpool.Pool {
	t.Helper()
	pool, err := pgxpool.New(t.Context(), pgtest.URL(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

// node is a notifier that runs, and what it has heard.
type node struct {
	*Notifier
	t     testing.TB
	heard chan wake.Notice
	stop  func()
}

var everything = wake.Notice{Topic: wake.Everything}

// startNode starts a notifier that listens when this returns.
func startNode(t testing.TB, pool *pgxpool.Pool) *node { return startNodeWith(t, pool, noticeSilence) }

func startNodeWith(t testing.TB, pool *pgxpool.Pool, silence time.Duration) *node {
	t.Helper()
	notifier, err := NewNotifier(pool, "", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	notifier.silence = silence
	n := &node{Notifier: notifier, t: t, heard: make(chan wake.Notice, 100_000)}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() {
		n.Run(ctx, func(list []wake.Notice) {
			for _, notice := range list {
				n.heard <- notice
			}
		})
	})
	n.stop = func() { cancel(); running.Wait() }
	t.Cleanup(n.stop)
	if first := n.next(); first != everything {
		t.Fatalf("%v before everything", first)
	}
	return n
}

// next returns the next notice that was heard.
func (n *node) next() wake.Notice {
	n.t.Helper()
	select {
	case notice := <-n.heard:
		return notice
	case <-time.After(time.Minute):
		n.t.Fatal("nothing was heard")
		return wake.Notice{}
	}
}

// hear waits for a notice. Others may come before it: what was sent when a connection was lost is sent again.
func (n *node) hear(want wake.Notice) {
	n.t.Helper()
	for n.next() != want {
	}
}

func TestNotifier(t *testing.T) {
	pool := noticePool(t)
	for _, c := range []struct {
		name string
		run  func(t *testing.T, pool *pgxpool.Pool)
	}{
		{"they hear each other", notifiersHearEachOther},
		{"what is told at the end", notifierTellsAtTheEnd},
		{"a connection that is lost", notifierConnectsAgain},
		{"a connection that is silent", notifierTriesItsConnection},
		{"a great deal to tell", notifierGathers},
		{"where it listens", notifierURL},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, pool) })
	}
}

func notifiersHearEachOther(t *testing.T, pool *pgxpool.Pool) {
	a, b, c := startNode(t, pool), startNode(t, pool), startNode(t, pool)
	for i, notice := range []wake.Notice{{Topic: wake.Mail, Num: 1}, {Topic: wake.Queue},
		{Topic: wake.Changed, Num: 1 << 62}, everything} {
		from, others := a, []*node{b, c}
		if i%2 == 1 {
			from, others = b, []*node{a, c}
		}
		from.Tell(notice)
		for _, other := range others {
			if got := other.next(); got != notice {
				t.Errorf("%v, want %v", got, notice)
			}
		}
	}
	c.Tell(wake.Notice{Topic: wake.Hooks, Num: 3})
	for _, n := range []*node{a, b} { // after it would be what they told themselves
		if got := n.next(); got.Num != 3 {
			t.Errorf("its own notice was heard: %v", got)
		}
	}
}

// What was told before the end is told.
func notifierTellsAtTheEnd(t *testing.T, pool *pgxpool.Pool) {
	a, b := startNode(t, pool), startNode(t, pool)
	for i := range 20 {
		a.Tell(wake.Notice{Topic: wake.Mail, Num: mailbox.Num(i)})
	}
	a.stop()
	for range 20 {
		b.next()
	}
}

// A connection that is lost is made again, and then everything is to be looked at.
func notifierConnectsAgain(t *testing.T, pool *pgxpool.Pool) {
	a, b := startNode(t, pool), startNode(t, pool)
	a.Tell(wake.Notice{Topic: wake.Mail, Num: 1})
	b.next()
	// Both listeners, and the connection that sends.
	_, err := pool.Exec(t.Context(), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
		WHERE datname = current_database() AND pid <> pg_backend_pid() AND (query LIKE 'LISTEN%' OR query LIKE '%pg_notify%')`)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []*node{a, b} {
		n.hear(everything)
	}
	a.Tell(wake.Notice{Topic: wake.Mail, Num: 2})
	b.hear(wake.Notice{Topic: wake.Mail, Num: 2})
}

// A silent connection is tried, and stays what it is.
func notifierTriesItsConnection(t *testing.T, pool *pgxpool.Pool) {
	a, b := startNode(t, pool), startNodeWith(t, pool, time.Millisecond)
	waitFor(t, pool, `SELECT count(*) > 0 FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%ping%' AND pid <> pg_backend_pid()`)
	a.Tell(wake.Notice{Topic: wake.Mail, Num: 2})
	if got := b.next(); got.Num != 2 {
		t.Errorf("%v: another connection", got)
	}
}

// However much a node has to tell, it does so a few times, and loses nothing.
func notifierGathers(t *testing.T, pool *pgxpool.Pool) {
	a, b := startNode(t, pool), startNode(t, pool)
	conn, err := pgx.Connect(t.Context(), pool.Config().ConnString())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if _, err := conn.Exec(t.Context(), "LISTEN "+noticeChannel); err != nil {
		t.Fatal(err)
	}
	const many, each = 1000, 10
	for i := range many * each {
		a.Tell(wake.Notice{Topic: wake.Mail, Num: mailbox.Num(i % many * 1000)})
	}
	last := wake.Notice{Topic: wake.Vectors}
	missing := many
	heard := make(map[wake.Notice]bool)
	for missing > 0 {
		n := b.next()
		if !heard[n] {
			heard[n] = true
			missing--
		}
	}
	a.Tell(last)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	payloads := 0
	for done := false; !done; payloads++ {
		got, err := conn.WaitForNotification(ctx)
		if err != nil {
			t.Fatal(err)
		}
		_, list := readPayload(got.Payload)
		done = slices.Contains(list, last)
	}
	if payloads > 100 {
		t.Errorf("%d times for %d", payloads, many*each)
	}
}

// A node that cannot send forgets which mailboxes, not that there is something.
func TestTellIsBounded(t *testing.T) {
	n := &Notifier{waiting: make(map[wake.Notice]struct{}), told: make(chan struct{}, 1)}
	for i := range noticesWaiting + 5 {
		n.Tell(wake.Notice{Topic: wake.Mail, Num: mailbox.Num(i)})
	}
	list := n.take()
	if len(list) > 5 {
		t.Errorf("%d are waiting", len(list))
	}
	found := false
	for _, notice := range list {
		found = found || notice == everything
	}
	if !found {
		t.Error("everything is not told")
	}
}

// The more nodes send, the longer each waits before it sends again.
func TestNoticePause(t *testing.T) {
	n := &Notifier{node: "000000000000", heard: make(map[string]time.Time)}
	for i := range 49 {
		n.foreign(fmt.Sprintf("1%012dm1", i+1))
		n.foreign("1000000000000m1") // its own
	}
	if p := n.pause(); p != 50*noticeShare {
		t.Errorf("%v among 50", p)
	}
	for node := range n.heard {
		n.heard[node] = time.Now().Add(-2 * noticeSends)
	}
	if p := n.pause(); p != noticePause || len(n.heard) > 0 {
		t.Errorf("%v alone, and %d are remembered", p, len(n.heard))
	}
}

func notifierURL(t *testing.T, pool *pgxpool.Pool) {
	log := slog.New(slog.DiscardHandler)
	if _, err := NewNotifier(pool, "postgres://u:geheim@[::bad", log); err == nil ||
		fmt.Sprint(err) != "the database's URL for listening cannot be read" {
		t.Errorf("%v", err)
	}
	other, err := NewNotifier(pool, "postgres://u@db.example:7000/x", log)
	if err != nil || other.listen.Host != "db.example" || other.send.Host != pool.Config().ConnConfig.Host {
		t.Errorf("%v", err)
	}
}

// BenchmarkNotice is the time from Tell on one node to hear on another: of a notice by itself, and of one that waits
// for its turn behind another.
func BenchmarkNotice(b *testing.B) {
	for name, apart := range map[string]time.Duration{"by itself": 2 * noticePause, "behind another": 0} {
		b.Run(name, func(b *testing.B) {
			pool := noticePool(b)
			one, other := startNode(b, pool), startNode(b, pool)
			var took []time.Duration
			for i := 0; b.Loop(); i++ {
				time.Sleep(apart)
				start := time.Now()
				one.Tell(wake.Notice{Topic: wake.Mail, Num: mailbox.Num(i)})
				other.next()
				took = append(took, time.Since(start))
			}
			reportPercentiles(b, took)
		})
	}
}
