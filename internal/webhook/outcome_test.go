package webhook

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// The beginning of an answer's body is kept as text that is safe to show.
func TestPrintable(t *testing.T) {
	for _, tt := range []struct{ name, body, want string }{
		{"nothing", "", ""},
		{"text", "Grüße, 世界 🙂", "Grüße, 世界 🙂"},
		{"lines", " a\r\nb\tc\u00a0d\n", "a  b c d"},
		{"escapes", "\x1b[31mred\x00\a", "?[31mred??"},
		{"turned round", "a\u202eb\u200bc\ufeff", "a?b?c?"},
		{"not UTF-8", "a\xff\xfeb\xe4", "a??b?"},
		{"cut in a character", strings.Repeat("a", 1022) + "€", strings.Repeat("a", 1022)},
		{"cut after one", strings.Repeat("a", 1021) + "€b", strings.Repeat("a", 1021) + "€"},
		{"long", strings.Repeat("é", 5000), strings.Repeat("é", 512)},
		{"long and broken", strings.Repeat("\xff", 5000), strings.Repeat("?", 1024)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := startReceiver(t, answer(500, tt.body))
			if o := newPoster(t, Options{}).Post(t.Context(), shipment(r.URL)); o.Response != tt.want {
				t.Errorf("%q, want %q", o.Response, tt.want)
			}
		})
	}
}

func FuzzPrintable(f *testing.F) {
	for _, seed := range []string{"", "ok", "\x1b[0m", "a\u202eb", "\xff\xe2\x82", strings.Repeat("é", 600)} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		b = b[:min(len(b), maxKept)]
		text := printable(b)
		if !utf8.ValidString(text) || len(text) > maxKept {
			t.Errorf("%q becomes %q", b, text)
		}
		for _, r := range text {
			if !unicode.IsPrint(r) {
				t.Errorf("%q becomes %q", b, text)
			}
		}
	})
}
