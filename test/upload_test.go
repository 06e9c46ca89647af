package test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

// beginSend opens a send and uploads a given number of kilobytes of an attachment, but not its end.
func (b box) beginSend(t testing.TB, kilobytes int) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(b.srv.http, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	_, _ = fmt.Fprintf(conn, "POST /v1/send HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: "+
		"application/json\r\nTransfer-Encoding: chunked\r\n\r\n", b.key)
	chunk := func(s string) { _, _ = fmt.Fprintf(conn, "%x\r\n%s\r\n", len(s), s) }
	chunk(`{"attachments":[{"filename":"f","content":"`)
	for range kilobytes {
		chunk(strings.Repeat("QUFB", 1000*4/12))
	}
	return conn
}

// Unfinished sends of a mailbox stop at its limit; another mailbox sends as ever, and what is given up is gone from the
// disk.
func TestUnfinishedSends(t *testing.T) {
	t.Parallel()
	srv := start(t, "MAILKIN_LIMIT_MESSAGE=2MB", "MAILKIN_LIMIT_ATTACHMENT=2MB", "MAILKIN_LIMIT_WIRE=3MB",
		"MAILKIN_UPLOADS_MAILBOX_LIMIT=4MB")
	own, other := srv.mailbox(t, "own"), srv.mailbox(t, "other")
	var held []net.Conn
	for range 2 {
		held = append(held, own.beginSend(t, 1500))
	}
	eventually(t, func() error {
		if n := srv.metric(t, "mailkin_upload_bytes"); n < 2.8e6 {
			return fmt.Errorf("%v bytes are on the disk", n)
		}
		return nil
	})
	more := own.beginSend(t, 1500)
	resp, err := http.ReadResponse(bufio.NewReader(more), nil)
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(resp.Body)
	if resp.StatusCode != http.StatusServiceUnavailable || resp.Header.Get("Retry-After") == "" ||
		!strings.Contains(string(body), `"busy"`) {
		t.Errorf("one more: %d %s", resp.StatusCode, body)
	}
	srv.do(t, request{method: http.MethodPost, path: "/v1/send", key: other.key,
		body: `{"to":"ann@far.example","subject":"x","text":"x",` +
			`"attachments":[{"filename":"f","content":"` + strings.Repeat("QUFB", 100_000) + `"}]}`}, http.StatusOK,
		nil)
	for _, conn := range held {
		conn.Close()
	}
	eventually(t, func() error {
		if n := srv.metric(t, "mailkin_upload_bytes"); n != 0 {
			return fmt.Errorf("%v bytes are still on the disk", n)
		}
		return nil
	})
}
