package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
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
	if got.status != exitOK || !strings.Contains(got.stdout, "made anew") || asked.Load() != 1 || looked.Load() != 2 {
		t.Errorf("%+v, asked %d times, looked %d times", got, asked.Load(), looked.Load())
	}
	got = mailkin(t, append(environ, "AUTH_TOKEN="+token, "MAILKIN_API_KEY=mk_another-key-that-is-wrong"), "reindex")
	if got.status != exitNoKey || !strings.Contains(got.stderr, "does not know the key from MAILKIN_API_KEY") {
		t.Errorf("with a wrong key: %+v", got)
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
