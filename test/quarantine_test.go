package test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// blocked is who sends the mail of mail and largeMail.
const blocked = "example.org"

// decide changes a mailbox as the operator.
func (b box) decide(t testing.TB, body string) {
	t.Helper()
	b.srv.do(t, request{method: "PATCH", path: "/v1/mailbox?mailbox=" + b.address, key: b.srv.token, body: body},
		http.StatusOK, nil)
}

// list puts an entry on a list, of a mailbox (mailbox=…) or of the deployment (scope=deployment).
func (s *server) list(t testing.TB, list, of, value string) {
	t.Helper()
	s.do(t, request{method: "PUT", path: "/v1/lists/" + list + "?" + of, key: s.token, body: `{"value":"` + value + `"}`},
		http.StatusOK, nil)
}

// keepsApart has a mailbox put all mail of the tests into quarantine.
func (b box) keepsApart(t testing.TB) box {
	t.Helper()
	b.decide(t, `{"receive_action":"quarantine"}`)
	b.srv.list(t, "receive/block", "mailbox="+b.address, blocked)
	return b
}

// quarantine lists the ids in a mailbox's quarantine by subject.
func (b box) quarantine(t testing.TB) map[string]string {
	t.Helper()
	ids := map[string]string{}
	for cursor := ""; ; {
		var page struct {
			Emails []email
			Next   string `json:"next_cursor"`
		}
		b.srv.get(t, b.srv.token, "/v1/quarantine?limit=100&mailbox="+b.address+"&cursor="+cursor, &page)
		for _, e := range page.Emails {
			if ids[e.Subject] != "" {
				t.Errorf("%s is in quarantine twice", e.Subject)
			}
			ids[e.Subject] = e.ID
		}
		if cursor = page.Next; cursor == "" {
			return ids
		}
	}
}

func releaseOf(srv *server, id string) request {
	return request{method: "POST", path: "/v1/quarantine/" + id + "/release", key: srv.token}
}

// Mail in quarantine is nowhere to be seen for the agent, and comes when it is released.
func TestQuarantine(t *testing.T) {
	t.Parallel()
	srv := start(t, endlessStreams)
	b := srv.mailbox(t, "robin").keepsApart(t)
	stream := b.stream(t, "", nil)
	srv.list(t, "receive/block", "mailbox="+b.address, "shop.example")
	srv.deliver(t, codeMail("482913"), b.address)
	held := b.quarantine(t)
	if len(held) != 1 {
		t.Fatalf("in quarantine: %v", held)
	}
	var id string
	for _, id = range held {
	}
	for _, tt := range []struct {
		method, path string
		status       int
	}{
		{"GET", "/inbox", 200}, {"GET", "/search?q=verification", 200}, {"GET", "/threads", 200},
		{"GET", "/rejects", 200},
		{"GET", "/code?timeout=1", 200}, {"GET", "/wait?timeout=1", 200}, {"GET", "/email?id=" + id, 404},
		{"GET", "/email/raw?id=" + id, 404}, {"GET", "/thread?id=" + id, 404}, {"DELETE", "/email?id=" + id, 404},
		{"GET", "/quarantine", 403}, {"GET", "/quarantine/" + id, 403}, {"POST", "/quarantine/" + id + "/release", 403},
		{"DELETE", "/quarantine/" + id, 403},
	} {
		a := b.ask(t, tt.method, tt.path, "")
		if a.status != tt.status || strings.Contains(string(a.body), "482913") || strings.Contains(string(a.body), id) {
			t.Errorf("%s %s: %d %s", tt.method, tt.path, a.status, a.body)
		}
	}
	var read struct {
		Text string `json:"body_text"`
	}
	if srv.get(t, srv.token, "/v1/quarantine/"+id, &read); !strings.Contains(read.Text, "482913") {
		t.Errorf("a person reads %+v", read)
	}
	var counted struct{ Quarantined int }
	srv.get(t, b.key, "/v1/stats", &counted)
	if s := b.stats(t); counted.Quarantined != 1 || s.Total != 0 {
		t.Errorf("stats %+v, %+v", counted, s)
	}
	if n := srv.metric(t, `mailkin_quarantine_total{action="quarantined"}`); n != 1 {
		t.Errorf("the metric says %v", n)
	}
	waiting := b.dial(t, "/code?timeout=20")
	srv.awaitCalls(t, 2) // with the stream
	srv.do(t, releaseOf(srv, id), http.StatusOK, nil)
	var got codeAnswer
	waiting.answer(t).into(t, &got)
	if e := stream.mustNext(t); got.value() != "482913" || e.EmailID != id {
		t.Errorf("code %q, event %+v", got.value(), e)
	}
	if e := b.only(t); e.ID != id {
		t.Errorf("in the mailbox: %+v", e)
	}
}

// 250 for mail in quarantine is as durable as for other mail, and so is a release.
func TestKillAfterQuarantine(t *testing.T) {
	t.Parallel()
	srv := start(t)
	b := srv.mailbox(t, "robin").keepsApart(t)
	large := string(largeMail("large", 300_000, 3))
	for _, tt := range []struct{ subject, message string }{{"small", mail("small")}, {"large", large}} {
		srv.deliver(t, tt.message, b.address)
		srv.kill(t)
		srv.start(t)
		id := b.quarantine(t)[tt.subject]
		srv.do(t, releaseOf(srv, id), http.StatusOK, nil)
		srv.kill(t)
		srv.start(t)
		sameBytes(t, b.raw(t, id), []byte(tt.message))
		var again struct{ Duplicate bool }
		srv.do(t, releaseOf(srv, id), http.StatusOK, &again)
		if again.Duplicate || len(b.quarantine(t)) != 0 {
			t.Errorf("%s: released again %+v", tt.subject, again)
		}
	}
	if n := len(b.inbox(t)); n != 2 {
		t.Errorf("%d messages, want 2", n)
	}
}

// Kills in the middle of mail that comes and of releases: what got 250 is in quarantine or in the mailbox, once.
func TestCrashQuarantine(t *testing.T) {
	t.Parallel()
	srv := start(t)
	b := srv.mailbox(t, "robin").keepsApart(t)
	const count, kills = 30, 3
	for n := range count {
		message := mail(fmt.Sprint("mail ", n))
		if n%5 == 0 {
			message = string(largeMail(fmt.Sprint("mail ", n), 300_000, uint64(n)))
		}
		srv.deliver(t, message, b.address)
	}
	ids := b.quarantine(t)
	if len(ids) != count {
		t.Fatalf("%d in quarantine", len(ids))
	}
	srv.repeatThrough(t, kills, 100*time.Millisecond, 2, count,
		func(_, n int) request { return releaseOf(srv, ids[fmt.Sprint("mail ", n)]) }, func(int, int, answer) {})
	times := map[string]int{}
	for _, e := range b.inbox(t) {
		if times[e.Subject]++; e.ID != ids[e.Subject] {
			t.Errorf("%s has the id %s, and had %s", e.Subject, e.ID, ids[e.Subject])
		}
		b.raw(t, e.ID)
	}
	for n := range count {
		if subject := fmt.Sprint("mail ", n); times[subject] != 1 {
			t.Errorf("%s is there %d times", subject, times[subject])
		}
	}
}

// Three nodes release the same mail at the same moment; and a list that one changes is kept by all at once.
func TestQuarantineOfNodes(t *testing.T) {
	t.Parallel()
	d := deploy(t, 3)
	b := d.nodes[0].mailbox(t, "robin").keepsApart(t)
	for round := range 10 {
		subject := fmt.Sprint("round ", round)
		d.nodes[round%3].deliver(t, string(largeMail(subject, 250_000+round*10_000, 1)), b.address)
		id := b.quarantine(t)[subject]
		var asking sync.WaitGroup
		for i, node := range d.nodes {
			asking.Go(func() {
				var got struct {
					EmailID   string `json:"email_id"`
					Duplicate bool
				}
				node.do(t, releaseOf(node, id), http.StatusOK, &got)
				if got.EmailID != id || got.Duplicate {
					t.Errorf("node %d released %s as %+v", i, id, got)
				}
			})
		}
		asking.Wait()
		var history struct{ History []struct{ Kind string } }
		b.srv.do(t, request{path: "/v1/email/history?id=" + id, key: b.key}, http.StatusOK, &history)
		if n := strings.Count(fmt.Sprint(history), "released"); n != 1 {
			t.Errorf("%s was released %d times: %v", subject, n, history)
		}
	}
	if n := len(b.inbox(t)); n != 10 {
		t.Errorf("%d messages, want 10", n)
	}
}

// Lists that are changed at one node are kept by the other: those of a mailbox from the answer on, those of the
// deployment as soon as the notice is there.
func TestNodesShareLists(t *testing.T) {
	t.Parallel()
	d := deploy(t, 2)
	here, there := d.nodes[0], d.nodes[1]
	b := here.mailbox(t, "robin")
	other := b
	other.srv = there
	b.decide(t, `{"receive_action":"quarantine"}`)
	for _, tt := range []struct {
		of     string
		within time.Duration
	}{{"mailbox=" + b.address, 0}, {"scope=deployment", 20 * time.Second}} {
		n := 0
		// comes tells whether mail comes to the mailbox at the other node, and whether it sends there.
		comes := func() (bool, bool) {
			n++
			subject := fmt.Sprint(tt.of, " ", n)
			there.deliver(t, mail(subject), b.address)
			_, apart := b.quarantine(t)[subject]
			a := other.ask(t, "POST", "/send", note("hello", "kim@a.example").String())
			return !apart, a.status == http.StatusOK
		}
		becomes := func(want bool) {
			t.Helper()
			settlesWithin(t, tt.within, func() error {
				if in, out := comes(); in != want || out != want {
					return fmt.Errorf("%s: mail comes: %v, goes: %v, want %v", tt.of, in, out, want)
				}
				return nil
			})
		}
		becomes(true)
		entries := map[string]string{"receive/block": blocked, "send/block": "a.example"}
		for list, value := range entries {
			here.list(t, list, tt.of, value)
		}
		becomes(false)
		for list, value := range entries {
			here.do(t, request{method: "DELETE", path: "/v1/lists/" + list + "?value=" + value + "&" + tt.of,
				key: here.token}, http.StatusOK, nil)
		}
		becomes(true)
	}
}

// Mail in quarantine is in a backup, and can be released from what is restored.
func TestBackupQuarantine(t *testing.T) {
	t.Parallel()
	embedded(t)
	srv := start(t)
	b := srv.mailbox(t, "robin").keepsApart(t)
	large := largeMail("large", 300_000, 3)
	srv.deliver(t, string(large), b.address)
	restored := restoredFrom(t, srv.backUp(t))
	there := box{restored, b.address, b.key, "/v1"}
	id := there.quarantine(t)["large"]
	restored.do(t, releaseOf(restored, id), http.StatusOK, nil)
	sameBytes(t, there.raw(t, id), large)
}
