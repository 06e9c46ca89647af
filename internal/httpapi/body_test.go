package httpapi

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

func TestBodies(t *testing.T) {
	typed := func(s string) []string { return []string{"Content-Type: " + s} }
	notObject := []string{`"code":"invalid_body"`}
	const path = "/v1/mailbox"
	runAll(t, []scenario{
		{name: "object", method: "PATCH", path: path, body: ` {"webhook_url":"https://x.example"} `, status: 200},
		{name: "charset", method: "PATCH", path: path, body: `{}`, header: typed("Application/JSON; charset=utf-8"),
			status: 200},
		{name: "bad parameter of the type", method: "PATCH", path: path, body: `{}`,
			header: typed("application/json; charset"), status: 200},
		{name: "no type", method: "PATCH", path: path, body: `{}`, header: typed(""), status: 415,
			contains: []string{`"code":"unsupported_media_type"`}},
		{name: "text", method: "PATCH", path: path, body: `{}`, header: typed("text/plain"), status: 415},
		{name: "form", method: "PATCH", path: path, body: `{}`, header: typed("application/x-www-form-urlencoded"),
			status: 415},
		{name: "compressed", method: "PATCH", path: path, body: `{}`, header: []string{"Content-Encoding: gzip"},
			status: 415},
		{name: "nothing", method: "PATCH", path: path, status: 400, contains: notObject},
		{name: "nothing where nothing is needed", method: "PATCH", path: "/v1/mailbox/pause", status: 200},
		{name: "spaces where nothing is needed", method: "PATCH", path: "/v1/mailbox/pause", body: " \n", status: 200},
		{name: "wrong where nothing is needed", method: "PATCH", path: "/v1/mailbox/pause", body: "[]", status: 400,
			contains: notObject},
		{name: "text where nothing is needed", method: "PATCH", path: "/v1/mailbox/resume", body: "x",
			header: typed("text/plain"), status: 415},
		{name: "ignored where none is taken", method: "DELETE", path: path, body: "x", header: typed("text/plain"),
			status: 200},
		{name: "spaces", method: "PATCH", path: path, body: "  ", status: 400, contains: notObject},
		{name: "null", method: "PATCH", path: path, body: "null", status: 400, contains: notObject},
		{name: "list", method: "PATCH", path: path, body: "[{}]", status: 400, contains: notObject},
		{name: "string", method: "PATCH", path: path, body: `"x"`, status: 400, contains: notObject},
		{name: "broken", method: "PATCH", path: path, body: `{"webhook_url":`, status: 400, contains: notObject},
		{name: "two", method: "PATCH", path: path, body: `{}{}`, status: 400, contains: notObject},
		{name: "something after it", method: "PATCH", path: path, body: `{} x`, status: 400, contains: notObject},
		{name: "deep", method: "PATCH", path: path, body: `{"x":` + strings.Repeat("[", 400_000) + strings.Repeat("]",
			400_000) + `}`, status: 400, contains: notObject},
		{name: "as much as is taken", method: "PATCH", path: path, body: `{"x":"` + strings.Repeat("x", objectLimit-8) +
			`"}`, status: 200},
		{name: "a byte more", method: "PATCH", path: path, body: `{"x":"` + strings.Repeat("x", objectLimit-7) + `"}`,
			status:   413,
			contains: []string{`"code":"body_too_large"`}, headers: []string{"Connection: close"}},
	})
}

func TestFieldTypes(t *testing.T) {
	email := "/v1/email?id=" + fakeID.String()
	yes := true
	hook := func(s string) func(*testing.T, *fake) { return asked(service.MailboxChange{WebhookURL: &s}) }
	runAll(t, []scenario{
		{name: "unknown fields", method: "PATCH", path: "/v1/mailbox", body: `{"x":1}`, status: 200,
			contains: []string{`"note":"`}, check: asked(service.MailboxChange{})},
		{name: "names are exact", method: "PATCH", path: "/v1/mailbox", body: `{"Webhook_URL":1}`, status: 200,
			contains: []string{`"note":"`}},
		{name: "set", method: "PATCH", path: "/v1/mailbox", body: `{"webhook_url":"https://x.example/?a&b"}`,
			status:   200,
			contains: []string{`"webhook_url":"https://x.example/?a&b"`}, lacks: []string{`"note"`},
			check: hook("https://x.example/?a&b")},
		{name: "null clears", method: "PATCH", path: "/v1/mailbox", body: `{"webhook_url":null}`, status: 200,
			contains: []string{`"webhook_url":null`}, lacks: []string{`"note"`}, check: hook("")},
		{name: "empty clears", method: "PATCH", path: "/v1/mailbox", body: `{"webhook_url":""}`, status: 200,
			check: hook("")},
		{name: "number for a string", method: "PATCH", path: "/v1/mailbox", body: `{"webhook_url":7}`, status: 400,
			contains: invalid("webhook_url")},
		{name: "list for a string", method: "PATCH", path: "/v1/mailbox", body: `{"webhook_url":["x"]}`, status: 400,
			contains: invalid("webhook_url")},
		{name: "the same by the operator", method: "PATCH", path: "/v1/mailboxes/other@mailkin.example",
			key: keyOperator, body: `{"webhook_url":{}}`, status: 400, contains: invalid("webhook_url")},
		{name: "NUL in a string", method: "PATCH", path: "/v1/mailbox/pause", body: `{"reason":"a\u0000b"}`,
			status: 400, contains: invalid("reason")},
		{name: "half a character", method: "PATCH", path: "/v1/mailbox/pause", body: `{"reason":"\ud800"}`, status: 200,
			check: asked("\ufffd")},
		{name: "no reason", method: "PATCH", path: "/v1/mailbox/pause", body: `{"reason":null}`, status: 200,
			check: asked("")},
		{name: "message", method: "PATCH", path: email,
			body: `{"seen":true,"add_labels":["a","b"],"remove_labels":["c"]}`, status: 200,
			check: asked(service.MessageChange{Seen: &yes, Add: []string{"a", "b"}, Remove: []string{"c"}})},
		{name: "string for a flag", method: "PATCH", path: email, body: `{"seen":"true"}`, status: 400,
			contains: invalid("seen")},
		{name: "number for a flag", method: "PATCH", path: email, body: `{"seen":1}`, status: 400,
			contains: invalid("seen")},
		{name: "string for a list", method: "PATCH", path: email, body: `{"add_labels":"a"}`, status: 400,
			contains: invalid("add_labels")},
		{name: "numbers in a list", method: "PATCH", path: email, body: `{"remove_labels":[1]}`, status: 400,
			contains: invalid("remove_labels")},
		{name: "null in a list", method: "PATCH", path: email, body: `{"remove_labels":[null]}`, status: 400,
			contains: invalid("remove_labels")},
		{name: "NUL in a list", method: "PATCH", path: email, body: `{"add_labels":["\u0000"]}`, status: 400,
			contains: invalid("add_labels")},
		{name: "name", method: "POST", path: "/v1/mailboxes", key: keyOperator, body: `{"name":"new"}`, status: 201,
			check: asked(service.NewMailbox{Name: "new"})},
		{name: "number for a name", method: "POST", path: "/v1/mailboxes", key: keyOperator, body: `{"name":1}`,
			status: 400, contains: invalid("name")},
		{name: "flag for an address", method: "POST", path: "/v1/mailboxes", key: keyOperator, body: `{"address":true}`,
			status: 400, contains: invalid("address")},
	})
}

func TestIngest(t *testing.T) {
	raw := []string{"Content-Type: message/rfc822"}
	const path = "/v1/ingest?mailbox=" + otherAddress
	const mail = "Subject: x\r\n\r\ny\r\n"
	fails := func(kind mailbox.Kind) fake { return fake{err: &mailbox.Error{Kind: kind, Message: "No."}} }
	runAll(t, []scenario{
		{name: "stored", method: "POST", path: path, key: keyOperator, header: raw, body: mail, status: 201,
			exact: `{"id":"019cb7d1-0000-7000-8000-000000000000","mailbox":"other@mailkin.example","duplicate":false}`,
			check: func(t *testing.T, f *fake) {
				if f.read != int64(len(mail)) {
					t.Errorf("%d bytes came, want %d", f.read, len(mail))
				}
			}},
		{name: "bytes", method: "POST", path: path, key: keyOperator,
			header: []string{"Content-Type: application/octet-stream"}, body: mail, status: 201},
		{name: "duplicate", method: "POST", path: path, key: keyOperator, header: raw, body: mail,
			svc:    fake{receipt: mailbox.Receipt{Duplicate: true}},
			status: 201, contains: []string{`"duplicate":true`}},
		{name: "no mailbox", method: "POST", path: "/v1/ingest", key: keyOperator, header: raw, body: mail, status: 400,
			contains: invalid("mailbox")},
		{name: "unknown mailbox", method: "POST", path: "/v1/ingest?to=nobody@x", key: keyOperator, header: raw,
			body: mail, status: 404},
		{name: "nothing", method: "POST", path: path, key: keyOperator, header: raw, status: 400,
			contains: []string{`"code":"invalid_body"`}},
		{name: "JSON", method: "POST", path: path, key: keyOperator, body: "{}", status: 415},
		{name: "too large", method: "POST", path: path, key: keyOperator, header: raw,
			body: strings.Repeat("x", 2_000_001), status: 413,
			contains: []string{`"code":"body_too_large"`}, check: func(t *testing.T, f *fake) {
				if f.read != 0 {
					t.Errorf("%d bytes were read", f.read)
				}
			}},
		{name: "paused", method: "POST", path: path, key: keyOperator, header: raw, body: mail,
			svc: fails(mailbox.Paused), status: 503,
			contains: []string{`"code":"mailbox_paused"`}, headers: []string{"Retry-After: 300"}},
		{name: "paused, told in the receipt", method: "POST", path: path, key: keyOperator, header: raw, body: mail,
			svc: fake{receipt: mailbox.Receipt{Err: mailbox.Errorf(mailbox.Paused, "x", "y")}}, status: 503},
		{name: "full", method: "POST", path: path, key: keyOperator, header: raw, body: mail,
			svc: fails(mailbox.QuotaFull), status: 507},
		{name: "disk full", method: "POST", path: path, key: keyOperator, header: raw, body: mail,
			svc: fails(mailbox.DiskFull), status: 503, contains: []string{"disk_full"}},
		{name: "loop", method: "POST", path: path, key: keyOperator, header: raw, body: mail,
			svc: fails(mailbox.TooManyHops), status: 400},
	})
}

// endless is a body without a length, or one that ends with an error; it counts what is taken.
type endless struct {
	taken int
	after int
	err   error
}

func (e *endless) Read(p []byte) (int, error) {
	if e.err != nil && e.taken >= e.after {
		return 0, e.err
	}
	n := min(len(p), 1000)
	for i := range p[:n] {
		p[i] = ' '
	}
	e.taken += n
	return n, nil
}

func TestBodyWithoutLength(t *testing.T) {
	for _, tt := range []struct {
		name, method, path, contentType string
		body                            endless
		most                            int
		status                          int
	}{
		{"JSON too large", "PATCH", "/v1/mailbox", "application/json", endless{}, 1_002_000, 413},
		{"message too large", "POST", "/v1/ingest?mailbox=a@b", "message/rfc822", endless{}, 2_002_000, 413},
		{"JSON ends early", "PATCH", "/v1/mailbox", "application/json", endless{after: 5000, err: io.ErrUnexpectedEOF},
			6000, 400},
		{"message ends early", "POST", "/v1/ingest?mailbox=a@b", "message/rfc822",
			endless{after: 5000, err: errors.New("reset")}, 6000, 400},
		{"whole", "POST", "/v1/ingest?mailbox=a@b", "message/rfc822", endless{after: 5000, err: io.EOF}, 6000, 201},
		{"no type", "PATCH", "/v1/mailbox", "", endless{}, unreadMost + 1, 415}, // net/http would read as much
	} {
		t.Run(tt.name, func(t *testing.T) {
			api, log := newAPI(&fake{})
			r := httptest.NewRequest(tt.method, tt.path, &tt.body)
			r.ContentLength = -1
			r.Header.Set("Authorization", "Bearer "+keyOperator)
			r.Header.Set("Content-Type", tt.contentType)
			w := httptest.NewRecorder()
			api.ServeHTTP(w, r)
			if w.Code != tt.status || tt.body.taken > tt.most {
				t.Errorf("%d after %d bytes: %s", w.Code, tt.body.taken, w.Body)
			}
			if w.Code == http.StatusRequestEntityTooLarge && w.Header().Get("Connection") != "close" {
				t.Error("the connection is kept")
			}
			if strings.Contains(log.String(), "ERROR") {
				t.Errorf("the client's fault is logged as ours: %s", log)
			}
		})
	}
}
