package test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/blob/s3test"
	"github.com/mailkin/mailkin/internal/store/postgres/pgtest"
)

// The network of one node of three is cut for longer than its leases last, in the middle of everything: the others take
// over what it had within half a minute, nothing is lost or told twice, and when the network is back so is the node,
// whose late words about what is no longer its own nobody hears.
func TestNodesCutOff(t *testing.T) {
	t.Parallel()
	if !ownNetwork(t) {
		return
	}
	line := newCable(t)
	stuck := &stuckWork{cut: make(chan struct{})}
	to := (&sink{final: stuck.mail}).listen(t, hereAddr)
	z := newZone(t, hereAddr, mailDomain("there.example", "mx.there.example", to.host)...)
	hooks := startReceiverAt(t, hereAddr, stuck.hook)
	d := &deployment{t: t, pg: pgtest.Start(t, append(pgtest.Durable(), "listen_addresses=*")...), s3: s3test.Start(t)}
	d.database, d.bucket = d.pg.URL(t), d.s3.URLWithKeys()
	_, port, _ := net.SplitHostPort(d.pg.Addr())
	for i := range 3 {
		node := d.add(net.JoinHostPort(hereAddr, port), newTCPWire(t, hereAddr, d.s3.Addr()).addr,
			append([]string{shortStreams, "MAILKIN_DOMAIN=us.example",
				"MAILKIN_DNS=" + z.addr, "MAILKIN_OUTBOUND=direct", "MAILKIN_WEBHOOK_ALLOW_PRIVATE=true",
				"MAILKIN_OUTBOUND_PORT=" + to.port, "MAILKIN_OUTBOUND_ALLOW_PRIVATE=true"}, unbounded...)...)
		if i == 2 {
			node.wrap = line.wrap()
			node.environ = append(node.environ, "MAILKIN_HTTP_ADDR="+thereAddr+":0", "MAILKIN_SMTP_ADDR="+thereAddr+
				":0", "MAILKIN_HOSTNAME="+thereName)
		}
		d.start(i)
	}
	f := &faults{d: d, choices: rand.New(rand.NewPCG(1, 2)), accepted: map[string]string{}, keys: map[string]string{},
		pace: 20 * time.Millisecond}
	for i := range 3 {
		b := d.nodes[0].mailbox(t, fmt.Sprintf("box%d", i))
		b.hookTo(t, hooks.URL)
		f.boxes = append(f.boxes, b)
	}
	stop := f.begin(t)
	ids := stuck.begin(t, f)

	line.pull(true)
	close(stuck.cut)
	began := time.Now()
	stuck.takenOver(t, f, ids)
	t.Logf("what the node had was taken over after %v", time.Since(began).Round(100*time.Millisecond))
	line.pull(false)
	back := time.Now()
	settlesWithin(t, patience, func() error {
		if a, err := d.nodes[2].try(request{path: "/health"}); err != nil || a.status != http.StatusOK {
			return fmt.Errorf("the node is not back: %d %v", a.status, err)
		}
		return nil
	})
	t.Logf("the node was back %v after its network", time.Since(back).Round(100*time.Millisecond))
	d.nodes[2].deliver(t, mail("through the node that is back"), f.boxes[0].address)
	stop()
	f.finish(t, to, hooks)
	for _, id := range ids { // the second attempt is the only one that anybody has heard of
		if a := f.boxes[0].outgoing(t, id).Deliveries[0]; a.Attempts != 1 || a.Status != "delivered" {
			t.Errorf("a delivery that was taken over is %+v", a)
		}
	}
}

// stuckWork is what the node has begun when it is cut off: mail that the next server has not answered, and events that
// are being posted.
type stuckWork struct {
	cut     chan struct{} // closed when it is
	holding atomic.Bool

	mu    sync.Mutex
	mails []string // recipients
	posts []string // ids of the events
	again []string // those that came once more, from another node
}

const (
	stuckMails = 8
	thereName  = "mx.cut.us.example" // by which the next server knows the node
)

// begin waits until the node that will be cut off has begun something of each kind. It returns the ids of the messages.
func (s *stuckWork) begin(t *testing.T, f *faults) (ids []string) {
	b := f.boxes[0]
	b.srv = f.d.nodes[2]
	count := func() int {
		s.mu.Lock()
		defer s.mu.Unlock()
		return len(s.mails)
	}
	for n := 0; count() < stuckMails; n++ { // some of them may go out through others
		key := fmt.Sprintf("held-%d", n)
		var out sent
		b.srv.do(t, request{method: "POST", path: "/v1/send", key: b.key, header: http.Header{"Idempotency-Key": {key}},
			body: note(key, key+"@there.example").String()}, http.StatusOK, &out)
		ids = append(ids, out.ID)
		f.mu.Lock()
		f.keys[key] = out.ID
		f.mu.Unlock()
	}
	s.holding.Store(true) // not before: an attempt to post has ten seconds
	settlesWithin(t, patience, func() error {
		s.mu.Lock()
		defer s.mu.Unlock()
		if len(s.posts) == 0 {
			return errors.New("the node posts nothing")
		}
		return nil
	})
	return ids
}

// mail answers for the next server: what it is first told of a mail that is to get stuck it does not answer.
func (s *stuckWork) mail(m *taken) (string, action) {
	s.mu.Lock()
	first := strings.HasPrefix(m.to[0], "held-") && strings.Contains(m.hello, thereName) && !slices.Contains(s.mails,
		m.to[0])
	if first {
		s.mails = append(s.mails, m.to[0])
	}
	s.mu.Unlock()
	if !first {
		return "250 2.0.0 taken", takes
	}
	<-s.cut
	return "", forget
}

// hook answers posts: those of the node that will be cut off stay without an answer.
func (s *stuckWork) hook(_ int, w http.ResponseWriter, r *http.Request) {
	id := r.Header.Get("webhook-id")
	there := strings.HasPrefix(r.RemoteAddr, thereAddr)
	s.mu.Lock()
	hold := there && s.holding.Load()
	switch {
	case hold && !slices.Contains(s.posts, id):
		s.posts = append(s.posts, id)
	case !there && slices.Contains(s.posts, id) && !slices.Contains(s.again, id):
		s.again = append(s.again, id)
	}
	s.mu.Unlock()
	if hold {
		<-s.cut
		s.holding.Store(false)
		panic(http.ErrAbortHandler) // closes the connection
	}
	w.WriteHeader(http.StatusOK)
}

// takenOver waits until others have finished what the node had begun, which takes half a minute at most, and in which
// it is cut off.
func (s *stuckWork) takenOver(t *testing.T, f *faults, ids []string) {
	t.Helper()
	settlesWithin(t, 30*time.Second, func() error {
		for _, id := range ids {
			if o := f.boxes[0].outgoing(t, id); o.Status != "delivered" {
				return fmt.Errorf("%s is %s", o.Subject, o.Status)
			}
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if len(s.again) < len(s.posts) {
			return errors.New("an event that was being posted was not posted again")
		}
		return nil
	})
}
