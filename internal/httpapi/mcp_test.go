package httpapi

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
)

// The tools are given requests that have a key and a body of bounded size, and nothing else.
func TestMCPIsMounted(t *testing.T) {
	tools := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		_, _ = io.WriteString(w, "tools "+string(body))
	})
	for _, tt := range []struct {
		name, method, key, kind, body string
		tools                         http.Handler
		status                        int
		want, header                  string
	}{
		{"a message", "POST", keyMailbox, "application/json", "{}", tools, 200, "tools {}",
			"Access-Control-Allow-Origin: *"},
		{"a temporary key", "POST", keyProvisional, "application/json", "{}", tools, 200, "tools {}",
			"Cache-Control: no-store"},
		{"no key", "POST", "", "application/json", "{}", tools, 401, `{"error":"Unauthorized"}`,
			"WWW-Authenticate: Bearer"},
		{"a wrong key", "POST", "wrong", "application/json", "{}", tools, 401, `{"error":"Unauthorized"}`,
			"WWW-Authenticate: Bearer"},
		{"a paused mailbox", "POST", keyPaused, "application/json", "{}", tools, 403, `{"error":"Mailbox is paused"}`,
			""},
		{"a stream", "GET", keyMailbox, "", "", tools, 405, "method_not_allowed", "Allow: OPTIONS, POST"},
		{"a stream without a key", "GET", "", "", "", tools, 401, "Unauthorized", ""},
		{"the end of a session", "DELETE", keyMailbox, "", "", tools, 405, "method_not_allowed", ""},
		{"too large", "POST", keyMailbox, "application/json", strings.Repeat("x", objectLimit+1), tools, 413,
			"body_too_large", ""},
		{"not JSON", "POST", keyMailbox, "text/plain", "{}", tools, 415, "unsupported_media_type", ""},
		{"no tools", "POST", keyMailbox, "application/json", "{}", nil, 404, "not_found", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			api := New(&fake{}, Config{Log: slog.New(slog.DiscardHandler), Registry: prometheus.NewRegistry(),
				MCP: tt.tools})
			r := httptest.NewRequest(tt.method, mcpPath, strings.NewReader(tt.body))
			if tt.key != "" {
				r.Header.Set("Authorization", "Bearer "+tt.key)
			}
			if tt.kind != "" {
				r.Header.Set("Content-Type", tt.kind)
			}
			w := httptest.NewRecorder()
			api.ServeHTTP(w, r)
			if w.Code != tt.status || !strings.Contains(w.Body.String(), tt.want) {
				t.Errorf("status %d: %s", w.Code, w.Body)
			}
			if name, value, ok := strings.Cut(tt.header, ": "); ok && w.Header().Get(name) != value {
				t.Errorf("%s is %q, want %q", name, w.Header().Get(name), value)
			}
		})
	}
}
