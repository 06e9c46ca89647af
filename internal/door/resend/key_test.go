package resend_test

import (
	"slices"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/service/servicetest"
)

// A key is renamed, by one that may do as much, and stays what it was.
func TestRenameKey(t *testing.T) {
	k := newKit(t)
	made := k.gives("POST", "/api-keys", `{"name":"first","permission":"sending_access"}`)
	path := "/api-keys/" + made["id"].(string)
	k.same("renamed", k.gives("PATCH", path, `{"name":"second"}`), object{"object": "api_key", "id": made["id"]})
	if got := rows(k.gives("GET", "/api-keys", ""), "name"); !slices.Contains(got, "second") {
		t.Errorf("names %v", got)
	}
	k.fails("PATCH", path, `{}`, 422, "missing_required_field")
	k.fails("PATCH", path, `{"name":1}`, 400, "validation_error")
	k.fails("PATCH", "/api-keys/0199e5a4-7c1e-7cc1-b8a5-1f2c3d4e5f60", `{"name":"x"}`, 404, "not_found")
	sender := mailbox.Secret(made["token"].(string))
	if status, out := k.ask(sender, "PATCH", path, `{"name":"mine"}`); status != 401 ||
		out["name"] != "restricted_api_key" {
		t.Errorf("by a key that only sends: %d %v", status, out)
	}
	if status, out := k.ask(sender, "POST", "/emails", k.mail("")); status != 200 {
		t.Errorf("it does not send any more: %d %v", status, out)
	}
}

// A key with a domain sends from that one alone, and so do the keys that it makes.
func TestKeyOfDomain(t *testing.T) {
	k := newKit(t)
	id := k.gives("POST", "/domains", `{"name":"brought.example"}`)["id"].(string)
	bound := func(by mailbox.Secret, more string) (int, object) {
		return k.ask(by, "POST", "/api-keys", `{"name":"n"`+more+`}`)
	}
	for _, permission := range []string{"full_access", "sending_access"} {
		status, made := bound(k.own.Key, `,"permission":"`+permission+`","domain_id":"`+id+`"`)
		if status != 201 {
			t.Fatalf("%d %v", status, made)
		}
		key := mailbox.Secret(made["token"].(string))
		if status, out := k.ask(key, "POST", "/emails", k.mail("")); status != 401 ||
			out["name"] != "restricted_api_key" {
			t.Errorf("%s, from another domain: %d %v", permission, status, out)
		}
		if permission == "sending_access" {
			continue
		}
		status, made = bound(key, "")
		if status != 201 {
			t.Fatalf("%d %v", status, made)
		}
		if status, _ = k.ask(mailbox.Secret(made["token"].(string)), "POST", "/emails", k.mail("")); status != 401 {
			t.Errorf("a key that it made sends from another domain: %d", status)
		}
		other := k.gives("POST", "/domains", `{"name":"other.example"}`)["id"].(string)
		if status, _ = bound(key, `,"domain_id":"`+other+`"`); status != 401 {
			t.Errorf("it makes a key of another domain: %d", status)
		}
	}
	k.fails("POST", "/api-keys", `{"name":"n","domain_id":"x"}`, 422, "invalid_parameter")
	k.fails("POST", "/api-keys", `{"name":"n","domain_id":"0199e5a4-7c1e-7cc1-b8a5-1f2c3d4e5f60"}`, 404, "not_found")

	in := servicetest.Enter(t, k.svc, servicetest.OperatorToken, service.Act{Need: mailbox.Moderate,
		Mailbox: k.own.Address})
	made, err := k.svc.CreateKey(t.Context(), in, service.NewKey{Domain: "example.test"})
	if err != nil {
		t.Fatal(err)
	}
	if status, out := k.ask(made.Secret, "POST", "/emails", k.mail("")); status != 200 {
		t.Errorf("from its own domain: %d %v", status, out)
	}
}
