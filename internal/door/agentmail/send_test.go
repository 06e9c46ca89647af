package agentmail_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/door/agentmail"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/service/servicetest"
)

// outside is what lies on other servers, by its address.
type outside map[string]string

func (o outside) Attempt(context.Context, service.HookJob) mailbox.HookAttempt {
	return mailbox.HookAttempt{}
}

func (o outside) Headers(service.HookJob, time.Time) map[string]string { return nil }

func (o outside) Fetch(_ context.Context, url string, limit int64) (b []byte, mediaType, problem string) {
	text, ok := o[url]
	switch {
	case !ok:
		return nil, "", "It is not there."
	case int64(len(text)) > limit:
		return nil, "", "It is too long."
	}
	return []byte(text), "text/csv; charset=utf-8", ""
}

// posted is a service whose events are posted in the words of the door, and which fetches files.
func posted(t *testing.T, files outside) *kit {
	svc, base := servicetest.New(t, func(o *service.Options) {
		o.Poster = files
		o.HookBody = func(_ mailbox.HookForm, e mailbox.Event, address string) (string, []byte) {
			return agentmail.HookBody(e, address)
		}
	})
	return &kit{t, svc, base, agentmail.New(svc)}
}

func TestFilesByAddress(t *testing.T) {
	k := posted(t, outside{"https://files.test/dir/tides.csv": "high,low",
		"https://files.test/big": strings.Repeat("x", 30<<20)})
	own, other := servicetest.Permanent(t, k.svc, "own"), servicetest.Permanent(t, k.svc, "other")
	box := "/v0/inboxes/" + esc(own.Address)
	send := func(files ...object) object {
		return object{"to": other.Address, "text": "x", "attachments": files}
	}
	sent := k.gives(own.Key, "POST", box+"/messages/send", send(object{"url": "https://files.test/dir/tides.csv"},
		object{"filename": "a.png", "content": "aGk=", "content_disposition": "inline"}))
	got := map[string]any(k.gives(own.Key, "GET", box+"/messages/"+esc(sent["message_id"].(string)), nil))
	if at(got, "attachments", 0, "filename") != "tides.csv" ||
		at(got, "attachments", 0, "content_type") != "text/csv" ||
		at(got, "attachments", 0, "size") != 8.0 || at(got, "attachments", 0, "content_disposition") != "attachment" ||
		at(got, "attachments", 1, "content_disposition") != "inline" {
		t.Errorf("sent %v", got["attachments"])
	}
	draft := map[string]any(k.gives(own.Key, "POST", box+"/drafts",
		send(object{"url": "https://files.test/dir/tides.csv"})))
	if at(draft, "attachments", 0, "size") != 8.0 {
		t.Errorf("draft %v", draft)
	}
	for _, wrong := range []object{{"url": "https://files.test/none"}, {"url": "file:///etc/passwd"},
		{"url": "https://files.test/big"}, {"url": "https://files.test/dir/tides.csv", "content": "aGk="}, {},
		{"content": "aGk=", "content_disposition": "sideways"}} {
		status, out := k.ask(own.Key, "POST", box+"/messages/send", send(wrong))
		if status != http.StatusBadRequest || at(map[string]any(out), "errors", 0, "path", 0) != "attachments" {
			t.Errorf("%v: %d %v", wrong, status, out)
		}
	}
}

// What is wrong is said in the words of the request.
func TestFaultsNameTheirMembers(t *testing.T) {
	k := newKit(t)
	own := servicetest.Permanent(t, k.svc, "own")
	key := k.key(own.Address, service.NewKey{CreateMailboxes: true})
	box := "/v0/inboxes/" + esc(own.Address)
	for _, c := range []struct {
		key          mailbox.Secret
		method, path string
		body         any
		member       string
	}{
		{key, "POST", "/v0/inboxes", object{"username": "a b"}, "username"},
		{key, "POST", "/v0/inboxes", object{"username": 7}, "username"},
		{key, "GET", "/v0/inboxes?page_token=x", nil, "page_token"},
		{own.Key, "GET", box + "/messages?page_token=x", nil, "page_token"},
		{own.Key, "POST", box + "/webhooks", object{"url": "nowhere", "event_types": []string{"message.sent"}}, "url"},
		{own.Key, "POST", box + "/webhooks", object{"url": "https://a.test", "event_types": []string{}}, "event_types"},
		{own.Key, "POST", box + "/webhooks", object{"url": "https://a.test", "event_types": []string{"x"}},
			"event_types"},
		{own.Key, "POST", "/v0/domains", object{"domain": "-"}, "domain"},
		{servicetest.OperatorToken, "POST", box + "/lists/send/block", object{"entry": "@@"}, "entry"},
		{own.Key, "POST", box + "/messages/send", object{"to": "x", "text": "x"}, "to"},
		{own.Key, "POST", box + "/messages/send", object{"to": "a@b.test", "labels": "Not A Label"}, "labels"},
		{own.Key, "POST", box + "/messages/send", object{"to": []int{1}}, "to"},
		{own.Key, "POST", box + "/drafts", object{"labels": []string{"Not A Label"}}, "labels"},
		{own.Key, "POST", box + "/drafts", object{"send_at": "soon"}, "send_at"},
		{own.Key, "POST", box + "/drafts", object{"subject": object{}}, "subject"},
	} {
		status, out := k.ask(c.key, c.method, c.path, c.body)
		if status != http.StatusBadRequest {
			t.Errorf("%s %s %v: %d %v", c.method, c.path, c.body, status, out)
			continue
		}
		path := at(map[string]any(out), "errors", 0, "path").([]any)
		if len(path) == 0 || path[0] != c.member ||
			strings.Contains(out["message"].(string), "webhook_url") {
			t.Errorf("%s %s %v: %d %v", c.method, c.path, c.body, status, out)
		}
	}
}

// Every list refuses a limit that is none, and a page that is another list's.
func TestListsRefuseWrongPages(t *testing.T) {
	k := newKit(t)
	own := servicetest.Permanent(t, k.svc, "own")
	for _, path := range []string{"/v0/inboxes", "/v0/threads", "/v0/drafts", "/v0/webhooks", "/v0/domains",
		"/v0/api-keys", "/v0/pods", "/v0/lists/send/block", "/v0/inboxes/" + esc(own.Address) + "/messages",
		"/v0/inboxes/" + esc(own.Address) + "/webhooks", "/v0/inboxes/" + esc(own.Address) + "/api-keys"} {
		for _, q := range []string{"?limit=x", "?limit=0", "?page_token=of-another"} {
			k.fails(servicetest.OperatorToken, "GET", path+q, nil, http.StatusBadRequest, "validation_error")
		}
	}
}

// Of two messages with the same Message-ID each can be had, changed and deleted.
func TestMessagesWithTheSameID(t *testing.T) {
	k := newKit(t)
	own := servicetest.Permanent(t, k.svc, "own")
	servicetest.Receive(t, k.svc, letter, own.Address)
	k.base.Clock.Advance(time.Minute)
	servicetest.Receive(t, k.svc, strings.ReplaceAll(letter, "The tide", "The ebb"), own.Address)
	box := "/v0/inboxes/" + esc(own.Address)
	rows := k.gives(own.Key, "GET", box+"/messages", nil)["messages"].([]any)
	if len(rows) != 2 {
		t.Fatalf("there are %v", rows)
	}
	for i, subject := range []string{"The ebb", "The tide"} {
		name := at(rows[i], "message_id").(string)
		got := k.gives(own.Key, "GET", box+"/messages/"+esc(name), nil)
		if got["subject"] != subject || got["message_id"] != name {
			t.Errorf("%s is %v", name, got)
		}
	}
	if at(rows[1], "message_id") != "<a/1@sender.test>" {
		t.Errorf("the older one is %v", rows[1])
	}
	k.gives(own.Key, "DELETE", box+"/messages/"+esc(at(rows[0], "message_id").(string)), nil)
	k.gives(own.Key, "GET", box+"/messages/"+esc("<a/1@sender.test>"), nil)
}

// A change of an inbox is a change of its time.
func TestInboxTellsWhenItWasChanged(t *testing.T) {
	k := newKit(t)
	own := servicetest.Permanent(t, k.svc, "own")
	k.base.Clock.Advance(time.Hour)
	changed := k.gives(own.Key, "PATCH", "/v0/inboxes/"+esc(own.Address), object{"display_name": "Own"})
	if changed["updated_at"] != k.base.Clock.Now().Format(time.RFC3339) ||
		changed["created_at"] == changed["updated_at"] {
		t.Errorf("changed %v", changed)
	}
}
