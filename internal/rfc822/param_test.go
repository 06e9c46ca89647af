package rfc822

import (
	"strings"
	"testing"
)

func TestContentType(t *testing.T) {
	for _, c := range []struct{ name, in, media, charset string }{
		{"plain", "text/plain; charset=utf-8", "text/plain", "utf-8"},
		{"case", "Text/HTML; CHARSET=UTF-8", "text/html", "UTF-8"},
		{"quoted", `text/plain; charset="utf-8"; format=flowed`, "text/plain", "utf-8"},
		{"quote not closed", `text/plain; charset="utf-8`, "text/plain", "utf-8"},
		{"quote not closed, more follows", `text/plain; charset="utf-8; format=flowed`, "text/plain", "utf-8"},
		{"no semicolon", "text/plain charset=utf-8", "text/plain", "utf-8"},
		{"no semicolon between parameters", `text/plain; format=flowed charset=utf-8`, "text/plain", "utf-8"},
		{"double semicolon", "text/plain;; charset=utf-8;", "text/plain", "utf-8"},
		{"blanks", "text / plain ; charset = utf-8", "text/plain", "utf-8"},
		{"comments", "text/plain (x; y); (z) charset=utf-8 (w)", "text/plain", "utf-8"},
		{"twice", "text/plain; charset=utf-8; charset=latin1", "text/plain", "utf-8"},
		{"empty", "", "text/plain", ""},
		{"type alone", "text", "text/plain", ""},
		{"quoted type", `"text/html"; charset=x`, "text/html", "x"},
		{"parameters alone", "charset=utf-8", "text/plain", "utf-8"},
		{"parameter without value", "text/plain; charset; x=y", "text/plain", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := fieldOf("Content-Type", " "+c.in)
			ct, _ := h.contentType("text/plain")
			if ct.value != c.media || ct.param("charset") != c.charset {
				t.Errorf("%q, %q", ct.value, ct.param("charset"))
			}
		})
	}
}

func TestFilename(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"quoted", `filename="a b.pdf"`, "a b.pdf"},
		{"no quotes but blanks", `filename=a b.pdf; size=1`, "a b.pdf"},
		{"quotes inside", `filename="a "b" c.pdf"; size=1`, `a "b" c.pdf`},
		{"escaped quotes", `filename="a \"b\".pdf"`, `a "b".pdf`},
		{"RFC 2231", "filename*=utf-8'en'a%20%e2%82%ac.pdf", "a €.pdf"},
		{"RFC 2231 in Latin 1", "filename*=iso-8859-1''%E4.pdf", "ä.pdf"},
		{"RFC 2231 without quotes", "filename*=%C3%A4.pdf", "ä.pdf"},
		{"pieces", `filename*0="a"; filename*1="b"; filename*2=.pdf`, "ab.pdf"},
		{"pieces out of order", `filename*2=.pdf; filename*0*=utf-8''%C3; filename*1*=%A4`, "ä.pdf"},
		{"character set in each piece", `filename*0*=iso-8859-1'es'%D1and%FA; filename*1*=iso-8859-1'%20r%E1pido`,
			"Ñandú rápido"},
		{"piece missing", `filename*0=a; filename*2=.pdf`, "a.pdf"},
		{"first piece missing", `filename*1=a; filename*2=.pdf`, "a.pdf"},
		{"both forms", `filename="a.pdf"; filename*=utf-8''%C3%A4.pdf`, "ä.pdf"},
		{"encoded word", `filename="=?utf-8?q?=C3=A4.pdf?="`, "ä.pdf"},
		{"encoded word without quotes", `filename==?utf-8?b?w6QucGRm?=`, "ä.pdf"},
		{"raw UTF-8", "filename=\"ä.pdf\"", "ä.pdf"},
		{"raw 8-bit", "filename=\"\xe4.pdf\"", "ä.pdf"},
		{"path", `filename="/etc/../passwd"`, "passwd"},
		{"Windows path", `filename="C:\temp\new.txt"`, "new.txt"},
		{"dots", `filename=".."`, ""},
		{"control characters", "filename*=utf-8''a%0D%0A%00b.txt", "a  b.txt"},
		{"turned ending", "filename*=utf-8''a%E2%80%AEtxt.exe", "atxt.exe"},
		{"name in the wrong field", `name="a.pdf"`, "a.pdf"},
		{"long", `filename="` + strings.Repeat("é", 200) + `.pdf"`, strings.Repeat("é", 125) + ".pdf"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := parse(t, "Content-Type: application/x\nContent-Disposition: attachment; "+c.in+"\n\nx")
			if got := m.Parts[0].Filename; got != c.want {
				t.Errorf("%s gives %q, want %q", c.in, got, c.want)
			}
		})
	}
}
