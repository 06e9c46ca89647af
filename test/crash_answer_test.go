package test

import (
	"fmt"
	"testing"
)

// Whatever was answered with success is still so when the server is killed right after the answer.
func TestKillAfterAnswer(t *testing.T) {
	t.Parallel()
	srv := start(t)
	b := srv.mailbox(t, "survivor")
	srv.deliver(t, mail("to change"), b.address)
	srv.deliver(t, mail("to delete"), b.address)
	list := b.inbox(t)
	toDelete, toChange := list[0].ID, list[1].ID
	large := largeMail("large", 300_000, 3)

	bySMTP := func(addr func() string, by sender, message []byte) func(t *testing.T) {
		return func(t *testing.T) {
			c := open(t, addr())
			r, err := c.send(envelope{from: "a@example.org", to: []string{b.address}}, message, by)
			if err != nil || r.code != 250 {
				t.Fatalf("got %v %v", r, err)
			}
		}
	}
	smtp, lmtp := func() string { return srv.smtp }, func() string { return srv.lmtp }
	byHTTP := func(method, path, body, kind, key string, status int) func(*testing.T) {
		return func(t *testing.T) {
			if key == "" {
				key = srv.token
			}
			srv.do(t, request{method: method, path: path, key: key, body: body, kind: kind}, status, nil)
		}
	}
	has := func(subject string) func(*testing.T) {
		return func(t *testing.T) {
			for _, e := range b.inbox(t) {
				if e.Subject == subject {
					b.raw(t, e.ID)
					return
				}
			}
			t.Errorf("no message %q", subject)
		}
	}
	for _, tt := range []struct {
		name  string
		do    func(*testing.T)
		check func(*testing.T)
	}{
		{"DATA", bySMTP(smtp, byDATA, []byte(mail("by DATA"))), has("by DATA")},
		{"BDAT", bySMTP(smtp, byBDAT, []byte(mail("by BDAT"))), has("by BDAT")},
		{"LMTP", bySMTP(lmtp, byDATA, []byte(mail("by LMTP"))), has("by LMTP")},
		{"large", bySMTP(smtp, byDATA, large), has("large")},
		{"ingest", byHTTP("POST", "/v1/ingest?mailbox="+b.address, mail("by HTTP"), "message/rfc822", "", 201),
			has("by HTTP")},
		{"change", byHTTP("PATCH", "/v1/email?id="+toChange, `{"seen":true,"add_labels":["kept"]}`, "", b.key, 200),
			func(t *testing.T) {
				if e := b.email(t, toChange); !e.Seen || fmt.Sprint(e.Labels) != "[personal kept]" &&
					fmt.Sprint(e.Labels) != "[kept personal]" {
					t.Errorf("got %+v", e)
				}
			}},
		{"delete", byHTTP("DELETE", "/v1/email?id="+toDelete, "", "", b.key, 200), func(t *testing.T) {
			if a := b.ask(t, "GET", "/email?id="+toDelete, ""); a.status != 404 {
				t.Errorf("got %d %s", a.status, a.body)
			}
		}},
		{"create mailbox", byHTTP("POST", "/v1/mailboxes", `{"name":"made"}`, "", "", 201), func(t *testing.T) {
			srv.do(t, request{path: "/v1/mailboxes/made@" + domain, key: srv.token}, 200, nil)
		}},
		{"pause", byHTTP("PATCH", "/v1/mailboxes/made@"+domain+"/pause", "", "", "", 200), func(t *testing.T) {
			var record struct{ Status string }
			srv.get(t, srv.token, "/v1/mailboxes/made@"+domain, &record)
			if record.Status != "paused" {
				t.Errorf("got %+v", record)
			}
		}},
		{"delete mailbox", byHTTP("DELETE", "/v1/mailboxes/made@"+domain, "", "", "", 200), func(t *testing.T) {
			srv.do(t, request{path: "/v1/mailboxes/made@" + domain, key: srv.token}, 404, nil)
		}},
	} {
		tt.do(t)
		srv.kill(t)
		srv.start(t)
		t.Run(tt.name, tt.check)
	}
	if s := b.stats(t); s.Total != 6 || len(b.inbox(t)) != 6 {
		t.Errorf("stats %+v for %d messages", s, len(b.inbox(t)))
	}
}
