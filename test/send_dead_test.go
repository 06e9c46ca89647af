package test

import (
	"fmt"
	"net"
	"sync"
	"testing"
	"time"
)

// silent is a server that takes connections and says nothing.
func silent(t *testing.T, addr string) string {
	t.Helper()
	l, err := net.Listen("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l.Addr().String()
}

// A destination that does not answer does not hold up the others, however much waits for it.
func TestSendDeadDestination(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		dead  int // destinations
		mails int // to each of them
	}{
		{"one", 1, 200},
		{"many", 12, 50},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dead := silent(t, "127.0.0.1:0")
			_, port, _ := net.SplitHostPort(dead)
			live := (&sink{}).listen(t, "127.0.0.3:"+port)
			z := newZone(t, "127.0.0.1", mailDomain("live.example", "mx.live.example", live.host)...)
			srv := start(t, append([]string{shortStreams, "MAILKIN_DOMAIN=us.example", "MAILKIN_DNS=" + z.addr,
				"MAILKIN_OUTBOUND=direct",
				"MAILKIN_OUTBOUND_PORT=" + port, "MAILKIN_OUTBOUND_ALLOW_PRIVATE=true", "MAILKIN_SHUTDOWN_GRACE=1s"},
				unbounded...)...)
			b := srv.mailbox(t, "robin")
			for i := range tt.dead {
				name := fmt.Sprintf("dead%d.example", i)
				z.add(t, mailDomain(name, "mx."+name, "127.0.0.1")...)
				b.sendMany(t, tt.mails, name)
			}
			began := time.Now()
			b.sendMany(t, 20, "live.example")
			eventually(t, func() error {
				if n := len(live.all()); n != 20 {
					return fmt.Errorf("%d messages have arrived, want 20", n)
				}
				return nil
			})
			took := time.Since(began)
			t.Logf("20 messages took %v", took)
			if took > 10*time.Second {
				t.Errorf("20 messages took %v", took)
			}
		})
	}
}

// sendMany sends messages to a domain, several at a time.
func (b box) sendMany(t *testing.T, count int, domain string) {
	t.Helper()
	var sending sync.WaitGroup
	for i := range 4 {
		sending.Go(func() {
			for n := i; n < count; n += 4 {
				q := request{method: "POST", path: "/v1/send", key: b.key,
					body: note(fmt.Sprint(n), fmt.Sprintf("r%d@%s", n, domain)).String()}
				if a, err := b.srv.try(q); err != nil || a.status != 200 {
					t.Errorf("%d %s %v", a.status, a.body, err)
				}
			}
		})
	}
	sending.Wait()
}

// Servers that take few connections, or few messages over one, get all their mail soon; where the first server of a
// domain does not answer, the next one does.
func TestSendLimitedDestination(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		to   *sink
		mx   []string
	}{
		{"two connections", &sink{most: 2}, nil},
		{"three messages for one connection", &sink{each: 3}, nil},
		{"two connections and one message for each", &sink{most: 2, each: 1}, nil},
		{"first server is dead", &sink{}, []string{"live.example. 60 IN MX 5 mx.dead.example.",
			"mx.dead.example. 60 IN A 127.0.0.4"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tt.to.listen(t, "127.0.0.3")
			z := newZone(t, "127.0.0.1", append(mailDomain("live.example", "mx.live.example", tt.to.host), tt.mx...)...)
			srv := start(t, append([]string{shortStreams, "MAILKIN_DOMAIN=us.example", "MAILKIN_DNS=" + z.addr,
				"MAILKIN_OUTBOUND=direct",
				"MAILKIN_OUTBOUND_PORT=" + tt.to.port, "MAILKIN_OUTBOUND_ALLOW_PRIVATE=true"}, unbounded...)...)
			b := srv.mailbox(t, "robin")
			began := time.Now()
			b.sendMany(t, 60, "live.example")
			eventually(t, func() error {
				if n := len(tt.to.all()); n != 60 {
					return fmt.Errorf("%d messages have arrived, want 60", n)
				}
				return nil
			})
			tt.to.mu.Lock()
			defer tt.to.mu.Unlock()
			t.Logf("60 messages took %v, over at most %d connections", time.Since(began), tt.to.peak)
			if tt.to.peak > 20 {
				t.Errorf("%d connections at once", tt.to.peak)
			}
		})
	}
}
