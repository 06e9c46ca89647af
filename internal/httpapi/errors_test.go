package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
)

func TestEveryKindHasAReply(t *testing.T) {
	want := map[mailbox.Kind]int{
		mailbox.Internal: 500, mailbox.Invalid: 400, mailbox.Unauthorized: 401, mailbox.Forbidden: 403,
		mailbox.Denied: 403,
		mailbox.Paused: 403, mailbox.NotFound: 404, mailbox.Conflict: 409, mailbox.TooLarge: 413, mailbox.Limited: 429,
		mailbox.Unimplemented: 501, mailbox.Unavailable: 503, mailbox.DiskFull: 503, mailbox.QuotaFull: 507,
		mailbox.NoRoom:          409,
		mailbox.NoSuchRecipient: 404, mailbox.TooManyHops: 400, mailbox.Lapsed: 403,
		mailbox.KeyLost: 503,
	}
	for _, kind := range mailbox.Kinds() {
		t.Run(fmt.Sprint(kind), func(t *testing.T) {
			api, log := newAPI(&fake{err: fmt.Errorf("wrapped: %w",
				&mailbox.Error{Kind: kind, Err: errors.New("secret cause")})})
			w := httptest.NewRecorder()
			api.ServeHTTP(w, scenario{path: "/v1/stats"}.request())
			body := w.Body.String()
			if w.Code != want[kind] {
				t.Errorf("status %d, want %d", w.Code, want[kind])
			}
			if strings.Contains(body, "secret") || strings.Contains(body, "wrapped") {
				t.Errorf("the caller is told the cause: %s", body)
			}
			retry := w.Code == 503 || w.Code == 429
			if got := w.Header().Get("Retry-After") != ""; got != retry {
				t.Errorf("Retry-After: %v", got)
			}
			// The service tells of a full disk and the program of a lost key, once.
			ours := w.Code == 500 || w.Code == 503 && kind != mailbox.DiskFull && kind != mailbox.KeyLost
			if logged := strings.Count(log.String(), "secret cause"); ours != (logged == 1) || logged > 1 {
				t.Errorf("logged %d times", logged)
			}
			if replies[kind].exact != "" && body != replies[kind].exact {
				t.Errorf("body %s", body)
			}
			checkEvery(t, w.Result(), body)
		})
	}
}

func TestErrorBodies(t *testing.T) {
	failing := func(err error) fake { return fake{err: err} }
	runAll(t, []scenario{
		{name: "sentence, code and field", path: "/v1/stats", svc: failing(mailbox.InvalidField("x", "No <x> & y.")),
			status:  400,
			exact:   `{"error":"No <x> & y.","code":"invalid_x","field":"x"}`,
			headers: []string{"Content-Type: application/json", "Cache-Control: no-store"}},
		{name: "unauthorized", path: "/v1/stats", svc: failing(mailbox.Errorf(mailbox.Unauthorized, "x", "y")),
			status: 401,
			exact:  `{"error":"Unauthorized"}`, headers: []string{"WWW-Authenticate: Bearer"}},
		{name: "paused", path: "/v1/stats", svc: failing(mailbox.Errorf(mailbox.Paused, "x", "y")), status: 403,
			exact: `{"error":"Mailbox is paused"}`},
		{name: "disk full", path: "/v1/stats", svc: failing(&mailbox.Error{Kind: mailbox.DiskFull, Message: "Full."}),
			status: 503,
			exact:  `{"error":"Full.","code":"disk_full"}`},
		{name: "moderated has no upgrade", path: "/v1/stats", svc: failing(mailbox.Errorf(mailbox.Denied, "moderated",
			"No.")), status: 403,
			exact: `{"error":"No.","code":"moderated"}`},
		{name: "upgrade", path: "/v1/stats", svc: failing(mailbox.Errorf(mailbox.Denied,
			"provisional_capability_denied", "No.")), status: 403,
			exact: `{"error":"No.","code":"provisional_capability_denied","upgrade":{"command":"mailkin claim","url":"http://example.com/claim"}}`},
		{name: "an internal error with a sentence", path: "/v1/stats",
			svc: failing(mailbox.Errorf(mailbox.Internal, "db", "table x")), status: 500,
			contains: []string{`{"error":"Internal server error","code":"internal","request_id":"`},
			lacks:    []string{"table"}},
		{name: "an error that is not ours", path: "/v1/stats", svc: failing(errors.New("table x")), status: 500,
			lacks: []string{"table"}},
		{name: "an unknown kind", path: "/v1/stats", svc: failing(mailbox.Errorf(mailbox.Kind(99), "x", "y")),
			status: 500, lacks: []string{`"x"`}},
		{name: "search", path: "/v1/inbox?query=x", status: 501, contains: []string{`"code":"search_unavailable"`}},
	})
}

// Retry-After is when it is worth trying again, never sooner.
func TestRetryAfter(t *testing.T) {
	for _, tt := range []struct {
		kind  mailbox.Kind
		after time.Duration
		want  string
	}{
		{mailbox.Limited, 0, "60"},
		{mailbox.Limited, 1, "1"},
		{mailbox.Limited, time.Second, "1"},
		{mailbox.Limited, time.Second + 1, "2"},
		{mailbox.Limited, 86_399_001 * time.Millisecond, "86400"},
		{mailbox.Limited, -time.Second, "60"},
		{mailbox.Unavailable, 0, "5"},
		{mailbox.Unavailable, 30 * time.Second, "30"},
		{mailbox.Conflict, 0, ""},
		{mailbox.Conflict, time.Second, "1"},
	} {
		api, _ := newAPI(&fake{err: fmt.Errorf("wrapped: %w", &mailbox.Error{Kind: tt.kind, RetryAfter: tt.after})})
		w := httptest.NewRecorder()
		api.ServeHTTP(w, scenario{path: "/v1/stats"}.request())
		if got := w.Header().Get("Retry-After"); got != tt.want {
			t.Errorf("%v, %v: got %q, want %q", tt.kind, tt.after, got, tt.want)
		}
	}
}

func TestRequestIDIsInBodyAndLog(t *testing.T) {
	server, log := newAPI(&fake{err: errors.New("broken")})
	w := httptest.NewRecorder()
	server.ServeHTTP(w, scenario{path: "/v1/stats?mailbox=agent@mailkin.example"}.request())
	var body api.Error
	if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
		t.Fatal(err)
	}
	id := w.Header().Get("X-Request-Id")
	if body.RequestID != id || !strings.Contains(log.String(), "request_id="+id) {
		t.Errorf("header %s, body %s, log %s", id, body.RequestID, log)
	}
	if strings.Contains(log.String(), keyMailbox) || strings.Contains(log.String(), ownAddress) {
		t.Errorf("the log has what it must not: %s", log)
	}
}

func TestPanic(t *testing.T) {
	api, log := newAPI(&fake{panics: "boom"})
	w := httptest.NewRecorder()
	api.ServeHTTP(w, scenario{path: "/v1/stats"}.request())
	if w.Code != 500 || !strings.Contains(w.Body.String(), `"code":"internal"`) || strings.Contains(w.Body.String(),
		"boom") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	for _, want := range []string{"boom", "fake_test.go", w.Header().Get("X-Request-Id")} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log lacks %s: %s", want, log)
		}
	}
}

func TestAbortIsPassedOn(t *testing.T) {
	api, log := newAPI(&fake{panics: http.ErrAbortHandler})
	defer func() {
		if recover() != http.ErrAbortHandler || log.Len() > 0 {
			t.Errorf("not passed on, or logged: %s", log)
		}
	}()
	api.ServeHTTP(httptest.NewRecorder(), scenario{path: "/v1/stats"}.request())
}

func TestClientIsGone(t *testing.T) {
	api, log := newAPI(&fake{err: fmt.Errorf("read: %w", context.Canceled)})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w := httptest.NewRecorder()
	api.ServeHTTP(w, scenario{path: "/v1/stats"}.request().WithContext(ctx))
	if w.Code != http.StatusServiceUnavailable || log.Len() > 0 {
		t.Errorf("%d, log %s", w.Code, log)
	}
}
