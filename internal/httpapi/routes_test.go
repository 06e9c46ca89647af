package httpapi

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/wire"
)

// permissions is the table of API 2 as far as it is served, written out by hand: who may use which route.
var permissions = []struct {
	method, path                     string
	provisional, permanent, operator bool
}{
	{"GET", "me", true, true, true},
	{"GET", "mailbox", true, true, true},
	{"GET", "inbox", true, true, true},
	{"GET", "email", true, true, true},
	{"GET", "threads", true, true, true},
	{"GET", "thread", true, true, true},
	{"GET", "stats", true, true, true},
	{"GET", "rejects", true, true, true},
	{"PATCH", "email", false, true, true},
	{"DELETE", "email", false, true, true},
	{"GET", "attachment", false, true, true},
	{"GET", "email/raw", false, true, true},
	{"PATCH", "mailbox", false, true, true},
	{"POST", "keys/rotate", false, true, true},
	{"PATCH", "mailbox/pause", false, true, true},
	{"PATCH", "mailbox/resume", false, true, true},
	{"DELETE", "mailbox", true, true, true},
	{"POST", "mailboxes", false, false, true},
	{"GET", "mailboxes", false, false, true},
	{"GET", "mailboxes/{address}", false, false, true},
	{"PATCH", "mailboxes/{address}", false, false, true},
	{"DELETE", "mailboxes/{address}", false, false, true},
	{"PATCH", "mailboxes/{address}/pause", false, false, true},
	{"PATCH", "mailboxes/{address}/resume", false, false, true},
	{"POST", "mailboxes/{address}/keys", false, false, true},
	{"GET", "mailboxes/{address}/keys", false, false, true},
	{"DELETE", "keys/{id}", false, false, true},
	{"GET", "audit", false, false, true},
	{"POST", "ingest", false, false, true},
	{"GET", "/metrics", false, false, true},
	{"GET", "/health", true, true, true},
	{"GET", "/ready", true, true, true},
}

func TestTableIsComplete(t *testing.T) {
	var served, written []string
	for _, r := range routes {
		served = append(served, r.method+" "+r.path)
	}
	for _, p := range permissions {
		written = append(written, p.method+" "+p.path)
	}
	slices.Sort(served)
	slices.Sort(written)
	if !slices.Equal(served, written) {
		t.Errorf("served\n%q\nwritten down\n%q", served, written)
	}
}

// ask makes a request to a route with everything in order but, perhaps, the key.
func ask(t *testing.T, method, path, key string) (*http.Response, string) {
	t.Helper()
	path = strings.ReplaceAll(path, "{address}", "other%40mailkin.example")
	path = strings.ReplaceAll(path, "{id}", fakeID.String())
	s := scenario{method: method, path: path + "?id=" + fakeID.String(), key: key}
	switch {
	case method == post && strings.HasSuffix(path, "/ingest"):
		s.path = path + "?mailbox=" + otherAddress
		s.body, s.header = "Subject: x\r\n\r\n", []string{"Content-Type: message/rfc822"}
	case method == post, method == patch:
		s.body = "{}"
	}
	api, _ := newAPI(&fake{content: []byte("content")})
	w := httptest.NewRecorder()
	api.Handler().ServeHTTP(w, s.request())
	checkEvery(t, w.Result(), w.Body.String())
	if strings.Contains(w.Body.String(), "Attachment not found") {
		w = httptest.NewRecorder() // the fake has none, and was asked
	}
	return w.Result(), w.Body.String()
}

func paths(path string) []string {
	if strings.HasPrefix(path, "/") {
		return []string{path}
	}
	return []string{"/v1/" + path, "/api/" + path}
}

func TestWhoMay(t *testing.T) {
	for _, p := range permissions {
		for _, path := range paths(p.path) {
			for key, may := range map[string]bool{keyProvisional: p.provisional, keyMailbox: p.permanent, keyOperator: p.operator} {
				resp, body := ask(t, p.method, path, key)
				switch {
				case may && resp.StatusCode >= 300:
					t.Errorf("%s %s with %s: %d %s", p.method, path, key, resp.StatusCode, body)
				case !may && resp.StatusCode != http.StatusForbidden:
					t.Errorf("%s %s with %s: %d %s", p.method, path, key, resp.StatusCode, body)
				case !may && key == keyProvisional && !(strings.Contains(body, `"code":"provisional_capability_denied"`) && strings.Contains(body, `"upgrade":{"command":`)):
					t.Errorf("%s %s with %s: %s", p.method, path, key, body)
				case !may && key == keyMailbox && !strings.Contains(body, `"code":"scope_denied"`):
					t.Errorf("%s %s with %s: %s", p.method, path, key, body)
				}
			}
		}
	}
}

func TestEveryRouteNeedsAKey(t *testing.T) {
	for _, p := range permissions {
		for _, path := range paths(p.path) {
			for _, key := range []string{"-", "wrong", keyPaused} {
				resp, body := ask(t, p.method, path, key)
				public := p.path == "/health" || p.path == "/ready"
				want, exact := http.StatusUnauthorized, wire.Unauthorized
				if key == keyPaused {
					want, exact = http.StatusForbidden, wire.MailboxPaused
				}
				switch {
				case public, key == keyPaused && p.path == resumePath:
					if resp.StatusCode != http.StatusOK {
						t.Errorf("%s %s with %s: %d %s", p.method, path, key, resp.StatusCode, body)
					}
				case resp.StatusCode != want || body != exact:
					t.Errorf("%s %s with %s: %d %s", p.method, path, key, resp.StatusCode, body)
				case want == http.StatusUnauthorized && resp.Header.Get("WWW-Authenticate") != "Bearer":
					t.Errorf("%s %s with %s: no WWW-Authenticate", p.method, path, key)
				}
			}
		}
	}
}

// HEAD answers as GET does, and nothing else of the methods is let through.
func TestMethods(t *testing.T) {
	taken := map[string][]string{}
	for _, p := range permissions {
		taken[p.path] = append(taken[p.path], p.method)
	}
	for path, methods := range taken {
		for _, full := range paths(path) {
			for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW"} {
				resp, body := ask(t, method, full, keyOperator)
				if slices.Contains(methods, method) || method == "HEAD" && slices.Contains(methods, "GET") {
					if resp.StatusCode >= 300 {
						t.Errorf("%s %s: %d %s", method, full, resp.StatusCode, body)
					}
					continue
				}
				allow := resp.Header.Get("Allow")
				if resp.StatusCode != http.StatusMethodNotAllowed || !strings.Contains(body, `"code":"method_not_allowed"`) {
					t.Errorf("%s %s: %d %s", method, full, resp.StatusCode, body)
				}
				for _, m := range append(methods, "OPTIONS") {
					if !strings.Contains(allow, m) {
						t.Errorf("%s %s: Allow is %q", method, full, allow)
					}
				}
			}
		}
	}
}
