package test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// Bodies that the interface gives to the letter.
const (
	unauthorized = `{"error":"Unauthorized"}`
	forbidden    = `{"error":"forbidden","message":"Key not authorized for this mailbox"}`
	paused       = `{"error":"Mailbox is paused"}`
)

// What is refused, and with which words, at both prefixes.
func TestRefusals(t *testing.T) {
	t.Parallel()
	srv := start(t)
	b, other := srv.mailbox(t, "own"), srv.mailbox(t, "other")
	srv.deliver(t, mail("theirs"), other.address)
	theirs := other.only(t).ID
	const unknown = "00000000-0000-7000-8000-000000000000"
	for _, tt := range []struct {
		name   string
		q      request
		status int
		exact  string // the body
		code   string // or the code in it
		header http.Header
	}{
		{name: "no key", q: request{path: "/inbox"}, status: 401, exact: unauthorized,
			header: http.Header{"Www-Authenticate": {"Bearer"}}},
		{name: "wrong key", q: request{path: "/inbox", key: "mk_" + strings.Repeat("0", 64)}, status: 401,
			exact: unauthorized},
		{name: "key of another form", q: request{path: "/inbox", key: "hello"}, status: 401, exact: unauthorized},
		{name: "other scheme", q: request{path: "/inbox", header: http.Header{"Authorization": {"Basic " + b.key}}},
			status: 401, exact: unauthorized},
		{name: "no key and no such path", q: request{path: "/nothing"}, status: 401, exact: unauthorized},
		{name: "another mailbox", q: request{path: "/inbox?mailbox=" + other.address, key: b.key}, status: 403,
			exact: forbidden},
		{name: "another mailbox by to", q: request{path: "/stats?to=" + other.address, key: b.key}, status: 403,
			exact: forbidden},
		{name: "a mailbox that is not there", q: request{path: "/inbox?mailbox=nobody@" + domain, key: b.key},
			status: 403, exact: forbidden},
		{name: "two mailboxes", q: request{path: "/inbox?mailbox=" + b.address + "&to=" + other.address, key: b.key},
			status: 400},
		{name: "scope", q: request{path: "/mailboxes", key: b.key}, status: 403, code: "scope_denied"},
		{name: "scope before validation", q: request{method: "POST", path: "/ingest", key: b.key, body: "x",
			kind: "text/html"}, status: 403, code: "scope_denied"},
		{name: "no such path", q: request{path: "/nothing", key: b.key}, status: 404, code: "not_found"},
		{name: "no such message", q: request{path: "/email?id=" + unknown, key: b.key}, status: 404, code: "not_found"},
		{name: "another's message", q: request{path: "/email?id=" + theirs, key: b.key}, status: 404,
			code: "not_found"},
		{name: "another's raw message", q: request{path: "/email/raw?id=" + theirs, key: b.key}, status: 404,
			code: "not_found"},
		{name: "delete another's message", q: request{method: "DELETE", path: "/email?id=" + theirs, key: b.key},
			status: 404, code: "not_found"},
		{name: "no such attachment", q: request{path: "/attachment?id=" + unknown, key: b.key}, status: 404,
			code: "not_found"},
		{name: "no such thread", q: request{path: "/thread?id=" + unknown, key: b.key}, status: 404, code: "not_found"},
		{name: "no id", q: request{path: "/email", key: b.key}, status: 400, code: "invalid_id"},
		{name: "method", q: request{method: "POST", path: "/inbox", key: b.key, body: "{}"}, status: 405,
			code: "method_not_allowed", header: http.Header{"Allow": {"GET, HEAD, OPTIONS"}}},
		{name: "limit 0", q: request{path: "/inbox?limit=0", key: b.key}, status: 400, code: "invalid_limit"},
		{name: "limit of letters", q: request{path: "/inbox?limit=ten", key: b.key}, status: 400,
			code: "invalid_limit"},
		{name: "negative offset", q: request{path: "/inbox?offset=-1", key: b.key}, status: 400,
			code: "invalid_offset"},
		{name: "bad time", q: request{path: "/inbox?since=yesterday", key: b.key}, status: 400, code: "invalid_since"},
		{name: "bad direction", q: request{path: "/inbox?direction=up", key: b.key}, status: 400,
			code: "invalid_direction"},
		{name: "unknown label", q: request{path: "/inbox?label=never-used", key: b.key}, status: 400,
			code: "unknown_label"},
		{name: "body too large", q: request{method: "POST", path: "/mailboxes", key: srv.token,
			body: `{"name":"` + strings.Repeat("a", 1_000_001) + `"}`}, status: 413, code: "body_too_large"},
		{name: "body of another type", q: request{method: "POST", path: "/mailboxes", key: srv.token,
			body: `{"name":"x"}`, kind: "text/plain"}, status: 415, code: "unsupported_media_type"},
		{name: "body without a type", q: request{method: "POST", path: "/mailboxes", key: srv.token,
			body: `{"name":"x"}`, kind: "none"}, status: 415, code: "unsupported_media_type"},
		{name: "body that is no object", q: request{method: "POST", path: "/mailboxes", key: srv.token, body: `[]`},
			status: 400},
		{name: "body that is no JSON", q: request{method: "POST", path: "/mailboxes", key: srv.token, body: `{"name"`},
			status: 400},
		{name: "field of another type", q: request{method: "POST", path: "/mailboxes", key: srv.token,
			body: `{"name":7}`}, status: 400},
		{name: "name taken", q: request{method: "POST", path: "/mailboxes", key: srv.token, body: `{"name":"Own"}`},
			status: 409, code: "name_taken"},
		{name: "name reserved", q: request{method: "POST", path: "/mailboxes", key: srv.token,
			body: `{"name":"postmaster"}`}, status: 400},
		{name: "delete without a name", q: request{method: "DELETE", path: "/mailbox", key: srv.token}, status: 400},
		{name: "ingest without a mailbox", q: request{method: "POST", path: "/ingest", key: srv.token, body: "x",
			kind: "message/rfc822"}, status: 400, code: "invalid_mailbox"},
		{name: "ingest for nobody", q: request{method: "POST", path: "/ingest?mailbox=nobody@" + domain, key: srv.token,
			body: "x", kind: "message/rfc822"}, status: 404},
		{name: "ingest of JSON", q: request{method: "POST", path: "/ingest?mailbox=" + b.address, key: srv.token,
			body: "{}"}, status: 415, code: "unsupported_media_type"},
	} {
		for _, prefix := range []string{"/v1", "/api"} {
			t.Run(tt.name+" at "+prefix, func(t *testing.T) {
				q := tt.q
				q.path = prefix + q.path
				a := srv.ask(t, q)
				if a.status != tt.status || tt.exact != "" && string(a.body) != tt.exact {
					t.Fatalf("got %d %.300s, want %d %s", a.status, a.body, tt.status, tt.exact)
				}
				checkError(t, a, tt.exact == "", tt.code)
				for name := range tt.header {
					if got := a.header.Get(name); got != tt.header.Get(name) {
						t.Errorf("%s: %q, want %q", name, got, tt.header.Get(name))
					}
				}
			})
		}
	}
	if s := b.stats(t); s.Total != 0 {
		t.Errorf("stats %+v", s)
	}
}

// checkError looks at the form that every error has.
func checkError(t *testing.T, a answer, hasCode bool, code string) {
	t.Helper()
	var body struct {
		Error *string
		Code  string
	}
	a.into(t, &body)
	switch {
	case body.Error == nil || *body.Error == "":
		t.Errorf("no error sentence in %s", a.body)
	case hasCode && body.Code == "", code != "" && body.Code != code:
		t.Errorf("code %q, want %q", body.Code, code)
	}
	if a.header.Get("X-Request-Id") == "" || a.header.Get("Content-Type") != "application/json" {
		t.Errorf("headers %v", a.header)
	}
}

func TestPublicRoutes(t *testing.T) {
	t.Parallel()
	srv := start(t)
	for _, tt := range []struct {
		name, method, path, key string
		status                  int
		part                    string
	}{
		{"health", "GET", "/health", "", 200, `"ok":true`},
		{"ready", "GET", "/ready", "", 200, `"status":"ok"`},
		{"metrics need the operator", "GET", "/metrics", "", 401, unauthorized},
		{"metrics", "GET", "/metrics", srv.token, 200, "go_goroutines"},
		{"anything else", "GET", "/wp-login.php", "", 404, `"code":"not_found"`},
		{"preflight", "OPTIONS", "/v1/inbox", "", 204, ""},
		{"dots", "GET", "/v1/../health", "", 401, unauthorized},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := srv.ask(t, request{method: tt.method, path: tt.path, key: tt.key})
			if a.status != tt.status || !strings.Contains(string(a.body), tt.part) {
				t.Errorf("got %d %.200s, want %d with %s", a.status, a.body, tt.status, tt.part)
			}
		})
	}
}

// A message can be marked, labelled, found by what it was marked with, and deleted; the counts follow.
func TestChangeMail(t *testing.T) {
	t.Parallel()
	srv := start(t)
	b := srv.mailbox(t, "keeper")
	srv.deliver(t, mail("first"), b.address)
	srv.deliver(t, mail("second"), b.address)
	second := b.inbox(t)[0]
	if a := b.ask(t, "PATCH", "/email?id="+second.ID,
		`{"seen":true,"add_labels":["todo"],"remove_labels":["personal"]}`); a.status != 200 {
		t.Fatalf("got %d %s", a.status, a.body)
	}
	if e := b.email(t, second.ID); !e.Seen || fmt.Sprint(e.Labels) != "[todo]" {
		t.Errorf("got %+v", e)
	}
	for path, want := range map[string]string{"label=todo": "second", "seen=false": "first", "label=TODO": "second"} {
		var page struct{ Emails []email }
		srv.get(t, b.key, "/v1/inbox?"+path, &page)
		if len(page.Emails) != 1 || page.Emails[0].Subject != want {
			t.Errorf("%s gives %+v", path, page.Emails)
		}
	}
	if s := b.stats(t); s.Total != 2 || s.Unseen != 1 || s.ThisMonth != 2 || s.Inbound != 2 || s.Outbound != 0 ||
		s.Mailbox != b.address {
		t.Errorf("stats %+v", s)
	}
	if a := b.ask(t, "DELETE", "/email?id="+second.ID, ""); a.status != 200 || string(a.body) != `{"deleted":true}` {
		t.Errorf("delete: %d %s", a.status, a.body)
	}
	if a := b.ask(t, "DELETE", "/email?id="+second.ID, ""); a.status != 404 {
		t.Errorf("delete again: %d %s", a.status, a.body)
	}
	if s := b.stats(t); s.Total != 1 || s.Unseen != 1 {
		t.Errorf("stats %+v", s)
	}
}

// A list read page by page gives everything once, by cursor also while new mail arrives.
func TestPages(t *testing.T) {
	t.Parallel()
	srv := start(t)
	b := srv.mailbox(t, "pages")
	const total = 25
	for i := range total {
		srv.deliver(t, mail(fmt.Sprintf("number %02d", i)), b.address)
	}
	var page struct {
		Emails []email
		Next   *string `json:"next_cursor"`
	}
	seen := 0
	for path := "/v1/inbox?limit=10"; ; path = "/v1/inbox?limit=10&cursor=" + *page.Next {
		page.Next, page.Emails = nil, nil
		srv.get(t, b.key, path, &page)
		for _, e := range page.Emails {
			if want := fmt.Sprintf("number %02d", total-1-seen); e.Subject != want {
				t.Fatalf("at %d is %q", seen, e.Subject)
			}
			seen++
		}
		if page.Next == nil {
			break
		}
		srv.deliver(t, mail(fmt.Sprintf("meanwhile %d", seen)), b.address)
	}
	if seen != total {
		t.Errorf("%d messages in the pages, want %d", seen, total)
	}
	srv.get(t, b.key, "/v1/inbox?limit=5&offset=3", &page)
	if len(page.Emails) != 5 {
		t.Errorf("%d messages from the offset", len(page.Emails))
	}
}

// Ingest takes a raw message to the byte, whatever it is.
func TestIngest(t *testing.T) {
	t.Parallel()
	srv := start(t)
	b := srv.mailbox(t, "ingest")
	for _, tt := range []struct{ name, kind, message string }{
		{"mail", "message/rfc822", mail("ingest")},
		{"bytes", "application/octet-stream", "Subject: bare\n\nbare line ends\n.\n"},
		{"no mail at all", "message/rfc822", "\x00\xff\xfe nothing of this is a header"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var receipt struct {
				ID, Mailbox string
				Duplicate   *bool
			}
			srv.do(t, request{method: "POST", path: "/api/ingest?mailbox=" + b.address, key: srv.token,
				body: tt.message, kind: tt.kind}, 201, &receipt)
			if receipt.Mailbox != b.address || receipt.Duplicate == nil || *receipt.Duplicate {
				t.Errorf("receipt %+v", receipt)
			}
			sameBytes(t, b.raw(t, receipt.ID), []byte(tt.message))
		})
	}
	if a := b.ask(t, "PATCH", "/mailbox/pause", ""); a.status != 200 {
		t.Fatalf("pause: %d %s", a.status, a.body)
	}
	a := srv.ask(t, request{method: "POST", path: "/v1/ingest?mailbox=" + b.address, key: srv.token, body: mail("x"),
		kind: "message/rfc822"})
	if a.status != 503 || a.header.Get("Retry-After") == "" || !json.Valid(a.body) {
		t.Errorf("paused: %d %s %v", a.status, a.body, a.header)
	}
}
