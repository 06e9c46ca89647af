package test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/blob/s3test"
	"github.com/mailkin/mailkin/internal/store/postgres/pgtest"
)

// What comes in on one node is seen on another at once: by a stream, by a call that waits, by a search.
func TestNodesSeeEachOther(t *testing.T) {
	t.Parallel()
	d := deploy(t, 2, endlessStreams)
	seeEachOther(t, d.nodes[0], d.nodes[1])
}

// The same behind a pooler that gives out connections by the transaction.
func TestNodesBehindPooler(t *testing.T) {
	t.Parallel()
	settings := append(pooled(t, pgtest.URL(t)), endlessStreams, "MAILKIN_BLOB_URL="+s3test.Start(t).URLWithKeys())
	var nodes []*server
	for range 2 {
		nodes = append(nodes, newNode(t, append(secrets(), settings...)...))
		nodes[len(nodes)-1].start(t)
	}
	seeEachOther(t, nodes[0], nodes[1])
}

func seeEachOther(t *testing.T, here, there *server) {
	one := here.mailbox(t, "shared")
	other := one
	other.srv = there
	stream := other.stream(t, "", nil)
	var took []time.Duration
	for n := range 40 {
		subject := fmt.Sprintf("number %d", n)
		began := time.Now()
		one.srv.deliver(t, mail(subject), one.address)
		if e := stream.mustNext(t); e.Subject != subject {
			t.Fatalf("event %+v, want that of %s", e, subject)
		}
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	t.Logf("from the connection at one node to the event at the other: median %v, the slowest of 40 %v", took[20],
		took[39])

	waiting := other.dial(t, "/code?timeout=20")
	there.awaitCalls(t, 2) // with the stream
	one.srv.deliver(t, codeMail("482913"), one.address)
	var got codeAnswer
	waiting.answer(t).into(t, &got)
	if got.value() != "482913" {
		t.Errorf("code %q", got.value())
	}
	var found struct{ Emails []email }
	other.srv.get(t, other.key, "/v1/search?q=verification&mode=keyword", &found)
	if len(found.Emails) != 1 {
		t.Errorf("%d found", len(found.Emails))
	}

	// A key that is revoked at one node is refused at the other, and its stream ends.
	one.srv.do(t, request{method: "POST", path: "/v1/keys/rotate", key: one.key}, http.StatusCreated, nil)
	if a := other.ask(t, "GET", "/me", ""); a.status != http.StatusUnauthorized {
		t.Errorf("the old key is %d at the other node", a.status)
	}
	for {
		if _, err := stream.next(); err != nil {
			break
		}
	}
}

// Limits are those of the deployment, however many nodes are asked at once.
func TestNodesShareLimits(t *testing.T) {
	t.Parallel()
	d := deploy(t, 3, "DAILY_SEND_LIMIT=20", "MAILKIN_BOOTSTRAP_GLOBAL_LIMIT=15", "MAILKIN_LOOP_PEER_LIMIT=0",
		"MAILKIN_LOOP_THREAD_LIMIT=0")
	b := d.nodes[0].mailbox(t, "limited")
	for _, tt := range []struct {
		name string
		ask  request
		good int
		want int
	}{
		{"sends of a day", request{method: "POST", path: "/v1/send", key: b.key,
			body: note("hello", "delivered@simulator.mailkin.localhost").String()}, http.StatusOK, 20},
		{"temporary mailboxes of a day", request{method: "POST", path: "/v1/bootstrap"}, http.StatusCreated, 15},
	} {
		var wg sync.WaitGroup
		var mu sync.Mutex
		statuses := map[int]int{}
		for n := range 60 {
			wg.Go(func() {
				a, err := d.nodes[n%3].try(tt.ask)
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				statuses[a.status]++
			})
		}
		wg.Wait()
		if statuses[tt.good] != tt.want || statuses[http.StatusTooManyRequests] != 60-tt.want {
			t.Errorf("%s: answers %v, want %d of %d and the rest 429", tt.name, statuses, tt.want, tt.good)
		}
	}
	// One key, asked for at all nodes at once: one message.
	b = d.nodes[1].mailbox(t, "once")
	ids := make([]string, 12)
	var wg sync.WaitGroup
	for n := range ids {
		wg.Go(func() {
			var s sent
			d.nodes[n%3].do(t, request{method: "POST", path: "/v1/send", key: b.key,
				header: http.Header{"Idempotency-Key": {"the same"}},
				body:   note("once", "delivered@simulator.mailkin.localhost").String()}, http.StatusOK, &s)
			ids[n] = s.ID
		})
	}
	wg.Wait()
	if n := len(b.outbox(t)); n != 1 || len(slices.Compact(slices.Sorted(slices.Values(ids)))) != 1 {
		t.Errorf("%d messages were sent, ids %v", n, ids)
	}
}

// While the database is away callers are told to come back, and when it is there again everything goes on.
func TestDatabaseAway(t *testing.T) {
	t.Parallel()
	d := deploy(t, 1)
	b := d.nodes[0].mailbox(t, "patient")
	session := open(t, b.srv.smtp)
	session.mustAsk(t, "MAIL FROM:<a@example.org>", 250)
	d.pg.Stop(t)
	session.mustAsk(t, "RCPT TO:<"+b.address+">", 451)
	for _, q := range []request{{path: "/v1/inbox", key: b.key}, {path: "/health"},
		{method: "POST", path: "/v1/bootstrap"}} {
		a := b.srv.ask(t, q)
		if a.status != http.StatusServiceUnavailable || a.header.Get("Retry-After") == "" {
			t.Errorf("%s: %d, Retry-After %q: %s", q.path, a.status, a.header.Get("Retry-After"), a.body)
		}
	}
	d.pg.Restart(t)
	eventually(t, func() error {
		if a := b.srv.ask(t, request{path: "/health"}); a.status != http.StatusOK {
			return fmt.Errorf("health is %d", a.status)
		}
		return nil
	})
	b.srv.deliver(t, mail("afterwards"), b.address)
	if list := b.inbox(t); len(list) != 1 {
		t.Errorf("%d messages", len(list))
	}
}

// While the bucket is away small mail is taken all the same, and large mail is put off.
func TestBucketAway(t *testing.T) {
	t.Parallel()
	d := deploy(t, 1)
	b := d.nodes[0].mailbox(t, "patient")
	d.s3.Stop()
	b.srv.deliver(t, mail("small"), b.address)
	c := open(t, b.srv.smtp)
	r, err := c.send(envelope{from: "a@example.org", to: []string{b.address}}, largeMail("large", 300_000, 1), byDATA)
	if err != nil || r.code/100 != 4 {
		t.Errorf("large mail: %v %v", r, err)
	}
	b.srv.stop(t)
	d.start(0) // also a node that is started meanwhile
	b.srv.deliver(t, mail("small again"), b.address)
	d.s3.Restart(t)
	b.srv.deliver(t, string(largeMail("large", 300_000, 1)), b.address)
	if list := b.inbox(t); len(list) != 3 {
		t.Errorf("%d messages", len(list))
	}
}

// A bucket is one deployment's: another does not start on it, because to each the other's mail would look like
// leftovers.
func TestBucketOfAnother(t *testing.T) {
	t.Parallel()
	bucket := s3test.Start(t)
	settings := append(secrets(), "MAILKIN_BLOB_URL="+bucket.URLWithKeys())
	newNode(t, append(settings, "MAILKIN_DATABASE_URL="+pgtest.URL(t))...).start(t)
	other := newNode(t, append(settings, "MAILKIN_DATABASE_URL="+pgtest.URL(t),
		"MAILKIN_SECRET="+strings.Repeat("another-root", 4))...)
	status, _, stderr := run(t, other.environ, "serve")
	if status != 1 || !strings.Contains(stderr, "the bucket belongs to another deployment") {
		t.Errorf("status %d: %s", status, stderr)
	}
	other.environ = append(other.environ, "MAILKIN_BLOB_URL="+strings.Replace(bucket.URLWithKeys(),
		"@"+s3test.Bucket+"?", "@"+s3test.Bucket+"/another?", 1))
	other.start(t)
	if files := bucket.Files(t); !slices.Contains(files, "deployment") ||
		!slices.Contains(files, "another/deployment") {
		t.Errorf("objects %v", files)
	}
}
