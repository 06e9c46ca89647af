package test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"time"
)

// reader reads a mailbox's events and comes back whenever it was cut off.
type reader struct {
	box      box
	at       *whereabouts
	fresh    request // what it asks when it has seen nothing yet
	byHeader bool    // how it says what it has seen last
	patient  bool    // it hangs up only when the server has
	choices  *rand.Rand

	seen  []event
	done  bool
	calls int
	cuts  int
	wrong error
}

// run reads until the last event. Where nobody answers it waits for the server to be elsewhere.
func (r *reader) run(ctx context.Context) {
	for ctx.Err() == nil && !r.done && r.wrong == nil {
		at := r.at.now()
		c, err := ring(at.base, r.question())
		if err != nil {
			select {
			case <-at.left:
			case <-ctx.Done():
			}
			continue
		}
		release := context.AfterFunc(ctx, c.hangUp)
		r.listen(at, c)
		release()
		if !r.patient && r.choices.IntN(2) == 0 {
			c.reset()
		} else {
			c.hangUp()
		}
	}
}

// question is how the reader comes back.
func (r *reader) question() request {
	if len(r.seen) == 0 {
		return r.fresh
	}
	last := fmt.Sprint(r.seen[len(r.seen)-1].Number)
	q := request{path: "/v1/events", key: r.box.key}
	if r.byHeader {
		q.header = http.Header{"Last-Event-ID": {last}}
	} else {
		q.path += "?last_event_id=" + last
	}
	return q
}

// listen reads one connection up to a point that it chooses, or to its end.
func (r *reader) listen(at *address, c *call) {
	r.calls++
	if c.pickUp() != nil {
		return // killed
	}
	if c.resp.StatusCode != http.StatusOK {
		r.wrong = fmt.Errorf("status %d", c.resp.StatusCode)
		return
	}
	if most := r.most(); most > 0 {
		r.cuts++
		c.cutAfter(int64(r.choices.IntN(most)))
	}
	for !r.done && r.wrong == nil {
		e, err := c.next()
		if errors.Is(err, errMalformed) {
			r.wrong = err
		}
		if err != nil {
			return
		}
		r.see(at, e)
	}
}

// most is how much of a connection's bytes the reader reads at most; 0: all.
func (r *reader) most() int {
	if r.patient {
		return 0
	}
	return []int{60, 2000, 2000, 2000, 20_000, 20_000, 100_000, 0}[r.choices.IntN(8)]
}

// see notes an event. Now and then the reader looks at its message at once.
func (r *reader) see(at *address, e event) {
	if n := len(r.seen); n > 0 && e.Number <= r.seen[n-1].Number {
		r.wrong = fmt.Errorf("event %d comes after event %d", e.Number, r.seen[n-1].Number)
	}
	r.seen = append(r.seen, e)
	r.done = e.Subject == lastSubject
	if r.patient || r.choices.IntN(10) > 0 {
		return
	}
	c, err := ring(at.base, request{path: "/v1/email?id=" + e.EmailID, key: r.box.key})
	if err != nil {
		return // killed
	}
	defer c.hangUp()
	if c.pickUp() == nil && c.resp.StatusCode != http.StatusOK {
		r.wrong = fmt.Errorf("event %d is seen and its message is %d", e.Number, c.resp.StatusCode)
	}
}

// whereabouts is where a server is that is killed and started again on other ports.
type whereabouts struct {
	mu sync.Mutex
	at *address
}

type address struct {
	base string
	left chan struct{} // closed when the server is elsewhere
}

func (w *whereabouts) now() *address {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.at
}

func (w *whereabouts) move(base string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.at != nil {
		close(w.at.left)
	}
	w.at = &address{base, make(chan struct{})}
}

// repeatThrough has clients make requests one after the other, each again until it is answered with 200, while the
// server is killed and started again.
func (s *server) repeatThrough(t *testing.T, kills int, pause time.Duration, clients, count int,
	ask func(client, n int) request, answered func(client, n int, a answer)) {
	t.Helper()
	var at whereabouts
	at.move(s.http)
	var asking sync.WaitGroup
	for i := range clients {
		asking.Go(func() {
			for n := 0; n < count; {
				now := at.now()
				a, err := (&server{http: now.base}).try(ask(i, n))
				switch {
				case err == nil && a.status == http.StatusOK:
					answered(i, n, a)
					n++
				case err == nil && a.status != http.StatusServiceUnavailable:
					t.Errorf("%d %s", a.status, a.body)
					return
				case err != nil:
					<-now.left // it was killed
				}
			}
		})
	}
	for range kills {
		time.Sleep(pause) // not a wait for something: the moment of the kill
		s.kill(t)
		s.start(t)
		at.move(s.http)
	}
	asking.Wait()
}
