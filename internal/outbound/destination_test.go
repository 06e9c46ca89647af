package outbound_test

import (
	"context"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/outbound"
	"github.com/mailkin/mailkin/internal/service"
)

// oneEach is a destination that takes one connection at a time and one mail over it, and that sees only after a while
// that a connection is over.
type oneEach struct{ *carrier }

func (c oneEach) Open(ctx context.Context, d mailbox.Delivery) (outbound.Conn, *mailbox.Attempt) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.attempts++
	if c.open[d.Destination] > 0 {
		return nil, &mailbox.Attempt{Outcome: mailbox.Deferred, Code: 421, Text: "too many connections"}
	}
	c.open[d.Destination]++
	return &oneEachConn{conn: conn{c.carrier, d.Destination}}, nil
}

type oneEachConn struct {
	conn
	used bool
}

func (c *oneEachConn) Alive() bool { return !c.used }
func (c *oneEachConn) Close()      { time.AfterFunc(20*time.Millisecond, c.conn.Close) }

func (c *oneEachConn) Send(ctx context.Context, job service.Job) mailbox.Attempt {
	defer func() { c.used = true }()
	return c.conn.Send(ctx, job)
}

// That a destination which took mail a moment ago has no connection for the next says nothing about that mail: it goes
// out soon, and its sender is not told of a delay.
func TestOneMailForEachConnection(t *testing.T) {
	c := newCarrier()
	run(t, oneEach{c}, func(q *queue) {
		q.put(10, "a.test")
		time.Sleep(20 * time.Second)
		if n := q.count(mailbox.Delivered, ""); n != 10 {
			t.Errorf("%d of 10 were delivered in 20 seconds", n)
		}
		for _, d := range q.list {
			if d.Attempts != 1 {
				t.Errorf("%s was put off: %d attempts", d.Recipient, d.Attempts)
			}
		}
	})
}

// Workers that go home leave no place taken, also those that never had a connection.
func TestPlacesAreGivenBack(t *testing.T) {
	c := newCarrier()
	run(t, c, func(q *queue) {
		for range 100 { // twice as many as there may be connections
			q.put(1, "inside.test")
			time.Sleep(time.Second)
		}
		q.put(1, "a.test")
		time.Sleep(time.Second)
		if n := q.count(mailbox.Delivered, "a.test"); n != 1 {
			t.Error("nothing goes out any more")
		}
	})
}
