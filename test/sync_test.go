package test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// Every answer that says that something is stored comes after the sync that makes it so. A kill cannot show this,
// because the system keeps what was written; so the test looks at the system calls.
func TestSyncBeforeAnswer(t *testing.T) {
	t.Parallel()
	embedded(t)
	log := filepath.Join(t.TempDir(), "trace")
	srv := newServer(t)
	srv.wrap = traceWith(t, log)
	srv.start(t)
	p := &promises{t: t, srv: srv}

	first, second := p.mailbox("sync-first"), p.mailbox("sync-second")
	for _, way := range []struct {
		name, addr string
		by         sender
	}{{"DATA", srv.smtp, byDATA}, {"BDAT", srv.smtp, inChunks(50_000)}, {"LMTP", srv.lmtp, byDATA}} {
		for _, size := range []int{100, 300_000, 100_000} {
			p.send(way.name, way.addr, way.by, size, first.address, second.address)
		}
	}
	var made struct{ ID string }
	ingest := request{method: "POST", path: "/v1/ingest?mailbox=" + first.address, key: srv.token,
		kind: "message/rfc822"}
	ingest.body = string(largeMail("sync-ingest-large", 300_000, 99))
	p.ask(promise{what: "large ingest", marker: "sync-ingest-large", blob: true}, ingest, 201)
	ingest.body = mail("sync-ingest-small")
	p.ask(promise{what: "ingest", marker: "sync-ingest-small"}, ingest, 201).into(t, &made)

	own := func(method, path, body string) request {
		return request{method: method, path: "/v1" + path, key: first.key, body: body}
	}
	p.ask(promise{what: "label", marker: "sync-label"}, own("PATCH", "/email?id="+made.ID,
		`{"add_labels":["sync-label"]}`), 200)
	p.ask(promise{what: "delete message"}, own("DELETE", "/email?id="+made.ID, ""), 200)
	p.ask(promise{what: "webhook", marker: "sync-hook"},
		own("PATCH", "/mailbox", `{"webhook_url":"http://127.0.0.1:9/sync-hook"}`), 200)
	p.ask(promise{what: "pause", marker: "sync-pause"}, own("PATCH", "/mailbox/pause", `{"reason":"sync-pause"}`), 200)
	p.ask(promise{what: "resume"}, own("PATCH", "/mailbox/resume", ""), 200)
	p.ask(promise{what: "rotate key"}, own("POST", "/keys/rotate", ""), 201)
	p.ask(promise{what: "delete mailbox"}, request{method: "DELETE", path: "/v1/mailbox", key: second.key}, 200)
	srv.stop(t)

	for _, wrong := range checkSyncs(finishedTrace(t, log, srv), p.made) {
		t.Error(wrong)
	}
}

// promises notes what a server has promised.
type promises struct {
	t    *testing.T
	srv  *server
	made []promise
}

func (p *promises) mailbox(name string) box {
	p.t.Helper()
	p.made = append(p.made, promise{what: "create mailbox", marker: name, answer: "HTTP/1.1 201"})
	return p.srv.mailbox(p.t, name)
}

// send sends a message with an attachment of a given number of bytes, over a connection of its own.
func (p *promises) send(name, addr string, by sender, size int, to ...string) {
	p.t.Helper()
	subject := fmt.Sprintf("sync-%s-%d", name, size)
	c := open(p.t, addr)
	r, err := c.send(envelope{from: "a@example.org", to: to}, largeMail(subject, size, 1), by)
	if err != nil || r.code != 250 {
		p.t.Fatalf("%s: got %v %v", subject, r, err)
	}
	p.made = append(p.made, promise{what: subject, marker: subject, answer: "250 2.0.0 Stored", blob: size > 200_000})
}

func (p *promises) ask(made promise, q request, status int) answer {
	p.t.Helper()
	made.answer = fmt.Sprintf("HTTP/1.1 %d", status)
	p.made = append(p.made, made)
	return p.srv.do(p.t, q, status, nil)
}

// needTrace skips the test where strace is missing or may not look at other programs. In CI it must be there.
func needTrace(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("strace"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("strace is not installed, and nothing else shows what reaches the disk before an answer: apt-get " +
				"install strace")
		}
		t.Skip("strace is not installed: apt-get install strace")
	}
	if out, err := exec.Command("strace", "-f", "-o", os.DevNull, "true").CombinedOutput(); err != nil {
		t.Skipf("strace may not trace here: %v: %s", err, out)
	}
}

// traceWith is the command that starts a server with its writes and syncs in a log. With -D the server is our own child
// and strace its attendant, so that signals go where they should.
func traceWith(t *testing.T, log string) []string {
	t.Helper()
	needTrace(t)
	return []string{"strace", "-D", "-f", "-y", "-s", "2000000", "-o", log, "-e", "signal=none",
		"-e", "trace=fsync,fdatasync,write,writev,sendto,sendmsg,pwrite64,pwritev,linkat,renameat,renameat2,rename"}
}

// finishedTrace returns the log of a server that has ended.
func finishedTrace(t *testing.T, log string, srv *server) string {
	t.Helper()
	var text []byte
	last := regexp.MustCompile(fmt.Sprintf(`(?m)^%d +\+\+\+ exited with`, srv.cmd.Process.Pid))
	eventually(t, func() (err error) {
		if text, err = os.ReadFile(log); err == nil && !last.Match(text) {
			err = fmt.Errorf("the trace has no end")
		}
		return err
	})
	return string(text)
}
