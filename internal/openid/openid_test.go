package openid

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// The whole of a sign-in, with a real provider, is tested by TestOpenID of package test.

func TestClaims(t *testing.T) {
	c := claims{"groups": []any{"a", 1, "b"}, "email": " Kim@Example.com", "email_verified": "true",
		"realm_access": map[string]any{"roles": []any{"r"}}, "https://x.example/roles": "one"}
	for claim, want := range map[string][]string{"groups": {"a", "b"}, "realm_access.roles": {"r"},
		"https://x.example/roles": {"one"}, "email": {"kim@example.com"}, "groups.x": nil, "none": nil} {
		if got := c.values(claim); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %q, want %q", claim, got, want)
		}
	}
	for _, sure := range []any{nil, false, "yes", 1.0} {
		if c["email_verified"] = sure; c.email() != "" {
			t.Errorf("%v makes the address sure", sure)
		}
	}
}

// A provider that is down is asked once in a while, by one caller at a time, and one that was known is still known.
func TestDiscovery(t *testing.T) {
	var asked atomic.Int64
	var broken atomic.Bool
	var document atomic.Pointer[string]
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if broken.Load() {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, *document.Load())
	}))
	defer srv.Close()
	tell := func(format string) {
		text := strings.ReplaceAll(format, "BASE", srv.URL)
		document.Store(&text)
	}
	now := time.Now()
	p := New(Options{Issuer: srv.URL, ClientID: "mailkin", Now: func() time.Time { return now },
		Log: slog.New(slog.DiscardHandler)})
	begin := func(what string, works bool, total int64) {
		t.Helper()
		_, _, err := p.Begin(t.Context())
		var known *mailbox.Error
		if works != (err == nil) || err != nil && (!errors.As(err, &known) || known.Code != "provider_down") {
			t.Errorf("%s: %v", what, err)
		}
		if asked.Load() != total {
			t.Errorf("%s: it was asked %d times, want %d", what, asked.Load(), total)
		}
	}
	const good = `{"issuer":"BASE","authorization_endpoint":"BASE/auth","token_endpoint":"BASE/token",` +
		`"jwks_uri":"BASE/keys","end_session_endpoint":"javascript:x"}`
	broken.Store(true)
	begin("down", false, 1)
	begin("down a moment ago", false, 1)
	broken.Store(false)
	for i, wrong := range []string{`{"issuer":"https://another.example"}`, `[`, strings.Repeat(" ", answerMost) + good,
		strings.Replace(good, "BASE/token", "ftp://x/token", 1)} {
		tell(wrong)
		now = now.Add(retryAfter)
		begin(fmt.Sprintf("wrong %d", i), false, int64(i)+2)
	}
	tell(good)
	now = now.Add(retryAfter)
	begin("up", true, 6)
	broken.Store(true)
	begin("known", true, 6)
	now = now.Add(knownFor)
	begin("down, and known from before", true, 7)
	begin("once more", true, 7)
	if at := p.SignOut(t.Context()); at != "" {
		t.Errorf("people sign out at %s", at)
	}
	secure := New(Options{Issuer: "https://id.example"})
	if secure.allowed("http://id.example/token") || !secure.allowed("https://elsewhere.example/token") {
		t.Error("a secret would go out in the clear")
	}
}

// State, nonce and verifier are new each time, and the answer needs the secret that belongs to its state.
func TestState(t *testing.T) {
	p := New(Options{Issuer: "https://id.example", Now: time.Now})
	state := derived("one", "state")
	if state == derived("two", "state") || state == derived("one", "nonce") || len(derived("one", "verifier")) != 43 {
		t.Error("what is derived is the same")
	}
	for _, secret := range []string{"", "two"} {
		_, err := p.Finish(context.Background(), secret, url.Values{"state": {state}, "code": {"c"}})
		var known *mailbox.Error
		if !errors.As(err, &known) || known.Code != "signin_state" {
			t.Errorf("with the secret %q: %v", secret, err)
		}
	}
}
