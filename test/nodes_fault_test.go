package test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Nothing that was acknowledged is lost, whatever fails: three nodes take mail, send, stream events, hand out codes and
// post to webhooks, while nodes are killed and started again, the database is restarted and killed, the bucket is away,
// and the network of a node is cut.
func TestNodesFaults(t *testing.T) {
	t.Parallel()
	seed := crashSeed(t)
	t.Logf("seed %d; MAILKIN_TEST_SEED repeats its choices", seed)
	f, to, hooks := newFaults(t, 3, seed)
	d := f.d
	stop := f.begin(t)
	for round := range f.rounds() {
		f.fault(t, round)
	}
	f.calm.Store(true)
	stop()

	d.kill(2) // for good: the others take over what it had
	f.finish(t, to, hooks)
}

// newFaults starts nodes with a mailbox for each, a server that they send to, and a webhook that they post to.
func newFaults(t *testing.T, n int, seed uint64) (*faults, *sink, *receiver) {
	to := (&sink{}).listen(t, "127.0.0.1")
	z := newZone(t, "127.0.0.1", mailDomain("there.example", "mx.there.example", to.host)...)
	hooks := newReceiver(t, http.StatusOK)
	d := deploy(t, n, append([]string{shortStreams, "MAILKIN_DATABASE_PARTITIONS=4",
		"MAILKIN_DOMAIN=us.example", "MAILKIN_DNS=" + z.addr, "MAILKIN_OUTBOUND=direct",
		"MAILKIN_WEBHOOK_ALLOW_PRIVATE=true",
		"MAILKIN_OUTBOUND_PORT=" + to.port, "MAILKIN_OUTBOUND_ALLOW_PRIVATE=true"}, unbounded...)...)
	f := &faults{d: d, choices: rand.New(rand.NewPCG(seed, 2)), accepted: map[string]string{},
		keys: map[string]string{}}
	for i := range 3 {
		b := d.nodes[i%n].mailbox(t, fmt.Sprintf("box%d", i))
		b.hookTo(t, hooks.URL)
		f.boxes = append(f.boxes, b)
	}
	return f, to, hooks
}

// faults is what the test knows.
type faults struct {
	d     *deployment
	boxes []box
	calm  atomic.Bool
	pace  time.Duration // between what each worker does

	mu       sync.Mutex
	choices  *rand.Rand
	number   int
	accepted map[string]string // mailbox by the subject of a message that was acknowledged
	keys     map[string]string // ids of messages sent by their Idempotency-Key
	refused  int               // for now
	broken   int               // connections and answers that were lost
	codes    int
	readers  []*nodeReader
}

func (f *faults) rounds() int {
	if n, err := strconv.Atoi(os.Getenv("MAILKIN_TEST_CRASHES")); err == nil {
		return n
	}
	return 7
}

// next numbers what is made.
func (f *faults) next() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.number++
	return f.number
}

// begin sets everybody to work; what it returns ends it.
func (f *faults) begin(t *testing.T) (stop func()) {
	var working, reading sync.WaitGroup
	var over atomic.Bool
	ctx, cancel := context.WithCancel(t.Context())
	for _, work := range []func(*testing.T){f.mailIn, f.mailIn, f.mailIn, f.send, f.send, f.code} {
		working.Go(func() {
			for !over.Load() {
				work(t)
				time.Sleep(f.pace) // so that a long test leaves the machine to others
			}
		})
	}
	for i := range 6 {
		r := &nodeReader{d: f.d, box: f.boxes[i%3]}
		f.readers = append(f.readers, r)
		reading.Go(func() { r.run(ctx) })
	}
	t.Cleanup(func() { over.Store(true); cancel(); working.Wait(); reading.Wait() })
	return func() {
		over.Store(true)
		working.Wait()
	}
}

// mailIn brings a message to any node, small or too large for a row, sometimes to all mailboxes.
func (f *faults) mailIn(t *testing.T) {
	n := f.next()
	subject := fmt.Sprintf("message %d", n)
	message := []byte(mail(subject))
	switch {
	case n%20 == 0:
		message = largeMail(subject, 300_000, uint64(n))
	case n%10 == 0:
		message = []byte(strings.Replace(codeMail(fmt.Sprint(100_000+n)), "Subject: Confirm your sign-in",
			"Subject: "+subject, 1))
	}
	boxes := f.boxes[n%3 : n%3+1]
	if n%7 == 0 {
		boxes = f.boxes
	}
	e := envelope{from: "sender@example.org"}
	for _, b := range boxes {
		e.to = append(e.to, b.address)
	}
	for range 200 { // as a mail server does, until it is taken
		code, err := f.deliver(e, message)
		f.mu.Lock()
		switch {
		case err != nil:
			f.broken++
		case code == 250:
			for _, b := range boxes {
				f.accepted[b.address+" "+subject] = b.address
			}
		case code/100 == 4:
			f.refused++
		default:
			t.Errorf("%s: %d", subject, code)
		}
		f.mu.Unlock()
		if err == nil && code/100 != 4 {
			return
		}
		time.Sleep(50 * time.Millisecond) // before the next try
	}
	t.Errorf("%s was never taken", subject)
}

func (f *faults) deliver(e envelope, message []byte) (int, error) {
	s, err := dial(f.d.any().smtp)
	if err != nil {
		time.Sleep(20 * time.Millisecond) // it is being started again
		return 0, err
	}
	defer s.conn.Close()
	s.limit = unanswered
	_ = s.conn.SetDeadline(time.Now().Add(s.limit))
	if err := s.hello(); err != nil {
		return 0, err
	}
	r, err := s.send(e, message, byDATA)
	return r.code, err
}

// send sends a message through any node, and asks another one again until there is an answer.
func (f *faults) send(t *testing.T) {
	n := f.next()
	b, key := f.boxes[n%3], fmt.Sprintf("key-%d", n)
	q := request{method: "POST", path: "/v1/send", key: b.key, header: http.Header{"Idempotency-Key": {key}},
		body: note(fmt.Sprintf("sent %d", n), fmt.Sprintf("r%d@there.example", n)).String()}
	for range 200 {
		a, err := f.ask(q)
		f.mu.Lock()
		switch {
		case err != nil:
			f.broken++
		case a.status == http.StatusOK:
			var s sent
			a.into(t, &s)
			f.keys[key] = s.ID
			f.mu.Unlock()
			return
		case a.status == http.StatusServiceUnavailable:
			f.refused++
			if a.header.Get("Retry-After") == "" {
				t.Errorf("503 without Retry-After: %s", a.body)
			}
		default:
			t.Errorf("send: %d %s", a.status, a.body)
		}
		f.mu.Unlock()
		time.Sleep(50 * time.Millisecond) // before it is asked again
	}
	t.Errorf("%s was never accepted", key)
}

// unanswered is how long clients of nodes that may be cut off wait for them before they ask another: longer than a
// database needs to see that a node is gone.
const unanswered = 20 * time.Second

func (f *faults) ask(q request) (answer, error) {
	r, err := q.to(f.d.any().http)
	if err != nil {
		return answer{}, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), unanswered)
	defer cancel()
	resp, err := client.Do(r.WithContext(ctx))
	if err != nil {
		return answer{}, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return answer{resp.StatusCode, resp.Header, body}, err
}

// code waits for a code at any node.
func (f *faults) code(t *testing.T) {
	b := f.boxes[f.next()%3]
	a, err := f.ask(request{path: "/v1/code?timeout=1&consume=true", key: b.key})
	if err != nil {
		return
	}
	var got codeAnswer
	switch a.status {
	case http.StatusOK:
		a.into(t, &got)
	case http.StatusServiceUnavailable:
		time.Sleep(50 * time.Millisecond) // before it is asked again
	default:
		t.Errorf("code: %d %s", a.status, a.body)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if got.value() != "" {
		f.codes++
	}
}

// fault breaks something for a while.
func (f *faults) fault(t *testing.T, round int) {
	node := f.choices.IntN(3)
	while := time.Duration(500+f.choices.IntN(1500)) * time.Millisecond
	kind := round % 7
	if round >= 7 {
		kind = f.choices.IntN(7)
	}
	wait := func(d time.Duration) { time.Sleep(d) } // not for something: it is how long the fault lasts
	switch kind {
	case 0, 3:
		f.d.kill(node)
		wait(while)
		f.d.start(node)
	case 1:
		f.d.pg.Restart(t)
	case 2:
		f.d.s3.Stop()
		wait(while)
		f.d.s3.Restart(t)
	case 4:
		f.d.pg.Kill(t)
		wait(while)
		f.d.pg.Restart(t)
	case 5:
		f.d.cut(node, true)
		wait(2 * while)
		f.d.cut(node, false)
	case 6:
		f.d.kill(node)
		f.d.kill((node + 1) % 3)
		wait(while)
		f.d.start(node)
		f.d.start((node + 1) % 3)
	}
	wait(time.Second)
}

// finish waits until everything has settled on the two nodes that are left, and compares.
func (f *faults) finish(t *testing.T, to *sink, hooks *receiver) {
	left := f.d.nodes[0]
	for i := range f.boxes {
		f.boxes[i].srv = left
		left.deliver(t, mail(lastSubject), f.boxes[i].address)
	}
	const takeover = time.Minute // on a quiet machine it takes 25 seconds
	settlesWithin(t, takeover, func() error {
		for _, b := range f.boxes {
			if n := len(b.hooks(t, "status=pending")); n > 0 {
				return fmt.Errorf("%d webhooks are pending", n)
			}
			for _, o := range b.outbox(t) {
				if o.Status != "delivered" {
					b.hasten(t)
					return fmt.Errorf("a message is still %s", o.Status)
				}
			}
		}
		for _, r := range f.readers {
			if !r.done.Load() {
				return errors.New("a reader has not seen everything")
			}
		}
		return nil
	})
	f.mu.Lock()
	defer f.mu.Unlock()
	t.Logf("%d messages acknowledged, %d sent, %d codes, %d times refused for now, %d connections broken, %d "+
		"events posted",
		len(f.accepted), len(f.keys), f.codes, f.refused, f.broken, len(hooks.all()))
	f.checkMail(t)
	f.checkReaders(t)
	f.checkSent(t, to)
	f.checkHooks(t, hooks)
}

// checkMail: every acknowledged message is there, once.
func (f *faults) checkMail(t *testing.T) {
	seen := map[string]int{}
	for _, b := range f.boxes {
		for _, e := range b.inbox(t) {
			seen[b.address+" "+e.Subject]++
			var n int
			if _, err := fmt.Sscanf(e.Subject, "message %d", &n); err == nil && n%20 == 0 {
				sameBytes(t, b.raw(t, e.ID), largeMail(e.Subject, 300_000, uint64(n)))
			}
		}
	}
	for what := range f.accepted {
		if seen[what] != 1 {
			t.Errorf("%s: acknowledged, and %d times there", what, seen[what])
		}
	}
	for what, n := range seen {
		if n > 1 && !strings.Contains(what, lastSubject) {
			t.Errorf("%s is there %d times", what, n)
		}
	}
	if len(f.accepted) < 50 || len(f.keys) < 20 {
		t.Errorf("%d messages and %d sends are too little to say anything", len(f.accepted), len(f.keys))
	}
}

// checkReaders: every reader has seen the same, each event once and in order, with every acknowledged message.
func (f *faults) checkReaders(t *testing.T) {
	whole := map[string]string{}
	for i, r := range f.readers {
		got := ""
		for _, e := range r.seen {
			got += fmt.Sprintln(e.Number, e.Kind, e.EmailID)
		}
		if first, ok := whole[r.box.address]; ok && first != got {
			t.Errorf("reader %d has seen other events than another reader of the same mailbox", i)
		}
		whole[r.box.address] = got
		received, once := map[string]bool{}, map[string]bool{}
		for n, e := range r.seen {
			if what := e.Kind + " " + e.EmailID; once[what] {
				t.Errorf("reader %d: %s came twice", i, what)
			} else {
				once[what] = true
			}
			if n > 0 && e.Number <= r.seen[n-1].Number {
				t.Errorf("reader %d: event %d after %d", i, e.Number, r.seen[n-1].Number)
			}
			if e.Kind == "message.received" {
				received[r.box.address+" "+e.Subject] = true
			}
		}
		for what, address := range f.accepted {
			if address == r.box.address && !received[what] {
				t.Errorf("reader %d has not seen the event of %s", i, what)
			}
		}
	}
}

// checkSent: every accepted send is one message that arrived, twice only where nobody can know.
func (f *faults) checkSent(t *testing.T, to *sink) {
	arrived := map[string]int{}
	for _, m := range to.all() {
		arrived[m.to[0]]++
	}
	known := map[string]bool{}
	total, doubled := 0, 0
	for _, b := range f.boxes {
		for _, e := range b.outbox(t) {
			total++
			known[e.ID] = true
			d := b.outgoing(t, e.ID).Deliveries[0]
			switch n := arrived[d.Recipient]; {
			case n == 0:
				t.Errorf("%s never got its message", d.Recipient)
			case n > 1:
				doubled++
				if d.Outcome != "unknown" {
					t.Errorf("%s got %d copies, and the delivery is %+v", d.Recipient, n, d)
				}
			}
		}
	}
	for key, id := range f.keys {
		if !known[id] {
			t.Errorf("%s: accepted as %s, and gone; its recipient got %d copies", key, id,
				arrived["r"+strings.TrimPrefix(key, "key-")+"@there.example"])
		}
	}
	if total != len(f.keys) {
		t.Errorf("%d messages of %d keys", total, len(f.keys))
	}
	t.Logf("%d of %d sends doubled, and told so", doubled, total)
}

// checkHooks: every event was posted.
func (f *faults) checkHooks(t *testing.T, hooks *receiver) {
	posted := map[string]bool{}
	for _, p := range hooks.all() {
		posted[p.header.Get("webhook-id")] = true
	}
	for _, b := range f.boxes {
		for _, h := range b.hooks(t, "") {
			if h.Status != "delivered" || !posted[h.WebhookID] {
				t.Errorf("the event %s of %s is %s", h.Event, h.EmailID, h.Status)
			}
		}
	}
}

// nodeReader reads a mailbox's events on whatever node answers.
type nodeReader struct {
	d    *deployment
	box  box
	seen []event // to be read when done
	done atomic.Bool
}

func (r *nodeReader) run(ctx context.Context) {
	last := ""
	for ctx.Err() == nil && !r.done.Load() {
		q := request{path: "/v1/events?since=2020-01-01T00:00:00Z", key: r.box.key}
		if last != "" {
			q.header = http.Header{"Last-Event-ID": {last}}
		}
		c, err := ring(r.d.any().http, q)
		if err != nil {
			time.Sleep(20 * time.Millisecond) // before it asks again
			continue
		}
		_ = c.conn.SetDeadline(time.Now().Add(unanswered)) // streams are shorter
		release := context.AfterFunc(ctx, c.hangUp)
		if c.pickUp() == nil && c.resp.StatusCode == http.StatusOK {
			last = r.listen(c, last)
		} else {
			time.Sleep(20 * time.Millisecond) // before it asks again
		}
		release()
		c.hangUp()
	}
}

func (r *nodeReader) listen(c *call, last string) string {
	for {
		e, err := c.next()
		if err != nil {
			if errors.Is(err, io.EOF) || !errors.Is(err, errMalformed) {
				return last
			}
			r.d.t.Error(err)
			return last
		}
		r.seen = append(r.seen, e)
		last = fmt.Sprint(e.Number)
		if e.Subject == lastSubject {
			r.done.Store(true)
			return last
		}
	}
}
