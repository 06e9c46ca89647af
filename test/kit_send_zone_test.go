package test

import (
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/miekg/dns"
)

// zone is the DNS of a test: what a resolver would say, over UDP and TCP. It can change while it is asked.
type zone struct {
	addr string

	mu      sync.Mutex
	records map[string][]dns.RR // by name, in lower case and with its dot
}

// newZone starts a name server on a host with these lines of a zone file.
func newZone(t testing.TB, host string, lines ...string) *zone {
	t.Helper()
	z := &zone{records: map[string][]dns.RR{}}
	z.add(t, lines...)
	stream, err := net.Listen("tcp", host+":0")
	if err != nil {
		t.Fatal(err)
	}
	z.addr = stream.Addr().String()
	packets, err := net.ListenPacket("udp", z.addr)
	if err != nil {
		t.Fatal(err)
	}
	for _, srv := range []*dns.Server{{Listener: stream, Handler: z}, {PacketConn: packets, Handler: z}} {
		begun, done := make(chan struct{}), make(chan error, 1)
		srv.NotifyStartedFunc = func() { close(begun) }
		go func() { done <- srv.ActivateAndServe() }()
		<-begun
		t.Cleanup(func() {
			_ = srv.Shutdown()
			<-done
		})
	}
	return z
}

// add reads lines of a zone file.
func (z *zone) add(t testing.TB, lines ...string) {
	t.Helper()
	z.mu.Lock()
	defer z.mu.Unlock()
	for _, line := range lines {
		rr, err := dns.NewRR(line)
		if err != nil || rr == nil {
			t.Fatalf("%s: %v", line, err)
		}
		name := strings.ToLower(rr.Header().Name)
		z.records[name] = append(z.records[name], rr)
	}
}

// text is a TXT record with a text of any length.
func text(name, value string) string {
	var parts []string
	for part := range slices.Chunk([]byte(value), 200) {
		parts = append(parts, fmt.Sprintf("%q", part))
	}
	return name + ". 60 IN TXT " + strings.Join(parts, " ")
}

// mailDomain are the lines of a domain whose mail goes to a host with an address, and comes from there.
func mailDomain(name, host, addr string) []string {
	return []string{
		name + ". 60 IN MX 10 " + host + ".",
		host + ". 60 IN A " + addr,
		text(name, "v=spf1 a:"+host+" -all"),
		text("_dmarc."+name, "v=DMARC1; p=reject"),
	}
}

// ServeDNS implements dns.Handler.
func (z *zone) ServeDNS(w dns.ResponseWriter, req *dns.Msg) {
	z.mu.Lock()
	defer z.mu.Unlock()
	m := new(dns.Msg).SetReply(req)
	m.RecursionAvailable = true
	q := req.Question[0]
	name := strings.ToLower(q.Name)
	known := false
	for at := range z.records {
		known = known || at == name || strings.HasSuffix(at, "."+name)
	}
	if !known {
		m.Rcode = dns.RcodeNameError
	}
	for _, rr := range z.records[name] {
		if rr.Header().Rrtype == q.Qtype {
			m.Answer = append(m.Answer, rr)
		}
	}
	if len(m.Answer) == 0 {
		m.Ns = []dns.RR{&dns.SOA{Hdr: dns.RR_Header{Name: ".", Rrtype: dns.TypeSOA, Class: dns.ClassINET}, Ns: ".",
			Mbox: "."}}
	}
	if _, packets := w.RemoteAddr().(*net.UDPAddr); packets {
		size := uint16(dns.MinMsgSize)
		if o := req.IsEdns0(); o != nil {
			size = o.UDPSize()
		}
		m.Truncate(int(size))
	}
	_ = w.WriteMsg(m) // a client that is gone asks again
}

// record is a DNS record as the interface asks for it.
type record struct {
	Type     string
	Host     string
	Value    string
	Priority int
	Found    []string
	Verified bool
}

// line is the record in a zone file.
func (r record) line(t testing.TB) string {
	t.Helper()
	switch r.Type {
	case "TXT":
		return text(r.Host, r.Value)
	case "MX":
		return fmt.Sprintf("%s. 60 IN MX %d %s.", r.Host, r.Priority, r.Value)
	}
	t.Fatalf("a record of the type %q", r.Type)
	return ""
}

// domainRecord is a domain with the records that it needs.
type domainRecord struct {
	ID      string
	Domain  string
	Status  string
	Records map[string]record `json:"dns_records"`
}

// publish puts the records that the server asks for its own domain in the zone, those of its keys if no others are
// named.
func (s *server) publish(t testing.TB, z *zone, domain string, kinds ...string) {
	t.Helper()
	if len(kinds) == 0 {
		kinds = []string{"dkim", "dkim_ed25519"}
	}
	var all struct{ Domains []domainRecord }
	s.get(t, s.token, "/v1/domains", &all)
	for _, d := range all.Domains {
		if d.Domain != domain {
			continue
		}
		s.get(t, s.token, "/v1/domains/"+d.ID, &d)
		for _, kind := range kinds {
			z.add(t, d.Records[kind].line(t))
		}
		return
	}
	t.Fatalf("%s is not among %+v", domain, all)
}
