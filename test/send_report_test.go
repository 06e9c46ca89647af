package test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/emersion/go-msgauth/dkim"
)

// complaint is a report that a recipient took a message for spam.
func complaint(number int, recipient, messageID string) string {
	return crlf(fmt.Sprintf(`From: abuse@simulator.mailkin.localhost
To: whom@it.concerns.example
Subject: Complaint %[1]d
Message-ID: <complaint-%[1]d@post.example>
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report; boundary=b

--b
Content-Type: text/plain

Somebody does not like this.
--b
Content-Type: message/feedback-report

Feedback-Type: abuse
User-Agent: Test/1
Version: 1
Original-Rcpt-To: %[2]s
--b
Content-Type: message/rfc822

From: robin@mailkin.localhost
Message-ID: %[3]s
Subject: hello

Hello.
--b--
`, number, recipient, messageID))
}

// reporter signs reports in the name of a domain, for which it has a key.
type reporter struct {
	key  ed25519.PrivateKey
	zone map[string]string
}

func newReporter(t *testing.T, domains ...string) *reporter {
	t.Helper()
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	r := &reporter{key: private, zone: make(map[string]string)}
	for _, d := range domains {
		r.zone["key._domainkey."+d] = "v=DKIM1; k=ed25519; p=" + base64.StdEncoding.EncodeToString(public)
	}
	return r
}

func (r *reporter) sign(t *testing.T, domain, message string) string {
	t.Helper()
	var out bytes.Buffer
	if err := dkim.Sign(&out, strings.NewReader(message), &dkim.SignOptions{Domain: domain, Selector: "key",
		Signer: r.key}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// A complaint that names a message by its Message-ID, which all of its recipients know, counts if it comes from those
// who run the recipient's mail. Everybody else changes nothing, whatever they claim.
func TestSendComplaint(t *testing.T) {
	t.Parallel()
	const home = "simulator." + domain
	by := newReporter(t, home, "evil.example")
	srv := start(t, shortStreams, "MAILKIN_DNS="+nameServer(t, by.zone))
	b := srv.mailbox(t, "robin")
	ann, bob := "delivered+ann@simulator."+domain, "delivered+bob@simulator."+domain
	s := b.send(t, note("hello", ann, bob))
	b.delivery(t, s.ID, "delivered")
	kept := b.send(t, note("kept here", "bob@example.com"))
	b.delivery(t, kept.ID, "captured")
	forged := strings.Replace(s.MessageID, "@", "0@", 1)
	stranger := "From: abuse@evil.example"
	for i, tt := range []struct {
		name, messageID, recipient string
		signer, from               string
		status                     string
	}{
		{"forged", forged, bob, home, "", "delivered"},
		{"shorter", s.MessageID[:34] + "@" + domain + ">", bob, home, "", "delivered"},
		{"about nobody", s.MessageID, "eve@example.com", home, "", "delivered"},
		{"never sent", kept.MessageID, "bob@example.com", home, "", "delivered"},
		{"not signed", s.MessageID, bob, "", "", "delivered"},
		{"not signed by the author", s.MessageID, bob, "evil.example", "", "delivered"},
		{"of a stranger", s.MessageID, bob, "evil.example", stranger, "delivered"},
		{"of another recipient", s.MessageID, bob, home, "From: " + ann, "delivered"},
		{"of two authors", s.MessageID, bob, home, "From: abuse@" + home + ", abuse@evil.example", "delivered"},
		{"right", s.MessageID, bob, home, "", "complained"},
		{"again", s.MessageID, bob, home, "", "complained"},
	} {
		report := complaint(i, tt.recipient, tt.messageID)
		if tt.from != "" {
			report = strings.Replace(report, "From: abuse@"+home, tt.from, 1)
		}
		if tt.signer != "" {
			report = by.sign(t, tt.signer, report)
		}
		srv.deliver(t, report, b.address)
		list := b.outgoing(t, s.ID).Deliveries
		if list[0].Status != "delivered" || list[1].Status != tt.status {
			t.Errorf("%s: the deliveries are %+v", tt.name, list)
		}
	}
	events := told(b.log(t, 0), s.ID)
	if len(events) != 4 || events[3] != "complained "+bob {
		t.Errorf("the events are %q", events)
	}
	if got := b.suppressed(t); len(got) != 1 || got[0] != bob+" complaint" {
		t.Errorf("suppressed: %q", got)
	}
}

// A bounce that knows no more than the Message-ID is mail like any other, no matter who signed it.
func TestForgedBounce(t *testing.T) {
	t.Parallel()
	const home = "simulator." + domain
	by := newReporter(t, home)
	srv := start(t, shortStreams, "MAILKIN_DNS="+nameServer(t, by.zone))
	b := srv.mailbox(t, "robin")
	bob := "delivered+bob@" + home
	s := b.send(t, note("hello", bob))
	b.delivery(t, s.ID, "delivered")
	bounce := by.sign(t, home, crlf(fmt.Sprintf(`From: mailer-daemon@%[1]s
To: %[2]s
Subject: Undelivered mail
Message-ID: <bounce@%[1]s>
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary=b

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; %[1]s

Final-Recipient: rfc822; %[3]s
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 no such user
--b
Content-Type: message/rfc822

From: %[2]s
To: %[3]s
Message-ID: %[4]s
Subject: hello

Hello.
--b--
`, home, b.address, bob, s.MessageID)))
	c := open(t, srv.smtp)
	if r, err := c.send(envelope{to: []string{b.address}}, []byte(bounce), byDATA); err != nil || r.code != 250 {
		t.Fatalf("not delivered: %v %v", r, err)
	}
	if list := b.outgoing(t, s.ID).Deliveries; list[0].Status != "delivered" {
		t.Errorf("the deliveries are %+v", list)
	}
	if got := b.suppressed(t); len(got) != 0 {
		t.Errorf("suppressed: %q", got)
	}
}

// A stop waits for the answer of a server that has the message, so that nothing is sent twice.
func TestSendStop(t *testing.T) {
	t.Parallel()
	has, goOn := make(chan struct{}, 10), make(chan struct{})
	to := (&sink{final: func(*taken) (string, action) {
		has <- struct{}{}
		<-goOn
		return "250 2.0.0 Taken", takes
	}}).listen(t, "127.0.0.1")
	srv := start(t, shortStreams, "MAILKIN_OUTBOUND=smtp://"+to.addr)
	b := srv.mailbox(t, "robin")
	s := b.send(t, note("slow", "ann@example.com"))
	<-has
	time.AfterFunc(500*time.Millisecond, func() { close(goOn) })
	srv.stop(t)
	srv.start(t)
	if d := b.outgoing(t, s.ID).Deliveries[0]; d.Status != "sent" || d.Outcome != "" || d.Attempts != 1 {
		t.Errorf("after the stop the delivery is %+v", d)
	}
	if n := len(to.all()); n != 1 {
		t.Errorf("%d copies", n)
	}
}

// A stop whose time is over cuts the connection. Then nobody knows whether the message was taken: it is sent again, and
// says so.
func TestSendStopTooSlow(t *testing.T) {
	t.Parallel()
	has := make(chan struct{}, 10)
	var second atomic.Bool
	to := (&sink{final: func(*taken) (string, action) {
		has <- struct{}{}
		if !second.Swap(true) {
			return "", hangs
		}
		return "250 2.0.0 Taken", takes
	}}).listen(t, "127.0.0.1")
	srv := start(t, shortStreams, "MAILKIN_OUTBOUND=smtp://"+to.addr, "MAILKIN_SHUTDOWN_GRACE=500ms")
	b := srv.mailbox(t, "robin")
	s := b.send(t, note("silent", "ann@example.com"))
	<-has
	srv.stop(t)
	srv.start(t)
	if d := b.outgoing(t, s.ID).Deliveries[0]; d.Outcome != "unknown" || d.Status != "queued" {
		t.Errorf("after the stop the delivery is %+v", d)
	}
	b.hasten(t)
	if d := b.delivery(t, s.ID, "sent"); d.Outcome != "unknown" {
		t.Errorf("the delivery is %+v", d)
	}
	if n := len(to.all()); n != 2 {
		t.Errorf("%d copies", n)
	}
}
