package smtpd

import (
	"strings"
	"testing"
)

func TestParsePath(t *testing.T) {
	long := strings.Repeat("l", 200)
	rows := []struct {
		name, in        string
		address, params string
		ok              bool
	}{
		{"plain", "<a@b.test>", "a@b.test", "", true},
		{"null sender", "<>", "", "", true},
		{"null sender with parameters", "<> SIZE=1", "", " SIZE=1", true},
		{"parameters", "<a@b.test> SIZE=1 BODY=7BIT", "a@b.test", " SIZE=1 BODY=7BIT", true},
		{"no space before parameters", "<a@b.test>SIZE=1", "", "", false},
		{"QUIRK space", "  <a@b.test>", "a@b.test", "", true},
		{"QUIRK no brackets", "a@b.test SIZE=1", "a@b.test", "SIZE=1", true},
		{"nothing", "", "", "", false},
		{"open bracket", "<a@b.test", "", "", false},
		{"two brackets", "<<a@b.test>>", "", "", false},
		{"source route", "<@one.test,@two.test:a@b.test>", "a@b.test", "", true},
		{"source route with a literal", "<@[IPv6:2001:db8::1]:a@b.test>", "a@b.test", "", true},
		{"only a route", "<@one.test>", "", "", false},
		{"empty behind the route", "<@one.test:>", "", "", false},
		{"quoted", `<"a b>@c"@b.test>`, `"a b>@c"@b.test`, "", true},
		{"quoted with escapes", `<"a\"b\\"@b.test>`, `"a\"b\\"@b.test`, "", true},
		{"quote not closed", `<"ab@b.test>`, "", "", false},
		{"text behind the quote", `<"a"b@b.test>`, "", "", false},
		{"literal", "<a@[192.0.2.1]>", "a@[192.0.2.1]", "", true},
		{"IPv6 literal", "<a@[IPv6:2001:db8::1]>", "a@[IPv6:2001:db8::1]", "", true},
		{"empty literal", "<a@[]>", "", "", false},
		{"text behind the literal", "<a@[192.0.2.1]x>", "", "", false},
		{"no domain", "<postmaster>", "postmaster", "", true},
		{"empty domain", "<a@>", "", "", false},
		{"empty local part", "<@>", "", "", false},
		{"empty label", "<a@b..test>", "", "", false},
		{"domain with final dot", "<a@b.test.>", "a@b.test.", "", true},
		{"QUIRK dots", "<a..b.@b.test>", "a..b.@b.test", "", true},
		{"QUIRK underscore", "<a@my_pc>", "a@my_pc", "", true},
		{"QUIRK long local part", "<" + long + "@b.test>", long + "@b.test", "", true},
		{"too long local part", "<" + long + long + "@b.test>", "", "", false},
		{"too long domain", "<a@" + long + long + ">", "", "", false},
		{"two at signs", "<a@b@c>", "", "", false},
		{"space", "<a b@c>", "", "", false},
		{"every atext", "<!#$%&'*+-/=?^_`{|}~@b.test>", "!#$%&'*+-/=?^_`{|}~@b.test", "", true},
		{"UTF-8", "<jürgen@bücher.test>", "jürgen@bücher.test", "", true},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			address, params, ok := parsePath(row.in)
			if ok != row.ok || ok && (address != row.address || params != row.params) {
				t.Errorf("%q %q %v", address, params, ok)
			}
		})
	}
}
