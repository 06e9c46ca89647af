package test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// complaint is a report that a recipient took a message for spam.
func complaint(number int, recipient, messageID string) string {
	return crlf(fmt.Sprintf(`From: abuse@post.example
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

// A complaint counts if it names a message by the Message-ID that only its recipients know.
func TestSendComplaint(t *testing.T) {
	t.Parallel()
	srv := start(t, shortStreams)
	b := srv.mailbox(t, "robin")
	ann, bob := "delivered+ann@simulator."+domain, "delivered+bob@simulator."+domain
	s := b.send(t, note("hello", ann, bob))
	b.delivery(t, s.ID, "delivered")
	kept := b.send(t, note("kept here", "bob@example.com"))
	b.delivery(t, kept.ID, "captured")
	forged := strings.Replace(s.MessageID, "@", "0@", 1)
	for i, tt := range []struct {
		name, messageID, recipient string
		status                     string
	}{
		{"forged", forged, bob, "delivered"},
		{"shorter", s.MessageID[:34] + "@" + domain + ">", bob, "delivered"},
		{"about nobody", s.MessageID, "eve@example.com", "delivered"},
		{"never sent", kept.MessageID, "bob@example.com", "delivered"},
		{"right", s.MessageID, bob, "complained"},
		{"again", s.MessageID, bob, "complained"},
	} {
		srv.deliver(t, complaint(i, tt.recipient, tt.messageID), b.address)
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

// A stop whose time is over cuts the connection. Then nobody knows whether the message was taken: it is sent again, and says so.
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
