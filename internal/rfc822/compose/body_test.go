package compose

import (
	"crypto/sha256"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/rfc822"
)

func TestText(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	line998 := strings.Repeat("x", 998)
	for _, tt := range []struct {
		name, in, want string // want with LF; empty: in
		encoding       encoding
		charset        string
	}{
		{"ascii", "Hi,\n\nyou.\n", "", sevenBit, "us-ascii"},
		{"no line end", "Hi", "Hi\n", sevenBit, "us-ascii"},
		{"all line ends", "a\r\nb\rc\nd\r\r\n", "a\nb\nc\nd\n\n", sevenBit, "us-ascii"},
		{"empty", "", "", sevenBit, "us-ascii"},
		{"blanks at line ends", "a \nb\t\n-- \n", "", sevenBit, "us-ascii"},
		{"longest line", line998 + "\n", "", sevenBit, "us-ascii"},
		{"longest last line", line998, line998 + "\n", sevenBit, "us-ascii"},
		{"too long line", line998 + "x\n", "", quotedPrintable, "us-ascii"},
		{"accents", "Grüße aus Köln, bis bald mal wieder.\n", "", quotedPrintable, "utf-8"},
		{"accents and blanks at line ends", "Grüße, das ist ein ganz langer Text. \nx\t\n \n", "", quotedPrintable,
			"utf-8"},
		{"chinese", strings.Repeat("山田太郎\n", 100), "", base64Encoding, "utf-8"},
		{"emoji", "😀", "😀\n", base64Encoding, "utf-8"},
		{"controls", "a\x01b\x1b[0m\x7f and more text for it to be short\n", "", quotedPrintable, "utf-8"},
		{"nul", "a\x00b\n", "ab\n", sevenBit, "us-ascii"},
		{"not utf-8", "Grü\xdfe, das ist ein ganz langer Text.\n", "Grü\uFFFDe, das ist ein ganz langer Text.\n",
			quotedPrintable, "utf-8"},
		{"equals signs in long lines", strings.Repeat("a=b&c ", 300) + "\n", "", quotedPrintable, "us-ascii"},
		{"nothing but equals signs", "a" + strings.Repeat("=", 3000) + "\n", "", quotedPrintable, "us-ascii"},
		{"large", strings.Repeat("Zeile mit ein paar Wörtern darin, die nicht kurz ist und nicht lang.\n", 5000), "",
			quotedPrintable, "utf-8"},
		{"large ascii", strings.Repeat("A line of a few words that is neither long nor short.\r\n", 5000),
			strings.Repeat("A line of a few words that is neither long nor short.\n", 5000), sevenBit, "us-ascii"},
		{"large without line ends", strings.Repeat("ä und ein paar Wörter ", 10_000) + "x\n", "", quotedPrintable,
			"utf-8"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			want := tt.want
			if want == "" {
				want = tt.in
			}
			for _, html := range []bool{false, true} {
				m := plainMail()
				m.Text, m.HTML, m.HasHTML = tt.in, tt.in, html
				raw := compose(t, m)
				_, parts := standard(t, raw)
				for _, p := range parts {
					if got := strings.ReplaceAll(p.content, "\r\n", "\n"); got != want || p.charset != tt.charset {
						t.Errorf("%s %s: %.300q", p.media, p.charset, got)
					}
				}
				if !strings.Contains(raw, "\r\nContent-Transfer-Encoding: "+string(tt.encoding)+"\r\n") {
					t.Errorf("not in %s:\n%.500s", tt.encoding, raw)
				}
				if got := rfc822.Parse([]byte(raw), rfc822.Limits{}); got.Text != want || len(got.Defects) > 0 {
					t.Errorf("our reader: %.300q, %v", got.Text, got.Defects)
				}
			}
		})
	}
}

func TestQuoted(t *testing.T) {
	x := strings.Repeat
	for _, tt := range []struct{ name, in, want string }{
		{"plain", "a\n\nb\n", "a\r\n\r\nb\r\n"},
		{"escapes", "ä=\x01\n", "=C3=A4=3D=01\r\n"},
		{"blanks at the end", "a \nb\t\n  \n", "a=20\r\nb=09\r\n =20\r\n"},
		{"from and dots", "From me\n.\n..x\nFrom\n>From me\nFromage\n x.\n",
			"=46rom me\r\n=2E\r\n=2E.x\r\nFrom\r\n>From me\r\nFromage\r\n x.\r\n"},
		{"full line", x("x", 76) + "\n", x("x", 76) + "\r\n"},
		{"one more", x("x", 77) + "\n", x("x", 75) + "=\r\nxx\r\n"},
		{"blank at the very end", x("x", 75) + " \n", x("x", 75) + "=\r\n=20\r\n"},
		{"escape that just fits", x("x", 73) + "=\n", x("x", 73) + "=3D\r\n"},
		{"escape that does not", x("x", 74) + "=\n", x("x", 74) + "=\r\n=3D\r\n"},
		{"character that does not", x("x", 70) + "😀\n", x("x", 70) + "=\r\n=F0=9F=98=80\r\n"},
		{"dot after a soft break", x("x", 75) + ".y\n", x("x", 75) + "=\r\n=2Ey\r\n"},
		{"from after a soft break", x("x", 75) + "From y\n", x("x", 75) + "=\r\n=46rom y\r\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := string(appendQuoted(nil, tt.in)); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

// Attachments of every length around lines and chunks come back, and the size is known before.
func TestAttachmentBytes(t *testing.T) {
	rnd := rand.NewChaCha8([32]byte{1})
	for _, size := range []int{0, 1, 2, 3, 56, 57, 58, 113, 114, 115, streamChunk - 1, streamChunk, streamChunk + 1,
		3*streamChunk + 57, 200_000} {
		content := make([]byte, size)
		_, _ = rnd.Read(content)
		m := plainMail()
		m.Attachments = []Attachment{file("a.bin", "application/x-a", string(content)),
			file("b.bin", "text/csv", string(content))}
		raw := compose(t, m)
		_, parts := standard(t, raw)
		for _, p := range parts[1:] {
			if p.content != string(content) {
				t.Errorf("%d bytes: standard library reads %d", size, len(p.content))
			}
		}
		got := rfc822.Parse([]byte(raw), rfc822.Limits{})
		if len(got.Parts) != 2 || got.Parts[1].SHA256 != sha256.Sum256(content) || len(got.Defects) > 0 {
			t.Errorf("%d bytes: our reader has %+v, %v", size, got.Parts, got.Defects)
		}
	}
}

func TestFilename(t *testing.T) {
	for _, tt := range []struct{ name, in, want, written string }{
		{"plain", "a.pdf", "a.pdf", `filename="a.pdf"`},
		{"blanks", "a b (1).pdf", "a b (1).pdf", `filename="a b (1).pdf"`},
		{"none", "", "", "Content-Disposition: attachment\r\n"},
		{"quote", `a"b;c.pdf`, `a"b;c.pdf`, `filename*=utf-8''a%22b%3Bc.pdf`},
		{"percent", "100%41.pdf", "100%41.pdf", `filename*=utf-8''100%2541.pdf`},
		{"unicode", "Übersicht.pdf", "Übersicht.pdf", `filename*=utf-8''%C3%9Cbersicht.pdf`},
		{"looks encoded", "=?utf-8?q?x?=.pdf", "=?utf-8?q?x?=.pdf", `filename*=utf-8''%3D%3Futf-8`},
		{"long", strings.Repeat("n", 200) + ".pdf", strings.Repeat("n", 200) + ".pdf", "\r\n filename*0*=utf-8''nnn"},
		{"long unicode", strings.Repeat("😀", 60) + ".pdf", strings.Repeat("😀", 60) + ".pdf", "\r\n filename*12*="},
		{"too long", strings.Repeat("é", 200) + ".pdf", strings.Repeat("é", 125) + ".pdf", "filename*0*"},
		{"path", "../../etc/passwd", "passwd", `filename="passwd"`},
		{"windows path", `C:\x\a.pdf`, "a.pdf", `filename="a.pdf"`},
		{"dots", "..", "", "Content-Disposition: attachment\r\n"},
		{"injection", "a\r\nBcc: x@y.example\r\n.pdf", "aBcc: x@y.example.pdf", `filename="aBcc: x@y.example.pdf"`},
		{"controls", "\x00a\x7fb\u0085.pdf", "ab.pdf", `filename="ab.pdf"`},
		{"direction", "a\u202efdp.exe", "afdp.exe", `filename="afdp.exe"`},
		{"not utf-8", "a\xff.pdf", "a\uFFFD.pdf", `filename*=utf-8''a%EF%BF%BD.pdf`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := plainMail()
			m.Attachments = []Attachment{file(tt.in, "application/pdf", "x")}
			raw := compose(t, m)
			if !strings.Contains(raw, tt.written) {
				t.Errorf("no %q in\n%s", tt.written, raw)
			}
			if _, parts := standard(t, raw); parts[1].filename != tt.want {
				t.Errorf("standard library: %q", parts[1].filename)
			}
			if got := rfc822.Parse([]byte(raw), rfc822.Limits{}).Parts[0].Filename; got != tt.want {
				t.Errorf("our reader: %q", got)
			}
			for _, line := range strings.Split(raw, "\r\n") {
				if len(line) > 78 {
					t.Errorf("line of %d: %s", len(line), line)
				}
			}
		})
	}
}

// What has no type has that of its filename.
func TestTypeOfName(t *testing.T) {
	for name, want := range map[string]string{"a.csv": "text/csv", "A.PNG": "image/png", "x.tar.gz": "application/gzip",
		"setup.exe": octetStream, "png": octetStream, "": octetStream} {
		if got := typeOf(file(name, "", "x")); got.media != want {
			t.Errorf("%s: %s", name, got.media)
		}
	}
	if got := typeOf(file("a.csv", "nothing", "x")); got.media != octetStream {
		t.Errorf("a type that is none: %s", got.media)
	}
}

func TestContentType(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"plain", "image/png", "image/png"},
		{"upper case", "Image/PNG", "image/png"},
		{"charset", "text/csv; charset=ISO-8859-1", `text/csv; charset="ISO-8859-1"`},
		{"calendar", `text/calendar; method=REQUEST; charset="utf-8"`,
			`text/calendar; charset="utf-8"; method="REQUEST"`},
		{"name is ours", "text/csv; name=evil.exe; boundary=x", "text/csv"},
		{"none", "", octetStream},
		{"one word", "png", octetStream},
		{"blank in it", "image/p ng", octetStream},
		{"injection", "image/png\r\nBcc: x@y.example", octetStream},
		{"injection in a parameter", "text/plain; charset=\"x\r\nBcc: y\"", "text/plain"},
		{"broken parameter", "text/plain; charset", "text/plain"},
		{"long parameter", "text/plain; x=" + strings.Repeat("y", 100), "text/plain"},
		{"multipart", "multipart/mixed; boundary=x", octetStream},
		{"another message", "message/partial; id=x", octetStream},
		{"odd token", "'/..", octetStream},
		{"unicode", "image/ä", octetStream},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := plainMail()
			m.Attachments = []Attachment{file("", tt.in, "x")}
			if raw := compose(t, m); !strings.Contains(raw, "\r\nContent-Type: "+tt.want+
				"\r\nContent-Transfer-Encoding: base64\r\n") {
				t.Error(raw)
			}
		})
	}
}

func TestAttachedMessage(t *testing.T) {
	const head = "From: a@b.example\r\nSubject: x\r\n\r\n"
	for _, tt := range []struct {
		name, in string
		asIs     bool
	}{
		{"plain", head + "Hi\r\n", true},
		{"no line end", head + "Hi", true},
		{"several at the end", head + "Hi\r\n\r\n\r\n", true},
		{"longest line", head + strings.Repeat("x", 998) + "\r\n", true},
		{"empty", "", false},
		{"too long line", head + strings.Repeat("x", 999) + "\r\n", false},
		{"endless line", head + strings.Repeat("x", 10_000) + "\r\n", false},
		{"bare LF", "Subject: x\n\nHi\n", false},
		{"bare LF at the end", head + "x\r\ny\n", false},
		{"bare CR", head + "x\ry\r\n", false},
		{"CR at the end", head + "x\r", false},
		{"8-bit", head + "ü\r\n", false},
		{"nul", head + "\x00\r\n", false},
		{"boundary", head + "x --=_b.1--\r\n", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := plainMail()
			m.Attachments = []Attachment{file("m.eml", "message/rfc822", tt.in), file("z", "", "z")}
			raw := compose(t, m)
			_, parts := standard(t, raw)
			if len(parts) != 3 || parts[1].content != tt.in || parts[1].filename != "m.eml" ||
				(parts[1].media == nestedMessage) != tt.asIs {
				t.Errorf("%q", parts)
			}
			if got := rfc822.Parse([]byte(raw), rfc822.Limits{}).Parts; len(got) != 2 ||
				got[0].SHA256 != sha256.Sum256([]byte(tt.in)) {
				t.Errorf("our reader: %+v", got)
			}
		})
	}
}

// A large attachment is not held: what is allocated is the buffers.
func TestHoldsOneBuffer(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	const size = 64 << 20
	m := plainMail()
	m.Attachments = []Attachment{{Size: size, Open: func() (io.ReadCloser,
		error) {
		return io.NopCloser(io.LimitReader(zeros{}, size)), nil
	}}}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if n, err := m.WriteTo(io.Discard); err != nil || n < size {
		t.Fatal(n, err)
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 1<<20 {
		t.Errorf("%d bytes were allocated for an attachment of %d", used, size)
	}
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

// A document with nothing but references is read once.
func TestReferencesLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	for _, piece := range []string{"cid:", "cid:a ", ":", "cid:&amp;", "cid:%41"} {
		if ids := references(strings.Repeat(piece, (5<<20)/len(piece))); len(ids) > 3_000 {
			t.Errorf("%s: %d ids", piece, len(ids))
		}
	}
}
