package test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"syscall"
	"testing"
	"time"
)

// A server that is killed in the middle of a schedule goes on with it; one that is killed while it waits for an answer
// asks again.
func TestWebhookCrash(t *testing.T) {
	t.Parallel()
	srv := start(t)
	failing, hanging := srv.mailbox(t, "failing"), srv.mailbox(t, "hanging")
	bad := newReceiver(t, http.StatusInternalServerError)
	release := make(chan struct{})
	slow := startReceiver(t, func(n int, w http.ResponseWriter, r *http.Request) {
		if n == 1 {
			select {
			case <-release:
			case <-r.Context().Done():
			}
		}
	})
	defer close(release)
	failing.hookTo(t, bad.URL)
	hanging.hookTo(t, slow.URL)
	srv.deliver(t, mail("first"), failing.address)
	srv.deliver(t, mail("second"), hanging.address)
	bad.await(t, 2)
	slow.await(t, 1)
	for len(failing.hooks(t, "")[0].Attempts) < 2 { // until the second is noted
		time.Sleep(5 * time.Millisecond)
	}
	srv.signal(t, syscall.SIGKILL)
	srv.exit(t)
	srv.start(t)
	failing.srv, hanging.srv = srv, srv
	again := slow.await(t, 2)
	if again[0].header.Get("webhook-id") != again[1].header.Get("webhook-id") || again[0].body != again[1].body {
		t.Errorf("the second attempt is another event: %+v", again)
	}
	log := failing.settled(t)
	if posts := bad.all(); len(posts) != 4 || log[0].Status != "failed" {
		t.Errorf("%d posts, log %+v", len(posts), log)
	}
	wantSchedule(t, log[0])
	if log := hanging.settled(t); log[0].Status != "delivered" || len(log[0].Attempts) != 1 {
		t.Errorf("log %+v", log)
	}
}

// Whatever is acknowledged is posted, however often the server is killed; what comes twice is what had no answer that
// was noted.
func TestWebhookCrashes(t *testing.T) {
	t.Parallel()
	srv := start(t)
	b := srv.mailbox(t, "robin")
	r := newReceiver(t, http.StatusOK)
	b.hookTo(t, r.URL)
	var subjects []string
	for kill := range 4 {
		c := open(t, srv.smtp)
		for n := range 60 {
			subject := fmt.Sprintf("kill %d mail %d", kill, n)
			reply, err := c.send(envelope{from: "a@example.org", to: []string{b.address}}, []byte(mail(subject)),
				byDATA)
			if err != nil || reply.code != 250 {
				t.Fatalf("%v %v", reply, err)
			}
			subjects = append(subjects, subject)
		}
		srv.signal(t, syscall.SIGKILL)
		srv.exit(t)
		srv.start(t)
		b.srv = srv
	}
	log := b.settled(t)
	times := map[string]int{}
	for _, p := range r.all() {
		var body struct{ Subject string }
		if err := json.Unmarshal([]byte(p.body), &body); err != nil {
			t.Fatal(err)
		}
		times[body.Subject]++
	}
	twice := 0
	for _, s := range subjects {
		if times[s] == 0 {
			t.Errorf("%s was never posted", s)
		}
		twice += times[s] - 1
	}
	t.Logf("%d events, %d came twice", len(subjects), twice)
	if len(log) != len(subjects) || slices.ContainsFunc(log, func(h hook) bool { return h.Status != "delivered" }) {
		t.Errorf("the log has %d, and not all are delivered", len(log))
	}
}
