package compose

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseAddress(t *testing.T) {
	a64, label63 := strings.Repeat("a", 64), strings.Repeat("b", 63)
	long := label63 + "." + label63 + "." + strings.Repeat("c", 61) // 189 bytes
	for _, tt := range []struct {
		name, in string
		want     Address
	}{
		{"plain", "jo@example.com", Address{"", "jo@example.com"}},
		{"blanks around", "  jo@example.com ", Address{"", "jo@example.com"}},
		{"case is kept", "Jo.X@Example.COM", Address{"", "Jo.X@Example.COM"}},
		{"brackets only", "<jo@example.com>", Address{"", "jo@example.com"}},
		{"blanks in brackets", " < jo@example.com > ", Address{"", "jo@example.com"}},
		{"name", "Jo Doe <jo@example.com>", Address{"Jo Doe", "jo@example.com"}},
		{"name without blank", "Jo<jo@example.com>", Address{"Jo", "jo@example.com"}},
		{"name with dots", "John Q. Public <jo@example.com>", Address{"John Q. Public", "jo@example.com"}},
		{"name with apostrophe", "O'Neil <jo@example.com>", Address{"O'Neil", "jo@example.com"}},
		{"name in quotes", `"Doe, Jo" <jo@example.com>`, Address{"Doe, Jo", "jo@example.com"}},
		{"escapes in quotes", `"a \"b\" \\ c" <jo@example.com>`, Address{`a "b" \ c`, "jo@example.com"}},
		{"words and quotes", `Dr. "J. D." Doe <jo@example.com>`, Address{"Dr. J. D. Doe", "jo@example.com"}},
		{"empty quotes", `"" <jo@example.com>`, Address{"", "jo@example.com"}},
		{"blanks in a name", `"a   b"   c <jo@example.com>`, Address{"a b c", "jo@example.com"}},
		{"comment behind", "jo@example.com (Jo Doe)", Address{"Jo Doe", "jo@example.com"}},
		{"comment before", "(x) jo@example.com", Address{"x", "jo@example.com"}},
		{"comments nested", `Jo (a (b) \) c) <jo@example.com> (d)`, Address{"Jo", "jo@example.com"}},
		{"nested comment as name", `jo@example.com (a (b) \) c)`, Address{"a (b) ) c", "jo@example.com"}},
		{"unicode name", "Jörg 山田 😀 <jo@example.com>", Address{"Jörg 山田 😀", "jo@example.com"}},
		{"encoded name", "=?utf-8?q?J=C3=B6rg?= Doe <jo@example.com>", Address{"Jörg Doe", "jo@example.com"}},
		{"encoded name in quotes is text", `"=?utf-8?q?J=C3=B6rg?=" <jo@example.com>`, Address{"=?utf-8?q?J=C3=B6rg?=",
			"jo@example.com"}},
		{"unicode local part", "jörg@example.com", Address{"", "jörg@example.com"}},
		{"unicode domain", "jo@Exämple.com", Address{"", "jo@Exämple.com"}},
		{"domain in ascii form", "jo@xn--exmple-cua.com", Address{"", "jo@xn--exmple-cua.com"}},
		{"all of atext", "!#$%&'*+-/=?^_`{|}~@example.com", Address{"", "!#$%&'*+-/=?^_`{|}~@example.com"}},
		{"tag", "jo+tag@example.com", Address{"", "jo+tag@example.com"}},
		{"quotes that are needed", `"jo doe"@example.com`, Address{"", `"jo doe"@example.com`}},
		{"quotes around dots", `"a..b"@example.com`, Address{"", `"a..b"@example.com`}},
		{"quotes with at and bracket", `<"a@b>\"c"@example.com>`, Address{"", `"a@b>\"c"@example.com`}},
		{"quotes that are not needed", `"jo.doe"@example.com`, Address{"", "jo.doe@example.com"}},
		{"one label", "jo@localhost", Address{"", "jo@localhost"}},
		{"underscore", "jo@a_b.example.com", Address{"", "jo@a_b.example.com"}},
		{"ipv4", "jo@[192.0.2.1]", Address{"", "jo@[192.0.2.1]"}},
		{"ipv6", "Jo <jo@[IPv6:2001:db8::1]>", Address{"Jo", "jo@[IPv6:2001:db8::1]"}},
		{"longest local part", a64 + "@example.com", Address{"", a64 + "@example.com"}},
		{"longest address", a64 + "@" + long, Address{"", a64 + "@" + long}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ParseAddress(tt.in)
			if err != nil || got != tt.want {
				t.Errorf("%q gives %q, %v; want %q", tt.in, got, err, tt.want)
			}
			if again, err := ParseAddress(got.Address); err != nil || again.Address != got.Address {
				t.Errorf("%q again gives %q, %v", got.Address, again, err)
			}
		})
	}
}

func TestParseAddressRefuses(t *testing.T) {
	a65 := strings.Repeat("a", 65)
	for _, tt := range []struct{ name, in, want string }{
		{"empty", "", "it is empty"},
		{"blanks", "   ", "it is empty"},
		{"comment only", "(x)", "it is empty"},
		{"no domain", "jo", "domain are missing"},
		{"name only", "Jo Doe", "domain are missing"},
		{"nothing behind at", "jo@", "nothing after the @"},
		{"nothing before at", "@example.com", "nothing before the @"},
		{"empty brackets", "Jo <>", "it is empty"},
		{"no domain in brackets", "Jo <jo>", "domain are missing"},
		{"two", "a@example.com, b@example.com", "more than one"},
		{"comma at the end", "a@example.com,", "more than one"},
		{"name with comma", "Doe, Jo <jo@example.com>", "comma"},
		{"two with a blank", "a@example.com b@example.com", "more after"},
		{"two in brackets", "<a@example.com> <b@example.com>", "more after"},
		{"address as name", "a@example.com <a@example.com>", "more after"},
		{"garbage behind", "Jo <jo@example.com> x", "more after"},
		{"bracket behind", "jo@example.com>", "more after"},
		{"group", "friends: a@example.com, b@example.com;", "groups"},
		{"empty group", "undisclosed-recipients:;", "groups"},
		{"semicolon", "a@example.com; b@example.com", "more after"},
		{"mailto", "mailto:a@example.com", "groups"},
		{"route", "<@relay.example:jo@example.com>", "nothing before the @"},
		{"bracket open", "Jo <jo@example.com", "closing >"},
		{"quote open", `"Jo <jo@example.com>`, "quote is not closed"},
		{"comment open", "jo@example.com (x", "comment is not closed"},
		{"backslash at the end of a comment", `jo@example.com (x\`, "comment is not closed"},
		{"blank in local part", "jo doe@example.com", "blank or comment in it"},
		{"blank before at", "jo @example.com", "blank or comment in it"},
		{"blank behind at", "jo@ example.com", "nothing after the @"},
		{"blank in brackets", "<jo doe@example.com>", "blank in it"},
		{"blank in domain in brackets", "<jo@example. com>", `character ' '`},
		{"two ats", "a@b@example.com", "more than one @"},
		{"dots together", "a..b@example.com", "dot"},
		{"dot first", ".a@example.com", "dot"},
		{"dot last", "a.@example.com", "dot"},
		{"brackets in brackets", "<<jo@example.com>>", `'<'`},
		{"comment in address", "<jo(x)@example.com>", `'('`},
		{"empty quoted local part", `""@example.com`, "nothing before the @"},
		{"dots in domain", "a@example..com", "dot"},
		{"dot at the end", "a@example.com.", "dot"},
		{"domain is a dot", "a@.", "dot"},
		{"hyphen first", "a@-example.com", "hyphen"},
		{"character in domain", "a@exa!mple.com", `character '!'`},
		{"number as top domain", "a@192.0.2.1", "brackets"},
		{"literal open", "a@[192.0.2.1", "closing ]"},
		{"literal that is none", "a@[example]", "neither"},
		{"literal without tag", "a@[2001:db8::1]", "neither"},
		{"literal with zone", "a@[IPv6:fe80::1%eth0]", "neither"},
		{"bad punycode", "a@xn--a.example", "international"},
		{"mixed directions", "a@א1a.example", "international"},
		{"long local part", a65 + "@example.com", "65 bytes"},
		{"long local part in letters of two bytes", strings.Repeat("ö", 33) + "@example.com", "66 bytes"},
		{"long address", a65[1:] + "@" + strings.Repeat("b.", 94) + "cc", "255 bytes"},
		{"long label", "a@" + strings.Repeat("b", 64) + ".example", "64 bytes"},
		{"long domain", "a@" + strings.Repeat("b.", 127) + "c", "255 bytes"},
		{"long name", strings.Repeat("n", 1001) + " <jo@example.com>", "1001 bytes"},
		{"line break", "jo@example.com\r\nBcc: x@example.com", "control"},
		{"line break in name", "\"Jo\nX: y\" <jo@example.com>", "control"},
		{"encoded line break in name", "=?utf-8?q?Jo=0D=0AX=3A_y?= <jo@example.com>", "control"},
		{"nul", "jo\x00@example.com", "control"},
		{"tab", "jo@example.com\t", "control"},
		{"delete", "jo\x7f@example.com", "control"},
		{"unicode control", "jo\u0085@example.com", "control"},
		{"unicode line", "jo\u2028@example.com", "control"},
		{"zero width", "jo\u200b@example.com", "invisible"},
		{"direction", "jo\u202e@example.com", "invisible"},
		{"no-break blank", "jo@example.com\u00a0", "special blank"},
		{"not utf-8", "j\xf6@example.com", "not UTF-8"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ParseAddress(tt.in)
			if err == nil || !strings.Contains(err.Error(), tt.want) || got != (Address{}) {
				t.Fatalf("%q gives %q, %v; want an error with %q", tt.in, got, err, tt.want)
			}
			if text := err.Error(); !strings.HasPrefix(text, `"`) || len(text) > 400 ||
				strings.ContainsAny(text, "\r\n") {
				t.Errorf("the error does not begin with what was given, or is long: %s", text)
			}
		})
	}
}

func TestParseAddresses(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     []Address
		err      string
	}{
		{"one", "a@x.example", []Address{{"", "a@x.example"}}, ""},
		{"three", `a@x.example, "B, b" <b@x.example>,C <c@x.example> (d, e)`,
			[]Address{{"", "a@x.example"}, {"B, b", "b@x.example"}, {"C", "c@x.example"}}, ""},
		{"comma in quoted local part", `"a,b"@x.example,c@x.example`, []Address{{"", `"a,b"@x.example`},
			{"", "c@x.example"}}, ""},
		{"empty places", ",a@x.example, ,b@x.example, ", []Address{{"", "a@x.example"}, {"", "b@x.example"}}, ""},
		{"nothing", "", nil, "it is empty"},
		{"commas", " , ", nil, "it is empty"},
		{"no comma", "a@x.example b@x.example", nil, "more after"},
		{"semicolon", "c@x.example, a@x.example; b@x.example", nil,
			`"a@x.example; b@x.example" is not an address: there is more after`},
		{"second is wrong", "a@x.example, b , c@x.example", nil,
			`"b" is not an address: the @ and the domain are missing`},
		{"quote open", `a@x.example, "b, c@x.example`, nil,
			`"\"b, c@x.example" is not an address: a quote is not closed`},
		{"name with comma", "Doe, Jo <jo@x.example>", nil, "a name has a comma and no quotes"},
		{"group", "a@x.example, g: b@x.example;", nil, "groups"},
		{"line break", "a@x.example,\r\n b@x.example", nil, `"\r\n b@x.example" is not an address: it has a control`},
		{"not utf-8", "a@x.example, j\xf6@x.example, b@x.example", nil,
			`"j\xf6@x.example" is not an address: it is not UTF-8`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ParseAddresses(tt.in)
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Error(d)
			}
			if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
				t.Errorf("error %v, want %q", err, tt.err)
			}
		})
	}
}

func TestCanonical(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"ascii", "Jo@Example.COM", "Jo@example.com"},
		{"unicode domain", "Jö@EXÄMPLE.com", "Jö@xn--exmple-cua.com"},
		{"full stop of another script", "jo@例え。jp", "jo@xn--r8jz45g.jp"},
		{"wide letters", "jo@ｅxample.com", "jo@example.com"},
		{"literal", "jo@[ipv6:2001:DB8::1]", "jo@[IPv6:2001:db8::1]"},
		{"no address", "Jo", "Jo"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := (Address{Address: tt.in}).Canonical(); got != tt.want {
				t.Errorf("%q gives %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

// Nothing that is given takes longer than its length allows: with a step for each pair of bytes this would not end in
// time.
func TestParseAddressesLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	for _, tt := range []struct{ name, piece string }{
		{"addresses", "a@b.example, "}, {"quotes", `\"`}, {"brackets", "<"}, {"comments", "("},
		{"closed comments", "() "}, {"words", "a "},
		{"quoted words", `"a" `}, {"encoded words", "=?utf-8?q?a?= "}, {"unclosed words", "=?"}, {"commas", ","},
		{"at", "@"}, {"dots", "."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, prefix := range []string{"", "\"", "<\"", "("} {
				s := prefix + strings.Repeat(tt.piece, (1<<19)/len(tt.piece))
				_, _ = ParseAddresses(s)
				_, _ = ParseAddress(s)
				_, _ = ParseAddress(s + " <a@b.example>")
			}
		})
	}
}
