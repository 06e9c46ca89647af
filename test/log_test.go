package test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// about returns the lines of the server's log that have all of the words.
func (s *server) about(words ...string) (lines []string) {
	for line := range strings.Lines(s.stderr.String()) {
		all := true
		for _, w := range words {
			all = all && strings.Contains(line, w)
		}
		if all {
			lines = append(lines, line)
		}
	}
	return lines
}

// awaitLog waits for a line with all of the words.
func (s *server) awaitLog(t testing.TB, words ...string) {
	t.Helper()
	eventually(t, func() error {
		if len(s.about(words...)) == 0 {
			return fmt.Errorf("no line with %q in the log:\n%s", words, s.stderr.String())
		}
		return nil
	})
}

// The log alone says what happened to a mail, by its id, and holds nothing of what was in it.
func TestLogTellsWhatHappened(t *testing.T) {
	t.Parallel()
	srv := start(t, "MAILKIN_LOG_LEVEL=debug", withSubmission)
	own := srv.mailbox(t, "own")
	hook := newReceiver(t, http.StatusNoContent)
	own.hookTo(t, hook.URL+"/secretpath?token=secretquery")

	srv.deliver(t, crlf("From: a@far.example\nTo: "+own.address+"\nSubject: plantedsubject\nMessage-ID: "+
		"<plantedid@far.example>\n\n"+
		"plantedbody. Your code is 739184.\n"), own.address)
	in := own.only(t)
	srv.get(t, own.key, "/v1/email?id="+in.ID, nil)
	srv.get(t, own.key, "/v1/code", nil)
	srv.get(t, own.key, "/v1/search?query=plantedquery", nil)
	srv.awaitLog(t, "msg=webhook", "email_id="+in.ID, "mailbox="+own.address, "event=message.received",
		"state=delivered", "status=204", "took=")
	srv.awaitLog(t, `msg="message received"`, "email_id="+in.ID, "mailbox="+own.address, "from=", "to="+own.address,
		"size=", "result=stored",
		"client=127.0.0.1", "proto=ESMTP", "took=")
	srv.awaitLog(t, "msg=session", "listener=smtp", "client=127.0.0.1", "helo=client.example", "messages=1", "end=",
		"took=")
	srv.awaitLog(t, "msg=request", "client=127.0.0.1", "mailbox="+own.address, "key=mk_", "request_id=", "route=email")

	out := own.send(t, draft{"to": []string{"ann@far.example", "bob@far.example"}, "subject": "plantedsubject",
		"text": "plantedbody"})
	srv.awaitLog(t, `msg="message queued"`, "email_id="+out.ID, "mailbox="+own.address, "recipients=2")
	srv.awaitLog(t, "msg=delivery", "email_id="+out.ID, "recipient=ann@far.example", "status=captured", "tries=1",
		"since_queued=")

	c := open(t, srv.smtp)
	c.mustAsk(t, "MAIL FROM:<spammer@far.example>", 250)
	c.mustAsk(t, "RCPT TO:<nobody@"+domain+">", 550)
	srv.awaitLog(t, `msg="message refused"`, "stage=rcpt", "client=127.0.0.1", "from=spammer@far.example",
		"to=nobody@"+domain, "code=550")
	wrong := open(t, srv.submission())
	wrong.mustAsk(t, "AUTH PLAIN AG93bgBwbGFudGVkcGFzc3dvcmQ=", 535) // own, plantedpassword
	srv.awaitLog(t, `msg="log-in failed"`, "edge=submission", "client=127.0.0.1", "reason=")

	log := srv.stderr.String()
	for _, secret := range []string{"planted", "739184", own.key, srv.token, "secretpath", "secretquery",
		"AG93bgBwbGFudGVk"} {
		if i := strings.Index(log, secret); i >= 0 {
			t.Errorf("%q is in the log: %.300s", secret, log[max(0, i-200):])
		}
	}
}

// What a client says of itself makes no lines of its own, and none without an end.
func TestLogOfHostileNames(t *testing.T) {
	t.Parallel()
	srv := start(t)
	conn, err := net.Dial("tcp", srv.smtp)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(patience))
	c := &session{conn: conn, in: bufio.NewReader(conn)}
	if _, err := c.read(); err != nil {
		t.Fatal(err)
	}
	c.mustAsk(t, `EHLO x"end=forged`, 250)
	c.mustAsk(t, "MAIL FROM:<\"a\\\"b=c\"@far.example>", 250)
	c.mustAsk(t, "RCPT TO:<"+strings.Repeat("n", 60)+"@"+strings.Repeat("long.", 35)+"example>", 550)
	c.mustAsk(t, "QUIT", 221)
	srv.awaitLog(t, "msg=session", `helo="x\"end=forged"`, "end=quit")
	for line := range strings.Lines(srv.stderr.String()) {
		if !strings.HasPrefix(line, "time=") || len(line) > 1500 {
			t.Errorf("a line of the log: %.200q", line)
		}
	}
}

// Where a trusted proxy names no client, the log has the proxy's own address.
func TestLogNamesTheProxy(t *testing.T) {
	t.Parallel()
	srv := start(t, "MAILKIN_LOG_LEVEL=debug", "MAILKIN_TRUSTED_PROXIES=127.0.0.0/8")
	own := srv.mailbox(t, "own")
	srv.get(t, own.key, "/v1/me", nil)
	srv.awaitLog(t, "msg=request", "route=me", "client=127.0.0.1")
	srv.do(t, request{method: "GET", path: "/v1/me", key: "mk_wrong"}, http.StatusUnauthorized, nil)
	srv.awaitLog(t, `msg="log-in failed"`, "edge=http", "client=127.0.0.1")
}
