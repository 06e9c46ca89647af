package compose

import (
	"bytes"
	"encoding/base64"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

var noon = time.Date(2026, 11, 3, 12, 0, 0, 0, time.FixedZone("", 3600))

// plainMail is a small message that tests change.
func plainMail() Mail {
	return Mail{
		From: Address{"Agent", "agent@example.net"}, To: []Address{{"", "jo@example.com"}}, Subject: "Hello",
		Text: "Hi.\n", HasText: true, MessageID: "1@example.net", Date: noon, Boundary: "b",
	}
}

func file(name, media, content string) Attachment {
	return Attachment{Filename: name, ContentType: media, Size: int64(len(content)),
		Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(content)), nil }}
}

// compose returns the bytes and checks what holds for all: both ways of reading, the size, and the lines.
func compose(t testing.TB, m Mail) string {
	t.Helper()
	raw, err := io.ReadAll(m.Reader())
	if err != nil {
		t.Fatal(err)
	}
	var second bytes.Buffer
	n, err := m.WriteTo(&second)
	if err != nil || n != int64(len(raw)) || !bytes.Equal(raw, second.Bytes()) {
		t.Fatalf("WriteTo gives %d bytes and %v, Reader %d; same bytes: %t", n, err, len(raw),
			bytes.Equal(raw, second.Bytes()))
	}
	if size, err := m.Size(); err != nil || size != n {
		t.Fatalf("Size is %d and %v for %d bytes", size, err, n)
	}
	whole := string(raw)
	if m.OpenEnd && !strings.HasSuffix(whole, "\r\n") {
		whole += "\r\n"
	}
	checkLines(t, whole, m.NeedsUTF8())
	return string(raw)
}

// checkLines holds for the bytes of every message.
func checkLines(t testing.TB, raw string, utf8Header bool) {
	t.Helper()
	if !strings.HasSuffix(raw, "\r\n") {
		t.Errorf("the message does not end with a line end: %.200q", raw[max(0, len(raw)-200):])
	}
	head := true
	for _, line := range strings.Split(raw, "\r\n") {
		if len(line) > maxLine || strings.ContainsAny(line, "\r\n\x00") {
			t.Errorf("line of %d bytes, or with a bare CR, LF or NUL: %.100q", len(line), line)
		}
		if head = head && line != ""; !isASCII(line) && (!head || !utf8Header) || !utf8.ValidString(line) {
			t.Errorf("bytes beyond ASCII: %.100q", line)
		}
	}
}

// leaf is a part as the standard library reads it.
type leaf struct {
	path, media, charset, disposition, filename, id string
	content                                         string
}

// standard reads a message with the standard library alone.
func standard(t testing.TB, raw string) (mail.Header, []leaf) {
	t.Helper()
	msg, err := mail.ReadMessage(strings.NewReader(raw))
	if err != nil {
		t.Fatalf("net/mail: %v\n%s", err, raw)
	}
	return msg.Header, leaves(t, "", mail.Header.Get, msg.Header, msg.Body)
}

func leaves[H any](t testing.TB, path string, get func(H, string) string, h H, r io.Reader) []leaf {
	t.Helper()
	media, params, err := mime.ParseMediaType(get(h, "Content-Type"))
	if err != nil {
		t.Fatalf("content type %q: %v", get(h, "Content-Type"), err)
	}
	if strings.HasPrefix(media, "multipart/") {
		var out []leaf
		parts := multipart.NewReader(r, params["boundary"])
		for {
			part, err := parts.NextRawPart()
			if err == io.EOF {
				return out
			}
			if err != nil {
				t.Fatalf("%s: %v", media, err)
			}
			out = append(out, leaves(t, path+strings.TrimPrefix(media, "multipart/")+"/",
				func(p *multipart.Part, name string) string { return p.Header.Get(name) }, part, part)...)
		}
	}
	switch get(h, "Content-Transfer-Encoding") {
	case "base64":
		r = base64.NewDecoder(base64.StdEncoding, r)
	case "quoted-printable":
		r = quotedprintable.NewReader(r)
	case "7bit":
	default:
		t.Fatalf("transfer encoding %q", get(h, "Content-Transfer-Encoding"))
	}
	content, err := io.ReadAll(r)
	if err != nil {
		t.Fatalf("content of %s: %v", media, err)
	}
	l := leaf{path: path, media: media, charset: params["charset"], content: string(content), id: get(h, "Content-Id")}
	if d := get(h, "Content-Disposition"); d != "" {
		var dp map[string]string
		if l.disposition, dp, err = mime.ParseMediaType(d); err != nil {
			t.Fatalf("disposition %q: %v", d, err)
		}
		if l.filename = dp["filename"]; l.filename != params["name"] {
			t.Errorf("filename %q, name %q", l.filename, params["name"])
		}
	}
	return []leaf{l}
}
