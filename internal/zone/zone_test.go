package zone

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/miekg/dns"
)

func TestRecords(t *testing.T) {
	type row struct{ Kind, Type, Host, Value string }
	ownership := row{KindOwnership, "TXT", "_mailkin.example.com", "mailkin-verify=t0k3n"}
	mx := row{KindMX, "MX", "example.com", "mail.mailkin.example"}
	spf := row{KindSPF, "TXT", "example.com", "v=spf1 a:mail.mailkin.example ~all"}
	dmarc := row{KindDMARC, "TXT", "_dmarc.example.com", "v=DMARC1; p=none; rua=mailto:dmarc@example.com"}
	for _, tt := range []struct {
		name   string
		change func(*Plan)
		want   []row
	}{
		{"both keys", func(*Plan) {}, []row{ownership, mx, spf, {KindDKIM, "TXT", "mk1._domainkey.example.com",
			rsaRecord},
			{KindDKIMEd25519, "TXT", "mk1e._domainkey.example.com", edRecord}, dmarc}},
		{"Ed25519 alone", func(p *Plan) { p.Selectors = p.Selectors[1:] },
			[]row{ownership, mx, spf, {KindDKIM, "TXT", "mk1e._domainkey.example.com", edRecord}, dmarc}},
		{"our own", func(p *Plan) { p.Own, p.Selectors = true, nil }, []row{mx, spf, dmarc}},
		{"no reports", func(p *Plan) { p.Own, p.Selectors, p.ReportTo = true, nil, "" },
			[]row{mx, spf, {KindDMARC, "TXT", "_dmarc.example.com", "v=DMARC1; p=none"}}},
		{"an odd address for reports", func(p *Plan) {
			p.Own, p.Selectors, p.ReportTo = true, nil,
				"a!b,c;d%@example.com"
		},
			[]row{mx, spf, {KindDMARC, "TXT", "_dmarc.example.com",
				"v=DMARC1; p=none; rua=mailto:a%21b%2Cc%3Bd%25@example.com"}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := testPlan()
			tt.change(&p)
			var got []row
			for _, r := range p.Records() {
				got = append(got, row{r.Kind, r.Type, r.Host, r.Value})
				if r.Purpose == "" || (r.Priority == 10) != (r.Type == "MX") {
					t.Errorf("%+v", r)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestInstructions(t *testing.T) {
	text := testPlan().Instructions()
	for _, r := range testPlan().Records() {
		if !strings.Contains(text, r.Type+" at "+r.Host+": "+r.Value) || !strings.Contains(text, r.Purpose) {
			t.Errorf("no %s in %s", r.Kind, text)
		}
	}
}

// What is written for zone files is what a reader of zone files reads.
func TestLines(t *testing.T) {
	long := strings.Repeat("0123456789", 52)
	for _, value := range []string{"", "a", rsaRecord, long, long[:255], long[:256], long[:510], `say "x" \ y`,
		"grüße\t"} {
		rr, err := dns.NewRR(Record{Type: typeTXT, Host: "a.example.com", Value: value}.Line())
		if err != nil {
			t.Fatalf("%q: %v", value, err)
		}
		packed := make([]byte, 2048)
		end, err := dns.PackRR(rr, packed, 0, nil, false)
		if err != nil {
			t.Fatal(err)
		}
		text, strings255 := "", packed[int(end)-int(rr.Header().Rdlength):end]
		for len(strings255) > 0 {
			n := int(strings255[0])
			text += string(strings255[1 : 1+n])
			strings255 = strings255[1+n:]
		}
		if text != value {
			t.Errorf("%q is read as %q", value, text)
		}
	}
	mx := testPlan().Records()[1].Line()
	if mx != "example.com. IN MX 10 mail.mailkin.example." {
		t.Error(mx)
	}
}

func TestPrintable(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		limit    int
		want     string
	}{
		{"plain", "v=spf1 -all", 20, "v=spf1 -all"},
		{"as long as it may be", "abc", 3, "abc"},
		{"cut", "abcd", 3, "abc…"},
		{"cut in a letter", "abü", 3, "ab…"},
		{"cut after a letter", "aüb", 3, "a…"},
		{"terminal codes", "a\x1b[2Jb\r\n", 20, "a?[2Jb??"},
		{"turned round", "a\u202eb", 20, "a?b"},
		{"no UTF-8", "a\xffb", 20, "a?b"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := printable(tt.in, tt.limit); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}
