package rfc822

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// lines joins lines with CR LF.
func lines(l ...string) string { return strings.Join(l, "\r\n") }

// parse checks the invariants and parses.
func parse(t *testing.T, raw string) *Message {
	t.Helper()
	m := Parse([]byte(raw), Limits{Digest: true})
	checkMessage(t, []byte(raw), m)
	checkChunks(t, []byte(raw), m, Limits{Digest: true}, 1)
	return m
}

// partLines describes parts as "path type disposition name: content".
func partLines(t *testing.T, raw string, m *Message) []string {
	t.Helper()
	var out []string
	for _, p := range m.Parts {
		b := content(t, []byte(raw), p)
		if len(b) > 40 {
			b = fmt.Appendf(nil, "%d bytes", len(b))
		}
		out = append(out, fmt.Sprintf("%s %s %s %s: %q", p.Path, p.ContentType, p.Disposition, p.Filename, b))
	}
	return out
}

func TestParse(t *testing.T) {
	for _, c := range slices.Concat(structureCases, brokenCases) {
		t.Run(c.name, func(t *testing.T) {
			m := parse(t, c.raw)
			if m.Text != c.text {
				t.Errorf("Text is %q, want %q", m.Text, c.text)
			}
			if m.HTML != c.html {
				t.Errorf("HTML is %q, want %q", m.HTML, c.html)
			}
			if diff := cmp.Diff(c.parts, partLines(t, c.raw, m)); diff != "" {
				t.Error(diff)
			}
			for _, d := range c.defects {
				if !slices.Contains(m.Defects, d) {
					t.Errorf("no defect %s in %v", d, m.Defects)
				}
			}
			if c.defects == nil && len(m.Defects) > 0 && !slices.Equal(m.Defects, []Defect{DefectFromMissing}) {
				t.Errorf("defects %v", m.Defects)
			}
		})
	}
}

func TestLineEnds(t *testing.T) {
	raw := lines("From: a@b.example", "Subject: folded", " subject", "Content-Type: multipart/mixed; boundary=b", "",
		"--b", "",
		"first", "", "--b", "Content-Type: image/png; name=x.png", "Content-Transfer-Encoding: base64", "", "QUJD",
		"--b--", "")
	for name, eol := range map[string]string{"CRLF": "\r\n", "LF": "\n", "CR": "\r", "CRCRLF": "\r\r\n"} {
		t.Run(name, func(t *testing.T) {
			in := strings.ReplaceAll(raw, "\r\n", eol)
			m := parse(t, in)
			if m.Subject != "folded subject" || strings.TrimSpace(m.Text) != "first" {
				t.Errorf("Subject %q, Text %q", m.Subject, m.Text)
			}
			if got := partLines(t, in, m); len(got) != 1 || got[0] != `2 image/png attachment x.png: "ABC"` {
				t.Error(got)
			}
		})
	}
}

func TestOffsetsAreExact(t *testing.T) {
	raw := "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: application/x; name=a\n\nbytes " +
		"\r\n\n--b--\n"
	p := parse(t, raw).Parts[0]
	if got := raw[p.Offset : p.Offset+p.Length]; got != "bytes \r\n" {
		t.Errorf("%q", got)
	}
}

func TestSameMessageTwice(t *testing.T) {
	first := "Received: from one\r\nMessage-ID: <1@x>\r\nFrom: a@b\r\nSubject: a\r\n b\r\n\r\nbody\r\n"
	same := []string{
		"Received: from two\r\nReceived: from one\r\nMessage-ID: <1@x>\r\nFrom:   a@b \r\nsubject: a\r\n " +
			"b\r\n\r\nbody\r\n",
		"Subject: a b\r\nX-Spam: no\r\nMessage-ID: <1@x>\r\nFrom: a@b\r\n\r\nbody\r\n",
	}
	other := []string{
		strings.Replace(first, "<1@x>", "<2@x>", 1), strings.Replace(first, "body", "Body", 1),
		strings.Replace(first, "From: a@b", "From: c@b", 1), first + "\r\n",
	}
	want := parse(t, first).Digest
	for _, s := range same {
		if parse(t, s).Digest != want {
			t.Errorf("another digest for %q", s)
		}
	}
	for _, s := range other {
		if parse(t, s).Digest == want {
			t.Errorf("the same digest for %q", s)
		}
	}
}

func TestBombs(t *testing.T) {
	deep := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n", i, i)
		}
		return b.String() + "\ninnermost\n"
	}
	for _, c := range []struct {
		name   string
		raw    string
		defect Defect
	}{
		{"deep multiparts", deep(500), DefectTooDeep},
		{"deep messages", strings.Repeat("Content-Type: message/rfc822\n\n", 500) + "x", DefectTooDeep},
		{"many parts", "Content-Type: multipart/mixed; boundary=b\n\n" + strings.Repeat("--b\n\nx\n", 5000),
			DefectTooManyParts},
		{"many fields", strings.Repeat("X: y\n", 5000) + "\nbody", DefectHeaderFields},
		{"endless field", "Subject: " + strings.Repeat("x", 1<<20) + "\nFrom: a@b\n\nbody", DefectHeaderSize},
		{"endless folding", "Subject: x\n" + strings.Repeat(" folded\n", 1<<17) + "\nbody", DefectHeaderSize},
		{"endless header", strings.Repeat("X: "+strings.Repeat("y", 1000)+"\n", 1000) + "\nbody", DefectHeaderSize},
		{"one endless line", strings.Repeat("x", 1<<20), DefectHeaderMissing},
		{"dashes", "Content-Type: multipart/mixed; boundary=b\n\n" + strings.Repeat("-", 1<<20),
			DefectBoundaryNotFound},
		{"dashed lines", "Content-Type: multipart/mixed; boundary=b\n\n" + strings.Repeat("--\n", 1<<18),
			DefectBoundaryNotFound},
		{"open words", "Subject: " + strings.Repeat("=?a?q?", 1<<14) + "?=\n\n", ""},
		{"open comments", "To: " + strings.Repeat("(", 1<<16) + "\nDate: " + strings.Repeat("(", 1<<15) + "\n\n", ""},
		{"brackets", "To: " + strings.Repeat("<", 1<<16) + ",\nCc: " + strings.Repeat("a,", 1<<15) + "<x@y>\n\n", ""},
		{"parameters", "Content-Type: text/plain; " + strings.Repeat("a*1=b;", 1<<14) + "\n\n", ""},
		{"quotes", "Content-Type: text/plain; a=" + strings.Repeat(`"a `, 1<<15) + "\n\n", ""},
		{"many uuencoded files", "Subject: x\n\n" + strings.Repeat("begin 644 x\n#0V%T\n", 5000), DefectTooManyParts},
		{"blanks in quoted-printable", "Content-Transfer-Encoding: quoted-printable\n\n" + strings.Repeat(" \n", 1<<19),
			""},
		{"escapes in quoted-printable", "Content-Transfer-Encoding: quoted-printable\n\n" + strings.Repeat("= ", 1<<19),
			""},
		{"paddings", "Content-Transfer-Encoding: base64\n\n" + strings.Repeat("QQ==\n", 1<<17), ""},
		{"tags", "Content-Type: text/html\n\n" + strings.Repeat("<div>", 1<<17), ""},
		{"end tags", "Content-Type: text/html\n\n" + strings.Repeat("<p><b>", 300) + strings.Repeat("</i>", 1<<17), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := Parse([]byte(c.raw), Limits{})
			checkMessage(t, []byte(c.raw), m)
			if c.defect != "" && !slices.Contains(m.Defects, c.defect) {
				t.Errorf("defects %v", m.Defects)
			}
			if len(m.Parts) > 1000 {
				t.Errorf("%d parts", len(m.Parts))
			}
		})
	}
}

func TestTextIsCut(t *testing.T) {
	lim := Limits{Text: 101, HTML: 99}
	raw := "Content-Type: multipart/alternative; boundary=b\n\n--b\n\n" + strings.Repeat("é", 100) +
		"\n--b\nContent-Type: text/html\n\n" +
		strings.Repeat("é", 100) + "\n--b--\n"
	m := Parse([]byte(raw), lim)
	if !m.TextTruncated || m.Text != strings.Repeat("é", 50) || !m.HTMLTruncated || m.HTML != strings.Repeat("é", 49) {
		t.Errorf("%d bytes of text (%v), %d of HTML (%v)", len(m.Text), m.TextTruncated, len(m.HTML), m.HTMLTruncated)
	}
}

func TestTextIsKeptWhole(t *testing.T) {
	raw := "Content-Type: text/plain; charset=utf-16le\n\n" + strings.Repeat("x\x00", 2_000_000)
	if m := Parse([]byte(raw), Limits{Text: math.MaxInt64}); len(m.Text) != 2_000_000 || m.TextTruncated {
		t.Errorf("%d bytes", len(m.Text))
	}
}

// TestLargeMessageIsNotHeld feeds 100 MB and looks at what stays in memory.
func TestLargeMessageIsNotHeld(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	p := NewParser(Limits{})
	_, _ = p.Write([]byte(benchHeader + "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\ntext\r\n--b\r\n" +
		"Content-Type: application/zip\r\nContent-Transfer-Encoding: base64\r\n\r\n"))
	chunk := bytes.Repeat([]byte(strings.Repeat("QUJD", 19)+"\r\n"), 1000)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for range 100 << 20 / len(chunk) {
		_, _ = p.Write(chunk)
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 4<<20 {
		t.Errorf("%d bytes were allocated", used)
	}
	if m := p.Message(); m.Parts[0].Size != int64(100<<20/len(chunk)*57*1000) {
		t.Errorf("%d bytes", m.Parts[0].Size)
	}
}

// Skimming finds the same message, without the size and digest of what is attached.
func TestSkim(t *testing.T) {
	raw := strings.ReplaceAll(`From: a@x.example
Subject: files
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/html; charset=utf-8
Content-Transfer-Encoding: quoted-printable

<p>caf=C3=A9</p>
--b
Content-Type: application/pdf; name=a.pdf
Content-Transfer-Encoding: base64

aGVsbG8gd29ybGQ=
--b
Content-Type: message/rfc822
Content-Transfer-Encoding: base64

U3ViamVjdDogaW5uZXINCkNvbnRlbnQtVHlwZTogYXBwbGljYXRpb24vb2N0ZXQtc3RyZWFtDQoN
CmFiYw==
--b
Content-Type: image/png
Content-Transfer-Encoding: base64

!!!! not base64 !!!!
--b--
`, "\n", "\r\n")
	whole := Parse([]byte(raw), Limits{})
	skimmed := Parse([]byte(raw), Limits{Skim: true})
	if len(whole.Parts) != 4 || whole.Parts[0].Size != 11 || whole.Text != "café" {
		t.Fatalf("%d parts, text %q", len(whole.Parts), whole.Text)
	}
	if skimmed.Parts[0].Size != 0 || skimmed.Parts[0].SHA256 != [32]byte{} {
		t.Errorf("an attachment was decoded: %+v", skimmed.Parts[0])
	}
	for i := range whole.Parts {
		whole.Parts[i].Size, whole.Parts[i].SHA256 = 0, [32]byte{}
		skimmed.Parts[i].Size, skimmed.Parts[i].SHA256 = 0, [32]byte{}
	}
	whole.DecodedSize, skimmed.DecodedSize = 0, 0
	whole.Defects, skimmed.Defects = nil, nil
	if diff := cmp.Diff(whole, skimmed, cmp.Exporter(func(reflect.Type) bool { return true })); diff != "" {
		t.Errorf("(-whole +skimmed):\n%s", diff)
	}
}
