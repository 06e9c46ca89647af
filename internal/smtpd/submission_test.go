package smtpd

import (
	"context"
	"crypto/tls"
	"encoding/base64"
	"fmt"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// startSubmission runs a submission server on a free port until the test ends.
func startSubmission(t *testing.T, cfg Config, d *outbox) (srv *Server, addr string, trusting *tls.Config) {
	t.Helper()
	if cfg.TLS == nil {
		cfg.TLS, trusting = testTLS(t)
	}
	srv, addr = startServer(t, cfg, func(cfg Config) *Server { return NewSubmission(cfg, d) })
	return srv, addr, trusting
}

func coded(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

// auth is the command that logs in.
func auth(user, key string) string { return "AUTH PLAIN " + coded("\x00"+user+"\x00"+key) }

var (
	loggedIn = `
		C: EHLO client.test
		S* 250
		C: ` + auth("robin@mx.test", "right") + `
		S: 235 2.7.0
	`
	addressed = loggedIn + `
		C: MAIL FROM:<robin@mx.test>
		S: 250 2.1.0
		C: RCPT TO:<bob@far.test>
		S: 250 2.1.5
	`
)

// Dialogues over TLS.
func TestSubmission(t *testing.T) {
	right := coded("\x00robin@mx.test\x00right")
	rows := []dialogue{
		{name: "by DATA", script: addressed + `
			C: DATA
			S: 354
			R: "Subject: x\r\n\r\n..\r\n.\r\n"
			S: 250 2.0.0 Queued as 00000000-0000-0000-0000-000000000001
			C: QUIT
			S: 221 2.0.0
			X`, bodies: []string{"robin@mx.test Subject: x\r\n\r\n.\r\n"}},
		{name: "by BDAT", script: addressed + `
			R: "BDAT 2\r\nab"
			S: 250 2.0.0 Chunk
			R: "BDAT 1 LAST\r\nc"
			S: 250 2.0.0 Queued as 00000000-0000-0000-0000-000000000001`, bodies: []string{"robin@mx.test abc"}},
		{name: "two messages, RSET and EHLO keep the login", script: addressed + `
			C: RSET
			S: 250
			C: EHLO again.test
			S* 250
			C: MAIL FROM:<wren@mx.test> AUTH=<> SIZE=3
			S: 250
			C: RCPT TO:<bob@far.test>
			S: 250
			C: DATA
			S: 354
			R: "a\r\n.\r\n"
			S: 250 2.0.0 Queued
			C: MAIL FROM:<Robin@mx.test>
			S: 250
			C: RCPT TO:<bob@far.test>
			S: 250
			C: DATA
			S: 354
			R: "b\r\n.\r\n"
			S: 250 2.0.0 Queued`, bodies: []string{"robin@mx.test a\r\n", "robin@mx.test b\r\n"}},
		{name: "log in first", script: `
			C: AUTH PLAIN ` + right + `
			S: 503 5.5.1 Say hello
			C: EHLO client.test
			S* 250
			C: MAIL FROM:<robin@mx.test>
			S: 530 5.7.0
			C: RCPT TO:<bob@far.test>
			S: 503 5.5.1
			C: DATA
			S: 503 5.5.1
			R: "BDAT 2 LAST\r\nab"
			S: 503 5.5.1`},
		{name: "PLAIN in two steps", script: `
			C: EHLO client.test
			S* 250
			C: auth plain
			S: 334 
			C: ` + right + `
			S: 235 2.7.0`},
		{name: "PLAIN acting as oneself", script: `
			C: EHLO client.test
			S* 250
			C: AUTH PLAIN ` + coded("Robin@mx.test\x00robin@mx.test\x00right") + `
			S: 235 2.7.0`},
		{name: "PLAIN acting as another", script: `
			C: EHLO client.test
			S* 250
			C: AUTH PLAIN ` + coded("eve@mx.test\x00robin@mx.test\x00right") + `
			S: 535 5.7.8`},
		{name: "LOGIN", script: `
			C: EHLO client.test
			S* 250
			C: AUTH LOGIN
			S: 334 VXNlcm5hbWU6
			C: ` + coded("robin@mx.test") + `
			S: 334 UGFzc3dvcmQ6
			C: ` + coded("right") + `
			S: 235 2.7.0`},
		{name: "LOGIN with the name in the command", script: `
			C: EHLO client.test
			S* 250
			C: AUTH LOGIN ` + coded("robin@mx.test") + `
			S: 334 UGFzc3dvcmQ6
			C: ` + coded("right") + `
			S: 235 2.7.0`},
		{name: "exchanges that fail", script: `
			C: EHLO client.test
			S* 250
			C: AUTH
			S: 501 5.5.4
			C: AUTH PLAIN a b
			S: 501 5.5.4
			C: AUTH CRAM-MD5
			S: 504 5.5.4
			C: AUTH PLAIN not-base64
			S: 501 5.5.2
			C: AUTH PLAIN =
			S: 501 5.5.2
			C: AUTH PLAIN ` + coded("robin@mx.test\x00right") + `
			S: 501 5.5.2
			C: AUTH PLAIN
			S: 334
			C: *
			S: 501 5.7.0
			C: AUTH LOGIN
			S: 334
			C: *
			S: 501 5.7.0
			C: AUTH LOGIN
			S: 334
			R: "\xff\r\n"
			S: 501 5.5.2
			C: AUTH LOGIN
			S: 334
			R: "QQ==\n"
			S: 501 5.5.2
			C: AUTH PLAIN ` + right + `
			S: 235 2.7.0
			C: AUTH PLAIN ` + right + `
			S: 503 5.5.1 You are logged in`},
		{name: "three wrong keys", script: `
			C: EHLO client.test
			S* 250
			C: ` + auth("robin@mx.test", "wrong") + `
			S: 535 5.7.8
			C: ` + auth("eve@mx.test", "right") + `
			S: 535 5.7.8
			C: MAIL FROM:<robin@mx.test>
			S: 530 5.7.0
			C: ` + auth("robin@mx.test", "") + `
			S: 535 5.7.8
			S: 421 4.7.0 mx.test has seen too many wrong keys
			X`},
		{name: "too many wrong keys from this address", script: `
			C: EHLO client.test
			S* 250
			C: ` + auth("often@mx.test", "wrong") + `
			S: 454 4.7.0 Too many log-ins
			X`},
		{name: "login put off", script: `
			C: EHLO client.test
			S* 250
			C: ` + auth("broken@mx.test", "right") + `
			S: 454 4.7.0
			C: ` + auth("paused@mx.test", "right") + `
			S: 535 5.7.8 Address and key`},
		{name: "no login in the middle of a message", script: addressed + `
			C: AUTH PLAIN ` + right + `
			S: 503 5.5.1`},
		{name: "senders", script: loggedIn + `
			C: MAIL FROM:<eve@mx.test>
			S: 553 5.7.1 This is not one of your addresses.
			C: MAIL FROM:<>
			S: 553 5.7.1
			C: MAIL FROM:<paused@mx.test>
			S: 535 5.7.8 Mailbox is paused
			C: MAIL FROM:<limited@mx.test>
			S: 450 4.7.1 Daily send limit reached (1/1)
			C: MAIL FROM:<broken@mx.test>
			S: 451 4.3.0
			C: RCPT TO:<bob@far.test>
			S: 503 5.5.1
			C: MAIL FROM:<wren@mx.test> AUTH=
			S: 501 5.5.4
			C: MAIL FROM:<wren@mx.test>
			S: 250`},
		{name: "recipients", cfg: Config{MaxRecipients: 2}, script: addressed + `
			C: RCPT TO:<suppressed@far.test>
			S: 550 5.1.1 This address is on the suppression list.
			C: RCPT TO:<malformed@far.test>
			S: 550 5.1.3
			C: RCPT TO:<broken@far.test>
			S: 451 4.3.0
			C: RCPT TO:<BOB@far.test>
			S: 250
			C: RCPT TO:<carol@far.test>
			S: 250
			C: RCPT TO:<Bob@far.test>
			S: 250
			C: RCPT TO:<dave@far.test>
			S: 452 4.5.3
			C: DATA
			S: 354
			R: "a\r\n.\r\n"
			S: 250`, bodies: []string{"robin@mx.test a\r\n"}},
		{name: "too large", cfg: Config{MaxSize: 5}, script: addressed + `
			C: DATA
			S: 354
			R: "123456\r\n.\r\n"
			S: 552 5.3.4
			C: MAIL FROM:<robin@mx.test> SIZE=6
			S: 552 5.3.4`},
		{name: "LHLO is not for submission", script: `
			C: LHLO client.test
			S: 500 5.5.2`},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			d := &outbox{}
			srv, addr, trusting := startSubmission(t, row.cfg, d)
			c := dial(t, addr)
			c.play(greeted + "C: STARTTLS\nS: 220")
			c.secure(trusting)
			c.play(row.script)
			var bodies []string
			for _, l := range d.stored {
				bodies = append(bodies, l.body)
				if l.env.Proto != "ESMTPSA" {
					t.Errorf("protocol %s", l.env.Proto)
				}
			}
			if diff := cmp.Diff(row.bodies, bodies); diff != "" {
				t.Error(diff)
			}
			if got := int(srv.Stats().Accepted); got != len(bodies) {
				t.Errorf("%d accepted, %d stored", got, len(bodies))
			}
		})
	}
}

// What Submit says of the whole message is said once, whatever the number of recipients.
func TestSubmissionRefused(t *testing.T) {
	for _, row := range []struct {
		name string
		err  error
		want string
	}{
		{"daily limit", outboxRefusals["limited"], "450 4.7.1 Daily send limit reached (1/1)"},
		{"foreign From", mailbox.Errorf(mailbox.Forbidden, "foreign_sender", "The From is not yours."),
			"553 5.7.1 The From is not yours."},
		{"no words", &mailbox.Error{Kind: mailbox.Forbidden}, "553 5.7.1 This is not an address of your mailbox."},
		{"suppressed meanwhile", outboxRefusals["suppressed"], "550 5.1.1"},
		{"key gone meanwhile", mailbox.Errorf(mailbox.Unauthorized, "unauthorized", "Unauthorized"), "535 5.7.8"},
		{"paused meanwhile", outboxRefusals["paused"], "535 5.7.8"},
		{"loop", mailbox.Errorf(mailbox.TooManyHops, "mail_loop", "Too many hops."), "554 5.4.6"},
		{"malformed", mailbox.Errorf(mailbox.Invalid, "invalid_message", "The header is broken."),
			"554 5.6.0 The header is broken."},
		{"sending is off", mailbox.Errorf(mailbox.Unimplemented, "sending_unavailable", "Not set up."), "550 5.3.3"},
		{"foreign error", io.ErrClosedPipe, "451 4.3.0"},
	} {
		t.Run(row.name, func(t *testing.T) {
			d := &outbox{submit: func(context.Context, io.Reader) error { return row.err }}
			srv, addr, trusting := startSubmission(t, Config{}, d)
			c := dial(t, addr)
			c.play(greeted + "C: STARTTLS\nS: 220")
			c.secure(trusting)
			c.play(addressed + "C: RCPT TO:<carol@far.test>\nS: 250\nC: DATA\nS: 354")
			c.send("x\r\n.\r\n")
			c.play("S: " + row.want + "\nC: NOOP\nS: 250 2.0.0 OK")
			if s := srv.Stats(); s.Accepted != 0 || s.Rejected4+s.Rejected5 != 2 {
				t.Errorf("%+v", s)
			}
		})
	}
}

// Fifty recipients are the limit where none is set, however many the other listeners must take.
func TestSubmissionRecipients(t *testing.T) {
	d := &outbox{}
	_, addr, trusting := startSubmission(t, Config{}, d)
	c := dial(t, addr)
	c.play(greeted + "C: STARTTLS\nS: 220")
	c.secure(trusting)
	c.play(loggedIn + "C: MAIL FROM:<robin@mx.test>\nS: 250")
	for i := range 50 {
		c.play(fmt.Sprintf("C: RCPT TO:<r%d@far.test>\nS: 250", i))
	}
	c.play(`
		C: RCPT TO:<one-more@far.test>
		S: 452 4.5.3
		C: RCPT TO:<R7@far.test>
		S: 250
		C: DATA
		S: 354
		R: "a\r\n.\r\n"
		S: 250`)
	if n := len(d.stored[0].env.Recipients); n != 50 {
		t.Errorf("%d recipients", n)
	}
}
