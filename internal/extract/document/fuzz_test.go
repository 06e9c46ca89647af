package document

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// check reads with small limits, and looks at what every reader promises.
func check(t *testing.T, p Part, b []byte) {
	lim := Limits{Size: 1 << 20, Text: 4 << 10, Memory: 16 << 20, Time: time.Second}
	ctx, cancel := context.WithTimeout(context.Background(), lim.Time)
	defer cancel()
	start := time.Now()
	got := read(ctx, p, bytes.NewReader(b), lim)
	if d := time.Since(start); d > 10*time.Second {
		t.Fatalf("took %v", d)
	}
	if len(got.Text) > lim.Text || !utf8.ValidString(got.Text) || strings.ContainsAny(got.Text, "\x00\r\x1b") {
		t.Fatalf("text %q", got.Text)
	}
	if got.Status != Done && got.Text != "" {
		t.Fatalf("%s with text", got.Status)
	}
}

func FuzzRead(f *testing.F) {
	for _, c := range readCases() {
		f.Add(c.part.ContentType, c.part.Charset, c.part.Filename, []byte(c.data))
	}
	f.Fuzz(func(t *testing.T, kind, charset, name string, b []byte) {
		check(t, Part{ContentType: kind, Charset: charset, Filename: name}, b)
	})
}

// FuzzDOCX changes the XML inside of archives: the archive around it hides it from FuzzRead.
func FuzzDOCX(f *testing.F) {
	f.Add("word/document.xml", []byte(para("x")), "word/header1.xml", []byte("<w:hdr>"+para("x")+"</w:hdr>"))
	f.Add("xl/workbook.xml", []byte("<sst><si><t>x</t></si></sst>"), "xl/worksheets/sheet1.xml",
		[]byte(`<row><c t="s"><v>0</v></c></row>`))
	f.Add("ppt/presentation.xml", []byte(""), "ppt/slides/slide1.xml", []byte("<a:p><a:t>x</a:t></a:p>"))
	f.Add("content.xml", []byte("<text:p>a<text:tab/></text:p>"), "mimetype", []byte("x"))
	f.Fuzz(func(t *testing.T, name string, b []byte, other string, c []byte) {
		data := []byte(zipOf(name, string(b), other, string(c), "xl/sharedStrings.xml", string(c)))
		check(t, Part{Filename: "a.docx"}, data)
		if len(b) > 0 { // and the archive itself
			data[int(b[0])*len(data)/256] ^= b[len(b)-1]
			check(t, Part{Filename: "a.docx"}, data)
		}
	})
}
