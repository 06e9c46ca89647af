package client

import (
	"errors"
	"net/http"
	"testing"
)

func TestPartsThatAreNone(t *testing.T) {
	for name, answer := range map[string]func(*http.Request) (*http.Response, error){
		"the whole":  says(200, "0123456789"),
		"no range":   says(206, "789"),
		"some range": says(206, "789", "Content-Range: bytes */10"),
	} {
		c, _ := scripted(t, answer)
		if d, err := c.Raw(t.Context(), "1", Range{Offset: 7}); !errors.Is(err, ErrNotMail) {
			t.Errorf("%s: %+v, %v", name, d, err)
		}
	}
	c, _ := scripted(t, says(206, "789", "Content-Range: bytes 7-9/*"))
	if d, err := c.Raw(t.Context(), "1", Range{Offset: 7}); err != nil || d.Offset != 7 || d.Size != -1 ||
		d.Length != 3 {
		t.Errorf("%+v, %v", d, err)
	}
}

func TestFilename(t *testing.T) {
	for header, want := range map[string]string{
		`attachment; filename="a.txt"`:                         "a.txt",
		`attachment; filename="x"; filename*=UTF-8''caf%C3%A9`: "café",
		`attachment; filename="../../etc/passwd"`:              ".._.._etc_passwd",
		`attachment; filename="..\\a:b"`:                       `.._a_b`,
		`attachment; filename*=UTF-8''a%0d%0ab%2Fc`:            "ab_c",
		`attachment; filename=".."`:                            "attachment",
		`attachment`:                                           "",
		``:                                                     "",
	} {
		if name := filename(http.Header{"Content-Disposition": {header}}); name != want {
			t.Errorf("%s: %q", header, name)
		}
	}
}
