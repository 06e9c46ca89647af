package test

import (
	"fmt"
	"net"
	"net/http"
	"testing"
	"time"
)

// ownAddress is an address of this machine that others could reach it by. Without one the test is skipped.
func ownAddress(t *testing.T) string {
	t.Helper()
	addrs, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range addrs {
		if n, ok := a.(*net.IPNet); ok && n.IP.IsGlobalUnicast() && n.IP.To4() != nil {
			return n.IP.String()
		}
	}
	t.Skip("this machine has no address but loopback")
	return ""
}

// sameDay skips a test that counts by the day where the day is about to end.
func sameDay(t *testing.T) {
	t.Helper()
	if now := time.Now().UTC(); now.Truncate(24*time.Hour) != now.Add(time.Minute).Truncate(24*time.Hour) {
		t.Skip("the day (UTC) ends in less than a minute")
	}
}

// bootstrapFrom asks for a temporary mailbox with headers and wants a status, and a code where it is refused.
func (s *server) bootstrapFrom(t *testing.T, header http.Header, status int, code string) {
	t.Helper()
	a := s.ask(t, request{method: "POST", path: "/v1/bootstrap", header: header})
	if a.status != status {
		t.Errorf("%v: got %d %s, want %d", header, a.status, a.body, status)
		return
	}
	if status == http.StatusTooManyRequests {
		checkError(t, a, true, code)
		if a.header.Get("Retry-After") == "" {
			t.Errorf("no Retry-After: %v", a.header)
		}
	}
}

func forwarded(values ...string) http.Header { return http.Header{"X-Forwarded-For": values} }

// Nobody gets around the limit of their address by saying that they are somebody else.
func TestSpoofedAddress(t *testing.T) {
	t.Parallel()
	sameDay(t)
	addr := ownAddress(t)
	srv := start(t, "MAILKIN_HTTP_ADDR="+addr+":0", "MAILKIN_BOOTSTRAP_IP_LIMIT=2")
	srv.bootstrapFrom(t, nil, 201, "")
	srv.bootstrapFrom(t, forwarded("203.0.113.1"), 201, "")
	for i, header := range []http.Header{nil, forwarded("203.0.113.2"), forwarded("127.0.0.1"), forwarded("::1"),
		forwarded("203.0.113.3, " + addr),
		forwarded("203.0.113.4", "203.0.113.5"), {"Forwarded": {"for=203.0.113.6"}}, {"X-Real-Ip": {"203.0.113.7"}},
		{"Cf-Connecting-Ip": {"203.0.113.8"}}, {"True-Client-Ip": {"203.0.113.9"}}} {
		srv.bootstrapFrom(t, header, 429, "provisional_daily_limit")
		if i == 1 {
			srv.restart(t) // what was counted is kept
		}
	}
	a := srv.ask(t, request{method: "POST", path: "/v1/claim/start", body: `{"name":"robin"}`,
		header: forwarded("203.0.113.10")})
	if a.status != 429 {
		t.Errorf("a claim beyond the limit: %d %s", a.status, a.body)
	}
	checkError(t, a, true, "provisional_daily_limit")
}

// Behind a trusted proxy the limit is that of the client it names, and of nobody whom the client names.
func TestTrustedProxy(t *testing.T) {
	t.Parallel()
	sameDay(t)
	srv := start(t, "MAILKIN_TRUSTED_PROXIES=127.0.0.1,10.0.0.0/8", "MAILKIN_BOOTSTRAP_IP_LIMIT=2")
	for _, tt := range []struct {
		name   string
		header http.Header
		status int
	}{
		{"first", forwarded("203.0.113.1"), 201},
		{"second", forwarded("203.0.113.1"), 201},
		{"third", forwarded("203.0.113.1"), 429},
		{"with a port", forwarded("203.0.113.1:40000"), 429},
		{"behind a second proxy", forwarded("203.0.113.1, 10.1.2.3"), 429},
		{"in two lines", forwarded("203.0.113.1", "10.1.2.3"), 429},
		{"with what the client said", forwarded("198.51.100.7, 203.0.113.1"), 429},
		{"with the proxy's own name in it", forwarded("127.0.0.1, 203.0.113.1"), 429},
		{"IPv4 in IPv6", forwarded("::ffff:203.0.113.1"), 429},
		{"another client", forwarded("203.0.113.2"), 201},
		{"IPv6", forwarded("2001:db8::1"), 201},
		{"IPv6, the same network", forwarded("2001:db8::2"), 201},
		{"IPv6, the same network again", forwarded("2001:db8::ffff:1"), 429},
		{"IPv6, another network", forwarded("2001:db8:0:1::1"), 201},
		{"a client that the proxy does not name", nil, 201},
		{"another", forwarded("unknown"), 201},
		{"all such are one", nil, 429},
	} {
		t.Run(tt.name, func(t *testing.T) { srv.bootstrapFrom(t, tt.header, tt.status, "provisional_daily_limit") })
	}
}

// A client on this machine has no limit of its own, and counts against the deployment's. What it forwards is not
// believed.
func TestLoopbackClient(t *testing.T) {
	t.Parallel()
	sameDay(t)
	srv := start(t, "MAILKIN_BOOTSTRAP_IP_LIMIT=1", "MAILKIN_BOOTSTRAP_GLOBAL_LIMIT=5")
	for i := range 4 {
		srv.bootstrapFrom(t, forwarded(fmt.Sprintf("203.0.113.%d", i%2)), 201, "")
	}
	box{srv: srv}.startClaim(t, `{"name":"robin"}`)
	srv.bootstrapFrom(t, nil, 429, "global_bootstrap_limit")
	srv.restart(t)
	srv.bootstrapFrom(t, forwarded("203.0.113.9"), 429, "global_bootstrap_limit")
}

// An Idempotency-Key is its client's own: the same one from another address gives another mailbox.
func TestReplayIsForOneClient(t *testing.T) {
	t.Parallel()
	srv := start(t, "MAILKIN_TRUSTED_PROXIES=127.0.0.1")
	ask := func(client string, status int) (made bootstrapped) {
		t.Helper()
		header := forwarded(client)
		header.Set("Idempotency-Key", "0123456789abcdef")
		srv.do(t, request{method: "POST", path: "/v1/bootstrap", header: header}, status, &made)
		return made
	}
	mine, theirs := ask("203.0.113.1", 201), ask("203.0.113.2", 201)
	if mine.Key == theirs.Key || mine.Mailbox == theirs.Mailbox {
		t.Errorf("two clients have %+v", mine)
	}
	if again := ask("203.0.113.1, 127.0.0.1", 200); again.Key != mine.Key {
		t.Errorf("got %+v, at first %+v", again, mine)
	}
}
