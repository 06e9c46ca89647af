package transport

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/dns/dnstest"
	"github.com/mailkin/mailkin/internal/mailbox"
)

// routeZone has a domain for every case. Addresses in it are not public, so the routes under test allow those in
// 192.0.2.0/24.
func routeZone(t testing.TB) *dnstest.Zone {
	z := dnstest.New(t,
		"two.example. MX 20 b.example.", "two.example. MX 10 a.example.", "a.example. A 192.0.2.1",
		"b.example. A 192.0.2.2",
		"own.example. A 192.0.2.3",
		"null.example. MX 0 .", "half.example. MX 0 .", "half.example. MX 10 a.example.",
		"fail.example FAIL", "silent.example. MX 10 gone.example.", "hostfail.example. MX 10 fail.example.",
		"onefail.example. MX 10 fail.example.",
		"onefail.example. MX 20 a.example.",
		"text.example. TXT x", "alias.example. CNAME two.example.", "mxalias.example. MX 10 c.example.",
		"c.example. CNAME b.example.",
		"private.example. MX 10 p.example.", "p.example. A 10.0.0.1", "p.example. A 127.0.0.1",
		"p.example. AAAA ::ffff:10.0.0.2", "p.example. AAAA fd00::1",
		"mixed.example. MX 10 m.example.", "m.example. A 10.0.0.1", "m.example. A 192.0.2.5",
		"us.example. A 192.0.2.99", "loop.example. MX 10 us.example.", "loop.example. MX 20 b.example.",
		"backup.example. MX 10 a.example.", "backup.example. MX 20 Us.example.", "backup.example. MX 20 b.example.",
		"backup.example. MX 30 c.example.",
		"addrloop.example. MX 5 b.example.", "addrloop.example. MX 10 relay.example.",
		"addrloop.example. MX 10 a.example.", "relay.example. A 192.0.2.99",
		"self.example. A 192.0.2.99",
		"ip.example. MX 10 192.0.2.1.", "odd.example. MX 10 localhost.",
		"both.example. MX 10 dual.example.", "dual.example. A 192.0.2.7", "dual.example. A 192.0.2.8",
		"dual.example. AAAA 2001:db8::7",
		"long.example. A 192.0.2.1")
	for i := range 30 {
		z.Add(t, fmt.Sprintf("many.example. MX %d m%02d.example.", i, i), fmt.Sprintf("m%02d.example. A 192.0.2.%d", i,
			100+i),
			fmt.Sprintf("wide.example. A 192.0.2.%d", 100+i))
	}
	return z
}

func routesOf(t testing.TB, z *dnstest.Zone) *Routes {
	return &Routes{
		DNS: resolver(t, z), Names: []string{"US.example"}, Port: 25,
		Listening: []netip.AddrPort{netip.MustParseAddrPort("192.0.2.99:25"),
			netip.MustParseAddrPort("192.0.2.1:2525")},
		AllowPrivate: func(a netip.Addr) bool {
			return netip.MustParsePrefix("192.0.2.0/24").Contains(a) ||
				netip.MustParsePrefix("2001:db8::/32").Contains(a)
		},
	}
}

func TestRoutes(t *testing.T) {
	r := routesOf(t, routeZone(t))
	for _, tt := range []struct {
		domain string
		want   string // hosts with their addresses, or outcome and enhanced code
	}{
		{"two.example", "a.example 192.0.2.1, b.example 192.0.2.2"},
		{"TWO.Example.", "a.example 192.0.2.1, b.example 192.0.2.2"},
		{"own.example", "own.example 192.0.2.3"},
		{"alias.example", "a.example 192.0.2.1, b.example 192.0.2.2"},
		{"mxalias.example", "c.example 192.0.2.2"},
		{"null.example", "permanent 5.1.10"},
		{"half.example", "a.example 192.0.2.1"},
		{"nothing.example", "permanent 5.1.2"},
		{"text.example", "permanent 5.4.4"},
		{"fail.example", "temporary 4.4.3"},
		{"hostfail.example", "temporary 4.4.3"},
		{"onefail.example", "a.example 192.0.2.1"},
		{"silent.example", "permanent 5.4.4"},
		{"private.example", "permanent 5.4.4"},
		{"mixed.example", "m.example 192.0.2.5"},
		{"loop.example", "permanent 5.4.6"},
		{"backup.example", "a.example 192.0.2.1"},
		{"addrloop.example", "b.example 192.0.2.2"},
		{"self.example", "permanent 5.4.6"},
		{"us.example", "permanent 5.4.6"},
		{"ip.example", "permanent 5.4.4"},
		{"odd.example", "permanent 5.4.4"},
		{"many.example", "m00.example 192.0.2.100, m01.example 192.0.2.101, m02.example 192.0.2.102, m03.example " +
			"192.0.2.103, m04.example 192.0.2.104"},
		{"[192.0.2.1]", "[192.0.2.1] 192.0.2.1"},
		{"[IPv6:2001:db8::1]", "[IPv6:2001:db8::1] 2001:db8::1"},
		{"[192.0.2.99]", "permanent 5.4.6"},
		{"[127.0.0.1]", "permanent 5.4.4"},
		{"[IPv6:::ffff:127.0.0.1]", "permanent 5.4.4"},
		{"[IPv6:fe80::1%eth0]", "permanent 5.1.2"},
		{"[2001:db8::1]", "permanent 5.1.2"},
		{"[two.example]", "permanent 5.1.2"},
		{"localhost", "permanent 5.1.2"},
		{"192.0.2.1", "permanent 5.1.2"},
		{"", "permanent 5.1.2"},
		{"a b.example", "permanent 5.1.2"},
	} {
		t.Run(tt.domain, func(t *testing.T) {
			hosts, none := r.Find(t.Context(), tt.domain)
			if got := routeText(hosts, none); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}

func routeText(hosts []Host, none *Result) string {
	if none != nil {
		if none.Text == "" || hosts != nil {
			return "both"
		}
		return none.Outcome.String() + " " + none.Enhanced
	}
	var out []string
	for _, h := range hosts {
		out = append(out, h.Name+strings.NewReplacer("[", " ", "]", "").Replace(fmt.Sprint(h.Addrs)))
	}
	return strings.Join(out, ", ")
}

func TestRouteBounds(t *testing.T) {
	z := routeZone(t)
	hosts, _ := routesOf(t, z).Find(t.Context(), "wide.example")
	if len(hosts) != 1 || len(hosts[0].Addrs) != maxAddrs {
		t.Errorf("%+v", hosts)
	}
	routesOf(t, z).Find(t.Context(), "many.example")
	if n := z.Count("m09.example"); n == 0 {
		t.Error("the tenth server was not looked up")
	}
	if n := z.Count("m10.example"); n > 0 {
		t.Error("the eleventh server was looked up")
	}
}

// Servers of the same preference are all first at some time, and never before a better one.
func TestRouteShuffles(t *testing.T) {
	z := dnstest.New(t, "x.example. MX 10 a.example.", "x.example. MX 10 b.example.", "x.example. MX 10 c.example.",
		"x.example. MX 5 best.example.",
		"a.example. A 192.0.2.1", "b.example. A 192.0.2.2", "c.example. A 192.0.2.3", "best.example. A 192.0.2.4")
	r := routesOf(t, z)
	seen := map[string]int{}
	for range 300 {
		hosts, _ := r.Find(t.Context(), "x.example")
		if len(hosts) != 4 || hosts[0].Name != "best.example" {
			t.Fatalf("%+v", hosts)
		}
		seen[hosts[1].Name]++
	}
	for _, name := range []string{"a.example", "b.example", "c.example"} {
		if seen[name] < 40 {
			t.Errorf("%s was second %d times of 300", name, seen[name])
		}
	}
}

func TestListeningEverywhere(t *testing.T) {
	r := &Routes{Port: 25, Listening: []netip.AddrPort{netip.MustParseAddrPort("[::]:25")}}
	if !r.isOurs(netip.MustParseAddr("127.0.0.1")) || r.isOurs(netip.MustParseAddr("192.0.2.1")) {
		t.Error("all addresses of the machine are ours, and no other")
	}
	r.Port = 26
	if r.isOurs(netip.MustParseAddr("127.0.0.1")) {
		t.Error("another port is not ours")
	}
}

func TestInTurn(t *testing.T) {
	parse := func(s string) (out []netip.Addr) {
		for a := range strings.FieldsSeq(s) {
			out = append(out, netip.MustParseAddr(a))
		}
		return out
	}
	addrs := parse("192.0.2.1 192.0.2.2 192.0.2.3 2001:db8::1 2001:db8::2")
	if got := inTurn(addrs, true); !slices.Equal(got, parse("2001:db8::1 192.0.2.1 2001:db8::2 192.0.2.2 192.0.2.3")) {
		t.Error(got)
	}
	if got := inTurn(addrs, false); !slices.Equal(got, parse("192.0.2.1 2001:db8::1 192.0.2.2 2001:db8::2 192.0.2.3")) {
		t.Error(got)
	}
}

func TestPublic(t *testing.T) {
	for _, s := range []string{
		"0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "169.254.169.254", "172.16.0.1", "192.168.1.1", "192.0.2.1",
		"198.18.0.1", "224.0.0.1", "255.255.255.255",
		"::", "::1", "::ffff:127.0.0.1", "::127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "fc00::1", "fe80::1",
		"fe80::1%eth0", "ff02::1", "2001:db8::1",
	} {
		if mailbox.Public(netip.MustParseAddr(s)) {
			t.Errorf("%s is public", s)
		}
	}
	for _, s := range []string{"8.8.8.8", "1.1.1.1", "2606:4700::1111", "::ffff:8.8.8.8"} {
		if !mailbox.Public(netip.MustParseAddr(s)) {
			t.Errorf("%s is not public", s)
		}
	}
}
