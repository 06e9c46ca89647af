package smtpd

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
)

func TestSubmissionWithoutTLS(t *testing.T) {
	offers := func(c *client, line string) bool {
		c.send("EHLO client.test\r\n")
		return slices.Contains(c.expectReply("250"), line)
	}
	login := "C: " + auth("robin@mx.test", "right")
	t.Run("refused", func(t *testing.T) {
		d := &outbox{}
		_, addr, _ := startSubmission(t, Config{}, d)
		c := dial(t, addr)
		c.expect("220")
		if offers(c, "250-AUTH PLAIN LOGIN") || !offers(c, "250-STARTTLS") {
			t.Error("AUTH is offered, or STARTTLS is not")
		}
		c.play(login + `
			S: 538 5.7.11
			C: MAIL FROM:<robin@mx.test>
			S: 530 5.7.0 Must issue a STARTTLS command first`)
		if d.logins != nil {
			t.Errorf("asked about %q", d.logins)
		}
	})
	t.Run("on this machine", func(t *testing.T) {
		d := &outbox{}
		_, addr, _ := startSubmission(t, Config{PlainAuthLoopback: true}, d)
		c := dial(t, addr)
		c.expect("220")
		if !offers(c, "250-AUTH PLAIN LOGIN") {
			t.Error("AUTH is not offered")
		}
		c.play(login + `
			S: 235 2.7.0
			C: STARTTLS
			S: 503 5.5.1
			C: MAIL FROM:<robin@mx.test>
			S: 250
			C: RCPT TO:<bob@far.test>
			S: 250
			C: DATA
			S: 354
			R: "a\r\n.\r\n"
			S: 250`)
		if got := d.stored[0].env; got.Proto != "ESMTPA" || got.Helo != "client.test" || got.Remote != "127.0.0.1" {
			t.Errorf("%+v", got)
		}
	})
	t.Run("login is forgotten with the connection", func(t *testing.T) {
		_, addr, trusting := startSubmission(t, Config{PlainAuthLoopback: true}, &outbox{})
		c := dial(t, addr)
		c.play(greeted + "C: STARTTLS\nS: 220")
		c.secure(trusting)
		if !offers(c, "250-AUTH PLAIN LOGIN") {
			t.Error("AUTH is not offered")
		}
		c.play("C: MAIL FROM:<robin@mx.test>\nS: 530 5.7.0 Log in first")
	})
}

// Every kind of error has a reply of the submission listener; at login it tells nothing but whether to try again.
func TestSubmissionKindReplies(t *testing.T) {
	s := &session{srv: NewSubmission(Config{}, &outbox{})}
	want := map[mailbox.Kind]string{
		mailbox.Unauthorized: "535 5.7.8", mailbox.Forbidden: "553 5.7.1", mailbox.Paused: "535 5.7.8",
		mailbox.Limited:         "450 4.7.1",
		mailbox.NoSuchRecipient: "550 5.1.1", mailbox.TooManyHops: "554 5.4.6", mailbox.TooLarge: "552 5.3.4",
		mailbox.Denied: "550 5.7.1",
	}
	wrong := []mailbox.Kind{mailbox.Unauthorized, mailbox.Forbidden, mailbox.Paused, mailbox.Denied}
	for _, kind := range mailbox.Kinds() {
		err := mailbox.Errorf(kind, "code", "A sentence.")
		for _, stage := range []string{stageMail, stageRcpt, stageData} {
			r := s.replyFor(err, stage, false)
			if !strings.HasPrefix(r.String(), want[kind]) || fmt.Sprint(r.class()) != r.status[:1] {
				t.Errorf("kind %d at %s: %q, want %q", kind, stage, r, want[kind])
			}
		}
		login := replyLoginLater
		switch {
		case slices.Contains(wrong, kind):
			login = replyLoginWrong
		case kind == mailbox.Limited:
			login = replyLoginLimited
		}
		if r := s.replyFor(err, stageAuth, false); r != login {
			t.Errorf("kind %d at login: %q", kind, r)
		}
	}
}

// A connection that is lost in the middle of a message, or of a login, leaves nothing behind; no key is ever logged.
func TestSubmissionCutOff(t *testing.T) {
	var logged bytes.Buffer
	d := &outbox{}
	ended := make(chan error, 1)
	d.submit = func(_ context.Context, message io.Reader) error {
		_, err := io.ReadAll(message)
		ended <- err
		return err
	}
	cfg := Config{Log: slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{Level: slog.LevelDebug}))}
	srv, addr, trusting := startSubmission(t, cfg, d)
	c := dial(t, addr)
	c.play(greeted + "C: STARTTLS\nS: 220")
	c.secure(trusting)
	c.play("C: EHLO client.test\nS* 250\nC: " + auth("broken@mx.test", "some-secret-key") + "\nS: 454")
	c.play(addressed + "C: DATA\nS: 354")
	c.send("half")
	c.conn.Close()
	if err := <-ended; err != io.ErrUnexpectedEOF {
		t.Errorf("the message ended with %v", err)
	}
	if err := srv.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	if len(d.stored) > 0 || srv.Stats().Accepted != 0 {
		t.Errorf("stored %v", d.stored)
	}
	if text := logged.String(); strings.Contains(text, "secret") || strings.Contains(text, coded("some-secret")[:10]) ||
		!strings.Contains(text, "AUTH") {
		t.Errorf("logged %s", text)
	}
}

func TestLongLogin(t *testing.T) {
	_, addr, trusting := startSubmission(t, Config{}, &outbox{})
	c := dial(t, addr)
	c.play(greeted + "C: STARTTLS\nS: 220")
	c.secure(trusting)
	c.play("C: EHLO client.test\nS* 250\nC: AUTH PLAIN\nS: 334")
	c.send(strings.Repeat("A", 2*lineMax) + "\r\n")
	c.play("S: 500 5.5.6\nC: AUTH LOGIN\nS: 334")
	c.send(strings.Repeat("A", lineEndless+lineMax))
	c.expect("421 4.7.0")
	c.expectEnd()
}
