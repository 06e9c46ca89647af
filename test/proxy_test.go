package test

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// proxied connects and says, as a balancer does, for whom.
func proxied(ctx context.Context, addr, header string) (net.Conn, error) {
	conn, err := (&net.Dialer{Timeout: patience}).DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	_ = conn.SetDeadline(time.Now().Add(2 * patience))
	_, err = io.WriteString(conn, header)
	return conn, err
}

// proxyLine is the header of version 1, proxyBytes that of version 2.
func proxyLine(client string) string {
	if strings.Contains(client, ":") {
		return "PROXY TCP6 " + client + " 2001:db8:ffff::1 40000 25\r\n"
	}
	return "PROXY TCP4 " + client + " 198.51.100.1 40000 25\r\n"
}

func proxyBytes(client string) string {
	ip := net.ParseIP(client).To4()
	return "\r\n\r\n\x00\r\nQUIT\n\x21\x11\x00\x0c" + string(ip) + "\xc6\x33\x64\x01\x9c\x40\x00\x19"
}

// from opens a session as a client with that address has it, behind a balancer.
func (s *server) from(t testing.TB, client string) *session {
	t.Helper()
	conn, err := proxied(t.Context(), s.smtp, proxyLine(client))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	c := &session{conn: conn, in: bufio.NewReader(conn)}
	if r, err := c.read(); err != nil || r.code != 220 {
		t.Fatalf("greeting: %v %v", r, err)
	}
	if err := c.hello(); err != nil {
		t.Fatal(err)
	}
	return c
}

// Behind a balancer, SMTP sessions are those of its clients: in the log of refusals, and for STARTTLS.
func TestProxySMTP(t *testing.T) {
	srv := start(t, "MAILKIN_TRUSTED_PROXIES=127.0.0.0/8", "MAILKIN_PROXY_PROTOCOL=smtp,lmtp")
	for name, header := range map[string]string{"192.0.2.7": proxyLine("192.0.2.7"),
		"192.0.2.8": proxyBytes("192.0.2.8")} {
		for i, addr := range []string{srv.smtp, srv.lmtp} {
			conn, err := proxied(t.Context(), addr, header)
			if err != nil {
				t.Fatal(err)
			}
			s := &session{conn: conn, in: bufio.NewReader(conn), lmtp: i == 1}
			if r, err := s.read(); err != nil || r.code != 220 {
				t.Fatalf("greeting: %v %v", r, err)
			}
			if err := s.hello(); err != nil {
				t.Fatal(err)
			}
			s.mustAsk(t, "STARTTLS", 220)
			secure := tls.Client(conn, &tls.Config{InsecureSkipVerify: true})
			s.conn, s.in = secure, bufio.NewReader(secure)
			if err := s.hello(); err != nil {
				t.Fatal(err)
			}
			s.mustAsk(t, "MAIL FROM:<a@example.org>", 250)
			s.mustAsk(t, fmt.Sprintf("RCPT TO:<%s-%d@%s>", strings.ReplaceAll(name, ".", "-"), i, domain), 550)
			s.mustAsk(t, "QUIT", 221)
			secure.Close()
		}
	}
	bare, err := proxied(t.Context(), srv.smtp, "EHLO client.example and no header\r\n")
	if err != nil {
		t.Fatal(err)
	}
	defer bare.Close()
	if said, _ := io.ReadAll(bare); len(said) > 0 {
		t.Errorf("a session without a header: %q", said)
	}
	var list struct{ Rejects []struct{ To, Remote string } }
	srv.get(t, srv.token, "/v1/rejects", &list)
	if len(list.Rejects) != 4 {
		t.Errorf("%d refusals", len(list.Rejects))
	}
	for _, r := range list.Rejects {
		if !strings.HasPrefix(r.To, strings.ReplaceAll(r.Remote, ".", "-")+"-") {
			t.Errorf("%s was asked for by %s", r.To, r.Remote)
		}
	}
}

// HTTPS behind a balancer: each client has a limit of its own, and nobody is this machine by way of the balancer.
func TestProxyHTTPS(t *testing.T) {
	cert, certFile, keyFile := certificate(t, "mx.test")
	leaf, err := x509.ParseCertificate(cert.Certificate[0])
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(leaf)
	srv := start(t, "MAILKIN_TRUSTED_PROXIES=127.0.0.0/8", "MAILKIN_PROXY_PROTOCOL=http", "MAILKIN_HOSTNAME=mx.test",
		"MAILKIN_BOOTSTRAP_IP_LIMIT=1", "MAILKIN_TLS=files:"+certFile+","+keyFile)
	_, port, _ := strings.Cut(strings.TrimPrefix(srv.http, "https://"), ":")
	bootstrap := func(header string) (int, error) {
		c := &http.Client{Timeout: patience, Transport: checked{&http.Transport{
			DisableKeepAlives: true, TLSClientConfig: &tls.Config{RootCAs: roots, ServerName: "mx.test"},
			DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
				return proxied(ctx, "127.0.0.1:"+port, header)
			},
		}}}
		r, err := http.NewRequest(http.MethodPost, srv.http+"/v1/bootstrap", nil)
		if err != nil {
			return 0, err
		}
		resp, err := c.Do(inTest(t, r))
		if err != nil {
			return 0, err
		}
		return resp.StatusCode, resp.Body.Close()
	}
	for _, step := range []struct {
		name, header string
		want         int
	}{
		{"a client", proxyLine("192.0.2.7"), 201},
		{"the same again", proxyBytes("192.0.2.7"), 429},
		{"another", proxyBytes("192.0.2.8"), 201},
		{"a client that is not named", "PROXY UNKNOWN\r\n", 201},
		{"another of these", "PROXY UNKNOWN\r\n", 429},
	} {
		if status, err := bootstrap(step.header); err != nil || status != step.want {
			t.Errorf("%s: %d %v, want %d", step.name, status, err, step.want)
		}
	}
	if status, err := bootstrap(""); err == nil {
		t.Errorf("without a header: %d", status)
	}
	if !srv.stderr.await("refused a connection from a trusted proxy", srv.ended) {
		t.Errorf("nobody is told: %s", srv.stderr)
	}
}
