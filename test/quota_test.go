package test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// limit sets limits of a mailbox as the operator does.
func (b box) limit(t testing.TB, limits string) {
	t.Helper()
	b.srv.do(t, request{method: "PATCH", path: "/v1/mailboxes/" + b.address, key: b.srv.token,
		body: `{"limits":` + limits + `}`}, http.StatusOK, nil)
}

// usage is a mailbox's use against its limits.
type usage struct {
	Limits struct {
		Bytes    int64 `json:"bytes"`
		Messages int64 `json:"messages"`
	} `json:"limits"`
	Usage struct {
		Bytes    int64 `json:"bytes"`
		Messages int64 `json:"messages"`
	} `json:"usage"`
}

// notice is an event about the limits of a mailbox.
type notice struct {
	Event string `json:"event"`
	Quota struct {
		Of      string `json:"of"`
		Percent int    `json:"percent"`
		Used    int    `json:"used"`
		Limit   int    `json:"limit"`
	} `json:"quota"`
}

// A full mailbox puts mail off on every way in, refuses to send, tells its owner on the way there, and works again as
// soon as something is deleted.
func TestQuota(t *testing.T) {
	t.Parallel()
	srv := start(t, append([]string{"MAILKIN_LIMIT_MAILBOX_MESSAGES=20", "MAILKIN_WEBHOOK_ALLOW_PRIVATE=true"},
		unbounded...)...)
	b := srv.mailbox(t, "wren")
	hooks := newReceiver(t, http.StatusOK)
	b.hookTo(t, hooks.URL)
	for n := range 20 {
		srv.deliver(t, mail(fmt.Sprint("number ", n)), b.address)
	}
	var got []string
	for _, p := range hooks.await(t, 22) {
		if p.header.Get("X-Webhook-Event") == "mailbox.quota" {
			var n notice
			if err := json.Unmarshal([]byte(p.body), &n); err != nil {
				t.Fatal(err)
			}
			got = append(got, fmt.Sprintf("%s %d: %d of %d", n.Quota.Of, n.Quota.Percent, n.Quota.Used, n.Quota.Limit))
		}
	}
	if want := "messages 80: 16 of 20, messages 95: 19 of 20"; strings.Join(got, ", ") != want {
		t.Errorf("posted %v", got)
	}
	events := b.stream(t, "types=mailbox.quota", nil)
	for range 2 {
		if e := events.mustNext(t); e.Kind != "mailbox.quota" || e.EmailID != "" || e.Deleted {
			t.Errorf("event %+v", e)
		}
	}
	refused := func(when string) {
		t.Helper()
		for i := range 2 { // the first is found out at the end of the message, the next at RCPT
			c := open(t, srv.smtp)
			r, err := c.send(envelope{from: "sender@example.org", to: []string{b.address}}, []byte(mail(when)), byDATA)
			if err != nil || r.code != 452 || !strings.Contains(r.String(), "4.2.2") {
				t.Errorf("%s, message %d: %v %v", when, i, r, err)
			}
		}
		a := srv.ask(t, request{method: "POST", path: "/v1/ingest?to=" + url.QueryEscape(b.address), key: srv.token,
			kind: "message/rfc822", body: mail(when)})
		if a.status != http.StatusInsufficientStorage || !strings.Contains(string(a.body), `"mailbox_full"`) {
			t.Errorf("%s, ingest: %d %s", when, a.status, a.body)
		}
		a = b.ask(t, "POST", "/send", note(when, "ann@example.com").String())
		if a.status != http.StatusConflict || !strings.Contains(string(a.body), `"storage_limit"`) {
			t.Errorf("%s, send: %d %s", when, a.status, a.body)
		}
	}
	refused("full")
	srv.restart(t)
	refused("full after a restart")

	list := b.inbox(t)
	var found struct{ Emails []email }
	srv.get(t, b.key, "/v1/search?query=number", &found)
	if len(list) != 20 || len(found.Emails) == 0 || len(b.raw(t, list[0].ID)) == 0 {
		t.Errorf("%d messages, %d found", len(list), len(found.Emails))
	}
	if a := b.ask(t, "DELETE", "/email?id="+list[0].ID, ""); a.status != http.StatusOK {
		t.Fatalf("delete: %d %s", a.status, a.body)
	}
	srv.deliver(t, mail("room again"), b.address)
	refused("full again")
	b.limit(t, `{"messages":21,"bytes":1000000}`)
	if a := b.ask(t, "POST", "/send", note("sent", "ann@example.com").String()); a.status != http.StatusOK {
		t.Errorf("send: %d %s", a.status, a.body)
	}
	for _, path := range []string{"/v1/mailbox", "/v1/me"} {
		var u usage
		srv.get(t, b.key, path, &u)
		if u.Limits.Messages != 21 || u.Limits.Bytes != 1000000 || u.Usage.Messages != 21 || u.Usage.Bytes == 0 {
			t.Errorf("%s: %+v", path, u)
		}
	}
	// What strangers write to postmaster@ is bounded, too.
	for n := range 20 {
		srv.deliver(t, mail(fmt.Sprint("stranger ", n)), "postmaster@mailkin.localhost")
	}
	c := open(t, srv.smtp)
	r, err := c.send(envelope{from: "x@example.org", to: []string{"postmaster@mailkin.localhost"}},
		[]byte(mail("stranger")), byDATA)
	if err != nil || r.code != 452 {
		t.Errorf("postmaster: %v %v", r, err)
	}
}

// Many senders at once for the last places of a mailbox, on one node or three: as many get in as there are places.
func TestQuotaRace(t *testing.T) {
	t.Parallel()
	var nodes []*server
	if onPostgres() {
		nodes = deploy(t, 3).nodes
	} else {
		nodes = []*server{start(t)}
	}
	b := nodes[0].mailbox(t, "wren")
	b.limit(t, `{"messages":10}`)
	var sending sync.WaitGroup
	replies := make(chan int, 60)
	for n := range cap(replies) {
		sending.Go(func() {
			c, err := dial(nodes[n%len(nodes)].smtp)
			if err == nil {
				err = c.hello()
			}
			var r reply
			if err == nil {
				r, err = c.send(envelope{from: "sender@example.org", to: []string{b.address}},
					[]byte(mail(fmt.Sprint("number ", n))), byDATA)
			}
			if err != nil {
				t.Error(err)
			}
			replies <- r.code
		})
	}
	sending.Wait()
	close(replies)
	count := map[int]int{}
	for code := range replies {
		count[code]++
	}
	if count[250] != 10 || count[452] != 50 || len(b.inbox(t)) != 10 {
		t.Errorf("replies %v, %d in the mailbox", count, len(b.inbox(t)))
	}
}

// A server that is killed while it deletes what is kept no longer: each message is there whole or gone with all of it,
// and in the end all are.
func TestCrashRetention(t *testing.T) {
	t.Parallel()
	srv := start(t)
	b := srv.mailbox(t, "wren")
	const count = 400
	b.pour(t, count, func(n int) []byte {
		if n%10 == 0 {
			return largeMail(fmt.Sprint("number ", n), 400_000, uint64(n))
		}
		return []byte(mail(fmt.Sprint("number ", n)))
	})
	ids := b.inbox(t)
	b.limit(t, `{"retention_days":0.000001}`)
	left := ids
	for round := 0; len(left) > 0; round++ {
		srv.kill(t)
		srv.start(t)
		left = b.inbox(t)
		t.Logf("%d messages are left after start %d", len(left), round)
		for n, e := range left {
			a := srv.ask(t, request{path: "/v1/email/raw?id=" + e.ID, key: b.key})
			if a.status != http.StatusOK && a.status != http.StatusNotFound {
				t.Fatalf("%s: %d %s", e.Subject, a.status, a.body)
			}
			large := strings.HasSuffix(e.Subject, "0")
			if a.status == http.StatusOK && large != (len(a.body) > 400_000) {
				t.Fatalf("%s: %d bytes", e.Subject, len(a.body))
			}
			if n%50 == 0 && round < 20 {
				break // to kill it again before it is done
			}
		}
	}
	if s := b.stats(t); s.Total != 0 || s.Storage != 0 || s.Unseen != 0 {
		t.Errorf("left %+v", s)
	}
	for _, e := range ids {
		if a := srv.ask(t, request{path: "/v1/email?id=" + e.ID, key: b.key}); a.status != http.StatusNotFound {
			t.Errorf("%s: %d", e.Subject, a.status)
		}
	}
	var found struct{ Emails []email }
	srv.get(t, b.key, "/v1/search?query=number", &found)
	if len(ids) != count || len(found.Emails) != 0 {
		t.Errorf("%d of %d are found", len(found.Emails), len(ids))
	}
}

// Three nodes delete what is kept no longer: each message once, by one of them.
func TestRetentionOfNodes(t *testing.T) {
	t.Parallel()
	d := deploy(t, 3)
	b := d.nodes[0].mailbox(t, "wren")
	const count = 150
	b.pour(t, count, func(n int) []byte { return []byte(mail(fmt.Sprint("number ", n))) })
	b.limit(t, `{"retention_days":{"inbound":0.000001}}`)
	for i := range d.nodes { // each looks at its start
		d.nodes[i].stop(t)
	}
	var starting sync.WaitGroup
	for i := range d.nodes {
		starting.Go(func() { d.start(i) })
	}
	starting.Wait()
	for end := time.Now().Add(patience); len(b.inbox(t)) > 0; {
		if time.Now().After(end) {
			t.Fatalf("%d messages are left", len(b.inbox(t)))
		}
	}
	sum, end := 0, time.Now().Add(patience)
	for sum < count && time.Now().Before(end) { // they are counted a moment after they are gone
		sum = 0
		for _, node := range d.nodes {
			page := node.do(t, request{path: "/metrics", key: node.token}, http.StatusOK, nil)
			_, rest, _ := strings.Cut(string(page.body), "\nmailkin_retention_messages_total ")
			n, err := strconv.Atoi(strings.Fields(rest)[0])
			if err != nil {
				t.Fatal(err)
			}
			sum += n
		}
	}
	if sum != count {
		t.Errorf("%d messages were counted as deleted, of %d", sum, count)
	}
}
