package test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// policy sets which messages of the mailbox a person has to approve.
func (b box) policy(t testing.TB, policy string) {
	t.Helper()
	b.srv.do(t, request{method: "PATCH", path: "/v1/mailbox?mailbox=" + b.address, key: b.srv.token,
		body: fmt.Sprintf(`{"send_policy":%q}`, policy)}, http.StatusOK, nil)
}

func approvalOf(srv *server, id string) request {
	return request{method: "POST", path: "/v1/reviews/" + id + "/approve", key: srv.token, body: "{}"}
}

// toSink are the settings of a server that sends to a sink, by the name there.example.
func toSink(t testing.TB, to *sink) []string {
	t.Helper()
	z := newZone(t, "127.0.0.1", mailDomain("there.example", "mx.there.example", to.host)...)
	return append([]string{shortStreams, "MAILKIN_DOMAIN=us.example", "MAILKIN_DNS=" + z.addr,
		"MAILKIN_OUTBOUND=direct", "MAILKIN_OUTBOUND_PORT=" + to.port, "MAILKIN_OUTBOUND_ALLOW_PRIVATE=true"},
		unbounded...)
}

// arrivals waits until so many messages have come to a sink, and counts those to each recipient.
func arrivals(t testing.TB, to *sink, want int) map[string]int {
	t.Helper()
	count := map[string]int{}
	for range 60 * 20 {
		clear(count)
		for _, m := range to.all() {
			count[m.to[0]]++
		}
		if len(count) >= want {
			return count
		}
		time.Sleep(50 * time.Millisecond) // nobody tells when a mail server got something
	}
	t.Errorf("%d of %d messages have arrived", len(count), want)
	return count
}

// once checks what became of messages that were held and approved: each was decided on, sent and delivered once.
func (b box) once(t testing.TB, ids map[string]string) {
	t.Helper()
	told := map[string]int{}
	for _, o := range b.log(t, 0) {
		told[o.EmailID+" "+o.Kind]++
	}
	for id, to := range ids {
		for _, kind := range []string{"held", "approved", "sent", "delivered"} {
			if n := told[id+" message."+kind]; n != 1 {
				t.Errorf("the message to %s: %d events %s", to, n, kind)
			}
		}
	}
	if list := b.inbox(t); len(list) != len(ids) {
		t.Errorf("%d messages of %d are there", len(list), len(ids))
	}
}

// What the server is doing when it is killed, from one step of a held message to the next.
const (
	whileHeld = iota
	onceHeld
	whileApproved
	onceApproved
	whileTold // the next server was told the recipient
	onceTold  // it was told all, and has not answered
	onceDelivered
	reviewMoments
)

// reviewCrash is a server that is killed at such moments.
type reviewCrash struct {
	box     box
	to      *sink
	choices *rand.Rand

	mu     sync.Mutex
	gate   chan struct{} // closed: the next server answers
	watch  string        // the recipient at whom it is to be killed
	moment int           // whileTold or onceTold
	seen   chan struct{} // closed at that moment
	killed chan struct{} // closed when it is dead
}

// pass waits until the next server answers.
func (c *reviewCrash) pass() {
	c.mu.Lock()
	gate := c.gate
	c.mu.Unlock()
	<-gate
}

// stopped tells whether the server is killed at this moment of a delivery, and waits until it is dead.
func (c *reviewCrash) stopped(to string, moment int) bool {
	c.mu.Lock()
	now := c.watch == to && c.moment == moment
	seen, killed := c.seen, c.killed
	if now {
		c.watch = ""
	}
	c.mu.Unlock()
	if now {
		close(seen)
		<-killed
	}
	return now
}

func (c *reviewCrash) kill(t *testing.T) {
	t.Helper()
	c.box.srv.kill(t)
	c.box.srv.start(t)
}

// ask repeats a request until it is answered. With during the server is killed in the middle of the first.
func (c *reviewCrash) ask(t *testing.T, q func() request, want int, during bool) (a answer) {
	t.Helper()
	if during {
		var asking sync.WaitGroup
		first, at := q(), &server{http: c.box.srv.http}
		asking.Go(func() { _, _ = at.try(first) })
		time.Sleep(time.Duration(c.choices.IntN(15000)) * time.Microsecond) // the moment of the kill
		c.kill(t)
		asking.Wait()
	}
	a = c.box.srv.ask(t, q())
	if a.status != want {
		t.Fatalf("%s: got %d %.300s, want %d", q().path, a.status, a.body, want)
	}
	return a
}

// round has one message held, approved and delivered, and kills the server at a moment of that. Up to that moment the
// next server answers nothing, or what it has answered is noted: whether a message was taken whose answer was lost
// nobody can know (TestCrashSend has that).
func (c *reviewCrash) round(t *testing.T, n, moment int) (id string) {
	t.Helper()
	to := fmt.Sprintf("r%d@there.example", n)
	c.mu.Lock()
	c.gate, c.seen, c.killed = make(chan struct{}), make(chan struct{}), make(chan struct{})
	if c.watch, c.moment = to, moment; moment >= whileTold {
		close(c.gate)
	}
	c.mu.Unlock()
	var s sent
	c.ask(t, func() request {
		return request{method: "POST", path: "/v1/send", key: c.box.key, body: note(fmt.Sprint(n), to).String(),
			header: http.Header{"Idempotency-Key": {to}}}
	}, http.StatusAccepted, moment == whileHeld).into(t, &s)
	if moment == onceHeld {
		c.kill(t)
	}
	c.ask(t, func() request { return approvalOf(c.box.srv, s.ID) }, http.StatusOK, moment == whileApproved)
	switch moment {
	case onceApproved:
		c.kill(t)
		close(c.gate)
	case whileHeld, onceHeld, whileApproved:
		close(c.gate)
	case whileTold, onceTold:
		select {
		case <-c.seen:
		case <-time.After(time.Minute):
			t.Fatalf("nobody was told the message to %s", to)
		}
		c.box.srv.kill(t)
		close(c.killed)
		c.box.srv.start(t)
	}
	c.settled(t, s.ID)
	if moment == onceDelivered {
		c.kill(t)
	}
	return s.ID
}

// A message that is held, approved and delivered comes once, whenever the server is killed in between.
func TestCrashReviews(t *testing.T) {
	t.Parallel()
	seed := crashSeed(t)
	t.Logf("seed %d; MAILKIN_TEST_SEED repeats its choices", seed)
	c := &reviewCrash{choices: rand.New(rand.NewPCG(seed, 2))}
	c.to = (&sink{rcpt: func(to string) string {
		c.pass()
		if c.stopped(to, whileTold) {
			return "451 4.3.0 Not now"
		}
		return ""
	}, final: func(m *taken) (string, action) {
		if c.stopped(m.to[0], onceTold) {
			return "", forget
		}
		return "250 2.0.0 Taken", takes
	}}).listen(t, "127.0.0.1")
	srv := start(t, toSink(t, c.to)...)
	c.box = srv.mailbox(t, "robin")
	c.box.policy(t, "review_all")
	ids := map[string]string{}
	more := crashRounds(t)
	kills := 0
	for ; more(kills); kills++ {
		ids[c.round(t, kills, kills%reviewMoments)] = fmt.Sprintf("r%d@there.example", kills)
	}
	for to, n := range arrivals(t, c.to, kills) {
		if n != 1 {
			t.Errorf("%s got %d copies", to, n)
		}
	}
	c.box.once(t, ids)
	t.Logf("%d kills, %d messages", kills, len(ids))
}

// settled waits until a message is delivered, and that is noted.
func (c *reviewCrash) settled(t *testing.T, id string) {
	t.Helper()
	for range settleTries() * 10 {
		if c.box.outgoing(t, id).Status == "delivered" {
			return
		}
		time.Sleep(50 * time.Millisecond) // nobody tells when an attempt is made
	}
	t.Fatalf("%s is not delivered", id)
}

// Three nodes approve the same message at the same moment: it is sent once, and all give the same answer.
func TestNodesApprove(t *testing.T) {
	t.Parallel()
	to := (&sink{}).listen(t, "127.0.0.1")
	d := deploy(t, 3, toSink(t, to)...)
	b := d.nodes[0].mailbox(t, "robin")
	b.policy(t, "review_all")
	ids := map[string]string{}
	const rounds = 15
	for round := range rounds {
		rcpt := fmt.Sprintf("r%d@there.example", round)
		var s sent
		b.srv.do(t, request{method: "POST", path: "/v1/send", key: b.key,
			body: note(fmt.Sprint("round ", round), rcpt).String()}, http.StatusAccepted, &s)
		ids[s.ID] = rcpt
		var asking sync.WaitGroup
		answers := make([]string, len(d.nodes))
		for i, node := range d.nodes {
			asking.Go(func() {
				a, err := node.try(approvalOf(node, s.ID))
				if err != nil || a.status != http.StatusOK {
					t.Errorf("node %d: %d %s %v", i, a.status, a.body, err)
				}
				answers[i], _, _ = strings.Cut(string(a.body), `,"mailbox"`) // the message may be delivered meanwhile
			})
		}
		asking.Wait()
		if answers[0] != answers[1] || answers[0] != answers[2] {
			t.Errorf("the answers are %q", answers)
		}
	}
	for to, n := range arrivals(t, to, rounds) {
		if n != 1 {
			t.Errorf("%s got %d copies", to, n)
		}
	}
	for id := range ids {
		(&reviewCrash{box: b}).settled(t, id)
	}
	b.once(t, ids)
	var me struct {
		Sends int `json:"sends_today"`
	}
	if b.srv.get(t, b.key, "/v1/mailbox", &me); me.Sends != rounds {
		t.Errorf("%d of %d sends are counted", me.Sends, rounds)
	}
}

// A policy that is set on one node holds what is scheduled on all: whichever takes it from the queue holds it, once.
func TestNodesHoldWhatIsDue(t *testing.T) {
	t.Parallel()
	to := (&sink{}).listen(t, "127.0.0.1")
	d := deploy(t, 3, toSink(t, to)...)
	b := d.nodes[0].mailbox(t, "robin")
	const messages = 10
	var ids []string
	for i := range messages {
		n := note(fmt.Sprint("later ", i), fmt.Sprintf("a%d@there.example", i), fmt.Sprintf("b%d@there.example", i))
		s := b.send(t, n.with("send_at", time.Now().Add(time.Hour).Format(time.RFC3339)))
		ids = append(ids, s.ID)
	}
	other := b
	other.srv = d.nodes[1]
	other.policy(t, "review_all")
	for _, id := range ids {
		b.srv.do(t, request{method: "PATCH", path: "/v1/email?id=" + id, key: b.key,
			body: fmt.Sprintf(`{"send_at":%q}`, time.Now().Format(time.RFC3339))}, http.StatusOK, nil)
	}
	for _, id := range ids {
		for tries := 0; b.outgoing(t, id).Status != "held"; tries++ {
			if tries > 60*20 {
				t.Fatalf("%s is %s", id, b.outgoing(t, id).Status)
			}
			time.Sleep(50 * time.Millisecond) // nobody tells when the queue comes to it
		}
	}
	if n := len(to.all()); n != 0 {
		t.Errorf("%d have left", n)
	}
	for _, id := range ids {
		d.nodes[2].do(t, approvalOf(d.nodes[2], id), http.StatusOK, nil)
	}
	for _, id := range ids {
		b.delivery(t, id, "delivered")
	}
	for to, n := range arrivals(t, to, 2*messages) {
		if n != 1 {
			t.Errorf("%s got %d copies", to, n)
		}
	}
}
