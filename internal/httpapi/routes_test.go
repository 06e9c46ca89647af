package httpapi

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// permissions is API 2, which refines SPEC 5.8, written out by hand: which routes a capability has, and who may use
// them.
var permissions = []struct {
	capability                               string
	provisional, permanent, operator, nobody bool
	routes                                   []string
}{
	{"GET me, mailbox, inbox, email, code, search, threads, thread, stats, events, wait, email/history; POST extract", true, true,
		true, false, []string{
			"GET me", "GET mailbox", "GET inbox", "GET search", "GET email", "GET code", "GET threads", "GET thread",
			"GET stats", "GET events", "GET wait",
			"GET rejects", "POST extract", "GET email/history", "GET email/check", "GET lists/{list}/{action}"}},
	{"PUT and DELETE lists, POST mailbox/resume-sending", false, false, true, false, []string{
		"PUT lists/{list}/{action}", "DELETE lists/{list}/{action}", "POST mailbox/resume-sending"}},
	{"quarantine", false, false, true, false, []string{"GET quarantine", "GET quarantine/{id}",
		"POST quarantine/{id}/release", "DELETE quarantine/{id}"}},
	{"PATCH email (labels, seen), DELETE email", false, true, true, false, []string{"PATCH email", "DELETE email"}},
	{"GET attachment, raw message", false, true, true, false, []string{"GET attachment", "GET email/raw",
		"GET export"}},
	{"reviews", false, false, true, false, []string{"GET reviews", "GET reviews/{id}", "PATCH reviews/{id}",
		"POST reviews/{id}/approve", "POST reviews/{id}/reject", "POST reviews/approve"}},
	{"drafts", false, true, true, false, []string{"POST drafts", "GET drafts", "GET drafts/{id}", "PATCH drafts/{id}",
		"DELETE drafts/{id}", "POST drafts/{id}/attachments", "DELETE drafts/{id}/attachments/{n}",
		"POST drafts/{id}/send"}},
	{"POST send, reply, forward, email/cancel", false, true, true, false, []string{"POST send", "POST reply",
		"POST forward",
		"POST email/cancel"}},
	{"PATCH mailbox, routes, webhook log and replay, domains, suppressions", false, true, true, false, []string{
		"PATCH mailbox", "POST mailbox/test-mail",
		"GET mailbox/routes", "PUT mailbox/routes", "DELETE mailbox/routes", "GET webhook/deliveries",
		"GET webhook/deliveries/{id}",
		"POST webhook/deliveries/{id}/replay", "POST webhook/replay",
		"POST webhook/test", "POST webhook/reset", "GET webhook/secret",
		"POST webhook/secret/rotate",
		"POST keys/rotate", "GET suppressions", "POST suppressions", "DELETE suppressions",
		"GET domains", "POST domains", "GET domains/{id}", "GET domains/{id}/dns", "GET domains/{id}/reports",
		"POST domains/{id}/verify", "POST domains/{id}/keys",
		"DELETE domains/{id}"}},
	{"PATCH mailbox/pause and /resume", false, true, true, false, []string{"PATCH mailbox/pause",
		"PATCH mailbox/resume"}},
	{"DELETE mailbox", true, true, true, false, []string{"DELETE mailbox"}},
	{"mailboxes (create, list, moderate), keys of any mailbox, audit", false, false, true, false, []string{
		"POST mailboxes", "GET mailboxes", "GET mailboxes/{address}", "PATCH mailboxes/{address}",
		"DELETE mailboxes/{address}",
		"PATCH mailboxes/{address}/pause", "PATCH mailboxes/{address}/resume", "POST mailboxes/{address}/keys",
		"GET mailboxes/{address}/keys",
		"PATCH keys/{id}", "DELETE keys/{id}",
		"GET queue", "GET queue/destinations", "GET queue/{id}", "POST queue/retry", "POST queue/cancel",
		"POST queue/hold", "POST queue/release",
		"GET activity", "GET overview", "GET overview/screening", "GET nodes", "GET audit", "GET audit/verify",
		"GET problems", "POST reindex", "GET reindex",
		"GET claims", "POST claims/{id}/confirm", "DELETE claims/{id}",
		"POST claim/auto", "POST ingest", "GET /metrics"}},
	{"operators and sessions", false, false, true, false, []string{"POST operators", "GET operators",
		"PATCH operators/{id}", "DELETE operators/{id}", "DELETE operators/{id}/sessions", "GET sessions",
		"DELETE sessions/{id}"}},
	{"DELETE session", true, true, true, false, []string{"DELETE session"}},
	{"the deployment's secrets", false, false, true, false, []string{"GET secrets", "POST secrets/{name}/rotate",
		"POST secrets/{name}/end"}},
	{"no key is needed", true, true, true, true, []string{
		"POST bootstrap", "POST claim/start", "POST claim/confirm", "GET claim/poll", "POST providers/resend", "GET /",
		"GET /claim", "POST /claim", "GET /signin", "GET /signin/callback", "GET /review", "POST /review",
		"GET /u/{token}", "POST /u/{token}",
		"GET /health", "GET /ready",
		"GET /.well-known/mta-sts.txt",
		"GET /openapi.json", "GET /docs", "GET /llms.txt", "GET /llms-full.txt", "GET /skill.md"}},
}

// eachRoute calls f with every route of the table, with its row, at every path it is served at.
func eachRoute(do func(method, path string, mayProvisional, mayPermanent, mayOperator, mayNobody bool)) {
	for _, p := range permissions {
		for _, r := range p.routes {
			method, path, _ := strings.Cut(r, " ")
			for _, full := range (route{path: path}).paths() {
				do(method, full, p.provisional, p.permanent, p.operator, p.nobody)
			}
		}
	}
}

func TestTableIsComplete(t *testing.T) {
	var served, written []string
	for _, r := range routes {
		served = append(served, r.method+" "+r.path)
	}
	for _, p := range permissions {
		written = append(written, p.routes...)
	}
	slices.Sort(served)
	slices.Sort(written)
	if !slices.Equal(served, written) {
		t.Errorf("served\n%q\nwritten down\n%q", served, written)
	}
}

// formatOf is a format that a route takes.
func formatOf(path string) string {
	if strings.HasSuffix(path, "/audit") {
		return "json"
	}
	return "mbox"
}

// ask makes a request to a route with everything in order but, perhaps, the key.
func ask(t *testing.T, method, path, key string) (*http.Response, string) {
	t.Helper()
	path = strings.ReplaceAll(path, "{address}", "other%40mailkin.example")
	path = strings.ReplaceAll(path, "{id}", fakeID.String())
	path = strings.NewReplacer("{list}", "send", "{action}", "allow").Replace(path)
	path = strings.ReplaceAll(path, "{n}", "1")
	path = strings.ReplaceAll(path, "{token}", "t")
	query := "?session=s&token=t&q=word&format=" + formatOf(path) + "&id=" + fakeID.String()
	s := scenario{method: method, path: path + query, key: key}
	switch {
	case method == post && strings.HasSuffix(path, "/ingest"):
		s.path = path + "?mailbox=" + otherAddress
		s.body, s.header = "Subject: x\r\n\r\n", []string{"Content-Type: message/rfc822"}
	case method == post && path == claimPath:
		s.body, s.header = "session=s", []string{"Content-Type: application/x-www-form-urlencoded"}
	case method == post && path == reviewPath:
		s.body = "token=t&version=1&decision=approve"
		s.header = []string{"Content-Type: application/x-www-form-urlencoded"}
	case method == post && strings.HasSuffix(path, "/resend"):
		s.body = "{}"
		s.header = sign(resendSecret, "svix", "1", time.Now(), s.body)
	case method == post && strings.HasSuffix(path, "/attachments"):
		s.body = `{"content":"aGk="}`
	case method == post && (strings.HasSuffix(path, "/reviews/approve") || strings.Contains(path, "/queue/")):
		s.body = `{"ids":["` + fakeID.String() + `"]}`
	case method == post && strings.HasSuffix(path, "/keys"): // which takes no members that it does not know
		s.body = "{}"
	case method == post && strings.HasSuffix(path, "/operators"):
		s.body = `{"name":"Kim","role":"view"}`
	case method == patch && strings.Contains(path, "/operators/"):
		s.body = `{"role":"view"}`
	case method == patch && strings.Contains(path, "/keys/"):
		s.body = `{"name":"n"}`
	case method == post, method == patch, method == put:
		s.body = `{"session_id":"s","email_id":"` + fakeID.String() + `"}`
	}
	plain.svc = &fake{content: []byte("content")}
	w := httptest.NewRecorder()
	plain.Handler().ServeHTTP(w, s.request())
	checkEvery(t, w.Result(), w.Body.String())
	if strings.Contains(w.Body.String(), "Attachment not found") {
		w = httptest.NewRecorder() // the fake has none, and was asked
	}
	return w.Result(), w.Body.String()
}

func TestWhoMay(t *testing.T) {
	eachRoute(func(method, path string, mayProvisional, mayPermanent, mayOperator, mayNobody bool) {
		for _, tt := range []struct {
			key     string
			may     bool
			status  int
			refusal string // part of the body
		}{
			{keyProvisional, mayProvisional, 403, `"code":"provisional_capability_denied","upgrade":{"command":"mailkin claim","url":"http://example.com/claim"}}`},
			{keyMailbox, mayPermanent, 403, `"code":"scope_denied"}`},
			{keyOperator, mayOperator, 0, ""},
			{"-", mayNobody, 401, `{"error":"Unauthorized"}`},
		} {
			resp, body := ask(t, method, path, tt.key)
			switch {
			case tt.may && resp.StatusCode >= 400:
				t.Errorf("%s %s with %s: %d %s", method, path, tt.key, resp.StatusCode, body)
			case !tt.may && (resp.StatusCode != tt.status || !strings.Contains(body, tt.refusal)):
				t.Errorf("%s %s with %s: %d %s", method, path, tt.key, resp.StatusCode, body)
			}
		}
	})
}

// The bodies of SPEC 7 are exact, on every route.
func TestExactBodies(t *testing.T) {
	eachRoute(func(method, path string, _, _, _, public bool) {
		for _, tt := range []struct {
			key, exact string
			status     int
		}{
			{"-", `{"error":"Unauthorized"}`, 401},
			{"wrong", `{"error":"Unauthorized"}`, 401},
			{keyPaused, `{"error":"Mailbox is paused"}`, 403},
		} {
			resp, body := ask(t, method, path, tt.key)
			starts := strings.HasSuffix(path, "claim/start") && tt.key != "-" ||
				strings.HasSuffix(path, "claim/poll") && tt.key == "wrong"
			switch {
			case public && !starts, tt.key == keyPaused && method == patch && strings.HasSuffix(path,
				"/mailbox/resume"):
				if resp.StatusCode >= 400 {
					t.Errorf("%s %s with %s: %d %s", method, path, tt.key, resp.StatusCode, body)
				}
			case resp.StatusCode != tt.status || body != tt.exact:
				t.Errorf("%s %s with %s: %d %s", method, path, tt.key, resp.StatusCode, body)
			case tt.status == http.StatusUnauthorized && resp.Header.Get("WWW-Authenticate") != "Bearer":
				t.Errorf("%s %s with %s: no WWW-Authenticate", method, path, tt.key)
			}
		}
	})
}

// A key that names another mailbox is told so, exactly, on every route that takes the name.
func TestForeignMailbox(t *testing.T) {
	const exact = `{"error":"forbidden","message":"Key not authorized for this mailbox"}`
	for _, r := range routes {
		if r.target != own {
			continue
		}
		for _, path := range r.paths() {
			for key, scope := range map[string]mailbox.Scope{keyProvisional: mailbox.Provisional,
				keyMailbox: mailbox.Permanent} {
				if !scope.May(r.need) {
					continue
				}
				s := scenario{method: r.method, path: path + "?limit=x&mailbox=" + otherAddress, key: key, status: 403,
					exact: exact}
				t.Run(key+" "+r.method+" "+path, s.run)
			}
		}
	}
}

// The audit log calls a route what the manual calls it, whichever way it was reached.
func TestVerbs(t *testing.T) {
	verb := func(want string) func(*testing.T, *fake) {
		return func(t *testing.T, f *fake) {
			t.Helper()
			if len(f.entered) != 1 || f.entered[0].Verb != want {
				t.Errorf("entered %v, want %q", f.entered, want)
			}
		}
	}
	const other = "mailboxes/" + otherAddress
	runAll(t, []scenario{
		{name: "as it is", method: "PATCH", path: "/v1/" + other + "/pause", key: keyOperator, status: 200,
			check: verb("PATCH /v1/mailboxes/{address}/pause")},
		{name: "by the alias", method: "PATCH", path: "/api/" + other + "/pause", key: keyOperator, status: 200,
			check: verb("PATCH /v1/mailboxes/{address}/pause")},
		{name: "HEAD is a GET", method: "HEAD", path: "/api/inbox", key: keyOperator, status: 200,
			check: verb("GET /v1/inbox")},
		{name: "root", path: "/metrics", key: keyOperator, status: 200, check: verb("GET /metrics")},
	})
}

// HEAD answers as GET does, and nothing else of the methods is let through.
func TestMethods(t *testing.T) {
	taken := map[string][]string{}
	for _, r := range routes {
		taken[r.path] = append(taken[r.path], r.method)
	}
	for path, methods := range taken {
		for _, full := range (route{path: path}).paths() {
			for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW"} {
				resp, body := ask(t, method, full, keyOperator)
				if slices.Contains(methods, method) || method == "HEAD" && slices.Contains(methods, "GET") {
					if resp.StatusCode >= 400 {
						t.Errorf("%s %s: %d %s", method, full, resp.StatusCode, body)
					}
					continue
				}
				allow := resp.Header.Get("Allow")
				if resp.StatusCode != http.StatusMethodNotAllowed ||
					!strings.Contains(body, `"code":"method_not_allowed"`) {
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
