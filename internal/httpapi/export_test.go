package httpapi

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

const mboxHead = "From ada@sender.test Wed Mar  4 05:06:07 2026\nX-Mailkin-Id: 019cb7d1-0000-7000-8000-000000000000\n" +
	"X-Mailkin-Cursor: place\nX-Mailkin-Labels: code, work\nStatus: RO\n"

func TestExport(t *testing.T) {
	content := "Subject: x\r\n\r\nFrom me.\r\n>From you.\r\nNo\rend"
	for _, tt := range []scenario{
		{name: "mbox", path: "/v1/export?format=mbox", status: 200, exact: mboxHead +
			"Subject: x\n\n>From me.\n>>From you.\nNo\rend\n\n"},
		{name: "no format", path: "/v1/export", status: 400, contains: []string{`"code":"invalid_format"`}},
		{name: "a strange format", path: "/v1/export?format=tar", status: 400, contains: []string{`"code":"invalid_format"`}},
		{name: "no number", path: "/v1/export?format=zip&max_bytes=0", status: 400,
			contains: []string{`"code":"invalid_max_bytes"`}},
		{name: "head", method: "HEAD", path: "/v1/export?format=zip", status: 200},
	} {
		tt.svc.content = []byte(content)
		t.Run(tt.name, tt.run)
	}
	f := &fake{content: []byte(content)}
	resp := exported(t, f, "/v1/export?format=zip&after=place&max_bytes=7")
	if got := resp.Header.Get("Content-Disposition"); got != `attachment; filename="`+ownAddress+`.zip"` {
		t.Errorf("the name is %s", got)
	}
	if f.asked != (service.ExportQuery{After: "place", Bytes: 7, Messages: zipMessages}) {
		t.Errorf("asked %+v", f.asked)
	}
	files := unzip(t, exportBody(t, resp))
	if got := files["mail/"+fakeID.String()+".eml"]; got != content || len(files) != 2 {
		t.Errorf("%d files, %q", len(files), got)
	}
	first, rest, _ := strings.Cut(files["index.jsonl"], "\n")
	var line api.Exported
	if err := json.Unmarshal([]byte(first), &line); err != nil {
		t.Fatal(err)
	}
	if line.ID != fakeID.String() || line.File != "mail/"+line.ID+".eml" || line.Cursor != "place" ||
		line.SizeBytes != int64(len(content)) || line.Labels[1] != "work" {
		t.Errorf("the line is %+v", line)
	}
	if rest != `{"next":"place"}`+"\n" {
		t.Errorf("then %q", rest)
	}
}

func exported(t *testing.T, f *fake, path string) *http.Response {
	t.Helper()
	s := scenario{path: path, key: keyMailbox}
	plain.svc = f
	w := httptest.NewRecorder()
	plain.Handler().ServeHTTP(w, s.request())
	return w.Result()
}

func exportBody(t *testing.T, resp *http.Response) []byte {
	t.Helper()
	raw, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%d %s, %v", resp.StatusCode, raw, err)
	}
	return raw
}

func unzip(t *testing.T, raw []byte) map[string]string {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range r.File {
		file, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(file) // which compares the sum
		if err != nil {
			t.Fatal(f.Name, err)
		}
		files[f.Name] = string(content)
	}
	return files
}

// A message that is deleted while it is exported is said to be so, or is not there; any other error breaks the answer
// off.
func TestExportInterrupted(t *testing.T) {
	deleted := mailbox.Errorf(mailbox.NotFound, "not_found", "Email not found")
	f := &fake{content: []byte("Subject: x\r\n\r\nhal"), broken: deleted}
	got := string(exportBody(t, exported(t, f, "/v1/export?format=mbox")))
	if want := mboxHead + "Subject: x\n\nhal\n\n[This message was deleted while it was exported.]\n\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	files := unzip(t, exportBody(t, exported(t, f, "/v1/export?format=zip")))
	if len(files) != 1 || !strings.Contains(files["index.jsonl"], fakeID.String()) {
		t.Errorf("the zip has %q", files)
	}
	f.broken = errors.New("the disk is broken")
	for _, format := range []string{"mbox", "zip"} {
		func() {
			defer func() {
				if got := recover(); got != http.ErrAbortHandler {
					t.Errorf("%s: the answer ends with %v", format, got)
				}
			}()
			exported(t, f, "/v1/export?format="+format)
		}()
	}
}

// Lines are quoted wherever the pieces end in which they are read.
func TestMboxLines(t *testing.T) {
	long := strings.Repeat("x", 40)
	for _, tt := range []struct{ in, want string }{
		{"", ""},
		{"a", "a\n"},
		{"a\r\nb\nc\r\n", "a\nb\nc\n"},
		{"\r\n\r\n", "\n\n"},
		{"From x\r\n>From y\r\n>>>From z\r\n>Fromage\r\n", ">From x\n>>From y\n>>>>From z\n>Fromage\n"},
		{long + "From x\r\nFrom y", long + "From x\n>From y\n"},
		{strings.Repeat("x", 15) + "\r\nFrom x\r\n", strings.Repeat("x", 15) + "\n>From x\n"},
		{strings.Repeat("x", 16) + "\r\nFrom x\r\n", strings.Repeat("x", 16) + "\n>From x\n"},
		{strings.Repeat("x", 15) + "\ry\r", strings.Repeat("x", 15) + "\ry\r\n"},
	} {
		for _, read := range []func(io.Reader) io.Reader{func(r io.Reader) io.Reader { return r }, iotest.OneByteReader,
			iotest.DataErrReader} {
			var got bytes.Buffer
			out := bufio.NewWriter(&got)
			if err := quoteMbox(out, bufio.NewReaderSize(read(strings.NewReader(tt.in)), 16)); err != nil {
				t.Fatal(err)
			}
			if _ = out.Flush(); got.String() != tt.want {
				t.Errorf("%q becomes %q, want %q", tt.in, got.String(), tt.want)
			}
		}
	}
}

// A zip of more files than its plain form counts, and one of more bytes, are read by others.
func TestLargeZip(t *testing.T) {
	var raw bytes.Buffer
	out := bufio.NewWriter(&raw)
	z, err := newZipWriter(out)
	if err != nil {
		t.Fatal(err)
	}
	const files = math.MaxUint16 + 10
	at := time.Date(2026, 3, 4, 5, 6, 8, 0, time.UTC)
	for i := range files {
		id := mailbox.NewID(at.Add(time.Duration(i) * time.Millisecond))
		err := z.add(zipRecord{id: id}, at, func(w io.Writer) error { _, err := fmt.Fprint(w, i); return err })
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(z.close(), out.Flush()); err != nil {
		t.Fatal(err)
	}
	r, err := zip.NewReader(bytes.NewReader(raw.Bytes()), int64(raw.Len()))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.File) != files || !r.File[0].Modified.UTC().Equal(at) {
		t.Errorf("%d files, the first of %v", len(r.File), r.File[0].Modified)
	}
	last, err := r.File[files-1].Open()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(last); err != nil || string(got) != fmt.Sprint(files-1) {
		t.Errorf("the last file has %q, %v", got, err)
	}
}

// Beyond four gigabytes the offsets are in the longer form.
func TestZipBeyondFourGigabytes(t *testing.T) {
	const hole = 5 << 30
	var raw bytes.Buffer
	out := bufio.NewWriter(&raw)
	z, err := newZipWriter(out)
	if err != nil {
		t.Fatal(err)
	}
	z.at = hole // as if so much had been written
	far := func(w io.Writer) error { _, err := io.WriteString(w, "far"); return err }
	err = z.add(zipRecord{id: fakeID}, fakeTime, far)
	if err := errors.Join(err, z.close(), out.Flush()); err != nil {
		t.Fatal(err)
	}
	r, err := zip.NewReader(holed{raw.Bytes(), hole}, hole+int64(raw.Len()))
	if err != nil {
		t.Fatal(err)
	}
	file, err := r.File[0].Open()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(file); err != nil || string(got) != "far" {
		t.Errorf("the file has %q, %v", got, err)
	}
}

// holed has nothing but zeros before its bytes.
type holed struct {
	bytes []byte
	hole  int64
}

func (h holed) ReadAt(p []byte, off int64) (int, error) {
	n := 0
	for ; n < len(p) && off < h.hole; n, off = n+1, off+1 {
		p[n] = 0
	}
	if n == len(p) {
		return n, nil
	}
	m, err := bytes.NewReader(h.bytes).ReadAt(p[n:], off-h.hole)
	return n + m, err
}
