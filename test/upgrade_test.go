package test

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Data that older versions made opens in this one: mailboxes, keys, mail, codes, attachments, search. The samples are
// made by tools/samples.sh. What is done to the tables is told, with how long it took, and a copy is kept.
func TestOlderDataOpens(t *testing.T) {
	if os.Getenv("MAILKIN_TEST_STORE") != "" {
		t.Skip("the samples are data folders")
	}
	samples, err := filepath.Glob("testdata/samples/*.tar.gz")
	if err != nil || len(samples) < 2 {
		t.Fatalf("samples %v: %v", samples, err)
	}
	for _, sample := range samples {
		t.Run(strings.TrimSuffix(filepath.Base(sample), ".tar.gz"), func(t *testing.T) {
			t.Parallel()
			srv := newServer(t)
			if err := os.MkdirAll(srv.dir, 0o700); err != nil {
				t.Fatal(err)
			}
			if out, err := exec.Command("tar", "-xzf", sample, "-C", srv.dir).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			key, err := os.ReadFile(filepath.Join(srv.dir, "key"))
			if err != nil {
				t.Fatal(err)
			}
			srv.start(t)
			checkOlder(t, box{srv: srv, address: "robin@mailkin.localhost", key: string(key), prefix: "/v1"})
			copies, _ := filepath.Glob(filepath.Join(srv.dir, "mailkin.db.before-*"))
			told := strings.Contains(srv.stderr.String(), `purpose="`)
			if told != (len(copies) == 1) {
				t.Errorf("copies %v, and what was done is told: %v", copies, told)
			}
		})
	}
}

// checkOlder looks at what tools/samples.sh has put into a mailbox.
func checkOlder(t *testing.T, b box) {
	t.Helper()
	var inbox []string
	for _, m := range b.inbox(t) {
		inbox = append(inbox, m.Subject)
	}
	if got := strings.Join(inbox, ", "); got != "Hello, A file, Lunch on Friday, Your code" {
		t.Errorf("the mailbox has %s", got)
	}
	var code struct{ Code string }
	b.srv.get(t, b.key, "/v1/code?since=2020-01-01T00:00:00Z", &code)
	if code.Code != "482913" {
		t.Errorf("the code is %q", code.Code)
	}
	var found struct{ Emails []email }
	b.srv.get(t, b.key, "/v1/search?q=harbour", &found)
	if len(found.Emails) != 1 || found.Emails[0].Subject != "Lunch on Friday" {
		t.Errorf("search found %+v", found.Emails)
	}
	var file struct{ Attachments []struct{ ID string } }
	b.srv.get(t, b.key, "/v1/email?id="+b.inbox(t)[1].ID, &file)
	if len(file.Attachments) != 1 {
		t.Fatalf("attachments %+v", file)
	}
	page := b.srv.do(t, request{path: "/v1/attachment?id=" + file.Attachments[0].ID, key: b.key}, http.StatusOK, nil)
	if !strings.HasPrefix(string(page.body), "a,b") {
		t.Errorf("the attachment is %q", page.body)
	}
	b.srv.deliver(t, mail("after the upgrade"), b.address)
	if got := b.inbox(t)[0].Subject; got != "after the upgrade" {
		t.Errorf("new mail is %q", got)
	}
}

// An older program refuses data of a newer version with a sentence that says what to do, and changes nothing.
func TestDowngradeIsRefused(t *testing.T) {
	if os.Getenv("MAILKIN_TEST_STORE") != "" {
		t.Skip("TestNodesUpgrade has it")
	}
	srv := start(t)
	srv.stop(t)
	db := filepath.Join(srv.dir, "mailkin.db")
	f, err := os.OpenFile(db, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	// user_version, in the header of the file (https://www.sqlite.org/fileformat.html)
	if _, err := f.WriteAt([]byte{0, 0, 1, 0}, 60); err != nil {
		t.Fatal(err)
	}
	f.Close()
	status, _, stderr := run(t, srv.environ, "serve")
	if status != 1 || !strings.Contains(stderr, "newer version of mailkin") || !strings.Contains(stderr, "restore") {
		t.Errorf("status %d: %s", status, stderr)
	}
}
