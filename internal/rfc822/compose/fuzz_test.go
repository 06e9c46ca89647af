package compose

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/rfc822"
)

// Whatever a caller gives: what is refused is refused before anything is written, and what is written comes back from
// two readers that share no code with the writer.
func FuzzCompose(f *testing.F) {
	add := func(subject, name, address, text, html, filename, media, id, field, value string, content []byte,
		bits uint8) {
		f.Add(subject, name, address, text, html, filename, media, id, field, value, content, bits)
	}
	add("Hello", "Jo", "jo@example.com", "Hi\n", "<p>Hi", "a.pdf", "application/pdf", "x@y", "X-A", "b", []byte("PDF"),
		0xff)
	add("Grüße 😀", "Jörg, X", "jö@exämple.com", "ä =\r.\nFrom x", "<img src=cid:x>", "ü\".eml", "message/rfc822", "x",
		"List-Id", "<a>",
		[]byte("Subject: x\r\n\r\nHi\r\n"), 3)
	add("a\r\nBcc: x", "\"\\<@>(,;:", `"a b"@[192.0.2.1]`, "--=_b.1\r\n\r\n", "\x00\x1b$B", "../x\r\ny",
		"text/plain; charset=\"\r\nx\"", "a@b", "X-B",
		"=?utf-8?q?x?=", []byte("\r\n--=_b.1--\r\n"), 7)
	add(strings.Repeat("x", 998), strings.Repeat("山", 80), "a@b.example", strings.Repeat("y", 1200), "",
		strings.Repeat("😀", 70)+".txt", "text/html", "",
		"X-"+strings.Repeat("N", 74), strings.Repeat("z ", 900), bytes.Repeat([]byte{0xff}, 200), 1)
	f.Fuzz(func(t *testing.T, subject, name, address, text, html, filename, media, id, field, value string,
		content []byte, bits uint8) {
		m := Mail{
			From: Address{name, "from@example.net"}, To: []Address{{name, address}, {"", "last@example.com"}},
			Subject: subject, Text: text, HTML: html, HasText: bits&1 != 0, HasHTML: bits&2 != 0,
			MessageID: "1@example.net",
			Date:      time.Unix(1_800_000_000, 0), InReplyTo: id, References: []string{id, name, subject},
			Fields: []Field{{field, value}}, Boundary: "b",
			Attachments: []Attachment{file(filename, media, string(content)), file("z", "", "z")},
		}
		m.Attachments[0].ContentID = id
		if bits&4 == 0 {
			m.Attachments = nil
		}
		if bits&8 != 0 {
			m.Cc, m.ReplyTo = m.To, m.To[:1]
		}
		if err := m.Check(); err != nil {
			if n, werr := m.WriteTo(io.Discard); werr == nil || n != 0 {
				t.Errorf("%d bytes written, %v, of what Check refuses: %v", n, werr, err)
			}
			checkError(t, err)
			allowed(&m)
		}
		checkRoundTrip(t, m)
	})
}

func checkError(t *testing.T, err error) {
	t.Helper()
	if s := err.Error(); len(s) > 600 || strings.IndexFunc(s, isBreak) >= 0 {
		t.Errorf("the error is long or not on one line: %q", s)
	}
}

// An address that is taken is written so that both readers find it again, alone and in a list.
func FuzzParseAddress(f *testing.F) {
	for _, s := range []string{"jo@example.com", `"Doe, Jo" <jo@example.com>`, "Jö <jö@exämple.com> (x)",
		`"a b"@[IPv6:::1]`, "a@b, c@d", "g: a@b;",
		"=?utf-8?q?x?= <a@b.example>", `"\"\\"@x.example`, "(a (b)) a@b.example", "<a@xn--exmple-cua.com>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, err := ParseAddress(s)
		list, lerr := ParseAddresses(s)
		if err != nil {
			checkError(t, err)
			if lerr == nil && len(list) == 1 && !strings.Contains(s, ",") {
				t.Errorf("one address in a list, none alone: %q", s)
			}
			return
		}
		if lerr != nil || len(list) != 1 || list[0] != a {
			t.Errorf("alone %q, in a list %q, %v", a, list, lerr)
		}
		if again, err := ParseAddress(a.Address); err != nil || again.Address != a.Address {
			t.Errorf("%q again gives %q, %v", a.Address, again, err)
		}
		m := plainMail()
		m.To = []Address{a, {"Last", "last@example.com"}}
		raw := compose(t, m)
		checkAddresses(t, rfc822.Parse([]byte(raw), rfc822.Limits{}).To, m.To)
		if head, _ := standard(t, raw); a.Address[0] != '"' && !strings.Contains(a.Address, "[") {
			if got, err := head.AddressList("To"); err != nil || len(got) != 2 || got[0].Name != a.Name {
				t.Errorf("standard library: %v, %v for %q", got, err, a)
			}
		}
		if c := (Address{Address: a.Address}).Canonical(); (Address{Address: c}).Canonical() != c {
			t.Errorf("canonical form %q is not", c)
		}
	})
}

func FuzzCheckField(f *testing.F) {
	f.Add("X-A", "b c")
	f.Add("List-Unsubscribe", "<x>, <y>")
	f.Add("X:\r\nY", "é\x00")
	f.Fuzz(func(t *testing.T, name, value string) {
		if err := CheckField(name, value); err != nil {
			checkError(t, err)
			return
		}
		if strings.ContainsAny(name+value, "\r\n\x00:") && strings.ContainsAny(name, ":") {
			t.Errorf("taken: %q: %q", name, value)
		}
		m := plainMail()
		m.Fields = []Field{{name, value}}
		if m.Check() != nil {
			return
		}
		got := rfc822.Parse([]byte(compose(t, m)), rfc822.DefaultLimits())
		if v := got.Header.First(name); v != oneLine(value) && !isStructured(name) || len(got.Header.Fields()) != 9 {
			t.Errorf("%q, want %q; %d fields", v, value, len(got.Header.Fields()))
		}
	})
}
