package httpapi

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// confirmedBy checks with which credential the service was asked.
func confirmedBy(want ...mailbox.Secret) func(*testing.T, *fake) {
	return func(t *testing.T, f *fake) {
		t.Helper()
		if diff := cmp.Diff(want, f.by); diff != "" {
			t.Errorf("by (-want +got):\n%s", diff)
		}
	}
}

func TestStartClaim(t *testing.T) {
	const kept = `{"session_id":"the-session","name":"agent","mailbox":"agent@mailkin.example","url":"http://example.com/claim?session=the%2Flink","expires_in":600}`
	const path = "/v1/claim/start"
	auth := func(v string) []string { return []string{"Authorization: " + v} }
	runAll(t, []scenario{
		{name: "with a name", method: "POST", path: path, key: "-", body: `{"name":"robin"}`, status: 201,
			headers: []string{"Cache-Control: no-store"},
			exact:   `{"session_id":"the-session","name":"robin","mailbox":"robin@mailkin.example","url":"http://example.com/claim?session=the%2Flink","expires_in":600}`,
			check:   asked(service.ClaimRequest{Client: testPeer, Name: "robin"})},
		{name: "with a key", method: "POST", path: path, key: keyProvisional, status: 201, exact: kept,
			check: asked(service.ClaimRequest{Client: testPeer, Key: keyProvisional})},
		{name: "with both", method: "POST", path: path, key: keyProvisional, body: `{"name":"robin"}`, status: 201,
			check: asked(service.ClaimRequest{Client: testPeer, Name: "robin", Key: keyProvisional})},
		{name: "with nothing", method: "POST", path: path, key: "-", status: 201,
			check: asked(service.ClaimRequest{Client: testPeer})},
		{name: "the base is set", method: "POST", path: path, key: "-", setup: setPublic, status: 201,
			contains: []string{`"url":"https://kin.example/claim?session=the%2Flink"`}},
		{name: "wrong key", method: "POST", path: path, key: "wrong", status: 401, exact: `{"error":"Unauthorized"}`},
		{name: "paused key", method: "POST", path: path, key: keyPaused, status: 403,
			exact: `{"error":"Mailbox is paused"}`},
		{name: "no key after the scheme", method: "POST", path: path, header: auth("Bearer"), status: 401,
			exact: `{"error":"Unauthorized"}`},
		{name: "another scheme", method: "POST", path: path, header: auth("Basic x"), status: 401},
		{name: "empty header", method: "POST", path: path, header: auth(""), status: 401},
		{name: "two keys", method: "POST", path: path,
			header: auth("Bearer " + keyProvisional + "\nBearer " + keyProvisional), status: 401},
		{name: "name of the wrong type", method: "POST", path: path, key: "-", body: `{"name":1}`, status: 400,
			contains: invalid("name")},
		{name: "not an object", method: "POST", path: path, key: "-", body: `"robin"`, status: 400,
			contains: []string{"invalid_body"}},
		{name: "taken", method: "POST", path: path, key: "-",
			svc: fake{err: mailbox.Errorf(mailbox.Conflict, "name_taken", "Taken.")}, status: 409,
			exact: `{"error":"Taken.","code":"name_taken"}`},
		{name: "off", method: "POST", path: path, key: "-",
			svc: fake{err: mailbox.Errorf(mailbox.NotFound, "claim_disabled", "Off.")}, status: 404,
			contains: []string{"claim_disabled"}},
	})
}

func TestConfirmClaim(t *testing.T) {
	const path, body = "/v1/claim/confirm", `{"session_id":"s"}`
	byOperator := fake{claim: service.ShownClaim{NeedsOperator: true},
		confirmed: service.ConfirmedClaim{Address: otherAddress}}
	runAll(t, []scenario{
		{name: "operator", method: "POST", path: path, key: keyOperator, body: body, svc: byOperator, status: 200,
			exact: `{"status":"complete","mailbox":"other@mailkin.example","already_confirmed":false}`,
			check: confirmedBy(keyOperator)},
		{name: "again", method: "POST", path: path, key: "-", body: body,
			svc: fake{confirmed: service.ConfirmedClaim{Address: otherAddress, Already: true}}, status: 200,
			exact: `{"status":"complete","mailbox":"other@mailkin.example","already_confirmed":true}`,
			check: confirmedBy("")},
		{name: "by anyone", method: "POST", path: path, key: "-", body: body,
			svc: fake{confirmed: service.ConfirmedClaim{Address: otherAddress, Key: fakeSecret}}, status: 200,
			headers: []string{"Cache-Control: no-store"},
			exact: `{"status":"complete","mailbox":"other@mailkin.example","already_confirmed":false,"api_key":"` +
				string(fakeSecret) + `"}`},
		{name: "nobody", method: "POST", path: path, key: "-", body: body, svc: byOperator, status: 401,
			exact: `{"error":"Unauthorized"}`},
		{name: "not the operator", method: "POST", path: path, body: body, svc: byOperator, status: 403,
			contains: []string{"scope_denied"}},
		{name: "malformed header", method: "POST", path: path, header: []string{"Authorization: Bearer"}, body: body,
			status: 401, check: confirmedBy()},
		{name: "no session", method: "POST", path: path, key: keyOperator, body: `{"session_id":null}`, status: 400,
			contains: invalid("session_id")},
		{name: "empty session", method: "POST", path: path, key: keyOperator, body: `{"session_id":""}`, status: 400,
			contains: invalid("session_id")},
		{name: "session of the wrong type", method: "POST", path: path, key: keyOperator, body: `{"session_id":1}`,
			status: 400, contains: invalid("session_id")},
		{name: "no body", method: "POST", path: path, key: keyOperator, status: 400,
			contains: []string{"invalid_body"}},
		{name: "not by GET", path: path + "?session_id=s", key: keyOperator, status: 405, check: confirmedBy()},
	})
}

func TestPollClaim(t *testing.T) {
	const path = "/v1/claim/poll?session=s"
	state := func(s mailbox.ClaimState) fake { return fake{polled: service.PolledClaim{State: s}} }
	complete := fake{polled: service.PolledClaim{State: mailbox.ClaimComplete, Address: otherAddress, Key: fakeSecret}}
	runAll(t, []scenario{
		{name: "pending", path: path, key: "-", svc: state(mailbox.ClaimPending), status: 200,
			exact: `{"status":"pending"}`, check: asked("s")},
		{name: "expired", path: path, key: "-", svc: state(mailbox.ClaimExpired), status: 200,
			exact: `{"status":"expired"}`},
		{name: "complete", path: path, key: keyProvisional, svc: complete, status: 200,
			headers: []string{"Cache-Control: no-store"},
			exact:   `{"status":"complete","mailbox":"other@mailkin.example","api_key":"` + string(fakeSecret) + `"}`,
			check:   confirmedBy(keyProvisional)},
		{name: "unknown", path: "/v1/claim/poll?session=unknown", key: "-", status: 404,
			contains: []string{"not_found"}},
		{name: "no session", path: "/v1/claim/poll", key: "-", status: 400, contains: invalid("session")},
		{name: "NUL", path: "/v1/claim/poll?session=%00", key: "-", status: 400, contains: invalid("session")},
		{name: "wrong key", path: path, key: "wrong", svc: complete, status: 401, lacks: []string{"mk_"}},
		{name: "malformed header", path: path, header: []string{"Authorization: x"}, svc: complete, status: 401,
			check: confirmedBy()},
	})
}

func TestClaimAuto(t *testing.T) {
	const path = "/v1/claim/auto"
	runAll(t, []scenario{
		{name: "operator", method: "POST", path: path, key: keyOperator, body: `{"name":"robin"}`, status: 201,
			headers:  []string{"Cache-Control: no-store"},
			contains: []string{`{"mailbox":"robin@mailkin.example","api_key":"` + string(fakeSecret) + `"`},
			check:    asked(service.NewMailbox{Name: "robin"})},
		{name: "mailbox", method: "POST", path: path, body: `{"name":"robin"}`, status: 403,
			contains: []string{"scope_denied"}},
		{name: "nobody", method: "POST", path: path, key: "-", body: `{"name":"robin"}`, status: 401,
			exact: `{"error":"Unauthorized"}`},
		{name: "name of the wrong type", method: "POST", path: path, key: keyOperator, body: `{"name":[]}`, status: 400,
			contains: invalid("name")},
	})
}
