package zone

import (
	"context"
	"math/rand/v2"
	"net"
	"net/netip"
	"strings"
	"testing"

	"blitiri.com.ar/go/spf"
)

func TestSPF(t *testing.T) {
	const ours = "example.com MX 10 mail.mailkin.example."
	many := strings.Repeat(" a:x.example", 10)
	for _, tt := range []struct {
		name, policy string
		others       []string
		addresses    string
		says         string // empty: verified
	}{
		{"as told", "a:mail.mailkin.example ~all", nil, "", ""},
		{"upper case", "A:Mail.Mailkin.Example. -ALL", nil, "", ""},
		{"plus", "+a:mail.mailkin.example -all", nil, "", ""},
		{"with a network", "a:mail.mailkin.example/24//64 -all", nil, "", ""},
		{"without all", "a:mail.mailkin.example", nil, "", ""},
		{"among others", "include:spf.other.example ip4:192.0.2.0/24 a:mail.mailkin.example -all",
			[]string{"spf.other.example TXT v=spf1 ip4:198.51.100.0/24 -all"}, "", ""},
		{"mx that is ours", "mx -all", []string{ours}, "", ""},
		{"mx of another name", "mx:other.example/28 -all", []string{"other.example MX 1 mail.mailkin.example."}, "",
			""},
		{"mx that is not ours", "mx -all", []string{"example.com MX 10 a.example."}, "", "does not let"},
		{"mx that is not there", "mx -all", nil, "", "does not let"},
		{"include of our host", "include:mail.mailkin.example -all", []string{"mail.mailkin.example TXT v=spf1 a -all"},
			"", ""},
		{"include of our host without a policy", "include:mail.mailkin.example -all", nil, "",
			"no SPF record at mail.mailkin.example"},
		{"include of one for the domain", "include:spf.example.com -all",
			[]string{"spf.example.com TXT v=spf1 a:mail.mailkin.example ?all"}, "", ""},
		{"include that does not", "include:spf.example.com -all",
			[]string{"spf.example.com TXT v=spf1 -a:mail.mailkin.example"}, "", "does not let"},
		{"include that fails", "include:spf.example.com a:mail.mailkin.example -all", []string{"spf.example.com FAIL"},
			"", "error"},
		{"ours before what fails", "a:mail.mailkin.example include:spf.example.com -all",
			[]string{"spf.example.com FAIL"}, "", ""},
		{"redirect", "redirect=spf.example.com", []string{"spf.example.com TXT v=spf1 a:mail.mailkin.example -all"}, "",
			""},
		{"redirect that is not reached", "-all redirect=spf.example.com", []string{"spf.example.com TXT v=spf1 +all"},
			"", "does not let"},
		{"redirect by macros", "redirect=%{d}.example.com", nil, "", "does not let"},
		{"everybody", "+all", nil, "", ""},
		{"address", "ip4:192.0.2.0/24 -all", nil, "192.0.2.7", ""},
		{"address in another form", "ip4:192.0.2.7 -all", nil, "::ffff:192.0.2.7", ""},
		{"both addresses", "ip4:192.0.2.7 ip6:2001:db8::/32 -all", nil, "192.0.2.7 2001:db8::7", ""},
		{"one of two addresses", "ip4:192.0.2.7 -all", nil, "192.0.2.7 2001:db8::7", "does not let"},
		{"address that is not known", "ip4:192.0.2.7 -all", nil, "", "does not let"},
		{"address is refused first", "-ip4:192.0.2.7 a:mail.mailkin.example", nil, "192.0.2.7", "does not let"},
		{"refused by name", "-a:mail.mailkin.example +all", nil, "", "does not let"},
		{"soft", "~a:mail.mailkin.example", nil, "", "does not let"},
		{"after all", "-all a:mail.mailkin.example", nil, "", "does not let"},
		{"nobody", "-all", nil, "", "add a:mail.mailkin.example"},
		{"empty", "", nil, "", "does not let"},
		{"of the domain's own host", "a -all", nil, "", "does not let"},
		{"ten lookups before", many[12:] + " a:mail.mailkin.example", nil, "", ""},
		{"eleven", many + " a:mail.mailkin.example", nil, "", "more than ten lookups"},
		{"round and round", "include:example.com", nil, "", "more than ten lookups"},
		{"a mistake", "a:mail.mailkin.example ipv4:192.0.2.1 -all", nil, "", `mistake: "ipv4:192.0.2.1"`},
		{"a comma", "a:mail.mailkin.example, -all", nil, "", `mistake: "a:mail.mailkin.example,"`},
		{"no domain", "a: -all", nil, "", "mistake"},
		{"no such network", "ip4:192.0.2.1/33 -all", nil, "", "mistake"},
		{"no such length", "a:mail.mailkin.example/240 -all", nil, "", "mistake"},
		{"redirected twice", "redirect=a.example redirect=b.example", nil, "", "mistake"},
		{"two policies", "a:mail.mailkin.example -all", []string{"example.com TXT V=SPF1 -all"}, "", "more than one"},
		{"beside other texts", "a:mail.mailkin.example -all", []string{"example.com TXT v=spf10 x",
			"example.com TXT hello"}, "", ""},
		{"unknown modifier", "moo=x a:mail.mailkin.example exp=why.example.com -all", nil, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := testPlan()
			for s := range strings.FieldsSeq(tt.addresses) {
				p.Addresses = append(p.Addresses, netip.MustParseAddr(s))
			}
			f := p.Check(t.Context(), &world{lines: append(tt.others, "example.com TXT v=spf1 "+tt.policy)}).of(t,
				KindSPF)
			said := f.Problem
			if f.Err != nil {
				said = "error"
			}
			if f.Verified != (tt.says == "") || !strings.Contains(said, tt.says) || f.Verified && said != "" ||
				len(f.Found) == 0 {
				t.Errorf("%+v", f)
			}
		})
	}
}

// netWorld is a world as the net package would show it, with hosts that have addresses.
type netWorld struct {
	*world
	hosts map[string]string
}

func notFound(name string) error {
	return &net.DNSError{Err: "no such host", Name: name, IsNotFound: true}
}

func (n netWorld) LookupTXT(ctx context.Context, name string) ([]string, error) {
	texts, err := n.TXT(ctx, strings.TrimSuffix(name, "."))
	if err != nil {
		return nil, notFound(name)
	}
	return texts, nil
}

func (n netWorld) LookupMX(ctx context.Context, name string) ([]*net.MX, error) {
	hosts, err := n.MX(ctx, strings.TrimSuffix(name, "."))
	if err != nil {
		return nil, notFound(name)
	}
	var out []*net.MX
	for _, h := range hosts {
		out = append(out, &net.MX{Host: h.Host, Pref: h.Preference})
	}
	return out, nil
}

func (n netWorld) LookupIPAddr(_ context.Context, name string) ([]net.IPAddr, error) {
	if a, ok := n.hosts[strings.TrimSuffix(name, ".")]; ok {
		return []net.IPAddr{{IP: net.ParseIP(a)}}, nil
	}
	return nil, notFound(name)
}

func (n netWorld) LookupAddr(_ context.Context, addr string) ([]string, error) {
	return nil, notFound(addr)
}

// TestSPFSecondOpinion asks another implementation, as a receiver of our mail, about policies that are made up.
func TestSPFSecondOpinion(t *testing.T) {
	rnd := rand.New(rand.NewPCG(72, 8))
	pick := func(from ...string) string { return from[rnd.IntN(len(from))] }
	term := func() string {
		return pick("", "+", "-", "~", "?") + pick("a:mail.mailkin.example", "a:other.example", "a", "mx",
			"mx:b.example", "mx:c.example", "ip4:192.0.2.7",
			"ip4:198.51.100.0/24", "ip6:2001:db8::/32", "include:b.example", "include:c.example",
			"include:none.example", "all", "exists:none.example")
	}
	yes := 0
	for round := range 3000 {
		w := &world{lines: []string{"example.com MX 10 " + pick("mail.mailkin.example.", "other.example."),
			"b.example MX 1 mail.mailkin.example.", "c.example MX 1 other.example."}}
		for _, name := range []string{"example.com", "b.example", "c.example"} {
			text := "v=spf1"
			for range rnd.IntN(4) {
				text += " " + term()
			}
			w.lines = append(w.lines, name+" TXT "+text+pick("", "", " redirect=b.example", " redirect=c.example",
				" -all"))
		}
		p := testPlan()
		p.Addresses = []netip.Addr{netip.MustParseAddr("192.0.2.7")}
		f := p.Check(t.Context(), w).of(t, KindSPF)
		dns := netWorld{w, map[string]string{"mail.mailkin.example": "192.0.2.7", "other.example": "203.0.113.1",
			"example.com": "203.0.113.2", "b.example": "203.0.113.3", "c.example": "203.0.113.4"}}
		// Names without anything do not bother us; receivers count them.
		want, err := spf.CheckHostWithSender(net.ParseIP("192.0.2.7"), "mail.mailkin.example", "ann@example.com",
			spf.WithContext(t.Context()),
			spf.WithResolver(dns), spf.OverrideVoidLookupLimit(100))
		if f.Verified != (want == spf.Pass) {
			t.Fatalf("round %d: %v (%s), another says %s (%v)\n%s", round, f.Verified, f.Problem, want, err,
				strings.Join(w.lines, "\n"))
		}
		if f.Verified {
			yes++
		}
	}
	if yes < 300 || yes > 2700 {
		t.Errorf("%d pass: too few or too many to compare", yes)
	}
}
