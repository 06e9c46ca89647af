package agentmail_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/service/servicetest"
)

func TestDraftsAreFoundAgain(t *testing.T) {
	k := newKit(t)
	k.base.Clock.Set(time.Now().Add(-time.Hour).Truncate(time.Second)) // what is later is so by the real clock
	own, other := servicetest.Permanent(t, k.svc, "own"), servicetest.Permanent(t, k.svc, "other")
	box := "/v0/inboxes/" + esc(own.Address)
	times := []time.Time{}
	for _, subject := range []string{"one", "two", "three"} {
		k.base.Clock.Advance(time.Minute)
		times = append(times, k.base.Clock.Now())
		k.gives(own.Key, "POST", box+"/drafts", object{"subject": subject, "labels": []string{"all", "n" + subject}})
	}
	list := func(query string, want ...string) string {
		t.Helper()
		out := k.gives(own.Key, "GET", box+"/drafts?"+query, nil)
		var got []string
		for _, d := range out["drafts"].([]any) {
			got = append(got, at(d, "subject").(string))
		}
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s: %v, want %v", query, got, want)
		}
		next, _ := out["next_page_token"].(string)
		return next
	}
	list("", "three", "two", "one")
	list("ascending=true", "one", "two", "three")
	list("labels="+url.QueryEscape(`["all","ntwo"]`), "two")
	list("labels=absent")
	list("after="+url.QueryEscape(times[1].Format(time.RFC3339)), "three", "two")
	list("before="+url.QueryEscape(times[1].Format(time.RFC3339)), "one")
	for _, ascending := range []string{"false", "true"} {
		order := []string{"three", "two", "one"}
		if ascending == "true" {
			order = []string{"one", "two", "three"}
		}
		next := list("limit=2&labels=all&ascending="+ascending, order[:2]...)
		list("limit=2&labels=all&ascending="+ascending+"&page_token="+next, order[2])
	}

	ids := make(chan any, 4)
	for range cap(ids) {
		go func() {
			_, out := k.ask(own.Key, "POST", box+"/drafts", object{"client_id": "c-1", "subject": "once"})
			ids <- out["draft_id"]
		}()
	}
	once := <-ids
	for range cap(ids) - 1 {
		if id := <-ids; id != once || id == nil {
			t.Errorf("asked for at once it is %v and %v", once, id)
		}
	}
	k.fails(own.Key, "POST", box+"/drafts", object{"client_id": "a@b"}, http.StatusBadRequest, "validation_error")
	later := object{"client_id": "c-2", "to": other.Address, "text": "x", "send_at": time.Now().Add(time.Hour)}
	first, second := k.gives(own.Key, "POST", box+"/drafts", later), k.gives(own.Key, "POST", box+"/drafts", later)
	if first["draft_id"] != second["draft_id"] || second["send_status"] != "scheduled" || first["client_id"] != "c-2" {
		t.Errorf("scheduled %v, then %v", first, second)
	}
	if got := k.gives(own.Key, "GET", box+"/messages?labels=scheduled", nil); got["count"] != 1.0 {
		t.Errorf("it is scheduled as %v", got)
	}
}

func TestFilesOfDrafts(t *testing.T) {
	k := newKit(t)
	own, other := servicetest.Permanent(t, k.svc, "own"), servicetest.Permanent(t, k.svc, "other")
	box := "/v0/inboxes/" + esc(own.Address)
	large := strings.Repeat("aGVsbG8h", 40_000)
	draft := k.gives(own.Key, "POST", box+"/drafts", object{"attachments": []object{{"filename": "a.txt",
		"content": "aGk="}, {"filename": "b.txt", "content": large, "content_disposition": "inline"}}})
	path := box + "/drafts/" + draft["draft_id"].(string)
	for n, size := range []float64{2, 240_000} {
		id := at(draft["attachments"], n, "attachment_id").(string)
		file := k.gives(own.Key, "GET", path+"/attachments/"+id, nil)
		if file["size"] != size || file["content_disposition"] != []string{"attachment", "inline"}[n] {
			t.Errorf("file %v", file)
		}
		link, _ := strings.CutPrefix(file["download_url"].(string), "http://127.0.0.1:8025/agentmail")
		if status, _ := k.ask("", "GET", link, nil); status != http.StatusOK {
			t.Errorf("download: %d", status)
		}
		k.fails(other.Key, "GET", "/v0/drafts/"+draft["draft_id"].(string)+"/attachments/"+id, nil,
			http.StatusNotFound, "not_found")
		defer k.fails("", "GET", link, nil, http.StatusNotFound, "not_found")
	}
	k.fails(own.Key, "GET", path+"/attachments/x", nil, http.StatusNotFound, "not_found")
	k.gives(own.Key, "DELETE", path, nil)
}

// Drafts that are scheduled are listed as long as they wait, however many were sent since, each on one page.
func TestScheduledDraftsAreListed(t *testing.T) {
	k := newKit(t)
	own := servicetest.Permanent(t, k.svc, "own")
	drafts := "/v0/inboxes/" + esc(own.Address) + "/drafts"
	body := object{"to": []string{"ann@far.test"}, "subject": "later", "text": "t", "labels": []string{"mine"},
		"send_at": k.base.Clock.Now().Add(5 * 24 * time.Hour).Format(time.RFC3339)}
	later := k.gives(own.Key, "POST", drafts, body)["draft_id"]
	delete(body, "send_at")
	body["subject"] = "now"
	for i := range 101 {
		if i == 60 {
			k.base.Clock.Advance(24 * time.Hour) // the day's limit
		}
		id := k.gives(own.Key, "POST", drafts, body)["draft_id"].(string)
		k.gives(own.Key, "POST", drafts+"/"+id+"/send", object{})
	}
	body["subject"] = "kept"
	kept := k.gives(own.Key, "POST", drafts, body)["draft_id"]
	for query, want := range map[string][]any{"": {kept, later}, "ascending=true": {later, kept},
		"labels=mine": {kept, later}, "labels=none": nil} {
		var got []any
		for _, limit := range []string{"limit=1&", ""} {
			token := ""
			got = nil
			for range 3 {
				out := k.gives(own.Key, "GET", drafts+"?"+limit+query+"&page_token="+token, nil)
				for _, d := range out["drafts"].([]any) {
					got = append(got, at(d, "draft_id"))
				}
				if token, _ = out["next_page_token"].(string); token == "" {
					break
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s%s: %v, want %v", limit, query, got, want)
			}
		}
	}
	k.fails(own.Key, "PATCH", drafts+"/"+later.(string), object{"send_at": nil}, http.StatusConflict, "conflict")
	k.gives(own.Key, "DELETE", drafts+"/"+later.(string), nil)
	if out := k.gives(own.Key, "GET", drafts, nil); out["count"] != 1.0 {
		t.Errorf("after it was called back: %v", out)
	}
	messages := "/v0/inboxes/" + esc(own.Address) + "/messages"
	for label, want := range map[string]float64{"canceled": 1, "sent": 50} {
		if out := k.gives(own.Key, "GET", messages+"?labels=mine&limit=50&labels="+label, nil); out["count"] != want {
			t.Errorf("%s: %v", label, out["count"])
		}
	}
}

// A time that is over is at once.
func TestDraftForAPastTime(t *testing.T) {
	k := newKit(t)
	own := servicetest.Permanent(t, k.svc, "own")
	box := "/v0/inboxes/" + esc(own.Address)
	k.gives(own.Key, "POST", box+"/drafts", object{"to": []string{"ann@far.test"}, "subject": "late", "text": "t",
		"send_at": k.base.Clock.Now().Add(-time.Minute).Format(time.RFC3339)})
	if out := k.gives(own.Key, "GET", box+"/messages?labels=sent", nil); out["count"] != 1.0 {
		t.Errorf("sent: %v", out)
	}
}

// A draft can be scheduled when it is there, and sent before its time.
func TestDraftIsScheduledLater(t *testing.T) {
	k := newKit(t)
	own := servicetest.Permanent(t, k.svc, "own")
	box := "/v0/inboxes/" + esc(own.Address)
	made := k.gives(own.Key, "POST", box+"/drafts", object{"to": []string{"ann@far.test"}, "subject": "s", "text": "t"})
	path := box + "/drafts/" + made["draft_id"].(string)
	later := k.base.Clock.Now().Add(24 * time.Hour).Format(time.RFC3339)
	for range 2 { // the second changes what is scheduled
		if out := k.gives(own.Key, "PATCH", path, object{"send_at": later}); out["send_status"] != "scheduled" {
			t.Errorf("changed: %v", out)
		}
	}
	if out := k.gives(own.Key, "GET", path, nil); out["send_status"] != "scheduled" {
		t.Errorf("scheduled: %v", out)
	}
	k.gives(own.Key, "POST", path+"/send", object{})
	if out := k.gives(own.Key, "GET", path, nil); out["send_at"] != k.base.Clock.Now().Format(time.RFC3339) {
		t.Errorf("due at once, as soon as somebody looks: %v", out)
	}
	empty := k.gives(own.Key, "POST", box+"/drafts", object{"text": "t"})["draft_id"].(string)
	k.fails(own.Key, "PATCH", box+"/drafts/"+empty, object{"send_at": later}, http.StatusBadRequest, "validation_error")
}
