package httpapi

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
)

// The console has everything under its path, needs no key, and is read by no other origin.
func TestConsoleIsMounted(t *testing.T) {
	console := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_,
			_ = io.WriteString(w, "console "+r.URL.Path)
	})
	for _, tt := range []struct {
		name, method, path string
		console            http.Handler
		status             int
		body               string // empty: any
	}{
		{"the page", "GET", "/console", console, 200, "console /console"},
		{"what is under it", "GET", "/console/files/x.js", console, 200, "console /console/files/x.js"},
		{"sent to", "POST", "/console/signin", console, 200, "console /console/signin"},
		{"preflight", "OPTIONS", "/console", console, 204, ""},
		{"something else", "GET", "/consoles", console, 404, ""},
		{"none", "GET", "/console", nil, 404, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			api := New(&fake{}, Config{Log: slog.New(slog.DiscardHandler), Registry: prometheus.NewRegistry(),
				Console: tt.console})
			w := httptest.NewRecorder()
			api.ServeHTTP(w, httptest.NewRequest(tt.method, tt.path, nil))
			if w.Code != tt.status || tt.body != "" && w.Body.String() != tt.body {
				t.Errorf("status %d: %s", w.Code, w.Body)
			}
			if w.Header().Get("X-Request-Id") == "" {
				t.Error("there is no request id")
			}
			if tt.body != "" && w.Header().Get("Access-Control-Allow-Origin") != "" {
				t.Error("other origins may read it")
			}
		})
	}
}
