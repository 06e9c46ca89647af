package smtpd

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/certtest"
)

// testTLS is a server configuration with a certificate of its own, shared with HTTP as in a real deployment, and one
// for a client that trusts it.
func testTLS(t testing.TB) (server, client *tls.Config) {
	t.Helper()
	made := certtest.Issue(t, &x509.Certificate{DNSNames: []string{"mx.test"}, NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true}, nil)
	server = &tls.Config{Certificates: []tls.Certificate{made}, NextProtos: []string{"h2", "http/1.1"}}
	return server, &tls.Config{RootCAs: certtest.Trusting(made), ServerName: "mx.test"}
}

// secure goes on over TLS.
func (c *client) secure(cfg *tls.Config) {
	c.t.Helper()
	conn := tls.Client(c.conn, cfg)
	if err := conn.Handshake(); err != nil {
		c.t.Fatal(err)
	}
	c.conn, c.in = conn, bufio.NewReader(conn)
}

func TestStartTLS(t *testing.T) {
	server, trusting := testTLS(t)
	p := &post{}
	_, addr := start(t, Config{TLS: server}, p)
	c := dial(t, addr)
	c.play("S: 220\nC: EHLO client.test")
	if offer := c.expectReply("250"); !slices.Contains(offer, "250-STARTTLS") {
		t.Errorf("offered %q", offer)
	}
	c.play(`
		C: STARTTLS now
		S: 501 5.5.4
		C: MAIL FROM:<before@client.test>
		S: 250
		C: STARTTLS
		S: 220 2.0.0`)
	c.secure(trusting)
	c.play(`
		C: RCPT TO:<bob@mx.test>
		S: 503 5.5.1 Send MAIL first
		C: MAIL FROM:<a@b>
		S: 503 5.5.1 Say hello first
		C: EHLO inside.test`)
	if offer := c.expectReply("250"); slices.Contains(offer, "250-STARTTLS") {
		t.Errorf("offered again: %q", offer)
	}
	c.play(`
		C: STARTTLS
		S: 503 5.5.1
		C: MAIL FROM:<a@b>
		S: 250
		C: RCPT TO:<bob@mx.test>
		S: 250
		C: DATA
		S: 354`)
	c.send(strings.Repeat("large\r\n", 50_000) + ".\r\n")
	c.play("S: 250 2.0.0 Stored\nC: QUIT\nS: 221\nX")
	if got := p.stored[0]; got.env.Proto != "ESMTPS" || got.env.Helo != "inside.test" || len(got.body) != 350_000 {
		t.Errorf("%+v, %d bytes", got.env, len(got.body))
	}
}

func TestStartTLSRefusals(t *testing.T) {
	server, trusting := testTLS(t)
	t.Run("commands in plain text behind STARTTLS never run", func(t *testing.T) {
		_, addr := start(t, Config{TLS: server}, &post{})
		dial(t, addr).play(greeted + `
			R: "STARTTLS\r\nMAIL FROM:<injected@client.test>\r\n"
			S: 421 4.7.0
			X`)
	})
	t.Run("no handshake", func(t *testing.T) {
		_, addr := start(t, Config{TLS: server}, &post{})
		c := dial(t, addr)
		c.play(greeted + "C: STARTTLS\nS: 220\nC: NOOP")
		for {
			if _, err := c.in.ReadByte(); err != nil { // a TLS alert, then the end
				break
			}
		}
	})
	t.Run("old TLS", func(t *testing.T) {
		_, addr := start(t, Config{TLS: server}, &post{})
		c := dial(t, addr)
		c.play(greeted + "C: STARTTLS\nS: 220")
		old := trusting.Clone()
		old.MinVersion, old.MaxVersion = tls.VersionTLS10, tls.VersionTLS11
		if err := tls.Client(c.conn, old).Handshake(); err == nil {
			t.Error("TLS 1.1 was taken")
		}
	})
	t.Run("protocols of HTTP are not spoken", func(t *testing.T) {
		_, addr := start(t, Config{TLS: server}, &post{})
		c := dial(t, addr)
		c.play(greeted + "C: STARTTLS\nS: 220")
		cfg := trusting.Clone()
		cfg.NextProtos = []string{"h2"}
		c.secure(cfg)
		if got := c.conn.(*tls.Conn).ConnectionState().NegotiatedProtocol; got != "" {
			t.Errorf("negotiated %q", got)
		}
	})
}
