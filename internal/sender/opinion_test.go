package sender

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	"blitiri.com.ar/go/spf"
	"github.com/emersion/go-msgauth/dkim"

	"github.com/mailkin/mailkin/internal/dns"
)

// TestSPFSecondOpinion compares with another implementation on policies that are made up.
func TestSPFSecondOpinion(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 208))
	pick := func(from ...string) string { return from[rnd.IntN(len(from))] }
	term := func(depth int) string {
		host := pick("h4.example.com", "h6.example.com", "both.example.com", "nothing.example.com", "%{d}",
			"%{i}.list.example.com", "mx.%{d2}")
		bits := pick("", "", "/24", "//64", "/30//126", "/0", "//0")
		switch rnd.IntN(9) {
		case 0:
			return "a:" + host + bits
		case 1:
			return "mx:" + host + bits
		case 2:
			return "a" + bits
		case 3:
			return "exists:" + host
		case 4:
			return "ip4:192.0.2." + pick("1", "2", "0/24", "0/30", "8/29")
		case 5:
			return "ip6:2001:db8::" + pick("1", "2", "/32", "/126", "8/125")
		case 6:
			return "ptr:" + pick("example.com", "example.net", "both.example.com")
		case 7:
			return fmt.Sprintf("include:p%d.example.com", depth)
		}
		return "all"
	}
	for round := range 300 {
		z := newZone(t, "h4.example.com. A 192.0.2.1", "h6.example.com. AAAA 2001:db8::1",
			"both.example.com. A 192.0.2.2", "both.example.com. AAAA 2001:db8::2",
			"mx.example.com. MX 10 h4.example.com.", "mx.example.com. MX 20 h6.example.com.",
			"p0.example.com. A 192.0.2.3",
			"192.0.2.1.list.example.com. A 127.0.0.2", "1.2.0.192.in-addr.arpa. PTR h4.example.com.",
			"2.2.0.192.in-addr.arpa. PTR both.example.com.")
		for depth := range 3 {
			policy := "v=spf1"
			for range 1 + rnd.IntN(4) {
				policy += " " + pick("", "+", "-", "~", "?") + term(depth+1)
			}
			if rnd.IntN(3) == 0 {
				policy += fmt.Sprintf(" redirect=p%d.example.com", depth+1)
			}
			z.text(fmt.Sprintf("p%d.example.com", depth), policy)
		}
		z.text("p3.example.com", "v=spf1 "+pick("", "+", "-", "~", "?")+"all")
		resolver := z.checker(t).dns
		for _, ip := range []string{"192.0.2.1", "192.0.2.2", "198.51.100.1", "2001:db8::1", "2001:db8::9"} {
			m := Mail{Remote: netip.MustParseAddr(ip), Helo: "mail.example.com", EnvelopeFrom: "bob@p0.example.com"}
			got := evaluateSPF(t.Context(), resolver, m).verdict
			want, err := spf.CheckHostWithSender(net.ParseIP(ip), m.Helo, m.EnvelopeFrom, spf.WithContext(t.Context()),
				spf.WithResolver(netResolver{z}))
			// It counts hosts of MX records without an address as empty answers, too.
			if got != string(want) && !strings.Contains(fmt.Sprint(err), "void") {
				t.Errorf("round %d, %s: %s, the other says %s (%v)", round, ip, got, want, err)
				t.Log(z.Records("p"))
			}
		}
	}
}

var kinds = map[string]dns.Type{"TXT": dns.TXT, "MX": dns.MX, "A": dns.A, "AAAA": dns.AAAA, "PTR": dns.PTR}

// netResolver is a zone as the net package would show it.
type netResolver struct{ z *zone }

func (r netResolver) ask(ctx context.Context, name, kind string) (dns.Answer, error) {
	a, err := r.z.Ask(ctx, dns.Question{Name: strings.TrimSuffix(strings.ToLower(name), "."), Type: kinds[kind]})
	if err != nil || a.Outcome == dns.Failed {
		return a, &net.DNSError{Err: "failed", Name: name, IsTemporary: true}
	}
	if a.Outcome != dns.Found {
		return a, &net.DNSError{Err: "no such host", Name: name, IsNotFound: true}
	}
	return a, nil
}

func (r netResolver) LookupTXT(ctx context.Context, name string) ([]string, error) {
	a, err := r.ask(ctx, name, "TXT")
	return a.Texts, err
}

func (r netResolver) LookupMX(ctx context.Context, name string) ([]*net.MX, error) {
	a, err := r.ask(ctx, name, "MX")
	var out []*net.MX
	for _, mx := range a.MX {
		out = append(out, &net.MX{Host: mx.Host + ".", Pref: mx.Preference})
	}
	return out, err
}

func (r netResolver) LookupIPAddr(ctx context.Context, host string) ([]net.IPAddr, error) {
	var out []net.IPAddr
	var failure error
	for _, kind := range []string{"A", "AAAA"} {
		a, err := r.ask(ctx, host, kind)
		for _, ip := range a.Addrs {
			out = append(out, net.IPAddr{IP: ip.AsSlice()})
		}
		failure = err
	}
	if out != nil {
		failure = nil
	}
	return out, failure
}

func (r netResolver) LookupAddr(ctx context.Context, addr string) ([]string, error) {
	a, err := r.ask(ctx, reverseName(netip.MustParseAddr(addr)), "PTR")
	var out []string
	for _, name := range a.Names {
		out = append(out, name+".")
	}
	return out, err
}

// TestDKIMSecondOpinion changes signed mails and compares what another implementation says.
func TestDKIMSecondOpinion(t *testing.T) {
	rnd := rand.New(rand.NewPCG(63, 76))
	z := keyZone(t)
	c := z.checker(t)
	lookup := func(name string) ([]string, error) {
		return netResolver{z}.LookupTXT(t.Context(), name)
	}
	var passed, other int
	for round := range 600 {
		header, body := "From: ann@example.com\r\nSubject: "+scribble(rnd, false)+"\r\nTo: x@example.org\r\n",
			scribble(rnd, true)
		canon := []string{"simple", "relaxed"}[rnd.IntN(2)] + "/" + []string{"simple", "relaxed"}[rnd.IntN(2)]
		o := dkim.SignOptions{HeaderKeys: []string{"From", "Subject", "To"}, Signer: edKey, Selector: "ed"}
		if rnd.IntN(3) == 0 {
			o.Expiration = time.Now().Add(time.Duration(2*rnd.IntN(2)-1) * time.Hour)
		}
		raw := alter(rnd, signed(t, header+"\r\n"+body, canon, o))
		theirs, err := dkim.VerifyWithOptions(strings.NewReader(raw), &dkim.VerifyOptions{LookupTXT: lookup})
		want := err == nil && len(theirs) == 1 && theirs[0].Err == nil
		got := c.Check(t.Context(), mailOf(raw, "", "")).DKIM
		if got == pass {
			passed++
		} else {
			other++
		}
		if (got == pass) != want {
			t.Errorf("round %d: %s, the other says %v (%v)\n%q", round, got, want, err, raw)
		}
	}
	if passed < 100 || other < 100 {
		t.Errorf("%d passed and %d did not: the changes are not good for much", passed, other)
	}
}

// scribble writes text with all kinds of blanks.
func scribble(rnd *rand.Rand, lines bool) string {
	var b strings.Builder
	for range rnd.IntN(30) {
		s := []string{"a", "Hello", " ", "  ", "\t", ".", "\r\n", "\r\n\r\n", " \r\n"}[rnd.IntN(9)]
		if !lines {
			s = strings.ReplaceAll(s, "\r\n", "\r\n x")
		}
		b.WriteString(s)
	}
	return b.String()
}

// alter changes a mail in none, one or two places.
func alter(rnd *rand.Rand, raw string) string {
	for range rnd.IntN(3) {
		i := rnd.IntN(len(raw))
		for raw[i] == '\r' || raw[i] == '\n' {
			i = rnd.IntN(len(raw))
		}
		blank := raw[i] == ' ' || raw[i] == '\t'
		switch rnd.IntN(4) {
		case 0:
			raw = raw[:i] + "x" + raw[i+1:]
		case 1:
			if blank {
				raw = raw[:i] + " \t" + raw[i:]
			}
		case 2:
			raw += "\r\n"
		case 3:
			if blank {
				raw = raw[:i+1] + raw[i:]
			}
		}
	}
	return raw
}
