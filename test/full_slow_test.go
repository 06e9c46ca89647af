package test

import (
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// quotedMail is a message whose text is twice as long in JSON.
func quotedMail(size int) []byte {
	line := strings.Repeat(`"`, 76) + "\r\n"
	return []byte("From: a@far.example\r\nSubject: long\r\nContent-Type: text/plain\r\n\r\n" + strings.Repeat(line,
		size/len(line)))
}

// slowFull asks for a message with whole bodies, and takes no more than the beginning of the answer.
func (b box) slowFull(t testing.TB, id string) *call {
	t.Helper()
	c := b.dial(t, "/email?full=true&id="+id)
	_ = c.conn.SetReadBuffer(64 << 10)
	if err := c.pickUp(); err != nil || c.resp.StatusCode != http.StatusOK {
		t.Fatalf("a slow reader: %v %v", c.resp, err)
	}
	return c
}

// Readers that stand still, of several mailboxes, take little memory and nothing of the disk. Nobody else notices:
// the next caller is answered, everybody can send, and they themselves get everything when they go on.
func TestFullSlow(t *testing.T) {
	t.Parallel()
	srv := start(t)
	const size, readers = 8_000_000, 24
	boxes, ids := make([]box, 4), make([]string, 4)
	for i := range boxes {
		boxes[i] = srv.mailbox(t, fmt.Sprint("slow", i))
		boxes[i].pour(t, 1, func(int) []byte { return quotedMail(size) })
		ids[i] = boxes[i].only(t).ID
	}
	want := len(boxes[0].full(t, ids[0]).body)
	before := srv.memory(t)
	var slow []*call
	for i := range readers {
		slow = append(slow, boxes[i%4].slowFull(t, ids[i%4]))
	}
	if grown := srv.memory(t) - before; grown > readers*8_000 {
		t.Errorf("%d slow readers take %d KB", readers, grown)
	}
	if left, err := os.ReadDir(filepath.Join(srv.dir, "spool")); err != nil || len(left) > 0 {
		t.Errorf("in the spool: %v, %v", left, err)
	}
	file := base64.StdEncoding.EncodeToString(make([]byte, 1_000_000))
	for i, b := range []box{boxes[0], boxes[1], srv.mailbox(t, "other")} {
		if n := len(boxes[i].full(t, ids[i]).body); n < size {
			t.Errorf("one more reader got %d bytes", n)
		}
		srv.do(t, request{method: http.MethodPost, path: "/v1/send", key: b.key,
			body: `{"to":"ann@far.example","subject":"x","text":"x",` +
				`"attachments":[{"filename":"f","content":"` + file + `"}]}`}, http.StatusOK, nil)
	}
	for i, c := range slow {
		if n, err := io.Copy(io.Discard, c.body); err != nil || n != int64(want) {
			t.Errorf("reader %d got %d of %d bytes, %v", i, n, want, err)
		}
		c.reset()
	}
}

// full reads a message with whole bodies.
func (b box) full(t testing.TB, id string) answer {
	t.Helper()
	return b.srv.do(t, request{path: "/v1/email?full=true&id=" + id, key: b.key}, http.StatusOK, nil)
}

// What is deleted while it is read ends, and its answer does not look whole. Its size is not known before, and there
// are no parts of it.
func TestFullForms(t *testing.T) {
	t.Parallel()
	srv := start(t)
	own := srv.mailbox(t, "own")
	own.pour(t, 1, func(int) []byte { return quotedMail(24_000_000) })
	id := own.only(t).ID
	path := "/v1/email?full=true&id=" + id
	get := srv.do(t, request{path: path, key: own.key, header: http.Header{"Range": {"bytes=0-9"}}}, http.StatusOK, nil)
	head := srv.do(t, request{method: http.MethodHead, path: path, key: own.key}, http.StatusOK, nil)
	if len(get.body) < 48_000_000 || head.header.Get("Content-Type") != "application/json" ||
		get.header.Get("Content-Length") != "" {
		t.Errorf("HEAD %v, GET %v, %d bytes", head.header, get.header, len(get.body))
	}
	c := own.slowFull(t, id)
	srv.do(t, request{method: http.MethodDelete, path: "/v1/email?id=" + id, key: own.key}, http.StatusOK, nil)
	if n, err := io.Copy(io.Discard, c.body); err == nil {
		t.Errorf("%d of %d bytes, and no error", n, len(get.body))
	}
	srv.do(t, request{path: path, key: own.key}, http.StatusNotFound, nil)
}

// Readers that stand still do not hold up the end of the server, whatever they read, and the end is a good one.
func TestStopWithSlowReaders(t *testing.T) {
	t.Parallel()
	srv := start(t, "MAILKIN_SHUTDOWN_GRACE=30s")
	own := srv.mailbox(t, "own")
	own.pour(t, 1, func(int) []byte { return quotedMail(24_000_000) })
	id := own.only(t).ID
	slow := []*call{own.slowFull(t, id), own.slowFull(t, id), own.dial(t, "/email/raw?id="+id)}
	if err := slow[2].pickUp(); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	srv.signal(t, syscall.SIGTERM)
	if status, took := srv.exit(t), time.Since(began); status != 0 || took > 20*time.Second {
		t.Errorf("status %d after %s:\n%s", status, took, srv.stderr)
	}
	for i, c := range slow {
		if n, err := io.Copy(io.Discard, c.body); err == nil {
			t.Errorf("reader %d: %d bytes, and no error", i, n)
		}
	}
}
