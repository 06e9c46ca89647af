package transport

import (
	"crypto/sha256"
	"crypto/sha512"
	"crypto/tls"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/dns/dnstest"
)

// direct is a way to servers that are all on one port.
func direct(t *testing.T, z *dnstest.Zone, port uint16, change func(*DirectOptions)) *Direct {
	t.Helper()
	o := DirectOptions{DNS: resolver(t, z), Hostname: "us.example", AllowPrivate: anyAddr, Port: port, Log: testLog(t)}
	if change != nil {
		change(&o)
	}
	d, err := NewDirect(o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// deliver sends a letter to a domain, and says what became of it.
func deliver(t *testing.T, w Way, domain string) Result {
	t.Helper()
	s, r := w.Open(t.Context(), domain)
	if r != nil {
		if s != nil {
			t.Error("a session and a result")
		}
		return *r
	}
	defer s.Close()
	return s.Send(t.Context(), mailOf(letter))
}

func TestOpportunistic(t *testing.T) {
	ca := newAuthority(t)
	starttls := []string{"STARTTLS", "PIPELINING"}
	for _, tt := range []struct {
		name   string
		server *server
		tls    string
		conns  int
		log    string // prefix
	}{
		{"not offered", &server{}, "", 1, "EHLO us.example|MAIL"},
		{"with any certificate", &server{offer: starttls, tls: ca.server(t, "other.example")}, "TLS1.3", 1,
			"EHLO us.example|STARTTLS|TLS|EHLO us.example|MAIL"},
		{"old", &server{offer: starttls, tls: &tls.Config{Certificates: ca.server(t, "x").Certificates,
			MaxVersion: tls.VersionTLS12}}, "TLS1.2", 1, "EHLO us.example|STARTTLS|TLS|EHLO us.example|MAIL"},
		{"refused", &server{offer: starttls, says: map[string]string{"STARTTLS": "454 4.7.0 not now"}}, "", 1,
			"EHLO us.example|STARTTLS|MAIL"},
		{"broken handshake", &server{offer: starttls}, "", 2, "EHLO us.example|STARTTLS|EHLO us.example|MAIL"},
		{"cut", &server{offer: starttls, says: map[string]string{"STARTTLS": cutOff}}, "", 2,
			"EHLO us.example|STARTTLS|EHLO us.example|MAIL"},
		{"words in front", &server{offer: starttls, says: map[string]string{"STARTTLS": "220 go\r\n250 injected"}}, "",
			2, "EHLO us.example|STARTTLS|EHLO us.example|MAIL"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			port := ring(t, tt.server)
			r := deliver(t, direct(t, dnstest.New(t, "a.example. A 127.0.0.2"), port, nil), "a.example")
			if r.Outcome != Delivered || r.TLS != tt.tls || r.Verified || r.Host != "a.example" ||
				r.Addr.String() != "127.0.0.2" {
				t.Errorf("%+v", r)
			}
			if got := tt.server.log(); !strings.HasPrefix(got, tt.log) || tt.server.connections() != tt.conns {
				t.Errorf("heard %s over %d connections", got, tt.server.connections())
			}
		})
	}
}

// Looking whether an idle session is alive does it no harm.
func TestIdleTLSSession(t *testing.T) {
	s := &server{offer: []string{"STARTTLS"}, tls: newAuthority(t).server(t, "x")}
	c := newClient("us.example", nil, testLog(t))
	conn, p := c.open(t.Context(), target{host: "mx.test", address: s.on(t, "127.0.0.1:0"),
		demand: demand{required: true}})
	if p != nil {
		t.Fatalf("%+v", p)
	}
	defer conn.Close()
	for range 3 {
		conn.used = time.Now().Add(-time.Minute)
		if !conn.Alive() {
			t.Fatal("an idle session is dead")
		}
		if r := conn.Send(t.Context(), mailOf(letter)); r.Outcome != Delivered || r.TLS != "TLS1.3" {
			t.Fatalf("%+v", r)
		}
	}
}

// Servers are tried in order until one talks to us.
func TestServersInOrder(t *testing.T) {
	zone := dnstest.New(t, "a.example. MX 10 one.example.", "a.example. MX 20 two.example.",
		"a.example. MX 30 three.example.",
		"one.example. A 127.0.0.2", "two.example. A 127.0.0.3", "three.example. A 127.0.0.4")
	bad := func(greeting string) *server { return &server{says: map[string]string{"": greeting}} }
	for _, tt := range []struct {
		name    string
		servers []*server
		outcome Outcome
		host    string
		text    string
	}{
		{"first", []*server{{}, {}, {}}, Delivered, "one.example", "250 2.0.0 queued as 42"},
		{"second", []*server{bad("554 no"), {}, {}}, Delivered, "two.example", "250 2.0.0 queued as 42"},
		{"third", []*server{bad(cutOff), bad("421 busy"), {}}, Delivered, "three.example", "250 2.0.0 queued as 42"},
		{"none", []*server{bad(cutOff), bad("554 5.7.1 listed"), bad("421 busy")}, Temporary, "two.example",
			"554 5.7.1 listed"},
		{"a refusal of the mail is no reason to ask the next",
			[]*server{{says: map[string]string{"RCPT": "550 5.1.1 no"}}, {}, {}}, Permanent, "one.example",
			"550 5.1.1 no"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			port := ring(t, tt.servers...)
			if r := deliver(t, direct(t, zone, port, nil), "a.example"); r.Outcome != tt.outcome || r.Host != tt.host ||
				r.String() != tt.text {
				t.Errorf("%+v", r)
			}
		})
	}
	t.Run("nobody there", func(t *testing.T) {
		port := ring(t, &server{})
		r := deliver(t, direct(t, dnstest.New(t, "a.example. A 127.0.0.77"), port, nil), "a.example")
		if r.Outcome != Temporary || r.Enhanced != "4.4.1" || r.Host != "a.example" || r.Addr.String() != "127.0.0.77" {
			t.Errorf("%+v", r)
		}
	})
}

// tlsa writes a record for a server.
func tlsa(port uint16, host, rdata string) string {
	return fmt.Sprintf("_%d._tcp.%s. TLSA %s", port, host, rdata)
}

func TestDANE(t *testing.T) {
	ca, stranger := newAuthority(t), newAuthority(t)
	config := ca.server(t, "mx.safe.example")
	leaf := config.Certificates[0].Leaf
	sha2 := func(b []byte) string { s := sha256.Sum256(b); return hex.EncodeToString(s[:]) }
	sha5 := func(b []byte) string { s := sha512.Sum512(b); return hex.EncodeToString(s[:]) }
	with := func(chain ...[]byte) *tls.Config { // another certificate for the name, sent with these
		c := ca.server(t, "mx.safe.example")
		c.Certificates[0].Certificate = append(c.Certificates[0].Certificate[:1], chain...)
		return c
	}
	for _, tt := range []struct {
		name     string
		records  []string // TLSA of the server
		lines    []string
		config   *tls.Config
		outcome  Outcome
		verified bool
		text     string
	}{
		{"server's key", []string{"3 1 1 " + sha2(leaf.RawSubjectPublicKeyInfo)}, nil, config, Delivered, true, ""},
		{"server's key, long", []string{"3 1 2 " + sha5(leaf.RawSubjectPublicKeyInfo)}, nil, config, Delivered, true,
			""},
		{"server's certificate", []string{"3 0 1 " + sha2(leaf.Raw)}, nil, config, Delivered, true, ""},
		{"server's certificate, whole", []string{"3 0 0 " + hex.EncodeToString(leaf.Raw)}, nil, config, Delivered, true,
			""},
		{"server's key, whole", []string{"3 1 0 " + hex.EncodeToString(leaf.RawSubjectPublicKeyInfo)}, nil, config,
			Delivered, true, ""},
		{"one of two", []string{"3 1 1 " + sha2([]byte("old")), "3 1 1 " + sha2(leaf.RawSubjectPublicKeyInfo)}, nil,
			config, Delivered, true, ""},
		{"another key", []string{"3 1 1 " + sha2([]byte("x"))}, nil, config, Temporary, false, "DANE"},
		{"name and time do not matter to the server's own", nil, []string{"OWN"},
			stranger.serverUntil(t, time.Now().Add(-time.Hour), "x.example"), Delivered, true, ""},
		{"authority", []string{"2 0 1 " + sha2(ca.cert.Raw)}, nil, config, Delivered, true, ""},
		{"authority's key", []string{"2 1 2 " + sha5(ca.cert.RawSubjectPublicKeyInfo)}, nil, config, Delivered, true,
			""},
		{"authority, whole, not sent", []string{"2 0 0 " + hex.EncodeToString(ca.cert.Raw)}, nil, with(), Delivered,
			true, ""},
		{"authority, not sent", []string{"2 0 1 " + sha2(ca.cert.Raw)}, nil, with(), Temporary, false, "DANE"},
		{"authority, another name", []string{"2 0 1 " + sha2(ca.cert.Raw)}, nil, ca.server(t, "x.example"), Temporary,
			false, "DANE"},
		{"authority, name of the domain", []string{"2 0 1 " + sha2(ca.cert.Raw)}, nil, ca.server(t, "safe.example"),
			Delivered, true, ""},
		{"authority, too late", []string{"2 0 1 " + sha2(ca.cert.Raw)}, nil,
			ca.serverUntil(t, time.Now().Add(-time.Hour), "mx.safe.example"), Temporary, false, "DANE"},
		{"authority that signed nothing", []string{"2 0 1 " + sha2(stranger.cert.Raw)}, nil, with(stranger.cert.Raw),
			Temporary, false, "DANE"},
		{"server named as authority", []string{"2 0 1 " + sha2(leaf.Raw)}, nil, config, Temporary, false, "DANE"},
		{"nothing usable", []string{"1 0 1 " + sha2(leaf.Raw), "3 1 1 00ff", "3 9 1 " + sha2(leaf.Raw), "3 1 9 00"},
			nil, config, Delivered, false, ""},
		{"nothing usable and no TLS", []string{"0 0 1 " + sha2(leaf.Raw)}, nil, nil, Temporary, false, "DANE"},
		{"no TLS", []string{"3 1 1 " + sha2(leaf.RawSubjectPublicKeyInfo)}, nil, nil, Temporary, false, "DANE"},
		{"lookup fails", nil, []string{"BOGUS"}, config, Temporary, false, "TLSA"},
		{"no records", nil, nil, config, Delivered, false, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := &server{offer: []string{"STARTTLS"}, tls: tt.config}
			port := ring(t, s)
			z := dnstest.New(t, "safe.example SECURE", "safe.example. MX 10 mx.safe.example.",
				"mx.safe.example. A 127.0.0.2")
			for _, r := range tt.records {
				z.Add(t, tlsa(port, "mx.safe.example", r))
			}
			for _, line := range tt.lines {
				switch line {
				case "BOGUS":
					z.Add(t, fmt.Sprintf("_%d._tcp.mx.safe.example BOGUS", port))
				case "OWN":
					z.Add(t, tlsa(port, "mx.safe.example",
						"3 1 1 "+sha2(tt.config.Certificates[0].Leaf.RawSubjectPublicKeyInfo)))
				}
			}
			r := deliver(t, direct(t, z, port, nil), "safe.example")
			if r.Outcome != tt.outcome || r.Verified != tt.verified || !strings.Contains(r.Text, tt.text) {
				t.Errorf("%+v", r)
			}
			if r.Outcome == Delivered && r.TLS == "" {
				t.Error("without TLS")
			}
			seen := watched(t, direct(t, z, port, nil), "safe.example", false)
			want := "tlsa ; session true"
			if tt.name == "nothing usable" {
				want = "tlsa tlsa-invalid; session true" // RFC 8460 4.3.2.1
			}
			if tt.name != "no records" && (r.Outcome == Delivered) != (seen == want) {
				t.Errorf("seen: %s", seen)
			}
		})
	}
}

// TLSA records count only where DNSSEC vouches for everything that led to them.
func TestDANENeedsDNSSEC(t *testing.T) {
	wrong := "3 1 1 " + strings.Repeat("00", 32) // with it, nothing is delivered where it counts
	for _, tt := range []struct {
		name    string
		lines   []string
		outcome Outcome
	}{
		{"all of it", []string{"safe.example. MX 10 mx.safe.example.", "mx.safe.example. A 127.0.0.2"}, Temporary},
		{"no MX", []string{"safe.example. A 127.0.0.2"}, Temporary},
		{"MX is not", []string{"safe.example. CNAME plain.example.", "plain.example. MX 10 mx.safe.example.",
			"mx.safe.example. A 127.0.0.2"}, Delivered},
		{"address is not", []string{"safe.example. MX 10 mx.safe.example.", "mx.safe.example. CNAME mx.plain.example.",
			"mx.plain.example. A 127.0.0.2"}, Delivered},
		{"records are not", []string{"safe.example. MX 10 mx.safe.example.", "mx.safe.example. A 127.0.0.2", "ALIAS"},
			Delivered},
		{"alias that is", []string{"safe.example. MX 10 alias.safe.example.",
			"alias.safe.example. CNAME mx.safe.example.", "mx.safe.example. A 127.0.0.2"}, Temporary},
		{"records at the alias itself", []string{"safe.example. MX 10 mx.safe.example.",
			"mx.safe.example. CNAME end.safe.example.", "end.safe.example. A 127.0.0.2"}, Temporary},
	} {
		t.Run(tt.name, func(t *testing.T) {
			port := ring(t, &server{offer: []string{"STARTTLS"}, tls: newAuthority(t).server(t, "x")})
			z := dnstest.New(t, "safe.example SECURE")
			at := "mx.safe.example"
			for _, line := range tt.lines {
				switch {
				case line == "ALIAS":
					z.Add(t, fmt.Sprintf("_%d._tcp.mx.safe.example. CNAME _%d._tcp.mx.plain.example.", port, port))
					at = "mx.plain.example"
				default:
					z.Add(t, line)
				}
			}
			z.Add(t, tlsa(port, at, wrong))
			if tt.name == "no MX" {
				z.Add(t, tlsa(port, "safe.example", wrong))
			}
			if r := deliver(t, direct(t, z, port, nil), "safe.example"); r.Outcome != tt.outcome {
				t.Errorf("%+v", r)
			}
		})
	}
}
