package compose

import (
	"fmt"
	"mime"
	"net/mail"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/rfc822"
)

// subjects come back as they were given, from both readers, in lines that fit.
func TestSubject(t *testing.T) {
	words := strings.Repeat("word ", 199) + "end"
	for _, tt := range []struct{ name, in, want string }{
		{"plain", "Hello, world", ""},
		{"empty", "", ""},
		{"folded", words, ""},
		{"one long word", strings.Repeat("x", 998), ""},
		{"word that just fits", strings.Repeat("x", 75), ""},
		{"word that fits beside the name", strings.Repeat("x", 67), ""},
		{"accents", "Zähler für Öl", ""},
		{"one accent among words", words[:500] + "é " + words[:400] + "z", ""},
		{"emoji", strings.Repeat("😀", 998), ""},
		{"emoji with words", strings.Repeat("a😀 b ", 150) + "c", ""},
		{"family", strings.Repeat("👩‍👩‍👧‍👦", 90), ""},
		{"chinese", strings.Repeat("山田太郎", 249), ""},
		{"looks encoded", "=?utf-8?q?x?= and =?", ""},
		{"looks like Q", "a_b=3D?= é _ = ?", ""},
		{"two blanks", "a  b   c", ""},
		{"two blanks in a long one", strings.Repeat("ab  ", 100) + "c", ""},
		{"two blanks beside accents", "ä  b ö   ü  c", ""},
		{"blanks around", "  a ", "a"},
		{"injection", "a\r\nBcc: x@y.example\r\n\r\nbody", "a Bcc: x@y.example body"},
		{"nul and tab", "a\x00b\tc", "a b c"},
		{"unicode lines", "a\u2028b\u0085c", "a b c"},
		{"not utf-8", "a\xffb", "a\uFFFDb"},
		{"only controls", "\r\n\r\n", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := plainMail()
			m.Subject = tt.in
			raw := compose(t, m)
			want := tt.want
			if want == "" && tt.name != "only controls" {
				want = tt.in
			}
			checkHeaderLines(t, raw, 76)
			head, _ := standard(t, raw)
			if got, err := new(mime.WordDecoder).DecodeHeader(head.Get("Subject")); err != nil || got != want {
				t.Errorf("standard library: %q, %v; want %q", got, err, want)
			}
			if got := rfc822.Parse([]byte(raw), rfc822.Limits{}).Subject; got != want {
				t.Errorf("our reader: %q, want %q", got, want)
			}
			for _, w := range strings.Fields(head.Get("Subject")) {
				if one, err := new(mime.WordDecoder).Decode(w); err == nil && (len(w) > maxWord ||
					strings.ContainsRune(one, '\uFFFD') && !strings.ContainsRune(want, '\uFFFD')) {
					t.Errorf("word of %d characters, or with half a character: %s", len(w), w)
				}
			}
		})
	}
}

func checkHeaderLines(t *testing.T, raw string, longest int) {
	t.Helper()
	head, _, _ := strings.Cut(raw, "\r\n\r\n")
	for _, line := range strings.Split(head, "\r\n") {
		if len(line) > longest || strings.TrimSpace(line) == "" {
			t.Errorf("header line of %d characters: %q", len(line), line)
		}
	}
}

// Names come back from both readers.
func TestNames(t *testing.T) {
	for _, tt := range []struct{ name, in, want, written string }{
		{"none", "", "", "jo@example.com"},
		{"atoms", "Jo Doe", "", "Jo Doe <jo@example.com>"},
		{"dot", "J. Doe", "", `"J. Doe" <jo@example.com>`},
		{"comma", "Doe, Jo", "", `"Doe, Jo" <jo@example.com>`},
		{"quote and backslash", `a "b" \c`, "", `"a \"b\" \\c" <jo@example.com>`},
		{"at", "jo@example.com", "", `"jo@example.com" <jo@example.com>`},
		{"brackets", "<x@y.example>", "", `"<x@y.example>" <jo@example.com>`},
		{"parentheses", "Jo (Work)", "", `"Jo (Work)" <jo@example.com>`},
		{"accent", "Jörg (Innendienst), X", "", "=?utf-8?q?J=C3=B6rg_=28Innendienst=29=2C_X?= <jo@example.com>"},
		{"looks encoded", "=?utf-8?q?x?=", "", "=?utf-8?b?PT91dGYtOD9xP3g/PQ==?= <jo@example.com>"},
		{"injection", "Jo\r\nBcc: x@y.example", "Jo Bcc: x@y.example", `"Jo Bcc: x@y.example" <jo@example.com>`},
		{"blanks", "  a   b ", "a b", "a b <jo@example.com>"},
		{"long", strings.Repeat("Jo Doe ", 40) + "X", "", ""},
		{"long word", strings.Repeat("x", 500), "", ""},
		{"long chinese", strings.Repeat("山田", 100), "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := plainMail()
			m.To = []Address{{"First", "first@example.com"}, {tt.in, "jo@example.com"}, {"Last", "last@example.com"}}
			raw := compose(t, m)
			checkHeaderLines(t, raw, 78)
			want := tt.want
			if want == "" {
				want = tt.in
			}
			head, _ := standard(t, raw)
			list, err := head.AddressList("To")
			if err != nil || len(list) != 3 || *list[1] != (mail.Address{Name: want, Address: "jo@example.com"}) {
				t.Errorf("standard library: %v, %v in %q", list, err, head.Get("To"))
			}
			if got := rfc822.Parse([]byte(raw), rfc822.Limits{}).To; len(got) != 3 ||
				got[1] != (rfc822.Address{Name: want, Address: "jo@example.com"}) {
				t.Errorf("our reader: %q", got)
			}
			if to := strings.ReplaceAll(head.Get("To"), "\r\n", ""); tt.written != "" &&
				to != "First <first@example.com>, "+tt.written+", Last <last@example.com>" {
				t.Errorf("written %q", to)
			}
		})
	}
}

func TestManyRecipients(t *testing.T) {
	m := plainMail()
	m.To = nil
	for i := range 500 {
		m.To = append(m.To, Address{fmt.Sprintf("Nr. %d ü", i), fmt.Sprintf("recipient-%d@example.com", i)})
	}
	raw := compose(t, m)
	checkHeaderLines(t, raw, 78)
	head, _ := standard(t, raw)
	if list, err := head.AddressList("To"); err != nil || len(list) != 500 || list[499].Name != "Nr. 499 ü" {
		t.Errorf("%d addresses, %v", len(list), err)
	}
}

func TestIDs(t *testing.T) {
	long, huge := strings.Repeat("l", 900)+"@x", strings.Repeat("h", 988)+"@x"
	m := plainMail()
	m.MessageID, m.InReplyTo = huge, long
	m.References = []string{"bad id", huge, "a@x", "", "b@x", long, "c>\r\nX: y", "ü@x", strings.Repeat("z", 991)}
	for i := range 80 {
		m.References = append(m.References, fmt.Sprintf("%s%d@x", strings.Repeat("r", 40), i))
	}
	got := rfc822.Parse([]byte(compose(t, m)), rfc822.Limits{})
	if got.MessageID != huge || len(got.InReplyTo) != 1 || got.InReplyTo[0] != long {
		t.Errorf("Message-ID %q, In-Reply-To %q", got.MessageID, got.InReplyTo)
	}
	if r := got.References; len(r) != 84 || r[0] != huge || r[1] != "a@x" || r[2] != "b@x" || r[3] != long {
		t.Errorf("%d references: %q", len(r), r)
	}
}

// A reply to a message with an id that cannot be written has no field for it.
func TestForeignIDs(t *testing.T) {
	m := plainMail()
	m.InReplyTo, m.References = "<a b>", []string{"x\ny"}
	if got := compose(t, m); strings.Contains(got, "In-Reply-To") || strings.Contains(got, "References") {
		t.Error(got)
	}
}

func TestCheckField(t *testing.T) {
	for _, tt := range []struct{ name, field, value, want string }{
		{"fine", "X-Campaign", "a b ü 😀", ""},
		{"list", "List-Unsubscribe", "<https://x.example/u?a=b>, <mailto:u@x.example>", ""},
		{"empty value", "X-A", "", ""},
		{"longest value", "X-A", strings.Repeat("a", 8000), ""},
		{"empty name", "", "x", "not the name"},
		{"blank in name", "X A", "x", "not the name"},
		{"colon in name", "X-A: b\r\nBcc", "x", "not the name"},
		{"line end in name", "X-A\r\n", "x", "not the name"},
		{"unicode name", "X-Ä", "x", "not the name"},
		{"long name", strings.Repeat("X", 77), "x", "77 characters"},
		{"line end", "X-A", "a\r\nBcc: b", "line break"},
		{"lf", "X-A", "a\nb", "line break"},
		{"cr", "X-A", "a\rb", "line break"},
		{"folded", "X-A", "a\r\n b", "line break"},
		{"nul", "X-A", "a\x00b", "control"},
		{"tab", "X-A", "a\tb", "control"},
		{"unicode line", "X-A", "a\u2029b", "line break"},
		{"not utf-8", "X-A", "a\xff", "not UTF-8"},
		{"long value", "X-A", strings.Repeat("a", 8001), "8001 bytes"},
		{"list beyond ascii", "List-Unsubscribe", "<https://x.example/ü>", "ASCII only"},
		{"list that cannot be folded", "list-unsubscribe", "<https://x.example/" + strings.Repeat("u", 900) + ">",
			"without a blank"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := CheckField(tt.field, tt.value)
			if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("error %v, want %q", err, tt.want)
			}
			if err != nil {
				return
			}
			m := plainMail()
			m.Fields = []Field{{tt.field, tt.value}}
			if got := rfc822.Parse([]byte(compose(t, m)), rfc822.Limits{}).Header.First(tt.field); got != tt.value {
				t.Errorf("read as %.200q, want %.200q", got, tt.value)
			}
		})
	}
}

// What programs read stays readable: no encoded words in a list field, and long words of others are left alone.
func TestFieldsStayPlain(t *testing.T) {
	url := "<https://x.example/" + strings.Repeat("u", 300) + ">"
	m := plainMail()
	m.Fields = []Field{{"List-Unsubscribe", url + ", <mailto:u@x.example?subject==?x>"},
		{"X-Data", strings.Repeat("d", 300)}}
	raw := compose(t, m)
	for _, want := range []string{"\r\nList-Unsubscribe: " + url + ",\r\n <mailto:u@x.example?subject==?x>\r\n",
		"\r\nX-Data: " + strings.Repeat("d", 300) + "\r\n"} {
		if !strings.Contains(raw, want) {
			t.Errorf("no %q in\n%s", want, raw)
		}
	}
}
