package sender

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/dns"
)

// appendixA is the zone of RFC 7208 appendix A.
var appendixA = []string{
	"example.com. A 192.0.2.10", "example.com. A 192.0.2.11",
	"example.com. MX 10 mail-a.example.com.", "example.com. MX 20 mail-b.example.com.",
	"amy.example.com. A 192.0.2.65", "bob.example.com. A 192.0.2.66",
	"mail-a.example.com. A 192.0.2.129", "mail-b.example.com. A 192.0.2.130",
	"example.org. MX 10 mail-c.example.org.", "mail-c.example.org. A 192.0.2.140",
	"10.2.0.192.in-addr.arpa. PTR example.com.", "11.2.0.192.in-addr.arpa. PTR example.com.",
	"65.2.0.192.in-addr.arpa. PTR amy.example.com.", "66.2.0.192.in-addr.arpa. PTR bob.example.com.",
	"129.2.0.192.in-addr.arpa. PTR mail-a.example.com.", "130.2.0.192.in-addr.arpa. PTR mail-b.example.com.",
	"140.2.0.192.in-addr.arpa. PTR mail-c.example.org.", "4.0.0.10.in-addr.arpa. PTR bob.example.com.",
}

func TestSPFAppendixA(t *testing.T) {
	for _, tt := range []struct{ policy, passes, fails string }{
		{"v=spf1 +all", "192.0.2.129 203.0.113.1 2001:db8::1", ""},
		{"v=spf1 a -all", "192.0.2.10 192.0.2.11", "192.0.2.65 2001:db8::1"},
		{"v=spf1 a:example.org -all", "", "192.0.2.10 192.0.2.140"}, // no addresses
		{"v=spf1 mx -all", "192.0.2.129 192.0.2.130", "192.0.2.10 192.0.2.140"},
		{"v=spf1 mx:example.org -all", "192.0.2.140", "192.0.2.129"},
		{"v=spf1 mx mx:example.org -all", "192.0.2.129 192.0.2.130 192.0.2.140", "192.0.2.10"},
		{"v=spf1 mx/30 mx:example.org/30 -all", "192.0.2.131 192.0.2.143", "192.0.2.132 192.0.2.144"},
		{"v=spf1 ptr -all", "192.0.2.10 192.0.2.65", "192.0.2.140 203.0.113.1"},
		{"v=spf1 ip4:192.0.2.128/28 -all", "192.0.2.129 192.0.2.143", "192.0.2.65 192.0.2.144"},
	} {
		t.Run(tt.policy, func(t *testing.T) {
			z := newZone(t, appendixA...).text("example.com", tt.policy)
			resolver := z.checker(t).dns
			for want, clients := range map[string]string{pass: tt.passes, fail: tt.fails} {
				for _, ip := range strings.Fields(clients) {
					m := Mail{Remote: netip.MustParseAddr(ip), Helo: "example.com",
						EnvelopeFrom: "strong-bad@example.com"}
					if got := checkSPF(t.Context(), resolver, m); got.verdict != want {
						t.Errorf("%s: %s, want %s", ip, got.verdict, want)
					}
				}
			}
		})
	}
}

func TestSPFPolicies(t *testing.T) {
	for _, tt := range []struct {
		name   string
		policy string
		want   string
	}{
		{"qualifier +", "v=spf1 +ip4:192.0.2.1", pass},
		{"qualifier -", "v=spf1 -ip4:192.0.2.1", fail},
		{"qualifier ~", "v=spf1 ~all", softfail},
		{"qualifier ?", "v=spf1 ?all", neutral},
		{"nothing matches", "v=spf1 ip4:203.0.113.1", neutral},
		{"only a version", "v=spf1", neutral},
		{"no policy", "some text", none},
		{"another version", "v=spf10 +all", none},
		{"unknown mechanism", "v=spf1 ipv4:192.0.2.1 all", permerror},
		{"a mistake after a match", "v=spf1 +all junk", permerror},
		{"redirect", "v=spf1 redirect=good.example.com", pass},
		{"redirect after a match", "v=spf1 -ip4:192.0.2.1 redirect=good.example.com", fail},
		{"redirect to nothing", "v=spf1 redirect=nothing.example.com", permerror},
		{"redirect to itself", "v=spf1 redirect=example.com", permerror},
		{"redirect twice", "v=spf1 redirect=a.example.com redirect=b.example.com", permerror},
		{"include that passes", "v=spf1 -include:good.example.com", fail},
		{"include that fails", "v=spf1 include:bad.example.com ~all", softfail},
		{"include of nothing", "v=spf1 include:nothing.example.com ~all", permerror},
		{"include of itself", "v=spf1 include:example.com ~all", permerror},
		{"include that cannot be told", "v=spf1 include:broken.example.com ~all", temperror},
		{"a that cannot be told", "v=spf1 a:broken.example.com all", temperror},
		{"mx that cannot be told", "v=spf1 mx:halfmx.example.com -all", temperror},
		{"mx that cannot be told but matches", "v=spf1 mx:halfmx.example.com/1 -all", pass},
		{"no mail", "v=spf1 mx:nullmx.example.com -all", fail},
		{"ptr that cannot be told", "v=spf1 ptr -all", fail},
		{"exists", "v=spf1 exists:%{ir}.list.example.com -all", pass},
		{"exists of another", "v=spf1 exists:%{ir}.%{d2}.list.example.com -all", fail},
		{"local part", "v=spf1 exists:%{l}._at_.%{o}._spf.example.com -all", pass},
		{"kind of address", "v=spf1 exists:%{ir}.%{v}.list.example.com -all", pass},
		{"client without a name", "v=spf1 exists:%{p}.list.example.com -all", pass},
		{"a name too many", "v=spf1 " + strings.Repeat("a:other.example.com ", 9) + "exists:%{p}.list.example.com all",
			permerror},
		{"ten lookups", "v=spf1 " + strings.Repeat("a:other.example.com ", 10) + "all", pass},
		{"eleven lookups", "v=spf1 " + strings.Repeat("a:other.example.com ", 11) + "all", permerror},
		{"two empty answers", "v=spf1 a:no1.example.com a:no2.example.com a:other.example.com all", pass},
		{"three empty answers", "v=spf1 a:no1.example.com a:no2.example.com a:no3.example.com all", permerror},
		{"explanation", "v=spf1 -all exp=explain.example.com", fail},
		{"macro for explanations alone", "v=spf1 a:%{r}.example.com -all", permerror},
		{"eleven hosts", "v=spf1 mx:many.example.com all", permerror},
	} {
		t.Run(tt.name, func(t *testing.T) {
			z := newZone(t, "broken.example.com FAIL", "1.2.0.192.in-addr.arpa FAIL",
				"other.example.com. A 203.0.113.9",
				"halfmx.example.com. MX 10 broken.example.com.", "halfmx.example.com. MX 20 other.example.com.",
				"nullmx.example.com. MX 0 .", "1.2.0.192.list.example.com. A 127.0.0.2",
				"1.2.0.192.in-addr.list.example.com. A 127.0.0.2", "unknown.list.example.com. A 127.0.0.2",
				"bob._at_.example.com._spf.example.com. A 127.0.0.2").
				text("example.com", tt.policy).
				text("good.example.com", "v=spf1 ip4:192.0.2.1 -all").
				text("bad.example.com", "v=spf1 -all")
			for range 11 {
				z.Add(t, "many.example.com. MX 10 other.example.com.")
			}
			m := mailOf("", "bob@example.com", "")
			if got := checkSPF(t.Context(), z.checker(t).dns, m); got.verdict != tt.want {
				t.Errorf("%s, want %s", got.verdict, tt.want)
			}
			if z.Count("explain.example.com") > 0 {
				t.Error("an explanation was fetched")
			}
		})
	}
}

func TestSPFIdentity(t *testing.T) {
	z := newZone(t).text("example.com", "v=spf1 +all").text("mail.example.net", "v=spf1 -all").
		text("xn--bcher-kva.example", "v=spf1 +all").text("under_score.example", "v=spf1 +all")
	z.text("two.example", "v=spf1 +all").text("two.example", "v=spf1 -all")
	for _, tt := range []struct{ name, helo, from, want string }{
		{"envelope", "mail.example.net", "x@example.com", "pass example.com"},
		{"upper case", "mail.example.net", "x@EXAMPLE.com", "pass example.com"},
		{"null sender", "mail.example.net", "", "fail mail.example.net"},
		{"null sender, no name", "[192.0.2.1]", "", "none "},
		{"null sender, short name", "localhost", "", "none "},
		{"no local part", "mail.example.net", "@example.com", "pass example.com"},
		{"quoted at sign", "mail.example.net", `"x@example.net"@example.com`, "pass example.com"},
		{"address literal", "mail.example.net", "x@[192.0.2.1]", "none "},
		{"Unicode", "mail.example.net", "x@bücher.example", "pass xn--bcher-kva.example"},
		{"underscore", "mail.example.net", "x@under_score.example", "pass under_score.example"},
		{"no policy", "mail.example.net", "x@nothing.example", "none nothing.example"},
		{"two policies", "mail.example.net", "x@two.example", "permerror two.example"},
		{"very long", "mail.example.net", "x@" + strings.Repeat("a.", 5000) + "example", "none "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := checkSPF(t.Context(), z.checker(t).dns, Mail{Remote: clientAddr, Helo: tt.helo, EnvelopeFrom: tt.from})
			if got := r.verdict + " " + r.domain; got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}

// Addresses of our own network say nothing, even if a policy has them.
func TestSPFPrivateClients(t *testing.T) {
	z := newZone(t).text("example.com", "v=spf1 ip4:0.0.0.0/0 ip6:::/0 -all")
	c := z.checker(t)
	for ip, want := range map[string]string{
		"127.0.0.1": none, "::1": none, "10.0.0.4": none, "172.17.0.1": none, "192.168.1.1": none, "169.254.1.1": none,
		"100.64.0.1": none, "fd00::1": none, "fe80::1%eth0": none, "::ffff:10.0.0.1": none, "0.0.0.0": none,
		"224.0.0.1": none,
		"192.0.2.1": pass, "::ffff:192.0.2.1": pass, "2001:db8::1": pass,
	} {
		r := c.Check(t.Context(), Mail{Remote: netip.MustParseAddr(ip), EnvelopeFrom: "x@example.com"})
		if r.SPF != want {
			t.Errorf("%s: %s, want %s", ip, r.SPF, want)
		}
	}
	if r := c.Check(t.Context(), Mail{EnvelopeFrom: "x@example.com"}); r.SPF != none {
		t.Errorf("without a client: %s", r.SPF)
	}
}

// Names that are too long lose labels on the left (RFC 7208 7.3).
func TestSPFLongTargets(t *testing.T) {
	c := spfCheck{local: strings.Repeat("abcdefghi.", 30) + "x", domain: "example.com"}
	name, ok := c.target(t.Context(), "%{l}.example.com", "example.com")
	if want := strings.Repeat("abcdefghi.", 24) + "x.example.com"; name != want || !ok {
		t.Errorf("%d bytes: %s", len(name), name)
	}
	c.local = strings.Repeat("x", 300)
	if name, _ := c.target(t.Context(), "%{l}", "example.com"); dns.IsName(name) {
		t.Errorf("%s", name)
	}
}
