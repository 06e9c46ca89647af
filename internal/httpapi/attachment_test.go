package httpapi

import (
	"errors"
	"io"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/download"
)

// serve answers a request with a download, as the handlers do.
func serve(t *testing.T, file io.ReadSeeker, d download.File, header ...string) (*httptest.ResponseRecorder, string) {
	t.Helper()
	api, log := newAPI(&fake{})
	w := httptest.NewRecorder()
	c := &call{Request: scenario{path: "/", header: header}.request(), out: newResponse(w), at: api.router.unmatched}
	if err := c.download(file, d); err != nil {
		api.fail(c, err)
	}
	return w, log.String()
}

func TestDownload(t *testing.T) {
	const etag = `"abc"`
	d := download.File{Type: "text/html; charset=utf-8", Name: "a.html", ETag: "abc", Modified: fakeTime}
	const noBytes = `{"error":"There are no such bytes.","code":"range_not_satisfiable"}`
	for _, tt := range []struct {
		name    string
		header  []string
		status  int
		body    string
		headers []string
	}{
		{"whole", nil, 200, "0123456789", []string{"Content-Type: text/html; charset=utf-8", "Content-Length: 10",
			"ETag: " + etag,
			"Accept-Ranges: bytes", `Content-Disposition: attachment; filename="a.html"`,
			"X-Content-Type-Options: nosniff",
			"Content-Security-Policy: default-src 'none'; sandbox", "Cache-Control: private, no-cache"}},
		{"first", []string{"Range: bytes=0-3"}, 206, "0123", []string{"Content-Range: bytes 0-3/10",
			"Content-Length: 4"}},
		{"middle", []string{"Range: bytes=4-5"}, 206, "45", []string{"Content-Range: bytes 4-5/10", "ETag: " + etag}},
		{"rest", []string{"Range: bytes=7-"}, 206, "789", []string{"Content-Range: bytes 7-9/10"}},
		{"last", []string{"Range: bytes=-2"}, 206, "89", []string{"Content-Range: bytes 8-9/10"}},
		{"beyond the end", []string{"Range: bytes=8-100"}, 206, "89", []string{"Content-Range: bytes 8-9/10"}},
		{"more than there is", []string{"Range: bytes=-100"}, 206, "0123456789", nil},
		{"after the end", []string{"Range: bytes=10-"}, 416, noBytes, []string{"Content-Range: bytes */10",
			"Content-Type: application/json", "Content-Disposition"}},
		{"backwards", []string{"Range: bytes=5-2"}, 416, noBytes, nil},
		{"no range", []string{"Range: bytes=x"}, 416, noBytes, nil},
		{"other units are the whole", []string{"Range: lines=1-2"}, 200, "0123456789", nil},
		{"several are the whole", []string{"Range: bytes=0-1,3-4"}, 200, "0123456789", []string{"Content-Length: 10"}},
		{"many are the whole", []string{"Range: bytes=" + strings.Repeat("0-0,", 5000) + "1-1"}, 200, "0123456789",
			nil},
		{"known", []string{"If-None-Match: " + etag}, 304, "", []string{"ETag: " + etag, "Content-Type"}},
		{"known among others", []string{`If-None-Match: "x", W/` + etag}, 304, "", nil},
		{"unknown", []string{`If-None-Match: "x"`}, 200, "0123456789", nil},
		{"range of the same", []string{"Range: bytes=0-1", "If-Range: " + etag}, 206, "01", nil},
		{"range of another", []string{"Range: bytes=0-1", `If-Range: "x"`}, 200, "0123456789", nil},
		{"range of a weak tag", []string{"Range: bytes=0-1", "If-Range: W/" + etag}, 200, "0123456789", nil},
		{"unchanged", []string{"If-Modified-Since: Thu, 05 Mar 2026 00:00:00 GMT"}, 304, "", nil},
		{"precondition", []string{`If-Match: "x"`}, 412,
			`{"error":"The file is another one by now.","code":"precondition_failed"}`, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w, log := serve(t, strings.NewReader("0123456789"), d, tt.header...)
			if w.Code != tt.status || w.Body.String() != tt.body || log != "" {
				t.Errorf("%d %s; log %s", w.Code, w.Body, log)
			}
			for _, line := range tt.headers {
				name, want, _ := strings.Cut(line, ": ")
				if got := w.Header().Get(name); got != want {
					t.Errorf("header %s is %q, want %q", name, got, want)
				}
			}
		})
	}
}

// broken is a file that cannot be read to its end, or at all.
type broken struct {
	io.ReadSeeker
	seek error
}

func (b broken) Read(p []byte) (int, error) {
	n, err := b.ReadSeeker.Read(p)
	if err == io.EOF {
		err = errors.New("disk gone")
	}
	return n, err
}

func (b broken) Seek(offset int64, whence int) (int64, error) {
	if b.seek != nil {
		return 0, b.seek
	}
	return b.ReadSeeker.Seek(offset, whence)
}

// A file that cannot be read to its end is logged once, and no error gets into the file.
func TestBrokenFile(t *testing.T) {
	half := io.NewSectionReader(strings.NewReader("01234"), 0, 10)
	w, log := serve(t, broken{half, nil}, download.File{Type: "text/plain"})
	if strings.Count(log, "disk gone") != 1 || w.Body.String() != "01234" {
		t.Errorf("%d %s; log %s", w.Code, w.Body, log)
	}
	w, log = serve(t, broken{half, errors.New("disk gone")}, download.File{Type: "text/plain"})
	if strings.Count(log, "disk gone") != 1 || w.Code != 500 || !strings.Contains(w.Body.String(),
		`"code":"internal"`) {
		t.Errorf("%d %s; log %s", w.Code, w.Body, log)
	}
	if w.Header().Get("Content-Disposition") != "" {
		t.Error("the error is a file")
	}
}

func TestRawEmail(t *testing.T) {
	svc := fake{content: []byte("Subject: x\r\n\r\ny")}
	path := "/v1/email/raw?id=" + fakeID.String()
	runAll(t, []scenario{
		{name: "whole", path: path, svc: svc, status: 200, exact: "Subject: x\r\n\r\ny",
			headers: []string{"Content-Type: message/rfc822",
				`ETag: "` + fakeID.String() + `"`, `Content-Disposition: attachment; filename="` + fakeID.String() +
					`.eml"`, "X-Content-Type-Options: nosniff"}},
		{name: "part", path: path, svc: svc, header: []string{"Range: bytes=0-6"}, status: 206, exact: "Subject"},
		{name: "known", path: path, svc: svc, header: []string{`If-None-Match: "` + fakeID.String() + `"`},
			status: 304},
	})
}
