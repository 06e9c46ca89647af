package resend_test

import (
	"fmt"
	"strings"
	"testing"
)

// Whatever a request has, its answer is one of theirs, and never that something broke here.
func TestJunk(t *testing.T) {
	k := newKit(t)
	sent := k.gives("POST", "/emails", k.mail(""))["id"].(string)
	hook := k.gives("POST", "/webhooks", everyEvent)["id"].(string)
	values := []string{`null`, `1`, `-1.5e300`, `true`, `""`, `"x"`, `"\u0000\ud800"`, `[]`, `[null]`, `[[]]`, `{}`,
		`{"a":{"b":[1]}}`, strings.Repeat("[", 5000) + strings.Repeat("]", 5000), `"` + strings.Repeat("é", 3000) + `"`,
		`[` + strings.Repeat(`"a@b.test",`, 200) + `"a@b.test"]`}
	members := []string{"from", "to", "cc", "bcc", "reply_to", "subject", "html", "text", "headers", "scheduled_at",
		"tags", "attachments", "template"}
	var bodies []string
	for _, v := range values {
		bodies = append(bodies, v, `{"emails":`+v+`,"ids":`+v+`}`, fmt.Sprintf(`{"name":%[1]s,"endpoint":%[1]s,`+
			`"events":%[1]s,"status":%[1]s,"permission":%[1]s,"domain_id":%[1]s,"email":%[1]s,"scheduled_at":%[1]s}`, v),
			`[`+k.mail(`,"tags":`+v)+`]`)
	}
	bodies = append(bodies, ``, `{`, `nonsense`, `{} {}`, "\xff\xfe", `{"from":`)
	for _, r := range k.door.Routes {
		if r.Handle == nil || r.Method == "GET" {
			continue
		}
		for _, id := range []string{sent, hook, "x", "%00", "0199e5a4-7c1e-7cc1-b8a5-1f2c3d4e5f60"} {
			path := strings.NewReplacer("{id}", id, "{event}", sent).Replace(r.Path)
			if path == "/emails/"+sent+"/cancel" || r.Method == "DELETE" && id == hook {
				continue
			}
			for _, body := range bodies {
				k.ask(k.own.Key, r.Method, path, body)
			}
			if path == r.Path {
				break
			}
		}
	}
	for _, m := range members {
		for _, v := range values {
			k.ask(k.own.Key, "POST", "/emails", k.mail(`,"`+m+`":`+v))
		}
	}
	for _, v := range values {
		for _, m := range []string{"filename", "content", "path", "content_type", "content_id"} {
			k.ask(k.own.Key, "POST", "/emails", k.mail(`,"attachments":[{"content":"aGk=","`+m+`":`+v+`}]`))
		}
		k.ask(k.own.Key, "POST", "/emails", k.mail(`,"tags":[{"name":`+v+`,"value":`+v+`}],"headers":{"X-A":`+v+`}`))
	}
}
