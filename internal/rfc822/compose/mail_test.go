package compose

import (
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A message as it goes out, byte for byte.
func TestBytes(t *testing.T) {
	m := plainMail()
	m.To = append(m.To, Address{"Doe, Jane", "jane@example.com"})
	m.Cc = []Address{{"Jörg", "joerg@exämple.com"}}
	m.ReplyTo = []Address{{"", "reply@example.net"}}
	m.InReplyTo, m.References = "0@example.com", []string{"a@example.com", "0@example.com"}
	m.Fields = []Field{{"Auto-Submitted", "auto-generated"}}
	m.HTML, m.HasHTML = "<p>Hä?</p>\r<img src=\"cid:logo\">", true
	logo := file("logo.png", "image/png", "PNG")
	logo.ContentID = "logo"
	other := file("résumé.txt", "text/plain; charset=utf-8", "é")
	other.ContentID = "other"
	m.Attachments = []Attachment{other, logo}
	want := "Date: Tue, 03 Nov 2026 11:00:00 +0000\r\n" +
		"Message-ID: <1@example.net>\r\n" +
		"From: Agent <agent@example.net>\r\n" +
		"Reply-To: reply@example.net\r\n" +
		"To: jo@example.com, \"Doe, Jane\" <jane@example.com>\r\n" +
		"Cc: =?utf-8?b?SsO2cmc=?= <joerg@xn--exmple-cua.com>\r\n" +
		"Subject: Hello\r\n" +
		"In-Reply-To: <0@example.com>\r\n" +
		"References: <a@example.com> <0@example.com>\r\n" +
		"Auto-Submitted: auto-generated\r\n" +
		"MIME-Version: 1.0\r\n" +
		"Content-Type: multipart/mixed; boundary=\"=_b.1\"\r\n" +
		"\r\n--=_b.1\r\n" +
		"Content-Type: multipart/alternative; boundary=\"=_b.2\"\r\n" +
		"\r\n--=_b.2\r\n" +
		"Content-Type: text/plain; charset=\"us-ascii\"\r\n" +
		"Content-Transfer-Encoding: 7bit\r\n" +
		"\r\nHi.\r\n" +
		"\r\n--=_b.2\r\n" +
		"Content-Type: multipart/related; type=\"text/html\"; boundary=\"=_b.3\"\r\n" +
		"\r\n--=_b.3\r\n" +
		"Content-Type: text/html; charset=\"utf-8\"\r\n" +
		"Content-Transfer-Encoding: quoted-printable\r\n" +
		"\r\n<p>H=C3=A4?</p>\r\n<img src=3D\"cid:logo\">\r\n" +
		"\r\n--=_b.3\r\n" +
		"Content-Type: image/png; name=\"logo.png\"\r\n" +
		"Content-Transfer-Encoding: base64\r\n" +
		"Content-Disposition: inline; filename=\"logo.png\"\r\n" +
		"Content-ID: <logo>\r\n" +
		"\r\nUE5H" +
		"\r\n--=_b.3--" +
		"\r\n--=_b.2--" +
		"\r\n--=_b.1\r\n" +
		"Content-Type: text/plain; charset=\"utf-8\"; name*=utf-8''r%C3%A9sum%C3%A9.txt\r\n" +
		"Content-Transfer-Encoding: base64\r\n" +
		"Content-Disposition: attachment; filename*=utf-8''r%C3%A9sum%C3%A9.txt\r\n" +
		"Content-ID: <other>\r\n" +
		"\r\nw6k=" +
		"\r\n--=_b.1--\r\n"
	if got := compose(t, m); got != want {
		t.Error(cmp.Diff(strings.Split(want, "\r\n"), strings.Split(got, "\r\n")))
	}
}

func TestStructure(t *testing.T) {
	logo := file("l.png", "image/png", "PNG")
	logo.ContentID = "l@x"
	pdf := file("a.pdf", "application/pdf", "PDF")
	const plain, html, image, pdfs = "text/plain", "text/html", "image/png inline", "application/pdf attachment"
	for _, tt := range []struct {
		name        string
		text, html  bool
		doc         string
		attachments []Attachment
		want        []string
	}{
		{"nothing", false, false, "", nil, []string{plain}},
		{"text", true, false, "", nil, []string{plain}},
		{"html", false, true, "<p>", nil, []string{html}},
		{"both", true, true, "<p>", nil, []string{"alternative/" + plain, "alternative/" + html}},
		{"text and file", true, false, "", []Attachment{pdf}, []string{"mixed/" + plain, "mixed/" + pdfs}},
		{"file alone", false, false, "", []Attachment{pdf}, []string{"mixed/" + pdfs}},
		{"html with image", false, true, "<img src=cid:l@x>", []Attachment{logo},
			[]string{"related/" + html, "related/" + image}},
		{"all", true, true, "<img src='CID:l%40x'>", []Attachment{pdf, logo}, []string{"mixed/alternative/" + plain,
			"mixed/alternative/related/" + html, "mixed/alternative/related/" + image, "mixed/" + pdfs}},
		{"image that is not shown", true, true, "<img src='cid:l@xy'>", []Attachment{logo},
			[]string{"mixed/alternative/" + plain,
				"mixed/alternative/" + html, "mixed/image/png attachment"}},
		{"image without html", true, false, "", []Attachment{logo},
			[]string{"mixed/" + plain, "mixed/image/png attachment"}},
		{"image in a style", false, true, "<p style='background:url(cid:l@x)'>", []Attachment{logo},
			[]string{"related/" + html, "related/" + image}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := plainMail()
			m.HasText, m.HasHTML, m.HTML, m.Attachments = tt.text, tt.html, tt.doc, tt.attachments
			_, parts := standard(t, compose(t, m))
			var got []string
			for _, p := range parts {
				got = append(got, strings.TrimSpace(p.path+p.media+" "+p.disposition))
				if p.media == "image/png" && p.id != "<l@x>" {
					t.Errorf("content id %q", p.id)
				}
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestRecipients(t *testing.T) {
	for _, tt := range []struct {
		name   string
		to, cc []Address
		want   string
	}{
		{"none", nil, nil, "To: undisclosed-recipients:;\r\nSubject"},
		{"copies only", nil, []Address{{"", "a@b.example"}}, "From: Agent <agent@example.net>\r\nCc: " +
			"a@b.example\r\nSubject"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := plainMail()
			m.To, m.Cc = tt.to, tt.cc
			if got := compose(t, m); !strings.Contains(got, tt.want) || strings.Contains(got, "Bcc") {
				t.Error(got)
			}
		})
	}
}

func TestNeedsUTF8(t *testing.T) {
	m := plainMail()
	m.To = []Address{{"Jö", "jo@exämple.com"}}
	if m.NeedsUTF8() {
		t.Error("a name and a domain beyond ASCII can be written in ASCII")
	}
	m.Cc = []Address{{"Jö", "jö@exämple.com"}}
	if !m.NeedsUTF8() {
		t.Error("a local part beyond ASCII cannot")
	}
	if got := compose(t, m); !strings.Contains(got, "\r\nTo: =?utf-8?b?SsO2?= <jo@xn--exmple-cua.com>\r\nCc: "+
		"=?utf-8?b?SsO2?= <jö@exämple.com>\r\n") {
		t.Error(got)
	}
}

// The same mail has the same bytes; another id has another boundary.
func TestBoundary(t *testing.T) {
	m := plainMail()
	m.Boundary = ""
	m.HTML, m.HasHTML = "<p>", true
	first := compose(t, m)
	m.MessageID = "2@example.net"
	second := compose(t, m)
	_, a, _ := strings.Cut(first, "boundary=")
	_, b, _ := strings.Cut(second, "boundary=")
	if a[:30] == b[:30] {
		t.Errorf("both have %s", a[:30])
	}
}

// A text or message that has the boundary in it does not end its part.
func TestBoundaryInside(t *testing.T) {
	inside := "Subject: x\r\n\r\none\r\n--=_b.1--\r\ntwo\r\n"
	m := plainMail()
	m.Text = inside
	m.Attachments = []Attachment{file("m.eml", "message/rfc822", inside)}
	_, parts := standard(t, compose(t, m))
	if len(parts) != 2 || parts[0].content != inside || parts[1].content != inside || parts[1].media != octetStream {
		t.Errorf("%q", parts)
	}
}

func TestCheck(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*Mail)
		want   string
	}{
		{"fine", func(*Mail) {}, ""},
		{"no sender", func(m *Mail) { m.From = Address{} }, `"" is not an address: it is empty`},
		{"recipient", func(m *Mail) { m.To[0].Address = "a@b\r\nBcc: c@d" }, "control character"},
		{"copy", func(m *Mail) { m.Cc = []Address{{"", "a b@c.example"}} }, "blank"},
		{"reply address", func(m *Mail) { m.ReplyTo = []Address{{"", "a"}} }, "@ and the domain are missing"},
		{"id", func(m *Mail) { m.MessageID = "a>\r\nX: <b" }, "not a message id"},
		{"long id", func(m *Mail) { m.MessageID = strings.Repeat("a", 991) }, "too long"},
		{"date", func(m *Mail) { m.Date = m.Date.AddDate(-2026, 0, 0) }, "date 0000-11"},
		{"field", func(m *Mail) { m.Fields = []Field{{"X-A", "b\nc"}} }, "line break"},
		{"second sender", func(m *Mail) { m.Fields = []Field{{"FROM", "b"}} }, "cannot be added"},
		{"blind copy", func(m *Mail) { m.Fields = []Field{{"bcc", "b@c.example"}} }, "cannot be added"},
		{"content field", func(m *Mail) { m.Fields = []Field{{"Content-Language", "en"}} }, "cannot be added"},
		{"content id", func(m *Mail) { m.Attachments[0].ContentID = "a b" }, "not a content id"},
		{"no content", func(m *Mail) { m.Attachments[0].Open = nil }, "no content"},
		{"size", func(m *Mail) { m.Attachments[0].Size = -1 }, "-1 bytes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := plainMail()
			m.Attachments = []Attachment{file("a", "", "x")}
			tt.change(&m)
			err := m.Check()
			if tt.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			_, werr := m.WriteTo(io.Discard)
			_, serr := m.Size()
			if err == nil || !strings.Contains(err.Error(), tt.want) || werr == nil || serr == nil {
				t.Errorf("Check %v, WriteTo %v, Size %v; want %q", err, werr, serr, tt.want)
			}
		})
	}
}
