package mailbox_test

import (
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
)

func TestLoggable(t *testing.T) {
	for in, want := range map[string]string{
		"":                       "",
		"a@b.test":               "a@b.test",
		"jürgen@bücher.test":     "jürgen@bücher.test",
		"a\nlevel=INFO msg=fake": "a?level=INFO msg=fake",
		"\x1b[2Jclear":           "?[2Jclear",
		"c1 \u009b2J":            "c1 ?2J",
		"\u202eexe.txt\u200b":    "?exe.txt?",
		"\xff\x7f\x00":           "???",
		strings.Repeat("x", 300): strings.Repeat("x", 256) + "…",
	} {
		if got := mailbox.Loggable(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
