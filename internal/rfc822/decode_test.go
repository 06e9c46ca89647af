package rfc822

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"math/rand/v2"
	"mime/quotedprintable"
	"strings"
	"testing"
	"testing/iotest"
)

func decodeAll(t *testing.T, e Encoding, in string) string {
	t.Helper()
	whole, err := io.ReadAll(Part{Encoding: e}.Decode(strings.NewReader(in)))
	if err != nil {
		t.Fatal(err)
	}
	bytewise, err := io.ReadAll(Part{Encoding: e}.Decode(iotest.OneByteReader(strings.NewReader(in))))
	if err != nil || !bytes.Equal(whole, bytewise) {
		t.Errorf("%q gives %q as a whole and %q byte by byte (%v)", in, whole, bytewise, err)
	}
	return string(whole)
}

func TestDecode(t *testing.T) {
	for _, c := range []struct {
		name     string
		e        Encoding
		in, want string
	}{
		{"identity", Identity, "a\r\nb", "a\r\nb"},
		{"base64", Base64, "SGVs\r\nbG8=\r\n", "Hello"},
		{"base64 without padding", Base64, "SGVsbG8", "Hello"},
		{"base64 with garbage", Base64, "SG!Vs\x00 b-G8=", "Hello"},
		{"base64 in odd lines", Base64, "S\nGV\nsbG\n8=", "Hello"},
		{"base64 in pieces", Base64, "SGVsbG8=\nIHRoZXJl\n", "Hello there"},
		{"base64 and a footer", Base64, "SGVsbG8=\n\n_______\nMailing list\n", "Hello"},
		{"base64 and words on the line", Base64, "SGVsbG8= ignored\n", "Hello"},
		{"base64 padding first", Base64, "=SGVsbG8=", "Hello"},
		{"base64 single letter", Base64, "SGVsbG8hA", "Hello!"},
		{"quoted-printable", QuotedPrintable, "=C3=A9=\r\n x=3D\r\n", "é x=\r\n"},
		{"quoted-printable lower case", QuotedPrintable, "=c3=a9", "é"},
		{"quoted-printable bare =", QuotedPrintable, "a=b = c=", "a=b = c"},
		{"quoted-printable soft break with blanks", QuotedPrintable, "a= \t\nb", "ab"},
		{"quoted-printable soft break at the end", QuotedPrintable, "a=\r\n", "a"},
		{"quoted-printable blanks at the end of a line", QuotedPrintable, "a \t\r\nb ", "a\r\nb"},
		{"quoted-printable half escape", QuotedPrintable, "a=4", "a=4"},
		{"quoted-printable 8-bit", QuotedPrintable, "\xe9=E9", "\xe9\xe9"},
		{"quoted-printable CR", QuotedPrintable, "a=\rb\rc", "ab\rc"},
		{"uuencode", UUEncode, "begin 644 x\n#0V%T\n`\nend\n", "Cat"},
		{"uuencode with blanks lost", UUEncode, "begin 644 x\n#0V%T\n\nend\n", "Cat"},
		{"uuencode words around", UUEncode, "hello\nbegin 644 x\n#0V%T\nend\nbye\n", "Cat"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := decodeAll(t, c.e, c.in); got != c.want {
				t.Errorf("%q gives %q, want %q", c.in, got, c.want)
			}
		})
	}
}

// TestDecodeAsEncoded decodes what the standard library encodes.
func TestDecodeAsEncoded(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		plain := make([]byte, rnd.IntN(500))
		for i := range plain {
			plain[i] = byte(rnd.Uint32())
		}
		enc := base64.StdEncoding.EncodeToString(plain)
		var wrapped strings.Builder
		for width := 1 + rnd.IntN(90); len(enc) > 0; {
			n := min(width, len(enc))
			wrapped.WriteString(enc[:n] + "\r\n")
			enc = enc[n:]
		}
		if got := decodeAll(t, Base64, wrapped.String()); got != string(plain) {
			t.Fatalf("base64 of %x", plain)
		}
		var qp bytes.Buffer
		w := quotedprintable.NewWriter(&qp)
		w.Binary = true
		_, _ = w.Write(plain)
		_ = w.Close()
		if got := decodeAll(t, QuotedPrintable, qp.String()); got != string(plain) {
			t.Fatalf("quoted-printable of %x", plain)
		}
	}
}

func TestDecodeReportsReadErrors(t *testing.T) {
	broken := errors.New("disk")
	for _, p := range []Part{{Encoding: Base64}, {Encoding: Base64, Inner: &Window{Offset: 2, Length: 9,
		Encoding: QuotedPrintable}}} {
		_, err := io.ReadAll(p.Decode(io.MultiReader(strings.NewReader("SGVsbG8="), iotest.ErrReader(broken))))
		if !errors.Is(err, broken) {
			t.Errorf("error %v", err)
		}
	}
}
