package sender

import (
	"fmt"
	"testing"

	"github.com/emersion/go-msgauth/dkim"
)

// What a report says is what was found, of mail whose author's domain wants reports.
func TestFeedback(t *testing.T) {
	z := keyZone(t, "example.com. MX 10 mx.example.com.", "mx.example.com. A 192.0.2.1", "example.net SILENT").
		text("example.com", "v=spf1 ip4:"+clientAddr.String()+" -all").
		text("_dmarc.example.com", "v=DMARC1; p=quarantine; rua=mailto:d@example.com").
		text("_dmarc.example.org", "v=DMARC1; p=reject")
	c := z.checker(t)
	good := signed(t, plainMail, "relaxed/relaxed", dkim.SignOptions{})
	for _, tt := range []struct {
		name, raw, envelope, from, want string
	}{
		{"all passes", good, "x@example.com", "ann@example.com",
			"example.com example.com example.com example.com helo=false spf=true dkim=true [{example.com rsa pass}]"},
		{"a changed mail of nobody, below the policy", good + "x", "", "ann@sub.example.com",
			"example.com sub.example.com  mail.example.org helo=true spf=false dkim=false [{example.com rsa fail}]"},
		{"no reports are wanted", plainMail, "x@example.org", "ann@example.org", ""},
		{"no policy", plainMail, "x@example.edu", "ann@example.edu", ""},
		{"no author", plainMail, "x@example.com", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			if f := c.Check(t.Context(), mailOf(tt.raw, tt.envelope, tt.from)).Feedback; f != nil {
				got = fmt.Sprintf("%s %s %s %s helo=%t spf=%t dkim=%t %v", f.Domain, f.From, f.Envelope, f.SPFDomain,
					f.SPFHelo, f.SPFAligned, f.DKIMAligned, f.Signatures)
			}
			if got != tt.want {
				t.Errorf("%s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestParseReportPolicy(t *testing.T) {
	for _, tt := range []struct {
		name  string
		texts []string
		want  string
	}{
		{"usual", []string{"x", "v=DMARC1; p=reject; sp=none; adkim=s; RUA=mailto:A@b.example!10m, mailto:c@d.example"},
			"{reject none s r false mailto:A@b.example!10m, mailto:c@d.example} true"},
		{"without a policy", []string{"v=DMARC1; rua=mailto:a@b.example"},
			"{none none r r false mailto:a@b.example} true"},
		{"of a suffix", []string{"v=DMARC1; p=none; psd=y; aspf=s"}, "{none  r s true } true"},
		{"two", []string{"v=DMARC1; p=none", "v=DMARC1; p=reject"}, "{    false } false"},
		{"none", []string{"v=spf1"}, "{    false } false"},
	} {
		p, ok := ParseReportPolicy(tt.texts)
		if got := fmt.Sprint(p, ok); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}
