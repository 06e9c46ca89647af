// Package dnstest is a DNS for tests: what a resolver would say about some zones, over loopback or without a network.
package dnstest

import (
	"net"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/miekg/dns"
)

// Zone is DNS data, and what became of it.
type Zone struct {
	mu      sync.Mutex
	records map[string][]dns.RR // by name, in lower case and with its dot
	marks   map[string]string   // by name, what is odd about it
	asked   []string            // "name type", in order
}

// The marks that a line can give a name instead of a record.
const (
	Fail    = "FAIL"    // its servers fail
	Silent  = "SILENT"  // it is never answered
	Secure  = "SECURE"  // DNSSEC vouches for what is said about it, and for names under it
	Shallow = "SHALLOW" // its alias is not followed
	Bogus   = "BOGUS"   // names under a secure one that fail DNSSEC: its servers are said to fail
)

// New reads lines of a zone file. "name FAIL" and the like set a mark.
func New(t testing.TB, lines ...string) *Zone {
	t.Helper()
	z := &Zone{records: map[string][]dns.RR{}, marks: map[string]string{}}
	z.Add(t, lines...)
	return z
}

// Add reads more lines.
func (z *Zone) Add(t testing.TB, lines ...string) {
	t.Helper()
	for _, line := range lines {
		name, kind, _ := strings.Cut(line, " ")
		switch kind {
		case Fail, Silent, Secure, Shallow, Bogus:
			z.mu.Lock()
			z.marks[strings.ToLower(dns.Fqdn(name))] = kind
			z.mu.Unlock()
			continue
		}
		rr, err := dns.NewRR(line)
		if err != nil || rr == nil {
			t.Fatalf("%s: %v", line, err)
		}
		z.add(rr)
	}
}

func (z *Zone) add(rr dns.RR) {
	z.mu.Lock()
	defer z.mu.Unlock()
	name := strings.ToLower(rr.Header().Name)
	z.records[name] = append(z.records[name], rr)
}

// Remove takes away all records of a name.
func (z *Zone) Remove(name string) {
	z.mu.Lock()
	defer z.mu.Unlock()
	delete(z.records, strings.ToLower(dns.Fqdn(name)))
}

// Text adds a TXT record, however long.
func (z *Zone) Text(name string, texts ...string) *Zone {
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

// Records are those of the names with a prefix.
func (z *Zone) Records(prefix string) []string {
	z.mu.Lock()
	defer z.mu.Unlock()
	var out []string
	for name, rrs := range z.records {
		for _, rr := range rrs {
			if strings.HasPrefix(name, prefix) {
				out = append(out, rr.String())
			}
		}
	}
	return out
}

// Asked are all questions so far, as "name type".
func (z *Zone) Asked() []string {
	z.mu.Lock()
	defer z.mu.Unlock()
	return slices.Clone(z.asked)
}

// Count is how often a question was asked, or with no type anything about the name.
func (z *Zone) Count(question string) int {
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

// Exchange answers a packed question without a network in between, with nil for silence.
func (z *Zone) Exchange(question []byte) ([]byte, error) {
	req := new(dns.Msg)
	if err := req.Unpack(question); err != nil {
		return nil, err
	}
	m := z.Reply(req)
	if m == nil {
		return nil, nil
	}
	return m.Pack()
}

// Serve makes it a DNS server on loopback, UDP and TCP, and returns its address.
func (z *Zone) Serve(t testing.TB) string {
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
		m := z.Reply(req)
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
