package compose

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

func BenchmarkCompose(b *testing.B) {
	text := func(line string, size int) string { return strings.Repeat(line, size/len(line)) }
	ascii, accents := "A line of a text that people write, with some words in it and no more.\n",
		"Eine Zeile, wie Menschen sie schreiben, mit Wörtern für größere Übungen.\n"
	content := make([]byte, 1<<20)
	big := Attachment{Filename: "a.bin", Size: int64(len(content)), Open: func() (io.ReadCloser,
		error) {
		return io.NopCloser(bytes.NewReader(content)), nil
	}}
	for _, c := range []struct {
		name, text string
		files      []Attachment
	}{
		{"ascii 4KB", text(ascii, 4096), nil},
		{"quoted-printable 4KB", text(accents, 4096), nil},
		{"base64 4KB", text("山田太郎\n", 4096), nil},
		{"quoted-printable 1MB", text(accents, 1<<20), nil},
		{"attachment 1MB", text(ascii, 1000), []Attachment{big}},
	} {
		b.Run(c.name, func(b *testing.B) {
			m := plainMail()
			m.Subject = "Zähler für Öl und noch ein paar Wörter"
			m.Text, m.Attachments = c.text, c.files
			size, err := m.Size()
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				if n, err := m.WriteTo(io.Discard); err != nil || n != size {
					b.Fatal(n, err)
				}
			}
		})
	}
}

func BenchmarkParseAddress(b *testing.B) {
	for _, s := range []string{"jo@example.com", `"Doe, Jo" <jo@exämple.com>`} {
		b.Run(s, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := ParseAddress(s); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
