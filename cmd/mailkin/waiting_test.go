package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// A wait that the server asks for is told on a terminal, and elsewhere where it is long, once and not in the data.
func TestWaitingIsTold(t *testing.T) {
	for _, row := range []struct {
		name     string
		status   int
		seconds  string
		terminal bool
		says     string
	}{
		{"on a terminal", 429, "1", true, "The server asks to wait 1 s (rate limit). Waiting; Ctrl-C to stop.\n"},
		{"busy", 503, "1", true, "The server asks to wait 1 s (it is busy). Waiting; Ctrl-C to stop.\n"},
		{"short, elsewhere", 429, "1", false, ""},
		{"long, elsewhere", 429, "6", false, "The server asks to wait 6 s (rate limit). Waiting; Ctrl-C to stop.\n"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			var asked atomic.Int32
			signals := make(chan os.Signal, 1)
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				if asked.Add(1) > 1 {
					_, _ = io.WriteString(w, `{"emails":[],"next_cursor":null}`)
					return
				}
				w.Header().Set("Retry-After", row.seconds)
				w.WriteHeader(row.status)
				if row.seconds != "1" { // nobody waits for that here
					time.AfterFunc(200*time.Millisecond, func() { signals <- syscall.SIGINT })
				}
			}))
			defer srv.Close()
			var stdout, stderr bytes.Buffer
			p := program{args: []string{"inbox", "--json"}, stdout: &stdout, stderr: &stderr, signals: signals,
				environ: []string{"MAILKIN_URL=" + srv.URL, "MAILKIN_API_KEY=mk_x",
					"XDG_CONFIG_HOME=" + t.TempDir()}}
			if row.terminal {
				p.terminal = func(w io.Writer) (int, bool) { return 80, w == &stderr }
			}
			status := p.run()
			want := row.seconds == "1"
			if (status == exitOK) != want || !strings.HasPrefix(stderr.String(), row.says) ||
				want && stderr.String() != row.says || strings.Contains(stdout.String(), "asks to wait") {
				t.Errorf("status %d, %q, %q", status, &stdout, &stderr)
			}
		})
	}
}
