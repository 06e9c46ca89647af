package dns

import (
	"strings"
	"testing"
)

func TestDomainName(t *testing.T) {
	long := strings.Repeat("a", 63)
	for in, want := range map[string]string{
		"Example.COM": "example.com", "example.com.": "example.com", "bücher.example": "xn--bcher-kva.example",
		"BÜCHER.example": "xn--bcher-kva.example",
		"a_b.example":    "a_b.example", long + ".example": long + ".example", "1.example": "1.example",
		"": "", ".": "", "com": "", "a..b": "", ".a.b": "", "[192.0.2.1]": "", "192.0.2.1": "", "a b.example": "",
		"a@b.example": "", "a.b\x00": "",
		long + "a.example": "", strings.Repeat(long+".", 4) + "example": "", "\xff.example": "", "a.b..": "",
	} {
		if got, ok := Domain(in); got != want && ok || ok != (want != "") {
			t.Errorf("%q: %q, %v, want %q", in, got, ok, want)
		}
	}
}
