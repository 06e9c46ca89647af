package rfc822

import (
	"reflect"
	"strings"
	"testing"
)

// fuzzSeeds are small messages that between them reach every rule.
var fuzzSeeds = []string{
	"From: a@b.example\r\nTo: c@d.example\r\nSubject: =?utf-8?q?h=C3=A9?= =?utf-8?b?aMOp?=\r\n\r\nbody\r\n",
	"Content-Type: multipart/mixed; boundary=b\n\npre\n--b\n\none\n--b\nContent-Type: text/html\n\n<p>two\n--b--\nepi",
	"Content-Type: multipart/mixed; boundary=\"b\"\r\n\r\n--b\r\nContent-Type: application/pdf; name=x.pdf\r\n" +
		"Content-Transfer-Encoding: base64\r\n\r\nSGVsbG8=\r\n--b--\r\n",
	"Content-Type: text/plain; charset=utf-7\nContent-Transfer-Encoding: quoted-printable\n\n+AOQ- =\n=3D=3d= \nx =",
	"Content-Type: multipart/digest; boundary=d\n\n--d\n\nSubject: in\n\ntext\n--d\n\nFrom: x\n\n--d--\n",
	"Content-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\nU3ViamVjdDogaW4KCmhlbGxvCg==\n",
	"Content-Type: multipart/mixed\nContent-Transfer-Encoding: base64\n\n--q\nContent-Type: text/plain\n\nx\n--q--",
	"Subject: uu\n\ntext\nbegin 644 a.txt\n#0V%T\n`\nend\nmore\nbegin 644 b\nnot\n",
	"Subject: uuqp\nContent-Transfer-Encoding: quoted-printable\n\nbegin 644 a.txt\n#0V%T\n`\nend\n",
	"Content-Type: text/plain; format=flowed; delsp=yes\n\n> quoted \n> more\n-- \nsig \nend",
	"From x@y Mon Jan 1 00:00:00 2020\rSubject: mac\r\rbody\r",
	"\n\nno header at all\n",
	"Content-Type: multipart/alternative; boundary=a\n\n--a\n\nThis message requires an HTML viewer\n--a\n" +
		"Content-Type: multipart/related; boundary=r\n\n--r\nContent-Type: text/html\n\n<b>1</b><b>2</b>\n--r\n" +
		"Content-Type: image/png\nContent-ID: <x>\n\n\x00\xff\n--r--\n--a--\n",
	"Content-Disposition: attachment; filename*1=b; filename*0*=utf-8'en'%C3%A4\nContent-Type: text\n\nx",
	"Date: Fri, 21 Nov 97 09:55 (c) EST\nMessage-ID: <a@b> \nReferences: <a><b\n <c@d>\n\n",
	"Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Transfer-Encoding: base64\n\nSGVs=\nSGVsbG8=\nfoot " +
		"er--b--",
}

func FuzzParse(f *testing.F) {
	for _, s := range fuzzSeeds {
		f.Add([]byte(s), uint64(1))
	}
	small := Limits{Depth: 5, Parts: 20, HeaderBytes: 512, HeaderFields: 10, Text: 200, HTML: 200}
	f.Fuzz(func(t *testing.T, raw []byte, seed uint64) {
		for _, lim := range []Limits{{}, small} {
			m := Parse(raw, lim)
			checkMessage(t, raw, m)
			checkChunks(t, raw, m, lim, seed)
			if lim.Text > 0 && (int64(len(m.Text)) > lim.Text || int64(len(m.HTML)) > lim.HTML ||
				len(m.Parts) > 2*lim.Parts) {
				t.Errorf("limits: %d bytes of text, %d of HTML, %d parts", len(m.Text), len(m.HTML), len(m.Parts))
			}
		}
	})
}

// What most mail has is read in shorter ways, which give the same.
func FuzzPlain(f *testing.F) {
	for _, s := range []string{
		"Tue, 3 Nov 2026 10:11:12 +0000", "Sun, 31 Feb 2026 10:11:12 -0130", "Mon, 03 Nov 2026 23:59:59 +2460",
		"Mar, 3 Nov 2026 10:11:12 +0000",
		"Sat, 00 Nov 2026 10:11:12 +0000", "Fri, 9 Nov 0026 24:11:60 +0000", "Jo <jo@example.com>",
		` "Doe, Jo" <"j o"@example.com> `, "<jo@example.com> x",
		`"Jo`, `Jo \" <a@b>`, "jo@example.com (Jo)", "<a <b@c>", "Jo", "", "a\tb", "Jo  Doe", "a\x7fb",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if d, ok := plainDate(s); ok && !d.time().Equal(anyDate(s)) {
			t.Errorf("date %q: %v and %v", s, d.time(), anyDate(s))
		}
		if m, ok := plainMailbox(s); ok && !reflect.DeepEqual(m, anyMailbox(s)) {
			t.Errorf("mailbox %q: %+v and %+v", s, m, anyMailbox(s))
		}
		if got, want := hasControl(s), strings.ContainsFunc(s, func(r rune) bool {
			return r < ' ' ||
				r == 0x7f
		}); got != want {
			t.Errorf("control characters in %q: %v", s, got)
		}
	})
}
