package httpapi

import (
	"crypto/sha256"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/wire"
)

const queued = `{"id":"019cb7d1-0000-7000-8000-000000000000","message_id":"<1@mailkin.example>","thread_id":"019cb7d1-0000-7000-8000-000000000000",` +
	`"provider_id":null,"status":"queued"}`

// sends is a request with what must reach the service of it.
func sends(name, path, body string, want posted) scenario {
	want.Draft.Body = sha256.Sum256([]byte(body))
	if want.Mailbox == "" {
		want.Mailbox = ownAddress
	}
	return scenario{name: name, method: post, path: path, body: body, status: 200, exact: queued, check: asked(want)}
}

func (s scenario) as(key string) scenario {
	s.key = key
	return s
}

func (s scenario) with(header string) scenario {
	s.header = append(s.header, header)
	return s
}

func TestSend(t *testing.T) {
	at := time.Date(2026, 3, 5, 1, 2, 3, 0, time.UTC)
	const everything = ` {"from":"Agent <agent@mailkin.example>","to":["Ann <ann@x.example>","bob@x.example"],"cc":"c@x.example","bcc":["d@x.example"],
		"subject":"hällo","text":"The text.","html":"<p>The HTML.</p>","reply_to":"r@x.example","in_reply_to":"<1@x.example>",
		"headers":{"X-One":"1","X-Two":"2"},"attachments":[{"filename":"a.txt","content":"aGVsbG8=","content_type":"text/plain","content_id":"cid"},{"content":"d29ybGQ="}],
		"send_at":"2026-03-05T02:02:03+01:00","tags":["welcome"],"dry_run":false,"email_id":"x","all":true,"force":true,"unknown":[{}]} `
	all := mailbox.Draft{From: "Agent <agent@mailkin.example>", To: []string{"Ann <ann@x.example>", "bob@x.example"},
		Cc: []string{"c@x.example"}, Bcc: []string{"d@x.example"},
		Subject: "hällo", Text: "The text.", HTML: "<p>The HTML.</p>", HasText: true, HasHTML: true,
		ReplyTo: []string{"r@x.example"}, InReplyTo: "<1@x.example>",
		Headers: []mailbox.Field{{Name: "X-One", Value: "1"}, {Name: "X-Two", Value: "2"}}, SendAt: at,
		Tags: []string{"welcome"},
		Attachments: []mailbox.Attachment{{Filename: "a.txt", ContentType: "text/plain", ContentID: "cid", Size: 5},
			{Size: 5}}}
	reply := all
	reply.EmailID, reply.All, reply.Force, reply.InReplyTo = "x", true, true, ""
	forward := all
	forward.EmailID, forward.InReplyTo = "x", ""
	contents := []string{"hello", "world"}
	runAll(t, []scenario{
		sends("everything", "/v1/send", everything, posted{Verb: "send", Draft: all, Contents: contents}),
		sends("reply", "/v1/reply", everything, posted{Verb: "reply", Draft: reply, Contents: contents}),
		sends("forward", "/v1/forward", everything, posted{Verb: "forward", Draft: forward, Contents: contents}),
		sends("by the alias", "/api/send", `{"to":"a@x"}`,
			posted{Verb: "send", Draft: mailbox.Draft{To: []string{"a@x"}}}),
		sends("nothing", "/v1/send", `{}`, posted{Verb: "send"}),
		sends("nulls", "/v1/send", `{"to":null,"text":null,"attachments":null,"send_at":null,"dry_run":null}`,
			posted{Verb: "send"}),
		sends("to is the mailbox in the address and recipients in the body", "/v1/send?to=alias@mailkin.example",
			`{"to":"a@x"}`,
			posted{Verb: "send", Draft: mailbox.Draft{To: []string{"a@x"}}}),
		sends("the operator names a mailbox", "/v1/reply?mailbox="+otherAddress, `{"email_id":"x"}`,
			posted{Verb: "reply", Mailbox: otherAddress, Draft: mailbox.Draft{EmailID: "x"}}).as(keyOperator),
		sends("the operator names none", "/v1/send", `{"from":"other@mailkin.example"}`,
			posted{Verb: "send", Mailbox: configAddress, Draft: mailbox.Draft{From: otherAddress}}).as(keyOperator),
		sends("idempotent", "/v1/send", `{}`, posted{Verb: "send", Draft: mailbox.Draft{IdempotencyKey: "k"}}).with(
			"Idempotency-Key: k"),
		sends("the longest key", "/v1/forward", `{}`,
			posted{Verb: "forward", Draft: mailbox.Draft{IdempotencyKey: strings.Repeat("k", 255)}}).with(
			"Idempotency-Key: " + strings.Repeat("k", 255)),
		sends("a file above what is held in memory", "/v1/send", `{"attachments":[{"content":"`+strings.Repeat("YWFh",
			50_000)+`"}]}`,
			posted{Verb: "send", Draft: mailbox.Draft{Attachments: []mailbox.Attachment{{Size: 150_000}}},
				Contents: []string{strings.Repeat("a", keepContent)}}),
	})
}

// What is refused before the service is asked.
func TestWrongDrafts(t *testing.T) {
	file := func(member string) string { return `{"attachments":[{"content":"",` + member + `}]}` }
	part := func(code, field string) []string {
		return []string{`"code":"` + code + `"`, `"field":"` + field + `"`}
	}
	keyed := func(v string) []string { return []string{"Idempotency-Key: " + v} }
	notObject := []string{`"code":"invalid_body"`}
	rows := []scenario{
		{name: "a number for from", body: `{"from":1}`, status: 400, contains: invalid("from")},
		{name: "an object for to", body: `{"to":{}}`, status: 400, contains: invalid("to")},
		{name: "a number in cc", body: `{"cc":[1]}`, status: 400, contains: []string{`"code":"invalid_cc"`,
			`"field":"cc`}},
		{name: "a flag for bcc", body: `{"bcc":true}`, status: 400, contains: invalid("bcc")},
		{name: "a list for a subject", body: `{"subject":["x"]}`, status: 400, contains: invalid("subject")},
		{name: "a number for text", body: `{"text":1}`, status: 400, contains: invalid("text")},
		{name: "an object for HTML", body: `{"html":{}}`, status: 400, contains: invalid("html")},
		{name: "a number for reply_to", body: `{"reply_to":1}`, status: 400, contains: invalid("reply_to")},
		{name: "a list for in_reply_to", body: `{"in_reply_to":[]}`, status: 400, contains: invalid("in_reply_to")},
		{name: "a list for headers", body: `{"headers":[]}`, status: 400, contains: invalid("headers")},
		{name: "a number for a header", body: `{"headers":{"X-A":1}}`, status: 400, contains: invalid("headers")},
		{name: "an object for attachments", body: `{"attachments":{}}`, status: 400, contains: invalid("attachments")},
		{name: "a string for an attachment", body: `{"attachments":["x"]}`, status: 400,
			contains: part("invalid_attachments", "attachments[0]")},
		{name: "no content", body: `{"attachments":[{"filename":"x"}]}`, status: 400,
			contains: part("invalid_attachments", "attachments[0].content")},
		{name: "content that is not base64", body: file(`"content":"*"`), status: 400,
			contains: part("invalid_attachments", "attachments[0].content")},
		{name: "a number for a filename", body: file(`"filename":1`), status: 400, contains: part("invalid_attachments",
			"attachments[0].filename")},
		{name: "a number for send_at", body: `{"send_at":1}`, status: 400, contains: invalid("send_at")},
		{name: "a time that is none", body: `{"send_at":"tomorrow"}`, status: 400, contains: invalid("send_at")},
		{name: "a number for tags", body: `{"tags":1}`, status: 400, contains: invalid("tags")},
		{name: "a string for dry_run", body: `{"dry_run":"true"}`, status: 400, contains: invalid("dry_run")},
		{name: "NUL", body: `{"subject":"a\u0000"}`, status: 400, contains: invalid("subject")},
		{name: "a number for email_id", path: "/v1/reply", body: `{"email_id":1}`, status: 400,
			contains: invalid("email_id")},
		{name: "a string for all", path: "/v1/reply", body: `{"all":"true"}`, status: 400, contains: invalid("all")},
		{name: "a number for email_id in a forward", path: "/v1/forward", body: `{"email_id":1}`, status: 400,
			contains: invalid("email_id")},
		{name: "no body", status: 400, contains: notObject},
		{name: "no object", body: `[]`, status: 400, contains: notObject},
		{name: "half an object", body: `{"to":"a@x"`, status: 400, contains: notObject},
		{name: "two objects", body: `{}{}`, status: 400, contains: notObject},
		{name: "no type", body: `{}`, header: []string{"Content-Type: "}, status: 415,
			contains: []string{`"code":"unsupported_media_type"`}},
		{name: "another type", body: `{}`, header: []string{"Content-Type: multipart/form-data; boundary=x"},
			status: 415},
		{name: "compressed", body: `{}`, header: []string{"Content-Encoding: gzip"}, status: 415},
		{name: "empty Idempotency-Key", body: `{}`, header: keyed(""), status: 400,
			contains: invalid("idempotency_key")},
		{name: "two Idempotency-Keys", body: `{}`, header: keyed("a\nb"), status: 400,
			contains: invalid("idempotency_key")},
		{name: "an Idempotency-Key that is too long", body: `{}`, header: keyed(strings.Repeat("k", 256)), status: 400,
			contains: invalid("idempotency_key")},
		{name: "another mailbox", path: "/v1/send?mailbox=" + otherAddress, body: `rubbish`, status: 403,
			exact: wire.Forbidden},
		{name: "two mailboxes", path: "/v1/send?mailbox=agent@mailkin.example&to=x", body: `{}`, status: 400,
			contains: invalid("to")},
		{name: "a temporary mailbox", key: keyProvisional, body: `rubbish`, status: 403,
			contains: []string{`"code":"provisional_capability_denied"`}},
		{name: "a paused mailbox", key: keyPaused, body: `{}`, status: 403, exact: wire.MailboxPaused},
		{name: "no key", key: "-", body: `{}`, status: 401, exact: wire.Unauthorized},
	}
	for i := range rows {
		s := &rows[i]
		s.method = post
		if s.path == "" {
			s.path = "/v1/send"
		}
		s.check = asked(nil)
	}
	runAll(t, rows)
}

// small are limits that a test can go beyond.
func small(c *Config, _ *http.Request) {
	c.Limits.TextBytes, c.Limits.HTMLBytes, c.Limits.AttachmentBytes, c.Limits.MessageBytes, c.Limits.WireBytes = 100,
		200, 300, 400, 10_000
}

func TestDraftsThatAreTooLarge(t *testing.T) {
	x, file := strings.Repeat, func(n int) string { return `{"content":"` + strings.Repeat("YWFh", n/3) + `"}` }
	too := func(code, field string) []string {
		return []string{`"code":"` + code + `"`, `"field":"` + field + `"`}
	}
	rows := []scenario{
		{name: "as much as is taken", body: `{"text":"` + x("x", 100) + `","attachments":[` + file(300) + `]}`,
			status: 200},
		{name: "text", body: `{"text":"` + x("x", 101) + `"}`, status: 413, contains: too("text_too_large", "text")},
		{name: "HTML", body: `{"html":"` + x("x", 201) + `"}`, status: 413, contains: too("html_too_large", "html")},
		{name: "attachment", body: `{"attachments":[{"content":""},` + file(303) + `]}`, status: 413,
			contains: too("attachment_too_large", "attachments[1].content")},
		{name: "all together", body: `{"attachments":[` + file(300) + `,` + file(102) + `]}`, status: 413,
			contains: []string{`"code":"message_too_large"`}},
		{name: "body", body: `{"x":"` + x("x", 10_000) + `"}`, status: 413,
			contains: []string{`"code":"body_too_large"`}, headers: []string{"Connection: close"}},
		{name: "body without a length", body: `{"x":"` + x("x", 10_000) + `"}`, status: 413,
			contains: []string{`"code":"body_too_large"`},
			setup:    func(_ *Config, r *http.Request) { r.ContentLength = -1 }},
	}
	for i := range rows {
		s := &rows[i]
		s.method, s.path = post, "/v1/send"
		more := s.setup
		s.setup = func(c *Config, r *http.Request) {
			small(c, r)
			if more != nil {
				more(c, r)
			}
		}
		if s.status != 200 {
			s.check = asked(nil)
		}
	}
	runAll(t, rows)
}

// What the service says against a draft.
func TestSendIsRefused(t *testing.T) {
	resets := time.Date(2026, 3, 5, 0, 0, 0, 0, time.UTC)
	limited := &mailbox.Error{Kind: mailbox.Limited, Code: "daily_send_limit", Message: "Daily send limit reached " +
		"(100/100)", RetryAfter: 90 * time.Second,
		Quota: &mailbox.Quota{Limit: 100, Used: 100, ResetsAt: resets}}
	unused := &mailbox.Error{Kind: mailbox.Limited, Code: "global_send_limit", Message: "No.",
		Quota: &mailbox.Quota{Limit: 1}}
	suppressed := &mailbox.Error{Kind: mailbox.Invalid, Code: "recipient_suppressed", Field: "to",
		Message: "gone@x.example is on the list."}
	for _, path := range []string{"/v1/send", "/v1/reply", "/v1/forward"} {
		rows := []scenario{
			{name: "daily limit", svc: fake{err: limited}, status: 429, headers: []string{"Retry-After: 90"},
				exact: `{"error":"Daily send limit reached (100/100)","code":"daily_send_limit","limit":100,"used":100,"resets_at":"2026-03-05T00:00:00.000Z"}`},
			{name: "a limit of which nothing is used", svc: fake{err: unused}, status: 429,
				headers: []string{"Retry-After: 60"},
				exact:   `{"error":"No.","code":"global_send_limit","limit":1,"used":0}`},
			{name: "loop", svc: fake{err: mailbox.Errorf(mailbox.Limited, "loop_detected", "No.")}, status: 429,
				exact: `{"error":"No.","code":"loop_detected"}`},
			{name: "suppressed", svc: fake{err: suppressed}, status: 400,
				exact: `{"error":"gone@x.example is on the list.","code":"recipient_suppressed","field":"to"}`},
			{name: "mismatch", svc: fake{err: mailbox.Errorf(mailbox.Conflict, "idempotency_mismatch", "No.")},
				status: 409, exact: `{"error":"No.","code":"idempotency_mismatch"}`},
			{name: "no way out", svc: fake{err: mailbox.Errorf(mailbox.Unimplemented, "sending_unavailable", "No.")},
				status: 501, exact: `{"error":"No.","code":"sending_unavailable"}`},
			{name: "foreign sender", svc: fake{err: mailbox.Errorf(mailbox.Forbidden, "forbidden", "No.")}, status: 403,
				exact: wire.Forbidden},
			{name: "message", svc: fake{err: mailbox.Errorf(mailbox.TooLarge, "message_too_large", "No.")}, status: 413,
				exact: `{"error":"No.","code":"message_too_large"}`},
			{name: "disk", svc: fake{err: &mailbox.Error{Kind: mailbox.DiskFull, Message: "Full."}}, status: 503,
				headers: []string{"Retry-After: 60"}},
			{name: "no such message", svc: fake{err: mailbox.Errorf(mailbox.NotFound, "not_found", "Email not found")},
				status: 404},
		}
		for i := range rows {
			rows[i].method, rows[i].path, rows[i].body = post, path, `{}`
		}
		t.Run(path, func(t *testing.T) { runAll(t, rows) })
	}
}

func TestDryRun(t *testing.T) {
	full := &service.Preview{From: ownAddress, Subject: "a <b>",
		To: []mailbox.Address{{Name: "Ann", Address: "ann@x.example"}}, Cc: []mailbox.Address{{Address: "c@x.example"}},
		Bcc: []mailbox.Address{{Address: "d@mailkin.example"}}, Size: 1234, SendAt: fakeTime, Routes: []service.Route{
			{Recipient: "ann@x.example", Way: service.WayDirect}, {Recipient: "d@mailkin.example", Way: "inside"}}}
	runAll(t, []scenario{
		{name: "full", method: post, path: "/v1/send", body: `{"dry_run":true}`, svc: fake{preview: full}, status: 200,
			exact: `{"dry_run":true,"from":"agent@mailkin.example","to":[{"address":"ann@x.example","name":"Ann"}],"cc":[{"address":"c@x.example","name":""}],` +
				`"bcc":[{"address":"d@mailkin.example","name":""}],"subject":"a <b>","size_bytes":1234,"send_at":"2026-03-04T05:06:07.089Z",` +
				`"deliveries":[{"recipient":"ann@x.example","route":"direct"},{"recipient":"d@mailkin.example","route":"inside"}]}`},
		{name: "empty", method: post, path: "/v1/reply", body: `{"dry_run":true}`,
			svc: fake{preview: &service.Preview{}}, status: 200,
			exact: `{"dry_run":true,"from":"","to":[],"cc":[],"bcc":[],"subject":"","size_bytes":0,"send_at":null,"deliveries":[]}`},
		{name: "of what would be refused", method: post, path: "/v1/forward", body: `{"dry_run":true}`,
			svc: fake{preview: full, err: mailbox.Errorf(mailbox.Invalid, "x", "No.")}, status: 400},
	})
}

func TestCancel(t *testing.T) {
	path := "/v1/email/cancel?id=" + fakeID.String()
	runAll(t, []scenario{
		{name: "all", method: post, path: path, status: 200, check: asked(""),
			exact: `{"id":"` + fakeID.String() + `","status":"canceled","canceled":["ann@x.example"],"sent":[]}`},
		{name: "one, with a plus that is not escaped", method: post, path: path + "&recipient=a+b@x.example",
			status: 200, check: asked("a+b@x.example")},
		{name: "no id", method: post, path: "/v1/email/cancel", status: 400},
		{name: "gone", method: post, path: path,
			svc: fake{err: mailbox.Errorf(mailbox.Conflict, "already_sent", "Gone.")}, status: 409,
			exact: `{"error":"Gone.","code":"already_sent"}`},
		{name: "move to no time", method: patch, path: "/v1/email?id=" + fakeID.String(), body: `{"send_at":"soon"}`,
			status: 400, contains: invalid("send_at")},
		{name: "undo that is no number", method: patch, path: "/v1/mailbox", body: `{"undo_seconds":"5"}`,
			status: 400, contains: invalid("undo_seconds")},
	})
}

func TestSuppressions(t *testing.T) {
	const path = "/v1/suppressions"
	runAll(t, []scenario{
		{name: "list", path: path, status: 200, check: asked(service.SuppressionsQuery{Page: service.Page{Limit: 20}}),
			exact: `{"suppressions":[{"address":"gone@x.example","reason":"bounce","detail":"no <such> user","email_id":"019cb7d1-0000-7000-8000-000000000000",` +
				`"created_at":"2026-03-04T05:06:07.089Z"}],"next_cursor":"next"}`},
		{name: "page", path: path + "?limit=5&offset=7", status: 200,
			check: asked(service.SuppressionsQuery{Page: service.Page{Limit: 5, Offset: 7}})},
		{name: "words", path: path + "?query=kim", status: 200,
			check: asked(service.SuppressionsQuery{Words: "kim", Page: service.Page{Limit: 20}})},
		{name: "cursor", path: path + "?cursor=x", status: 200,
			check: asked(service.SuppressionsQuery{Page: service.Page{Limit: 20, Cursor: "x"}})},
		{name: "no page", path: path + "?limit=0", status: 400, contains: invalid("limit")},
		{name: "add", method: post, path: path, body: `{"addresses":["a@x.example","b@x.example"],"reason":"asked us"}`,
			status: 200, exact: `{"ok":true,"added":2,"present":1}`, check: asked(service.NewSuppressions{
				Addresses: []string{"a@x.example", "b@x.example"}, Reason: "asked us"})},
		{name: "add what is no list", method: post, path: path, body: `{"addresses":7}`, status: 400,
			contains: invalid("addresses"), check: asked(nil)},
		{name: "delete", method: remove, path: path + "?address=gone@x.example", status: 200,
			exact: `{"ok":true,"deleted":"gone@x.example"}`, check: asked("gone@x.example")},
		{name: "delete with a plus", method: remove, path: path + "?address=%20a%2Bb@x.example", status: 200,
			check: asked("a+b@x.example")},
		{name: "delete with a plus that is not escaped", method: remove, path: path + "?address=a+b@x.example",
			status: 200,
			exact:  `{"ok":true,"deleted":"a+b@x.example"}`, check: asked("a+b@x.example")},
		{name: "delete what is not there", method: remove, path: path + "?address=x",
			svc: fake{err: mailbox.Errorf(mailbox.NotFound, "not_found", "Not on the list")}, status: 404,
			exact: `{"error":"Not on the list","code":"not_found"}`},
		{name: "delete what is not text", method: remove, path: path + "?address=%ff", status: 400,
			contains: invalid("address"), check: asked(nil)},
	})
}
