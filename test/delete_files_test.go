package test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// filesWith lists the files of the data folder that have one of the words, but for those of the index, which is swept
// every half an hour (internal/service tries that with a clock of its own).
func (s *server) filesWith(t testing.TB, words ...string) (list []string) {
	t.Helper()
	err := filepath.WalkDir(s.dir, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) { // it went meanwhile
			return nil
		}
		if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), "index.db") {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for _, word := range words {
			if bytes.Contains(b, []byte(word)) {
				list = append(list, d.Name()+" has "+word)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// Deleted mail can be read in no file of the data folder soon after, nor mail that was sent, nor a mailbox that was
// deleted or whose time is over; and a server that was killed right after the deletion makes up for it.
func TestDeletedIsInNoFile(t *testing.T) {
	if onPostgres() {
		t.Skip("the files are the database's")
	}
	t.Parallel()
	srv := start(t, "MAILKIN_PROVISIONAL_TTL=3s")
	keeper, doomed := srv.mailbox(t, "keeper"), srv.mailbox(t, "doomed")
	echo := startReceiver(t, func(_ int, w http.ResponseWriter, r *http.Request) { _, _ = io.Copy(w, r.Body) })
	keeper.hookTo(t, echo.URL) // what was posted is kept, and what was answered
	doomed.hookTo(t, newReceiver(t, 500).URL)
	var words []string
	plant := func(b box, size int) {
		word := fmt.Sprintf("planted%dxylophone", len(words))
		words = append(words, word)
		file := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("file "+word+" ", size/20+1)))
		srv.deliver(t, crlf("From: a@example.org\nTo: x@example.com\nSubject: about "+word+"\nMessage-ID: <"+word+
			"@example.org>\n"+
			"MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\n"+word+
			" text\n"+
			"--b\nContent-Type: text/plain; name="+word+".txt\nContent-Transfer-Encoding: base64\n\n"+file+"\n--b--\n"),
			b.address)
	}
	for _, size := range []int{100, 20_000, 900_000} {
		plant(keeper, size)
		plant(doomed, size)
	}
	short := srv.bootstrap(t)
	plant(short, 5000)
	words = append(words, "plantedsentxylophone")
	keeper.delivery(t, keeper.send(t, note("plantedsentxylophone", "ann@example.com")).ID, "captured")
	if len(srv.filesWith(t, words...)) < len(words) {
		t.Fatal("not all words are in the files, so that nothing is shown")
	}
	keeper.settled(t)
	for _, e := range keeper.inbox(t) {
		if a := keeper.ask(t, "DELETE", "/email?id="+e.ID, ""); a.status != 200 {
			t.Fatalf("%d %s", a.status, a.body)
		}
	}
	if a := doomed.ask(t, "DELETE", "/mailbox", ""); a.status != 200 {
		t.Fatalf("%d %s", a.status, a.body)
	}
	eventually(t, func() error {
		if a := short.ask(t, "GET", "/inbox", ""); a.status != 401 {
			return fmt.Errorf("the temporary mailbox answers %d", a.status)
		}
		return nil
	})
	srv.kill(t)
	srv.start(t) // which looks for expired mailboxes, too
	eventually(t, func() error {
		if list := srv.filesWith(t, words...); len(list) > 0 {
			return fmt.Errorf("%q", list)
		}
		return nil
	})
}
