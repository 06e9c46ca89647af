package test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// corpora returns a folder of real mail, or skips the test.
func corpora(t *testing.T, set string) string {
	t.Helper()
	root := os.Getenv("MAILKIN_CORPORA")
	if root == "" {
		root = filepath.Join("..", "..", "shared", "corpora")
	}
	dir := filepath.Join(root, set)
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("there are no corpora at %s; MAILKIN_CORPORA says where they are", dir)
	}
	return dir
}

// Real mail, and files that are none, come back to the byte, and can be read in every form.
func TestCorpora(t *testing.T) {
	t.Parallel()
	root := corpora(t, "mime")
	sets, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	srv := start(t)
	t.Run("sets", func(t *testing.T) { // the server must outlive those that run in parallel
		for _, set := range sets {
			if !set.IsDir() {
				continue
			}
			for _, way := range []corpusWay{
				{"data", byDATA, ended, true, 1},
				{"bdat", byBDAT, func(b []byte) []byte { return b }, false, 4},
			} {
				t.Run(set.Name()+"/"+way.name, func(t *testing.T) {
					t.Parallel()
					b := srv.mailbox(t, set.Name()+"-"+way.name)
					n := 0
					eachFile(t, filepath.Join(root, set.Name()), func(name string, file []byte) {
						if n%way.every == 0 {
							way.roundTrip(t, b, name, file)
						}
						n++
					})
					if s := b.stats(t); s.Total != 0 || s.Storage != 0 {
						t.Errorf("after deleting everything: %+v", s)
					}
				})
			}
		}
	})
	if left := blobFiles(t, srv); len(left) > 0 {
		t.Errorf("left in the blob folder: %v", left)
	}
}

func eachFile(t *testing.T, dir string, use func(name string, file []byte)) {
	t.Helper()
	n := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		file, err := os.ReadFile(path)
		if err == nil {
			n++
			use(strings.TrimPrefix(path, dir), file)
		}
		return err
	})
	if err != nil || n == 0 {
		t.Fatalf("%d files in %s, %v", n, dir, err)
	}
}

// corpusWay is how files are sent. All are sent with DATA, and what they look like in every form is read then.
type corpusWay struct {
	name  string
	by    sender
	sent  func([]byte) []byte // what arrives of a file
	forms bool
	every int // of so many files one is sent; BDAT looks at no byte of them
}

// roundTrip sends a file as a message, reads it, and deletes it, so that the next that is the same message is not taken
// for a duplicate.
func (w corpusWay) roundTrip(t *testing.T, b box, name string, file []byte) {
	t.Helper()
	want := w.sent(file)
	s, err := dial(b.srv.smtp)
	if err != nil {
		t.Fatal(err)
	}
	defer s.conn.Close()
	if err := s.hello(); err != nil {
		t.Fatal(err)
	}
	r, err := s.send(envelope{from: "corpus@example.org", to: []string{b.address}}, file, w.by)
	if err != nil || r.code != 250 {
		t.Errorf("%s: got %v %v", name, r, err)
		return
	}
	id := r.lines[0][strings.LastIndexByte(r.lines[0], ' ')+1:]
	if raw := b.raw(t, id); string(raw) != string(want) {
		t.Errorf("%s comes back otherwise", name)
		sameBytes(t, raw, want)
	}
	if w.forms {
		readForms(t, b, name, id, int64(len(want)))
	}
	if t.Failed() {
		t.Logf("so far at %s", name)
	}
	if a := b.ask(t, "DELETE", "/email?id="+id, ""); a.status != 200 {
		t.Errorf("%s: delete: %d %s", name, a.status, a.body)
	}
}

// readForms reads a message in every form.
func readForms(t *testing.T, b box, name, id string, size int64) {
	t.Helper()
	var e email
	for _, path := range []string{"/email?full=true&id=" + id, "/inbox", "/threads", "/email?id=" + id} {
		a := b.ask(t, "GET", path, "")
		if a.status != 200 || !json.Valid(a.body) || !utf8.Valid(a.body) {
			t.Errorf("%s: %s answers %d %.200s", name, path, a.status, a.body)
		}
		if strings.HasPrefix(path, "/email?id=") {
			a.into(t, &e)
		}
	}
	if e.Size != size || e.Count != len(e.Attachments) {
		t.Errorf("%s: size %d of %d, %d attachments of %d", name, e.Size, size, len(e.Attachments), e.Count)
	}
	for _, a := range e.Attachments {
		b.download(t, a)
	}
}
