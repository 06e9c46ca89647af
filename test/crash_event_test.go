package test

import (
	"context"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"sync"
	"testing"
	"time"
)

// Nothing is missed and nothing comes twice. Many sessions send; many readers of each mailbox are cut off at random
// moments, also in the middle of an event, and come back with the last id; the server is killed in the middle of all of
// it. In the end every reader has seen the event of every acknowledged message once, in the order in which all others
// have.
func TestCrashEvents(t *testing.T) {
	t.Parallel()
	seed := crashSeed(t)
	t.Logf("seed %d; MAILKIN_TEST_SEED repeats its choices", seed)
	srv := start(t, "MAILKIN_LIMIT_STREAM=1s")
	c := &crash{srv: srv, seed: seed}
	for _, name := range []string{"one", "two", "three"} {
		c.boxes = append(c.boxes, srv.mailbox(t, name))
	}
	at := &whereabouts{}
	at.move(srv.http)
	audience := newAudience(c, at)
	stop := audience.begin(t.Context())
	defer stop()

	choices := rand.New(rand.NewPCG(seed, 1))
	more := eventRounds(t)
	kills := 0
	for ; more(kills); kills++ {
		srv.inData(t, c.boxes[kills%len(c.boxes)], "Subject: never finished\r\n")
		c.round(t, time.Duration(100+choices.IntN(600))*time.Millisecond)
		srv.start(t)
		at.move(srv.http)
	}
	c.settle(t)
	for _, b := range c.boxes {
		srv.deliver(t, mail(lastSubject), b.address)
	}
	audience.finish()
	stop()
	t.Logf("%d kills, %d messages acknowledged, %d given up, %d connections of %d readers, %d of them cut",
		kills, len(c.acked), len(c.lost), audience.sum(func(r *reader) int { return r.calls }), len(audience.readers),
		audience.sum(func(r *reader) int { return r.cuts }))
	if kills == 0 || len(c.acked) < kills {
		t.Errorf("%d kills and %d messages are too little to say anything", kills, len(c.acked))
	}
	audience.check(t, c)
}

// eventRounds is how often the server is killed: a few times, unless more is asked for.
func eventRounds(t *testing.T) func(kills int) bool {
	if os.Getenv("MAILKIN_TEST_CRASHES") == "" && os.Getenv("MAILKIN_TEST_CRASH") == "" {
		return func(kills int) bool { return kills < 6 }
	}
	return crashRounds(t)
}

const (
	lastSubject   = "the last one" // of the message after which a reader is done
	readersPerBox = 4
)

// audience is everybody who reads.
type audience struct {
	readers []*reader
	done    sync.WaitGroup
}

func newAudience(c *crash, at *whereabouts) *audience {
	a := &audience{}
	from := []struct {
		name, value string
		header      bool
	}{
		{}, // the last 60 seconds
		{name: "since", value: time.Now().Add(-time.Minute).UTC().Format(time.RFC3339Nano)},
		{name: "last_event_id", value: "0"},
		{name: "Last-Event-ID", value: "none", header: true},
	}
	for i, b := range c.boxes {
		for n := range readersPerBox {
			r := &reader{box: b, at: at, byHeader: n%2 == 0, choices: rand.New(rand.NewPCG(c.seed, uint64(100*i+n+2)))}
			r.fresh = request{path: "/v1/events", key: b.key}
			switch f := from[n%len(from)]; {
			case f.header:
				r.fresh.header = http.Header{f.name: {f.value}}
			case f.name != "":
				r.fresh.path += "?" + f.name + "=" + f.value
			}
			a.readers = append(a.readers, r)
		}
	}
	return a
}

// begin lets everybody read until they are done or stop is called, which waits for them.
func (a *audience) begin(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	for _, r := range a.readers {
		a.done.Go(func() { r.run(ctx) })
	}
	return func() {
		cancel()
		a.done.Wait()
	}
}

// finish waits until everybody is done, but not longer than patience.
func (a *audience) finish() {
	all := make(chan struct{})
	go func() {
		a.done.Wait()
		close(all)
	}()
	limit := time.NewTimer(patience)
	defer limit.Stop()
	select {
	case <-all:
	case <-limit.C:
	}
}

func (a *audience) sum(count func(*reader) int) (n int) {
	for _, r := range a.readers {
		n += count(r)
	}
	return n
}

// check compares what the readers have seen: with each other, with what was sent, and with what the mailbox holds.
func (a *audience) check(t *testing.T, c *crash) {
	t.Helper()
	for i, r := range a.readers {
		first := a.readers[i-i%readersPerBox]
		switch {
		case r.wrong != nil:
			t.Errorf("reader %d of %s: %v", i%readersPerBox, r.box.address, r.wrong)
		case !r.done:
			t.Errorf("reader %d of %s has seen %d events and not the last", i%readersPerBox, r.box.address, len(r.seen))
		case !slices.EqualFunc(r.seen, first.seen, sameEvent):
			t.Errorf("readers of %s have seen different events: %d and %d", r.box.address, len(r.seen), len(first.seen))
		}
	}
	if t.Failed() {
		return
	}
	for i, b := range c.boxes {
		seen := a.readers[i*readersPerBox].seen
		c.checkEvents(t, i, seen)
		checkMail(t, b, seen)
	}
}

func sameEvent(a, b event) bool {
	return a.Number == b.Number && a.EmailID == b.EmailID && a.MessageID == b.MessageID && a.Subject == b.Subject
}

// checkEvents compares the events of a mailbox with what was sent to it.
func (c *crash) checkEvents(t *testing.T, box int, seen []event) {
	t.Helper()
	times := map[string]int{}
	for _, e := range seen {
		times[e.MessageID]++
	}
	want, perhaps := 1, 0 // the last message
	for _, m := range c.acked {
		if slices.Contains(m.to, box) {
			want++
			if n := times[m.id]; n != 1 {
				t.Errorf("%s: %d events of the acknowledged message %s", c.boxes[box].address, n, m.id)
			}
		}
	}
	for _, m := range c.lost {
		if slices.Contains(m.to, box) && times[m.id] > 0 {
			perhaps++
			if n := times[m.id]; n != 1 {
				t.Errorf("%s: %d events of the message %s", c.boxes[box].address, n, m.id)
			}
		}
	}
	if len(seen) != want+perhaps {
		t.Errorf("%s: %d events, want %d and %d of messages without an answer", c.boxes[box].address, len(seen), want,
			perhaps)
	}
}

// checkMail wants the mailbox to hold the messages of the events, in their order, and to give each of them.
func checkMail(t *testing.T, b box, seen []event) {
	t.Helper()
	list := b.inbox(t)
	slices.Reverse(list)
	if len(list) != len(seen) {
		t.Errorf("%s: %d messages, %d events", b.address, len(list), len(seen))
	}
	for i, e := range seen[:min(len(seen), len(list))] {
		if list[i].ID != e.EmailID {
			t.Fatalf("%s: message %d is %s, event %d is of %s", b.address, i, list[i].ID, e.Number, e.EmailID)
		}
		if m := b.email(t, e.EmailID); m.MessageID != e.MessageID || m.Mailbox != b.address || e.Mailbox != b.address {
			t.Errorf("event %+v is of the message %s in %s", e, m.MessageID, m.Mailbox)
		}
	}
}
