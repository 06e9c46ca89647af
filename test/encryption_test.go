package test

import (
	"bytes"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// holdsNone wants no file of a folder to have one of the words.
func holdsNone(t *testing.T, dir string, words ...string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		for _, word := range words {
			if at := bytes.Index(b, []byte(word)); at >= 0 {
				t.Errorf("%s has %s: %q", path, word, b[max(0, at-80):min(len(b), at+80)])
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// mark has mail of every kind come to a mailbox: small, large, with an attachment that is read, a draft.
func (b box) mark(t *testing.T, word string) {
	t.Helper()
	s := open(t, b.srv.smtp)
	for n, body := range []string{
		word + " is the body. Your verification code is 482913.\r\n",
		strings.Repeat(word+" is in a long body, and more than once.\r\n", 12_000),
		"\r\n--b\r\nContent-Type: text/plain\r\n\r\n" + word + "\r\n--b\r\nContent-Type: text/csv\r\n" +
			"Content-Disposition: attachment; filename=" + word + ".csv\r\n\r\na,b\r\n" + word + "cell,2\r\n--b--\r\n",
	} {
		head := fmt.Sprintf("From: %s Name <%s@sender.example>\r\nTo: %s\r\nSubject: %s subject\r\n"+
			"Message-ID: <%s-%d@x.example>\r\n", word, word, b.address, word, word, n)
		if n == 2 {
			head += "MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n"
		}
		r, err := s.send(envelope{from: "a@example.org", to: []string{b.address}}, []byte(head+"\r\n"+body), byDATA)
		if err != nil || r.code != 250 {
			t.Fatalf("%v, %v", r, err)
		}
	}
	b.keep(t, draft{"to": "you@example.org", "subject": word + " draft", "text": word + " text"})
	b.indexed(t)
}

// correspond has a mailbox note what people with a word in their addresses said: in the queue, in results and history,
// on its list of suppressions, and in refusals.
func (b box) correspond(t *testing.T, word string) {
	t.Helper()
	far := word + ".example"
	sent := b.send(t, note("out", "late@"+far, "nobody@"+far))
	eventually(t, func() error {
		for _, d := range b.outgoing(t, sent.ID).Deliveries {
			if d.Attempts == 0 {
				return fmt.Errorf("not tried yet: %+v", d)
			}
		}
		return nil
	})
	b.ask(t, "PATCH", "/mailbox/pause", "")
	s := open(t, b.srv.smtp)
	from := envelope{from: "refused@" + far, to: []string{b.address}}
	if r, err := s.send(from, []byte("\r\n"), byDATA); err != nil || r.code < 400 {
		t.Errorf("a paused mailbox: %v, %v", r, err)
	}
	b.ask(t, "PATCH", "/mailbox/resume", "")
	eventually(t, func() error {
		if a := b.ask(t, "GET", "/rejects", ""); !strings.Contains(string(a.body), "refused@"+far) {
			return fmt.Errorf("refusals: %s", a.body)
		}
		return nil
	})
	b.remembers(t, word)
}

// remembers wants what correspond noted.
func (b box) remembers(t *testing.T, word string) {
	t.Helper()
	far := word + ".example"
	for path, want := range map[string]string{"/suppressions": "nobody@" + far,
		"/rejects": "refused@" + far} {
		if a := b.ask(t, "GET", path, ""); !strings.Contains(string(a.body), want) {
			t.Errorf("%s: %s", path, a.body)
		}
	}
	queue, err := b.srv.try(request{path: "/v1/queue?destination=" + far, key: b.srv.token})
	if err != nil || !strings.Contains(string(queue.body), "late@"+far) ||
		!strings.Contains(string(queue.body), word+" is busy") {
		t.Errorf("the queue: %s, %v", queue.body, err)
	}
}

// With encryption no file has what mail says. When a mailbox is deleted its key is gone, from the data folder and from
// all generations of backups: what is restored from an older one, with every key that is left, does not have its mail.
func TestEncryptionShreds(t *testing.T) {
	t.Parallel()
	embedded(t)
	repository := filepath.Join(t.TempDir(), "repository")
	far := (&sink{rcpt: func(to string) string {
		who, domain, _ := strings.Cut(to, "@")
		word, _, _ := strings.Cut(domain, ".")
		if who == "late" {
			return "451 4.7.1 " + word + " is busy"
		}
		return "550 5.1.1 " + word + " has no such user"
	}}).listen(t, "127.0.0.1")
	srv := start(t, "MAILKIN_ENCRYPTION=on", "MAILKIN_BACKUP_TO="+repository, "MAILKIN_OUTBOUND=smtp://"+far.addr)
	kept, gone := srv.mailbox(t, "kept"), srv.mailbox(t, "gone")
	for word, b := range map[string]box{"zebrakept": kept, "zebragone": gone} {
		b.mark(t, word)
		b.correspond(t, word)
	}
	var found struct{ Emails []email }
	srv.get(t, gone.key, "/v1/search?q=zebragonecell", &found)
	if len(found.Emails) == 0 {
		t.Errorf("found %+v", found)
	}
	holdsNone(t, srv.dir, "zebragone", "zebrakept", "482913")
	if status, stdout, stderr := run(t, srv.environ, "backup", "run"); status != 0 {
		t.Fatalf("status %d: %s%s", status, stdout, stderr)
	}
	generations, err := filepath.Glob(filepath.Join(repository, "generations", "*"))
	if err != nil || len(generations) != 1 {
		t.Fatalf("%v, %v", generations, err)
	}
	keys := filepath.Join(repository, "keys", "00000000")
	before, err := os.ReadFile(keys)
	if err != nil {
		t.Fatal(err)
	}
	srv.do(t, request{method: "DELETE", path: "/v1/mailbox", key: gone.key}, http.StatusOK, nil)
	eventually(t, func() error {
		if now, err := os.ReadFile(keys); err != nil || bytes.Equal(now, before) {
			return fmt.Errorf("the keys in the repository are as they were, %w", err)
		}
		return nil
	})
	if status, _, stderr := run(t, srv.environ, "backup", filepath.Join(t.TempDir(), "plain")); status != 1 ||
		!strings.Contains(stderr, "backup run") {
		t.Errorf("a copy with keys: %d, %s", status, stderr)
	}
	restored := newServer(t, "MAILKIN_MASTER_KEY_FILE="+filepath.Join(srv.dir, "master-key"),
		"MAILKIN_BACKUP_KEY_FILE="+filepath.Join(srv.dir, "backup-key"))
	if status, stdout, stderr := run(t, restored.environ, "restore", "--generation", filepath.Base(generations[0]),
		repository); status != 0 {
		t.Fatalf("status %d: %s%s", status, stdout, stderr)
	}
	holdsNone(t, restored.dir, "zebragone", "zebrakept")
	restored.start(t) // without the setting: what is sealed can still be read
	if a, err := restored.try(request{path: "/v1/inbox", key: gone.key}); err != nil || a.status != 401 {
		t.Errorf("the deleted mailbox: %d %s, %v", a.status, a.body, err)
	}
	again := box{srv: restored, address: kept.address, key: kept.key, prefix: "/v1"}
	again.remembers(t, "zebrakept")
	list := slices.DeleteFunc(again.inbox(t), func(e email) bool { return e.Direction == "outbound" })
	if len(list) != 3 || list[0].Subject != "zebrakept subject" {
		t.Errorf("the other one: %+v", list)
	}
	for _, e := range list {
		if !bytes.Contains(again.raw(t, e.ID), []byte("zebrakept")) {
			t.Errorf("the raw bytes of %s", e.ID)
		}
	}
	holdsNone(t, restored.dir, "zebragone")
}

// An older generation beside the newest keys, mailboxes that are made there and a backup of it take nothing from the
// generations after it.
func TestEncryptionOlderGeneration(t *testing.T) {
	t.Parallel()
	embedded(t)
	repository := filepath.Join(t.TempDir(), "repository")
	srv := start(t, "MAILKIN_ENCRYPTION=on", "MAILKIN_BACKUP_TO="+repository)
	generation := func(of *server) string {
		t.Helper()
		if status, stdout, stderr := run(t, of.environ, "backup", "run"); status != 0 {
			t.Fatalf("status %d: %s%s", status, stdout, stderr)
		}
		list, err := filepath.Glob(filepath.Join(repository, "generations", "*"))
		if err != nil || len(list) == 0 {
			t.Fatalf("%v, %v", list, err)
		}
		return filepath.Base(slices.Max(list))
	}
	restored := func(generation string) *server {
		t.Helper()
		to := newServer(t, "MAILKIN_ENCRYPTION=on", "MAILKIN_BACKUP_TO="+repository,
			"MAILKIN_MASTER_KEY_FILE="+filepath.Join(srv.dir, "master-key"),
			"MAILKIN_BACKUP_KEY_FILE="+filepath.Join(srv.dir, "backup-key"))
		status, stdout, stderr := run(t, to.environ, "restore", "--generation", generation, repository)
		if status != 0 {
			t.Fatalf("status %d: %s%s", status, stdout, stderr)
		}
		to.start(t)
		return to
	}
	has := func(in *server, of box, word string) {
		t.Helper()
		b := box{srv: in, address: of.address, key: of.key, prefix: "/v1"}
		list := b.inbox(t)
		if len(list) != 3 || list[0].Subject != word+" subject" || !bytes.Contains(b.raw(t, list[1].ID), []byte(word)) {
			t.Errorf("%s: %+v", word, list)
		}
	}
	first := srv.mailbox(t, "first")
	first.mark(t, "zebrafirst")
	older := generation(srv)
	second, third := srv.mailbox(t, "second"), srv.mailbox(t, "third")
	second.mark(t, "zebrasecond")
	third.mark(t, "zebrathird")
	newest := generation(srv)
	srv.stop(t)

	branch := restored(older)
	fourth := branch.mailbox(t, "fourth")
	fourth.mark(t, "zebrafourth")
	branch.stop(t)
	branch.start(t)
	has(branch, first, "zebrafirst")
	has(branch, fourth, "zebrafourth")
	branched := generation(branch)
	branch.stop(t)

	again := restored(newest)
	again.mailbox(t, "fifth").mark(t, "zebrafifth")
	for word, b := range map[string]box{"zebrafirst": first, "zebrasecond": second, "zebrathird": third} {
		has(again, b, word)
	}
	again.stop(t)
	has(restored(branched), fourth, "zebrafourth")
}

// What was acknowledged can be read after a kill: a key is durable before what is sealed with it.
func TestEncryptionCrash(t *testing.T) {
	t.Parallel()
	embedded(t)
	srv := start(t, "MAILKIN_ENCRYPTION=on")
	var boxes []box
	for round := range 3 {
		b := srv.mailbox(t, fmt.Sprintf("crash-%d", round))
		b.pour(t, 1, func(int) []byte { return largeMail("small", 300, uint64(round)) })
		b.pour(t, 1, func(int) []byte { return largeMail("large", 400_000, uint64(round)) })
		boxes = append(boxes, b)
		srv.kill(t)
		srv.start(t)
		for _, b := range boxes {
			list := b.inbox(t)
			if len(list) != 2 {
				t.Errorf("%s: %d messages", b.address, len(list))
			}
			for _, e := range list {
				if raw := b.raw(t, e.ID); e.Subject == "" || !bytes.Contains(raw, []byte("Subject: "+e.Subject)) {
					t.Errorf("%s: %d bytes of %q", b.address, len(raw), e.Subject)
				}
			}
		}
	}
}
