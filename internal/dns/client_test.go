package dns

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	miekg "github.com/miekg/dns"

	"github.com/mailkin/mailkin/internal/dns/dnstest"
)

func TestResolverSetting(t *testing.T) {
	for setting, want := range map[string]string{
		"192.0.2.53:5353": "192.0.2.53:5353", "miekg.example:53": "miekg.example:53", "192.0.2.53": "192.0.2.53:53",
		"2001:db8::53":        "[2001:db8::53]:53",
		"[2001:db8::53]:5353": "[2001:db8::53]:5353", "miekg.example": "", ":53": "", "x:": "", "of": "",
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
		write("# nameserver 192.0.2.9\nsearch example.com\nnameserver 192.0.2.1\n nameserver\t2001:db8::1 # " +
			"x\nnameserver x\n" +
			"nameserver fe80::1%eth0\nnameserver 192.0.2.4\noptions edns0\n")
		if got := s.list(); !slices.Equal(got, local) {
			t.Errorf("read too soon: %v", got)
		}
		time.Sleep(reread + 1)
		if got, want := s.list(), []string{"192.0.2.1:53", "[2001:db8::1]:53", "[fe80::1%eth0]:53"}; !slices.Equal(got,
			want) {
			t.Errorf("%v, want %v", got, want)
		}
	})
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
		z := dnstest.New(t).Text("example.com", "x")
		c := newClient(func() []string { return []string{"dead", "broken", "good"} }, 3*time.Second, false)
		c.dial = pipes(func(_, address string, conn net.Conn) {
			mu.Lock()
			asked = append(asked, address)
			mu.Unlock()
			buf := make([]byte, 512)
			n, err := conn.Read(buf)
			req := new(miekg.Msg)
			if err != nil || req.Unpack(buf[:n]) != nil {
				return
			}
			m := z.Reply(req)
			switch address {
			case "dead":
				_, _ = conn.Read(buf)
				return
			case "broken":
				m.SetRcode(req, miekg.RcodeServerFailure)
			}
			packed, _ := m.Pack()
			_, _ = conn.Write(packed)
		})
		start := time.Now()
		if a, err := c.Ask(t.Context(), txtOf("example.com")); err != nil || a.Outcome != Found ||
			time.Since(start) != time.Second {
			t.Errorf("%+v, %v after %s", a, err, time.Since(start))
		}
		if a, err := c.Ask(t.Context(), txtOf("example.com")); err != nil || a.Outcome != Found ||
			time.Since(start) != time.Second {
			t.Errorf("again: %+v, %v after %s", a, err, time.Since(start))
		}
		if want := []string{"dead", "broken", "good", "good"}; !slices.Equal(asked, want) {
			t.Errorf("asked %v, want %v", asked, want)
		}
	})
}

func TestServersAllDead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newClient(func() []string { return []string{"dead"} }, 2*time.Second, false)
		c.dial = pipes(func(_, _ string, conn net.Conn) { _, _ = io.Copy(io.Discard, conn) })
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		start := time.Now()
		_, err := c.Ask(ctx, txtOf("example.com"))
		if took := time.Since(start); !errors.Is(err, errSilent) || took > 2*time.Second ||
			took < 1900*time.Millisecond {
			t.Errorf("%v after %s", err, took)
		}
	})
}

// A server that fails is asked once if it is the only one: it has answered.
func TestOneServerFails(t *testing.T) {
	z := dnstest.New(t, "example.com FAIL")
	servers, _ := serversOf(z.Serve(t))
	a, err := newClient(servers, time.Minute, false).Ask(t.Context(), txtOf("example.com"))
	if err != nil || a.Outcome != Failed || z.Count("example.com") != 1 {
		t.Errorf("%+v, %v after %d questions", a, err, z.Count("example.com"))
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
		req := new(miekg.Msg)
		if err != nil || req.Unpack(buf[:n]) != nil {
			return
		}
		send := func(text string, change func(*miekg.Msg)) {
			m := new(miekg.Msg).SetReply(req)
			m.Answer = []miekg.RR{&miekg.TXT{Hdr: miekg.RR_Header{Name: "example.com.", Rrtype: miekg.TypeTXT,
				Class: miekg.ClassINET, Ttl: 60}, Txt: []string{text}}}
			change(m)
			packed, _ := m.Pack()
			_, _ = conn.WriteTo(packed, peer)
		}
		_, _ = conn.WriteTo([]byte("junk"), peer)
		send("id", func(m *miekg.Msg) { m.Id++ })
		send("name", func(m *miekg.Msg) { m.Question[0].Name = "example.net." })
		send("type", func(m *miekg.Msg) { m.Question[0].Qtype = miekg.TypeA })
		send("question", func(m *miekg.Msg) { m.Question = nil })
		send("request", func(m *miekg.Msg) { m.Response = false })
		send("right", func(m *miekg.Msg) { m.Question[0].Name = "EXAMPLE.com." })
	}()
	servers, _ := serversOf(conn.LocalAddr().String())
	a, err := newClient(servers, time.Minute, false).Ask(t.Context(), txtOf("example.com"))
	if err != nil || !slices.Equal(a.Texts, []string{"right"}) {
		t.Errorf("%+v, %v", a, err)
	}
	conn.Close()
	<-done
}

// The probe is something that any server has an answer to.
func TestProbe(t *testing.T) {
	r, err := New(Options{Resolver: dnstest.New(t).Serve(t), Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.breaker.probe(t.Context()); err != nil {
		t.Error(err)
	}
}
