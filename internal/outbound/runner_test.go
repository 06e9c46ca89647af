package outbound_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/outbound"
	"github.com/mailkin/mailkin/internal/service"
)

// queue is a queue in memory, with the rules of the real one: leases, and deliveries that are due at their times.
type queue struct {
	runner *outbound.Runner

	mu       sync.Mutex
	heard    chan struct{}
	list     []*mailbox.Delivery
	finished []string // recipient and outcome
	later    []mailbox.DeliveryStatus
}

func newQueue() *queue { return &queue{heard: make(chan struct{}, 1)} }

func (q *queue) put(n int, destinations ...string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i := range n * len(destinations) {
		id, destination := len(q.list)+1, destinations[i/n]
		q.list = append(q.list, &mailbox.Delivery{N: id, Recipient: fmt.Sprintf("%d@%s", id, destination),
			Destination: destination,
			Status:      mailbox.Queued, QueuedAt: time.Now(), NextAt: time.Now()})
	}
	select {
	case q.heard <- struct{}{}:
	default:
	}
}

func (q *queue) Listen() (<-chan struct{}, func()) { return q.heard, func() {} }

func (q *queue) LeaseDeliveries(_ context.Context, query service.LeaseQuery) (jobs []service.Job, next time.Time,
	err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	now := time.Now()
	room := make(map[string]int)
	for _, d := range q.list {
		if d.NextAt.IsZero() {
			continue
		}
		if d.NextAt.After(now) {
			if next.IsZero() || d.NextAt.Before(next) {
				next = d.NextAt
			}
			continue
		}
		inside := d.Destination == "inside.test"
		if _, asked := room[d.Destination]; !asked {
			room[d.Destination] = query.Room(d.Destination, inside)
		}
		if room[d.Destination] <= 0 || len(jobs) >= query.Limit || !query.Take(*d, inside) {
			continue
		}
		room[d.Destination]--
		*d = d.Take(now.Add(15 * time.Minute))
		jobs = append(jobs, service.Job{Delivery: *d, Inside: inside})
	}
	return jobs, next, nil
}

func (q *queue) RenewDeliveries(_ context.Context, ds []mailbox.Delivery) error { return nil }

func (q *queue) FinishDelivery(_ context.Context, d mailbox.Delivery, a mailbox.Attempt) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	now := q.list[d.N-1]
	*now, _ = now.After(a, mailbox.Schedule{Keep: 48 * time.Hour, Luck: 0.5}, time.Now())
	if a.Outcome != mailbox.Put {
		q.finished = append(q.finished, fmt.Sprintf("%s %s", d.Recipient, now.Status))
	}
	return nil
}

func (q *queue) DeliverInside(context.Context, mailbox.Delivery) mailbox.Attempt {
	return mailbox.Attempt{Outcome: mailbox.Accepted}
}

func (q *queue) HearLater(_ context.Context, _ mailbox.Delivery, w mailbox.Word) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.later = append(q.later, w.Status)
	return nil
}

func (q *queue) count(status mailbox.DeliveryStatus, destination string) (n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, d := range q.list {
		if d.Status == status && (destination == "" || d.Destination == destination) {
			n++
		}
	}
	return n
}

// carrier is a network in memory: each destination takes so long to connect to and to send to, or does not answer.
type carrier struct {
	mu       sync.Mutex
	dead     map[string]bool
	connect  time.Duration
	send     time.Duration
	most     int // connections that a destination takes; 0: any number
	open     map[string]int
	peak     map[string]int
	opened   map[string]int
	closed   int
	attempts int
	hangs    bool
}

func newCarrier() *carrier {
	return &carrier{dead: map[string]bool{}, open: map[string]int{}, peak: map[string]int{}, opened: map[string]int{},
		connect: 10 * time.Millisecond, send: 10 * time.Millisecond}
}

// look returns a count of the network, which its connections change.
func (c *carrier) look(count func() int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return count()
}

func (c *carrier) at(counts map[string]int) int {
	return c.look(func() int { return counts["a.test"] })
}

func (c *carrier) tried() int { return c.look(func() int { return c.attempts }) }

func (c *carrier) QueueKey(destination string) string { return destination }

func (c *carrier) Open(ctx context.Context, d mailbox.Delivery) (outbound.Conn, *mailbox.Attempt) {
	c.mu.Lock()
	c.attempts++
	dead := c.dead[d.Destination] || c.most > 0 && c.open[d.Destination] >= c.most
	if !dead {
		c.open[d.Destination]++
		c.opened[d.Destination]++
		c.peak[d.Destination] = max(c.peak[d.Destination], c.open[d.Destination])
	}
	c.mu.Unlock()
	if dead {
		sleep(ctx, 30*time.Second)
		return nil, &mailbox.Attempt{Outcome: mailbox.Deferred, Text: "no answer"}
	}
	sleep(ctx, c.connect)
	return &conn{c, d.Destination}, nil
}

func sleep(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

type conn struct {
	*carrier
	to string
}

func (c *conn) Alive() bool { return true }

func (c *conn) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open[c.to]--
	c.closed++
}

func (c *conn) Send(ctx context.Context, job service.Job) mailbox.Attempt {
	if c.hangs {
		<-ctx.Done()
		return mailbox.Attempt{Outcome: mailbox.Deferred}
	}
	sleep(ctx, c.send)
	return mailbox.Attempt{Outcome: mailbox.Accepted, Code: 250}
}

// run runs a runner in a bubble for as long as the test wants, and then stops it.
func run(t *testing.T, c outbound.Carrier, fn func(q *queue)) {
	t.Helper()
	runWith(t, c, outbound.Options{Connections: 50, PerDestination: 5, Idle: 5 * time.Second, Grace: 10 * time.Second},
		fn)
}

func runWith(t *testing.T, c outbound.Carrier, o outbound.Options, fn func(q *queue)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		q := newQueue()
		o.Log, o.Now = slog.New(slog.DiscardHandler), time.Now
		r := outbound.New(q, c, o)
		q.runner = r
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { r.Run(ctx); close(ended) }()
		fn(q)
		cancel()
		<-ended
		if n := r.Stats().InFlight; n != 0 {
			t.Errorf("%d jobs are left", n)
		}
	})
}

func TestConnectionsAreShared(t *testing.T) {
	c := newCarrier()
	run(t, c, func(q *queue) {
		q.put(100, "a.test")
		time.Sleep(time.Second)
		if n := q.count(mailbox.Delivered, ""); n != 100 {
			t.Errorf("%d of 100 were delivered", n)
		}
		if c.at(c.peak) != 5 || c.at(c.opened) != 5 {
			t.Errorf("%d connections at once, %d in all, want 5", c.at(c.peak), c.at(c.opened))
		}
		time.Sleep(2 * time.Second)
		q.put(1, "a.test")
		time.Sleep(time.Second)
		if c.at(c.opened) != 5 {
			t.Error("an idle connection was not used again")
		}
		time.Sleep(10 * time.Second)
		if c.at(c.open) != 0 {
			t.Errorf("%d connections are kept for nothing", c.at(c.open))
		}
	})
}

// However much waits for a dead destination, others are not delayed, and it is tried seldom.
func TestDeadDestination(t *testing.T) {
	c := newCarrier()
	c.dead["dead.test"] = true
	run(t, c, func(q *queue) {
		q.put(1000, "dead.test")
		time.Sleep(time.Second)
		for i := range 20 {
			q.put(10, fmt.Sprintf("live%d.test", i))
		}
		time.Sleep(time.Second)
		if n := q.count(mailbox.Delivered, ""); n != 200 {
			t.Errorf("%d of 200 were delivered in a second", n)
		}
		time.Sleep(10 * time.Minute)
		if c.tried()-20*5 > 60 {
			t.Errorf("%d attempts to reach a dead destination", c.tried())
		}
		c.mu.Lock()
		c.dead["dead.test"] = false
		c.mu.Unlock()
		time.Sleep(2 * time.Hour)
		if n := q.count(mailbox.Delivered, "dead.test"); n != 1000 {
			t.Errorf("%d of 1000 were delivered when it was back", n)
		}
	})
}

// A destination that is hurried is tried at once, however long it was left alone.
func TestHurry(t *testing.T) {
	c := newCarrier()
	c.dead["dead.test"] = true
	runWith(t, c, outbound.Options{Connections: 50, PerDestination: 5}, func(q *queue) {
		q.put(1, "dead.test")
		time.Sleep(45 * time.Second)
		c.mu.Lock()
		c.dead["dead.test"] = false
		c.mu.Unlock()
		for _, hurried := range []bool{false, true} {
			if hurried {
				q.runner.Hurry([]string{"dead.test", "other.test"})
			}
			q.put(1, "dead.test")
			time.Sleep(time.Second)
			if n := q.count(mailbox.Delivered, "dead.test"); n > 0 != hurried {
				t.Errorf("hurried %v: %d were delivered", hurried, n)
			}
		}
	})
}

// One connection for two destinations changes hands, and who is sent home while mail comes for him takes that first.
func TestOneConnectionForAll(t *testing.T) {
	runWith(t, newCarrier(), outbound.Options{Connections: 1, PerDestination: 1, Idle: 5 * time.Second},
		func(q *queue) {
			for i := range 200 {
				q.put(1, fmt.Sprintf("%d.test", i%2), fmt.Sprintf("%d.test", (i+1)%2))
				time.Sleep(time.Second)
				if n := q.count(mailbox.Delivered, ""); n != 2*(i+1) {
					t.Errorf("%d of %d were delivered", n, 2*(i+1))
					return
				}
			}
		})
}

// A destination that takes two connections gets two, and everything over them.
func TestFewConnections(t *testing.T) {
	c := newCarrier()
	c.most = 2
	run(t, c, func(q *queue) {
		q.put(50, "a.test")
		time.Sleep(2 * time.Minute)
		if n := q.count(mailbox.Delivered, ""); n != 50 {
			t.Errorf("%d of 50 were delivered", n)
		}
	})
}

func TestDueLater(t *testing.T) {
	run(t, newCarrier(), func(q *queue) {
		q.mu.Lock()
		q.list = append(q.list, &mailbox.Delivery{N: 1, Destination: "a.test", Status: mailbox.Queued,
			NextAt: time.Now().Add(90 * time.Second)})
		q.mu.Unlock()
		time.Sleep(89 * time.Second)
		if q.count(mailbox.Delivered, "") != 0 {
			t.Error("too early")
		}
		time.Sleep(2 * time.Second)
		if q.count(mailbox.Delivered, "") != 1 {
			t.Error("too late")
		}
	})
}

func TestInsideNeedsNoConnection(t *testing.T) {
	c := newCarrier()
	run(t, c, func(q *queue) {
		q.put(30, "inside.test")
		time.Sleep(time.Second)
		if n := q.count(mailbox.Delivered, ""); n != 30 || c.tried() != 0 {
			t.Errorf("%d delivered, %d connections", n, c.tried())
		}
	})
}

// What may not leave is not touched, so that it goes at once when it may. Mail between mailboxes of ours goes on.
func TestHeldMailIsLeftAlone(t *testing.T) {
	run(t, outbound.Held{}, func(q *queue) {
		q.put(3, "a.test", "inside.test")
		due := q.list[0].NextAt
		time.Sleep(time.Hour)
		q.mu.Lock()
		defer q.mu.Unlock()
		for _, d := range q.list {
			switch {
			case d.Destination == "inside.test" && d.Status != mailbox.Delivered:
				t.Errorf("%s is %s", d.Recipient, d.Status)
			case d.Destination == "a.test" && (d.Status != mailbox.Queued || d.Leased || !d.NextAt.Equal(due)):
				t.Errorf("%s is %s and due %s later", d.Recipient, d.Status, d.NextAt.Sub(due))
			}
		}
	})
}

// A stop gives back what was not begun, waits for what was, and cuts it off at the end of its grace time.
func TestStop(t *testing.T) {
	c := newCarrier()
	c.hangs = true
	var left *queue
	run(t, c, func(q *queue) {
		left = q
		q.put(10, "a.test")
		time.Sleep(time.Second)
		if n := c.at(c.open); n != 5 {
			t.Errorf("%d connections, want 5", n)
		}
	})
	for _, d := range left.list {
		if d.Leased || d.NextAt.IsZero() {
			t.Errorf("delivery %d is not given back: %+v", d.N, d)
		}
	}
	if n := len(left.finished); n != 0 { // that we stop says nothing about the mail
		t.Errorf("%d attempts were reported", n)
	}
}

func TestSimulator(t *testing.T) {
	c := &outbound.Capture{Domains: []string{"x.test"}, Now: time.Now}
	run(t, c, func(q *queue) {
		for _, name := range []string{"delivered", "bounced", "complained+1", "delayed", "slow", "else"} {
			q.mu.Lock()
			q.list = append(q.list, &mailbox.Delivery{N: len(q.list) + 1, Recipient: name + "@simulator.x.test",
				Destination: "simulator.x.test",
				Status:      mailbox.Queued, QueuedAt: time.Now(), NextAt: time.Now()})
			q.mu.Unlock()
		}
		q.put(1, "anywhere.test")
		states := func() (list []mailbox.DeliveryStatus) {
			q.mu.Lock()
			defer q.mu.Unlock()
			for _, d := range q.list {
				list = append(list, d.Status)
			}
			return list
		}
		time.Sleep(time.Second)
		if got, want := states(), []mailbox.DeliveryStatus{"delivered", "bounced", "delivered", "delivery_delayed",
			"queued", "bounced", "captured"}; !slices.Equal(got, want) {
			t.Errorf("at once %v", got)
		}
		q.mu.Lock()
		if !slices.Equal(q.later, []mailbox.DeliveryStatus{"complained"}) {
			t.Errorf("afterwards %v", q.later)
		}
		q.mu.Unlock()
		time.Sleep(3 * time.Second)
		if got, want := states(), []mailbox.DeliveryStatus{"delivered", "bounced", "delivered", "delivered",
			"delivered", "bounced", "captured"}; !slices.Equal(got, want) {
			t.Errorf("later %v", got)
		}
	})
}
