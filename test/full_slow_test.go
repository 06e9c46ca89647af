package test

import (
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// quotedMail is a message whose text is twice as long in JSON.
func quotedMail(size int) []byte {
	line := strings.Repeat(`"`, 76) + "\r\n"
	return []byte("From: a@far.example\r\nSubject: long\r\nContent-Type: text/plain\r\n\r\n" + strings.Repeat(line, size/len(line)))
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

// Readers that stand still, of several mailboxes, have more of the disk than there may be. Nobody else notices: whoever
// asks next is answered, and everybody can send.
func TestFullSlow(t *testing.T) {
	t.Parallel()
	srv := start(t, "MAILKIN_FULL_ANSWERS_LIMIT=60MB", "MAILKIN_UPLOADS_LIMIT=1MB", "MAILKIN_UPLOADS_MAILBOX_LIMIT=1MB")
	const size = 8_000_000
	boxes, ids := make([]box, 4), make([]string, 4)
	for i := range boxes {
		boxes[i] = srv.mailbox(t, fmt.Sprint("slow", i))
		boxes[i].pour(t, 1, func(int) []byte { return quotedMail(size) })
		ids[i] = boxes[i].only(t).ID
	}
	var slow []*call
	for i := range 12 {
		slow = append(slow, boxes[i%4].slowFull(t, ids[i%4]))
	}
	if n := srv.metric(t, "mailkin_full_answer_bytes"); n == 0 || n > 60e6 {
		t.Errorf("answers have %v bytes on the disk", n)
	}
	if n := srv.metric(t, "mailkin_full_answers_ended_total"); n != 9 { // three of 16 MB are left
		t.Errorf("%v answers were ended", n)
	}
	for i, c := range slow {
		n, err := io.Copy(io.Discard, c.body)
		if whole := err == nil && n == c.resp.ContentLength; whole != (i >= 9) {
			t.Errorf("reader %d got %d of %d bytes, %v", i, n, c.resp.ContentLength, err)
		}
	}
	slow = append(slow, boxes[1].slowFull(t, ids[1]), boxes[2].slowFull(t, ids[2]))
	file := base64.StdEncoding.EncodeToString(make([]byte, 1_000_000))
	for _, b := range []box{boxes[0], boxes[1], srv.mailbox(t, "other")} {
		srv.do(t, request{method: http.MethodPost, path: "/v1/send", key: b.key, body: `{"to":"ann@far.example","subject":"x","text":"x",` +
			`"attachments":[{"filename":"f","content":"` + file + `"}]}`}, http.StatusOK, nil)
	}
	for _, c := range slow {
		c.reset()
	}
	eventually(t, func() error {
		if n := srv.metric(t, "mailkin_full_answer_bytes"); n != 0 {
			return fmt.Errorf("answers whose readers are gone have %v bytes on the disk", n)
		}
		return nil
	})
}

// What is being read stays whole when its message is deleted. HEAD tells its size, and there are no parts of it.
func TestFullForms(t *testing.T) {
	t.Parallel()
	srv := start(t)
	own := srv.mailbox(t, "own")
	own.pour(t, 1, func(int) []byte { return quotedMail(8_000_000) })
	id := own.only(t).ID
	path := "/v1/email?full=true&id=" + id
	get := srv.do(t, request{path: path, key: own.key, header: http.Header{"Range": {"bytes=0-9"}}}, http.StatusOK, nil)
	head := srv.do(t, request{method: http.MethodHead, path: path, key: own.key}, http.StatusOK, nil)
	if want := fmt.Sprint(len(get.body)); head.header.Get("Content-Length") != want || get.header.Get("Content-Length") != want {
		t.Errorf("HEAD %v, GET %v, %s bytes", head.header, get.header, want)
	}
	c := own.slowFull(t, id)
	srv.do(t, request{method: http.MethodDelete, path: "/v1/email?id=" + id, key: own.key}, http.StatusOK, nil)
	if body, err := io.ReadAll(c.body); err != nil || string(body) != string(get.body) {
		t.Errorf("%d of %d bytes, %v", len(body), len(get.body), err)
	}
	srv.do(t, request{path: path, key: own.key}, http.StatusNotFound, nil)
	if n := srv.metric(t, "mailkin_full_answers_ended_total"); n != 0 {
		t.Errorf("%v answers were ended", n)
	}
}
