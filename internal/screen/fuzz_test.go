package screen

import "testing"

func FuzzScreen(f *testing.F) {
	for _, a := range attacks {
		f.Add(a.text, "<p style='display:none'>"+a.text+"</p><!-- "+a.text, "ann@exämple.com", "a.pdf.exe")
	}
	f.Add("\xff\xfe\x00", "<style>.a{display:none", "@", "")
	f.Add("", "<a b='", "x@xn--", "\u202e")
	f.Fuzz(func(t *testing.T, text, html, from, name string) {
		m := Mail{
			From: from, FromName: name, ReplyTo: []string{from, name}, Subject: name, Text: text, View: seenHTML(html),
			Mismatched:     len(text)%2 == 0,
			Correspondents: []string{"example.com", name}, Attachments: []string{name},
		}
		check(t, Screen(m))
		if j := Judge(m); j.Level == "" || len(j.Reasons) == 0 {
			t.Errorf("%v", j)
		}
	})
}
