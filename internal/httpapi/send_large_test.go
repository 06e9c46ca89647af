package httpapi

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// largeBody is the body of a send with one attachment, whose base64 is made as it is read.
func largeBody(encoded int64) (io.Reader, int64) {
	const start, end = `{"to":"ann@x.example","subject":"s","attachments":[{"filename":"a.bin","content":"`,
		`"}],"text":"after it"}`
	return io.MultiReader(strings.NewReader(start), io.LimitReader(letters{}, encoded), strings.NewReader(end)),
		int64(len(start)+len(end)) + encoded
}

// letters returns the letter A for ever.
type letters struct{}

func (letters) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'A'
	}
	return len(p), nil
}

// largeSend is a request with a large attachment, to an interface whose spool is a folder.
func largeSend(t *testing.T, f *fake, dir string, encoded int64) *httptest.ResponseRecorder {
	t.Helper()
	cfg := newConfig(io.Discard)
	cfg.Limits, cfg.SpoolDir = mailbox.DefaultLimits(), dir
	api := New(f, cfg)
	body, length := largeBody(encoded)
	r := httptest.NewRequest(post, "/v1/send", body)
	r.ContentLength = length
	r.Header.Set("Authorization", "Bearer "+keyMailbox)
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r)
	return w
}

// A large attachment goes through memory in pieces, whole on disk, and leaves nothing behind.
func TestLargeAttachment(t *testing.T) {
	const encoded, most = 40_000_000, 8 << 20 // 30 MB decoded
	dir, f := t.TempDir(), &fake{}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	w := largeSend(t, f, dir, encoded)
	runtime.ReadMemStats(&after)
	if w.Code != http.StatusOK {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	// All that was allocated, also what was free again: the heap cannot have grown by more.
	if used := after.TotalAlloc - before.TotalAlloc; used > most {
		t.Errorf("%d bytes of memory for %d of mail", used, encoded)
	}
	p := f.asked.(posted)
	if d := p.Draft; len(d.Attachments) != 1 || d.Attachments[0].Size != encoded/4*3 || d.Text != "after it" ||
		p.Contents[0] != strings.Repeat("\x00", keepContent) {
		t.Errorf("%d attachments, text %q", len(d.Attachments), d.Text)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// Nothing is left behind either where the service refuses the message, or where it panics.
func TestSpoolIsGivenBack(t *testing.T) {
	for name, f := range map[string]*fake{"refused": {err: mailbox.Errorf(mailbox.Invalid, "x", "No.")},
		"panic": {panics: "boom"}} {
		dir := t.TempDir()
		files := openFiles(t)
		w := largeSend(t, f, dir, 400_000)
		if w.Code < 400 {
			t.Errorf("%s: %d", name, w.Code)
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 || openFiles(t) != files {
			t.Errorf("%s: left behind: %v, %v, and %d files open, not %d", name, left, err, openFiles(t), files)
		}
	}
}

// openFiles counts the open files, where the system tells.
func openFiles(t *testing.T) int {
	t.Helper()
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return 0
	}
	return len(list)
}

func TestSpoolThatCannotBeWritten(t *testing.T) {
	f := &fake{}
	w := largeSend(t, f, filepath.Join(t.TempDir(), "missing"), 400_000)
	if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" ||
		strings.Contains(w.Body.String(), "missing") || f.asked != nil {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := largeSend(t, f, filepath.Join(t.TempDir(), "missing"), 4_000); w.Code != http.StatusOK {
		t.Errorf("a small attachment needs no file: %d %s", w.Code, w.Body)
	}
}

// What is wrong with a draft is told as soon as it is known, while the client is still sending.
func TestWrongDraftIsNotAwaited(t *testing.T) {
	addr := start(t, &fake{})
	for name, body := range map[string]string{
		"text that is too large": `{"text":"` + strings.Repeat("x", 500_001),
		"wrong type":             `{"to":7,"text":"`,
	} {
		conn := dial(t, addr)
		resp := talk(t, conn, fmt.Sprintf("POST /v1/send HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "+
			"%s\r\nContent-Type: application/json\r\nContent-Length: 1900000\r\n\r\n%s", keyMailbox, body))
		if resp.StatusCode/100 != 4 || resp.StatusCode == http.StatusRequestTimeout || !resp.Close {
			t.Errorf("%s: %d, close %v", name, resp.StatusCode, resp.Close)
		}
	}
}

// A service that takes its time is not interrupted by the limit on how long a body may stand still.
func TestSlowService(t *testing.T) {
	f := &fake{delay: 3 * stallTime}
	onOwnClock(t, f, func(t *testing.T, conn net.Conn) {
		began := time.Now()
		resp := talk(t, conn, "POST /v1/send HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "+keyMailbox+
			"\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")
		if took := time.Since(began); resp.StatusCode != http.StatusOK || took != f.delay {
			t.Errorf("%d after %v", resp.StatusCode, took)
		}
	})
}

// BenchmarkLargeSend is a send with 30 MB attached, from the request's bytes to the spool, without a socket.
func BenchmarkLargeSend(b *testing.B) {
	const encoded = 40_000_000
	cfg := newConfig(io.Discard)
	cfg.Limits, cfg.SpoolDir = mailbox.DefaultLimits(), b.TempDir()
	api := New(&fake{unread: true}, cfg)
	raw, length := largeBody(encoded)
	body, err := io.ReadAll(raw)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(length)
	b.ReportAllocs()
	for b.Loop() {
		r := httptest.NewRequest(post, "/v1/send", bytes.NewReader(body))
		r.Header.Set("Authorization", "Bearer "+keyMailbox)
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		if api.ServeHTTP(w, r); w.Code != http.StatusOK {
			b.Fatal(w.Code, w.Body)
		}
	}
}
