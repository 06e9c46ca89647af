package sender

import (
	"context"
	"errors"
	"io"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/emersion/go-msgauth/dkim"
	"github.com/miekg/dns"
	"golang.org/x/net/dns/dnsmessage"
)

// TestCheck goes over a real network to a real DNS server.
func TestCheck(t *testing.T) {
	z := keyZone(t, "example.com. MX 10 mx.example.com.", "mx.example.com. A 192.0.2.1", "alias.example.net. CNAME example.com.").
		text("example.com", "v=spf1 mx -all").
		text("_dmarc.example.com", "v=DMARC1; p=quarantine")
	for i := range 40 { // more than one packet
		z.text("example.com", "verification="+strings.Repeat("x", i))
	}
	c, err := New(Options{Resolver: z.serve(t), Log: testLog(t)})
	if err != nil {
		t.Fatal(err)
	}
	raw := signed(t, plainMail, "relaxed/relaxed", dkim.SignOptions{})
	for _, tt := range []struct {
		name string
		mail Mail
		want Result
	}{
		{"good", mailOf(raw, "x@example.com", "ann@example.com"),
			Result{pass, pass, pass, none, true, "quarantine", []string{"example.com"}, true}},
		{"changed", mailOf(raw+"x", "x@example.net", "ann@example.com"),
			Result{none, fail, fail, none, false, "quarantine", nil, true}},
		{"alias", mailOf(plainMail, "x@alias.example.net", "ann@example.com"),
			Result{pass, none, fail, none, false, "quarantine", nil, true}},
		{"no mail at all", Mail{}, Result{none, none, none, none, false, "", nil, true}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for range 2 { // asked, and remembered
				got := c.Check(t.Context(), tt.mail)
				if !slices.Equal(got.Domains, tt.want.Domains) {
					t.Errorf("domains %v", got.Domains)
				}
				got.Domains = tt.want.Domains
				if got.SPF != tt.want.SPF || got.DKIM != tt.want.DKIM || got.DMARC != tt.want.DMARC || got.FromAligned != tt.want.FromAligned ||
					got.Policy != tt.want.Policy || got.ARC != none || !got.Checked {
					t.Errorf("%+v, want %+v", got, tt.want)
				}
			}
		})
	}
	if n := z.count("example.com TXT"); n != 2 { // over UDP, then over TCP
		t.Errorf("the policy was asked for %d times", n)
	}
}

func TestOff(t *testing.T) {
	c, err := New(Options{Resolver: "off"})
	if err != nil {
		t.Fatal(err)
	}
	r := c.Check(t.Context(), mailOf(plainMail, "x@example.com", "ann@example.com"))
	if r.Checked || r.SPF != none || r.DKIM != none || r.DMARC != none || r.ARC != none || r.FromAligned {
		t.Errorf("%+v", r)
	}
}

func TestResolverSetting(t *testing.T) {
	for setting, want := range map[string]string{
		"192.0.2.53:5353": "192.0.2.53:5353", "dns.example:53": "dns.example:53", "192.0.2.53": "192.0.2.53:53", "2001:db8::53": "[2001:db8::53]:53",
		"[2001:db8::53]:5353": "[2001:db8::53]:5353", "dns.example": "", ":53": "", "x:": "", "of": "",
	} {
		servers, err := serversOf(setting)
		switch {
		case want == "" && !errors.Is(err, errNoAddress):
			t.Errorf("%s: %v", setting, err)
		case want != "" && (err != nil || !slices.Equal(servers(), []string{want})):
			t.Errorf("%s: %v", setting, err)
		}
		if _, err := New(Options{Resolver: setting}); (err != nil) != (want == "") {
			t.Errorf("New with %s: %v", setting, err)
		}
	}
}

func TestSystemServers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "resolv.conf")
		write := func(text string) {
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		s := &systemServers{file: file}
		local := []string{"127.0.0.1:53"}
		if got := s.list(); !slices.Equal(got, local) {
			t.Errorf("no file: %v", got)
		}
		write("# nameserver 192.0.2.9\nsearch example.com\nnameserver 192.0.2.1\n nameserver\t2001:db8::1 # x\nnameserver x\n" +
			"nameserver fe80::1%eth0\nnameserver 192.0.2.4\noptions edns0\n")
		if got := s.list(); !slices.Equal(got, local) {
			t.Errorf("read too soon: %v", got)
		}
		time.Sleep(reread + 1)
		if got, want := s.list(), []string{"192.0.2.1:53", "[2001:db8::1]:53", "[fe80::1%eth0]:53"}; !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	})
}

// A port where nobody is says so: that takes no time.
func TestClosedPort(t *testing.T) {
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := conn.LocalAddr().String()
	conn.Close()
	c, err := New(Options{Resolver: addr, Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	r := c.Check(t.Context(), mailOf(plainMail, "x@example.com", "x@example.com"))
	if took := time.Since(start); r.SPF != temperror || r.DMARC != temperror || took > 10*time.Second {
		t.Errorf("%+v after %s", r, took)
	}
}

// A server that says nothing to some names, over a real network.
func TestSilentServer(t *testing.T) {
	z := newZone(t, "example.com SILENT").text("_dmarc.example.com", "v=DMARC1; p=reject")
	c, err := New(Options{Resolver: z.serve(t), Timeout: 500 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if r := c.Check(t.Context(), mailOf(plainMail, "x@example.com", "x@example.com")); r.SPF != temperror || r.DMARC != temperror || r.Policy != "reject" {
		t.Errorf("%+v", r)
	}
	if n := z.count("example.com TXT"); n < 2 || n > tries {
		t.Errorf("asked %d times", n)
	}
}

// pipes is a network without time: every connection is handed to serve.
func pipes(serve func(network, address string, conn net.Conn)) func(context.Context, string, string) (net.Conn, error) {
	return func(_ context.Context, network, address string) (net.Conn, error) {
		ours, theirs := net.Pipe()
		go func() { defer theirs.Close(); serve(network, address, theirs) }()
		return ours, nil
	}
}

func TestServersInTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var asked []string
		z := newZone(t).text("example.com", "x")
		c := newClient(func() []string { return []string{"dead", "broken", "good"} }, 3*time.Second)
		c.dial = pipes(func(_, address string, conn net.Conn) {
			mu.Lock()
			asked = append(asked, address)
			mu.Unlock()
			buf := make([]byte, 512)
			n, err := conn.Read(buf)
			req := new(dns.Msg)
			if err != nil || req.Unpack(buf[:n]) != nil {
				return
			}
			m := z.reply(req)
			switch address {
			case "dead":
				_, _ = conn.Read(buf)
				return
			case "broken":
				m.SetRcode(req, dns.RcodeServerFailure)
			}
			packed, _ := m.Pack()
			_, _ = conn.Write(packed)
		})
		start := time.Now()
		if a, err := c.ask(t.Context(), txtOf("example.com")); err != nil || a.outcome != found || time.Since(start) != time.Second {
			t.Errorf("%+v, %v after %s", a, err, time.Since(start))
		}
		if a, err := c.ask(t.Context(), txtOf("example.com")); err != nil || a.outcome != found || time.Since(start) != time.Second {
			t.Errorf("again: %+v, %v after %s", a, err, time.Since(start))
		}
		if want := []string{"dead", "broken", "good", "good"}; !slices.Equal(asked, want) {
			t.Errorf("asked %v, want %v", asked, want)
		}
	})
}

func TestServersAllDead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newClient(func() []string { return []string{"dead"} }, 2*time.Second)
		c.dial = pipes(func(_, _ string, conn net.Conn) { _, _ = io.Copy(io.Discard, conn) })
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		start := time.Now()
		_, err := c.ask(ctx, txtOf("example.com"))
		if took := time.Since(start); !errors.Is(err, errSilent) || took > 2*time.Second || took < 1900*time.Millisecond {
			t.Errorf("%v after %s", err, took)
		}
	})
}

// A server that fails is asked once if it is the only one: it has answered.
func TestOneServerFails(t *testing.T) {
	z := newZone(t, "example.com FAIL")
	servers, _ := serversOf(z.serve(t))
	a, err := newClient(servers, time.Minute).ask(t.Context(), txtOf("example.com"))
	if err != nil || a.outcome != failed || z.count("example.com") != 1 {
		t.Errorf("%+v, %v after %d questions", a, err, z.count("example.com"))
	}
}

// Packets that answer something else are left alone: the right one comes later.
func TestForgedAnswers(t *testing.T) {
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		buf := make([]byte, 512)
		n, peer, err := conn.ReadFrom(buf)
		req := new(dns.Msg)
		if err != nil || req.Unpack(buf[:n]) != nil {
			return
		}
		send := func(text string, change func(*dns.Msg)) {
			m := new(dns.Msg).SetReply(req)
			m.Answer = []dns.RR{&dns.TXT{Hdr: dns.RR_Header{Name: "example.com.", Rrtype: dns.TypeTXT, Class: dns.ClassINET, Ttl: 60}, Txt: []string{text}}}
			change(m)
			packed, _ := m.Pack()
			_, _ = conn.WriteTo(packed, peer)
		}
		_, _ = conn.WriteTo([]byte("junk"), peer)
		send("id", func(m *dns.Msg) { m.Id++ })
		send("name", func(m *dns.Msg) { m.Question[0].Name = "example.net." })
		send("type", func(m *dns.Msg) { m.Question[0].Qtype = dns.TypeA })
		send("question", func(m *dns.Msg) { m.Question = nil })
		send("request", func(m *dns.Msg) { m.Response = false })
		send("right", func(m *dns.Msg) { m.Question[0].Name = "EXAMPLE.com." })
	}()
	servers, _ := serversOf(conn.LocalAddr().String())
	a, err := newClient(servers, time.Minute).ask(t.Context(), txtOf("example.com"))
	if err != nil || !slices.Equal(a.texts, []string{"right"}) {
		t.Errorf("%+v, %v", a, err)
	}
	conn.Close()
	<-done
}

// The probe is something that any server has an answer to.
func TestProbe(t *testing.T) {
	c, err := New(Options{Resolver: newZone(t).serve(t), Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.dns.rest.probe(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestRecords(t *testing.T) {
	z := newZone(t, "example.com. 60 MX 20 b.example.com.", "example.com. 30 MX 10 A.example.com.", "example.com. 90 MX 30 c.example.com.",
		"example.com. A 192.0.2.1", "example.com. AAAA 2001:db8::1", "1.2.0.192.in-addr.arpa. PTR example.com.",
		"alias.example.com. 5 CNAME example.com.", "loop.example.com. CNAME loop.example.com.", "deep.empty.example.com. A 192.0.2.2",
		"dangling.example.com. CNAME nothing.example.com.").text("example.com", "two ", "strings")
	ask := func(name string, kind dnsmessage.Type) answer {
		a, err := z.ask(t.Context(), question{name, kind})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	if a := ask("example.com", dnsmessage.TypeMX); !slices.Equal(a.names, []string{"a.example.com", "b.example.com", "c.example.com"}) || a.ttl != 30*time.Second {
		t.Errorf("MX %+v", a)
	}
	if a := ask("example.com", dnsmessage.TypeA); !slices.Equal(a.addrs, []netip.Addr{netip.MustParseAddr("192.0.2.1")}) {
		t.Errorf("A %+v", a)
	}
	if a := ask("example.com", dnsmessage.TypeAAAA); !slices.Equal(a.addrs, []netip.Addr{netip.MustParseAddr("2001:db8::1")}) {
		t.Errorf("AAAA %+v", a)
	}
	if a := ask("1.2.0.192.in-addr.arpa", dnsmessage.TypePTR); !slices.Equal(a.names, []string{"example.com"}) {
		t.Errorf("PTR %+v", a)
	}
	if a := ask("alias.example.com", dnsmessage.TypeTXT); !slices.Equal(a.texts, []string{"two strings"}) || a.ttl != 5*time.Second {
		t.Errorf("alias %+v", a)
	}
	for name, want := range map[string]outcome{"nothing.example.com": noName, "empty.example.com": noData, "loop.example.com": failed, "dangling.example.com": noName} {
		if a := ask(name, dnsmessage.TypeTXT); a.outcome != want {
			t.Errorf("%s %+v", name, a)
		}
	}
}

func TestDomainName(t *testing.T) {
	long := strings.Repeat("a", 63)
	for in, want := range map[string]string{
		"Example.COM": "example.com", "example.com.": "example.com", "bücher.example": "xn--bcher-kva.example", "BÜCHER.example": "xn--bcher-kva.example",
		"a_b.example": "a_b.example", long + ".example": long + ".example", "1.example": "1.example",
		"": "", ".": "", "com": "", "a..b": "", ".a.b": "", "[192.0.2.1]": "", "192.0.2.1": "", "a b.example": "", "a@b.example": "", "a.b\x00": "",
		long + "a.example": "", strings.Repeat(long+".", 4) + "example": "", "\xff.example": "", "a.b..": "",
	} {
		if got, ok := domainName(in); got != want && ok || ok != (want != "") {
			t.Errorf("%q: %q, %v, want %q", in, got, ok, want)
		}
	}
}
