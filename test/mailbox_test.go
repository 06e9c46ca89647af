package test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// A paused mailbox answers nothing and puts its mail off; resumed, it goes on.
func TestPause(t *testing.T) {
	t.Parallel()
	srv := start(t)
	for _, prefix := range []string{"/v1", "/api"} {
		t.Run(prefix, func(t *testing.T) {
			b := srv.mailbox(t, "pause-"+prefix[1:])
			b.prefix = prefix
			if a := b.ask(t, "PATCH", "/mailbox/pause", `{"reason":"holiday"}`); a.status != 200 ||
				!strings.Contains(string(a.body), `"paused_by":"owner"`) {
				t.Fatalf("pause: %d %s", a.status, a.body)
			}
			for _, path := range []string{"/inbox", "/mailbox", "/nothing", "/stats?mailbox=other@" + domain} {
				if a := b.ask(t, "GET", path, ""); a.status != 403 || string(a.body) != paused {
					t.Errorf("%s: %d %s", path, a.status, a.body)
				}
			}
			c := open(t, srv.smtp)
			r, err := c.send(envelope{from: "a@example.org", to: []string{b.address}}, []byte(mail("put off")), byDATA)
			if err != nil || r.code != 450 || !strings.HasPrefix(r.lines[0], "4.2.1") {
				t.Fatalf("got %v %v, want 450 4.2.1", r, err)
			}
			if a := b.ask(t, "PATCH", "/mailbox/resume", ""); a.status != 200 {
				t.Fatalf("resume: %d %s", a.status, a.body)
			}
			srv.deliver(t, mail("put off"), b.address)
			b.only(t)
			var list struct{ Rejects []struct{ To, Reply string } }
			srv.get(t, b.key, prefix+"/rejects", &list)
			if len(list.Rejects) != 1 || list.Rejects[0].To != b.address || !strings.HasPrefix(list.Rejects[0].Reply,
				"450 4.2.1") {
				t.Errorf("rejects %+v", list)
			}
		})
	}
}

// What the operator paused only the operator resumes.
func TestModeration(t *testing.T) {
	t.Parallel()
	srv := start(t)
	b := srv.mailbox(t, "naughty")
	srv.do(t, request{method: "PATCH", path: "/v1/mailboxes/" + b.address + "/pause", key: srv.token}, 200, nil)
	if a := b.ask(t, "PATCH", "/mailbox/resume", ""); a.status != 403 || !strings.Contains(string(a.body),
		`"code":"moderated"`) {
		t.Errorf("resume by the owner: %d %s", a.status, a.body)
	}
	srv.do(t, request{method: "PATCH", path: "/v1/mailboxes/" + b.address + "/resume", key: srv.token}, 200, nil)
	b.inbox(t)
	var log struct {
		Audit []struct{ Action, Mailbox string }
	}
	srv.get(t, srv.token, "/v1/audit", &log)
	if len(log.Audit) < 3 || log.Audit[0].Mailbox != b.address {
		t.Errorf("audit %+v", log)
	}
}

// A deleted mailbox is gone at once: its keys, its address, its large messages. Recreated, it is empty.
func TestDeleteMailbox(t *testing.T) {
	t.Parallel()
	srv := start(t)
	b := srv.mailbox(t, "leaving")
	srv.deliver(t, mail("small"), b.address)
	srv.deliver(t, string(largeMail("large", 300_000, 1)), b.address)
	if n := len(blobFiles(t, srv)); n != 1 {
		t.Fatalf("%d blobs, want 1", n)
	}
	a := b.ask(t, "DELETE", "/mailbox", "")
	if want := fmt.Sprintf(`{"ok":true,"deleted":%q,"blobs_deleted":1,"r2_blobs_deleted":1}`,
		b.address); a.status != 200 || string(a.body) != want {
		t.Fatalf("got %d %s, want %s", a.status, a.body, want)
	}
	if a := b.ask(t, "GET", "/inbox", ""); a.status != 401 || string(a.body) != unauthorized {
		t.Errorf("its key: %d %s", a.status, a.body)
	}
	c := open(t, srv.smtp)
	c.mustAsk(t, "MAIL FROM:<a@example.org>", 250)
	c.mustAsk(t, "RCPT TO:<"+b.address+">", 550)
	if left := blobFiles(t, srv); len(left) > 0 {
		t.Errorf("left in the blob folder: %v", left)
	}
	again := srv.mailbox(t, "leaving")
	if s := again.stats(t); s.Total != 0 || s.Storage != 0 || len(again.inbox(t)) != 0 {
		t.Errorf("stats of the new one %+v", s)
	}
	if a := b.ask(t, "GET", "/inbox", ""); a.status != 401 {
		t.Errorf("the old key opens the new mailbox: %d", a.status)
	}
}

// A mailbox deleted between RCPT and the end of the message is refused then.
func TestDeleteDuringDATA(t *testing.T) {
	t.Parallel()
	srv := start(t)
	b := srv.mailbox(t, "sudden")
	c := open(t, srv.smtp)
	c.mustAsk(t, "MAIL FROM:<a@example.org>", 250)
	c.mustAsk(t, "RCPT TO:<"+b.address+">", 250)
	c.mustAsk(t, "DATA", 354)
	b.ask(t, "DELETE", "/mailbox", "")
	if err := c.write(stuffed([]byte(mail("too late")))); err != nil {
		t.Fatal(err)
	}
	c.mustRead(t, 550)
}

// A key that controls its mailbox changes it by its address as the operator does, and no other's.
func TestControlByAddress(t *testing.T) {
	t.Parallel()
	srv := start(t)
	b, other := srv.mailbox(t, "own"), srv.mailbox(t, "other")
	var made struct {
		Key string `json:"api_key"`
	}
	srv.do(t, request{method: "POST", path: "/v1/mailboxes/" + b.address + "/keys", key: srv.token,
		body: `{"capabilities":["control"]}`}, 201, &made)
	for _, tt := range []struct {
		address, key string
		status       int
	}{{b.address, made.Key, 200}, {other.address, made.Key, 403}, {b.address, b.key, 403},
		{b.address, srv.token, 200}} {
		a := srv.ask(t, request{method: "PATCH", path: "/v1/mailboxes/" + tt.address, key: tt.key,
			body: `{"undo_seconds":7}`})
		if a.status != tt.status {
			t.Errorf("%s: %d %s, want %d", tt.address, a.status, a.body, tt.status)
		}
	}
	if a := srv.ask(t, request{method: "DELETE", path: "/v1/mailboxes/" + b.address, key: made.Key}); a.status != 403 {
		t.Errorf("delete: %d", a.status)
	}
}

func TestKeys(t *testing.T) {
	t.Parallel()
	srv := start(t)
	b := srv.mailbox(t, "keys")
	var made struct {
		ID  string
		Key string `json:"api_key"`
	}
	srv.do(t, request{method: "POST", path: "/v1/mailboxes/" + b.address + "/keys", key: srv.token}, 201, &made)
	second := box{srv: srv, address: b.address, key: made.Key, prefix: "/v1"}
	second.inbox(t)

	a := second.ask(t, "POST", "/keys/rotate", "")
	if a.status != 201 {
		t.Fatalf("rotate: %d %s", a.status, a.body)
	}
	a.into(t, &made)
	if a := second.ask(t, "GET", "/inbox", ""); a.status != 401 {
		t.Errorf("the rotated key: %d", a.status)
	}
	second.key = made.Key
	second.inbox(t)

	var list struct {
		Keys []struct{ ID, Prefix, Scope string }
	}
	answer := srv.do(t, request{path: "/v1/mailboxes/" + b.address + "/keys", key: srv.token}, 200, &list)
	if len(list.Keys) != 2 || strings.Contains(string(answer.body), b.key[3:]) {
		t.Fatalf("keys %s", answer.body)
	}
	srv.do(t, request{method: "DELETE", path: "/v1/keys/" + list.Keys[0].ID, key: srv.token}, 200, nil)
	if a := b.ask(t, "GET", "/inbox", ""); a.status != 401 {
		t.Errorf("the revoked key: %d", a.status)
	}
	second.inbox(t)
	if a := srv.ask(t, request{method: "DELETE", path: "/v1/keys/" + list.Keys[0].ID,
		key: srv.token}); a.status != http.StatusNotFound {
		t.Errorf("revoked again: %d", a.status)
	}
}
