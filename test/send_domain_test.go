package test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
)

// domainCheck is what the server finds of a domain's records.
type domainCheck struct {
	Domain  string
	Status  string
	MX      bool `json:"mx_verified"`
	SPF     bool `json:"spf_verified"`
	DKIM    bool `json:"dkim_verified"`
	DMARC   bool `json:"dmarc_verified"`
	Message string
	Former  int `json:"former_mailboxes"`
	Records []record
}

func (b box) verify(t *testing.T, id string) (c domainCheck) {
	t.Helper()
	b.srv.do(t, request{method: "POST", path: "/v1/domains/" + id + "/verify", key: b.key}, http.StatusOK, &c)
	return c
}

// robin asks for a mailbox on the domain.
func (s *server) robin() request {
	return request{method: "POST", path: "/v1/mailboxes", key: s.token, body: `{"address":"robin@own.example"}`}
}

// checkPending looks at a domain whose records are not published yet.
func checkPending(t *testing.T, owner, other box, d domainRecord) {
	t.Helper()
	before := owner.verify(t, d.ID)
	if before.Status != "pending" || before.MX || before.SPF || before.DKIM || before.DMARC || before.Message == "" ||
		!slices.ContainsFunc(before.Records, func(r record) bool {
			return r.Type == "MX" && !r.Verified && strings.Contains(strings.Join(r.Found, " "), "mx.elsewhere.example")
		}) {
		t.Errorf("before: %+v", before)
	}
	if a := owner.srv.ask(t, owner.srv.robin()); a.status < 400 {
		t.Errorf("a mailbox on a domain that is not verified: %d %s", a.status, a.body)
	}
	for _, key := range []string{other.key, owner.srv.bootstrap(t).key} {
		if a := owner.srv.ask(t, request{path: "/v1/domains/" + d.ID, key: key}); a.status != http.StatusNotFound &&
			a.status != http.StatusForbidden {
			t.Errorf("another mailbox sees the domain: %d %s", a.status, a.body)
		}
	}
	// Whoever only asks for it keeps nobody else from it.
	owner.srv.do(t, request{method: "POST", path: "/v1/domains", key: other.key, body: `{"domain":"own.example"}`},
		http.StatusCreated, nil)
}

// A domain of one's own: it is nobody's until its records are published, then mailboxes can be made on it, mail comes
// and is signed with its keys, and when it is given up mail is refused.
func TestSendOwnDomain(t *testing.T) {
	t.Parallel()
	z := newZone(t, "127.0.0.1", append(mailDomain("us.example", "mx.us.example", "127.0.0.1"),
		"there.example. 60 IN MX 10 mx.there.example.", "mx.there.example. 60 IN A 127.0.0.1",
		"own.example. 60 IN MX 5 mx.elsewhere.example.", text("own.example", "v=spf1 -all"))...)
	to := (&sink{offers: []string{"8BITMIME", "SIZE 1000000"}}).listen(t, "127.0.0.1")
	srv := start(t, shortStreams, "MAILKIN_DOMAIN=us.example", "MAILKIN_HOSTNAME=mx.us.example", "MAILKIN_DNS="+z.addr,
		"MAILKIN_OUTBOUND=direct", "MAILKIN_OUTBOUND_PORT="+to.port, "MAILKIN_OUTBOUND_ALLOW_PRIVATE=true")
	owner, other := srv.mailbox(t, "owner"), srv.mailbox(t, "other")

	var d domainRecord
	srv.do(t, request{method: "POST", path: "/v1/domains", key: owner.key, body: `{"domain":"Own.Example."}`},
		http.StatusCreated, &d)
	if d.Domain != "own.example" || d.Status != "pending" {
		t.Fatalf("%+v", d)
	}
	for _, kind := range []string{"mx", "spf", "dkim", "dmarc", "dkim_ed25519", "ownership"} {
		if r := d.Records[kind]; r.Type == "" || r.Host == "" || r.Value == "" {
			t.Errorf("%s is %+v", kind, r)
		}
	}
	checkPending(t, owner, other, d)

	z.mu.Lock()
	delete(z.records, "own.example.")
	z.mu.Unlock()
	for _, r := range d.Records {
		z.add(t, r.line(t))
	}
	after := owner.verify(t, d.ID)
	if after.Status != "dns_verified" || !after.MX || !after.SPF || !after.DKIM || !after.DMARC {
		t.Fatalf("after: %+v", after)
	}
	var made struct {
		Mailbox string
		Key     string `json:"api_key"`
	}
	srv.do(t, srv.robin(), http.StatusCreated, &made)
	robin := box{srv: srv, address: made.Mailbox, key: made.Key, prefix: "/v1"}
	srv.deliver(t, mail("to the domain"), robin.address)
	if e := robin.only(t); e.Subject != "to the domain" {
		t.Errorf("it got %+v", e)
	}
	s := robin.send(t, note("from the domain", "ann@there.example"))
	robin.delivery(t, s.ID, "delivered")
	m := to.only(t)
	raw := m.data.String()
	if !strings.Contains(m.from, "@own.example>") || strings.Count(raw, "d=own.example;") != 2 ||
		strings.Contains(raw, "us.example;") {
		t.Errorf("it went from %s as %.1500s", m.from, raw)
	}
	if said := z.ask(t, judged{Raw: raw}); !slices.Equal(said[0].Each, []bool{true, true}) || said[0].DMARC != "pass" {
		t.Errorf("dkimpy says %+v", said)
	}

	srv.restart(t)
	srv.deliver(t, mail("after a restart"), robin.address)
	ownership := d.Records["ownership"]
	z.mu.Lock()
	delete(z.records, ownership.Host+".")
	z.mu.Unlock()
	checkLapsed(t, owner, robin, d.ID)
	z.add(t, ownership.line(t))
	if back := owner.verify(t, d.ID); back.Status != "dns_verified" {
		t.Errorf("with its record again: %+v", back)
	}
	checkGivenUp(t, owner, robin, d.ID)
	checkTakenOver(t, z, other, robin)
}

// checkLapsed looks at a domain whose record of ownership is gone.
func checkLapsed(t *testing.T, owner, robin box, id string) {
	t.Helper()
	if gone := owner.verify(t, id); gone.Status != "lapsed" || !strings.Contains(gone.Message, "lapsed") {
		t.Errorf("without its record: %+v", gone)
	}
	c := open(t, owner.srv.smtp)
	c.mustAsk(t, "MAIL FROM:<a@example.org>", 250)
	c.mustAsk(t, "RCPT TO:<robin@own.example>", 450)
	a := robin.ask(t, "POST", "/send", note("lapsed", "ann@there.example").String())
	if a.status != http.StatusForbidden || !strings.Contains(string(a.body), `"domain_lapsed"`) {
		t.Errorf("sent from a domain that has lapsed: %d %s", a.status, a.body)
	}
}

// checkGivenUp gives the domain up.
func checkGivenUp(t *testing.T, owner, robin box, id string) {
	t.Helper()
	owner.srv.do(t, request{method: "DELETE", path: "/v1/domains/" + id, key: owner.key}, http.StatusOK, nil)
	c := open(t, owner.srv.smtp)
	c.mustAsk(t, "MAIL FROM:<a@example.org>", 250)
	c.mustAsk(t, "RCPT TO:<robin@own.example>", 550)
	if a := robin.ask(t, "POST", "/send", note("given up",
		"ann@there.example").String()); a.status != http.StatusForbidden {
		t.Errorf("sent from a domain that was given up: %d %s", a.status, a.body)
	}
	if all := robin.inbox(t); len(all) != 3 {
		t.Errorf("%d messages are left, want 3", len(all))
	}
}

// checkTakenOver verifies the domain for another mailbox: robin has what it got before, and nothing of the new owner's.
func checkTakenOver(t *testing.T, z *zone, other, robin box) {
	t.Helper()
	srv := other.srv
	var mine struct{ Domains []domainRecord }
	srv.do(t, request{path: "/v1/domains", key: other.key}, http.StatusOK, &mine)
	var d domainRecord
	srv.do(t, request{path: "/v1/domains/" + mine.Domains[0].ID, key: other.key}, http.StatusOK, &d)
	for _, r := range d.Records {
		z.mu.Lock()
		delete(z.records, r.Host+".")
		z.mu.Unlock()
	}
	for _, r := range d.Records {
		z.add(t, r.line(t))
	}
	if got := other.verify(t, d.ID); got.Status != "dns_verified" || got.Former != 1 || !strings.Contains(got.Message,
		"former owner: 1") {
		t.Fatalf("taken over: %+v", got)
	}
	c := open(t, srv.smtp)
	c.mustAsk(t, "MAIL FROM:<a@example.org>", 250)
	c.mustAsk(t, "RCPT TO:<robin@own.example>", 550)
	if a := robin.ask(t, "POST", "/send", note("taken over", "ann@there.example").String()); !strings.Contains(
		string(a.body), `"domain_lapsed"`) {
		t.Errorf("sent from a domain of another: %d %s", a.status, a.body)
	}
	var made struct {
		Key string `json:"api_key"`
	}
	srv.do(t, srv.robin(), http.StatusCreated, &made)
	srv.restart(t)
	srv.deliver(t, mail("to the new owner"), "robin@own.example")
	if e := (box{srv: srv, address: "robin@own.example", key: made.Key, prefix: "/v1"}).only(
		t); e.Subject != "to the new owner" {
		t.Errorf("the new mailbox got %+v", e)
	}
	if all := robin.inbox(t); len(all) != 3 || !strings.HasPrefix(all[0].Mailbox, "agent-") {
		t.Errorf("the former mailbox has %+v", all)
	}
}
