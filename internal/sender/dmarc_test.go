package sender

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/emersion/go-msgauth/dkim"
)

func TestParseDMARC(t *testing.T) {
	for _, tt := range []struct {
		name, txt string
		want      dmarcRecord
		ok        bool
	}{
		{"usual", "v=DMARC1; p=reject; rua=mailto:d@example.com", dmarcRecord{p: "reject", rua: true, psd: "u"}, true},
		{"everything", "v=DMARC1;p=none;sp=quarantine;np=reject;adkim=s;aspf=s;psd=n;t=y;fo=1:d;ruf=mailto:x@y.example",
			dmarcRecord{p: "none", sp: "quarantine", np: "reject", strictDKIM: true, strictSPF: true, psd: "n",
				testing: true}, true},
		{"blanks", "v = DMARC1 ;\tp = Reject ; ", dmarcRecord{p: "reject", psd: "u"}, true},
		{"upper case", "V=DMARC1; P=REJECT; ASPF=S", dmarcRecord{p: "reject", strictSPF: true, psd: "u"}, true},
		{"unknown tags", "v=DMARC1; p=reject; pct=10; rf=afrf; ri=1; x=y", dmarcRecord{p: "reject", psd: "u"}, true},
		{"junk after the version", "v=DMARC1; p=reject; junk; =; adkim", dmarcRecord{p: "reject", psd: "u"}, true},
		{"bad values are defaults", "v=DMARC1; p=reject; adkim=x; aspf=; psd=z; t=maybe",
			dmarcRecord{p: "reject", psd: "u"}, true},
		{"tag twice", "v=DMARC1; p=reject; p=none", dmarcRecord{p: "reject", psd: "u"}, true},
		{"no policy", "v=DMARC1", dmarcRecord{broken: true, psd: "u"}, true},
		{"bad policy", "v=DMARC1; p=block", dmarcRecord{p: "block", broken: true, psd: "u"}, true},
		{"bad policy for others", "v=DMARC1; p=reject; sp=block", dmarcRecord{p: "reject", sp: "block", broken: true,
			psd: "u"}, true},
		{"reports limited in size", "v=DMARC1; rua=mailto:a@b.example!10m", dmarcRecord{broken: true, rua: true,
			psd: "u"}, true},
		{"reports to nowhere", "v=DMARC1; rua=, nobody ,x:", dmarcRecord{broken: true, psd: "u"}, true},
		{"version in lower case", "v=dmarc1; p=reject", dmarcRecord{}, false},
		{"later version", "v=DMARC2; p=reject", dmarcRecord{}, false},
		{"version not first", "p=reject; v=DMARC1", dmarcRecord{}, false},
		{"version not first, after no tag", "v;v=DMARC1; p=reject", dmarcRecord{}, false},
		{"no separator", "v=DMARC1 p=reject", dmarcRecord{}, false},
		{"blank before", " v=DMARC1; p=reject", dmarcRecord{}, false},
		{"other text", "v=spf1 -all", dmarcRecord{}, false},
		{"empty", "", dmarcRecord{}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, ok := parseDMARC(tt.txt); got != tt.want || ok != tt.ok {
				t.Errorf("%+v, %v, want %+v, %v", got, ok, tt.want, tt.ok)
			}
		})
	}
}

func TestWalkNames(t *testing.T) {
	for domain, want := range map[string]string{
		"com":               "com",
		"example.com":       "example.com com",
		"a.b.c.d.e.f.g":     "a.b.c.d.e.f.g b.c.d.e.f.g c.d.e.f.g d.e.f.g e.f.g f.g g",
		"a.b.c.d.e.f.g.h":   "a.b.c.d.e.f.g.h b.c.d.e.f.g.h c.d.e.f.g.h d.e.f.g.h e.f.g.h f.g.h g.h h",
		"a.b.c.d.e.f.g.h.i": "a.b.c.d.e.f.g.h.i c.d.e.f.g.h.i d.e.f.g.h.i e.f.g.h.i f.g.h.i g.h.i h.i i",
		"a.b.c.d.e.f.g.h.i.j.mail.example.com": "a.b.c.d.e.f.g.h.i.j.mail.example.com g.h.i.j.mail.example.com " +
			"h.i.j.mail.example.com " +
			"i.j.mail.example.com j.mail.example.com mail.example.com example.com com", // RFC 9989 4.10
	} {
		if got := walkNames(domain); strings.Join(got, " ") != want || len(got) > maxWalk {
			t.Errorf("%s: %s", domain, got)
		}
	}
}

// TestOrganization has the examples of RFC 9989 4.10.2 and B.4, and the corners.
func TestOrganization(t *testing.T) {
	for _, tt := range []struct {
		name, domain string
		zone         []string // domain=tags
		want         string
	}{
		{"two records", "a.mail.example.com", []string{"mail.example.com=p=none", "example.com=p=none"}, "example.com"},
		{"a department", "a.mail.example.com", []string{"mail.example.com=psd=n", "example.com=p=none"},
			"mail.example.com"},
		{"a suffix", "a.mail.example.com", []string{"com=psd=y"}, "example.com"},
		{"nothing", "a.mail.example.com", nil, "a.mail.example.com"},
		{"only its own", "mail.example.com", []string{"mail.example.com=p=none"}, "mail.example.com"},
		{"the suffix itself", "bank.example", []string{"bank.example=psd=y"}, "bank.example"},
		{"the suffix itself, under a record", "bank.example", []string{"bank.example=psd=y", "example=p=none"},
			"bank.example"},
		{"under a suffix with its own", "mail.giant.bank.example", []string{"giant.bank.example=p=none",
			"bank.example=psd=y"}, "giant.bank.example"},
		{"under a suffix without", "mail.mega.bank.example", []string{"giant.bank.example=p=none",
			"bank.example=psd=y"}, "mega.bank.example"},
		{"directly under a suffix", "mega.bank.example", []string{"bank.example=psd=y"}, "mega.bank.example"},
		{"two records at one name", "a.example.com", []string{"example.com=p=none", "example.com=p=reject",
			"a.example.com=p=none"}, "a.example.com"},
		{"deep", "a.b.c.d.e.f.g.h.i.j.k", []string{"e.f.g.h.i.j.k=p=none"}, "e.f.g.h.i.j.k"},
		{"too deep", "a.b.c.d.e.f.g.h.i.j.k", []string{"d.e.f.g.h.i.j.k=p=none"}, "a.b.c.d.e.f.g.h.i.j.k"},
		{"a record that is broken", "a.example.com", []string{"example.com=p=block"}, "example.com"},
		{"a record at the top", "a.example.com", []string{"example.com=p=none", "com=p=none"}, "com"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			z := newZone(t)
			for _, r := range tt.zone {
				name, tags, _ := strings.Cut(r, "=")
				z.text("_dmarc."+name, "v=DMARC1; "+tags)
			}
			if got, ok := organization(walk(t.Context(), z.checker(t).dns, tt.domain)); got != tt.want || !ok {
				t.Errorf("%s, %v, want %s", got, ok, tt.want)
			}
			if n := len(z.Asked()); n > maxWalk {
				t.Errorf("%d questions", n)
			}
		})
	}
}

// dmarcCase is a mail from SPF's and DKIM's domains, as an author's.
type dmarcCase struct {
	name   string
	zone   []string // "domain tags" of DMARC records, or lines of a zone
	spf    string   // domain of the envelope sender, "" for one without a policy
	dkim   string   // domain that signed
	author string
	want   string // "dmarc policy aligned"
}

// check puts the mail together: SPF passes for its domain, and the signature is good.
func (d dmarcCase) check(t *testing.T) Result {
	t.Helper()
	z := newZone(t)
	for _, line := range d.zone {
		domain, tags, _ := strings.Cut(line, " ")
		switch {
		case tags == "FAIL":
			z.Add(t, line)
		case tags == "A":
			z.text(domain, "it exists")
		default:
			z.text("_dmarc."+domain, "v=DMARC1; "+tags)
		}
	}
	raw := fmt.Sprintf("From: x@%s\r\nSubject: x\r\n\r\nx\r\n", d.author)
	if d.dkim != "" {
		z.text("ed._domainkey."+d.dkim, "k=ed25519; p="+keyText(t, edKey.Public()))
		raw = signed(t, raw, "relaxed/relaxed", dkim.SignOptions{Domain: d.dkim, Signer: edKey, Selector: "ed",
			HeaderKeys: []string{"From"}})
	}
	envelope := "x@unknown.example"
	if d.spf != "" {
		z.text(d.spf, "v=spf1 ip4:192.0.2.0/24 -all")
		envelope = "x@" + d.spf
	}
	return z.checker(t).Check(t.Context(), mailOf(raw, envelope, "x@"+d.author))
}

func runDMARC(t *testing.T, cases []dmarcCase) {
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			r := tt.check(t)
			policy := r.Policy
			if policy == "" {
				policy = "-"
			}
			if got := fmt.Sprintf("%s %s %v", r.DMARC, policy, r.FromAligned); got != tt.want {
				t.Errorf("%s, want %s: %+v", got, tt.want, r)
			}
			if tt.dkim != "" && !slices.Equal(r.Domains, []string{tt.dkim}) || tt.spf != "" && r.SPF != pass {
				t.Errorf("the mail is not as the test wants it: %+v", r)
			}
		})
	}
}

func TestDMARCAlignment(t *testing.T) {
	const com = "example.com p=reject"
	runDMARC(t, []dmarcCase{
		{"SPF, identical", []string{com}, "example.com", "", "example.com", "pass reject true"},
		{"SPF, below", []string{com}, "child.example.com", "", "example.com", "pass reject true"},
		{"SPF, above", []string{com}, "example.com", "", "child.example.com", "pass reject true"},
		{"SPF, beside", []string{com}, "a.example.com", "", "b.example.com", "pass reject true"},
		{"SPF, elsewhere", []string{com}, "example.net", "", "child.example.com", "fail reject false"},
		{"SPF, ends alike", []string{com}, "evilexample.com", "", "example.com", "fail reject false"},
		{"DKIM, identical", []string{com}, "", "example.com", "example.com", "pass reject true"},
		{"DKIM, above", []string{com}, "", "example.com", "child.example.com", "pass reject true"},
		{"DKIM, below", []string{com}, "", "child.example.com", "example.com", "pass reject true"},
		{"DKIM, elsewhere", []string{com}, "", "example.net", "child.example.com", "fail reject false"},
		{"both elsewhere", []string{com}, "example.net", "example.org", "example.com", "fail reject false"},
		{"one of them", []string{com}, "example.net", "example.com", "example.com", "pass reject true"},
		{"neither", []string{com}, "", "", "example.com", "fail reject false"},

		{"strict SPF, identical", []string{com + "; aspf=s"}, "example.com", "", "example.com", "pass reject true"},
		{"strict SPF, below", []string{com + "; aspf=s"}, "child.example.com", "", "example.com", "fail reject false"},
		{"strict SPF, DKIM below", []string{com + "; aspf=s"}, "", "child.example.com", "example.com",
			"pass reject true"},
		{"strict DKIM, identical", []string{com + "; adkim=s"}, "", "example.com", "example.com", "pass reject true"},
		{"strict DKIM, below", []string{com + "; adkim=s"}, "", "child.example.com", "example.com",
			"fail reject false"},
		{"strict DKIM, SPF below", []string{com + "; adkim=s"}, "child.example.com", "", "example.com",
			"pass reject true"},

		{"a department for itself", []string{com, "dep.example.com psd=n; p=none"}, "dep.example.com", "",
			"example.com", "fail reject false"},
		{"a department, within", []string{com, "dep.example.com psd=n; p=none"}, "a.dep.example.com", "",
			"b.dep.example.com", "pass none true"},
		{"a department, from above", []string{com, "dep.example.com psd=n; p=none"}, "example.com", "",
			"dep.example.com", "fail none false"},
		{"two under a suffix", []string{"bank.example psd=y; p=reject"}, "mega.bank.example", "", "giant.bank.example",
			"fail reject false"},
		{"one under a suffix", []string{"bank.example psd=y; p=reject"}, "a.giant.bank.example", "",
			"giant.bank.example", "pass reject true"},
		{"the suffix for those under it", []string{"bank.example psd=y; p=reject"}, "bank.example", "",
			"giant.bank.example", "fail reject false"},
		{"author in Unicode", []string{"xn--bcher-kva.example p=reject"}, "", "xn--bcher-kva.example", "bücher.example",
			"pass reject true"},

		{"without a policy, identical", nil, "example.com", "", "example.com", "none - true"},
		{"without a policy, below", nil, "child.example.com", "", "example.com", "none - false"},
		{"without a policy, neither", nil, "", "", "example.com", "none - false"},
	})
}

func TestDMARCPolicy(t *testing.T) {
	const exists = "a.example.com A"
	runDMARC(t, []dmarcCase{
		{"its own", []string{"example.com p=quarantine; sp=reject; np=reject"}, "", "", "example.com",
			"fail quarantine false"},
		{"none", []string{"example.com p=none"}, "", "", "example.com", "fail none false"},
		{"of a subdomain, its own", []string{"example.com p=reject", "a.example.com p=none; sp=reject"}, "", "",
			"a.example.com", "fail none false"},
		{"of a subdomain, p", []string{"example.com p=reject"}, "", "", "a.example.com", "fail reject false"},
		{"of a subdomain, sp", []string{"example.com p=reject; sp=none"}, "", "", "a.example.com", "fail none false"},
		{"of one that exists, np", []string{"example.com p=none; np=reject", exists}, "", "", "a.example.com",
			"fail none false"},
		{"of one that exists, sp and np", []string{"example.com p=none; sp=quarantine; np=reject", exists}, "", "",
			"a.example.com", "fail quarantine false"},
		{"of one that does not, np", []string{"example.com p=none; sp=quarantine; np=reject"}, "", "", "a.example.com",
			"fail reject false"},
		{"of one that does not, no np", []string{"example.com p=none; sp=quarantine"}, "", "", "a.example.com",
			"fail quarantine false"},
		{"of one that cannot be told, np", []string{"example.com p=none; np=reject", "a.example.com FAIL"}, "", "",
			"a.example.com", "fail none false"},
		{"deep, of the organization not of what is between", []string{"example.com p=reject", "b.example.com p=none"},
			"", "", "a.b.example.com", "fail reject false"},
		{"of a suffix", []string{"bank.example psd=y; p=none; sp=quarantine"}, "", "", "giant.bank.example",
			"fail quarantine false"},
		{"of a suffix for one that does not exist", []string{"bank.example psd=y; p=none; np=reject"}, "", "",
			"giant.bank.example", "fail reject false"},
		{"of the organization, not of the suffix", []string{"bank.example psd=y; p=reject",
			"giant.bank.example p=none"}, "", "", "a.giant.bank.example", "fail none false"},
		{"of a suffix, as the author", []string{"bank.example psd=y; p=reject; sp=none"}, "", "", "bank.example",
			"fail reject false"},
		{"tested, reject", []string{"example.com p=reject; t=y"}, "", "", "example.com", "fail quarantine false"},
		{"tested, quarantine", []string{"example.com p=quarantine; t=y"}, "", "", "example.com", "fail none false"},
		{"tested, none", []string{"example.com p=none; t=y"}, "", "", "example.com", "fail none false"},
		{"tested, sp", []string{"example.com p=none; sp=reject; t=y"}, "", "", "a.example.com",
			"fail quarantine false"},
		{"not tested any more", []string{"example.com p=reject; pct=0; t=n"}, "", "", "example.com",
			"fail reject false"},

		{"two records", []string{"example.com p=reject", "example.com p=reject"}, "", "", "example.com",
			"none - false"},
		{"two records below one", []string{"a.example.com p=none", "a.example.com p=none", "example.com p=reject"}, "",
			"", "a.example.com", "fail reject false"},
		{"no policy but reports", []string{"example.com rua=mailto:x@example.com"}, "", "", "example.com",
			"fail none false"},
		{"no policy and no reports", []string{"example.com fo=1"}, "", "", "example.com", "none - false"},
		{"bad sp but reports", []string{"example.com p=reject; sp=x; rua=mailto:x@example.com"}, "", "", "example.com",
			"fail none false"},
		{"bad sp and no reports", []string{"example.com p=reject; sp=x"}, "", "", "example.com", "none - false"},
		{"no record", nil, "", "", "a.example.com", "none - false"},

		{"cannot be told", []string{"_dmarc.example.com FAIL"}, "", "", "example.com", "temperror - false"},
		{"cannot be told, aligned all the same", []string{"_dmarc.example.com FAIL"}, "example.com", "", "example.com",
			"temperror - true"},
		{"organization cannot be told", []string{"_dmarc.example.com FAIL"}, "", "", "a.example.com",
			"temperror - false"},
		{"organization cannot be told, its own record", []string{"a.example.com p=reject", "_dmarc.example.com FAIL"},
			"", "a.example.com", "a.example.com", "pass reject true"},
		{"organization cannot be told, signed above", []string{"a.example.com p=reject", "_dmarc.example.com FAIL"}, "",
			"example.com", "a.example.com", "temperror reject false"},
		{"others cannot be told", []string{"example.com p=reject", "_dmarc.example.net FAIL"}, "", "example.net",
			"example.com", "fail reject false"},
		{"those below cannot be told", []string{"example.com p=reject", "_dmarc.a.example.com FAIL"}, "",
			"a.example.com", "example.com", "temperror reject false"},
	})
}

// A check without a result leaves DMARC open only if it might have been aligned: else anybody could keep it from
// failing.
func TestDMARCOpen(t *testing.T) {
	sig := func(d string) string {
		return "DKIM-Signature: v=1; a=rsa-sha256; d=" + d + "; s=broken; h=from; bh=AAAA; b=AAAA\r\n"
	}
	for _, tt := range []struct{ name, signer, envelope, want string }{
		{"key of the author", "example.com", "x@unknown.example", temperror},
		{"key of the author's subdomain", "a.example.com", "x@unknown.example", temperror},
		{"key of somebody else", "example.net", "x@unknown.example", fail},
		{"policy of the author", "example.org", "x@broken.example.com", temperror},
		{"policy of somebody else", "example.org", "x@broken.example.net", fail},
	} {
		t.Run(tt.name, func(t *testing.T) {
			z := newZone(t, "broken._domainkey.example.com FAIL", "broken._domainkey.a.example.com FAIL",
				"broken._domainkey.example.net FAIL",
				"broken.example.com FAIL", "broken.example.net FAIL").text("_dmarc.example.com", "v=DMARC1; p=reject")
			raw := sig(tt.signer) + "From: x@example.com\r\n\r\nx\r\n"
			if r := z.checker(t).Check(t.Context(), mailOf(raw, tt.envelope, "x@example.com")); r.DMARC != tt.want {
				t.Errorf("%+v, want %s", r, tt.want)
			}
		})
	}
}

func TestDMARCAuthors(t *testing.T) {
	good := func(header string) string {
		return signed(t, header+"\r\n\r\nx\r\n", "relaxed/relaxed", dkim.SignOptions{HeaderKeys: []string{"From"}})
	}
	for _, tt := range []struct{ name, raw, from, want string }{
		{"one", good("From: ann@example.com"), "ann@example.com", "pass true"},
		{"From twice", good("From: eve@example.net\r\nFrom: ann@example.com"), "ann@example.com", "permerror false"},
		{"From twice, the reader saw none", good("From: eve@example.net\r\nFrom: ann@example.com"), "",
			"permerror false"},
		{"two domains in it", good("From: eve@example.net, ann@example.com"), "", "permerror false"},
		{"none", "Subject: x\r\n\r\nx", "", "none false"},
		{"no domain", "From: root\r\n\r\nx", "root", "none false"},
		{"local domain", "From: root@localhost\r\n\r\nx", "root@localhost", "none false"},
		{"address literal", "From: root@[192.0.2.1]\r\n\r\nx", "root@[192.0.2.1]", "none false"},
		{"empty mail", "", "", "none false"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			z := keyZone(t).text("_dmarc.example.com", "v=DMARC1; p=reject").text("_dmarc.example.net",
				"v=DMARC1; p=reject")
			r := z.checker(t).Check(t.Context(), mailOf(tt.raw, "x@unknown.example", tt.from))
			if got := fmt.Sprintf("%s %v", r.DMARC, r.FromAligned); got != tt.want {
				t.Errorf("%s, want %s: %+v", got, tt.want, r)
			}
		})
	}
}
