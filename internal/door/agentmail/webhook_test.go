package agentmail_test

import (
	"net/http"
	"testing"

	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/service/servicetest"
)

func TestWebhooksOfSeveralInboxes(t *testing.T) {
	k := posted(t, nil)
	own, second := servicetest.Permanent(t, k.svc, "own"), servicetest.Permanent(t, k.svc, "second")
	foreign := servicetest.Permanent(t, k.svc, "foreign")
	key := k.key(own.Address, service.NewKey{Mailboxes: []string{second.Address}, CreateMailboxes: true})
	hook := func(more object) object {
		out := object{"url": "https://hooks.test/a", "event_types": []string{"message.received"}}
		for name, v := range more {
			out[name] = v
		}
		return out
	}
	two := k.gives(key, "POST", "/v0/webhooks", hook(object{"inbox_ids": []string{second.Address, own.Address},
		"client_id": "w"}))
	if len(two["inbox_ids"].([]any)) != 2 || two["pod_ids"] != nil {
		t.Fatalf("made %v", two)
	}
	again := k.gives(key, "POST", "/v0/webhooks", hook(object{"client_id": "w"}))
	if again["webhook_id"] != two["webhook_id"] {
		t.Errorf("made again %v", again)
	}
	path := "/v0/webhooks/" + two["webhook_id"].(string)
	for _, box := range []string{own.Address, second.Address} {
		at := "/v0/inboxes/" + esc(box) + "/webhooks/" + two["webhook_id"].(string)
		if got := k.gives(key, "GET", at, nil); got["secret"] != two["secret"] {
			t.Errorf("in %s its secret is another: %v", box, got)
		}
	}
	k.fails(key, "POST", "/v0/webhooks", hook(object{"inbox_ids": []string{own.Address, foreign.Address}}),
		http.StatusNotFound, "not_found")
	k.fails(key, "POST", "/v0/webhooks", hook(object{"pod_ids": []string{"x"}}), http.StatusNotFound, "not_found")
	k.fails(foreign.Key, "GET", path, nil, http.StatusNotFound, "not_found")

	less := k.gives(key, "PATCH", path, object{"remove_inbox_ids": []string{own.Address},
		"event_types": []string{"message.sent"}})
	if len(less["inbox_ids"].([]any)) != 1 || less["secret"] != two["secret"] ||
		!has(less["event_types"], "message.sent") {
		t.Errorf("with less %v", less)
	}
	more := k.gives(key, "PATCH", path, object{"add_inbox_ids": []string{own.Address}})
	if len(more["inbox_ids"].([]any)) != 2 || more["secret"] != two["secret"] {
		t.Errorf("with more %v", more)
	}
	k.fails(key, "PATCH", path, object{"remove_inbox_ids": []string{own.Address, second.Address}}, 400,
		"validation_error")
	k.fails(key, "PATCH", path, object{"event_types": []string{}}, 400, "validation_error")
	k.gives(key, "DELETE", path, nil)
	k.fails(key, "GET", path, nil, http.StatusNotFound, "not_found")

	all := k.gives(key, "POST", "/v0/webhooks", hook(object{"pod_ids": []string{"default"}}))
	made := k.gives(key, "POST", "/v0/inboxes", object{"username": "later"})
	got := k.gives(key, "GET", "/v0/webhooks/"+all["webhook_id"].(string), nil)
	if !has(got["inbox_ids"], made["inbox_id"].(string)) || len(got["inbox_ids"].([]any)) != 3 ||
		got["pod_ids"] == nil {
		t.Errorf("a new inbox has not got it: %v", got)
	}
	if list := k.gives(key, "GET", "/v0/webhooks", nil); list["count"] != 1.0 {
		t.Errorf("list %v", list)
	}
}
