package httpapi

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
)

// The address of the service leads people on, and programs nowhere.
func TestFront(t *testing.T) {
	const page = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"
	console := http.NotFoundHandler()
	for _, tt := range []struct {
		name, path, accept, public string
		console                    http.Handler
		to                         string // empty: 404
	}{
		{"a browser", "/", page, "", console, "/console/"},
		{"a browser where there is no console", "/", page, "", nil, "/docs"},
		{"a browser behind a proxy", "/", page, "https://host.example/mail/", console, "/mail/console/"},
		{"a program", "/", "application/json", "", console, ""},
		{"a program that takes anything", "/", "*/*", "", console, ""},
		{"a program that says nothing", "/", "", "", console, ""},
		{"a program that wants no page", "/", "application/json, text/html;q=0", "", console, ""},
		{"a claim", "/?session=abc-_1&claim=robin&source=cli", page, "", console, "/claim?session=abc-_1"},
		{"a claim without a browser", "/?session=abc", "", "", nil, "/claim?session=abc"},
		{"a claim behind a proxy", "/?session=abc", page, "https://host.example/mail", console,
			"/mail/claim?session=abc"},
		{"an empty session", "/?session=", page, "", console, "/console/"},
		{"a hostile session", "/?session=%0d%0aSet-Cookie:x%26a=b%23%22%3E%3Cscript%3E//evil.example", page, "",
			console,
			"/claim?session=%0D%0ASet-Cookie%3Ax%26a%3Db%23%22%3E%3Cscript%3E%2F%2Fevil.example"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			api := New(&fake{}, Config{Log: slog.New(slog.DiscardHandler), Registry: prometheus.NewRegistry(),
				Console: tt.console, PublicURL: tt.public})
			r := httptest.NewRequest("GET", tt.path, nil)
			if tt.accept != "" {
				r.Header.Set("Accept", tt.accept)
			}
			w := httptest.NewRecorder()
			api.ServeHTTP(w, r)
			switch {
			case tt.to == "" && (w.Code != 404 || !strings.Contains(w.Body.String(), `"code":"not_found"`)):
				t.Errorf("status %d: %s", w.Code, w.Body)
			case tt.to != "" && (w.Code != 302 || w.Header().Get("Location") != tt.to):
				t.Errorf("status %d, to %q", w.Code, w.Header().Get("Location"))
			}
			if w.Header().Get("Vary") != "Accept" {
				t.Error("what is answered depends on Accept, and it does not say so")
			}
		})
	}
}
