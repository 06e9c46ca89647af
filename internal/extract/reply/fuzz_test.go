package reply

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/mailkin/mailkin/internal/view"
)

func FuzzText(f *testing.F) {
	for _, set := range [][]sample{replyMails, inlineMails, forwardMails, signatureMails, keptMails, htmlMails,
		clientMails, clientPages} {
		for _, s := range set {
			f.Add(s.mail.Text, pages[s.mail.View], s.mail.Plain)
		}
	}
	f.Fuzz(func(t *testing.T, text, html string, isPlain bool) {
		m := Mail{Text: strings.ToValidUTF8(text, ""), Plain: isPlain}
		if html != "" {
			m.View = view.ReadString(strings.ToValidUTF8(html, ""))
		}
		got, _ := Text(m)
		checkLines(t, m, got)
		again, _ := Text(plain(got))
		checkLines(t, plain(got), again)
	})
}

// checkLines says whether a result is made of what is in the mail and no larger than it can be.
func checkLines(t *testing.T, m Mail, got string) {
	t.Helper()
	if !utf8.ValidString(got) {
		t.Errorf("%q is not UTF-8", got)
	}
	seen := ""
	if m.View != nil {
		seen = m.View.Text()
	}
	if most := len(m.Text) + (2*maxMarks+1)*(len(seen)+1); len(got) > most {
		t.Errorf("%d bytes of %d", len(got), most)
	}
	text, html := letters(m.Text), letters(seen)
	for l := range strings.SplitSeq(got, "\n") {
		if l = letters(l); !strings.Contains(text, l) && !strings.Contains(html, l) {
			t.Errorf("%q is not in %q or %q", l, m.Text, seen)
		}
	}
	if strings.TrimSpace(got) != "" && got != strings.TrimRight(got, " \t\r\n") {
		t.Errorf("%q ends in white space", got)
	}
}

// letters is s without white space, marks of quotation, bullets and anything that shows nothing.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) && r > '9' {
			return r
		}
		return -1
	}, s)
}
