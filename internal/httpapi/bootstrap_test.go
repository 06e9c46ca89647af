package httpapi

import (
	"errors"
	"net/netip"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// testPeer is where the requests of httptest come from.
var testPeer = netip.MustParseAddr("192.0.2.1")

func TestBootstrap(t *testing.T) {
	const made = `{"mailbox":"agent-0123456789ab@mailkin.example","api_key":"mk_0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",` +
		`"scope":"provisional","expires_at":"2026-03-07T05:06:07.089Z","replayed":`
	const rest = `,"capabilities":["inbox.read","email.read","code.read","search.read","threads.read"],` +
		`"upgrade":{"command":"mailkin claim","url":"http://example.com/claim"},"event_id":"17"}`
	const key = "0123456789abcdef"
	keyed := func(v string) []string { return []string{"Idempotency-Key: " + v} }
	bad := invalid("idempotency_key")
	nobody := asked(service.BootstrapRequest{Client: testPeer})
	limited := &mailbox.Error{Kind: mailbox.Limited, Code: "provisional_daily_limit", Message: "Tomorrow.",
		RetryAfter: 90 * time.Minute}
	runAll(t, []scenario{
		{name: "new", method: "POST", path: "/v1/bootstrap", key: "-", status: 201, exact: made + "false" + rest,
			headers: []string{"Cache-Control: no-store", "Content-Type: application/json"}, check: nobody},
		{name: "by the alias", method: "POST", path: "/api/bootstrap", key: "-", status: 201,
			exact: made + "false" + rest},
		{name: "replayed", method: "POST", path: "/v1/bootstrap", key: "-", header: keyed(key),
			svc: fake{replayed: true}, status: 200, exact: made + "true" + rest,
			headers: []string{"Cache-Control: no-store"},
			check:   asked(service.BootstrapRequest{Client: testPeer, IdempotencyKey: key})},
		{name: "any body", method: "POST", path: "/v1/bootstrap", key: "-",
			header: []string{"Content-Type: text/plain"}, body: "rubbish", status: 201, check: nobody},
		{name: "any body without a type", method: "POST", path: "/v1/bootstrap", key: "-",
			header: []string{"Content-Type: "}, body: "[1]", status: 201},
		{name: "any key", method: "POST", path: "/v1/bootstrap", key: "wrong", status: 201, check: nobody},
		{name: "two Idempotency-Keys", method: "POST", path: "/v1/bootstrap", key: "-", header: keyed(key + "\n" + key),
			status: 400, contains: bad},
		{name: "empty Idempotency-Key", method: "POST", path: "/v1/bootstrap", key: "-", header: keyed(""), status: 400,
			contains: bad},
		{name: "through a proxy", method: "POST", path: "/v1/bootstrap", key: "-",
			setup: behind("10.0.0.1", "203.0.113.9, 198.51.100.7"), status: 201,
			contains: []string{`"url":"https://example.com/claim"`},
			check:    asked(service.BootstrapRequest{Client: netip.MustParseAddr("198.51.100.7")})},
		{name: "limited", method: "POST", path: "/v1/bootstrap", key: "-", svc: fake{err: limited}, status: 429,
			exact: `{"error":"Tomorrow.","code":"provisional_daily_limit"}`, headers: []string{"Retry-After: 5400"}},
		{name: "off", method: "POST", path: "/v1/bootstrap", key: "-",
			svc: fake{err: mailbox.Errorf(mailbox.NotFound, "bootstrap_disabled", "No.")}, status: 404,
			exact: `{"error":"No.","code":"bootstrap_disabled"}`},
		{name: "broken", method: "POST", path: "/v1/bootstrap", key: "-", svc: fake{err: errors.New("disk x")},
			status: 500, lacks: []string{"disk", "mk_"}},
		{name: "another method needs no key either", path: "/v1/bootstrap", key: "-", status: 405,
			headers: []string{"Allow: OPTIONS, POST"}},
		{name: "what is below needs one", method: "POST", path: "/v1/bootstrap/x", key: "-", status: 401},
	})
}
