package zone

import (
	"strings"
	"testing"
)

func TestDKIM(t *testing.T) {
	const p = "p=AAECAwQFBgcICQoLDA0ODw=="
	for _, tt := range []struct {
		name  string
		texts []string
		says  string // empty: verified
	}{
		{"as told", []string{rsaRecord}, ""},
		{"the key alone", []string{p}, ""},
		{"another order", []string{"v=DKIM1;" + p + ";n=note;k=RSA"}, ""},
		{"blanks", []string{" v = DKIM1 ; k = rsa ; p = AAECAwQF BgcICQoL\tDA0ODw== ; "}, ""},
		{"beside other texts", []string{"hello", "v=spf1 -all", rsaRecord}, ""},
		{"for mail, tested", []string{"v=DKIM1; h=sha1:sha256; s=email; t=y:s; " + p}, ""},
		{"another key", []string{"v=DKIM1; p=AAEC"}, "another one"},
		{"cut off", []string{rsaRecord[:len(rsaRecord)-6]}, "another one"},
		{"of another kind", []string{"v=DKIM1; k=ed25519; " + p}, "another one"},
		{"withdrawn", []string{"v=DKIM1; p="}, "another one"},
		{"twice", []string{rsaRecord, rsaRecord}, "more than one"},
		{"two keys", []string{rsaRecord, edRecord}, "more than one"},
		{"in quotes", []string{`"` + rsaRecord + `"`}, "not a DKIM key"},
		{"a tag twice", []string{rsaRecord + "; " + p}, "not a DKIM key"},
		{"another text", []string{"hello"}, "not a DKIM key"},
		{"another version", []string{"v=DKIM2; " + p}, "other tags"},
		{"version last", []string{p + "; v=DKIM1"}, "other tags"},
		{"for SHA-1", []string{"h=sha1; " + p}, "other tags"},
		{"for something else", []string{"s=tlsrpt; " + p}, "other tags"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := dkimProblem(rsaRecord, tt.texts); (got == "") != (tt.says == "") ||
				!strings.Contains(got, tt.says) {
				t.Errorf("%q", got)
			}
		})
	}
}

func TestDMARC(t *testing.T) {
	for _, tt := range []struct {
		name  string
		texts []string
		says  string
	}{
		{"as told", []string{"v=DMARC1; p=none; rua=mailto:dmarc@example.com"}, ""},
		{"strict", []string{"v=DMARC1;p=reject;sp=quarantine;np=reject;adkim=s"}, ""},
		{"upper case", []string{"v=DMARC1; p=REJECT"}, ""},
		{"beside another text", []string{"hello", "v=DMARC1; p=quarantine"}, ""},
		{"mistakes elsewhere", []string{"v=DMARC1; p=none; pct; rua=x; rua=y"}, ""},
		{"two", []string{"v=DMARC1; p=none", "v=DMARC1; p=none"}, "more than one"},
		{"no policy", []string{"v=DMARC1; rua=mailto:a@b.example"}, "needs a p="},
		{"another policy", []string{"v=DMARC1; p=monitor"}, "needs a p="},
		{"another policy below", []string{"v=DMARC1; p=none; sp=x"}, "needs a sp="},
		{"version not first", []string{"p=none; v=DMARC1"}, "not a DMARC"},
		{"version in lower case", []string{"v=dmarc1; p=none"}, "not a DMARC"},
		{"another text", []string{"hello"}, "not a DMARC"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := dmarcProblem(tt.texts); (got == "") != (tt.says == "") || !strings.Contains(got, tt.says) {
				t.Errorf("%q", got)
			}
		})
	}
}

func TestOwnership(t *testing.T) {
	for _, tt := range []struct {
		name, token string
		texts       []string
		want        bool
	}{
		{"as told", "abc", []string{"mailkin-verify=abc"}, true},
		{"beside others, with blanks", "abc", []string{"x", " mailkin-verify=abc\n"}, true},
		{"another", "abc", []string{"mailkin-verify=abd"}, false},
		{"longer", "abc", []string{"mailkin-verify=abcd"}, false},
		{"in another case", "abc", []string{"mailkin-verify=ABC"}, false},
		{"the token alone", "abc", []string{"abc"}, false},
		{"no token", "", []string{"mailkin-verify="}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := ownershipProblem(tt.token, tt.texts) == ""; got != tt.want {
				t.Errorf("%v", got)
			}
		})
	}
}

func FuzzMatch(f *testing.F) {
	f.Add(rsaRecord, "v=DMARC1; p=none", "v=spf1 a:mail.mailkin.example mx/24//64 ip4:192.0.2.0/24 "+
		"include:example.com -all")
	f.Add("p=AAECAwQFBgcICQoLDA0ODw==;;v", "v=DMARC1;p", "v=spf1 redirect=example.com exp=%{d} x=y")
	f.Add(" p = ; p", "V = DMARC1", "v=spf1 ?a/0 -mx:a.b//0 ~all ip6:::/0 ptr exists:%{i}.x")
	f.Fuzz(func(t *testing.T, key, dmarc, spf string) {
		p := testPlan()
		host := "mk1._domainkey.example.com"
		w := &world{lines: []string{host + " TXT " + key, "_dmarc.example.com TXT " + dmarc, "example.com TXT " + spf,
			"example.com MX 1 mail.mailkin.example"}}
		got := p.Check(t.Context(), w)
		if f := got.of(t, KindDKIM); f.Verified && !strings.Contains(strings.Join(strings.Fields(key), ""),
			"AAECAwQFBgcICQoLDA0ODw==") {
			t.Errorf("%q holds", key)
		}
		if f := got.of(t, KindDMARC); f.Verified && !strings.Contains(dmarc, "DMARC1") {
			t.Errorf("%q holds", dmarc)
		}
		lower := strings.ToLower(spf)
		if f := got.of(t, KindSPF); f.Verified && (!strings.HasPrefix(lower, "v=spf1") ||
			!strings.Contains(lower, "mx") && !strings.Contains(lower, "mail.mailkin.example") &&
				!strings.Contains(lower, "all")) {
			t.Errorf("%q holds", spf)
		}
		if got.Complete(p) || len(w.asked) > 6+maxLookups {
			t.Errorf("%+v after %d questions", got, len(w.asked))
		}
	})
}
