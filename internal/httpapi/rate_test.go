package httpapi

import (
	"net/http/httptest"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// Requests are counted before anything is asked of the store, and answers say what is left.
func TestRates(t *testing.T) {
	counted := func(want ...string) func(*testing.T, *fake) {
		return func(t *testing.T, f *fake) {
			t.Helper()
			if len(f.admitted) != len(want) {
				t.Fatalf("counted for %v, want %v", f.admitted, want)
			}
			for i, a := range f.admitted {
				if a.String() != want[i] {
					t.Errorf("counted for %v, want %v", f.admitted, want)
				}
			}
		}
	}
	const peer = "192.0.2.1"
	some := fake{rates: []service.Rate{{Policy: service.RateAddress, Quota: 120, Left: 119, Reset: time.Millisecond},
		{Policy: service.RateKey, Quota: 60, Left: 7, Reset: 53 * time.Second}}}
	told := []string{`RateLimit-Policy: "address";q=120;w=60, "key";q=60;w=60`,
		`RateLimit: "address";r=119;t=1, "key";r=7;t=53`}
	enough := some
	enough.tooMany = &mailbox.Error{Kind: mailbox.Limited, Code: "rate_limited", Message: "Enough.",
		RetryAfter: 1500 * time.Millisecond}
	const refused = `{"error":"Enough.","code":"rate_limited"}`
	later := append(told, "Retry-After: 2")
	runAll(t, []scenario{
		{name: "a request", path: "/v1/me", svc: some, status: 200, headers: told, check: counted(peer)},
		{name: "no limit", path: "/v1/me", status: 200, headers: []string{"RateLimit", "RateLimit-Policy"},
			check: counted(peer)},
		{name: "too many", path: "/v1/me", svc: enough, status: 429, exact: refused, headers: later,
			check: counted(peer)},
		{name: "too many with a wrong key", path: "/v1/me", key: "wrong", svc: enough, status: 429, exact: refused,
			headers: later, check: counted(peer)},
		{name: "too many without a key", method: "POST", path: "/v1/bootstrap", key: "-", svc: enough, status: 429,
			exact: refused, headers: later, check: counted(peer)},
		{name: "too many of nothing", path: "/nothing", key: "-", svc: enough, status: 429, exact: refused,
			check: counted(peer)},
		{name: "too many waits", path: "/v1/code", svc: enough, status: 429, exact: refused, check: counted(peer)},
		{name: "too many streams", path: "/v1/events", svc: enough, status: 429, exact: refused, check: counted(peer)},
		{name: "through a proxy", path: "/v1/me", setup: behind("10.0.0.1", "198.51.100.7"), svc: some, status: 200,
			headers: told, check: counted("198.51.100.7")},
		{name: "health", path: "/health", key: "-", svc: enough, status: 200, check: counted()},
		{name: "ready", path: "/ready", key: "-", svc: enough, status: 200, check: counted()},
		{name: "a preflight", method: "OPTIONS", path: "/v1/me", key: "-", svc: enough, status: 204, check: counted()},
	})
}

// A request on the way of answering another one was counted with that.
func TestRatesWithin(t *testing.T) {
	f := &fake{tooMany: &mailbox.Error{Kind: mailbox.Limited, Code: "rate_limited"}}
	api, _ := newAPI(f)
	w := httptest.NewRecorder()
	api.Within().ServeHTTP(w, scenario{path: "/v1/me"}.request())
	if w.Code != 200 || len(f.admitted) > 0 {
		t.Errorf("%d, counted for %v", w.Code, f.admitted)
	}
}
