package smtpd

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDialogue(t *testing.T) {
	playAll(t, []dialogue{
		{name: "a mailbox that may refuse the author gets a message of its own", script: enveloped + `
			C: RCPT TO:<choosy@mx.test>
			S: 452 4.5.3
			C: RCPT TO:<carol@mx.test>
			S: 250 2.1.5
			C: RSET
			S: 250
			C: MAIL FROM:<alice@client.test>
			S: 250
			C: RCPT TO:<choosy@mx.test>
			S: 250 2.1.5
			C: RCPT TO:<choosy+x@mx.test>
			S: 250 2.1.5
			C: RCPT TO:<bob@mx.test>
			S: 452 4.5.3`},
		{name: "one message", script: enveloped + `
			C: DATA
			S: 354
			R: "Subject: x\r\n\r\nhello\r\n.\r\n"
			S: 250 2.0.0 Stored as 00000000-0000-0000-0000-000000000001
			C: QUIT
			S: 221 2.0.0
			X`, bodies: []string{"Subject: x\r\n\r\nhello\r\n"}},
		{name: "extensions without TLS", script: `
			S: 220
			C: EHLO client.test
			S: 250-mx.test
			S: 250-PIPELINING
			S: 250-SIZE 140000000
			S: 250-8BITMIME
			S: 250-SMTPUTF8
			S: 250-CHUNKING
			S: 250 ENHANCEDSTATUSCODES
			C: STARTTLS
			S: 502 5.5.1`},
		{name: "HELO has no extensions", script: `
			S: 220
			C: HELO client.test
			S: 250 mx.test
			C: NOOP
			S: 250 2.0.0`},
		{name: "hello needs a name", script: `
			S: 220
			C: EHLO
			S: 501 5.5.4
			C: HELO
			S: 501 5.5.4
			C: MAIL FROM:<a@b>
			S: 503 5.5.1 Say hello`},
		{name: "LHLO is not SMTP", script: `
			S: 220
			C: LHLO client.test
			S: 500 5.5.2`},
		{name: "order of commands", script: greeted + `
			C: RCPT TO:<bob@mx.test>
			S: 503 5.5.1
			C: DATA
			S: 503 5.5.1
			C: MAIL FROM:<a@b>
			S: 250 2.1.0
			C: MAIL FROM:<c@d>
			S: 503 5.5.1
			C: DATA
			S: 503 5.5.1 No recipient
			C: RCPT TO:<unknown@mx.test>
			S: 550 5.1.1
			C: DATA
			S: 503 5.5.1 No recipient
			C: RSET
			S: 250 2.0.0
			C: RCPT TO:<bob@mx.test>
			S: 503 5.5.1`},
		{name: "EHLO forgets the envelope", script: enveloped + `
			C: EHLO again.test
			S* 250
			C: DATA
			S: 503 5.5.1`},
		{name: "small commands", script: greeted + `
			C: noop whatever it says
			S: 250 2.0.0
			C: VRFY bob
			S: 252 2.5.0
			C: VRFY
			S: 501 5.5.4
			C: EXPN list
			S: 502 5.5.1
			C: HELP
			S: 214 2.0.0
			C: AUTH PLAIN AGEAYg==
			S: 502 5.5.1
			C: FROBNICATE now
			S: 500 5.5.2
			C:
			S: 500 5.5.2
			C: RSET now
			S: 501 5.5.4
			C: DATA now
			S: 501 5.5.4
			C: QUIT
			S: 221 2.0.0
			X`},
		{name: "recipients refused", script: enveloped + `
			C: RCPT TO:<unknown@mx.test>
			S: 550 5.1.1 No mailbox here has this address.
			C: RCPT TO:<paused@mx.test>
			S: 450 4.2.1
			C: RCPT TO:<full@mx.test>
			S: 452 4.2.2
			C: RCPT TO:<broken@mx.test>
			S: 451 4.3.0 Something went wrong here
			C: RCPT TO:<umlaut@mx.test>
			S: 550 5.7.1 N??:  250 injected
			C: NOOP
			S: 250`},
		{name: "UTF-8 in a reply needs SMTPUTF8", script: greeted + `
			C: MAIL FROM:<a@b> SMTPUTF8
			S: 250
			C: RCPT TO:<umlaut@mx.test>
			S: 550 5.7.1 Nöö:  250 injected
			C: NOOP
			S: 250`},
		{name: "parameters", cfg: Config{MaxSize: 1000}, script: greeted + `
			C: MAIL FROM:<a@b> SIZE=1001
			S: 552 5.3.4
			C: MAIL FROM:<a@b> SIZE=99999999999999999999
			S: 552 5.3.4
			C: MAIL FROM:<a@b> SIZE=-1
			S: 501 5.5.4
			C: MAIL FROM:<a@b> SIZE=
			S: 501 5.5.4
			C: MAIL FROM:<a@b> SIZE=10 SIZE=20
			S: 501 5.5.4
			C: MAIL FROM:<a@b> BODY=BINARYMIME
			S: 501 5.5.4
			C: MAIL FROM:<a@b> SMTPUTF8=yes
			S: 501 5.5.4
			C: MAIL FROM:<a@b> RET=HDRS
			S: 555 5.5.4
			C: MAIL FROM:<a@b>SIZE=10
			S: 501 5.1.7
			C: MAIL FROM:<a@b>  size=1000 body=8bitmime
			S: 250 2.1.0
			C: RCPT TO:<bob@mx.test> NOTIFY=NEVER
			S: 555 5.5.4
			C: RCPT TO:<bob@mx.test>
			S: 250 2.1.5`},
		{name: "addresses beyond ASCII", script: greeted + `
			C: MAIL FROM:<jürgen@bücher.test>
			S: 553 5.6.7
			C: MAIL FROM:<a@b>
			S: 250
			C: RCPT TO:<jürgen@mx.test>
			S: 553 5.6.7
			C: RSET
			S: 250
			C: MAIL FROM:<jürgen@bücher.test> SMTPUTF8
			S: 250
			C: RCPT TO:<jürgen@mx.test>
			S: 250`},
		{name: "pipelined", script: `
			S: 220
			R: "EHLO c\r\n"
			S* 250
			R: "MAIL FROM:<a@b>\r\nRCPT TO:<unknown@mx.test>\r\nRCPT TO:<bob@mx.test>\r\nDATA\r\n"
			S: 250 2.1.0
			S: 550 5.1.1
			S: 250 2.1.5
			S: 354
			R: "x\r\n.\r\nRSET\r\nQUIT\r\n"
			S: 250 2.0.0 Stored
			S: 250 2.0.0 OK
			S: 221
			X`, bodies: []string{"x\r\n"}},
		{name: "a message sent before a refused DATA is not run", script: greeted + `
			R: "DATA\r\nMAIL FROM:<smuggled@b>\r\n.\r\nNOOP\r\n"
			S: 421 4.7.0
			X`},
		{name: "HTTP", script: `
			S: 220
			R: "POST / HTTP/1.1\r\nHost: mx.test\r\n\r\nEHLO x\r\n"
			S: 421 4.7.0 mx.test speaks SMTP
			X`},
		{name: "lines", cfg: Config{}, script: greeted + `
			R: "NOOP\n"
			S: 500 5.5.2 Lines end with CR LF
			R: "NOOP\x00\r\n"
			S: 500 5.5.2
			R: "NO\rOP\r\n"
			S: 500 5.5.2
			R: "NOOP \xff\xfe\r\n"
			S: 500 5.5.2
			R: "NOOP\x7f\r\n"
			S: 500 5.5.2
			R: "NO"
			R: "OP\r"
			R: "\n"
			S: 250 2.0.0`},
		{name: "QUIRK no brackets, spaces", script: greeted + `
			C: MAIL FROM: a@b.test SIZE=3
			S: 250
			C: RCPT TO: <bob@mx.test>
			S: 250
			C: rcpt to:carol@mx.test
			S: 250`},
		{name: "postmaster needs no domain", script: greeted + `
			C: MAIL FROM:<>
			S: 250
			C: RCPT TO:<Postmaster>
			S: 250
			C: RCPT TO:<bob>
			S: 501 5.1.3
			C: RCPT TO:<>
			S: 501 5.1.3`},
	})
}

// dialogue is a session by script, and the messages that are stored after it.
type dialogue struct {
	name   string
	cfg    Config
	script string
	bodies []string
}

func playAll(t *testing.T, rows []dialogue) {
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			p := &post{}
			_, addr := start(t, row.cfg, p)
			dial(t, addr).play(row.script)
			if diff := cmp.Diff(row.bodies, p.bodies()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestLongLines(t *testing.T) {
	_, addr := start(t, Config{}, &post{})
	c := dial(t, addr)
	c.play(greeted)
	c.send("NOOP " + strings.Repeat("x", lineMax-7) + "\r\n") // as long as may be
	c.expect("250 2.0.0")
	c.send("NOOP " + strings.Repeat("x", lineMax-6) + "\r\n")
	c.expect("500 5.5.2 The line is too long")
	c.send("NOOP " + strings.Repeat("x", 3*lineMax) + "\r\nNOOP\r\n")
	c.expect("500 5.5.2 The line is too long")
	c.expect("250 2.0.0")
	c.send(strings.Repeat("x", lineEndless+lineMax))
	c.expect("421 4.7.0")
	c.expectEnd()
}

// A line that is too long may also stand in the large buffer, after a message.
func TestLongLineBehindMessage(t *testing.T) {
	p := &post{}
	_, addr := start(t, Config{}, p)
	c := dial(t, addr)
	c.play(enveloped + "C: DATA\nS: 354")
	c.send("x\r\n.\r\nNOOP " + strings.Repeat("x", 3*lineMax) + "\r\n" + strings.Repeat("NOOP\r\n", 2*lineMax))
	c.expect("250 2.0.0 Stored")
	c.expect("500 5.5.2 The line is too long")
	for range 2 * lineMax {
		c.expect("250 2.0.0 OK")
	}
}
