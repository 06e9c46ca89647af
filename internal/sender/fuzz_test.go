package sender

import (
	"context"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/emersion/go-msgauth/dkim"

	"github.com/mailkin/mailkin/internal/dns"
)

func FuzzDMARCRecord(f *testing.F) {
	for _, s := range []string{
		"v=DMARC1; p=reject; sp=quarantine; np=none; adkim=s; aspf=r; psd=n; t=y; " +
			"rua=mailto:a@b.example!10m,mailto:c@d.example",
		"v=DMARC1", "v = DMARC1 ; p = none ;;", "v=DMARC1;p", "V=DMARC1;P=REJECT", "v=DMARC1 p=none", "p=none;v=DMARC1",
		"v=DMARC1;p=none;p=reject;=;x==y",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, txt string) {
		r, ok := parseDMARC(txt)
		if ok != strings.HasPrefix(strings.NewReplacer(" ", "", "\t", "", "\r", "", "\n", "", "V", "v").Replace(txt),
			"v=DMARC1") && ok {
			t.Errorf("%q is no record", txt)
		}
		for _, own := range []bool{true, false} {
			for _, exists := range []bool{true, false} {
				policy, applies := r.policy(own, func() bool { return exists })
				if ok && (!isPolicy(policy) || !applies && !r.broken) {
					t.Errorf("%q: policy %q, %v", txt, policy, applies)
				}
			}
		}
		if !ok && r != (dmarcRecord{}) {
			t.Errorf("%q: %+v", txt, r)
		}
	})
}

// cannedDNS says the same to every question of a kind.
type cannedDNS struct {
	spf, key, dmarc string
	asked           atomic.Int64
}

func (c *cannedDNS) Ask(_ context.Context, q dns.Question) (dns.Answer, error) {
	c.asked.Add(1)
	a := dns.Answer{Outcome: dns.Found, TTL: time.Hour}
	switch {
	case strings.HasPrefix(q.Name, "void"):
		return dns.Answer{Outcome: dns.NoName}, nil
	case strings.HasPrefix(q.Name, "fail"):
		return dns.Answer{}, nil
	case q.Type == dns.A:
		a.Addrs = []netip.Addr{netip.MustParseAddr("198.51.100.7"), clientAddr}
	case q.Type == dns.MX, q.Type == dns.PTR:
		a.Names = []string{"", "void.example.com", "mail.example.com", "fail.example.com", "mail." + q.Name}
		for i, name := range a.Names {
			a.MX = append(a.MX, dns.Exchange{Preference: uint16(i), Host: name})
		}
	case q.Type != dns.TXT:
		return dns.Answer{Outcome: dns.NoData}, nil
	case strings.HasPrefix(q.Name, "_dmarc."):
		a.Texts = strings.Split(c.dmarc, "\n")
	case strings.Contains(q.Name, "._domainkey."):
		a.Texts = strings.Split(c.key, "\n")
	default:
		a.Texts = strings.Split(c.spf, "\n")
	}
	return a, nil
}

func FuzzCheck(f *testing.F) {
	key := "v=DKIM1; k=ed25519; p=" + keyText(f, edKey.Public())
	ed := dkim.SignOptions{Signer: edKey, Selector: "ed"}
	f.Add(signed(f, plainMail, "relaxed/relaxed", ed), "v=spf1 a mx ptr exists:%{ir}.%{l1r-}.%{d} include:%{h} -all",
		key, "v=DMARC1; p=reject", "x@a.example.com")
	f.Add(signed(f, plainMail, "simple/simple", ed)+"x", "v=spf1 redirect=example.com", key+"; t=y", "v=DMARC1; psd=y",
		"x@b.example.com")
	f.Add("DKIM-Signature: v=1; l=5; b=\n", "v=spf1 include:example.com ?all\nv=spf1", "p=\nq",
		"v=DMARC1; p=none; np=reject; rua=x", "")
	f.Add("From: a\r\nFrom: b\r\n\r\n", "v=spf1 ip4:192.0.2.0/24 ip6:::/0 a:fail.example.com//0", "", "", "@")
	f.Add(rfc8463, "v=spf1 a:%{S}.%{p}.example.com -all exp=%{d}", key, "v=DMARC1; adkim=s; aspf=s; p=quarantine",
		`"a@b"@c.example`)
	f.Add("\n\n", "v=spf1 a:%%%_%-.example.com/24//64 mx/0 ~all x=%{i}", key, "x", "x@-")
	f.Fuzz(func(t *testing.T, raw, policy, key, dmarc, from string) {
		canned := &cannedDNS{spf: policy, key: key, dmarc: dmarc}
		c := checkerOf(t, canned, time.Now)
		m := mailOf(raw, from, "ann@example.com")
		r := c.Check(t.Context(), m)
		all := []string{pass, fail, softfail, neutral, none, temperror, permerror}
		if !slices.Contains(all, r.SPF) || !slices.Contains(all, r.DKIM) || !slices.Contains(all, r.DMARC) ||
			r.ARC != none ||
			(r.DKIM == pass) != (len(r.Domains) > 0) || r.DMARC == pass && !r.FromAligned ||
			r.FromAligned && r.SPF != pass && r.DKIM != pass {
			t.Errorf("%+v", r)
		}
		if again := c.Check(t.Context(), m); again.SPF != r.SPF || again.DKIM != r.DKIM || again.DMARC != r.DMARC {
			t.Errorf("%+v, then %+v", r, again)
		}
		if n := canned.asked.Load(); n > 300 {
			t.Errorf("%d questions", n)
		}
	})
}
