package sender

import (
	"context"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/miekg/dns"
)

// zone is DNS data for tests: what a resolver would say.
type zone struct {
	mu      sync.Mutex
	records map[string][]dns.RR // by name, in lower case and with its dot
	failing map[string]bool     // names whose servers fail
	silent  map[string]bool     // names that are never answered
	asked   []string            // "name type", in order
}

// newZone reads lines of a zone file. "name FAIL" and "name SILENT" are names whose servers fail, or say nothing.
func newZone(t testing.TB, lines ...string) *zone {
	t.Helper()
	z := &zone{records: map[string][]dns.RR{}, failing: map[string]bool{}, silent: map[string]bool{}}
	for _, line := range lines {
		name, kind, _ := strings.Cut(line, " ")
		switch kind {
		case "FAIL":
			z.failing[dns.Fqdn(name)] = true
			continue
		case "SILENT":
			z.silent[dns.Fqdn(name)] = true
			continue
		}
		rr, err := dns.NewRR(line)
		if err != nil || rr == nil {
			t.Fatalf("%s: %v", line, err)
		}
		z.add(rr)
	}
	return z
}

func (z *zone) add(rr dns.RR) {
	z.mu.Lock()
	defer z.mu.Unlock()
	name := strings.ToLower(rr.Header().Name)
	z.records[name] = append(z.records[name], rr)
}

// text adds a TXT record, however long.
func (z *zone) text(name string, texts ...string) *zone {
	rr := &dns.TXT{Hdr: dns.RR_Header{Name: dns.Fqdn(name), Rrtype: dns.TypeTXT, Class: dns.ClassINET, Ttl: 3600}}
	for _, s := range texts {
		for first := true; first || s != ""; first = false {
			n := min(len(s), 255)
			rr.Txt = append(rr.Txt, strings.ReplaceAll(s[:n], `\`, `\\`))
			s = s[n:]
		}
	}
	z.add(rr)
	return z
}

// count is how often a question was asked, or with no type anything about the name.
func (z *zone) count(question string) int {
	z.mu.Lock()
	defer z.mu.Unlock()
	n := 0
	for _, q := range z.asked {
		if q == question || strings.HasPrefix(q, question+" ") {
			n++
		}
	}
	return n
}

// reply is the answer to a request, or nil for none.
func (z *zone) reply(req *dns.Msg) *dns.Msg {
	z.mu.Lock()
	defer z.mu.Unlock()
	q := req.Question[0]
	z.asked = append(z.asked, strings.TrimSuffix(q.Name, ".")+" "+dns.TypeToString[q.Qtype])
	name := strings.ToLower(q.Name)
	m := new(dns.Msg).SetReply(req)
	m.RecursionAvailable = true
	for range 8 {
		if z.silent[name] {
			return nil
		}
		next := ""
		for _, rr := range z.records[name] {
			if alias, ok := rr.(*dns.CNAME); ok {
				next = strings.ToLower(alias.Target)
			}
			if rr.Header().Rrtype == q.Qtype || next != "" {
				m.Answer = append(m.Answer, rr)
			}
		}
		switch {
		case next == "" && len(m.Answer) == 0 && z.failing[name]:
			return m.SetRcode(req, dns.RcodeServerFailure)
		case next == "" && !z.exists(name):
			m.Rcode = dns.RcodeNameError
		}
		if next == "" {
			return m
		}
		name = next
	}
	return m.SetRcode(req, dns.RcodeServerFailure)
}

func (z *zone) exists(name string) bool {
	for known := range z.records {
		if known == name || strings.HasSuffix(known, "."+name) {
			return true
		}
	}
	return false
}

// ask makes a zone a resolver without a network in between.
func (z *zone) ask(ctx context.Context, q question) (answer, error) {
	packed, err := q.pack(1)
	if err != nil {
		return answer{}, err
	}
	req := new(dns.Msg)
	if err := req.Unpack(packed); err != nil {
		return answer{}, err
	}
	m := z.reply(req)
	if m == nil {
		<-ctx.Done()
		return answer{}, errSilent
	}
	packed, err = m.Pack()
	if err != nil {
		return answer{}, err
	}
	a, _, ok := q.unpack(packed, 1)
	if !ok {
		return answer{}, errSilent
	}
	return a, nil
}

// serve makes it a DNS server on loopback, UDP and TCP, and gives its address.
func (z *zone) serve(t testing.TB) string {
	t.Helper()
	var packets net.PacketConn
	var streams net.Listener
	for i := 0; ; i++ { // a port that is free for both
		var err error
		if packets, err = net.ListenPacket("udp", "127.0.0.1:0"); err != nil {
			t.Fatal(err)
		}
		if streams, err = net.Listen("tcp", packets.LocalAddr().String()); err == nil {
			break
		}
		packets.Close()
		if i == 10 {
			t.Fatal(err)
		}
	}
	handler := dns.HandlerFunc(func(w dns.ResponseWriter, req *dns.Msg) {
		m := z.reply(req)
		if m == nil {
			return
		}
		if opt := req.IsEdns0(); opt != nil && w.LocalAddr().Network() == "udp" {
			m.Truncate(int(opt.UDPSize()))
		}
		_ = w.WriteMsg(m)
	})
	for _, s := range []*dns.Server{{PacketConn: packets, Handler: handler}, {Listener: streams, Handler: handler}} {
		started := make(chan struct{})
		s.NotifyStartedFunc = func() { close(started) }
		done := make(chan struct{})
		go func() { defer close(done); _ = s.ActivateAndServe() }()
		<-started
		t.Cleanup(func() { _ = s.Shutdown(); <-done })
	}
	return packets.LocalAddr().String()
}

// checker asks the zone itself.
func (z *zone) checker(t testing.TB) *Checker {
	t.Helper()
	return checkerOf(t, z, time.Now)
}

func checkerOf(t testing.TB, a asker, now func() time.Time) *Checker {
	t.Helper()
	c, err := New(Options{Resolver: "192.0.2.53:53", Now: now})
	if err != nil {
		t.Fatal(err)
	}
	c.dns = newResolver(a, Options{Timeout: c.timeout, Now: now, Log: testLog(t)})
	return c
}
