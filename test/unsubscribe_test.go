package test

import (
	"strings"
	"testing"
)

// A recipient unsubscribes with one click, as a mail program does; the mailbox hears of it, and sends nothing more.
func TestUnsubscribeByOneClick(t *testing.T) {
	srv := start(t, "MAILKIN_OUTBOUND=capture")
	b := srv.mailbox(t, "robin")
	news := `{"to":"ann@far.example","subject":"News","text":"It is autumn.","unsubscribe":true}`
	var sent struct{ ID string }
	srv.do(t, request{method: "POST", path: "/v1/send", key: b.key, body: news}, 200, &sent)
	var mail struct{ Headers map[string]any }
	srv.get(t, b.key, "/v1/email?id="+sent.ID, &mail)
	link, _ := mail.Headers["List-Unsubscribe"].(string)
	base, token, ok := strings.Cut(strings.Trim(link, "<>"), "/u/")
	if !ok || mail.Headers["List-Unsubscribe-Post"] != "List-Unsubscribe=One-Click" {
		t.Fatalf("the link is %q to %s, headers %v", link, base, mail.Headers)
	}
	page := srv.do(t, request{path: "/u/" + token}, 200, nil)
	if !strings.Contains(string(page.body), "ann@far.example gets mail from "+b.address) {
		t.Errorf("the page says %s", page.body)
	}
	srv.do(t, request{method: "POST", path: "/v1/send", key: b.key, body: news}, 200, nil) // looking did nothing
	srv.do(t, request{method: "POST", path: "/u/" + token, body: "List-Unsubscribe=One-Click",
		kind: "application/x-www-form-urlencoded"}, 200, nil)
	again := srv.do(t, request{method: "POST", path: "/v1/send", key: b.key, body: news}, 400, nil)
	if !strings.Contains(string(again.body), "has unsubscribed") {
		t.Errorf("sending again: %s", again.body)
	}
	stream := b.stream(t, "types=recipient.unsubscribed", nil)
	if e := stream.mustNext(t); e.Kind != "recipient.unsubscribed" || e.EmailID != sent.ID {
		t.Errorf("the event is %+v", e)
	}
	srv.kill(t)
	srv.start(t)
	var list struct {
		Suppressions []struct{ Address, Reason string }
	}
	srv.get(t, b.key, "/v1/suppressions", &list)
	if len(list.Suppressions) != 1 || list.Suppressions[0].Reason != "unsubscribe" {
		t.Errorf("after a crash: %+v", list)
	}
	srv.do(t, request{method: "DELETE", path: "/v1/suppressions?address=ann%40far.example", key: b.key}, 200, nil)
	srv.do(t, request{method: "POST", path: "/v1/send", key: b.key, body: news}, 200, nil)
}
