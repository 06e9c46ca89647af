package link

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func FuzzFind(f *testing.F) {
	f.Add("Verify your email", "Click https://a.example/x?token=1 to verify.",
		`<p>x <a href="https://b.example/&amp;">https://a.example</a>`, "<https://c.example/>")
	f.Add("", "<https://a.example/\n b> (www.a.example/(x)) [t](https://a.example)",
		`<!-- x --><a href=http://a.example><img alt="y"></a><div style="display:none"><a href="https://h.example">`,
		"")
	f.Add("パスワード", "請點擊https://a.example/x完成。", "<td><a href='https://pаypal.com@evil.example'>pay\u200bpal.com</td></a>", "<")
	f.Add("x", "https://a.example/…", "&lt;a href=&quot;<script></script><area href=https:\\\\a.example alt=a>",
		"<mailto:x>,<http://x.example>")
	f.Fuzz(func(t *testing.T, subject, text, html, unsubscribe string) {
		m := Mail{Subject: subject, Text: text, View: seen(html), Unsubscribe: unsubscribe}
		got := Find(m)
		if again := Find(m); !slices.Equal(got, again) {
			t.Errorf("first %+v, then %+v", got, again)
		}
		if len(got) > maxLinks || Any(m) != (len(got) > 0) {
			t.Errorf("%d links, Any is %v", len(got), Any(m))
		}
		if signs := Glance(m); !signs.same(signsOf(got)) {
			t.Errorf("Glance gives %+v for %+v", signs, got)
		}
		seen := map[string]bool{}
		for _, l := range got {
			if lower := strings.ToLower(l.URL); !strings.HasPrefix(lower, "http://") && !strings.HasPrefix(lower,
				"https://") {
				t.Errorf("%q is no web address", l.URL)
			}
			if len(l.URL) > maxURL || seen[l.URL] || strings.ContainsAny(l.URL, " \r\n\t") {
				t.Errorf("%q is too long, listed twice, or has spaces", l.URL)
			}
			if utf8.RuneCountInString(l.Text) > maxText || strings.ContainsAny(l.Text, "\n\t") || l.Kind == "" {
				t.Errorf("%+v", l)
			}
			seen[l.URL] = true
		}
	})
}
