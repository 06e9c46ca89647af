package test

import (
	"crypto/tls"
	"fmt"
	"strings"
	"testing"
)

// A server that takes everything, with a password and TLS, and what addresses look like there.
func TestSendRelay(t *testing.T) {
	t.Parallel()
	cert, _, _ := certificate(t, "relay.example")
	secure := &tls.Config{Certificates: []tls.Certificate{cert}}
	for _, tt := range []struct {
		name   string
		relay  *sink
		user   string
		d      draft
		status string
		check  func(m *taken) bool
	}{
		{"password over TLS", &sink{secure: secure, login: "user@x:p%ss/word"}, "user%40x:p%25ss%2Fword@",
			note("hello", "ann@example.com"), "sent",
			func(m *taken) bool { return m.tls && m.user == "user@x" && m.hello == domain }},
		{"without TLS on this machine", &sink{login: "user:password"}, "user:password@",
			note("hello", "ann@example.com"), "sent",
			func(m *taken) bool { return !m.tls && m.user == "user" }},
		{"quotes", &sink{}, "", note("hello", `"a b\"c"@example.com`), "sent",
			func(m *taken) bool { return m.to[0] == `"a b\"c"@example.com` }},
		{"a domain with an umlaut", &sink{}, "", note("hello", "Jörg <joerg@exämple.org>"), "sent",
			func(m *taken) bool {
				return m.to[0] == "joerg@xn--exmple-cua.org" && !strings.Contains(m.from, "SMTPUTF8")
			}},
		{"a name with an umlaut", &sink{offers: []string{"SMTPUTF8", "8BITMIME", "SIZE"}}, "",
			note("hello", "jörg@exämple.org"), "sent",
			func(m *taken) bool {
				return strings.HasPrefix(m.to[0], "jörg@") && strings.Contains(m.from, " SMTPUTF8") &&
					strings.Contains(m.from, " BODY=8BITMIME") && strings.Contains(m.from, " SIZE=")
			}},
		{"a name with an umlaut, and a server that cannot", &sink{offers: []string{"8BITMIME"}}, "",
			note("hello", "jörg@example.org"), "bounced", nil},
		{"too large for it", &sink{offers: []string{"SIZE 2000"}}, "", note("hello", "ann@example.org").with("text",
			strings.Repeat("x ", 2000)), "bounced", nil},
		{"refused", &sink{rcpt: func(string) string { return "550 5.1.1 No such user" }}, "",
			note("hello", "ann@example.com"), "bounced", nil},
		{"pipelining", &sink{offers: []string{"PIPELINING"}}, "", note("hello", addresses(30)...), "sent",
			func(m *taken) bool { return len(m.to) == 1 }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.relay.listen(t, "127.0.0.1")
			srv := start(t, shortStreams, "MAILKIN_OUTBOUND=smtp://"+tt.user+tt.relay.addr)
			b := srv.mailbox(t, "robin")
			s := b.send(t, tt.d)
			d := b.delivery(t, s.ID, tt.status)
			all := tt.relay.all()
			if tt.check == nil {
				if len(all) > 0 || d.Attempts != 1 {
					t.Errorf("%d messages were taken; the delivery is %+v", len(all), d)
				}
				return
			}
			if n := len(b.outgoing(t, s.ID).Deliveries); len(all) != n {
				t.Errorf("%d messages were taken, want %d", len(all), n)
			}
			paths := map[string]bool{}
			for _, m := range all {
				paths[m.from] = true
				if !tt.check(m) {
					t.Errorf("taken from %s to %v, TLS %v, user %q, hello %q", m.from, m.to, m.tls, m.user, m.hello)
				}
			}
			if len(paths) != len(all) {
				t.Errorf("%d return paths for %d recipients", len(paths), len(all))
			}
		})
	}
}

// A password that is wrong, or a relay that is down, keeps the mail and says why; the password is in no log and no
// answer.
func TestSendRelayWrong(t *testing.T) {
	t.Parallel()
	relay := (&sink{login: "user:right"}).listen(t, "127.0.0.1")
	srv := start(t, shortStreams, "MAILKIN_LOG_LEVEL=debug", "MAILKIN_OUTBOUND=smtp://user:wrong-password@"+relay.addr)
	b := srv.mailbox(t, "robin")
	s := b.send(t, note("hello", "ann@example.com"))
	eventually(t, func() error {
		if d := b.outgoing(t, s.ID).Deliveries[0]; d.Attempts != 1 || d.Status != "queued" || d.NextAt == nil ||
			d.Code != 535 {
			return fmt.Errorf("the delivery is %+v", d)
		}
		return nil
	})
	if a := b.ask(t, "GET", "/email?id="+s.ID, ""); strings.Contains(string(a.body)+srv.stderr.String()+
		srv.stdout.String(), "wrong-password") {
		t.Errorf("the password is shown: %s %s %s", a.body, srv.stderr, srv.stdout)
	}
}
