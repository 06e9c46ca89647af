package test

import (
	"context"
	"fmt"
	"io"
	"math"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// Waiting costs little: of the heap and of stacks many calls and streams that wait have less than 20 KB each in use (17
// to 18 are measured), in memory they take less than 40, and none outlives its mailbox or its client. With PostgreSQL
// it is a little more: the stack of who has asked it is deeper.
func TestIdleWaiters(t *testing.T) {
	most, mostUsed := 40.0, 20.0 // KB
	if onPostgres() {
		most, mostUsed = 50, 30
	}
	// Garbage that is not yet collected adds to what is in use and never takes from it: the least of six is nearest
	// to it.
	least, leastUsed := math.Inf(1), math.Inf(1)
	for range 6 {
		each, used := idleWaiters(t)
		if least, leastUsed = min(least, each), min(leastUsed, used); least < most && leastUsed < mostUsed {
			return
		}
	}
	t.Errorf("%.1f KB for each waiter, want less than %.0f; %.1f in use, want less than %.0f", least, most, leastUsed,
		mostUsed)
}

// idleWaiters lets many wait, says how many KB each takes, and ends them all.
func idleWaiters(t *testing.T) (each, used float64) {
	t.Helper()
	const total, perBox = 2000, 200
	srv := start(t, endlessStreams, "GOGC=20") // little garbage, so that what is measured is what is in use
	var boxes []box
	for i := range total / perBox {
		boxes = append(boxes, srv.mailbox(t, fmt.Sprintf("idle%d", i)))
	}
	srv.awaitCalls(t, 0)
	srv.settled(t)
	goroutines, before, usedBefore := srv.goroutines(t), 0, 0
	calls := make([][]*call, len(boxes))
	for i := range total {
		if i == perBox { // what the first ones take is not theirs alone
			srv.awaitCalls(t, i)
			before, usedBefore = srv.memory(t), srv.memoryInUse(t)
		}
		path := []string{"/code?timeout=55", "/events", "/wait?timeout=55"}[i%3]
		n := i / perBox
		calls[n] = append(calls[n], boxes[n].dial(t, path))
	}
	srv.awaitCalls(t, total)
	each = float64(srv.memory(t)-before) / float64(total-perBox)
	used = float64(srv.memoryInUse(t)-usedBefore) / float64(total-perBox)
	t.Logf("%d waiters, %.1f KB each, %.1f in use", total, each, used)
	for i, b := range boxes {
		if i%2 == 0 {
			for _, c := range calls[i] {
				c.hangUp()
			}
			continue
		}
		if a := b.ask(t, "DELETE", "/mailbox", ""); a.status != http.StatusOK {
			t.Fatalf("delete: %d %s", a.status, a.body)
		}
		for _, c := range calls[i] {
			checkEnded(t, c)
		}
	}
	srv.awaitCalls(t, 0)
	eventually(t, func() error {
		// Some are the server's own, which come and go; of the calls' there would be hundreds.
		if now := srv.goroutines(t); now > goroutines+10 {
			return fmt.Errorf("%d goroutines, %d before", now, goroutines)
		}
		return nil
	})
	return each, used
}

var released = regexp.MustCompile(`(?m)^go_memstats_heap_released_bytes (\S+)$`)

var used = regexp.MustCompile(`(?m)^go_memstats_(?:heap_alloc|stack_inuse)_bytes (\S+)$`)

// memoryInUse is how many KB of heap and stacks are in use when garbage has just been collected: the least that is seen
// while asking makes enough of it for some collections.
func (s *server) memoryInUse(t *testing.T) int {
	t.Helper()
	least := math.MaxInt
	for range 200 {
		now := 0.0
		page := s.do(t, request{path: "/metrics", key: s.token}, 200, nil)
		for _, m := range used.FindAllStringSubmatch(string(page.body), -1) {
			n, err := strconv.ParseFloat(m[1], 64)
			if err != nil {
				t.Fatal(err)
			}
			now += n
		}
		least = min(least, int(now/1024))
	}
	return least
}

// settled waits until the server has made its tables of words and given back what that took: some six megabytes.
func (s *server) settled(t *testing.T) {
	t.Helper()
	eventually(t, func() error {
		page := s.do(t, request{path: "/metrics", key: s.token}, 200, nil)
		n, err := strconv.ParseFloat(found(released, string(page.body)), 64)
		if err == nil && n < 4e6 {
			err = fmt.Errorf("%.0f bytes were given back", n)
		}
		return err
	})
}

// checkEnded wants a call to be over because its mailbox is deleted: a stream ended, a waiting call answered with 401.
func checkEnded(t *testing.T, c *call) {
	t.Helper()
	defer c.hangUp()
	if !strings.HasSuffix(c.q.URL.Path, "/events") {
		if a := c.answer(t); a.status != 401 {
			t.Errorf("%s: %d %s", c.q.URL, a.status, a.body)
		}
		return
	}
	if err := c.pickUp(); err != nil {
		t.Fatal(err)
	}
	c.mustEnd(t)
}

// Readers that never read hold up nobody: all mail is taken, others see every event, the server's memory stays where it
// was, and the streams are cut when their time is over.
func TestReadersThatNeverRead(t *testing.T) {
	const before, mails = 2000, 5000
	const most = 220 // MB; what the stuck streams have not taken is more
	srv := start(t, "MAILKIN_LIMIT_STREAM=4s")
	b := srv.mailbox(t, "flooded")
	b.pour(t, before, longMail) // which fills the connections
	var stuck []*call
	for range 20 {
		stuck = append(stuck, b.stream(t, "last_event_id=0", nil))
	}
	readers, done := patientReaders(t, b, 2)
	b.pour(t, mails, func(n int) []byte { return longMail(before + n) })
	srv.deliver(t, mail(lastSubject), b.address)
	done()
	for i, r := range readers {
		if len(r.seen) != before+mails+1 || r.wrong != nil {
			t.Errorf("reader %d has seen %d events, want %d; %v", i, len(r.seen), before+mails+1, r.wrong)
		}
	}
	srv.awaitCalls(t, 0) // those that are stuck are gone
	peak := srv.peakMemory(t)
	if t.Logf("peak memory %.0f MB", peak); peak > most {
		t.Errorf("peak memory %.0f MB, want less than %d", peak, most)
	}
	seen, err := stuck[0].rest()
	t.Logf("%d events were on their way to a reader that is stuck", seen)
	if err == io.EOF || seen == 0 || seen >= mails {
		t.Errorf("a stream that nobody reads has %d events and ends with %v", seen, err)
	}
}

// The same where subjects are as long as they can be: what a stream holds is bounded in bytes and not in events.
func TestReadersThatNeverReadLongMail(t *testing.T) {
	const streams, most = 40, 300 // MB; one page of a hundred such events for each stream is more
	srv := start(t)
	b := srv.bootstrap(t) // anybody can have one
	b.pour(t, 110, func(int) []byte { return []byte("Subject: " + strings.Repeat("x", 130_000) + "\r\n\r\nx\r\n") })
	for range streams {
		b.stream(t, "last_event_id=0", nil).mustNext(t) // the others after it are on their way
	}
	peak := srv.peakMemory(t)
	if t.Logf("peak memory %.0f MB with %d streams", peak, streams); peak > most {
		t.Errorf("peak memory %.0f MB with %d streams that nobody reads, want less than %d", peak, streams, most)
	}
}

// patientReaders read everything from the first event on. done waits until they have seen the last.
func patientReaders(t *testing.T, b box, count int) (readers []*reader, done func()) {
	t.Helper()
	at := &whereabouts{}
	at.move(b.srv.http)
	ctx, cancel := context.WithTimeout(t.Context(), 2*patience)
	var reading sync.WaitGroup
	t.Cleanup(func() {
		cancel()
		reading.Wait()
	})
	for i := range count {
		r := &reader{box: b, at: at, patient: true, byHeader: i%2 == 0,
			fresh: request{path: "/v1/events?last_event_id=0", key: b.key}}
		readers = append(readers, r)
		reading.Go(func() { r.run(ctx) })
	}
	return readers, reading.Wait
}

// rest counts the events that a stream still has, and says how it ends.
func (c *call) rest() (events int, err error) {
	for ; ; events++ {
		if _, err := c.next(); err != nil {
			return events, err
		}
	}
}

// longMail is a message whose event is so long that a few thousand fill every buffer of a connection.
func longMail(n int) []byte {
	return fmt.Appendf(nil, "From: a@example.org\r\nSubject: %s%d\r\nMessage-ID: <%[2]d@example.org>\r\n\r\nx\r\n",
		strings.Repeat("long ", 400), n)
}
