package test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A message that was accepted is delivered, however often the server was killed: once, or where its delivery says that
// nobody can know, perhaps twice; and every outcome has one event. Many callers send without pause to a mail server
// that now and then refuses for now, cuts the connection after the message, or says nothing any more.
func TestCrashSend(t *testing.T) {
	t.Parallel()
	seed := crashSeed(t)
	t.Logf("seed %d; MAILKIN_TEST_SEED repeats its choices", seed)
	c := &sendCrash{seed: seed, accepted: map[string]string{}}
	to := (&sink{final: c.final, rcpt: c.rcpt}).listen(t, "127.0.0.1")
	z := newZone(t, "127.0.0.1", mailDomain("there.example", "mx.there.example", to.host)...)
	srv := start(t, append([]string{shortStreams, "MAILKIN_DOMAIN=us.example", "MAILKIN_DNS=" + z.addr,
		"MAILKIN_OUTBOUND=direct",
		"MAILKIN_OUTBOUND_PORT=" + to.port, "MAILKIN_OUTBOUND_ALLOW_PRIVATE=true"}, unbounded...)...)
	c.box, c.choices = srv.mailbox(t, "robin"), rand.New(rand.NewPCG(seed, 1))
	choices := rand.New(rand.NewPCG(seed, 0))
	more := eventRounds(t)
	kills := 0
	for ; more(kills); kills++ {
		c.round(t, time.Duration(100+choices.IntN(500))*time.Millisecond)
		srv.start(t)
		c.box.hasten(t)
	}
	c.calm.Store(true)
	c.settle(t, kills)
	c.check(t, to, kills)
}

// sendCrash is what the test knows of the messages it has sent.
type sendCrash struct {
	seed uint64
	box  box
	calm atomic.Bool // the mail server does as it should from now on

	mu       sync.Mutex
	choices  *rand.Rand
	number   int
	accepted map[string]string // recipients by the id of the message
	lost     int               // requests without an answer
	did      [5]int            // how often the server did what
}

// odd chooses what the mail server does.
func (c *sendCrash) odd(most int) int {
	if c.calm.Load() {
		return -1
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.choices.IntN(most)
}

func (c *sendCrash) rcpt(to string) string {
	switch {
	case crashNobody.MatchString(to):
		return "550 5.1.1 No such user"
	case c.odd(20) == 0:
		return "451 4.2.0 Try later"
	}
	return ""
}

// crashNobody are recipients that are not there.
var crashNobody = regexp.MustCompile(`^r\d*7@`)

func (c *sendCrash) final(*taken) (string, action) {
	what := c.odd(20)
	if what >= 0 && what < 4 {
		c.mu.Lock()
		c.did[what]++
		c.mu.Unlock()
	}
	switch what {
	case 0:
		return "451 4.3.0 Not now", takes
	case 1:
		return "", cuts
	case 2:
		return "", hangs
	case 3:
		return "", forget
	}
	return "250 2.0.0 Taken", takes
}

// round sends for a while, then kills the server in the middle of it.
func (c *sendCrash) round(t *testing.T, after time.Duration) {
	t.Helper()
	var senders sync.WaitGroup
	var stop atomic.Bool
	for range 4 {
		senders.Go(func() {
			for !stop.Load() && c.send(t) {
			}
		})
	}
	timer := time.NewTimer(after)
	<-timer.C // not a wait for something: the moment of the kill
	c.box.srv.kill(t)
	stop.Store(true)
	senders.Wait()
}

// send sends one message. It tells whether another may be tried.
func (c *sendCrash) send(t *testing.T) bool {
	c.mu.Lock()
	c.number++
	n := c.number
	c.mu.Unlock()
	to := fmt.Sprintf("r%d@there.example", n)
	a, err := c.box.srv.try(request{method: "POST", path: "/v1/send", key: c.box.key,
		body: note(fmt.Sprint(n), to).String()})
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case err != nil:
		c.lost++
		return false
	case a.status != http.StatusOK:
		t.Errorf("message %d: %d %s", n, a.status, a.body)
		return false
	}
	var s sent
	a.into(t, &s)
	c.accepted[s.ID] = to
	return true
}

// settleTries is how often a test looks whether everything has settled, twice a second. A node that may not be alone
// waits for the leases of the one that was killed.
func settleTries() int {
	if onPostgres() {
		return 80
	}
	return 20
}

// settle waits until nothing is left to be delivered.
func (c *sendCrash) settle(t *testing.T, kills int) {
	t.Helper()
	for range settleTries() {
		waiting := 0
		var page struct{ Emails []outgoing }
		for offset := 0; offset == 0 || len(page.Emails) > 0; offset += 100 {
			page.Emails = nil
			c.box.srv.get(t, c.box.key, fmt.Sprintf("/v1/inbox?direction=outbound&limit=100&offset=%d", offset), &page)
			for _, e := range page.Emails {
				if e.Status == "queued" || e.Status == "delivery_delayed" {
					waiting++
				}
			}
		}
		if waiting == 0 {
			return
		}
		c.box.hasten(t)
		time.Sleep(500 * time.Millisecond) // for the next attempts, of which nobody tells when they fail
	}
	t.Errorf("after %d kills some messages are still waiting", kills)
}

// check compares what the other server took with what was accepted here and what is said about it.
func (c *sendCrash) check(t *testing.T, to *sink, kills int) {
	t.Helper()
	arrived := map[string]int{}
	for _, m := range to.all() {
		arrived[m.to[0]]++
	}
	told := map[string]int{}
	for _, o := range c.box.log(t, 0) {
		told[o.EmailID+" "+o.String()]++
	}
	for what, n := range told {
		if n > 1 {
			t.Errorf("%d events %s", n, what)
		}
	}
	doubled, unknown, unheard := 0, 0, 0
	known := map[string]bool{}
	list := c.box.inbox(t)
	for _, e := range list {
		d := c.box.outgoing(t, e.ID).Deliveries[0]
		known[e.ID] = true
		n := arrived[d.Recipient]
		if c.accepted[e.ID] == "" {
			unheard++ // it was accepted, and the answer was lost
		}
		if d.Outcome == "unknown" {
			unknown++
		}
		if n > 1 {
			doubled++
			if d.Outcome != "unknown" {
				t.Errorf("%s got %d copies, and the delivery is %+v", d.Recipient, n, d)
			}
		}
		c.checkEvents(t, e.ID, d, n, told)
	}
	for id, to := range c.accepted {
		if !known[id] {
			t.Errorf("the accepted message %s to %s is gone", id, to)
		}
	}
	t.Logf("%d kills, %d accepted, %d without an answer of which %d were accepted, %d arrived, %d of them more than "+
		"once, %d deliveries unknown; %v put off, cut, silent, dropped",
		kills, len(c.accepted), c.lost, unheard, len(arrived), doubled, unknown, c.did[:4])
	if kills == 0 || len(c.accepted) < kills || len(list) != len(c.accepted)+unheard {
		t.Errorf("%d kills, %d accepted and %d messages", kills, len(c.accepted), len(list))
	}
}

// checkEvents compares what is told of a message with what became of it.
func (c *sendCrash) checkEvents(t *testing.T, id string, d delivery, copies int, told map[string]int) {
	t.Helper()
	delivered, bounced := told[id+" delivered "+d.Recipient], told[id+" bounced "+d.Recipient]
	ok := false
	switch d.Status {
	case "delivered":
		ok = copies >= 1 && delivered == 1 && bounced == 0
	case "bounced":
		ok = crashNobody.MatchString(d.Recipient) && copies == 0 && delivered == 0 && bounced == 1
	}
	if !ok || told[id+" sent "+d.Recipient] != 1 {
		t.Errorf("%s got %d copies; %d sent, %d delivered and %d bounced were told, and the delivery is %+v",
			d.Recipient, copies,
			told[id+" sent "+d.Recipient], delivered, bounced, d)
	}
}
