package httpapi

import (
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

const (
	domainStart = `{"id":"019cb7d1-0000-7000-8000-000000000000","domain":"brought.example","status":"pending",` +
		`"mx_verified":true,"spf_verified":false,"dkim_verified":false,"dmarc_verified":true,`
	ownershipRecord = `{"type":"TXT","host":"_mailkin.brought.example","value":"mailkin-verify=token","purpose":"Shows that the domain is yours. Leave it there: it is looked up every day."`
	mxRecord        = `{"type":"MX","host":"brought.example","value":"mx.mailkin.example","purpose":"Brings mail for the domain to this server.","priority":10`
)

func TestDomains(t *testing.T) {
	one := "/v1/domains/" + fakeID.String()
	const made = domainStart + `"created_at":"2026-03-04T05:06:07.089Z","verified_at":null,"lapsed_at":null`
	records := []string{
		made + `,"dns_records":{"mx":` + mxRecord +
			`},"spf":{"type":"TXT","host":"brought.example","value":"v=spf1 a:mx.mailkin.example ~all","purpose":`,
		`"dkim":{"type":"TXT","host":"mk._domainkey.brought.example","value":"v=DKIM1; k=rsa; p=AAAA","purpose":`,
		`"dmarc":{"type":"TXT","host":"_dmarc.brought.example","value":"v=DMARC1; p=none","purpose":`,
		`"dkim_ed25519":{"type":"TXT","host":"mke._domainkey.brought.example","value":"v=DKIM1; k=ed25519; p=BBBB","purpose":`,
	}
	owned := append([]string{`"ownership":` + ownershipRecord + `}},"ownership":` + ownershipRecord +
		`},"instructions":"Publish <these>.","keys_created_at":"2026-03-04T05:06:07.089Z"}`}, records...)
	taken := fake{err: mailbox.Errorf(mailbox.Conflict, "domain_taken", "Taken.")}
	unknown := fake{err: mailbox.Errorf(mailbox.NotFound, "not_found", "Domain not found")}
	const missing = `{"error":"Domain not found","code":"not_found"}`
	runAll(t, []scenario{
		{name: "list", path: "/v1/domains", status: 200,
			exact: `{"domains":[` + made + `},{"id":"019cb7d1-0000-7000-8000-000000000000","domain":"brought.example","status":"dns_verified",` +
				`"mx_verified":true,"spf_verified":false,"dkim_verified":false,"dmarc_verified":true,` +
				`"created_at":"2026-03-04T05:06:07.089Z","verified_at":"2026-03-04T06:06:07.089Z","lapsed_at":null}],"next_cursor":null}`},
		{name: "add", method: post, path: "/v1/domains", body: `{"domain":"Brought.Example"}`, status: 201,
			contains: owned, check: asked("Brought.Example")},
		{name: "add nothing", method: post, path: "/v1/domains", body: `{}`, status: 201, check: asked("")},
		{name: "add a number", method: post, path: "/v1/domains", body: `{"domain":1}`, status: 400,
			contains: invalid("domain"), check: asked(nil)},
		{name: "add without a body", method: post, path: "/v1/domains", status: 400,
			contains: []string{`"code":"invalid_body"`}},
		{name: "add one that is taken", method: post, path: "/v1/domains", body: `{"domain":"x"}`, svc: taken,
			status: 409, exact: `{"error":"Taken.","code":"domain_taken"}`},
		{name: "show", path: one, status: 200, contains: records, check: asked(fakeID)},
		{name: "show one of the deployment", path: one, key: keyOperator, status: 200, contains: records,
			lacks: []string{"ownership"}},
		{name: "show none", path: "/v1/domains/x", status: 404, exact: missing, check: asked(nil)},
		{name: "show one of another mailbox", path: one, svc: unknown, status: 404, exact: missing},
		{name: "sheet", path: one + "/dns", status: 200, check: asked(fakeID),
			contains: []string{`"domain":"brought.example","hostname":"mx.mailkin.example","records":[{"kind":"ownership",` +
				ownershipRecord[1:] + `,"needed":true,"found":[],"state":"missing","problem":"There is nothing there."},` +
				`{"kind":"mx",` + mxRecord[1:] + `,"needed":true,"found":["10 mx.mailkin.example"],"state":"ok"}],` +
				`"zone_file":"; Records of brought.example`}},
		{name: "sheet of none", path: "/v1/domains/x/dns", status: 404, exact: missing, check: asked(nil)},
		{name: "reports", status: 200, path: one + "/reports?kind=dmarc&reporter=there.example&from=2026-01-01T00:00:00Z" +
			"&until=2026-02-01T00:00:00Z&limit=5", check: asked(service.ReportQuery{Domain: fakeID, Kind: "dmarc",
			Reporter: "there.example", From: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
			To: time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC), Page: service.Page{Limit: 5}}),
			contains: []string{`{"reports":[{"kind":"dmarc","reporter":"there.example","authenticated":true,`,
				`"rows":[{"source":"192.0.2.1","result":"pass","detail":"dkim=pass","count":2}]}],"totals":{"passed":2,`,
				`"next_cursor":"n"`}},
		{name: "reports since when", path: one + "/reports?from=yesterday", status: 400, contains: invalid("from")},
		{name: "reports of none", path: "/v1/domains/x/reports", status: 404, exact: missing, check: asked(nil)},
		{name: "MTA-STS policy", path: "/.well-known/mta-sts.txt", status: 200, exact: "version: STSv1\n",
			headers: []string{"Content-Type: text/plain; charset=utf-8"}},
		{name: "no MTA-STS policy", path: "/.well-known/mta-sts.txt", svc: unknown, status: 404, exact: missing},
		{name: "verify", method: post, path: one + "/verify", status: 200, check: asked(fakeID),
			exact: domainStart + `"message":"Not yet.","records":[` + ownershipRecord +
				`,"found":[],"verified":false},` +
				mxRecord + `,"found":["10 mx.mailkin.example"],"verified":true}]}`},
		{name: "verify with a body", method: post, path: one + "/verify", body: `{}`, status: 200},
		{name: "verify none", method: post, path: "/v1/domains/x/verify", status: 404, exact: missing,
			check: asked(nil)},
		{name: "verify without the DNS", method: post, path: one + "/verify",
			svc: fake{err: mailbox.Errorf(mailbox.Unimplemented, "dns_unavailable", "No.")}, status: 501},
		{name: "new keys", method: post, path: one + "/keys", status: 200,
			contains: append([]string{`"problem":"Broken.","dns_records":{"mx":{`}, records[1:]...), check: asked(fakeID)},
		{name: "new keys for none", method: post, path: "/v1/domains/x/keys", status: 404, exact: missing,
			check: asked(nil)},
		{name: "delete", method: remove, path: one, status: 200, exact: `{"ok":true}`, check: asked(fakeID)},
		{name: "delete none", method: remove, path: "/v1/domains/x", status: 404, exact: missing, check: asked(nil)},
		{name: "delete one of the deployment", method: remove, path: one,
			svc: fake{err: mailbox.Errorf(mailbox.Conflict, "own_domain", "No.")}, status: 409},
		{name: "nothing below", path: one + "/records", status: 404},
		{name: "nothing to verify without a domain", method: post, path: "/v1/domains//verify", status: 404},
		{name: "only verified by a POST", path: one + "/verify", status: 405,
			headers: []string{"Allow: OPTIONS, POST"}},
	})
}
