package zone

import (
	"errors"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
)

func TestNormalize(t *testing.T) {
	long := strings.Repeat("abc.", 62) + "abcde" // 253
	for _, tt := range []struct{ name, in, want, says string }{
		{"plain", "example.com", "example.com", ""},
		{"upper case and dot", " Mail.Example.COM. ", "mail.example.com", ""},
		{"under two suffixes", "example.co.uk", "example.co.uk", ""},
		{"a company's suffix", "github.io", "github.io", ""},
		{"under it", "a.github.io", "a.github.io", ""},
		{"not on the list", "mailkin.localhost", "mailkin.localhost", ""},
		{"Unicode", "Grüße.Example", "xn--gre-6ka8l.example", ""},
		{"Unicode dot", "example。com", "example.com", ""},
		{"already in ASCII", "xn--bcher-kva.example", "xn--bcher-kva.example", ""},
		{"digits", "123.example.com", "123.example.com", ""},
		{"as long as it may be", long, long, ""},
		{"empty", " ", "", "empty"},
		{"dot", ".", "", "only one label"},
		{"too long", long + "f", "", "too long"},
		{"far too long", strings.Repeat("a.", 1<<16), "", "too long"},
		{"long label", strings.Repeat("a", 64) + ".example.com", "", "not a domain name"},
		{"one label", "localhost", "", "only one label"},
		{"top level", "com", "", "only one label"},
		{"public suffix", "co.uk", "", "public suffix"},
		{"public suffix by a wildcard", "foo.ck", "", "public suffix"},
		{"public suffix in Unicode", "公司.cn", "", "public suffix"},
		{"IPv4", "192.0.2.1", "", "is an address"},
		{"IPv6", "2001:db8::1", "", "is an address"},
		{"literal", "[192.0.2.1]", "", "is an address"},
		{"full-width digits", "１９２.0.2.1", "", "is an address"},
		{"number at the end", "example.1", "", "is an address"},
		{"mail address", "ann@example.com", "", "mail address"},
		{"URL", "https://example.com/", "", "URL"},
		{"port", "example.com:25", "", "port"},
		{"wildcard", "*.example.com", "", "many names"},
		{"underscore", "_dmarc.example.com", "", "underscore"},
		{"underscore of another width", "＿a.example.com", "", "not a domain name"},
		{"hyphen first", "-a.example.com", "", "not a domain name"},
		{"empty label", "a..example.com", "", "not a domain name"},
		{"two dots at the end", "example.com..", "", "not a domain name"},
		{"blank", "exam ple.com", "", "not a domain name"},
		{"line", "example.com\r\nx.com", "", "not a domain name"},
		{"no UTF-8", "\xff.example.com", "", "not a domain name"},
		{"no punycode", "xn--a\u00fc.example.com", "", "not a domain name"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Normalize(tt.in)
			if got != tt.want || (err == nil) != (tt.says == "") {
				t.Fatalf("%q, %v", got, err)
			}
			var e *mailbox.Error
			if err != nil && (!errors.As(err, &e) || e.Kind != mailbox.Invalid || e.Field != "domain" ||
				!strings.Contains(e.Message, tt.says) || !strings.HasSuffix(e.Message, ".") || len(e.Message) > 300) {
				t.Errorf("%v", err)
			}
		})
	}
}

func FuzzNormalize(f *testing.F) {
	for _, s := range []string{"example.com", "Grüße.Example.", "xn--a.b", "a_b.c", "[::1]", "co.uk", "a.ß",
		"１.2.3.4"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		name, err := Normalize(s)
		if err != nil {
			return
		}
		if again, err := Normalize(name); again != name || err != nil {
			t.Errorf("%q, then %q, %v", name, again, err)
		}
		if !isAskable(name) || strings.ToLower(name) != name ||
			strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-.") != "" {
			t.Errorf("%q", name)
		}
	})
}
