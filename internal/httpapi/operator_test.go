package httpapi

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// What named operators may do, written out by hand: view, and what moderate may beside that. An admin may do what the
// operator credential may. For reading mail, both may only name the configured mailbox; the service sees to that.
var (
	viewRoutes = []string{
		"GET me", "GET mailbox", "GET lists/{list}/{action}", "GET stats", "GET rejects", "POST keys/rotate",
		"GET inbox", "GET search", "GET email", "GET email/history", "GET email/check",
		"GET email/raw", "GET export", "GET attachment",
		"POST extract", "GET threads", "GET thread", "GET events", "GET code", "GET wait",
		"GET suppressions", "GET webhook/deliveries", "GET domains", "GET domains/{id}", "GET domains/{id}/dns",
		"GET domains/{id}/reports", "GET mailboxes", "GET mailboxes/{address}", "GET mailboxes/{address}/keys",
		"GET activity", "GET overview", "GET overview/screening", "GET nodes",
		"GET audit", "GET audit/verify", "GET queue", "GET queue/destinations", "GET queue/{id}",
		"GET claims", "GET problems", "GET reindex", "GET /metrics", "DELETE session"}
	moderateRoutes = []string{
		"PATCH mailbox/pause", "PATCH mailbox/resume", "POST mailbox/resume-sending", "POST email/cancel",
		"POST queue/retry", "POST queue/cancel", "POST queue/hold", "POST queue/release",
		"PATCH mailboxes/{address}/pause", "PATCH mailboxes/{address}/resume",
		"GET reviews", "GET reviews/{id}", "PATCH reviews/{id}", "POST reviews/{id}/approve",
		"POST reviews/{id}/reject", "POST reviews/approve",
		"GET quarantine", "GET quarantine/{id}", "POST quarantine/{id}/release", "DELETE quarantine/{id}"}
)

func TestRoles(t *testing.T) {
	for _, list := range [][]string{viewRoutes, moderateRoutes} {
		for _, r := range list {
			if !slices.ContainsFunc(routes, func(known route) bool { return known.method+" "+known.path == r }) {
				t.Errorf("there is no route %s", r)
			}
		}
	}
	eachRoute(func(method, path string, _, _, mayOperator, mayNobody bool) {
		name := method + " " + strings.TrimPrefix(strings.TrimPrefix(path, "/v1/"), "/api/")
		view := mayNobody || slices.Contains(viewRoutes, name)
		moderate := view || slices.Contains(moderateRoutes, name)
		for key, may := range map[string]bool{keyView: view, keyModerate: moderate, keyAdmin: mayOperator} {
			resp, body := ask(t, method, path, key)
			switch {
			case may && resp.StatusCode >= 400:
				t.Errorf("%s %s with %s: %d %s", method, path, key, resp.StatusCode, body)
			case !may && (resp.StatusCode != 403 || !strings.Contains(body, `"code":"scope_denied"`)):
				t.Errorf("%s %s with %s: %d %s, want 403", method, path, key, resp.StatusCode, body)
			}
		}
	})
}

func TestOperators(t *testing.T) {
	id := fakeID.String()
	for _, tt := range []scenario{
		{name: "create", method: "POST", path: "/v1/operators", key: keyOperator, status: 201,
			body:     `{"name":"Kim","role":"moderate","email":"kim@example.com","expires_at":"2026-05-01T00:00:00Z"}`,
			contains: []string{`"api_key":"` + string(fakeSecret) + `"`, `"name":"Kim","role":"moderate"`},
			check: asked(service.NewOperator{Name: "Kim", Role: "moderate", Email: "kim@example.com",
				ExpiresAt: time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)})},
		{name: "a member that there is not", method: "POST", path: "/v1/operators", key: keyOperator, status: 400,
			body: `{"name":"Kim","roles":["view"]}`, contains: []string{`roles`}},
		{name: "list", path: "/v1/operators", key: keyOperator, status: 200,
			contains: []string{`"email":"kim@example.com"`, `"sessions":1`}},
		{name: "remove", method: "DELETE", path: "/v1/operators/" + id, key: keyOperator, status: 200,
			contains: []string{`"deleted":"` + id + `"`}, check: asked(fakeID)},
		{name: "sessions", path: "/v1/sessions", key: keyOperator, status: 200,
			contains: []string{`"client":"192.0.2.1"`, `"current":false`}},
		{name: "end all sessions", method: "DELETE", path: "/v1/operators/" + id + "/sessions", key: keyAdmin,
			status: 200, exact: `{"ok":true,"ended":2}`, check: asked(fakeID)},
		{name: "who am I", path: "/v1/me", key: keyModerate, status: 200},
	} {
		t.Run(tt.name, tt.run)
	}
}

// A session is a cookie, and only of requests that the console's own scripts make.
func TestSessionCookie(t *testing.T) {
	const cookie = "Cookie: mailkin_session=" + keySession
	const ours = "X-Mailkin-Console: 1"
	for _, tt := range []struct {
		name   string
		header []string
		status int
	}{
		{"the console", []string{cookie, ours, "Sec-Fetch-Site: same-origin"}, 200},
		{"with an Origin", []string{cookie, ours, "Origin: http://example.com"}, 200},
		{"a cookie of TLS without TLS", []string{"Cookie: __Host-mailkin_session=" + keySession, ours}, 401},
		{"without the header", []string{cookie, "Sec-Fetch-Site: same-origin"}, 401},
		{"another site", []string{cookie, ours, "Sec-Fetch-Site: cross-site"}, 401},
		{"another host of the site", []string{cookie, ours, "Sec-Fetch-Site: same-site"}, 401},
		{"an address that was typed", []string{cookie, "Sec-Fetch-Site: none"}, 401},
		{"a page of somebody else", []string{cookie, ours, "Origin: https://evil.example"}, 401},
		{"a page without an origin", []string{cookie, ours, "Origin: null"}, 401},
		{"a mailbox's key as a cookie", []string{"Cookie: mailkin_session=" + keyMailbox, ours}, 401},
		{"an operator's key as a cookie", []string{"Cookie: mailkin_session=" + keyAdmin, ours}, 401},
		{"a session as a key", []string{"Authorization: Bearer " + keySession}, 401},
		{"both", []string{cookie, ours, "Authorization: Bearer " + keyAdmin}, 200},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, method := range []string{"GET", "DELETE"} {
				path := map[string]string{"GET": "/v1/operators", "DELETE": "/v1/session"}[method]
				scenario{method: method, path: path, key: "-", header: tt.header, status: tt.status}.run(t)
			}
		})
	}
	plain.svc = &fake{}
	w := httptest.NewRecorder()
	plain.Handler().ServeHTTP(w, scenario{method: "DELETE", path: "/v1/session", key: "-",
		header: []string{cookie, ours}}.request())
	if dropped := w.Result().Cookies(); len(dropped) != 1 || dropped[0].MaxAge >= 0 || !dropped[0].HttpOnly ||
		dropped[0].SameSite != http.SameSiteStrictMode {
		t.Errorf("the cookie is not dropped: %v", dropped)
	}
	tls := func(c *Config, _ *http.Request) { c.PublicURL = "https://mail.example" }
	for header, status := range map[string]int{"__Host-mailkin_session": 200, "mailkin_session": 401} {
		scenario{path: "/v1/operators", key: "-", setup: tls, status: status, // and the proxy does not tell the host
			header: []string{"Cookie: " + header + "=" + keySession, ours, "Origin: https://mail.example"}}.run(t)
	}
	scenario{path: "/v1/operators", key: "-", status: 401, header: []string{cookie, ours},
		setup: func(c *Config, _ *http.Request) { c.OpenID = nil }}.run(t)
}

// A browser is sent to the provider and back, with cookies that no script reads, and to nowhere else.
func TestSignIn(t *testing.T) {
	const began = "Cookie: mailkin_signin=of-this-browser"
	const callback = "/signin/callback?code=kim&state=s&to=https://evil.example"
	const failed = "Location: http://example.com/console#signin-failed="
	tls := func(c *Config, _ *http.Request) { c.PublicURL = "https://mail.example/kin" }
	with := func(err error) func(*Config, *http.Request) {
		return func(c *Config, _ *http.Request) { c.OpenID = fakeOpenID{err} }
	}
	runAll(t, []scenario{
		{name: "begin", path: "/signin?to=https://evil.example", key: "-", status: 303,
			headers: []string{"Location: https://id.example/auth", "Cache-Control: no-store",
				"Set-Cookie: mailkin_signin=of-this-browser; Path=/; Max-Age=600; HttpOnly; SameSite=Lax"}},
		{name: "begin over TLS", path: "/signin", key: "-", setup: tls, status: 303,
			headers: []string{"Set-Cookie: __Host-mailkin_signin=of-this-browser; Path=/; Max-Age=600; HttpOnly; " +
				"Secure; SameSite=Lax"}},
		{name: "the provider is down", path: "/signin", key: "-", status: 303,
			setup:   with(mailbox.Errorf(mailbox.Unavailable, "provider_down", "Down.")),
			headers: []string{failed + "provider_down", "Set-Cookie: "}},
		{name: "no provider", path: "/signin", key: "-", status: 404,
			setup: func(c *Config, _ *http.Request) { c.OpenID = nil }, contains: []string{"<!doctype html>"}},
		{name: "no provider to come from", path: callback, key: "-", status: 404,
			setup: func(c *Config, _ *http.Request) { c.OpenID = nil }},
		{name: "come back", path: callback, key: "-", header: []string{began}, status: 303,
			headers: []string{"Location: http://example.com/console#signed-in", "Cache-Control: no-store",
				"Referrer-Policy: no-referrer"},
			check: asked(mailbox.Identity{Issuer: "https://id.example", Subject: "kim"})},
		{name: "over TLS", path: callback, key: "-", header: []string{"Cookie: __Host-mailkin_signin=of-this-browser"},
			setup: tls, status: 303, headers: []string{"Location: https://mail.example/kin/console#signed-in"}},
		{name: "in another browser", path: callback, key: "-", status: 303, headers: []string{failed + "signin_state"},
			check: func(t *testing.T, f *fake) {
				if len(f.wrong) != 1 {
					t.Errorf("%d failures are counted", len(f.wrong))
				}
			}},
		{name: "too often", path: callback, key: "-", status: 303, headers: []string{failed + "auth_rate_limited"},
			svc: fake{limited: mailbox.Errorf(mailbox.Limited, "auth_rate_limited", "Too often.")}},
		{name: "nobody here", path: callback, key: "-", header: []string{began}, status: 303,
			svc:     fake{err: mailbox.Errorf(mailbox.Denied, "not_mapped", "Nobody.")},
			headers: []string{failed + "not_mapped"}},
		{name: "the store is down", path: callback, key: "-", header: []string{began}, status: 303,
			svc: fake{err: errors.New("no disk")}, headers: []string{failed + "internal"}},
		{name: "another method", method: "POST", path: callback, key: "-", status: 405},
	})
	w := httptest.NewRecorder()
	plain.svc = &fake{}
	plain.Handler().ServeHTTP(w, scenario{path: callback, key: "-", header: []string{began}}.request())
	cookies := w.Result().Cookies()
	if len(cookies) != 2 || cookies[0].MaxAge >= 0 || cookies[1].Name != "mailkin_session" || !cookies[1].HttpOnly ||
		cookies[1].SameSite != http.SameSiteStrictMode || cookies[1].Value != string(fakeSecret) {
		t.Errorf("cookies %v", cookies)
	}
}
