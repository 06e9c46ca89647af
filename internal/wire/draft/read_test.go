package draft

import (
	"crypto/sha256"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mailkin/mailkin/internal/mailbox"
)

func TestFields(t *testing.T) {
	noon := time.Date(2026, 1, 31, 12, 0, 0, 0, time.UTC)
	for _, row := range []struct {
		name string
		kind Kind
		body string
		want mailbox.Draft
	}{
		{"empty", Send, ` { } `, mailbox.Draft{}},
		{"all of a send", Send, `{"from":"Me <me@x>","to":"a@x","cc":["b@x","C <c@x>"],"bcc":["d@x"],"subject":"S","text":"T","html":"<p>",
			"reply_to":"r@x","in_reply_to":"<1@x>","headers":{"X-A":"1","X-B":"2"},"send_at":"2026-01-31T13:00:00+01:00","tags":["a","b=c"],"dry_run":true}`,
			mailbox.Draft{From: "Me <me@x>", To: []string{"a@x"}, Cc: []string{"b@x", "C <c@x>"}, Bcc: []string{"d@x"},
				Subject: "S",
				Text:    "T", HasText: true, HTML: "<p>", HasHTML: true, ReplyTo: []string{"r@x"}, InReplyTo: "<1@x>",
				Headers: []mailbox.Field{{Name: "X-A", Value: "1"}, {Name: "X-B", Value: "2"}}, SendAt: noon,
				Tags: []string{"a", "b=c"}, DryRun: true}},
		{"fields of a reply in a send", Send, `{"email_id":1,"all":2,"force":{}}`, mailbox.Draft{}},
		{"reply", Reply, `{"email_id":"1","all":true,"force":true,"text":"","in_reply_to":7}`,
			mailbox.Draft{EmailID: "1", All: true, Force: true, HasText: true}},
		{"forward", Forward, `{"email_id":"1","to":["a@x"],"all":1,"force":1,"in_reply_to":7}`,
			mailbox.Draft{EmailID: "1", To: []string{"a@x"}}},
		{"null is not given", Send, `{"from":null,"to":null,"cc":null,"bcc":null,"subject":null,"text":null,"html":null,"reply_to":null,
			"in_reply_to":null,"headers":null,"attachments":null,"send_at":null,"tags":null,"dry_run":null}`, mailbox.Draft{}},
		{"null is not given in a reply", Reply, `{"email_id":null,"all":null,"force":null}`, mailbox.Draft{}},
		{"the last counts", Send, `{"to":["a","b"],"text":"1","html":"2","headers":{"a":"b"},"tags":["x"],"dry_run":true,
			"to":"c","text":"3","html":null,"headers":{"c":"d","c":"e","f":"g","f":null},"tags":{"y":"z"},"dry_run":false}`,
			mailbox.Draft{To: []string{"c"}, Text: "3", HasText: true,
				Headers: []mailbox.Field{{Name: "c", Value: "e"}}, Tags: []string{"y=z"}}},
		{"alias", Send, `{"replyTo":["a","b"]}`, mailbox.Draft{ReplyTo: []string{"a", "b"}}},
		{"names are exact", Send, `{"To":1,"TEXT":2,"replyto":3}`, mailbox.Draft{}},
		{"escaped name", Send, `{"t\u006f":"a"}`, mailbox.Draft{To: []string{"a"}}},
		{"a comma is for the service", Send, `{"to":"a@x, b@x"}`, mailbox.Draft{To: []string{"a@x, b@x"}}},
		{"empty lists", Send, `{"to":[],"headers":{},"tags":[ ],"attachments":[]}`, mailbox.Draft{}},
		{"tags with values", Send, `{"tags":[{"name":"a","value":"b"},{"value":null,"x":[],"name":"c"},"d"]}`,
			mailbox.Draft{Tags: []string{"a=b", "c", "d"}}},
		{"tags by name", Send, `{"tags":{"a":"b","c":"","d":null}}`, mailbox.Draft{Tags: []string{"a=b", "c"}}},
		{"unknown", Send, `{"x":[1,-0.5e+3,true,false,null,"\"\ud800\u00e9",{"a":{"":[]}}],"` + strings.Repeat("long",
			100) + `":{},"subject":"S"}`, mailbox.Draft{Subject: "S"}},
		{"as deep as is taken", Send, `{"x":` + nest(skipDepth) + `}`, mailbox.Draft{}},
		{"escapes", Send, `{"subject":"\"\\\/\b\f\n\r\tA\u00e9\u20ac\ud83d\ude00é€😀\u007f"}`,
			mailbox.Draft{Subject: "\"\\/\b\f\n\r\tAé€😀é€😀\x7f"}},
		{"half characters", Send, `{"subject":"\ud800x\udc00\ud800\n\ud800\ud83d\ude00\ud800"}`,
			mailbox.Draft{Subject: "\ufffdx\ufffd\ufffd\n\ufffd😀\ufffd"}},
		{"not UTF-8", Send, "{\"subject\":\"a\xff\xe2\x82\\u0041\xc0\x80\"}",
			mailbox.Draft{Subject: "a\ufffd\ufffd\ufffdA\ufffd\ufffd"}},
		{"time with a fraction", Send, `{"send_at":"2026-01-31t12:00:00.000z"}`, mailbox.Draft{SendAt: noon}},
		{"leap second", Send, `{"send_at":"2026-01-31T11:59:60Z"}`, mailbox.Draft{SendAt: noon}},
	} {
		t.Run(row.name, func(t *testing.T) {
			row.want.Body = sha256.Sum256([]byte(row.body))
			if diff := cmp.Diff(result{Draft: row.want}, readString(t, row.body, row.kind)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func nest(depth int) string { return strings.Repeat("[", depth) + strings.Repeat("]", depth) }

func TestWrongFields(t *testing.T) {
	const list = "a string or a list of strings"
	for _, row := range []struct{ name, body, field, want string }{
		{"from", `{"from":["a"]}`, "from", "a string"},
		{"to number", `{"to":7}`, "to", list},
		{"to object", `{"to":{}}`, "to", list},
		{"to numbers", `{"to":["a",7]}`, "to", list},
		{"to nulls", `{"to":[null]}`, "to", list},
		{"cc", `{"cc":true}`, "cc", list},
		{"bcc", `{"bcc":[[]]}`, "bcc", list},
		{"reply_to", `{"reply_to":-1}`, "reply_to", list},
		{"replyTo", `{"replyTo":false}`, "reply_to", list},
		{"subject", `{"subject":1}`, "subject", "a string"},
		{"text", `{"text":{}}`, "text", "a string"},
		{"html", `{"html":[]}`, "html", "a string"},
		{"in_reply_to", `{"in_reply_to":1}`, "in_reply_to", "a string"},
		{"headers", `{"headers":["a"]}`, "headers", "an object of strings"},
		{"header", `{"headers":{"a":1}}`, "headers", "an object of strings"},
		{"send_at", `{"send_at":1769860800}`, "send_at", "a string"},
		{"tags", `{"tags":"a"}`, "tags", "a list of strings or of objects with name and value, or an object of strings"},
		{"tags by name", `{"tags":{"a":1}}`, "tags", "a list of strings or of objects with name and value, or an " +
			"object of strings"},
		{"tag", `{"tags":["a",1]}`, "tags[1]", "a string, or an object with name and value"},
		{"tag's value", `{"tags":[{"name":"a","value":1}]}`, "tags[0].value", "a string"},
		{"dry_run", `{"dry_run":"true"}`, "dry_run", "true or false"},
		{"attachments", `{"attachments":{}}`, "attachments", "a list of objects"},
		{"attachment", `{"attachments":["a"]}`, "attachments[0]", "an object"},
		{"no attachment", `{"attachments":[null]}`, "attachments[0]", "an object"},
		{"filename", `{"attachments":[{"content":"","filename":1}]}`, "attachments[0].filename", "a string"},
		{"content_type", `{"attachments":[{"content":""},{"content_type":1}]}`, "attachments[1].content_type",
			"a string"},
		{"content_id", `{"attachments":[{"content_id":true}]}`, "attachments[0].content_id", "a string"},
		{"content", `{"attachments":[{"content":[1,2]}]}`, "attachments[0].content", "a string of base64"},
		{"refused at once", `{"text":1,"text":"a"}`, "text", "a string"},
	} {
		t.Run(row.name, func(t *testing.T) {
			top, _, _ := strings.Cut(row.field, "[")
			want := result{Err: &mailbox.Error{Kind: mailbox.Invalid, Code: "invalid_" + top, Field: row.field,
				Message: `The field "` + row.field + `" must be ` + row.want + "."}}
			if diff := cmp.Diff(want, readString(t, row.body, Send)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWrongValues(t *testing.T) {
	for _, row := range []struct{ name, body, field string }{
		{"NUL", `{"subject":"a\u0000b"}`, "subject"},
		{"NUL in a text", `{"text":"\u0000"}`, "text"},
		{"NUL in a list", `{"to":["a","\u0000"]}`, "to"},
		{"NUL in a header's name", `{"headers":{"\u0000":"a"}}`, "headers"},
		{"NUL in a header", `{"headers":{"a":"\u0000"}}`, "headers"},
		{"NUL in a tag", `{"tags":["\u0000"]}`, "tags"},
		{"NUL in a filename", `{"attachments":[{"filename":"\u0000"}]}`, "attachments[0].filename"},
		{"no time", `{"send_at":"tomorrow"}`, "send_at"},
		{"empty time", `{"send_at":""}`, "send_at"},
		{"time without zone", `{"send_at":"2026-01-31T12:00:00"}`, "send_at"},
		{"time with a comma", `{"send_at":"2026-01-31T12:00:00,5Z"}`, "send_at"},
		{"time with a short hour", `{"send_at":"2026-01-31T1:00:00.0Z"}`, "send_at"},
		{"time that is not", `{"send_at":"2026-02-30T12:00:00Z"}`, "send_at"},
		{"tag without name", `{"tags":[{"value":"a"}]}`, "tags[0].name"},
		{"attachment without content", `{"attachments":[{"filename":"a"}]}`, "attachments[0].content"},
		{"attachment with null", `{"attachments":[{"content":"YQ=="},{"content":"YQ==","content":null}]}`,
			"attachments[1].content"},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := readString(t, row.body, Send).Err
			top, _, _ := strings.Cut(row.field, "[")
			if got == nil || got.Kind != mailbox.Invalid || got.Field != row.field || got.Code != "invalid_"+top ||
				!strings.Contains(got.Message, `"`+row.field+`"`) {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestNotAnObject(t *testing.T) {
	for _, body := range []string{
		``, ` `, `null`, `[]`, `[{}]`, `"x"`, `7`, `x`, `{`, `{"`, `{"a`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`,
		`{"a":1,}`, `{,}`, `{a:1}`, `{"a" 1}`,
		`{"a":1 "b":2}`, `{"a":1]`, `{1:2}`, `{null:2}`, `{}{}`, `{} x`, `{},`, "\ufeff{}", `{"a":01}`, `{"a":-}`,
		`{"a":1.}`, `{"a":.5}`, `{"a":1e}`, `{"a":1e+}`,
		`{"a":+1}`, `{"a":tru}`, `{"a":nul}`, `{"a":falsee}`, `{"a":NaN}`, `{"a":'b'}`, `{"a":"\x"}`, `{"a":"\u12g4"}`,
		`{"a":"\u123"}`, "{\"a\":\"\n\"}",
		"{\"a\":\"\x00\"}", "{\"a\n\":1}", `{"a":[1,]}`, `{"a":[,1]}`, `{"a":[1 2]}`, `{"a":[}`, `{"a":{]}`, `{"to":x}`,
		`{"to":["a",]}`, `{"to":["a"`, `{"to":"a`,
		`{"to":nul}`, `{"text":"\ud800\`, `{"text":"\ud800`, `{"text":"\ud800\q"}`, "{\"text\":\"\t\"}",
		`{"dry_run":truf}`, `{"dry_run":falze}`, `{"headers":{"a":"b",}}`,
		`{"tags":["a"}`, `{"attachments":[{"content":"YQ==`, `{"attachments":[{"content":"YQ\`,
		`{"attachments":[{"content":"YQ\q"}]}`, "{\"attachments\":[{\"content\":\"YQ\n==\"}]}",
		`{"x":` + nest(skipDepth+1) + `}`, `{"attachments":[{"x":` + nest(skipDepth+1),
		`{"x":` + strings.Repeat(`{"a":`, 1_000_000),
	} {
		if got := readString(t, body, Send).Err; got == nil || got.Kind != mailbox.Invalid ||
			got.Code != "invalid_body" || got.Field != "" {
			t.Errorf("%.40q: %+v", body, got)
		}
	}
}

// The reader that supplies the body gets its own error back, wherever it occurred.
func TestReaderFails(t *testing.T) {
	cause := errors.New("cut")
	body := `{"x":[1],"text":"a\u00e9","attachments":[{"content":"YWFh"}]} `
	for n := range len(body) + 1 {
		failing := io.MultiReader(strings.NewReader(body[:n]), iotest.ErrReader(cause))
		sp := NewSpool(t.TempDir(), nil)
		_, err := Read(failing, Send, mailbox.DefaultLimits(), sp)
		if !errors.Is(err, cause) || mailbox.KindOf(err) != mailbox.Internal {
			t.Errorf("after %d bytes: %v", n, err)
		}
	}
}

func TestReaderStandsStill(t *testing.T) {
	sp := NewSpool(t.TempDir(), nil)
	if _, err := Read(idle{}, Send, mailbox.DefaultLimits(), sp); !errors.Is(err, io.ErrNoProgress) {
		t.Error(err)
	}
}

type idle struct{}

func (idle) Read([]byte) (int, error) { return 0, nil }
