package test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mailkin/mailkin/internal/seal"
)

// loseKey takes the key of a mailbox out of the file of keys of a server that does not run, and returns the file as it
// was. Numbers are given in the order in which mailboxes are made: the last of so many is meant.
func (s *server) loseKey(t *testing.T, last int) []byte {
	t.Helper()
	path := filepath.Join(s.dir, "keys")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	less := bytes.Clone(whole)
	clear(less[len(less)-last*seal.SlotSize:][:seal.SlotSize])
	s.putKeys(t, less)
	return whole
}

func (s *server) putKeys(t *testing.T, b []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(s.dir, "keys"), b, 0o600); err != nil {
		t.Fatal(err)
	}
}

// refusesAll wants a mailbox whose key is lost to say so wherever something is read from it or put into it.
func (b box) refusesAll(t *testing.T) {
	t.Helper()
	for _, q := range []request{
		{method: "POST", path: "/v1/ingest?mailbox=" + b.address, key: b.srv.token, kind: "message/rfc822",
			body: mail("late")},
		{method: "POST", path: "/v1/send", body: note("out", "late@far.example").String()},
		{method: "POST", path: "/v1/drafts", body: note("draft", "late@far.example").String()},
	} {
		if q.key == "" {
			q.key = b.key
		}
		b.refusesKeyless(t, q)
	}
	s := open(t, b.srv.smtp)
	r, err := s.send(envelope{from: "refused@far.example", to: []string{b.address}}, []byte(mail("late")), byDATA)
	if err != nil || r.code != 451 || strings.Contains(r.String(), "key") {
		t.Errorf("mail: %v, %v", r, err)
	}
}

func (b box) refusesKeyless(t *testing.T, q request) {
	t.Helper()
	a := b.srv.ask(t, q)
	if a.status != http.StatusServiceUnavailable || a.header.Get("Retry-After") == "" ||
		!strings.Contains(string(a.body), `"code":"mailbox_key_lost"`) ||
		!strings.Contains(string(a.body), "mailkin doctor") || strings.Contains(string(a.body), "slot") {
		t.Errorf("%s %s: %d %s", q.method, q.path, a.status, a.body)
	}
}

// toldOnce wants the log and the doctor to name a mailbox as one without its key, the log in one line.
func (s *server) toldOnce(t *testing.T, address string) {
	t.Helper()
	eventually(t, func() error {
		lines := 0
		for line := range strings.Lines(s.stderr.String()) {
			if strings.Contains(line, "level=ERROR") && strings.Contains(line, address) {
				lines++
			}
		}
		if lines != 1 {
			return fmt.Errorf("%d lines of the log name %s:\n%s", lines, address, s.stderr)
		}
		return nil
	})
	environ := append(slices.Clone(s.environ), "MAILKIN_HTTP_ADDR="+strings.TrimPrefix(s.http, "http://"))
	if _, stdout, stderr := run(t, environ, "doctor"); !strings.Contains(stdout, address) {
		t.Errorf("the doctor: %s%s", stdout, stderr)
	}
}

// A mailbox whose key is lost or damaged says so to whom it belongs, in an answer that can be acted on, and to the
// operator, once. The others go on, with the queue and the logs that they share with it. With the key everything is
// there again. One that has no mail yet gets no other key either: the first may come back.
func TestEncryptionLostKey(t *testing.T) {
	t.Parallel()
	embedded(t)
	var open atomic.Bool
	far := (&sink{rcpt: func(string) string {
		if open.Load() {
			return ""
		}
		return "451 4.7.1 busy"
	}}).listen(t, "127.0.0.1")
	srv := start(t, "MAILKIN_ENCRYPTION=on", "MAILKIN_OUTBOUND=smtp://"+far.addr)
	srv.expectErrors = true
	kept, lost, empty := srv.mailbox(t, "kept"), srv.mailbox(t, "lost"), srv.mailbox(t, "empty")
	for _, b := range []box{kept, lost} {
		b.pour(t, 1, func(int) []byte { return []byte(mail("early")) })
		b.pour(t, 1, func(int) []byte { return largeMail("large", 400_000, 1) })
	}
	waits := lost.send(t, note("waits", "late@far.example"))
	eventually(t, func() error {
		if d := lost.outgoing(t, waits.ID).Deliveries[0]; d.Attempts == 0 {
			return fmt.Errorf("not tried yet: %+v", d)
		}
		return nil
	})
	srv.stop(t)
	whole := srv.loseKey(t, 1)
	srv.loseKey(t, 2)
	less, err := os.ReadFile(filepath.Join(srv.dir, "keys"))
	if err != nil {
		t.Fatal(err)
	}
	damaged := bytes.Clone(whole)
	clear(damaged[len(damaged)-seal.SlotSize:])
	damaged[len(damaged)-2*seal.SlotSize+20] ^= 1
	for what, keys := range map[string][]byte{"lost": less, "damaged": damaged} {
		srv.putKeys(t, keys)
		srv.start(t)
		for _, path := range []string{"/v1/inbox", "/v1/threads", "/v1/email?id=" + waits.ID, "/v1/search?q=early"} {
			lost.refusesKeyless(t, request{path: path, key: lost.key})
		}
		for _, b := range []box{lost, empty} {
			b.refusesAll(t)
			srv.toldOnce(t, b.address)
		}
		open.Store(true)
		kept.delivery(t, kept.send(t, note("goes on "+what, "late@far.example")).ID, "sent")
		if a := srv.ask(t, request{path: "/v1/rejects", key: srv.token}); a.status != http.StatusOK ||
			!strings.Contains(string(a.body), lost.address) {
			t.Errorf("refusals: %d %s", a.status, a.body)
		}
		if len(kept.inbox(t)) < 2 {
			t.Error("the other mailbox lost mail")
		}
		srv.stop(t)
	}
	srv.putKeys(t, whole)
	srv.start(t)
	if list := lost.inbox(t); len(list) < 2 || !bytes.Contains(lost.raw(t, list[1].ID), []byte("Subject: ")) {
		t.Errorf("with the key: %+v", list)
	}
	lost.hasten(t)
	lost.delivery(t, waits.ID, "sent")
	empty.pour(t, 1, func(int) []byte { return []byte(mail("first")) })
	empty.only(t)
}
