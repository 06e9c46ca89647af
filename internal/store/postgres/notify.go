package postgres

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/mailkin/mailkin/internal/background"
	"github.com/mailkin/mailkin/internal/wake"
)

// Notifier tells other nodes what has happened on this one, and hears what has happened on them, by NOTIFY and LISTEN.
//
// Notices are sent after the commit and outside of any transaction: a NOTIFY inside of one makes commits wait for each
// other. They are gathered, so that a node sends at most two hundred times a second, however much it has to tell, and
// less often where many nodes do. A notice can be lost with a connection, so those that need it also look by themselves
// now and then; after every new connection everything is to be looked at.
//
// LISTEN belongs to a connection, so it needs one that goes straight to the server: behind a transaction pooler it
// hears nothing, without an error. Where the database's URL is a pooler's, NewNotifier is to be given another one; with
// none there must be no Notifier, and the slow look is all there is. Sending works through a pooler too.
type Notifier struct {
	node   string
	send   *pgx.ConnConfig
	listen *pgx.ConnConfig
	log    *slog.Logger
	// silence is how long nothing may be heard before the connection is tried.
	silence time.Duration
	hosts   *hosts // of the URL for listening; nil: they are the pool's
	hearing atomic.Bool

	mu      sync.Mutex
	waiting map[wake.Notice]struct{}
	told    chan struct{}        // something is waiting
	heard   map[string]time.Time // other nodes, and when they last told something
}

const (
	noticeChannel = "mailkin_wake"
	// noticePause is the least time between two sendings of a node. Each node that sends, too, adds noticeShare: so all
	// nodes together send a thousand times a second at most.
	noticePause, noticeShare = 5 * time.Millisecond, time.Millisecond
	// noticeSends is how long a node counts as one that sends.
	noticeSends = 5 * time.Second
	// noticesWaiting is how many notices are kept apart. More are everything.
	noticesWaiting = 20_000
	// noticePatience is the deadline of a sending, and of a sign of life.
	noticePatience = 5 * time.Second
	noticeSilence  = 3 * time.Second
	// noticeRetry is the first pause after a failure. It doubles up to noticeRetryMost.
	noticeRetry, noticeRetryMost = 50 * time.Millisecond, time.Second
	// noticeLog is how often a failure that lasts is logged.
	noticeLog = 30 * time.Second
)

// NewNotifier returns the notifier of a node. It sends to the pool's database, and listens there or at listenURL.
func NewNotifier(pool *pgxpool.Pool, listenURL string, log *slog.Logger) (*Notifier, error) {
	n := &Notifier{node: rand.Text()[:nodeChars], send: pool.Config().ConnConfig, log: log, silence: noticeSilence,
		waiting: make(map[wake.Notice]struct{}), told: make(chan struct{}, 1), heard: make(map[string]time.Time)}
	n.listen = n.send.Copy()
	if listenURL != "" {
		var err error
		if n.listen, err = pgx.ParseConfig(listenURL); err != nil {
			return nil, errors.New("the database's URL for listening cannot be read") // the error may show the password
		}
		n.hosts = hostsOf(n.listen)
	}
	for _, c := range []*pgx.ConnConfig{n.send, n.listen} {
		c.OnNotification = nil
		if c.ConnectTimeout == 0 {
			c.ConnectTimeout = connectTime
		}
	}
	return n, nil
}

// Tell tells the other nodes, soon. It never blocks, and costs nothing if the same is waiting to be told.
func (n *Notifier) Tell(notices ...wake.Notice) {
	n.mu.Lock()
	for _, notice := range notices {
		n.waiting[notice] = struct{}{}
	}
	if len(n.waiting) > noticesWaiting {
		clear(n.waiting)
		n.waiting[wake.Notice{Topic: wake.Everything}] = struct{}{}
	}
	n.mu.Unlock()
	select {
	case n.told <- struct{}{}:
	default: // it is known
	}
}

// take returns what is waiting.
func (n *Notifier) take() []wake.Notice {
	n.mu.Lock()
	defer n.mu.Unlock()
	list := make([]wake.Notice, 0, len(n.waiting))
	for notice := range n.waiting {
		list = append(list, notice)
	}
	n.waiting = make(map[wake.Notice]struct{})
	return list
}

// Run sends and listens until ctx ends. It calls hear with what other nodes told, from one goroutine, which must not be
// kept waiting; with wake.Everything whenever it has begun to listen, because what was told before is not heard.
func (n *Notifier) Run(ctx context.Context, hear func([]wake.Notice)) {
	var both sync.WaitGroup
	both.Go(func() { n.sendAll(ctx) })
	both.Go(func() { n.listenAll(ctx, hear) })
	if n.hosts != nil {
		both.Go(func() { n.hosts.watch(ctx) })
	}
	both.Wait()
}

// Hearing tells whether notices of other nodes are heard now.
func (n *Notifier) Hearing() bool { return n.hearing.Load() }

// listenAll listens, and connects again when the connection is lost.
func (n *Notifier) listenAll(ctx context.Context, hear func([]wake.Notice)) {
	retry, logged := noticeRetry, time.Time{}
	for {
		began, err := n.listenOnce(ctx, hear)
		n.hearing.Store(false)
		if ctx.Err() != nil {
			return
		}
		if began {
			retry, logged = noticeRetry, time.Time{}
		}
		if time.Since(logged) > noticeLog {
			logged = time.Now()
			n.log.Warn("listen for other nodes", "error", err, "again_in", retry)
		}
		if !background.Sleep(ctx, retry) {
			return
		}
		retry = min(2*retry, noticeRetryMost)
	}
}

// listenOnce listens until the connection is lost. began: it was there.
func (n *Notifier) listenOnce(ctx context.Context, hear func([]wake.Notice)) (began bool, err error) {
	conn, err := connectFor(ctx, n.listen)
	if err != nil {
		return false, err
	}
	defer hangUp(conn)
	if err := within(ctx, func(ctx context.Context) error {
		_,
			err := conn.Exec(ctx, "LISTEN "+noticeChannel)
		return err
	}); err != nil {
		return false, err
	}
	n.hearing.Store(true)
	hear([]wake.Notice{{Topic: wake.Everything}})
	for {
		wait, cancel := context.WithTimeout(ctx, n.silence)
		got, err := conn.WaitForNotification(wait)
		silent := wait.Err() != nil
		cancel()
		switch {
		case err == nil:
			if list := n.foreign(got.Payload); len(list) > 0 {
				hear(list)
			}
			continue
		case !silent || ctx.Err() != nil:
			return true, fmt.Errorf("wait for a notice: %w", err)
		}
		if err := within(ctx, conn.Ping); err != nil { // a connection that was cut is silent too
			return true, fmt.Errorf("try the connection: %w", err)
		}
	}
}

// foreign returns the notices of a payload that is another node's.
func (n *Notifier) foreign(payload string) []wake.Notice {
	node, list := readPayload(payload)
	if node == n.node {
		return nil
	}
	n.mu.Lock()
	n.heard[node] = time.Now()
	n.mu.Unlock()
	return list
}

// pause is the time between two sendings, by how many nodes send.
func (n *Notifier) pause() time.Duration {
	n.mu.Lock()
	defer n.mu.Unlock()
	maps.DeleteFunc(n.heard, func(_ string, at time.Time) bool { return time.Since(at) > noticeSends })
	return max(noticePause, time.Duration(len(n.heard)+1)*noticeShare)
}

// connectFor opens a connection of the notifier's own.
func connectFor(ctx context.Context, config *pgx.ConnConfig) (*pgx.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, connectWithin(config))
	defer cancel()
	return pgx.ConnectConfig(ctx, config.Copy())
}

// within does something that has noticePatience for it.
func within(ctx context.Context, do func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, noticePatience)
	defer cancel()
	return do(ctx)
}

func hangUp(conn *pgx.Conn) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = conn.Close(ctx) // nothing is waited for
}
