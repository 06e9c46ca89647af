package download_test

import (
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/download"
	"github.com/mailkin/mailkin/internal/mailbox"
)

func TestAttachmentTypes(t *testing.T) {
	for _, tt := range []struct{ contentType, charset, want string }{
		{"image/png", "", "image/png"},
		{"text/plain", "iso-8859-1", "text/plain; charset=iso-8859-1"},
		{"TEXT/Plain; charset=utf-8", "", "text/plain; charset=utf-8"},
		{"", "", "application/octet-stream"},
		{"nonsense", "", "application/octet-stream"},
		{"text/html\r\nX-Evil: 1", "", "application/octet-stream"},
		{"text/plain", "a\r\nb: c", "text/plain; charset*=utf-8''a%0D%0Ab%3A%20c"},
	} {
		got := download.MediaType(mailbox.Part{ContentType: tt.contentType, Charset: tt.charset})
		if got != tt.want {
			t.Errorf("%q %q: got %q, want %q", tt.contentType, tt.charset, got, tt.want)
		}
	}
}

func TestDisposition(t *testing.T) {
	for _, tt := range []struct{ name, want string }{
		{"report.pdf", `filename="report.pdf"`},
		{"my report (1).pdf", `filename="my report (1).pdf"`},
		{`say "hi".txt`, `filename="say _hi_.txt"; filename*=UTF-8''say%20%22hi%22.txt`},
		{"50%.txt", `filename="50_.txt"; filename*=UTF-8''50%25.txt`},
		{"žluť.txt", `filename="_lu_.txt"; filename*=UTF-8''%C5%BElu%C5%A5.txt`},
		{"日本.txt", `filename="__.txt"; filename*=UTF-8''%E6%97%A5%E6%9C%AC.txt`},
		{"a\r\nSet-Cookie: x=y", `filename="aSet-Cookie: x=y"`},
		{"a\x00b\x7fc\u0085d", `filename="abcd"`},
		{"../../etc/passwd", `filename=".._.._etc_passwd"`},
		{`C:\x\y.txt`, `filename="C:_x_y.txt"`},
		{"gpj.\u202eexe", `filename="gpj.exe"`},
		{"a\xffb", `filename="a_b"`},
		{"", `filename="attachment"`},
		{"..", `filename="attachment"`},
		{"\r\n", `filename="attachment"`},
		{strings.Repeat("ž", 200), `filename="` + strings.Repeat("_", 100) + `"; filename*=UTF-8''` +
			strings.Repeat("%C5%BE", 100)},
		{"a;b='c'.txt", `filename="a;b='c'.txt"`},
		{"ž'*().txt", `filename="_'*().txt"; filename*=UTF-8''%C5%BE%27%2A%28%29.txt`},
	} {
		if got := download.Disposition(tt.name); got != "attachment; "+tt.want {
			t.Errorf("%q: got %s", tt.name, got)
		}
	}
}
