package agentmail_test

import (
	"net/http"
	"testing"

	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/service/servicetest"
)

func TestInboxes(t *testing.T) {
	k := newKit(t)
	own, foreign := servicetest.Permanent(t, k.svc, "own"), servicetest.Permanent(t, k.svc, "foreign")
	key := k.key(own.Address, service.NewKey{Name: "platform", CreateMailboxes: true})
	made := k.gives(key, "POST", "/v0/inboxes", object{"username": "desk", "domain": "example.test",
		"display_name": "Support", "client_id": "c-1", "metadata": object{"tier": "gold", "n": 1, "on": true}})
	if made["inbox_id"] != "desk@example.test" || made["display_name"] != "Support" || made["client_id"] != "c-1" ||
		made["pod_id"] != "default" {
		t.Errorf("made %v", made)
	}
	again := k.gives(key, "POST", "/v0/inboxes", object{"username": "another", "client_id": "c-1"})
	if again["inbox_id"] != made["inbox_id"] {
		t.Errorf("the second time it is %v", again)
	}
	ids := make(chan any, 8)
	for range cap(ids) {
		go func() {
			_, out := k.ask(key, "POST", "/v0/inboxes", object{"client_id": "at-once"})
			ids <- out["inbox_id"]
		}()
	}
	once := <-ids
	for range cap(ids) - 1 {
		if id := <-ids; id != once || id == nil {
			t.Errorf("asked for at once it is %v and %v", once, id)
		}
	}
	k.gives(key, "DELETE", "/v0/inboxes/"+esc(once.(string)), nil)
	random := k.gives(key, "POST", "/v0/inboxes", nil)
	path := "/v0/inboxes/" + esc("desk@example.test")
	changed := k.gives(key, "PATCH", path, object{"metadata": object{"tier": nil, "x": "y"}})
	if about := changed["metadata"].(map[string]any); about["tier"] != nil || about["x"] != "y" || about["on"] != true {
		t.Errorf("changed %v", changed)
	}
	if cleared := k.gives(key, "PATCH", path, object{"metadata": nil}); cleared["metadata"] != nil {
		t.Errorf("cleared %v", cleared)
	}
	k.fails(key, "PATCH", path, object{}, http.StatusBadRequest, "validation_error")
	k.fails(key, "POST", "/v0/inboxes", object{"client_id": "a@b"}, http.StatusBadRequest, "validation_error")
	k.fails(key, "POST", "/v0/inboxes", object{"username": 7}, http.StatusBadRequest, "validation_error")
	k.fails(key, "POST", "/v0/inboxes", object{"username": "foreign"}, http.StatusForbidden, "resource_taken")
	k.fails(key, "POST", "/v0/inboxes", object{"domain": "nowhere.test"}, http.StatusBadRequest, "validation_error")
	k.fails(key, "GET", "/v0/inboxes/"+esc(foreign.Address), nil, http.StatusNotFound, "not_found")
	k.fails(own.Key, "POST", "/v0/inboxes", nil, http.StatusForbidden, "missing_permission")

	first := k.gives(key, "GET", "/v0/inboxes?limit=2", nil)
	if rows := first["inboxes"].([]any); len(rows) != 2 || rows[0].(map[string]any)["inbox_id"] != random["inbox_id"] {
		t.Errorf("first page %v", first)
	}
	rest := k.gives(key, "GET", "/v0/inboxes?limit=2&page_token="+first["next_page_token"].(string), nil)
	if rows := rest["inboxes"].([]any); len(rows) != 1 || rest["next_page_token"] != nil || rest["count"] != 1.0 {
		t.Errorf("second page %v", rest)
	}
	k.fails(key, "GET", "/v0/inboxes?limit=x", nil, http.StatusBadRequest, "validation_error")
	k.fails(key, "GET", "/v0/inboxes?page_token=x", nil, http.StatusBadRequest, "validation_error")
	if me := k.gives(own.Key, "GET", "/v0/auth/me", nil); me["scope_type"] != "inbox" || me["inbox_id"] != own.Address {
		t.Errorf("a mailbox's key is %v", me)
	}
	if me := k.gives(key, "GET", "/v0/auth/me", nil); me["scope_type"] != "organization" {
		t.Errorf("a platform's key is %v", me)
	}
	if in := k.gives(key, "GET", "/v0/pods/default/inboxes/search?q=desk", nil); in["count"] != 1.0 {
		t.Errorf("found %v", in)
	}
	k.gives(key, "DELETE", path, nil)
	k.fails(key, "GET", path, nil, http.StatusNotFound, "not_found")
}
