package httpapi

import (
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/service"
)

func TestRoutes(t *testing.T) {
	const path = "/v1/mailbox/routes"
	runAll(t, []scenario{
		{name: "list", path: path, status: 200, exact: `{"mailbox":"agent@mailkin.example","routes":[{"label":"code","webhook_url":"https://x.example/hook",` +
			`"created_at":"2026-03-04T05:06:07.089Z","status":"failed","consecutive_failures":10,"last_attempt_at":"2026-03-04T05:06:07.089Z","last_error":"The receiver answered 503."}]}`},
		{name: "set", method: put, path: path, body: `{"label":"code","webhook_url":"https://y.example/"}`, status: 200,
			exact: `{"mailbox":"agent@mailkin.example","label":"code","webhook_url":"https://y.example/"}`,
			check: asked(setRoute{"code", "https://y.example/"})},
		{name: "set one with an id", method: put, path: path, status: 200,
			body: `{"webhook_url":"https://y.example/","events":["message.sent"]}`,
			exact: `{"mailbox":"agent@mailkin.example","id":"` + fakeID.String() + `","label":"",` +
				`"webhook_url":"https://y.example/","events":["message.sent"],"form":"v1",` +
				`"secret":"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"}`},
		{name: "events of the wrong type", method: put, path: path, body: `{"webhook_url":"https://y.example/",` +
			`"events":7}`, status: 400, contains: []string{`"invalid_events"`}},
		{name: "form of nobody", method: put, path: path, body: `{"webhook_url":"https://y.example/","form":"x"}`,
			status: 400, contains: []string{`"invalid_form"`}},
		{name: "status of nobody", method: put, path: path, body: `{"webhook_url":"https://y.example/","status":"x"}`,
			status: 400, contains: []string{`"invalid_status"`}},
		{name: "headers of the wrong type", method: put, path: path, body: `{"webhook_url":"https://y.example/",` +
			`"headers":["x"]}`, status: 400, contains: []string{`"invalid_headers"`}},
		{name: "delete by id", method: remove, path: path + "?id=" + fakeID.String(), status: 200,
			check: asked(fakeID.String())},
		{name: "delete by a wrong id", method: remove, path: path + "?id=x", status: 404},
		{name: "label of the wrong type", method: put, path: path,
			body: `{"label":7,"webhook_url":"https://y.example/"}`, status: 400, contains: []string{`"invalid_label"`}},
		{name: "URL of the wrong type", method: put, path: path, body: `{"label":"code","webhook_url":[]}`, status: 400,
			contains: []string{`"invalid_webhook_url"`}},
		{name: "no body", method: put, path: path, status: 400, contains: []string{`"invalid_body"`}},
		{name: "delete", method: remove, path: path + "?label=code", status: 200, exact: `{"ok":true,"deleted":"code"}`,
			check: asked("code")},
		{name: "label that is no text", method: remove, path: path + "?label=%ff", status: 400,
			contains: []string{`"invalid_label"`}},
	})
}

func TestWebhookDeliveries(t *testing.T) {
	const path = "/v1/webhook/deliveries"
	const attempt = `"status":503,"duration_ms":12.345,"error":"The receiver answered 503.","response":"no <b>"`
	const hook = `{"id":"019cb7d1-0000-7000-8000-000000000000","webhook_id":"msg_019cb7d1000070008000000000000000","event":"message.received",` +
		`"email_id":"019cb7d1-0000-7000-8000-000000000000","url":"https://x.example/hook","status":"pending","created_at":"2026-03-04T05:06:07.089Z",` +
		`"next_attempt_at":"2026-03-04T05:06:08.089Z","attempts":[{"time":"2026-03-04T05:06:07.089Z",` + attempt + `}]}`
	runAll(t, []scenario{
		{name: "list", path: path, status: 200, exact: `{"deliveries":[` + hook + `],"next_cursor":"next"}`,
			check: asked(service.HooksQuery{Page: service.Page{Limit: 20}})},
		{name: "filters", path: path + "?status=failed&event=message.bounced&email_id=x&limit=3&cursor=c", status: 200,
			check: asked(service.HooksQuery{Status: "failed", Event: "message.bounced", EmailID: "x",
				Page: service.Page{Limit: 3, Cursor: "c"}})},
		{name: "status that is no text", path: path + "?status=%ff", status: 400,
			contains: []string{`"invalid_status"`}},
		{name: "limit", path: path + "?limit=0", status: 400, contains: []string{`"invalid_limit"`}},
		{name: "one", path: path + "/" + fakeID.String(), status: 200, check: asked(fakeID),
			exact: strings.TrimSuffix(hook, "}") +
				`,"request":{"method":"POST","headers":{"webhook-id":"msg_019cb7d1000070008000000000000000"},"body":"{\"event\":\"message.received\"}"}}`},
		{name: "none", path: path + "/x", status: 404, contains: []string{"Webhook delivery not found"}},
		{name: "replay", method: post, path: path + "/" + fakeID.String() + "/replay", status: 200,
			check: asked(fakeID),
			exact: `{"ok":false,"url":"https://x.example/hook","time":"2026-03-04T05:06:07.089Z",` + attempt +
				`,"delivery":` + hook + `}`},
		{name: "replay of none", method: post, path: path + "/x/replay", status: 404,
			contains: []string{"Webhook delivery not found"}},
	})
}

func TestWebhookVerbs(t *testing.T) {
	runAll(t, []scenario{
		{name: "test", method: post, path: "/v1/webhook/test", status: 200, check: asked(""),
			exact: `{"ok":true,"url":"https://x.example/hook","time":"2026-03-04T05:06:07.089Z","status":204,"duration_ms":1,"error":null}`},
		{name: "test of one", method: post, path: "/v1/webhook/test", body: `{"url":"https://x.example/hook"}`,
			status: 200, check: asked("https://x.example/hook")},
		{name: "replay since", method: post, path: "/v1/webhook/replay",
			body: `{"since":"2026-03-04T05:06:07.089Z","url":"u"}`, status: 200, check: asked(service.HookReplay{Since: fakeTime, URL: "u"}),
			exact: `{"queued":3,"skipped":1,"more":true}`},
		{name: "replay since no time", method: post, path: "/v1/webhook/replay", body: `{"since":"x"}`, status: 400,
			contains: []string{`"invalid_since"`}},
		{name: "reset", method: post, path: "/v1/webhook/reset", status: 200,
			exact: `{"ok":true,"reset":["https://x.example/hook"]}`, check: asked("")},
		{name: "reset of one", method: post, path: "/v1/webhook/reset", body: `{"url":"u"}`, status: 200,
			check: asked("u")},
		{name: "reset of the wrong type", method: post, path: "/v1/webhook/reset", body: `{"url":1}`, status: 400,
			contains: []string{`"invalid_url"`}},
		{name: "secret", path: "/v1/webhook/secret", status: 200, exact: `{"secret":"whsec_c2VjcmV0","previous_until":null}`,
			headers: []string{"Cache-Control: no-store"}},
	})
}
