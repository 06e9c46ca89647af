package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mailkin/mailkin/api"
)

// The command asks the server, and waits until it is done.
func TestReindex(t *testing.T) {
	const token = "operator-token-for-tests"
	var asked, looked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch {
		case r.URL.Path != "/v1/reindex":
			w.WriteHeader(http.StatusNotFound)
		case r.Header.Get("Authorization") != "Bearer "+token:
			w.WriteHeader(http.StatusUnauthorized)
			fmt.Fprint(w, `{"error":"Unauthorized"}`)
		case r.Method == http.MethodPost:
			asked.Add(1)
			w.WriteHeader(http.StatusAccepted)
			fmt.Fprint(w, `{"running":true,"done":0,"total":2}`)
		default:
			fmt.Fprintf(w, `{"running":%t,"done":%d,"total":2}`, looked.Add(1) < 2, looked.Load())
		}
	}))
	defer server.Close()
	environ := []string{"MAILKIN_DATA_DIR=" + t.TempDir(), "MAILKIN_URL=" + server.URL + "/"}
	got := mailkin(t, append(environ, "AUTH_TOKEN="+token), "reindex")
	if got.status != exitOK || !strings.Contains(got.stdout, "rebuilt") || asked.Load() != 1 || looked.Load() != 2 {
		t.Errorf("%+v, asked %d times, looked %d times", got, asked.Load(), looked.Load())
	}
	got = mailkin(t, append(environ, "AUTH_TOKEN="+token, "MAILKIN_API_KEY=mk_another-key-that-is-wrong"), "reindex")
	if got.status != exitNoKey || !strings.Contains(got.stderr, "does not know the key from MAILKIN_API_KEY") {
		t.Errorf("with a wrong key: %+v", got)
	}
}

// It moves with the messages, also within one mailbox, and says how long it takes when that is known.
func TestReindexBar(t *testing.T) {
	began := time.Now()
	var out bytes.Buffer
	b := &reindexBar{w: &out, watched: true}
	for _, tt := range []struct {
		name  string
		after time.Duration
		state api.Reindex
		want  string
	}{
		{"at first", 0, api.Reindex{Done: 1, Total: 3, MessagesDone: 100, MessagesTotal: 1000},
			"\r[#.........] 100 of 1000 messages, 1 of 3 mailboxes \x1b[K"},
		{"nothing was done yet", time.Second, api.Reindex{Done: 1, Total: 3, MessagesDone: 100, MessagesTotal: 1000},
			"\r[#.........] 100 of 1000 messages, 1 of 3 mailboxes \x1b[K"},
		{"within a mailbox", 20 * time.Second, api.Reindex{Done: 1, Total: 3, MessagesDone: 500, MessagesTotal: 1000},
			"\r[#####.....] 500 of 1000 messages, 1 of 3 mailboxes, 25s left \x1b[K"},
		{"it was begun again", 30 * time.Second, api.Reindex{Done: 1, Total: 3, MessagesTotal: 1000},
			"\r[..........] 0 of 1000 messages, 1 of 3 mailboxes \x1b[K"},
		{"done", 40 * time.Second, api.Reindex{Done: 3, Total: 3, MessagesDone: 1000, MessagesTotal: 1000},
			"\r[##########] 1000 of 1000 messages, 3 of 3 mailboxes, 0s left \x1b[K"},
		{"no messages, or an older server", time.Minute, api.Reindex{Done: 1, Total: 2},
			"\r[#####.....] 1 of 2 mailboxes, 1m0s left \x1b[K"},
		{"nothing", time.Minute, api.Reindex{}, "\r[..........] 0 of 0 mailboxes \x1b[K"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out.Reset()
			b.show(&tt.state, began.Add(tt.after))
			if got := out.String(); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
	out.Reset()
	b.end()
	if b.end(); out.String() != "\r\x1b[K" {
		t.Errorf("at the end %q", out.String())
	}
	out.Reset()
	b = &reindexBar{w: &out}
	b.show(&api.Reindex{Running: true, Total: 1}, began)
	if b.end(); out.Len() > 0 {
		t.Errorf("where nobody looks %q", out.String())
	}
}

// Without a server the index is thrown away.
func TestReindexOffline(t *testing.T) {
	dir := t.TempDir()
	index := filepath.Join(dir, "index.db")
	for _, path := range []string{index, index + "-wal", filepath.Join(dir, "kept")} {
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got := mailkin(t, []string{"MAILKIN_DATA_DIR=" + dir}, "reindex", "--offline")
	if got.status != exitOK || !strings.Contains(got.stdout, "next start") {
		t.Errorf("%+v", got)
	}
	for path, want := range map[string]bool{index: false, index + "-wal": false, filepath.Join(dir, "kept"): true} {
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s: %v", path, err)
		}
	}
}
