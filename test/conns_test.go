package test

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
)

// More idle HTTP connections than the process may have files open leave room for mail, and for whoever asks something.
func TestIdleConnections(t *testing.T) {
	t.Parallel()
	srv := newServer(t, "MAILKIN_METRICS_ADDR=127.0.0.1:0")
	srv.wrap = []string{"sh", "-c", `ulimit -n 1024 && exec "$@"`, "sh"}
	srv.start(t)
	own := srv.mailbox(t, "own")
	addr := strings.TrimPrefix(srv.http, "http://")
	for range 1100 {
		c, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
	}
	eventually(t, func() error { // all of them are taken
		if n := srv.metric(t, "mailkin_http_connections_closed_total"); n < 500 {
			return fmt.Errorf("%v were closed to make room", n)
		}
		return nil
	})
	c := open(t, srv.smtp)
	if r, err := c.send(envelope{from: "a@far.example", to: []string{own.address}}, []byte(crlf("Subject: x\n\nx\n")),
		byDATA); err != nil || r.code != 250 {
		t.Errorf("mail: %v %v", r, err)
	}
	fresh := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: patience}
	resp, err := fresh.Get(srv.http + "/health")
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("a new client: %v %v", resp, err)
	}
	resp.Body.Close()
	if n := srv.metric(t, "mailkin_http_connections"); n > 512 {
		t.Errorf("%v connections", n)
	}
	if n := srv.metric(t, "process_open_fds"); n > 700 {
		t.Errorf("%v files are open", n)
	}
}
