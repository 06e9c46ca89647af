package mailbox_test

import (
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// A pattern is understood as people write it, or refused: a block that blocks nothing is worse than none.
func TestParsePattern(t *testing.T) {
	canonical := func(s string) string {
		if s == "" || strings.HasPrefix(s, "@") || strings.HasSuffix(s, "@") {
			return ""
		}
		return strings.ToLower(s)
	}
	for text, want := range map[string]string{
		"Ann@Example.org": "ann@example.org", "example.org": "example.org", "@example.org": "example.org",
		"*@example.org": "example.org", " *.example.org ": "*.example.org",
		"*": "", "*@": "", "*.": "", "": "", "*example.org": "", "a*@example.org": "", "*@*.example.org": "",
		"*@a@example.org": "", "*.a@example.org": "", "*.@example.org": "", "@*@example.org": "",
	} {
		got, err := mailbox.ParsePattern(text, canonical)
		if string(got) != want || (err == nil) != (want != "") {
			t.Errorf("%q is %q, %v, want %q", text, got, err, want)
		}
	}
}
