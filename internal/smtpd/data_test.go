package smtpd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mailkin/mailkin/internal/mailbox"
)

// What others take for an end of data is content here, and what is after it never runs.
func TestSmuggling(t *testing.T) {
	for name, end := range map[string]string{
		"LF.LF": "\n.\n", "LF.CRLF": "\n.\r\n", "CRLF.LF": "\r\n.\n", "CR.CR": "\r.\r", "CR.CRLF": "\r.\r\n",
		"CRLF.CR": "\r\n.\r", "LF.CR": "\n.\r", "CRLF.CRCRLF": "\r\n.\r\r\n", "CRLF.NULCRLF": "\r\n.\x00\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			p := &post{}
			_, addr := start(t, Config{}, p)
			c := dial(t, addr)
			c.play(enveloped + "C: DATA\nS: 354")
			hidden := "MAIL FROM:<admin@mx.test>\r\nRCPT TO:<carol@mx.test>\r\nDATA\r\nevil"
			c.send("first" + end + hidden + "\r\n.\r\n")
			c.play("S: 250 2.0.0\nC: QUIT\nS: 221\nX")
			want := []string{"first" + strings.Replace(end, "\r\n.", "\r\n", 1) + hidden + "\r\n"}
			if diff := cmp.Diff(want, p.bodies()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestEnvelope(t *testing.T) {
	rows := []struct {
		name, script string
		cfg          Config
		want         mailbox.Envelope
	}{
		{name: "ESMTP", script: greeted + `
			C: MAIL FROM:<a@b.test> SIZE=12
			S: 250
			C: RCPT TO:<@relay.test:Bob+tag@MX.test>
			S: 250`,
			want: mailbox.Envelope{Trace: mailbox.Trace{From: "a@b.test", Helo: "client.test", Proto: "ESMTP"},
				Recipients: recipients("Bob+tag@MX.test"), Size: 12}},
		{name: "SMTP, null sender", script: `
			S: 220
			C: HELO old.test extra words
			S: 250
			C: MAIL FROM:<>
			S: 250
			C: RCPT TO:<postmaster>
			S: 250`,
			want: mailbox.Envelope{Trace: mailbox.Trace{Helo: "old.test", Proto: "SMTP"},
				Recipients: recipients("postmaster")}},
		{name: "UTF8SMTP", script: greeted + `
			C: MAIL FROM:<é@b.test> SMTPUTF8
			S: 250
			C: RCPT TO:<bob@mx.test>
			S: 250`,
			want: mailbox.Envelope{Trace: mailbox.Trace{From: "é@b.test", Helo: "client.test", Proto: "UTF8SMTP"},
				Recipients: recipients("bob@mx.test")}},
		{name: "the same recipient again", script: greeted + `
			C: MAIL FROM:<a@b.test>
			S: 250
			C: RCPT TO:<bob@mx.test>
			S: 250
			C: RCPT TO:<bob@MX.TEST>
			S: 250
			C: RCPT TO:<Bob@mx.test>
			S: 250`,
			want: mailbox.Envelope{Trace: mailbox.Trace{From: "a@b.test", Helo: "client.test", Proto: "ESMTP"},
				Recipients: recipients("bob@mx.test", "Bob@mx.test")}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			p := &post{}
			_, addr := start(t, row.cfg, p)
			dial(t, addr).play(row.script + "\nC: DATA\nS: 354\nC: .\nS: 250\nC: QUIT\nS: 221")
			row.want.Remote = "127.0.0.1"
			if diff := cmp.Diff(row.want, p.stored[0].env); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// One reply speaks for all recipients.
func TestSeveralRecipients(t *testing.T) {
	rows := []struct {
		name  string
		rcpts []string
		reply string
		told  []string // of rejects
	}{
		{"all stored", []string{"bob", "carol"}, "250 2.0.0 Stored as 00000000-0000-0000-0000-000000000001", nil},
		{"one refused for good", []string{"late-unknown", "bob"},
			"250 2.0.0 Stored as 00000000-0000-0000-0000-000000000002", []string{"late-unknown 550 5.1.1"}},
		{"one refused for now", []string{"bob", "late-unknown", "late-full"}, "452 4.2.2",
			[]string{"late-unknown 550 5.1.1", "late-full 452 4.2.2"}},
		{"all refused for good", []string{"late-unknown", "late-umlaut"}, "550 5.1.1",
			[]string{"late-unknown 550 5.1.1", "late-umlaut 550 5.7.1"}},
		{"an error of ours", []string{"bob", "late-broken"}, "451 4.3.0 Something went wrong",
			[]string{"late-broken 451 4.3.0"}},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			p := &post{}
			srv, addr := start(t, Config{}, p)
			c := dial(t, addr)
			c.play(greeted + "C: MAIL FROM:<a@b>\nS: 250")
			for _, local := range row.rcpts {
				c.play("C: RCPT TO:<" + local + "@mx.test>\nS: 250")
			}
			c.play("C: DATA\nS: 354\nC: x\nC: .\nS: " + row.reply)
			var told []string
			for _, r := range p.rejects {
				local, _, _ := strings.Cut(r.Recipient, "@")
				told = append(told, local+" "+r.Reply[:9])
				if r.Stage != "data" || r.Sender != "a@b" || r.Remote != "127.0.0.1" || r.At.IsZero() {
					t.Errorf("%+v", r)
				}
			}
			if diff := cmp.Diff(row.told, told); diff != "" {
				t.Error(diff)
			}
			if got := srv.Stats(); (got.Accepted == 1) != (row.reply[0] == '2') || got.Bytes != 3*got.Accepted {
				t.Errorf("%d accepted, %d bytes", got.Accepted, got.Bytes)
			}
		})
	}
}

func TestRejectedAtRcpt(t *testing.T) {
	p := &post{}
	srv, addr := start(t, Config{}, p)
	dial(t, addr).play(enveloped + `
		C: RCPT TO:<unknown@mx.test>
		S: 550
		C: RCPT TO:<paused@mx.test>
		S: 450`)
	want := []mailbox.Reject{
		{Stage: "rcpt", Sender: "alice@client.test", Recipient: "unknown@mx.test", Remote: "127.0.0.1",
			Reply: "550 5.1.1 No mailbox here has this address."},
		{Stage: "rcpt", Sender: "alice@client.test", Recipient: "paused@mx.test", Remote: "127.0.0.1",
			Reply: "450 4.2.1 The mailbox is paused."},
	}
	for i := range p.rejects {
		p.rejects[i].At = want[i].At
	}
	if diff := cmp.Diff(want, p.rejects); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(Stats{Open: 1, Total: 1, Rejected4: 1, Rejected5: 1}, srv.Stats()); diff != "" {
		t.Error(diff)
	}
}

// Every error of Receive has its reply, by DATA and by BDAT, and the session goes on after the message.
func TestReceiveErrors(t *testing.T) {
	errs := map[string]error{"foreign": errors.New("secret")}
	for _, kind := range mailbox.Kinds() {
		errs[fmt.Sprintf("kind %d", kind)] = mailbox.Errorf(kind, "code", "A sentence.")
	}
	body := "RSET\r\n" + strings.Repeat("QUIT\r\n", 40_000)
	for name, fail := range errs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := &post{receive: func(context.Context, mailbox.Envelope, io.Reader) ([]mailbox.Receipt, error) {
				return nil, fail
			}}
			_, addr := start(t, Config{}, p)
			c := dial(t, addr)
			want := replyFor(fail, stageData, false).String()
			c.play(enveloped + "C: DATA\nS: 354")
			c.send(body + ".\r\n")
			c.expect(want)
			c.play("C: MAIL FROM:<a@b>\nS: 250\nC: RCPT TO:<bob@mx.test>\nS: 250")
			c.send(fmt.Sprintf("BDAT %d LAST\r\n%sNOOP\r\n", len(body), body))
			c.expect(want)
			c.expect("250 2.0.0 OK")
		})
	}
}

// A Backend that does not keep its side of the contract gets no 250.
func TestReceiveContract(t *testing.T) {
	one := []mailbox.Receipt{{Recipient: "bob@mx.test"}}
	rows := map[string]func(io.Reader) ([]mailbox.Receipt, error){
		"success before the end": func(io.Reader) ([]mailbox.Receipt, error) { return one, nil },
		"no receipt": func(r io.Reader) ([]mailbox.Receipt, error) {
			_, err := io.Copy(io.Discard, r)
			return nil, err
		},
	}
	for name, receive := range rows {
		t.Run(name, func(t *testing.T) {
			p := &post{receive: func(_ context.Context, _ mailbox.Envelope, r io.Reader) ([]mailbox.Receipt, error) {
				return receive(r)
			}}
			_, addr := start(t, Config{}, p)
			dial(t, addr).play(enveloped + `
				C: DATA
				S: 354
				C: x
				C: .
				S: 451 4.3.0 Something went wrong
				C: MAIL FROM:<a@b>
				S: 250
				C: RCPT TO:<bob@mx.test>
				S: 250
				R: "BDAT 4 LAST\r\nQUITNOOP\r\n"
				S: 451 4.3.0
				S: 250`)
		})
	}
}

func TestTooLarge(t *testing.T) {
	ignoring := func(_ context.Context, env mailbox.Envelope, r io.Reader) ([]mailbox.Receipt, error) {
		_, _ = io.Copy(io.Discard, r)
		return make([]mailbox.Receipt, len(env.Recipients)), nil
	}
	rows := []struct {
		name    string
		size    int
		receive func(context.Context, mailbox.Envelope, io.Reader) ([]mailbox.Receipt, error)
		script  string
	}{
		{"as large as may be", 1000, nil, "S: 250 2.0.0\nC: NOOP\nS: 250"},
		{"one byte more", 1001, nil, "S: 552 5.3.4\nC: NOOP\nS: 250"},
		{"one byte more, and Receive does not care", 1001, ignoring, "S: 552 5.3.4\nC: NOOP\nS: 250"},
		{"beyond patience", 3500, nil, "S: 552 5.3.4\nX"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			p := &post{receive: row.receive}
			_, addr := start(t, Config{MaxSize: 1000}, p)
			c := dial(t, addr)
			c.play(enveloped + "C: DATA\nS: 354")
			c.send(strings.Repeat("x", row.size-2) + "\r\n.\r\n")
			c.play(row.script)
			for _, err := range p.cut {
				if mailbox.KindOf(err) != mailbox.TooLarge {
					t.Errorf("Receive saw %v", err)
				}
			}
			if stored := len(p.bodies()) > 0; stored != (row.size <= 1000 && row.receive == nil) {
				t.Errorf("stored: %v", stored)
			}
		})
	}
}

// A message whose connection ends is not stored, however it ends.
func TestConnectionLost(t *testing.T) {
	ends := map[string]func(net.Conn) error{
		"closed":      func(c net.Conn) error { return c.Close() },
		"half closed": func(c net.Conn) error { return c.(*net.TCPConn).CloseWrite() },
		"reset": func(c net.Conn) error {
			if err := c.(*net.TCPConn).SetLinger(0); err != nil {
				return err
			}
			return c.Close()
		},
	}
	scripts := map[string]string{
		"DATA":                "C: DATA\nS: 354\nR: \"half a message\\r\\n.\"",
		"DATA before content": "C: DATA\nS: 354",
		"BDAT chunk":          "R: \"BDAT 100 LAST\\r\\nhalf\"",
		"BDAT between chunks": "R: \"BDAT 4\\r\\nhalf\"\nS: 250",
	}
	for how, end := range ends {
		for where, script := range scripts {
			t.Run(where+" "+how, func(t *testing.T) {
				t.Parallel()
				ended := make(chan error, 1)
				p := &post{entered: make(chan struct{}, 1)}
				p.receive = func(_ context.Context, env mailbox.Envelope, r io.Reader) ([]mailbox.Receipt, error) {
					receipts, err := p.keep(env, r)
					ended <- err
					return receipts, err
				}
				_, addr := start(t, Config{}, p)
				c := dial(t, addr)
				c.play(enveloped + script)
				<-p.entered
				if err := end(c.conn); err != nil {
					t.Fatal(err)
				}
				if err := <-ended; err != io.ErrUnexpectedEOF {
					t.Errorf("Receive saw %v", err)
				}
			})
		}
	}
}

func TestPanic(t *testing.T) {
	for name, script := range map[string]string{
		"DATA":     "C: DATA\nS: 354\nC: .",
		"BDAT":     "R: \"BDAT 4 LAST\\r\\nbody\"",
		"BDAT 0":   "C: BDAT 0 LAST",
		"two BDAT": "R: \"BDAT 4\\r\\nbodyBDAT 4\\r\\nbody\"",
	} {
		t.Run(name, func(t *testing.T) {
			p := &post{}
			p.receive = func(_ context.Context, env mailbox.Envelope, r io.Reader) ([]mailbox.Receipt, error) {
				if env.Recipients[0].Address == "panic@mx.test" {
					panic("at the disco")
				}
				return p.keep(env, r)
			}
			_, addr := start(t, Config{}, p)
			other := dial(t, addr)
			other.play(enveloped)
			c := dial(t, addr)
			c.play(greeted + "C: MAIL FROM:<a@b>\nS: 250\nC: RCPT TO:<panic@mx.test>\nS: 250\n" + script)
			for {
				line := c.readLine()
				if strings.HasPrefix(line, "421 4.3.0") {
					break
				}
				if !strings.HasPrefix(line, "250 2.0.0 Chunk") {
					t.Fatal(line)
				}
			}
			c.expectEnd()
			other.play("C: DATA\nS: 354\nC: .\nS: 250 2.0.0 Stored")
		})
	}
}
