package agentmail_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/service/servicetest"
)

const letter = "From: Ann <ann@sender.test>\r\nTo: own@example.test\r\nSubject: The tide\r\n" +
	"Message-ID: <a/1@sender.test>\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n" +
	"--b\r\nContent-Type: text/plain\r\n\r\nhello\r\n\r\nOn Monday Bob <bob@x.test> wrote:\r\n> question\r\n" +
	"--b\r\nContent-Type: text/plain; name=a.txt\r\nContent-Disposition: attachment; filename=a.txt\r\n\r\n" +
	"file\r\n--b--\r\n"

// at goes down into JSON.
func at(v any, path ...any) any {
	for _, p := range path {
		switch p := p.(type) {
		case string:
			v = v.(map[string]any)[p]
		case int:
			v = v.([]any)[p]
		}
	}
	return v
}

func has(labels any, label string) bool { return slices.Contains(labels.([]any), any(label)) }

func TestMessages(t *testing.T) {
	k := newKit(t)
	own, other := servicetest.Permanent(t, k.svc, "own"), servicetest.Permanent(t, k.svc, "other")
	servicetest.Receive(t, k.svc, letter, own.Address)
	box := "/v0/inboxes/" + esc(own.Address)
	one := box + "/messages/" + url.PathEscape("<a/1@sender.test>")
	m := map[string]any(k.gives(own.Key, "GET", one, nil))
	if m["message_id"] != "<a/1@sender.test>" || m["from"] != "Ann <ann@sender.test>" ||
		m["extracted_text"] != "hello" || !has(m["labels"], "unread") || !has(m["labels"], "received") ||
		at(m, "to", 0) != "own@example.test" {
		t.Errorf("message %v", m)
	}
	count := func(query string, want int) {
		t.Helper()
		if got := k.gives(own.Key, "GET", box+"/messages?"+query, nil); got["count"] != float64(want) {
			t.Errorf("%s: %v of %d", query, got, want)
		}
	}
	sent := k.gives(own.Key, "POST", box+"/messages/send", object{"to": other.Address, "text": "hi", "labels": "mine",
		"attachments": []object{{"filename": "f.txt", "content": "aGk="}}})
	count("", 2)
	count("labels="+url.QueryEscape(`["unread","received"]`), 1)
	count("labels=sent&labels=mine", 1)
	count("labels=MINE", 1)
	count("labels=sent&labels=received", 0)
	count("from=ANN", 1)
	count("subject=tid", 1)
	count("to=other", 1)
	count("ascending=true&limit=1", 1)
	count("labels=never", 0)
	k.gives(own.Key, "PATCH", one, object{"add_labels": []string{"spam"}, "remove_labels": "unread"})
	count("", 1)
	count("include_spam=true", 2)
	count("labels=spam", 1)
	k.gives(own.Key, "PATCH", one, object{"remove_labels": "spam"})
	k.fails(own.Key, "PATCH", one, object{}, http.StatusBadRequest, "validation_error")
	k.fails(own.Key, "PATCH", one, object{"add_labels": "sent"}, http.StatusBadRequest, "validation_error")
	k.fails(own.Key, "GET", box+"/messages?labels=%5B1", nil, http.StatusBadRequest, "validation_error")
	k.fails(own.Key, "GET", box+"/messages?before=x", nil, http.StatusBadRequest, "validation_error")
	k.fails(own.Key, "POST", box+"/messages/send", object{"text": "x"}, 422, "unprocessable")
	k.fails(own.Key, "POST", box+"/messages/send", object{"to": 7}, http.StatusBadRequest, "validation_error")
	k.fails(own.Key, "POST", box+"/messages/send", object{"to": other.Address,
		"attachments": []object{{"content": "%"}}}, http.StatusBadRequest, "validation_error")

	whole := k.gives(own.Key, "GET", one+"/raw", nil)
	file := k.gives(own.Key, "GET", one+"/attachments/"+at(m, "attachments", 0, "attachment_id").(string), nil)
	if whole["size"] != float64(len(letter)) || file["filename"] != "a.txt" {
		t.Errorf("raw %v, file %v", whole, file)
	}
	link, _ := strings.CutPrefix(file["download_url"].(string), "http://127.0.0.1:8025/agentmail")
	if status, _ := k.ask("", "GET", link, nil); status != http.StatusOK {
		t.Errorf("download: %d", status)
	}
	batch := k.gives(own.Key, "POST", box+"/messages/batch-get", object{"message_ids": []any{"<a/1@sender.test>",
		"<none@x.test>", sent["message_id"]}})
	if batch["limit"] != 3.0 || batch["count"] != 2.0 {
		t.Errorf("batch %v", batch)
	}
	k.fails(own.Key, "POST", box+"/messages/batch-get", object{"message_ids": []string{"a", "a"}}, 400,
		"validation_error")
	k.gives(own.Key, "POST", box+"/messages/batch-update", object{"message_ids": []string{"<a/1@sender.test>"},
		"add_labels": "done"})
	count("labels=done", 1)

	for _, how := range []string{"reply", "reply-all"} {
		got := k.gives(own.Key, "POST", one+"/"+how, object{"text": "answer " + how})
		if got["thread_id"] != m["thread_id"] {
			t.Errorf("%s: %v", how, got)
		}
	}
	k.gives(own.Key, "POST", one+"/forward", object{"to": []string{other.Address}})
	k.fails(own.Key, "POST", one+"/forward", nil, 422, "unprocessable")
	k.gives(own.Key, "DELETE", one, nil)
	k.fails(own.Key, "GET", one, nil, http.StatusNotFound, "not_found")
}

func TestThreadsDraftsAndLists(t *testing.T) {
	k := newKit(t)
	k.base.Clock.Set(time.Now()) // what is later is so by the real clock
	own, second := servicetest.Permanent(t, k.svc, "own"), servicetest.Permanent(t, k.svc, "second")
	foreign := servicetest.Permanent(t, k.svc, "foreign")
	key := k.key(own.Address, service.NewKey{Mailboxes: []string{second.Address}})
	servicetest.Receive(t, k.svc, letter, own.Address)
	k.base.Clock.Advance(1e9)
	servicetest.Receive(t, k.svc, strings.ReplaceAll(letter, "a/1@", "a/2@"), second.Address, foreign.Address)
	all := k.gives(key, "GET", "/v0/threads", nil)
	if all["count"] != 2.0 || at(map[string]any(all), "threads", 0, "inbox_id") != second.Address {
		t.Fatalf("threads %v", all)
	}
	first := k.gives(key, "GET", "/v0/threads?limit=1", nil)
	next := k.gives(key, "GET", "/v0/threads?limit=1&page_token="+first["next_page_token"].(string), nil)
	if at(map[string]any(next), "threads", 0, "inbox_id") != own.Address || next["next_page_token"] != nil {
		t.Errorf("next page %v", next)
	}
	if asc := k.gives(key, "GET", "/v0/threads?ascending=true&limit=1", nil); at(map[string]any(asc), "threads", 0,
		"inbox_id") != own.Address || asc["next_page_token"] == nil {
		t.Errorf("ascending %v", asc)
	}
	id := at(map[string]any(all), "threads", 0, "thread_id").(string)
	whole := k.gives(key, "GET", "/v0/threads/"+id, nil)
	if whole["count"] != 1.0 || at(map[string]any(whole), "messages", 0, "message_id") != "<a/2@sender.test>" {
		t.Errorf("thread %v", whole)
	}
	k.fails(foreign.Key, "GET", "/v0/threads/"+id, nil, http.StatusNotFound, "not_found")
	k.fails(own.Key, "DELETE", "/v0/threads/"+id, nil, http.StatusNotFound, "not_found")
	changed := k.gives(key, "PATCH", "/v0/threads/"+id, object{"add_labels": []string{"done"},
		"remove_labels": "unread"})
	if !has(changed["labels"], "done") || has(changed["labels"], "unread") {
		t.Errorf("changed %v", changed)
	}
	k.gives(key, "DELETE", "/v0/threads/"+id, nil)
	k.fails(key, "GET", "/v0/threads/"+id, nil, http.StatusNotFound, "not_found")

	box := "/v0/inboxes/" + esc(own.Address)
	draft := k.gives(own.Key, "POST", box+"/drafts", object{"to": []string{second.Address}, "labels": []string{"l1"},
		"attachments": []object{{"filename": "f.txt", "content": "aGk="}}})
	path := box + "/drafts/" + draft["draft_id"].(string)
	k.gives(own.Key, "PATCH", path, object{"subject": "S", "text": "T", "add_labels": "l2"})
	if got := k.gives(key, "GET", "/v0/drafts/"+draft["draft_id"].(string), nil); got["subject"] != "S" ||
		!has(got["labels"], "l2") || at(map[string]any(got), "to", 0) != second.Address {
		t.Errorf("draft %v", got)
	}
	files := k.gives(own.Key, "PATCH", path, object{
		"add_attachments":    []object{{"filename": "g.txt", "content": "aGk="}},
		"remove_attachments": []any{at(map[string]any(draft), "attachments", 0, "attachment_id")}})
	if at(map[string]any(files), "attachments", 0, "filename") != "g.txt" || len(files["attachments"].([]any)) != 1 {
		t.Errorf("files %v", files)
	}
	k.fails(own.Key, "PATCH", path, object{"remove_attachments": []string{"x"}}, http.StatusNotFound, "not_found")
	if cleared := k.gives(own.Key, "PATCH", path, object{"subject": nil}); cleared["subject"] != nil {
		t.Errorf("cleared %v", cleared)
	}
	sent := k.gives(own.Key, "POST", path+"/send", object{})
	k.fails(own.Key, "GET", path, nil, http.StatusNotFound, "not_found")
	got := k.gives(own.Key, "GET", box+"/messages/"+esc(sent["message_id"].(string)), nil)
	if !has(got["labels"], "l1") || !has(got["labels"], "sent") {
		t.Errorf("sent %v", got)
	}
	reply := k.gives(own.Key, "POST", box+"/drafts", object{"in_reply_to": "<a/1@sender.test>", "text": "r"})
	if reply["in_reply_to"] != "<a/1@sender.test>" || !has(reply["references"], "<a/1@sender.test>") {
		t.Errorf("reply %v", reply)
	}
	k.gives(own.Key, "POST", box+"/drafts/"+reply["draft_id"].(string)+"/send", nil)
	gone := k.gives(own.Key, "POST", box+"/drafts", nil)
	k.gives(own.Key, "DELETE", box+"/drafts/"+gone["draft_id"].(string), nil)

	at9 := k.base.Clock.Now().Add(time.Hour).Format(time.RFC3339)
	later := k.gives(own.Key, "POST", box+"/drafts", object{"to": second.Address, "text": "later", "send_at": at9})
	path = box + "/drafts/" + later["draft_id"].(string)
	got = k.gives(own.Key, "GET", path, nil)
	if later["send_status"] != "scheduled" || got["send_status"] != "scheduled" {
		t.Errorf("scheduled %v, %v", later, got)
	}
	if got := k.gives(own.Key, "GET", "/v0/drafts", nil); got["count"] != 1.0 {
		t.Errorf("drafts %v", got)
	}
	k.fails(own.Key, "PATCH", path, object{"subject": "x"}, http.StatusConflict, "conflict")
	k.gives(own.Key, "PATCH", path, object{"send_at": k.base.Clock.Now().Add(2 * time.Hour)})
	if got := k.gives(own.Key, "GET", box+"/messages?labels=scheduled", nil); got["count"] != 1.0 {
		t.Errorf("scheduled messages %v", got)
	}
	k.gives(own.Key, "DELETE", path, nil)
	k.fails(own.Key, "GET", path, nil, http.StatusNotFound, "not_found")

	var operator mailbox.Secret = servicetest.OperatorToken
	list := box + "/lists/send/block"
	k.gives(operator, "POST", list, object{"entry": "evil.test", "reason": "no"})
	if e := k.gives(own.Key, "GET", list+"/evil.test", nil); e["entry_type"] != "domain" || e["reason"] != "no" {
		t.Errorf("entry %v", e)
	}
	k.fails(own.Key, "POST", box+"/messages/send", object{"to": "a@evil.test", "text": "x"}, http.StatusForbidden,
		"message_rejected")
	k.fails(own.Key, "POST", list, object{"entry": "x.test"}, http.StatusForbidden, "missing_permission")
	k.gives(operator, "DELETE", list+"/evil.test", nil)
	k.fails(own.Key, "GET", list+"/evil.test", nil, http.StatusNotFound, "not_found")
	k.fails(own.Key, "GET", box+"/lists/no/list", nil, http.StatusNotFound, "not_found")
}
