package agentmail_test

import (
	"maps"
	"slices"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service/servicetest"
)

// A key's permissions are those that were asked for, when it is made and when it is changed, and it can do no other.
func TestKeyPermissions(t *testing.T) {
	k := newKit(t)
	box := servicetest.Permanent(t, k.svc, "own")
	const operator = servicetest.OperatorToken
	keys := "/v0/inboxes/" + esc(box.Address) + "/api-keys"
	mails := "/v0/inboxes/" + esc(box.Address) + "/messages"
	made := k.gives(operator, "POST", keys, object{"name": "reader", "permissions": object{"message_read": true,
		"message_send": false}})
	key, id := mailbox.Secret(made["api_key"].(string)), made["api_key_id"].(string)
	if may := made["permissions"].(map[string]any); may["message_read"] != true || may["message_send"] != nil {
		t.Errorf("permissions %v", may)
	}
	message := object{"to": "ann@far.test", "text": "t"}
	k.gives(key, "GET", mails, nil)
	k.fails(key, "POST", mails+"/send", message, 403, "missing_permission")

	changed := k.gives(operator, "PATCH", keys+"/"+id, object{"name": "sender", "permissions": object{
		"message_send": true}})
	if may := slices.Sorted(maps.Keys(changed["permissions"].(map[string]any))); changed["name"] != "sender" ||
		!slices.Equal(may, []string{"draft_create", "draft_delete", "draft_read", "draft_send", "draft_update",
			"message_send"}) {
		t.Errorf("changed %v", changed)
	}
	k.fails(key, "GET", mails, nil, 403, "missing_permission")
	k.gives(key, "POST", mails+"/send", message)
	for _, hand := range []mailbox.Secret{key, box.Key} { // its own, and that of a peer
		k.fails(hand, "PATCH", keys+"/"+id, object{"permissions": nil}, 403, "missing_permission")
	}
	if all := k.gives(operator, "PATCH", keys+"/"+id, object{"permissions": nil}); all["permissions"] != nil ||
		all["name"] != "sender" {
		t.Errorf("all permissions: %v", all)
	}
	k.gives(key, "GET", mails, nil)
	k.fails(operator, "PATCH", keys+"/"+id, object{}, 400, "validation_error")
	k.fails(operator, "PATCH", keys+"/019f0000-0000-7000-8000-000000000000", object{"name": "x"}, 404, "not_found")
	for _, wrong := range []any{"all", 1, []any{}, object{"message_read": 1}, object{}, object{"message_read": false},
		object{"inbox_read": true}, object{"message_read": true, "inbox_delete": true}, object{"fly": true},
		object{"api_key_create": true}, object{"inbox_create": true, "message_read": true},
		object{"draft_read": true}, object{"draft_send": true}} {
		k.fails(operator, "POST", keys, object{"permissions": wrong}, 400, "validation_error")
		k.fails(operator, "PATCH", keys+"/"+id, object{"permissions": wrong}, 400, "validation_error")
	}

	account := k.gives(operator, "POST", "/v0/api-keys", object{"permissions": object{"message_read": true}})
	k.fails(mailbox.Secret(account["api_key"].(string)), "POST", "/v0/inboxes", object{}, 403, "missing_permission")
	k.fails(operator, "PATCH", "/v0/api-keys/"+account["api_key_id"].(string), object{"permissions": object{
		"message_read": true, "inbox_create": true}}, 400, "validation_error")
}
