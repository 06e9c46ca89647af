package test

import (
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A restart keeps mailboxes, keys, mail, marks and logs.
func TestRestart(t *testing.T) {
	t.Parallel()
	srv := start(t)
	b := srv.mailbox(t, "stay")
	large := largeMail("large", 400_000, 2)
	srv.deliver(t, mail("small"), b.address)
	srv.deliver(t, string(large), b.address)
	list := b.inbox(t)
	if a := b.ask(t, "PATCH", "/email?id="+list[1].ID, `{"seen":true,"add_labels":["kept"]}`); a.status != 200 {
		t.Fatalf("got %d %s", a.status, a.body)
	}
	before, token := b.stats(t), srv.token

	srv.restart(t)
	if srv.token != token {
		t.Error("the operator token has changed")
	}
	if after := b.stats(t); after != before {
		t.Errorf("stats %+v, before %+v", after, before)
	}
	sameBytes(t, b.raw(t, list[0].ID), large)
	sameBytes(t, b.raw(t, list[1].ID), []byte(mail("small")))
	if e := b.email(t, list[1].ID); !e.Seen || !strings.Contains(fmt.Sprint(e.Labels), "kept") {
		t.Errorf("got %+v", e)
	}
	srv.deliver(t, mail("small"), b.address) // a duplicate also after a restart
	if n := len(b.inbox(t)); n != 2 {
		t.Errorf("%d messages, want 2", n)
	}
}

// A second process on the same folder is refused with one line, and the first goes on.
func TestSecondProcess(t *testing.T) {
	embedded(t)
	srv := start(t)
	status, stdout, stderr := run(t, srv.environ, "serve")
	if status != 1 || stdout != "" || strings.Count(stderr, "\n") != 1 ||
		!strings.Contains(stderr, "another process is using") {
		t.Errorf("status %d, stdout %q, stderr %q", status, stdout, stderr)
	}
	b := srv.mailbox(t, "still")
	srv.deliver(t, mail("still here"), b.address)
	b.only(t)
}

// A domain that fits none of the mailboxes is a wrong setting, too: a supervisor must not try again for ever.
func TestWrongDomainIsAWrongSetting(t *testing.T) {
	t.Parallel()
	srv := start(t, "MAILKIN_DOMAIN=right.test")
	srv.mailbox(t, "robin")
	srv.stop(t)
	status, _, stderr := run(t, append(srv.environ, "MAILKIN_DOMAIN=wrong.test"), "serve")
	if status != 2 || !strings.Contains(stderr, "domain_mismatch") {
		t.Errorf("status %d: %s", status, stderr)
	}
}

// A wrong setting ends the start with status 2 and one line that names it, before anything is made.
func TestWrongSettings(t *testing.T) {
	for _, tt := range []struct {
		name    string
		environ []string
		args    []string
		want    string
	}{
		{name: "address", environ: []string{"MAILKIN_HTTP_ADDR=8025"}, want: "http_addr"},
		{name: "domain", environ: []string{"MAILKIN_DOMAIN=not a domain"}, want: "domain"},
		{name: "mailbox elsewhere", environ: []string{"MAILKIN_MAILBOX=ops@example.com"}, want: "mailbox"},
		{name: "size", environ: []string{"MAILKIN_LIMIT_WIRE=much"}, want: "limit_wire"},
		{name: "duration", environ: []string{"MAILKIN_SHUTDOWN_GRACE=10"}, want: "shutdown_grace"},
		{name: "short token", environ: []string{"AUTH_TOKEN=short"}, want: "auth_token"},
		{name: "misspelt variable", environ: []string{"MAILKIN_HTPP_ADDR=127.0.0.1:0"}, want: "MAILKIN_HTTP_ADDR"},
		{name: "misspelt flag", args: []string{"--htpp-addr", "127.0.0.1:0"}, want: "--http-addr"},
		{name: "missing file", args: []string{"--config", "/does/not/exist"}, want: "config"},
		{name: "certificate", environ: []string{"MAILKIN_TLS=files:only-one"}, want: "tls"},
		{name: "argument", args: []string{"now"}, want: "now"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "data")
			status, stdout, stderr := run(t, append(tt.environ, "MAILKIN_DATA_DIR="+dir),
				append([]string{"serve"}, tt.args...)...)
			if status != 2 || stdout != "" || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, tt.want) {
				t.Errorf("status %d, stdout %q, stderr %q; want 2 and one line with %q", status, stdout, stderr,
					tt.want)
			}
			if _, err := os.Stat(dir); !os.IsNotExist(err) {
				t.Error("the data folder was made")
			}
		})
	}
}

// inData returns a session in the middle of DATA.
func (s *server) inData(t *testing.T, b box, half string) *session {
	t.Helper()
	c := open(t, s.smtp)
	c.mustAsk(t, "MAIL FROM:<a@example.org>", 250)
	c.mustAsk(t, "RCPT TO:<"+b.address+">", 250)
	c.mustAsk(t, "DATA", 354)
	if err := c.write([]byte(half)); err != nil {
		t.Fatal(err)
	}
	return c
}

// SIGTERM lets a message that is coming in finish. Its 250 holds after the next start.
func TestStopFinishesMessage(t *testing.T) {
	t.Parallel()
	srv := start(t, "MAILKIN_SHUTDOWN_GRACE=30s")
	b := srv.mailbox(t, "finish")
	message := mail("in flight")
	idle := open(t, srv.smtp)
	c := srv.inData(t, b, message[:40])

	srv.signal(t, syscall.SIGTERM)
	idle.mustRead(t, 421) // the stop has begun, and idle clients are sent away
	if err := c.write([]byte(message[40:] + ".\r\n")); err != nil {
		t.Fatal(err)
	}
	c.mustRead(t, 250)
	c.mustRead(t, 421)
	if status := srv.exit(t); status != 0 {
		t.Errorf("status %d: %s", status, srv.stderr)
	}
	srv.start(t)
	sameBytes(t, b.raw(t, b.only(t).ID), []byte(message))
}

// The same for a message in chunks.
func TestStopFinishesChunks(t *testing.T) {
	t.Parallel()
	srv := start(t, "MAILKIN_SHUTDOWN_GRACE=30s")
	b := srv.mailbox(t, "finish")
	message := []byte(mail("in chunks"))
	idle, c := open(t, srv.smtp), open(t, srv.smtp)
	c.mustAsk(t, "MAIL FROM:<a@example.org>", 250)
	c.mustAsk(t, "RCPT TO:<"+b.address+">", 250)
	if r, err := c.chunk(message[:40], ""); err != nil || r.code != 250 {
		t.Fatalf("got %v %v", r, err)
	}
	srv.signal(t, syscall.SIGTERM)
	idle.mustRead(t, 421)
	if r, err := c.chunk(message[40:], " LAST"); err != nil || r.code != 250 {
		t.Fatalf("got %v %v", r, err)
	}
	if status := srv.exit(t); status != 0 {
		t.Errorf("status %d: %s", status, srv.stderr)
	}
	srv.start(t)
	sameBytes(t, b.raw(t, b.only(t).ID), message)
}

// Work that is not over at the end of the grace is cut off, and the status says so.
func TestWorkCutOff(t *testing.T) {
	t.Parallel()
	srv := start(t, "MAILKIN_SHUTDOWN_GRACE=1s", "MAILKIN_WEBHOOK_ALLOW_PRIVATE=true")
	b := srv.mailbox(t, "cut")
	silent, err := net.Listen("tcp", "127.0.0.1:0") // whose backlog takes connections, and nobody answers
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	b.hookTo(t, "http://"+silent.Addr().String()+"/")
	asking, err := net.Dial("tcp", strings.TrimPrefix(srv.http, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer asking.Close()
	if _, err := fmt.Fprintf(asking, "POST /v1/webhook/test HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n"+
		"Content-Length: 0\r\n\r\n", b.key); err != nil {
		t.Fatal(err)
	}
	srv.awaitCalls(t, 1)
	srv.signal(t, syscall.SIGTERM)
	if status := srv.exit(t); status != 1 {
		t.Errorf("status %d: %s", status, srv.stderr)
	}
}

// A second SIGTERM cuts off what is in flight, and the status says so. Clients that stand still while they send do not
// hold up the end, and the end is a good one. Nothing is stored.
func TestForcedStop(t *testing.T) {
	for _, tt := range []struct {
		name  string
		twice bool
		want  int
	}{
		{"second signal", true, 1},
		{"clients that stand still", false, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			srv := start(t, "MAILKIN_SHUTDOWN_GRACE=1m")
			b := srv.mailbox(t, "cut")
			idle := open(t, srv.smtp)
			srv.inData(t, b, "Subject: never finished\r\n")
			const rest = "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{\"to\":"
			key := "Host: x\r\nAuthorization: Bearer " + b.key + "\r\n"
			for _, half := range []string{
				"POST /v1/send HTTP/1.1\r\n" + key + rest,
				"GET /v1/inbox HTTP/1.1\r\n" + key + rest, // a body that nobody needs
				"POST /v1/send HTTP/1.1\r\nHost: x\r\n" + rest,
				"GET /v1/inbox HTTP/1.1\r\nHost:",
			} {
				c, err := net.Dial("tcp", strings.TrimPrefix(srv.http, "http://"))
				if err != nil {
					t.Fatal(err)
				}
				defer c.Close()
				if _, err := io.WriteString(c, half); err != nil {
					t.Fatal(err)
				}
			}
			srv.awaitCalls(t, 3)
			began := time.Now()
			srv.signal(t, syscall.SIGTERM)
			idle.mustRead(t, 421)
			if tt.twice {
				srv.signal(t, syscall.SIGTERM)
			}
			if status := srv.exit(t); status != tt.want || time.Since(began) > 40*time.Second {
				t.Errorf("status %d after %s, want %d: %s", status, time.Since(began), tt.want, srv.stderr)
			}
			srv.start(t)
			if s := b.stats(t); s.Total != 0 {
				t.Errorf("stats %+v", s)
			}
		})
	}
}
