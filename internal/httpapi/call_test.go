package httpapi

import (
	"slices"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/wire"
)

func TestKeys(t *testing.T) {
	auth := func(value string) []string { return []string{"Authorization: " + value} }
	runAll(t, []scenario{
		{name: "scheme in any case", path: "/v1/me", header: auth("bEARER " + keyMailbox), status: 200},
		{name: "spaces around", path: "/v1/me", header: auth("Bearer   " + keyMailbox + "  "), status: 200},
		{name: "no scheme", path: "/v1/me", header: auth(keyMailbox), status: 401, exact: `{"error":"Unauthorized"}`},
		{name: "another scheme", path: "/v1/me", header: auth("Basic " + keyMailbox), status: 401,
			exact: `{"error":"Unauthorized"}`},
		{name: "scheme alone", path: "/v1/me", header: auth("Bearer"), status: 401, exact: `{"error":"Unauthorized"}`},
		{name: "nothing after the scheme", path: "/v1/me", header: auth("Bearer "), status: 401,
			exact: `{"error":"Unauthorized"}`},
		{name: "key as a parameter", path: "/v1/me?api_key=" + keyMailbox, key: "-", status: 401,
			headers: []string{"WWW-Authenticate: Bearer", "Content-Type: application/json"}},
	})
}

// Wrong keys are counted, those that are missing are not, and who sends too many is told so.
func TestWrongKeys(t *testing.T) {
	counted := func(want ...string) func(*testing.T, *fake) {
		return func(t *testing.T, f *fake) {
			t.Helper()
			var got []string
			for _, a := range f.wrong {
				got = append(got, a.String())
			}
			if !slices.Equal(got, want) {
				t.Errorf("counted %q, want %q", got, want)
			}
		}
	}
	const peer = "192.0.2.1"
	enough := fake{limited: &mailbox.Error{Kind: mailbox.Limited, Code: "auth_rate_limited", Message: "Enough.",
		RetryAfter: time.Hour}}
	enough.claim.NeedsOperator = true
	const told = `{"error":"Enough.","code":"auth_rate_limited"}`
	later := []string{"Retry-After: 3600", "WWW-Authenticate"}
	runAll(t, []scenario{
		{name: "right", path: "/v1/me", svc: enough, status: 200, check: counted()},
		{name: "missing", path: "/v1/me", key: "-", svc: enough, status: 401, exact: wire.Unauthorized,
			check: counted()},
		{name: "malformed", path: "/v1/me", header: []string{"Authorization: Bearer"}, svc: enough, status: 401,
			check: counted()},
		{name: "wrong", path: "/v1/me", key: "wrong", status: 401, exact: wire.Unauthorized, check: counted(peer)},
		{name: "wrong for nothing", path: "/v1/nothing", key: "wrong", status: 401, exact: wire.Unauthorized,
			check: counted(peer)},
		{name: "wrong through a proxy", path: "/v1/me", key: "wrong", setup: behind("10.0.0.1", "198.51.100.7"),
			status: 401, check: counted("198.51.100.7")},
		{name: "wrong too often", path: "/v1/me", key: "wrong", svc: enough, status: 429, exact: told, headers: later,
			check: counted(peer)},
		{name: "paused", path: "/v1/me", key: keyPaused, svc: enough, status: 403, exact: wire.MailboxPaused,
			check: counted()},
		{name: "not asked for", path: "/health", key: "wrong", svc: enough, status: 200, check: counted()},
		{name: "to start a claim", method: "POST", path: "/v1/claim/start", key: "wrong", svc: enough, status: 429,
			exact: told, headers: later, check: counted(peer)},
		{name: "to confirm a claim", method: "POST", path: "/v1/claim/confirm", key: "wrong",
			body: `{"session_id":"s"}`, svc: enough, status: 429, exact: told, check: counted(peer)},
		{name: "none to confirm a claim", method: "POST", path: "/v1/claim/confirm", key: "-",
			body: `{"session_id":"s"}`, svc: enough, status: 401, check: counted()},
		{name: "to poll a claim", path: "/v1/claim/poll?session=s", key: "wrong", svc: enough, status: 429, exact: told,
			check: counted(peer)},
		{name: "on the page", method: "POST", path: "/claim", key: "-",
			header: []string{"Content-Type: application/x-www-form-urlencoded"}, body: "session=s&token=wrong",
			svc: enough, status: 429, contains: []string{"Enough."}, headers: later, check: counted(peer)},
	})
}

// Of two things that are wrong, the caller is told the first in the order of API 1.
func TestOrder(t *testing.T) {
	const foreign = "mailbox=" + otherAddress
	runAll(t, []scenario{
		{name: "preflight before key", method: "OPTIONS", path: "/v1/nothing", key: "-", status: 204},
		{name: "public route before key", path: "/health", key: "wrong", status: 200},
		{name: "public route before paused", method: "POST", path: "/v1/bootstrap", key: keyPaused, status: 201},
		{name: "method of a public route before key", path: "/v1/claim/start", key: "wrong", status: 405},
		{name: "nothing outside needs a key", path: "/nothing", key: "-", status: 404,
			contains: []string{`"code":"not_found"`}},
		{name: "a name that only begins like ours", path: "/v1x", key: "-", status: 404},
		{name: "key before route", path: "/v1/nothing", key: "-", status: 401, exact: wire.Unauthorized},
		{name: "key before route at the root", path: "/v1", key: "-", status: 401},
		{name: "key before method", method: "PUT", path: "/v1/me", key: "-", status: 401},
		{name: "paused before route", path: "/v1/nothing", key: keyPaused, status: 403, exact: wire.MailboxPaused},
		{name: "paused before method", path: "/v1/mailbox/resume", key: keyPaused, status: 403,
			exact: wire.MailboxPaused},
		{name: "paused before scope", path: "/v1/audit", key: keyPaused, status: 403, exact: wire.MailboxPaused},
		{name: "paused may resume", method: "PATCH", path: "/v1/mailbox/resume", key: keyPaused, status: 200,
			exact: `{"mailbox":"agent@mailkin.example","status":"active"}`},
		{name: "route", path: "/v1/nothing", status: 404, contains: []string{`"code":"not_found"`}},
		{name: "route before method", method: "PUT", path: "/v1/nothing", status: 404},
		{name: "method before scope", method: "PUT", path: "/v1/mailboxes", status: 405,
			headers: []string{"Allow: GET, HEAD, OPTIONS, POST"}},
		{name: "scope before mailbox", path: "/v1/attachment?" + foreign, key: keyProvisional, status: 403,
			contains: []string{"provisional_capability_denied"}},
		{name: "scope before two mailboxes", path: "/v1/attachment?mailbox=a&to=b", key: keyProvisional, status: 403,
			contains: []string{"provisional_capability_denied"}},
		{name: "scope before body", method: "POST", path: "/v1/mailboxes", body: "rubbish", status: 403,
			contains: []string{"scope_denied"}},
		{name: "mailbox before validation", path: "/v1/inbox?limit=0&" + foreign, status: 403, exact: wire.Forbidden},
		{name: "mailbox before body", method: "PATCH", path: "/v1/mailbox?" + foreign, body: "rubbish", status: 403,
			exact: wire.Forbidden},
		{name: "mailbox before bad encoding", path: "/v1/inbox?x=%zz&" + foreign, status: 403, exact: wire.Forbidden},
		{name: "type before content", method: "PATCH", path: "/v1/mailbox", body: "rubbish",
			header: []string{"Content-Type: text/plain"}, status: 415},
		{name: "body before parameters", method: "PATCH", path: "/v1/email", body: "rubbish", status: 400,
			contains: []string{"invalid_body"}},
	})
}

func TestPaths(t *testing.T) {
	named := func(want string) func(*testing.T, *fake) {
		return func(t *testing.T, f *fake) {
			t.Helper()
			if len(f.entered) != 1 || f.entered[0].Mailbox != want {
				t.Errorf("entered %v, want %q", f.entered, want)
			}
		}
	}
	runAll(t, []scenario{
		{name: "trailing slash", path: "/v1/inbox/", status: 404},
		{name: "two slashes", path: "/v1//inbox", status: 404},
		{name: "dots", path: "/v1/x/../inbox", status: 404},
		{name: "capitals", path: "/v1/Inbox", status: 404},
		{name: "encoded letter", path: "/v1/%69nbox", status: 200},
		{name: "encoded slash is no slash", path: "/v1/email%2Fraw?id=" + fakeID.String(), status: 404},
		{name: "address as it is", path: "/v1/mailboxes/other@mailkin.example", key: keyOperator, status: 200,
			check: named(otherAddress)},
		{name: "address encoded", path: "/v1/mailboxes/other%40mailkin.example/keys", key: keyOperator, status: 200,
			check: named(otherAddress)},
		{name: "slash in an address", path: "/v1/mailboxes/a%2Fb%2bc@x.example", key: keyOperator, status: 200,
			check: named("a/b+c@x.example")},
		{name: "plus in an address", path: "/v1/mailboxes/a+b@x.example", key: keyOperator, status: 200,
			check: named("a+b@x.example")},
		{name: "no address", path: "/v1/mailboxes//keys", key: keyOperator, status: 404},
		{name: "unknown address", path: "/v1/mailboxes/nobody@x.example", key: keyOperator, status: 404,
			exact: `{"error":"Mailbox not found","code":"not_found"}`},
		{name: "NUL in an address", path: "/v1/mailboxes/a%00b", key: keyOperator, status: 400,
			contains: []string{`"field":"address"`}},
		{name: "address that is not UTF-8", path: "/v1/mailboxes/a%ff", key: keyOperator, status: 400},
		{name: "the parameter names nothing there", path: "/v1/mailboxes?mailbox=" + otherAddress, key: keyOperator,
			status: 200, check: named("")},
		{name: "own route beside a variable one", method: "POST", path: "/v1/keys/rotate", status: 201},
		{name: "key that is no id", method: "DELETE", path: "/v1/keys/x", key: keyOperator, status: 404,
			exact: `{"error":"Key not found","code":"not_found"}`},
	})
}

func TestNaming(t *testing.T) {
	runAll(t, []scenario{
		{name: "own", path: "/v1/stats?mailbox=" + ownAddress, status: 200},
		{name: "own in capitals", path: "/v1/stats?mailbox=AGENT@Mailkin.Example", status: 200},
		{name: "own alias", path: "/v1/stats?to=alias@mailkin.example", status: 200},
		{name: "empty is not given", path: "/v1/stats?mailbox=&to=", status: 200},
		{name: "both the same", path: "/v1/stats?mailbox=agent@mailkin.example&to=Agent@mailkin.example", status: 200},
		{name: "two", path: "/v1/stats?mailbox=agent@mailkin.example&to=alias@mailkin.example", status: 400,
			contains: []string{`"code":"invalid_to"`}},
		{name: "twice", path: "/v1/stats?mailbox=agent@mailkin.example&mailbox=x", status: 400},
		{name: "foreign", path: "/v1/stats?mailbox=" + otherAddress, status: 403,
			exact: `{"error":"forbidden","message":"Key not authorized for this mailbox"}`},
		{name: "foreign by its alias", path: "/api/stats?to=nobody@x.example", key: keyProvisional, status: 403,
			exact: wire.Forbidden},
		{name: "NUL", path: "/v1/stats?mailbox=%00", status: 400, contains: []string{`"field":"mailbox"`}},
		{name: "not UTF-8", path: "/v1/stats?to=%c3%28", status: 400, contains: []string{`"field":"to"`}},
		{name: "operator names another", path: "/v1/stats?mailbox=" + otherAddress, key: keyOperator, status: 200,
			contains: []string{otherAddress}},
		{name: "operator names none", path: "/v1/stats", key: keyOperator, status: 200,
			contains: []string{configAddress}},
		{name: "operator names an unknown one", path: "/v1/stats?mailbox=nobody@x", key: keyOperator, status: 404},
	})
}
