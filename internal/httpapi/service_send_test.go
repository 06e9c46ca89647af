package httpapi

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
)

// mailboxNamed makes a mailbox and returns its key.
func (c client) mailboxNamed(name string) string {
	c.Helper()
	return fmt.Sprint(c.json(scenario{method: post, path: "/v1/mailboxes", key: keyOperator,
		body: `{"name":"` + name + `"}`, status: 201})["api_key"])
}

// latest returns the newest message of a mailbox that came in, whole.
func (c client) latest(key string) map[string]any {
	c.Helper()
	list := c.json(scenario{path: "/v1/inbox?direction=inbound&limit=1", key: key, status: 200})["emails"].([]any)
	if len(list) != 1 {
		c.Fatal("the inbox is empty")
	}
	return c.json(scenario{path: "/v1/email?id=" + fmt.Sprint(list[0].(map[string]any)["id"]), key: key, status: 200})
}

// Between two mailboxes of the real service: a message with a file, the same request again, an answer, and sent on.
func TestRealSending(t *testing.T) {
	c := client{t, openReal(t)}
	ann, bob := c.mailboxNamed("ann"), c.mailboxNamed("bob")
	file := strings.Repeat("0123456789", 10_000)
	first := scenario{method: post, path: "/v1/send", key: ann, header: []string{"Idempotency-Key: 1"}, status: 200,
		body: `{"to":"Bob <bob@mailkin.example>","subject":"files","text":"See there.","attachments":[{"filename":"a.txt","content_type":"text/plain","content":"` +
			base64.StdEncoding.EncodeToString([]byte(file)) + `"}]}`}
	sent := c.json(first)
	if again := c.json(first); again["id"] != sent["id"] || again["message_id"] != sent["message_id"] ||
		sent["status"] != "queued" {
		t.Errorf("first %v, again %v", sent, again)
	}
	other := first
	other.body, other.status = `{"to":"bob@mailkin.example","subject":"files","text":"x"}`, 409
	c.ask(other)

	got := c.latest(bob)
	if got["subject"] != "files" || got["from_address"] != "ann@mailkin.example" ||
		got["message_id"] != sent["message_id"] {
		t.Errorf("bob got %v", got)
	}
	attached := got["attachments"].([]any)[0].(map[string]any)
	if text := c.text(scenario{path: "/v1/attachment?id=" + fmt.Sprint(attached["id"]), key: bob,
		status: 200}); text != file {
		t.Errorf("the file has %d bytes", len(text))
	}
	deliveries := c.json(scenario{path: "/v1/email?id=" + fmt.Sprint(sent["id"]), key: ann,
		status: 200})["deliveries"].([]any)
	if len(deliveries) != 1 || deliveries[0].(map[string]any)["status"] != "delivered" {
		t.Errorf("deliveries %v", deliveries)
	}

	c.ask(scenario{method: post, path: "/v1/reply", key: bob, body: fmt.Sprintf(`{"email_id":"%v","text":"Thank you."}`,
		got["id"]), status: 200})
	if answer := c.latest(ann); answer["subject"] != "Re: files" || answer["thread_id"] != sent["thread_id"] {
		t.Errorf("ann got %v", answer)
	}
	c.ask(scenario{method: post, path: "/v1/forward", key: bob,
		body: fmt.Sprintf(`{"email_id":"%v","to":"ann@mailkin.example"}`, got["id"]), status: 200})
	if on := c.latest(ann); on["subject"] != "Fwd: files" || len(on["attachments"].([]any)) != 1 {
		t.Errorf("ann got %v", on)
	}
}

// What the real service says where nothing is sent.
func TestRealRefusals(t *testing.T) {
	c := client{t, openReal(t)}
	key := c.mailboxNamed("ann")
	preview := c.json(scenario{method: post, path: "/v1/send", key: key,
		body: `{"to":["x@far.example","ann@mailkin.example"],"subject":"s","text":"t","dry_run":true}`, status: 200})
	if routes := fmt.Sprint(preview["deliveries"]); preview["dry_run"] != true ||
		routes != "[map[recipient:x@far.example route:capture] map[recipient:ann@mailkin.example route:inside]]" {
		t.Errorf("preview %v", preview)
	}
	for _, row := range []struct {
		name, path, body, want string
		status                 int
	}{
		{"no recipient", "/v1/send", `{"subject":"s","text":"t"}`, `"field":"to"`, 400},
		{"no address", "/v1/send", `{"to":"nobody","subject":"s","text":"t"}`, `nobody`, 400},
		{"no subject", "/v1/send", `{"to":"a@x.example","text":"t"}`, `"field":"subject"`, 400},
		{"a long subject", "/v1/send", `{"to":"a@x.example","text":"t","subject":"` + strings.Repeat("s", 999) + `"}`,
			`"field":"subject"`, 400},
		{"no text", "/v1/send", `{"to":"a@x.example","subject":"s"}`, `"field":"text"`, 400},
		{"a header that is ours", "/v1/send", `{"to":"a@x.example","subject":"s","text":"t","headers":{"Received":"x"}}`, `"field":"headers"`, 400},
		{"another sender", "/v1/send", `{"from":"ops@mailkin.example","to":"a@x.example","subject":"s","text":"t"}`,
			`"error":"forbidden"`, 403},
		{"no message to answer", "/v1/reply", `{"text":"t"}`, `"field":"email_id"`, 400},
		{"an unknown message to answer", "/v1/reply", `{"email_id":"` + fakeID.String() + `","text":"t"}`,
			`Email not found`, 404},
	} {
		if got := c.text(scenario{method: post, path: row.path, key: key, body: row.body,
			status: row.status}); !strings.Contains(got, row.want) {
			t.Errorf("%s: %s", row.name, got)
		}
	}
	if sent := c.json(scenario{path: "/v1/inbox?direction=outbound", key: key, status: 200})["emails"].([]any); len(
		sent) != 0 {
		t.Errorf("%d messages were sent", len(sent))
	}
	c.ask(scenario{method: remove, path: "/v1/suppressions", key: key, status: 400})
	c.ask(scenario{method: remove, path: "/v1/suppressions?address=a@x.example", key: key, status: 404})
	if list := c.text(scenario{path: "/v1/suppressions", key: key,
		status: 200}); list != `{"suppressions":[],"next_cursor":null}` {
		t.Error(list)
	}
}

// A domain of the real service, as far as it goes without the DNS.
func TestRealDomain(t *testing.T) {
	c := client{t, openReal(t)}
	ann, bob := c.mailboxNamed("ann"), c.mailboxNamed("bob")
	add := scenario{method: post, path: "/v1/domains", key: ann, body: `{"domain":"Brought.Example"}`, status: 201}
	made := c.json(add)
	records := made["dns_records"].(map[string]any)
	for _, name := range []string{"mx", "spf", "dkim", "dmarc", "dkim_ed25519", "ownership"} {
		if r, ok := records[name].(map[string]any); !ok || r["host"] == "" || r["value"] == "" {
			t.Errorf("%s is %v", name, records[name])
		}
	}
	if made["domain"] != "brought.example" || made["status"] != "pending" || made["instructions"] == "" {
		t.Errorf("made %v", made)
	}
	add.status = 409
	c.ask(add)
	add.key, add.status = bob, 201 // it is nobody's until somebody has shown that it is his
	c.ask(add)
	add.body, add.status = `{"domain":"no domain"}`, 400
	c.ask(add)
	one := "/v1/domains/" + fmt.Sprint(made["id"])
	if again := c.json(scenario{path: one, key: ann, status: 200}); fmt.Sprint(again) != fmt.Sprint(made) {
		t.Errorf("made %v, then %v", made, again)
	}
	c.ask(scenario{path: one, key: bob, status: 404})
	c.ask(scenario{method: remove, path: one, key: bob, status: 404})
	c.ask(scenario{method: post, path: one + "/verify", key: ann, status: 501})
	c.ask(scenario{method: remove, path: one, key: ann, status: 200})
	if list := c.text(scenario{path: "/v1/domains", key: ann,
		status: 200}); list != `{"domains":[],"next_cursor":null}` {
		t.Error(list)
	}
}
