package test

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A message that was acknowledged is there exactly once with all its bytes, however often the server was killed. Many
// sessions send without pause; the server is killed at random moments and started again on the same folder.
func TestCrash(t *testing.T) {
	t.Parallel()
	seed := crashSeed(t)
	t.Logf("seed %d; MAILKIN_TEST_SEED repeats its choices", seed)
	srv := start(t)
	c := &crash{srv: srv, seed: seed}
	for _, name := range []string{"one", "two", "three", "four"} {
		c.boxes = append(c.boxes, srv.mailbox(t, name))
	}
	choices := rand.New(rand.NewPCG(seed, 0))
	more := crashRounds(t)
	kills := 0
	for ; more(kills) || len(c.acked) < 60 && kills < 30; kills++ { // a busy machine needs more of them
		c.round(t, time.Duration(100+choices.IntN(900))*time.Millisecond)
		srv.start(t)
	}
	c.settle(t)
	t.Logf("%d kills, %d messages acknowledged, %d of them sent again after a lost connection, %d given up",
		kills, len(c.acked), c.resent, len(c.lost))
	if kills == 0 || len(c.acked) < 60 {
		t.Errorf("%d kills and %d messages are too little to say anything", kills, len(c.acked))
	}
	c.check(t)
	c.checkSweep(t)
}

func crashSeed(t *testing.T) uint64 {
	text := os.Getenv("MAILKIN_TEST_SEED")
	if text == "" {
		return rand.Uint64()
	}
	seed, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("MAILKIN_TEST_SEED: %v", err)
	}
	return seed
}

// crashRounds tells after a given number of kills whether there is to be another.
func crashRounds(t *testing.T) func(kills int) bool {
	if text := os.Getenv("MAILKIN_TEST_CRASH"); text != "" {
		d, err := time.ParseDuration(text)
		if err != nil {
			t.Fatalf("MAILKIN_TEST_CRASH: %v", err)
		}
		end := time.Now().Add(d)
		return func(int) bool { return time.Now().Before(end) }
	}
	most := 6
	if text := os.Getenv("MAILKIN_TEST_CRASHES"); text != "" {
		var err error
		if most, err = strconv.Atoi(text); err != nil {
			t.Fatalf("MAILKIN_TEST_CRASHES: %v", err)
		}
	}
	return func(kills int) bool { return kills < most }
}

const crashSenders = 8

// crash is what the test knows of the messages it has sent.
type crash struct {
	srv   *server
	seed  uint64
	boxes []box

	mu      sync.Mutex
	acked   []*crashMail
	pending []*crashMail // the connection was lost before the answer; to be sent again
	lost    []*crashMail // the same, never sent again: may be there or not
	resent  int
	number  int
}

// crashMail is one message. Its bytes are made from its number whenever they are needed.
type crashMail struct {
	id    string // Message-ID
	to    []int  // indexes of boxes
	sum   [32]byte
	size  int
	make  func() []byte
	chunk int // of BDAT; 0: DATA
	tries int
	once  bool // not sent again after a lost connection
}

// next gives a message to send: one whose fate is not known, else a new one.
func (c *crash) next() *crashMail {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n := len(c.pending); n > 0 {
		m := c.pending[n-1]
		c.pending = c.pending[:n-1]
		return m
	}
	c.number++
	return c.compose(c.number)
}

func (c *crash) compose(number int) *crashMail {
	r := rand.New(rand.NewPCG(c.seed, uint64(number)))
	m := &crashMail{id: fmt.Sprintf("<crash-%d-%d@example.org>", c.seed, number)}
	m.to = r.Perm(len(c.boxes))[:1+r.IntN(3)]
	if r.IntN(2) == 0 {
		m.chunk = 1000 + r.IntN(60_000)
	}
	m.once = r.IntN(2) == 0
	size := 200 + r.IntN(5000)
	if r.IntN(5) == 0 {
		size = 100_000 + r.IntN(200_000)
	}
	answers := 1 + r.IntN(number)
	m.make = func() []byte {
		head := fmt.Sprintf("Message-ID: %s\r\nIn-Reply-To: <crash-%d-%d@example.org>\r\nX-Number: %d\r\n", m.id,
			c.seed, answers, number)
		body := largeMail("crash", size, c.seed+uint64(number))
		return append([]byte(head), body[strings.Index(string(body), "MIME-Version"):]...)
	}
	bytes := m.make()
	m.sum, m.size = sha256.Sum256(bytes), len(bytes)
	return m
}

// round sends for a while, then kills the server in the middle of it.
func (c *crash) round(t *testing.T, after time.Duration) {
	t.Helper()
	var senders sync.WaitGroup
	var stop atomic.Bool
	for range crashSenders {
		senders.Go(func() {
			for !stop.Load() && c.sendMany(t, &stop) {
			}
		})
	}
	timer := time.NewTimer(after)
	<-timer.C // not a wait for something: the moment of the kill
	c.srv.kill(t)
	stop.Store(true)
	senders.Wait()
}

// sendMany sends over one connection until it is lost. It tells whether another may be tried.
func (c *crash) sendMany(t *testing.T, stop *atomic.Bool) bool {
	s, err := dial(c.srv.smtp)
	if err != nil {
		return false
	}
	defer s.conn.Close()
	if s.hello() != nil {
		return false
	}
	for !stop.Load() {
		m := c.next()
		r, err := s.send(c.envelope(m), m.make(), m.by())
		c.note(t, m, r, err)
		if err != nil {
			return false
		}
	}
	return true
}

func (m *crashMail) by() sender {
	if m.chunk > 0 {
		return inChunks(m.chunk)
	}
	return byDATA
}

func (c *crash) envelope(m *crashMail) envelope {
	e := envelope{from: "crash@example.org"}
	for _, i := range m.to {
		e.to = append(e.to, c.boxes[i].address)
	}
	return e
}

// note keeps what became of a message.
func (c *crash) note(t *testing.T, m *crashMail, r reply, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	m.tries++
	switch {
	case err == nil && r.code == 250:
		c.acked = append(c.acked, m)
		if m.tries > 1 {
			c.resent++
		}
	case err == nil:
		t.Errorf("message %s was refused: %v", m.id, r)
	case m.once:
		c.lost = append(c.lost, m)
	default:
		c.pending = append(c.pending, m)
	}
}

// settle sends what still has no answer.
func (c *crash) settle(t *testing.T) {
	t.Helper()
	s := open(t, c.srv.smtp)
	for len(c.pending) > 0 {
		m := c.next()
		r, err := s.send(c.envelope(m), m.make(), m.by())
		if err != nil {
			t.Fatal(err)
		}
		c.note(t, m, r, nil)
	}
}

// stored is a message as the server shows it.
type stored struct {
	id   string
	sum  [32]byte
	size int
}

// check compares what the server shows with what was sent.
func (c *crash) check(t *testing.T) {
	t.Helper()
	sent := map[string]*crashMail{}
	for _, m := range append(append([]*crashMail{}, c.acked...), c.lost...) {
		sent[m.id] = m
	}
	have := make([]map[string]stored, len(c.boxes))
	for i, b := range c.boxes {
		have[i] = c.contents(t, b)
		for id, s := range have[i] {
			m := sent[id]
			if m == nil || m.sum != s.sum || m.size != s.size {
				t.Errorf("%s has a message %s of %d bytes that nobody has sent so", b.address, id, s.size)
			}
		}
	}
	for _, m := range c.acked {
		for _, i := range m.to {
			if _, ok := have[i][m.id]; !ok {
				t.Errorf("%s has lost the acknowledged message %s", c.boxes[i].address, m.id)
			}
		}
	}
	for _, m := range c.lost { // all recipients have it, or none
		copies := 0
		for _, i := range m.to {
			if _, ok := have[i][m.id]; ok {
				copies++
			}
		}
		if copies != 0 && copies != len(m.to) {
			t.Errorf("%d of %d recipients have the message %s", copies, len(m.to), m.id)
		}
	}
}

// contents reads everything of a mailbox and checks that its counts are right.
func (c *crash) contents(t *testing.T, b box) map[string]stored {
	t.Helper()
	all := map[string]stored{}
	var size int64
	list := b.inbox(t)
	for _, e := range list {
		raw := b.raw(t, e.ID)
		if _, twice := all[e.MessageID]; twice {
			t.Errorf("%s has the message %s twice", b.address, e.MessageID)
		}
		all[e.MessageID] = stored{e.ID, sha256.Sum256(raw), len(raw)}
		size += int64(len(raw))
	}
	if s := b.stats(t); s.Total != len(list) || s.Inbound != len(list) || s.Unseen != len(list) ||
		s.ThisMonth != len(list) || s.Storage != size {
		t.Errorf("%s: stats %+v for %d messages of %d bytes", b.address, s, len(list), size)
	}
	if n := b.threaded(t); n != len(list) {
		t.Errorf("%s: %d messages in threads, %d in the list", b.address, n, len(list))
	}
	return all
}

// threaded counts the messages of all threads.
func (b box) threaded(t *testing.T) int {
	t.Helper()
	n := 0
	for path := "/threads?limit=100"; ; {
		var page struct {
			Threads []struct {
				Count int `json:"message_count"`
			}
			Next *string `json:"next_cursor"`
		}
		b.srv.get(t, b.key, b.prefix+path, &page)
		for _, thread := range page.Threads {
			n += thread.Count
		}
		if page.Next == nil {
			return n
		}
		path = "/threads?limit=100&cursor=" + *page.Next
	}
}

// checkSweep makes everything in the blob folder old, so that the next start sweeps up what no message names; then the
// messages' own files are left, all of them and nothing else.
func (c *crash) checkSweep(t *testing.T) {
	t.Helper()
	if onPostgres() {
		return // a bucket's objects cannot be made old
	}
	named := map[string]bool{}
	for _, b := range c.boxes {
		for _, e := range b.inbox(t) {
			named[e.ID] = true
		}
	}
	c.srv.stop(t)
	// One leftover is there for certain, so that the sweep has something to report when it is over.
	if err := os.WriteFile(filepath.Join(c.srv.dir, "blobs", "tmp", "LEFTOVER"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-2 * time.Hour)
	kept := 0
	for name, path := range blobFiles(t, c.srv) {
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
		if named[name] {
			kept++
		}
	}
	c.srv.start(t)
	if !c.srv.stderr.await("removed leftover blobs", c.srv.ended) {
		t.Fatalf("nothing was swept: %s", c.srv.stderr)
	}
	left := blobFiles(t, c.srv)
	for name, path := range left {
		if !named[name] {
			t.Errorf("no message has the file %s", path)
		}
	}
	if len(left) != kept || kept == 0 {
		t.Errorf("%d files of messages after the sweep, %d before", len(left), kept)
	}
}
