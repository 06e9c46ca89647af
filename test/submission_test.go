package test

import (
	"encoding/base64"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// withSubmission switches on the listener for programs that only speak SMTP.
const withSubmission = "MAILKIN_SUBMISSION_ADDR=127.0.0.1:0"

var printedSubmission = regexp.MustCompile(`(?m)^  Submission +(\S+)$`)

func (s *server) submission() string { return found(printedSubmission, s.stdout.String()) }

// logIn returns a session over TLS in which a mailbox has logged in.
func (b box) logIn(t testing.TB) *session {
	t.Helper()
	c := open(t, b.srv.submission())
	c.startTLS(t)
	c.mustAsk(t, b.auth(), 235)
	return c
}

// auth is the command that logs in with the mailbox's key.
func (b box) auth() string {
	return "AUTH PLAIN " + base64.StdEncoding.EncodeToString([]byte("\x00"+b.address+"\x00"+b.key))
}

// from is a message from the mailbox.
func (b box) from(subject string, to ...string) []byte {
	return []byte(crlf(fmt.Sprintf("From: %s\nTo: %s\nSubject: %s\n\nThis is %s.\n", b.address, strings.Join(to, ", "),
		subject, subject)))
}

// submit hands in a message and wants a code.
func (b box) submit(t testing.TB, c *session, message []byte, code int, to ...string) reply {
	t.Helper()
	r, err := c.send(envelope{from: b.address, to: to}, message, byDATA)
	if err != nil || r.code != code {
		t.Fatalf("got %v %v, want %d", r, err, code)
	}
	return r
}

// execute runs a program and returns what it said, and whether it ended well.
func execute(t testing.TB, program string, args ...string) (string, bool) {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		t.Fatalf("%s is missing: tools/setup.sh installs it", program)
	}
	out, err := exec.CommandContext(t.Context(), path, args...).CombinedOutput()
	return string(out), err == nil
}

const smtplib = `
import smtplib, ssl, sys
from email.message import EmailMessage
host, port, user, key, to, tls = sys.argv[1:7]
m = EmailMessage()
m["From"], m["To"], m["Subject"], m["Bcc"] = user, to, "From Python – ü", "hidden@mailkin.localhost"
m.set_content("Hello from smtplib: ü\n.a dot\n")
m.add_attachment(b"\x00\x01\x02", maintype="application", subtype="octet-stream", filename="three.bin")
with smtplib.SMTP(host, int(port)) as s:
    if tls == "tls":
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        s.starttls(context=context)
    s.login(user, key)
    s.send_message(m)
`

// Programs that only speak SMTP send with their mailbox's key, and their mail arrives.
func TestSubmissionPrograms(t *testing.T) {
	t.Parallel()
	srv := start(t, withSubmission)
	host, port, _ := strings.Cut(srv.submission(), ":")
	swaks := func(args ...string) func(robin, to box) (string, []string) {
		return func(robin, to box) (string, []string) {
			return "swaks", append([]string{"--server", srv.submission(), "--to", to.address, "--from", robin.address,
				"--auth-user", robin.address,
				"--auth-password", robin.key, "--body", "Hello from swaks", "--header", "Subject: From swaks",
				"--suppress-data"}, args...)
		}
	}
	python := func(tls string) func(robin, to box) (string, []string) {
		return func(robin, to box) (string, []string) {
			return "python3", []string{"-c", smtplib, host, port, robin.address, robin.key, to.address, tls}
		}
	}
	hidden := srv.mailbox(t, "hidden")
	for _, tt := range []struct {
		name    string
		command func(robin, to box) (program string, args []string)
		proto   string
		text    string
	}{
		{"swaks, PLAIN", swaks("--tls", "--auth", "PLAIN"), "ESMTPSA", "Hello from swaks"},
		{"swaks, LOGIN", swaks("--tls", "--auth", "LOGIN"), "ESMTPSA", "Hello from swaks"},
		{"swaks, without TLS on this machine", swaks("--auth", "PLAIN"), "ESMTPA", "Hello from swaks"},
		{"smtplib", python("tls"), "ESMTPSA", "Hello from smtplib: ü\n.a dot"},
		{"smtplib, without TLS on this machine", python("plain"), "ESMTPA", "Hello from smtplib: ü\n.a dot"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			name := strings.NewReplacer(" ", "", ",", "").Replace(tt.name)
			robin, wren := srv.mailbox(t, "r"+name), srv.mailbox(t, "w"+name)
			program, args := tt.command(robin, wren)
			if out, ok := execute(t, program, args...); !ok {
				t.Fatal(out)
			}
			sent, got := robin.only(t), wren.only(t)
			if sent.Direction != "outbound" || sent.Metadata.Protocol != tt.proto || sent.From != robin.address {
				t.Errorf("sent %+v", sent)
			}
			if text := strings.ReplaceAll(got.Text, "\r\n", "\n"); !strings.Contains(text, tt.text) ||
				got.From != robin.address || got.MessageID != sent.MessageID {
				t.Errorf("got %+v", got)
			}
			raw := string(wren.raw(t, got.ID))
			if !strings.HasPrefix(raw, "Received: from ") || !strings.Contains(raw, " with "+tt.proto+" id "+sent.ID) ||
				strings.Contains(raw, "hidden@") {
				t.Errorf("raw %s", raw)
			}
			for _, a := range got.Attachments {
				wren.download(t, a)
			}
		})
	}
	if n := len(hidden.inbox(t)); n != 2 {
		t.Errorf("the hidden recipient has %d messages, want 2", n)
	}
}

// Programs are told what is wrong in a way that they pass on.
func TestSubmissionProgramsRefused(t *testing.T) {
	t.Parallel()
	srv := start(t, withSubmission)
	robin := srv.mailbox(t, "robin")
	temporary := srv.bootstrap(t)
	swaks := func(b box, key string, args ...string) (string, bool) {
		return execute(t, "swaks", append([]string{"--server", srv.submission(), "--to", "bob@far.example", "--from",
			b.address,
			"--auth-user", b.address, "--auth-password", key, "--tls"}, args...)...)
	}
	for _, tt := range []struct {
		name string
		run  func() (string, bool)
		want string
	}{
		{"wrong key", func() (string, bool) { return swaks(robin, "mk_"+strings.Repeat("0", 64)) }, "535 5.7.8"},
		{"provisional key", func() (string, bool) { return swaks(temporary, temporary.key) }, "535 5.7.8"},
		{"foreign envelope", func() (string, bool) { return swaks(robin, robin.key, "--from", "eve@"+domain) },
			"553 5.7.1"},
		{"foreign From", func() (string, bool) { return swaks(robin, robin.key, "--h-From", "Eve <eve@"+domain+">") },
			"553 5.7.1"},
		{"no login", func() (string, bool) {
			return execute(t, "swaks", "--server", srv.submission(), "--to", "bob@far.example", "--from", robin.address,
				"--tls")
		}, "530 5.7.0"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if out, ok := tt.run(); ok || !strings.Contains(out, tt.want) {
				t.Errorf("ok %v:\n%s", ok, out)
			}
		})
	}
	if n := len(robin.inbox(t)); n != 0 {
		t.Errorf("%d messages are stored", n)
	}
	if log := srv.stderr.String(); strings.Contains(log, robin.key) ||
		strings.Contains(log, base64.StdEncoding.EncodeToString([]byte(robin.key))[:40]) {
		t.Error("a key is in the log")
	}
}

// The rules are those of POST /v1/send.
func TestSubmissionRules(t *testing.T) {
	t.Parallel()
	sameDay(t)
	srv := start(t, withSubmission, "DAILY_SEND_LIMIT=3")
	robin, wren := srv.mailbox(t, "robin"), srv.mailbox(t, "wren")
	c := robin.logIn(t)

	t.Run("recipients", func(t *testing.T) {
		c.mustAsk(t, "MAIL FROM:<"+robin.address+">", 250)
		for i := range 50 {
			c.mustAsk(t, fmt.Sprintf("RCPT TO:<r%d@far.example>", i), 250)
		}
		if r := c.mustAsk(t, "RCPT TO:<r50@far.example>", 452); !strings.HasPrefix(r.lines[0], "4.5.3") {
			t.Errorf("got %v", r)
		}
		c.mustAsk(t, "RCPT TO:<R7@Far.Example>", 250)
		c.mustAsk(t, "RSET", 250)
	})
	t.Run("suppressed", func(t *testing.T) {
		nobody := "nobody@" + domain
		robin.submit(t, c, robin.from("to nobody", nobody), 250, nobody) // and it comes back at once
		if r := robin.submit(t, c, nil, 550, nobody); !strings.HasPrefix(r.lines[0], "5.1.1") {
			t.Errorf("got %v", r)
		}
		c.mustAsk(t, "RSET", 250)
	})
	t.Run("daily limit", func(t *testing.T) {
		for i := range 2 {
			robin.submit(t, c, robin.from(fmt.Sprint("number ", i), wren.address), 250, wren.address)
		}
		r := robin.submit(t, c, robin.from("one more", wren.address), 450, wren.address)
		if !strings.HasPrefix(r.lines[0], "4.7.1 Daily send limit reached (3/3)") {
			t.Errorf("got %v", r)
		}
		if n := len(wren.inbox(t)); n != 2 {
			t.Errorf("%d messages have arrived, want 2", n)
		}
	})
	t.Run("paused", func(t *testing.T) {
		if a := wren.ask(t, "PATCH", "/mailbox/pause", ""); a.status != 200 {
			t.Fatalf("pause: %d %s", a.status, a.body)
		}
		p := open(t, srv.submission())
		p.startTLS(t)
		p.mustAsk(t, wren.auth(), 535)
	})
	t.Run("not an open relay", func(t *testing.T) {
		p := open(t, srv.submission())
		p.mustAsk(t, "MAIL FROM:<"+robin.address+">", 530)
		p.mustAsk(t, "RCPT TO:<bob@far.example>", 503)
	})
}

// Mail for others leaves by the configured way, in one piece whatever its size, and is still there after a crash.
func TestSubmissionIsDurable(t *testing.T) {
	t.Parallel()
	srv := start(t, withSubmission)
	robin := srv.mailbox(t, "robin")
	message := append([]byte("From: "+robin.address+"\r\nTo: bob@far.example\r\nDate: Mon, 02 Mar 2026 10:00:00 "+
		"+0000\r\n"), largeMail("large", 3_000_000, 7)[len("From: a@example.org\r\n"):]...)
	c := robin.logIn(t)
	r, err := c.send(envelope{from: robin.address, to: []string{"bob@far.example"}}, message, inChunks(100_000))
	if err != nil || r.code != 250 {
		t.Fatalf("got %v %v", r, err)
	}
	srv.kill(t)
	srv.start(t)
	e := robin.only(t)
	raw := robin.raw(t, e.ID)
	if !strings.Contains(r.String(), e.ID) || e.Direction != "outbound" || len(raw) < len(message) {
		t.Fatalf("%v, %+v", r, e)
	}
	sameBytes(t, raw[len(raw)-len(message):], message)
	eventually(t, func() error {
		var got struct{ Status string }
		srv.get(t, robin.key, "/v1/email?id="+e.ID, &got)
		if got.Status != "captured" {
			return fmt.Errorf("status %s", got.Status)
		}
		return nil
	})
}

// Wrong keys are counted, logged and limited without a setting, and keep nobody out who has a right one.
func TestSubmissionWrongKeys(t *testing.T) {
	t.Parallel()
	srv := start(t, withSubmission)
	robin := srv.mailbox(t, "robin")
	guess := func(n int) string {
		key := fmt.Sprintf("mk_%064x", n)
		return "AUTH PLAIN " + base64.StdEncoding.EncodeToString([]byte("\x00"+robin.address+"\x00"+key))
	}
	for n := range 20 {
		c := open(t, srv.submission())
		c.mustAsk(t, guess(n), 535)
		c.conn.Close()
	}
	c := open(t, srv.submission())
	if r := c.mustAsk(t, guess(20), 454); !strings.HasPrefix(r.lines[0], "4.7.0") {
		t.Errorf("got %v", r)
	}
	if r, err := c.read(); err == nil {
		t.Errorf("the connection is still there, and says %v", r)
	}
	srv.awaitLog(t, "msg=session", "listener=submission", "end=closed", "failed_logins=1")
	srv.do(t, request{path: "/v1/me", key: fmt.Sprintf("mk_%064x", 21)}, 401, nil) // SPEC 5.2
	again := open(t, srv.submission())
	again.mustAsk(t, robin.auth(), 235)
	if n := srv.metric(t, `mailkin_auth_failures_total{edge="submission"}`); n != 21 {
		t.Errorf("%v failures", n)
	}
	if n := srv.metric(t, `mailkin_auth_failures_total{edge="http"}`); n != 1 {
		t.Errorf("%v failures over HTTP", n)
	}
	if n := srv.metric(t, `mailkin_auth_limited_total{edge="submission"}`); n != 1 {
		t.Errorf("%v limited", n)
	}
	log := srv.stderr.String()
	if n := strings.Count(log, "log-in failed"); n != 22 || strings.Contains(log, fmt.Sprintf("mk_%060x", 0)) {
		t.Errorf("%d lines of failures, or a key:\n%s", n, log)
	}
}
