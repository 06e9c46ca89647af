package test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// A message with a time is sent then and not before, also when the server was down in between; one that is deleted
// before is never sent.
func TestSendLater(t *testing.T) {
	t.Parallel()
	to := (&sink{}).listen(t, "127.0.0.1")
	srv := start(t, shortStreams, "MAILKIN_OUTBOUND=smtp://"+to.addr)
	b, inside := srv.mailbox(t, "robin"), srv.mailbox(t, "marian")
	due := time.Now().Add(4 * time.Second)
	at := due.UTC().Format(time.RFC3339Nano)
	kept := b.send(t, note("later", "ann@example.com", inside.address).with("send_at", at))
	dropped := b.send(t, note("cancelled", "bob@example.com", inside.address).with("send_at", at))
	if a := b.ask(t, "DELETE", "/email?id="+dropped.ID, ""); a.status != http.StatusOK {
		t.Fatalf("%d %s", a.status, a.body)
	}
	if o := b.outgoing(t, kept.ID); o.Status != "scheduled" || o.Deliveries[0].Attempts != 0 ||
		o.Deliveries[0].NextAt == nil ||
		o.Deliveries[0].NextAt.Sub(due).Abs() > time.Millisecond {
		t.Errorf("waiting as %+v", o)
	}
	srv.kill(t)
	srv.start(t)
	eventually(t, func() error {
		if n := len(to.all()); n == 0 {
			return fmt.Errorf("not sent yet")
		}
		return nil
	})
	if early := time.Until(due); early > 0 {
		t.Errorf("sent %v too early", early)
	}
	if late := time.Since(due); late > 10*time.Second {
		t.Errorf("sent %v too late", late)
	}
	list := b.hear(t, "delivered "+inside.address)
	if m := to.only(t); m.to[0] != "ann@example.com" {
		t.Errorf("sent to %v", m.to)
	}
	if e := inside.only(t); e.MessageID != kept.MessageID {
		t.Errorf("inside came %+v", e)
	}
	for _, o := range list {
		if o.EmailID == dropped.ID && o.Kind != "message.sent" {
			t.Errorf("the cancelled message has an event: %+v", o)
		}
	}
	if d := b.outgoing(t, kept.ID).Deliveries[0]; d.Status != "sent" || d.Code != 250 {
		t.Errorf("behind a relay it is %+v", d)
	}
}

// The same request with the same key is one message, also when the answer to the first was lost in a crash, and when
// many come at once.
func TestSendAgain(t *testing.T) {
	t.Parallel()
	srv := start(t, unbounded...)
	b := srv.mailbox(t, "robin")
	q := func(key string, d draft) request {
		return request{method: "POST", path: "/v1/send", key: b.key, body: d.String(),
			header: http.Header{"Idempotency-Key": {key}}}
	}
	d := note("once", "ann@example.com")
	var first sent
	srv.do(t, q("key-1", d), http.StatusOK, &first)
	for range 2 {
		srv.kill(t)
		srv.start(t)
		var again sent
		srv.do(t, q("key-1", d), http.StatusOK, &again)
		if again != first {
			t.Errorf("answered %+v, first %+v", again, first)
		}
	}
	if a := srv.ask(t, q("key-1", note("other", "ann@example.com"))); a.status != http.StatusConflict ||
		!strings.Contains(string(a.body), "idempotency_mismatch") {
		t.Errorf("another body: %d %s", a.status, a.body)
	}
	var asking sync.WaitGroup
	ids := make([]string, 20)
	for i := range ids {
		asking.Go(func() {
			if a, err := srv.try(q("key-2", d)); err == nil && a.status == http.StatusOK {
				ids[i] = string(a.body)
			}
		})
	}
	asking.Wait()
	for _, id := range ids {
		if id == "" || id != ids[0] {
			t.Errorf("answered %q and %q", id, ids[0])
		}
	}
	if a := srv.ask(t, q(strings.Repeat("k", 256), d)); a.status != http.StatusBadRequest {
		t.Errorf("a key of 256: %d %s", a.status, a.body)
	}
	if list := b.inbox(t); len(list) != 2 {
		t.Errorf("%d messages, want 2", len(list))
	}
}

// A crash in the middle of many sends with keys: each is asked again until it is answered, and is there once.
func TestCrashSendAgain(t *testing.T) {
	t.Parallel()
	srv := start(t, unbounded...)
	b := srv.mailbox(t, "robin")
	const senders, each, kills = 4, 40, 3
	srv.repeatThrough(t, kills, 150*time.Millisecond, senders, each, func(i, n int) request {
		name := fmt.Sprintf("%d-%d", i, n)
		return request{method: "POST", path: "/v1/send", key: b.key, body: note(name, "ann@example.com").String(),
			header: http.Header{"Idempotency-Key": {name}}}
	}, func(int, int, answer) {})
	times := map[string]int{}
	for _, e := range b.inbox(t) {
		times[e.Subject]++
	}
	for i := range senders {
		for n := range each {
			if subject := fmt.Sprintf("%d-%d", i, n); times[subject] != 1 {
				t.Errorf("%s is there %d times", subject, times[subject])
			}
		}
	}
}
