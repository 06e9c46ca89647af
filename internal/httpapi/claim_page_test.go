package httpapi

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

func setPublic(cfg *Config, _ *http.Request) { cfg.PublicURL = "https://kin.example/" }

// pendingClaim is a claim of a new mailbox that only the operator may confirm.
func pendingClaim() service.ShownClaim {
	return service.ShownClaim{
		Claim: mailbox.Claim{Address: otherAddress, Client: "198.51.100.7",
			CreatedAt: fakeTime.In(time.FixedZone("", 3600)), ExpiresAt: fakeTime.Add(mailbox.ClaimTime)},
		State: mailbox.ClaimPending, NeedsOperator: true,
	}
}

func shown(change func(*service.ShownClaim)) fake {
	f := fake{claim: pendingClaim(), confirmed: service.ConfirmedClaim{Address: otherAddress}}
	change(&f.claim)
	return f
}

// notConfirmed checks that the service was not asked to confirm.
var notConfirmed = confirmedBy()

// pageHeaders are those of every page.
var pageHeaders = []string{"Content-Type: text/html; charset=utf-8", "Referrer-Policy: no-referrer",
	"X-Content-Type-Options: nosniff", "Cache-Control: no-store"}

const formType = "Content-Type: application/x-www-form-urlencoded"

// runForm runs a scenario in which a form is sent.
func (s scenario) runForm(t *testing.T) {
	if s.header == nil {
		s.header = []string{formType}
	}
	s.headers = append(s.headers, pageHeaders...)
	t.Run(s.name, s.run)
}

// safePage asks for a page that shows what a stranger wrote: it is shown as text, and the page runs and loads nothing.
func (s scenario) safePage(t *testing.T, f fake) (body string) {
	t.Helper()
	s.key, s.header = "-", []string{formType}
	api, _ := newAPI(&f)
	w := httptest.NewRecorder()
	api.ServeHTTP(w, s.request())
	body = w.Body.String()
	if strings.Contains(body, "<script") || strings.Contains(body, "<img") || strings.Count(body, "</style>") != 1 {
		t.Errorf("not escaped:\n%s", body)
	}
	if !strings.Contains(body, "&lt;script&gt;") {
		t.Errorf("not shown:\n%s", body)
	}
	_, rest, _ := strings.Cut(body, "<style>")
	style, _, _ := strings.Cut(rest, "</style>")
	hash := sha256.Sum256([]byte(style))
	want := "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(hash[:]) +
		"'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
	if got := w.Header().Get("Content-Security-Policy"); got != want {
		t.Errorf("policy %s\nwant %s", got, want)
	}
	if len(w.Header()["Set-Cookie"]) != 0 {
		t.Error("it sets a cookie")
	}
	return body
}

func TestClaimPage(t *testing.T) {
	pending := shown(func(*service.ShownClaim) {})
	kept := shown(func(c *service.ShownClaim) { c.Temporary = otherAddress })
	renamed := shown(func(c *service.ShownClaim) { c.Temporary = "agent-0123456789ab@mailkin.example" })
	anybody := shown(func(c *service.ShownClaim) { c.NeedsOperator = false })
	before := shown(func(c *service.ShownClaim) { c.RetiredAt = fakeTime })
	barred := shown(func(c *service.ShownClaim) { c.RetiredAt, c.Barred = fakeTime, true })
	const deleted = "belonged to a mailbox that was deleted on 4 March 2026."
	state := func(s mailbox.ClaimState) fake { return shown(func(c *service.ShownClaim) { c.State = s }) }
	const path = "/claim?session=s%22%3E"
	const field, button = `type="password"`, `<button type="submit">`
	rows := []scenario{
		{name: "new", path: path, svc: pending, status: 200, contains: []string{"<h1>Make this mailbox?</h1>",
			otherAddress, "198.51.100.7",
			`<time datetime="2026-03-04T05:06:07Z">4 March 2026, 05:06:07 UTC</time>`,
			`datetime="2026-03-04T05:16:07Z"`, field, button,
			`<form method="post" action="claim">`, `name="session" value="s&#34;&gt;"`, `<label for="token">`},
			lacks: []string{"emporary", "role=", "deleted"}},
		{name: "of a deleted mailbox", path: path, svc: before, status: 200,
			contains: []string{"This address " + deleted, field, button}},
		{name: "of a mailbox that was just deleted", path: path, svc: barred, status: 409,
			contains: []string{otherAddress + " " + deleted, "role="}, lacks: []string{button}},
		{name: "kept", path: path, svc: kept, status: 200, contains: []string{"<h1>Keep this mailbox?</h1>",
			otherAddress, field}, lacks: []string{"until now", "another address"}},
		{name: "renamed", path: path, svc: renamed, status: 200, contains: []string{otherAddress,
			"Temporary address until now", "agent-0123456789ab@mailkin.example"}},
		{name: "anybody may", path: path, svc: anybody, status: 200, contains: []string{button},
			lacks: []string{field}},
		{name: "expired", path: path, svc: state(mailbox.ClaimExpired), status: 410, contains: []string{"expired"},
			lacks: []string{button}},
		{name: "confirmed", path: path, svc: state(mailbox.ClaimComplete), status: 200,
			contains: []string{"Already confirmed", otherAddress}, lacks: []string{button}},
		{name: "unknown", path: "/claim?session=unknown", status: 404, contains: []string{"There is no such claim."},
			lacks: []string{button}},
		{name: "no session", path: "/claim", status: 200, contains: []string{"mailkin claim", "/v1/claim/start"},
			lacks: []string{button}},
		{name: "bad encoding", path: "/claim?session=%zz", status: 400},
		{name: "HEAD", method: "HEAD", path: path, svc: pending, status: 200},
	}
	runPages(t, rows, notConfirmed)
}

// runPages asks for pages without a key. None of them may change anything.
func runPages(t *testing.T, rows []scenario, unchanged func(*testing.T, *fake)) {
	for _, s := range rows {
		s.key, s.check, s.headers = "-", unchanged, pageHeaders
		t.Run(s.name, s.run)
	}
}

func TestClaimForm(t *testing.T) {
	pending := shown(func(*service.ShownClaim) {})
	anybody := shown(func(c *service.ShownClaim) { c.NeedsOperator = false })
	fails := func(kind mailbox.Kind, change func(*service.ShownClaim)) fake {
		f := shown(change)
		f.err = mailbox.Errorf(kind, "x", "Some sentence.")
		return f
	}
	over := func(s mailbox.ClaimState) func(*service.ShownClaim) {
		return func(c *service.ShownClaim) { c.State = s }
	}
	again := anybody
	again.confirmed.Already = true
	limited := pending
	limited.limited = &mailbox.Error{Kind: mailbox.Limited, Code: "auth_rate_limited", Message: "Too many.",
		RetryAfter: time.Minute}
	broken := anybody
	broken.err = errors.New("disk x")
	with := func(token string) string { return url.Values{"session": {"s"}, "token": {token}}.Encode() }
	const button, alert = `<button type="submit">`, `role="alert"`
	rows := []scenario{
		{name: "operator", body: with(keyOperator), svc: pending, status: 200, contains: []string{"<h1>Confirmed</h1>",
			otherAddress}, lacks: []string{button, "mk_"}, check: confirmedBy(keyOperator)},
		{name: "blanks around the token", body: with(" " + keyOperator + "\n"), svc: pending, status: 200,
			check: confirmedBy(keyOperator)},
		{name: "anybody", body: "session=s", svc: anybody, status: 200, contains: []string{"<h1>Confirmed</h1>"},
			check: confirmedBy("")},
		{name: "before", body: "session=s", svc: again, status: 200, contains: []string{"Already confirmed"}},
		{name: "wrong token", body: with("wrong<>"), svc: pending, status: 401,
			contains: []string{"not the operator token", alert, button, `aria-describedby="problem"`, otherAddress},
			lacks:    []string{"wrong&lt;"}, headers: []string{"WWW-Authenticate: Bearer"}},
		{name: "no token", body: with(""), svc: pending, status: 401, contains: []string{"token is needed", button}},
		{name: "key of a mailbox", body: with(keyMailbox), svc: pending, status: 403,
			contains: []string{"not the operator token", button}},
		{name: "too many wrong ones", body: with("wrong"), svc: limited, status: 429, contains: []string{"Too many."},
			headers: []string{"Retry-After: 60"}},
		{name: "the header counts for nothing", body: "session=s", key: keyOperator, svc: pending, status: 401,
			check: confirmedBy("")},
		{name: "taken", body: with(keyOperator), svc: fails(mailbox.Conflict, func(*service.ShownClaim) {}),
			status: 409, contains: []string{"Some sentence.", alert}, lacks: []string{button}},
		{name: "expired", body: with(keyOperator), svc: fails(mailbox.Conflict, over(mailbox.ClaimExpired)),
			status: 410, contains: []string{"expired"}, lacks: []string{button}},
		{name: "wrong token after the end", body: with("wrong"), svc: fails(mailbox.Conflict,
			over(mailbox.ClaimExpired)), status: 410},
		{name: "off", body: with(keyOperator), svc: fails(mailbox.NotFound, func(*service.ShownClaim) {}), status: 404,
			contains: []string{"Some sentence."}},
		{name: "paused", body: with(keyOperator), svc: fails(mailbox.Paused, func(*service.ShownClaim) {}), status: 403,
			contains: []string{"<h1>", "Some sentence."}},
		{name: "unknown", body: "session=unknown&token=wrong", svc: pending, status: 404},
		{name: "broken", body: "session=s", svc: broken, status: 500,
			contains: []string{"<h1>", "Internal server error", "request "}, lacks: []string{"disk"}},
		{name: "no session", body: "token=x", status: 400, contains: []string{"session"}, check: notConfirmed},
		{name: "bad encoding", body: "session=%zz", status: 400, check: notConfirmed},
		{name: "nothing", status: 400, check: notConfirmed},
		{name: "JSON", body: `{"session_id":"s"}`, header: []string{"Content-Type: application/json"}, status: 415,
			check: notConfirmed},
		{name: "too large", body: "session=s&x=" + strings.Repeat("x", formLimit), status: 413, check: notConfirmed},
	}
	for _, s := range rows {
		s.method, s.path = "POST", "/claim"
		if s.key == "" {
			s.key = "-"
		}
		s.runForm(t)
	}
}

// Whatever strangers wrote is shown as text, and the page runs and loads nothing.
func TestClaimPageIsSafe(t *testing.T) {
	const evil = `</title></style><script>alert(1)</script><img src=x onerror=y>"'{{.}}`
	f := shown(func(c *service.ShownClaim) { c.Address, c.Temporary, c.Client = evil, evil+"2", evil })
	f.confirmed.Address, f.err = evil, nil
	for _, s := range []scenario{
		{path: "/claim?session=" + url.QueryEscape(evil)},
		{method: "POST", path: "/claim", body: url.Values{"session": {evil}, "token": {evil}}.Encode()},
		{method: "POST", path: "/claim", body: url.Values{"session": {evil}, "token": {keyOperator}}.Encode()},
	} {
		body := s.safePage(t, f)
		for what, n := range map[string]int{`<html lang="en">`: 1, "<h1>": 1, "<main>": 1, `name="viewport"`: 1,
			"prefers-color-scheme: dark": 1, "<script": 0, "style=": 0} {
			if strings.Count(body, what) != n {
				t.Errorf("%s is there %d times, want %d", what, strings.Count(body, what), n)
			}
		}
	}
}
