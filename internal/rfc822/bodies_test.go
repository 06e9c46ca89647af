package rfc822

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// checkBodies compares bodies that are written piece by piece with those that a parse keeps.
func checkBodies(t *testing.T, raw []byte) *Message {
	t.Helper()
	want := Parse(raw, Limits{Text: 1 << 30, HTML: 1 << 30})
	b, err := ScanBodies(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	var text, html bytes.Buffer
	if err := errors.Join(b.WriteText(&text, bytes.NewReader(raw)),
		b.WriteHTML(&html, iotest.HalfReader(bytes.NewReader(raw)))); err != nil {
		t.Fatal(err)
	}
	sameText(t, "text", text.String(), want.Text)
	sameText(t, "HTML", html.String(), want.HTML)
	return want
}

func sameText(t *testing.T, what, got, want string) {
	t.Helper()
	if got == want {
		return
	}
	at := 0
	for at < min(len(got), len(want)) && got[at] == want[at] {
		at++
	}
	around := func(s string) string { return s[max(0, min(at-40, len(s))):min(at+40, len(s))] }
	t.Errorf("%s of %d bytes in place of %d: from %d on %q, want %q", what, len(got), len(want), at, around(got),
		around(want))
}

func FuzzBodies(f *testing.F) {
	for _, s := range fuzzSeeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, raw []byte) { checkBodies(t, raw) })
}

// longBody is a message with a body above every limit.
func longBody(header string, unit []byte) []byte {
	body := bytes.Repeat(unit, 2_500_000/len(unit))
	return []byte("From: a@b.example\r\nMIME-Version: 1.0\r\n" + header + "\r\nContent-Transfer-Encoding: " +
		"base64\r\n\r\n" + lined(body))
}

func lined(b []byte) string {
	var out strings.Builder
	for s := base64.StdEncoding.EncodeToString(b); len(s) > 0; {
		n := min(len(s), 76)
		out.WriteString(s[:n] + "\r\n")
		s = s[n:]
	}
	return out.String()
}

// Long texts are the same in every character set and form.
func TestLongBodies(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	const words = "Grüße, ünd söme mehr\r\n日本語の文 한국어 中文\r\n"
	encoded := func(enc encoding.Encoding, s string) []byte {
		out, err := encoding.ReplaceUnsupported(enc.NewEncoder()).Bytes([]byte(s))
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	odd := append(encoded(unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), words),
		encoded(unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), "x")...)
	for name, c := range map[string]struct {
		header string
		unit   []byte
	}{
		"ascii":            {"Content-Type: text/plain", []byte("one two\r\n\r\nthree\r\r\nfour\rfive\x00\n")},
		"returns":          {"Content-Type: text/plain", []byte("\r")},
		"utf-8":            {"Content-Type: text/plain; charset=utf-8", []byte(words)},
		"utf-8 broken":     {"Content-Type: text/plain; charset=utf-8", []byte(words + "\xff\xfe\xc3\r\n")},
		"utf-8 in name":    {"Content-Type: text/plain; charset=utf-8", []byte("gr\xfc\xdfe\r\n")},
		"nothing declared": {"Content-Type: text/plain", []byte("gr\xfc\xdfe \xe2\x82\xac\r\n")},
		"unknown":          {"Content-Type: text/plain; charset=klingon", []byte(words)},
		"windows-1252": {"Content-Type: text/plain; charset=windows-1252", encoded(charmap.Windows1252,
			"Grüße €\r\n")},
		"ebcdic":          {"Content-Type: text/plain; charset=cp1047", encoded(charmap.CodePage1047, "Grüße\n")},
		"ascii as ebcdic": {"Content-Type: text/plain; charset=cp1047", []byte("plain\r\n")},
		"gb2312": {"Content-Type: text/plain; charset=gb2312", encoded(simplifiedchinese.GB18030,
			"中文 x\r\n")},
		"hz": {"Content-Type: text/plain; charset=hz-gb-2312", encoded(simplifiedchinese.HZGB2312,
			"中文 x\r\n")},
		"shift_jis": {"Content-Type: text/plain; charset=shift_jis", encoded(japanese.ShiftJIS, "日本語の文\r\n")},
		"iso-2022-jp": {"Content-Type: text/plain; charset=iso-2022-jp",
			encoded(japanese.ISO2022JP, "日本語の文\r\n")},
		"euc-kr": {"Content-Type: text/plain; charset=euc-kr", encoded(korean.EUCKR, "한국어 x\r\n")},
		"iso-2022-kr": {"Content-Type: text/plain; charset=iso-2022-kr",
			[]byte("\x1b$)C\x0eGQ19>n\x0f x\r\n\x0eGQ\r\n")},
		"utf-7": {"Content-Type: text/plain; charset=utf-7", []byte("Gr+APwA3w-e 1 +- 2\r\n")},
		"utf-16": {"Content-Type: text/plain; charset=utf-16",
			encoded(unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), words)},
		"utf-16le, odd": {"Content-Type: text/plain; charset=utf-16le", odd},
		"utf-16, no order": {"Content-Type: text/plain; charset=utf-16",
			encoded(unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), words)},
		"utf-32": {"Content-Type: text/plain; charset=utf-32",
			encoded(utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM), words)},
		"flowed": {"Content-Type: text/plain; format=flowed",
			[]byte("> a b \r\n> c\r\n d \r\ne \r\n>> f\r\n-- \r\ng \r\n")},
		"flowed, delsp": {"Content-Type: text/plain; format=flowed; delsp=yes", []byte("a \r\nb \r\n\r\n")},
		"html": {"Content-Type: text/html; charset=utf-8",
			[]byte("<p>" + words + "<table><tr><td>a<br>b<td>c<td>d</table><pre> x \n\n</pre>&amp;")},
		"html, in pre": {"Content-Type: text/html; charset=utf-8", []byte("<pre>  x \n\n\n  y")},
		"html, own charset": {"Content-Type: text/html", []byte("<meta charset=koi8-r><p>\xf0\xd2\xc9\xd7\xc5\xd4 " +
			"<div style='display:none'>hidden</div>")},
		"html without tags": {"Content-Type: text/html; charset=utf-8", []byte("&lt;" + words + "&auml; ")},
		"uuencoded": {"Content-Type: text/plain",
			[]byte("text\r\nbegin 644 a.txt\r\n#0V%T\r\n`\r\nend\r\nmore\r\n")},
	} {
		t.Run(name, func(t *testing.T) {
			if m := checkBodies(t, longBody(c.header, c.unit)); len(m.Text)+len(m.HTML) < 500_000 && name != "returns" {
				t.Errorf("only %d bytes of text and %d of HTML", len(m.Text), len(m.HTML))
			}
		})
	}
}

// What cannot be told from the beginning of a text is told from all of it.
func TestLateBodies(t *testing.T) {
	blank, long := strings.Repeat(" \r\n", 700_000), strings.Repeat("a line of text\r\n", 100_000)
	part := func(header, body string) string { return "--b\r\n" + header + "\r\n\r\n" + body + "\r\n" }
	multi := func(kind string, parts ...string) string {
		return "Content-Type: multipart/" + kind + "; boundary=b\r\n\r\n" + strings.Join(parts, "") + "--b--\r\n"
	}
	const plain, html, file = "Content-Type: text/plain; charset=utf-8", "Content-Type: text/html",
		"Content-Type: application/pdf"
	for name, raw := range map[string]string{
		"character set": plain + "\r\n\r\n" + long + "gr\xfc\xdfe gr\xfc\xdfe",
		"characters":    plain + "\r\n\r\n" + long + "\xc3\xbc\xc3\xbc\xff",
		"words":         plain + "\r\n\r\n" + blank + "words",
		"html words":    html + "\r\n\r\n<style>" + blank + "</style>words",
		"alternatives differ": multi("alternative", part(plain, long+"one"), part(plain, long+"two"),
			part(plain, long+"one")),
		"plain after nothing": multi("alternative", part(plain, blank+"words"), part(html, "<p>in HTML")),
		"stub":                multi("alternative", part(plain, "view this in HTML"), part(html, "<p>"+long)),
		"long in the middle": multi("mixed", part(plain, "one"), part(plain, long), part(file, long),
			part(plain, "three"), part(html, "<p>"+long)),
		"many":               multi("mixed", strings.Repeat(part(plain, strings.Repeat("x\r\n", 3000)), 500)),
		"only an attachment": "Content-Type: text/plain\r\nContent-Disposition: attachment\r\n\r\n" + long,
		"nested":             multi("mixed", part("Content-Type: message/rfc822", html+"\r\n\r\n<b>"+long+"</b>")),
		"no end": "Content-Type: multipart/mixed; boundary=b\r\n\r\n" + long + "\r\n--b\r\n" + plain +
			"\r\n\r\n" + long,
		"preamble is all": "Content-Type: multipart/mixed; boundary=b\r\n\r\n<html>" + long,
		"one line": "Content-Type: text/plain; format=flowed\r\n\r\n>> " + strings.Repeat("a b ", 500_000) +
			"\r\n>> on",
		"long run of HTML": html + "\r\n\r\n<p>" + strings.Repeat("a &amp; b ü ", 200_000) + "<p>x",
		"long style": html + "\r\n\r\n<style>.a{color:red}" + strings.Repeat("/* <b> */ .b{color:red}\n",
			60_000) + "</style><p>x",
		"long comment":     html + "\r\n\r\n<p>y<!--" + strings.Repeat("<b> > ", 400_000) + "--><p>x",
		"long declaration": html + "\r\n\r\n<p>y<!x " + strings.Repeat("a b ", 400_000) + "><p>x",
		"long image": html + "\r\n\r\n<p>y<img alt='a' src=\"data:" + strings.Repeat("AAAA>", 400_000) +
			"\" title='b'> z<p>x" + long,
		"long image, alt last": html + "\r\n\r\n<p>y<img src = 'data:" + strings.Repeat("AAAA>", 400_000) +
			"' alt=\"a\"> z<p>x",
		"long tag": html + "\r\n\r\n<p>y<b " + strings.Repeat("x=1 ", 400_000) + ">z</b><p>x",
	} {
		t.Run(name, func(t *testing.T) {
			raw := "From: a@b.example\r\nMIME-Version: 1.0\r\n" + raw
			if m := checkBodies(t, []byte(raw)); m.Text == "" {
				t.Error("no text")
			}
		})
	}
}

// Writing long bodies takes little memory, wherever their bytes are: in one line, one tag, one run of white space.
func TestBodiesMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	const size = 6 << 20
	for name, c := range map[string]struct{ head, unit string }{
		"lines":      {"Content-Type: text/plain\r\n\r\n", "a line of text\r\n"},
		"one line":   {"Content-Type: text/plain; format=flowed\r\n\r\n", "a b "},
		"html":       {"Content-Type: text/html\r\n\r\n<p>", "text <b>x</b>"},
		"one run":    {"Content-Type: text/html\r\n\r\n<p>", "text "},
		"one tag":    {"Content-Type: text/html\r\n\r\n<p>x<img src='", "AAAA"},
		"attributes": {"Content-Type: text/html\r\n\r\n<p>x<img ", "a=b "},
		"blanks":     {"Content-Type: text/html\r\n\r\n<pre>x", "    "},
		"returns": {"Content-Type: text/plain\r\n\r\nx",
			"\r"},
		"utf-7":       {"Content-Type: text/plain; charset=utf-7\r\n\r\n+", "AAAA"},
		"one comment": {"Content-Type: text/html\r\n\r\n<p>x<!-- ", "AAAA"},
	} {
		t.Run(name, func(t *testing.T) {
			open := func() io.Reader {
				return io.MultiReader(strings.NewReader("From: a@b.example\r\n"+c.head),
					io.LimitReader(&repeater{unit: []byte(c.unit)}, size))
			}
			b, err := ScanBodies(open())
			if err != nil {
				t.Fatal(err)
			}
			w := &peak{}
			runtime.GC()
			runtime.ReadMemStats(&w.before)
			if err := errors.Join(b.WriteText(w, open()), b.WriteHTML(w, open())); err != nil {
				t.Fatal(err)
			}
			w.look()
			if w.most > 4<<20 {
				t.Errorf("%d bytes in memory", w.most)
			}
		})
	}
}

// repeater gives the same bytes for ever.
type repeater struct {
	unit []byte
	at   int
}

func (r *repeater) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = r.unit[r.at]
		r.at = (r.at + 1) % len(r.unit)
	}
	return len(b), nil
}

// peak looks at the memory in use, now and then.
type peak struct {
	before runtime.MemStats
	n      int
	most   int64
}

func (p *peak) Write(b []byte) (int, error) {
	if p.n += len(b); p.n > 2<<20 {
		p.n = 0
		p.look()
	}
	return len(b), nil
}

func (p *peak) look() {
	var now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&now)
	p.most = max(p.most, int64(now.HeapAlloc)-int64(p.before.HeapAlloc))
}

// Whoever writes or reads and fails is told so, and nothing goes on behind it.
func TestBodiesFail(t *testing.T) {
	raw := longBody("Content-Type: text/html", []byte("<p>text"))
	b, err := ScanBodies(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	broken := io.MultiReader(bytes.NewReader(raw[:len(raw)/2]), iotest.ErrReader(os.ErrDeadlineExceeded))
	if _, err := ScanBodies(broken); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("scan: %v", err)
	}
	for name, write := range map[string]func(io.Writer, io.Reader) error{"text": b.WriteText, "HTML": b.WriteHTML} {
		broken := io.MultiReader(bytes.NewReader(raw[:len(raw)/2]), iotest.ErrReader(os.ErrDeadlineExceeded))
		if err := write(io.Discard, broken); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%s from what breaks: %v", name, err)
		}
		if err := write(&full{room: 500_000}, bytes.NewReader(raw)); !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("%s to what breaks: %v", name, err)
		}
	}
}

// full takes n bytes and no more.
type full struct{ room int }

func (f *full) Write(b []byte) (int, error) {
	if f.room -= len(b); f.room < 0 {
		return 0, fmt.Errorf("full: %w", io.ErrShortWrite)
	}
	return len(b), nil
}
