package httpapi

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

const webhookNone = `"webhook":{"status":"none","consecutive_failures":0,"last_attempt_at":null,"last_error":""}`

func TestMailboxAnswers(t *testing.T) {
	const box = `"aliases":["alias@mailkin.example"],"display_name":"","metadata":{},"status":"active","scope":"mailbox","created_at":"2026-03-04T05:06:07.089Z","expires_at":null,"webhook_url":null,` + webhookNone
	noStore := []string{"Cache-Control: no-store"}
	runAll(t, []scenario{
		{name: "me", path: "/v1/me", key: keyProvisional, status: 200, contains: []string{
			`{"worker":"mailkin","version":"1.2.3","mailbox":"agent@mailkin.example","scope":"provisional","expires_at":null,"send":false,` +
				`"capabilities":["inbox.read","email.read","code.read","search.read","threads.read"],"limits":{"daily_sends":100,`, `"key_length":67}`}},
		{name: "mailbox", path: "/v1/mailbox", status: 200, exact: `{"mailbox":"agent@mailkin.example",` + box +
			`,"daily_send_limit":100,"sends_today":0,"undo_seconds":0,"brakes":false,"send_policy":"open",` +
			`"receive_action":"refuse","reviewers":[],"limits":{"bytes":5000000000,` +
			`"messages":1000000,"daily_sends":100,"inbound_per_hour":0,"retention_days":{"inbound":0,"outbound":0,` +
			`"labels":{}}},"usage":{"bytes":0,"messages":0,"sends_today":0}}`},
		{name: "pause", method: "PATCH", path: "/v1/mailbox/pause", body: `{"reason":"<tired>"}`, status: 200,
			exact: `{"mailbox":"agent@mailkin.example","status":"paused","paused_by":"owner","reason":"<tired>","paused_at":"2026-03-04T05:06:07.089Z"}`},
		{name: "resume", method: "PATCH", path: "/v1/mailboxes/other@mailkin.example/resume", key: keyOperator,
			status: 200,
			exact:  `{"mailbox":"other@mailkin.example","status":"active"}`},
		{name: "delete", method: "DELETE", path: "/v1/mailbox", key: keyProvisional, status: 200,
			exact: `{"ok":true,"deleted":"agent@mailkin.example","blobs_deleted":7,"r2_blobs_deleted":7}`},
		{name: "create", method: "POST", path: "/v1/mailboxes", key: keyOperator, body: `{"name":"new"}`, status: 201,
			headers: noStore,
			exact: `{"mailbox":"new@mailkin.example","api_key":"` + string(fakeSecret) +
				`","scope":"mailbox","created_at":"2026-03-04T05:06:07.089Z"}`},
		{name: "list", path: "/v1/mailboxes?status=active&query=a&limit=5", key: keyOperator, status: 200,
			contains: []string{`{"mailboxes":[{"mailbox":"ops@mailkin.example","aliases":[],`,
				`,"holds":{"total_emails":4,"unseen":2,"storage_bytes":99,"last_email_at":"2026-03-04T05:06:07.089Z"}}],"next_cursor":null}`}, lacks: []string{"sends_today"},
			check: asked(service.MailboxQuery{Status: "active", Query: "a", Page: service.Page{Limit: 5}})},
		{name: "stats", path: "/v1/stats", status: 200,
			exact: `{"mailbox":"agent@mailkin.example","total_emails":6,"inbound":3,"outbound":1,"emails_this_month":4,` +
				`"unseen":2,"storage_bytes":99,"suppression_count":5,"quarantined":6,"webhook_routes":0,"ingest":{"pending":0,"parsed":3,"failed":0},"index":{"pending":0,"vectors_pending":0}}`, check: asked(0)},
		{name: "stats by day", path: "/v1/stats?days=2", status: 200,
			contains: []string{`"index":{"pending":0,"vectors_pending":0},"daily":[{"day":"2026-03-04","received":3,"sent":1,"bytes":99,` +
				`"outcomes":{"delivered":1}},{"day":"2026-03-05",`, `}],"daily_complete":false}`}, check: asked(2)},
		{name: "stats of no days", path: "/v1/stats?days=0", status: 400, contains: []string{`"invalid_days"`}},
		{name: "stats of some days", path: "/v1/stats?days=some", status: 400, contains: []string{`"invalid_days"`}},
		{name: "activity", path: "/v1/activity?limit=7", key: keyOperator, status: 200, check: asked(7),
			exact: `{"activity":[{"event":"message.received","mailbox":"other@mailkin.example","email_id":"` +
				fakeID.String() + `","at":"2026-03-04T05:06:07.089Z"}]}`},
		{name: "test mail", method: post, path: "/v1/mailbox/test-mail", status: 200, check: asked("knock"),
			exact: `{"ok":true,"reply":"250"}`},
		{name: "overview", path: "/v1/overview?hours=5", key: keyOperator, status: 200,
			check: asked(service.OverviewQuery{Hours: 5}),
			exact: `{"each":"hour","volume":[{"at":"2026-03-04T05:06:07.089Z","received":3,"sent":1,"bytes":99,` +
				`"outcomes":{"delivered":1}}],"complete":true,"mailboxes":2,"paused":1,"sending_paused":[],` +
				`"failed_webhooks":["other@mailkin.example"],"undelivered":["other@mailkin.example"]}`},
		{name: "screening", path: "/v1/overview/screening?days=5", key: keyOperator, status: 200,
			check: asked(service.OverviewQuery{Days: 5}),
			exact: `{"each":"hour","volume":[{"at":"2026-03-04T05:06:07.089Z","clean":5,"flagged":0,"dangerous":1,` +
				`"unknown":2}],"mailboxes":[{"mailbox":"other@mailkin.example","clean":5,"flagged":0,"dangerous":1,` +
				`"unknown":2}],"complete":false,"more":true}`},
		{name: "nodes", path: "/v1/nodes", key: keyOperator, status: 200,
			exact: `{"nodes":[{"name":"a","version":"v1","started_at":"2026-03-04T05:06:07.089Z",` +
				`"seen_at":"2026-03-04T05:06:07.089Z","here":true,"status":"running"},{"name":"b","version":"v1",` +
				`"started_at":"2026-03-04T05:06:07.089Z","seen_at":"2026-03-04T05:06:07.089Z","here":false,` +
				`"status":"silent"}]}`},
		{name: "overview of no hours", path: "/v1/overview?hours=-1", key: keyOperator, status: 400,
			contains: []string{`"invalid_hours"`}},
		{name: "check", path: "/v1/email/check?id=" + fakeID.String(), status: 200, check: asked(fakeID),
			contains: []string{`"html":true,"complete":true,"elements":3,`, `"slug":"html-iframe"`,
				`"links":[{"url":"https://x.example/","in":"a","valid":true}]`}},
		{name: "rejects", path: "/v1/rejects", status: 200,
			exact: `{"rejects":[{"at":"2026-03-04T05:06:07.089Z","stage":"rcpt","from":"a@x","to":"b@y","remote":"192.0.2.1","reply":"550 5.1.1 no"}],"next_cursor":null}`},
		{name: "audit", path: "/v1/audit", key: keyOperator, status: 200,
			exact: `{"audit":[{"at":"2026-03-04T05:06:07.089Z","action":"pause","mailbox":"other@mailkin.example","note":"","who":"The operator"}],"next_cursor":null}`},
		{name: "claims", path: "/v1/claims", key: keyOperator, status: 200,
			exact: `{"claims":[{"id":"01000000-0000-0000-0000-000000000000","mailbox":"robin@mailkin.example","temporary":"other@mailkin.example","client":"192.0.2.1",` +
				`"created_at":"2026-03-04T05:06:07.089Z","expires_at":"2026-03-04T05:16:07.089Z","retired_at":null,"barred":false}]}`},
		{name: "confirm a claim", method: "POST", path: "/v1/claims/" + fakeID.String() + "/confirm", key: keyOperator,
			status: 200, check: asked(fakeID),
			exact: `{"status":"complete","mailbox":"robin@mailkin.example","already_confirmed":false}`},
		{name: "deny a claim", method: "DELETE", path: "/v1/claims/" + fakeID.String(), key: keyOperator, status: 200,
			check: asked(fakeID), exact: `{"ok":true,"deleted":"` + fakeID.String() + `"}`},
		{name: "no claim", method: "DELETE", path: "/v1/claims/x", key: keyOperator, status: 404},
		{name: "problems", path: "/v1/problems", key: keyOperator, status: 200,
			exact: `{"problems":[{"check":"keys of x","status":"fail","found":"sealed","next":"Rekey."},{"check":"domain y","status":"warn","found":"lapsed","next":"Wait."}]}`},
		{name: "reindex", method: "POST", path: "/v1/reindex", key: keyOperator, status: 202,
			exact: `{"running":true,"done":1,"total":2,"messages_done":30,"messages_total":400}`},
		{name: "secrets", path: "/v1/secrets", key: keyOperator, status: 200,
			exact: `{"secrets":[{"name":"token","source":"file","created_at":"2026-03-04T05:06:07.089Z","previous_until":null},` +
				`{"name":"root","source":"settings","created_at":null,"previous_until":"2026-03-04T05:06:07.089Z","overdue":true,"settings_behind":true}]}`},
		{name: "a secret is replaced", method: "POST", path: "/v1/secrets/token/rotate", key: keyOperator,
			body: `{"overlap_seconds":60}`, status: 201, check: asked(time.Minute),
			contains: []string{`{"name":"token","source":"file",`, `"previous_until":"2026-03-04T05:07:07.089Z"`,
				`"value":"mk_new"`, `"next":"Give the new token`}},
		{name: "a secret is not replaced at once", method: "POST", path: "/v1/secrets/token/rotate", key: keyOperator,
			body: `{"overlap_seconds":0}`, status: 400, contains: []string{`"invalid_overlap_seconds"`}},
		{name: "a secret that was replaced ends", method: "POST", path: "/v1/secrets/root/end", key: keyOperator,
			status: 200, check: asked(mailbox.SecretRoot), contains: []string{`"previous_until":null`}},
		{name: "the secret of a webhook is replaced", method: "POST", path: "/v1/webhook/secret/rotate",
			body: `{"overlap_seconds":0}`, status: 200,
			exact: `{"secret":"whsec_bmV3","previous_until":"2026-03-04T05:06:07.089Z"}`},
		{name: "reindexing", path: "/v1/reindex", key: keyOperator, status: 200,
			exact: `{"running":true,"done":1,"total":2,"messages_done":30,"messages_total":400}`},
	})
}

func TestKeyAnswers(t *testing.T) {
	const made = `,"id":"019cb7d1-0000-7000-8000-000000000000","mailbox":"`
	noStore := []string{"Cache-Control: no-store"}
	runAll(t, []scenario{
		{name: "create", method: "POST", path: "/v1/mailboxes/other@mailkin.example/keys", key: keyOperator,
			status: 201, headers: noStore,
			exact: `{"api_key":"` + string(fakeSecret) + `"` + made +
				`other@mailkin.example","scope":"mailbox","created_at":"2026-03-04T05:06:07.089Z"}`},
		{name: "create with a typing error", method: "POST", path: "/v1/mailboxes/other@mailkin.example/keys",
			key: keyOperator, body: `{"capabilites":["read"]}`, status: 400, contains: []string{"capabilities"}},
		{name: "create with nothing", method: "POST", path: "/v1/mailboxes/other@mailkin.example/keys",
			key: keyOperator, body: `{"capabilities":null}`, status: 400, contains: []string{"null"}},
		{name: "rotate", method: "POST", path: "/v1/keys/rotate", status: 201,
			contains: []string{`"api_key":"` + string(fakeSecret) + `"`}, headers: noStore},
		{name: "list", path: "/v1/mailboxes/other@mailkin.example/keys", key: keyOperator, status: 200,
			lacks: []string{string(fakeSecret), "digest"},
			exact: `{"keys":[{"id":"019cb7d1-0000-7000-8000-000000000000","prefix":"mk_0123…","scope":"mailbox","created_at":"2026-03-04T05:06:07.089Z",` +
				`"expires_at":null,"last_used_at":null}],"next_cursor":null}`},
		{name: "change", method: "PATCH", path: "/v1/keys/" + fakeID.String(), key: keyOperator, status: 200,
			body:  `{"name":"n","recipients":["a@x.org"],"networks":null,"expires_at":null}`,
			lacks: []string{string(fakeSecret), "digest"}, contains: []string{`"id":"` + fakeID.String() + `"`},
			check: asked(service.KeyChange{Name: new("n"), Recipients: &[]string{"a@x.org"}, Networks: &[]string{},
				ExpiresAt: &time.Time{}})},
		{name: "change of what stays", method: "PATCH", path: "/v1/keys/" + fakeID.String(), key: keyOperator,
			body: `{"create_mailboxes":true}`, status: 400, contains: []string{"capabilities"}},
		{name: "change to an empty list", method: "PATCH", path: "/v1/keys/" + fakeID.String(), key: keyOperator,
			body: `{"capabilities":[]}`, status: 400, contains: []string{"empty"}},
		{name: "revoke", method: "DELETE", path: "/v1/keys/" + fakeID.String(), key: keyOperator, status: 200,
			exact: `{"ok":true,"deleted":"019cb7d1-0000-7000-8000-000000000000"}`, check: asked(fakeID)},
	})
}

func TestMessageAnswers(t *testing.T) {
	list := []mailbox.Message{(&fake{}).full().Message}
	email := "/v1/email?id=" + fakeID.String()
	runAll(t, []scenario{
		{name: "empty inbox", path: "/v1/inbox", status: 200,
			exact: `{"emails":[],"search_mode":"keyword","next_cursor":"next"}`},
		{name: "inbox", path: "/v1/inbox?mode=semantic", svc: fake{inbox: list}, status: 200,
			headers:  []string{"Content-Type: application/json"},
			contains: []string{`{"emails":[{"id":"019cb7d1-0000-7000-8000-000000000000","mailbox":"agent@mailkin.example"`, `"subject":"a <b> & c"`, `"search_mode":"keyword"`}},
		{name: "inbox with a blank query", path: "/v1/inbox?query=%20&mode=semantic", status: 200,
			contains: []string{`"search_mode":"keyword"`}},
		{name: "email", path: email, status: 200, contains: []string{`"body_text":"text"`, `"downloadable":true`},
			lacks: []string{"deliveries"},
			check: asked(service.MessageOptions{})},
		{name: "email seen and whole", path: email + "&mark_seen=true&full=1", status: 200,
			check: asked(service.MessageOptions{MarkSeen: true})},
		{name: "a long email", path: email, svc: fake{long: true}, status: 200,
			contains: []string{`"body_truncated":true`}, check: asked(service.MessageOptions{})},
		{name: "a long email whole", path: email + "&mark_seen=true&full=1", svc: fake{long: true}, status: 200,
			contains: []string{`"body_truncated":false`},
			check:    asked("whole")},
		{name: "HEAD marks nothing", method: "HEAD", path: email + "&mark_seen=true", status: 200,
			check: asked(service.MessageOptions{})},
		{name: "bad flag", path: email + "&full=maybe", status: 400, contains: invalid("full")},
		{name: "provisional key", path: email, key: keyProvisional, status: 200,
			contains: []string{`"downloadable":false`}, lacks: []string{`"downloadable":true`}},
		{name: "delete", method: "DELETE", path: email, status: 200, exact: `{"deleted":true}`, check: asked(fakeID)},
		{name: "threads", path: "/v1/threads", status: 200,
			exact: `{"threads":[{"thread_id":"019cb7d1-0000-7000-8000-000000000000",` +
				`"latest_email_id":"019cb7d1-0000-7000-8000-000000000000","subject":"a <b> & c","from_address":"","from_name":"","received_at":"2026-03-04T05:06:07.089Z",` +
				`"message_count":2,"has_attachments":false,"code":null,"participants":[],"labels":[]}],"next_cursor":null}`},
		{name: "thread", path: "/v1/thread?id=" + fakeID.String(), key: keyProvisional, status: 200,
			contains: []string{`{"thread_id":"019cb7d1-0000-7000-8000-000000000000","emails":[{"id":`,
				`"body_text":"text"`, `"downloadable":false`, `"next_cursor":null}`}},
	})
}

// slowWriter is a client that takes nothing until it is let.
type slowWriter struct {
	http.ResponseWriter
	let <-chan struct{}
}

func (w slowWriter) Write(p []byte) (int, error) {
	<-w.let
	return w.ResponseWriter.Write(p)
}

// However many clients are slow to take a whole email, the next one gets it at once.
func TestWholeEmails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		text := strings.Repeat("<ä> \"quoted\"\t\n\u2028", 10_000)
		api, let := New(&fake{long: true, content: []byte(text)}, newConfig(io.Discard)), make(chan struct{})
		ask := func(let <-chan struct{}) *httptest.ResponseRecorder {
			r := httptest.NewRequest(get, "/v1/email?full=true&id="+fakeID.String(), nil)
			r.Header.Set("Authorization", "Bearer "+keyMailbox)
			w := httptest.NewRecorder()
			api.ServeHTTP(slowWriter{w, let}, r)
			return w
		}
		var slow sync.WaitGroup
		answers := make([]*httptest.ResponseRecorder, 20)
		for i := range answers {
			slow.Go(func() { answers[i] = ask(let) })
			synctest.Wait()
		}
		now := make(chan struct{})
		close(now)
		began := time.Now()
		last := ask(now)
		if time.Since(began) != 0 {
			t.Errorf("one more took %s", time.Since(began))
		}
		close(let)
		slow.Wait()
		for _, w := range append(answers, last) {
			var e struct {
				BodyText      string `json:"body_text"`
				BodyHTML      string `json:"body_html"`
				BodyTruncated bool   `json:"body_truncated"`
			}
			if err := json.Unmarshal(w.Body.Bytes(), &e); err != nil || w.Code != 200 || e.BodyText != text ||
				e.BodyHTML != "" || e.BodyTruncated {
				t.Fatalf("%d %v, %d bytes, text of %d", w.Code, err, w.Body.Len(), len(e.BodyText))
			}
		}
	})
}

func TestHealth(t *testing.T) {
	runAll(t, []scenario{
		{name: "well", path: "/health", key: "-", status: 200, exact: `{"ok":true,"status":"ok","version":"1.2.3"}`},
		{name: "ready", path: "/ready", key: "-", status: 200, exact: `{"ok":true,"status":"ok","version":"1.2.3"}`},
		{name: "unwell", path: "/health", key: "-", svc: fake{err: errors.New("disk x")}, status: 503,
			exact: `{"ok":false,"status":"unavailable","version":"1.2.3"}`},
		{name: "not ready", path: "/ready", key: "-", svc: fake{err: errors.New("disk x")}, status: 503,
			lacks: []string{"disk"}},
		{name: "only at the root", path: "/v1/health", status: 404},
	})
}

func TestMetrics(t *testing.T) {
	api, _ := newAPI(&fake{})
	for _, path := range []string{"/v1/inbox", "/api/inbox", "/v1/inbox?limit=0", "/v1/secret-" + ownAddress,
		"/v1/mailboxes/" + ownAddress} {
		api.ServeHTTP(httptest.NewRecorder(), scenario{path: path}.request())
	}
	w := httptest.NewRecorder()
	api.MetricsHandler().ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	for _, want := range []string{
		`mailkin_http_requests_total{method="GET",route="/v1/inbox",status="2xx"} 2`,
		`mailkin_http_requests_total{method="GET",route="/v1/inbox",status="4xx"} 1`,
		`mailkin_http_requests_total{method="other",route="unmatched",status="4xx"} 1`,
		`mailkin_http_requests_total{method="GET",route="/v1/mailboxes/{address}",status="4xx"} 1`,
		`mailkin_http_request_seconds_count{method="GET",route="/v1/inbox"} 3`,
		`mailkin_http_requests_in_flight 0`, "go_goroutines", "process_",
	} {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("the metrics lack %s", want)
		}
	}
	if strings.Contains(w.Body.String(), ownAddress) {
		t.Error("the metrics have an address")
	}
	runAll(t, []scenario{
		{name: "operator", path: "/metrics", key: keyOperator, status: 200,
			contains: []string{"mailkin_http_requests_in_flight 1"}},
		{name: "mailbox", path: "/metrics", status: 403, contains: []string{"scope_denied"}},
		{name: "nobody", path: "/metrics", key: "-", status: 401},
	})
}
