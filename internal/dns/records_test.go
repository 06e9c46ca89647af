package dns

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"reflect"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"github.com/mailkin/mailkin/internal/dns/dnstest"
)

func TestRecords(t *testing.T) {
	z := dnstest.New(t, "example.com. 60 MX 20 b.example.com.", "example.com. 30 MX 10 A.example.com.",
		"example.com. 90 MX 30 c.example.com.",
		"example.com. A 192.0.2.1", "example.com. AAAA 2001:db8::1", "example.com. NS ns.example.net.",
		"1.2.0.192.in-addr.arpa. PTR example.com.",
		"alias.example.com. 5 CNAME Example.com.", "loop.example.com. CNAME loop.example.com.",
		"deep.empty.example.com. A 192.0.2.2",
		"dangling.example.com. CNAME nothing.example.com.", "bare.example.com. CNAME empty.example.com.",
		"none.example.com. MX 0 .",
		"_25._tcp.example.com. TLSA 3 1 1 00ff").Text("example.com", "two ", "strings")
	r := resolverOf(t, zone{z})
	addr := netip.MustParseAddr
	for _, tt := range []struct {
		name string
		kind Type
		want Answer
	}{
		{"example.com", MX, Answer{Outcome: Found, TTL: 30 * time.Second, Name: "example.com",
			MX: []Exchange{{10, "a.example.com"}, {20, "b.example.com"}, {30, "c.example.com"}}}},
		{"none.example.com", MX, Answer{Outcome: Found, TTL: time.Hour, Name: "none.example.com",
			MX: []Exchange{{0, ""}}}},
		{"example.com", A, Answer{Outcome: Found, TTL: time.Hour, Name: "example.com",
			Addrs: []netip.Addr{addr("192.0.2.1")}}},
		{"example.com", AAAA, Answer{Outcome: Found, TTL: time.Hour, Name: "example.com",
			Addrs: []netip.Addr{addr("2001:db8::1")}}},
		{"example.com", NS, Answer{Outcome: Found, TTL: time.Hour, Name: "example.com",
			Names: []string{"ns.example.net"}}},
		{"_25._tcp.example.com", TLSA, Answer{Outcome: Found, TTL: time.Hour, Name: "_25._tcp.example.com",
			TLSA: []Association{{3, 1, 1, []byte{0, 0xff}}}}},
		{"1.2.0.192.in-addr.arpa", PTR, Answer{Outcome: Found, TTL: time.Hour, Name: "1.2.0.192.in-addr.arpa",
			Names: []string{"example.com"}}},
		{"alias.example.com", TXT, Answer{Outcome: Found, TTL: 5 * time.Second, Name: "example.com",
			Texts: []string{"two strings"}}},
		{"alias.example.com", CNAME, Answer{Outcome: Found, TTL: 5 * time.Second, Name: "alias.example.com",
			Names: []string{"example.com"}}},
		{"bare.example.com", TXT, Answer{Outcome: NoData, TTL: time.Hour, Name: "empty.example.com"}},
		{"nothing.example.com", TXT, Answer{Outcome: NoName, Name: "nothing.example.com"}},
		{"empty.example.com", TXT, Answer{Outcome: NoData, TTL: time.Hour, Name: "empty.example.com"}},
		{"dangling.example.com", TXT, Answer{Outcome: NoName, Name: "dangling.example.com"}},
		{"loop.example.com", TXT, Answer{}},
		{"", TXT, Answer{Outcome: NoName}},
		{"a..b", TXT, Answer{Outcome: NoName}},
	} {
		t.Run(tt.name+" "+tt.kind.String(), func(t *testing.T) {
			for range 2 { // asked, and remembered
				if a := r.Lookup(t.Context(), tt.name, tt.kind); !reflect.DeepEqual(a, tt.want) {
					t.Errorf("%+v, want %+v", a, tt.want)
				}
			}
		})
	}
	if n := z.Count("bare.example.com") + z.Count("empty.example.com"); n != 2 {
		t.Errorf("%d questions: what the server said about the alias was asked for again", n)
	}
}

// Aliases that the server does not follow are asked for.
func TestAliasesAreFollowed(t *testing.T) {
	z := dnstest.New(t, "a.example. 60 CNAME b.example.", "a.example SHALLOW", "b.example. 30 CNAME c.example.",
		"b.example SHALLOW", "c.example. 90 A 192.0.2.1",
		"x.example. CNAME y.example.", "x.example SHALLOW", "y.example. CNAME x.example.", "y.example SHALLOW",
		"gone.example. CNAME nothing.example.", "gone.example SHALLOW", "broken.example. CNAME fails.example.",
		"broken.example SHALLOW", "fails.example FAIL",
		"n8.example. A 192.0.2.8")
	for i := range 9 { // n-1 is one alias too many
		z.Add(t, fmt.Sprintf("n%d.example. CNAME n%d.example.", i-1, i), fmt.Sprintf("n%d.example SHALLOW", i-1))
	}
	r := resolverOf(t, zone{z})
	for _, tt := range []struct {
		name string
		want Outcome
		ttl  time.Duration
		end  string
	}{
		{"a.example", Found, 30 * time.Second, "c.example"},
		{"x.example", Failed, 0, ""},
		{"gone.example", NoName, 0, "nothing.example"},
		{"broken.example", Failed, 0, ""},
		{"n0.example", Found, time.Hour, "n8.example"},
		{"n-1.example", Failed, 0, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			one, all := r.Lookup(t.Context(), tt.name, A), r.LookupAll(t.Context(), Question{tt.name, A},
				Question{tt.name, A})
			for _, a := range append(all, one) {
				if a.Outcome != tt.want || a.TTL != tt.ttl || a.Name != tt.end {
					t.Errorf("%+v", a)
				}
			}
		})
	}
}

// Records of names that nobody asked for are not believed.
func TestStrayRecords(t *testing.T) {
	q := Question{"example.com", A}
	head := func(name string, kind Type) dnsmessage.ResourceHeader {
		return dnsmessage.ResourceHeader{Name: dnsmessage.MustNewName(name), Type: kind, Class: dnsmessage.ClassINET,
			TTL: 60}
	}
	address := func(name string, last byte) dnsmessage.Resource {
		return dnsmessage.Resource{Header: head(name, A), Body: &dnsmessage.AResource{A: [4]byte{192, 0, 2, last}}}
	}
	alias := func(name, target string) dnsmessage.Resource {
		return dnsmessage.Resource{Header: head(name, CNAME),
			Body: &dnsmessage.CNAMEResource{CNAME: dnsmessage.MustNewName(target)}}
	}
	for _, tt := range []struct {
		name    string
		answers []dnsmessage.Resource
		outcome Outcome
		addrs   int
	}{
		{"of another name", []dnsmessage.Resource{address("example.net.", 1)}, NoData, 0},
		{"beside the right one", []dnsmessage.Resource{address("example.net.", 1), address("EXAMPLE.com.", 2)}, Found,
			1},
		{"before the alias that leads to it", []dnsmessage.Resource{address("b.example.", 1),
			alias("a.example.", "b.example."), alias("example.com.", "a.example.")}, Found, 1},
		{"alias of another name", []dnsmessage.Resource{alias("example.net.", "b.example."), address("b.example.", 1)},
			NoData, 0},
		{"two that point to each other", []dnsmessage.Resource{alias("example.com.", "b.example."),
			alias("b.example.", "example.com.")}, Failed, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := dnsmessage.Message{Header: dnsmessage.Header{ID: 7, Response: true}, Answers: tt.answers,
				Questions: []dnsmessage.Question{{Name: dnsmessage.MustNewName("example.com."), Type: A,
					Class: dnsmessage.ClassINET}}}
			packed, err := m.Pack()
			if err != nil {
				t.Fatal(err)
			}
			if a, cut, ok := q.Unpack(packed, 7); a.Outcome != tt.outcome || len(a.Addrs) != tt.addrs || cut || !ok {
				t.Errorf("%+v, %v, %v", a, cut, ok)
			}
		})
	}
}

func TestAuthentic(t *testing.T) {
	z := dnstest.New(t, "safe.example SECURE", "safe.example. A 192.0.2.1", "a.safe.example. CNAME safe.example.",
		"out.safe.example. CNAME plain.example.",
		"plain.example. A 192.0.2.2", "s.safe.example. CNAME plain.example.", "s.safe.example SHALLOW")
	server := z.Serve(t)
	for _, tt := range []struct {
		name  string
		want  bool
		trust bool
		mask  string // how the server is called, to make it look far away
	}{
		{"safe.example", true, false, server},
		{"a.safe.example", true, false, server},
		{"nothing.safe.example", true, false, server},
		{"out.safe.example", false, false, server},
		{"s.safe.example", false, false, server},
		{"plain.example", false, false, server},
		{"safe.example", false, false, "192.0.2.53:53"},
		{"safe.example", true, true, "192.0.2.53:53"},
		{"plain.example", false, true, "192.0.2.53:53"},
	} {
		t.Run(tt.name+" at "+tt.mask, func(t *testing.T) {
			c := newClient(func() []string { return []string{tt.mask} }, time.Minute, tt.trust)
			c.dial = func(ctx context.Context, network, _ string) (net.Conn, error) {
				return new(net.Dialer).DialContext(ctx, network, server)
			}
			if a := resolverOf(t, c).Lookup(t.Context(), tt.name, A); a.Authentic != tt.want {
				t.Errorf("%+v", a)
			}
		})
	}
}
