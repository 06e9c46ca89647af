package test

import (
	"bytes"
	"fmt"
	"io"
	"mime/quotedprintable"
	"net/http"
	netmail "net/mail"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

var noticeLink = regexp.MustCompile(`http://mail\.example(/review\?token=[A-Za-z0-9_-]+)`)

// reviewed is a server that sends by a relay, with a mailbox whose messages a person has to approve.
func reviewed(t *testing.T, to *sink, settings ...string) *server {
	t.Helper()
	to.listen(t, "127.0.0.1")
	return start(t, append([]string{shortStreams, "MAILKIN_OUTBOUND=smtp://" + to.addr,
		"MAILKIN_PUBLIC_URL=http://mail.example"}, settings...)...)
}

// reviewedBy has all messages of a mailbox approved by somebody.
func (b box) reviewedBy(t testing.TB, addresses string) {
	t.Helper()
	b.srv.do(t, request{method: "PATCH", path: "/v1/mailboxes/" + url.PathEscape(b.address), key: b.srv.token,
		body: `{"send_policy":"review_all","reviewers":[` + addresses + `]}`}, http.StatusOK, nil)
}

// hold sends a message that is held.
func (b box) hold(t testing.TB, subject string) (s sent) {
	t.Helper()
	b.srv.do(t, request{method: "POST", path: "/v1/send", key: b.key, body: note(subject, "kim@far.example").String()},
		http.StatusAccepted, &s)
	return s
}

// noticesTo are the texts of the notices that an address got, by their Message-ID.
func (s *sink) noticesTo(address string) map[string]string {
	found := make(map[string]string)
	for _, m := range s.all() {
		if len(m.to) == 1 && strings.EqualFold(m.to[0], address) {
			letter, err := netmail.ReadMessage(bytes.NewReader(m.data.Bytes()))
			if err != nil {
				continue
			}
			text, _ := io.ReadAll(letter.Body)
			if strings.EqualFold(letter.Header.Get("Content-Transfer-Encoding"), "quoted-printable") {
				text, _ = io.ReadAll(quotedprintable.NewReader(bytes.NewReader(text)))
			}
			found[letter.Header.Get("Message-ID")] = strings.ReplaceAll(string(text), "\r\n", "\n")
		}
	}
	return found
}

// linkFor waits for the notice about a message to an address, and returns the link that it has for it.
func (s *sink) linkFor(t testing.TB, address, subject string) (link string) {
	t.Helper()
	eventually(t, func() error {
		for _, text := range s.noticesTo(address) {
			if _, about, ok := strings.Cut(text, "Subject: "+subject+"\n"); ok {
				link = noticeLink.FindStringSubmatch(about)[1]
				return nil
			}
		}
		return fmt.Errorf("no notice about %s to %s", subject, address)
	})
	return link
}

// decide sends the form of the page that a link leads to.
func (s *server) decide(t testing.TB, link, decision string) answer {
	t.Helper()
	at, err := url.Parse(link)
	if err != nil {
		t.Fatal(err)
	}
	form := url.Values{"token": {at.Query().Get("token")}, "version": {"1"}, "decision": {decision},
		"reason": {"Not like this."}}
	return s.ask(t, request{method: "POST", path: at.Path, body: form.Encode(),
		kind: "application/x-www-form-urlencoded"})
}

func says(t testing.TB, a answer, status int, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if a.status != status || !strings.Contains(string(a.body), text) {
			t.Errorf("%d, want %d with %q:\n%s", a.status, status, text, a.body)
		}
	}
}

// A reviewer gets a mail; programs that follow its link decide nothing; the form decides, once.
func TestNotice(t *testing.T) {
	t.Parallel()
	relay := new(sink)
	srv := reviewed(t, relay)
	b := srv.mailbox(t, "robin")
	b.reviewedBy(t, `"ann@people.example","bob@people.example"`)
	s := b.hold(t, "First")
	link, other := relay.linkFor(t, "ann@people.example", "First"), relay.linkFor(t, "bob@people.example", "First")
	if link == other {
		t.Error("both reviewers have the same link")
	}
	for range 3 { // a scanner
		says(t, srv.ask(t, request{path: link}), 200, "Send this message?", "First")
		srv.ask(t, request{method: "HEAD", path: link})
	}
	if got := b.outgoing(t, s.ID); got.Status != "held" {
		t.Fatalf("it is %s", got.Status)
	}
	says(t, srv.decide(t, link, "approve"), 200, "<h1>Approved</h1>")
	b.delivery(t, s.ID, "sent")
	says(t, srv.decide(t, link, "approve"), 200, "Already approved", "ann@people.example")
	says(t, srv.decide(t, other, "reject"), 200, "Already approved", "ann@people.example")
	says(t, srv.ask(t, request{path: other}), 200, "Already approved")
	times := 0
	for _, m := range relay.all() {
		if m.to[0] == "kim@far.example" {
			times++
		}
	}
	if times != 1 {
		t.Errorf("it was sent %d times", times)
	}
	audit := srv.do(t, request{path: "/v1/audit?limit=50", key: srv.token}, http.StatusOK, nil)
	if !strings.Contains(string(audit.body), "reviewer by mail ann@people.example") {
		t.Errorf("audit %s", audit.body)
	}
	for _, secret := range []string{link, strings.TrimPrefix(link, "/review?token=")} {
		if strings.Contains(srv.stderr.String(), secret) || strings.Contains(string(audit.body), secret) {
			t.Error("the link is in a log")
		}
	}
}

// What became of a message meanwhile is what the page says.
func TestNoticeMeanwhile(t *testing.T) {
	t.Parallel()
	relay := new(sink)
	srv := reviewed(t, relay, "MAILKIN_REVIEW_EXPIRY=30s", "MAILKIN_REVIEWERS=ann@people.example")
	for _, tt := range []struct {
		name   string
		do     func(b box, id string)
		status int
		says   string
	}{
		{"rejected", func(box, string) {}, 200, "<h1>Rejected</h1>"},
		{"canceled", func(b box, id string) {
			srv.do(t, request{method: "POST", path: "/v1/email/cancel?id=" + id, key: b.key}, 200, nil)
		}, 410, "Called back"},
		{"edited", func(_ box, id string) {
			srv.do(t, request{method: "PATCH", path: "/v1/reviews/" + id, key: srv.token,
				body: `{"version":1,"subject":"Something else"}`}, 200, nil)
		}, 409, "Something else"},
		{"deleted", func(b box, id string) {
			srv.do(t, request{method: "DELETE", path: "/v1/email?id=" + id, key: b.key}, 200, nil)
		}, 404, "leads to nothing"},
		{"another reviewer", func(b box, _ string) { b.reviewedBy(t, `"bob@people.example"`) }, 404, "leads to nothing"},
	} {
		b := srv.mailbox(t, strings.ReplaceAll(tt.name, " ", "-"))
		b.reviewedBy(t, "")
		s := b.hold(t, tt.name)
		link := relay.linkFor(t, "ann@people.example", tt.name)
		tt.do(b, s.ID)
		says(t, srv.decide(t, link, "reject"), tt.status, tt.says)
		if tt.name == "rejected" {
			a := srv.do(t, request{path: "/v1/email?id=" + s.ID, key: b.key}, 200, nil)
			if !strings.Contains(string(a.body), "Not like this.") {
				t.Errorf("the agent reads %s", a.body)
			}
		}
	}
}

func TestNoticeExpired(t *testing.T) {
	t.Parallel()
	relay := new(sink)
	srv := reviewed(t, relay, "MAILKIN_REVIEW_EXPIRY=1s")
	b := srv.mailbox(t, "robin")
	b.reviewedBy(t, `"ann@people.example"`)
	s := b.hold(t, "Late")
	link := relay.linkFor(t, "ann@people.example", "Late")
	eventually(t, func() error {
		if a := srv.ask(t, request{path: link}); a.status != http.StatusGone {
			return fmt.Errorf("it is %d", a.status)
		}
		return nil
	})
	says(t, srv.decide(t, link, "approve"), 410, "Too late")
	if got := b.outgoing(t, s.ID); got.Status != "held" && got.Status != "expired" {
		t.Errorf("it is %s", got.Status)
	}
}

// A server that is killed as soon as a message is held tells of it when it is back, and tells it once.
func TestNoticeAfterKill(t *testing.T) {
	t.Parallel()
	relay := new(sink)
	srv := reviewed(t, relay)
	srv.expectErrors = true
	for i := range 4 {
		b := srv.mailbox(t, fmt.Sprintf("robin%d", i))
		b.reviewedBy(t, `"ann@people.example"`)
		subject := fmt.Sprintf("Round %d", i)
		b.hold(t, subject)
		srv.kill(t)
		srv.start(t)
		link := relay.linkFor(t, "ann@people.example", subject)
		about := 0
		for _, text := range relay.noticesTo("ann@people.example") { // one that was sent twice has one Message-ID
			if strings.Contains(text, "Subject: "+subject+"\n") {
				about++
			}
		}
		if about != 1 {
			t.Errorf("%d notices are about %s", about, subject)
		}
		says(t, srv.decide(t, link, "approve"), 200, "<h1>Approved</h1>")
	}
}

// Where nothing leaves, a notice is kept for the operator to see, as other mail is; no key of a mailbox reads it.
func TestNoticeCaptured(t *testing.T) {
	t.Parallel()
	srv := start(t, shortStreams, "MAILKIN_REVIEWERS=ann@people.example")
	b := srv.mailbox(t, "robin")
	b.reviewedBy(t, "")
	b.hold(t, "Captured")
	path := "/v1/inbox?direction=outbound&mailbox=" + url.QueryEscape("noreply@"+domain)
	eventually(t, func() error {
		a := srv.ask(t, request{path: path, key: srv.token})
		if a.status != 200 || !strings.Contains(string(a.body), `"status":"captured"`) {
			return fmt.Errorf("%d %s", a.status, a.body)
		}
		return nil
	})
	if a := srv.ask(t, request{path: path, key: b.key}); a.status != http.StatusForbidden {
		t.Errorf("the agent is answered %d", a.status)
	}
}
