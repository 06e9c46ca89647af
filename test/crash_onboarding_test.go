package test

import (
	"fmt"
	"net/http"
	"testing"
)

// What was answered on the way to a permanent mailbox holds when the server is killed right after the answer.
func TestKillAfterOnboarding(t *testing.T) {
	t.Parallel()
	srv := start(t)
	var (
		agent      = box{srv: srv, prefix: "/v1"}
		keyed      bootstrapped
		c          claim
		owner      polled
		kept       box
		rotated    string
		idempotent = request{method: "POST", path: "/v1/bootstrap",
			header: http.Header{"Idempotency-Key": {"0123456789abcdef"}}}
	)
	for _, tt := range []struct {
		name  string
		do    func(t *testing.T)
		check func(t *testing.T)
	}{
		{"bootstrap", func(t *testing.T) { agent = srv.bootstrap(t) }, func(t *testing.T) {
			srv.deliver(t, codeMail("100001"), agent.address)
			agent.only(t)
		}},
		{"bootstrap with Idempotency-Key", func(t *testing.T) { srv.do(t, idempotent, 201, &keyed) },
			func(t *testing.T) {
				var again bootstrapped
				if srv.do(t, idempotent, 200, &again); again.Key != keyed.Key {
					t.Errorf("replayed %+v, at first %+v", again, keyed)
				}
			}},
		{"consume", func(t *testing.T) {
			srv.deliver(t, codeMail("100002"), agent.address)
			if a := agent.code(t, "timeout=55&consume=true"); a.value() != "100002" {
				t.Fatalf("got %+v", a)
			}
		}, func(t *testing.T) {
			if a := agent.code(t, "timeout=55&consume=true"); a.value() != "100001" {
				t.Errorf("handed out again: %+v", a)
			}
			if a := agent.code(t, "timeout=55"); a.value() != "100002" {
				t.Errorf("without consume: %+v", a)
			}
		}},
		{"claim start", func(t *testing.T) { c = agent.startClaim(t, `{"name":"kestrel"}`) }, func(t *testing.T) {
			if p := c.poll(t, srv); p.Status != "pending" {
				t.Errorf("polled %+v", p)
			}
		}},
		{"claim confirm", func(t *testing.T) {
			srv.do(t, request{method: "POST", path: "/v1/claim/confirm", key: srv.token,
				body: fmt.Sprintf(`{"session_id":%q}`, c.Session)}, 200, nil)
		}, func(t *testing.T) {
			owner = c.poll(t, srv)
			if owner.Status != "complete" || owner.Mailbox != "kestrel@"+domain {
				t.Fatalf("polled %+v", owner)
			}
			agent.inbox(t)
		}},
		{"first use of the new key", func(t *testing.T) {
			kept = box{srv: srv, address: owner.Mailbox, key: owner.Key, prefix: "/v1"}
			kept.inbox(t)
		}, func(t *testing.T) {
			if a := agent.ask(t, "GET", "/inbox", ""); a.status != 401 {
				t.Errorf("the temporary key: %d %s", a.status, a.body)
			}
			srv.deliver(t, mail("to the old address"), agent.address)
			srv.deliver(t, mail("to the new address"), kept.address)
			if n := len(kept.inbox(t)); n != 4 {
				t.Errorf("%d messages, want 4", n)
			}
		}},
		{"rotate key", func(t *testing.T) {
			a := kept.ask(t, "POST", "/keys/rotate", "")
			var made struct {
				Key string `json:"api_key"`
			}
			if a.into(t, &made); a.status != 201 {
				t.Fatalf("rotate: %d %s", a.status, a.body)
			}
			rotated = made.Key
		}, func(t *testing.T) {
			if a := kept.ask(t, "GET", "/inbox", ""); a.status != 401 {
				t.Errorf("the old key: %d %s", a.status, a.body)
			}
			kept.key = rotated
			kept.inbox(t)
		}},
		{"delete mailbox", func(t *testing.T) {
			if a := kept.ask(t, "DELETE", "/mailbox", ""); a.status != 200 {
				t.Fatalf("delete: %d %s", a.status, a.body)
			}
		}, func(t *testing.T) {
			if a := kept.ask(t, "GET", "/inbox", ""); a.status != 401 {
				t.Errorf("its key: %d %s", a.status, a.body)
			}
			for _, address := range []string{agent.address, kept.address} {
				s := open(t, srv.smtp)
				s.mustAsk(t, "MAIL FROM:<a@example.org>", 250)
				s.mustAsk(t, "RCPT TO:<"+address+">", 550)
			}
		}},
	} {
		tt.do(t)
		srv.kill(t)
		srv.start(t)
		t.Run(tt.name, tt.check)
	}
}
