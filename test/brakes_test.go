package test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// stopped is why a mailbox sends nothing.
type stopped struct {
	Brakes        bool `json:"brakes"`
	Send          bool `json:"send"`
	SendingPaused *struct {
		Reason, Measure string
		At              time.Time
	} `json:"sending_paused"`
}

// brakes switches the brakes of a mailbox, as the operator.
func (b box) brakes(t *testing.T, to string) (p stopped) {
	t.Helper()
	b.srv.do(t, request{method: "PATCH", path: "/v1/mailbox?mailbox=" + b.address, key: b.srv.token,
		body: `{"brakes":` + to + `}`}, http.StatusOK, &p)
	return p
}

// runAway sends the same to ever more people until it is stopped, and says how many got it.
func (b box) runAway(t *testing.T) int {
	t.Helper()
	for n := range 100 {
		d := note("offer", fmt.Sprintf("p%d@example.com", n))
		a := b.srv.ask(t, request{method: "POST", path: "/v1/send", key: b.key, body: d.String()})
		if a.status == http.StatusOK {
			continue
		}
		if a.status != http.StatusForbidden {
			t.Fatalf("%d %s", a.status, a.body)
		}
		checkError(t, a, true, "sending_paused")
		return n
	}
	t.Fatal("nothing stopped it")
	return 0
}

func TestBrakes(t *testing.T) {
	t.Parallel()
	srv := start(t, append(unbounded, shortStreams)...)
	b, hook := srv.mailbox(t, "wren"), newReceiver(t, http.StatusNoContent)
	b.hookTo(t, hook.URL)
	for range 20 { // they are off
		b.send(t, note("offer", "kim@example.com"))
	}
	if p := b.brakes(t, "true"); !p.Brakes || p.SendingPaused != nil {
		t.Fatalf("switched on: %+v", p)
	}
	soon := time.Now().Add(8 * time.Second).Format(time.RFC3339)
	waits := b.send(t, note("tomorrow", "kim@example.com").with("send_at", soon))
	if n := b.runAway(t); n > 20 || n < 5 {
		t.Errorf("%d messages went out", n)
	}
	events := b.hear(t, "mailbox.sending_paused ")
	last := events[len(events)-1]
	if last.Kind != "mailbox.sending_paused" || last.EmailID != "" || last.Reason == "" {
		t.Errorf("the event is %+v", last)
	}
	post := hook.await(t, 1)[0]
	if post.header.Get("X-Webhook-Event") != last.Kind || !strings.Contains(post.body, last.Reason) {
		t.Errorf("posted %v %s", post.header, post.body)
	}

	srv.kill(t) // it is stopped for good
	srv.start(t)
	for _, path := range []string{"/v1/me", "/v1/mailbox"} {
		var p stopped
		srv.get(t, b.key, path, &p)
		if p.Send || p.SendingPaused == nil || p.SendingPaused.Reason != last.Reason || p.SendingPaused.At.IsZero() ||
			p.SendingPaused.Measure == "" {
			t.Errorf("%s: %+v", path, p)
		}
	}
	if n := b.runAway(t); n != 0 {
		t.Errorf("%d more went out", n)
	}
	if o := b.outgoing(t, waits.ID); o.Status != "scheduled" {
		t.Errorf("what waits is %s", o.Status)
	}
	resume := request{method: "POST", path: "/v1/mailbox/resume-sending", key: b.key}
	checkError(t, srv.do(t, resume, http.StatusForbidden, nil), true, "scope_denied")
	resume.path, resume.key = resume.path+"?mailbox="+b.address, srv.token
	var p stopped
	srv.do(t, resume, http.StatusOK, &p)
	if p.SendingPaused != nil || !p.Brakes {
		t.Errorf("resumed: %+v", p)
	}
	b.delivery(t, waits.ID, "captured")
	b.send(t, note("at last", "kim@example.com"))
}

// Several nodes that send for one mailbox at the same time send no more than one would.
func TestNodesBrakeTogether(t *testing.T) {
	t.Parallel()
	d := deploy(t, 3, append(unbounded, "MAILKIN_BRAKES=on")...)
	b := d.nodes[0].mailbox(t, "wren")
	statuses := make([]int, 60)
	var all sync.WaitGroup
	for n := range statuses {
		all.Go(func() {
			a, err := d.nodes[n%3].try(request{method: "POST", path: "/v1/send", key: b.key,
				body: note("offer", fmt.Sprintf("p%d@example.com", n)).String()})
			if err == nil {
				statuses[n] = a.status
			}
		})
	}
	all.Wait()
	slices.Sort(statuses)
	sent, _ := slices.BinarySearch(statuses, http.StatusOK+1)
	if sent > 20 || sent < 5 || statuses[sent] != http.StatusForbidden || statuses[59] != http.StatusForbidden {
		t.Errorf("the answers are %v", statuses)
	}
}
