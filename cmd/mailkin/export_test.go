package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// exports is a service with five messages that breaks off when it has written some bytes, for a while.
type exports struct {
	breaks int // how often it still does
	after  int // bytes
	asked  []string
}

func (e *exports) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/v1/export" {
		_, _ = io.WriteString(w, `{"storage_bytes":100}`)
		return
	}
	after := r.FormValue("after")
	e.asked = append(e.asked, after)
	begin := 0
	if after != "" {
		if _, err := fmt.Sscanf(after, "c%d", &begin); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"error":"This is not the cursor of this mailbox.","code":"invalid_after"}`)
			return
		}
	}
	all := exportedMbox(begin, 5)
	if r.FormValue("format") == "zip" {
		all = exportedZip(begin, min(begin+2, 5))
	}
	if e.breaks > 0 {
		e.breaks--
		_, _ = w.Write(all[:min(len(all)-1, e.after)])
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
	_, _ = w.Write(all)
}

// exportedMbox is the messages after a number, up to another.
func exportedMbox(begin, end int) []byte {
	var b bytes.Buffer
	for i := begin + 1; i <= end; i++ {
		fmt.Fprintf(&b, "From a@b Wed Mar  4 05:06:07 2026\nX-Mailkin-Cursor: c%d\nSubject: %d\n\n>From me: %s\n"+
			"X-Mailkin-Cursor: no\n\n", i, i, strings.Repeat("x", 300))
	}
	return b.Bytes()
}

func exportedZip(begin, end int) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	index, _ := z.Create(indexName)
	for i := begin + 1; i <= end; i++ {
		fmt.Fprintf(index, `{"file":"mail/%d.eml","cursor":"c%d","id":"%d"}`+"\n", i, i, i)
	}
	if end < 5 {
		fmt.Fprintf(index, `{"next":"c%d"}`+"\n", end)
	}
	for i := begin + 1; i <= end; i++ {
		f, _ := z.Create(fmt.Sprintf("mail/%d.eml", i))
		fmt.Fprintf(f, "message %d", i)
	}
	_ = z.Close() // into memory
	return b.Bytes()
}

// An export goes on after the last whole message, in the same run or in the next, and what is there in the end is the
// same as without any interruption.
func TestExportGoesOn(t *testing.T) {
	for _, breaks := range []int{0, 1, 2, exportTries + 1} {
		for _, after := range []int{0, 1, 100, 450, 800, 1 << 20} {
			t.Run(fmt.Sprint(breaks, " times after ", after), func(t *testing.T) {
				t.Parallel()
				srv := &exports{breaks: breaks, after: after}
				run := answering(t, srv.ServeHTTP)
				file := filepath.Join(t.TempDir(), "all.mbox")
				got := run(nil, "export", file)
				if got.status != exitOK && breaks > exportTries {
					if strings.Contains(got.stderr, "goes on from there") != (after >= 450) {
						t.Errorf("it says %s", got.stderr)
					}
					got = run(nil, "export", file)
				}
				if got.status != exitOK {
					t.Fatalf("%+v, asked %q", got, srv.asked)
				}
				if raw, err := os.ReadFile(file); err != nil || !bytes.Equal(raw, exportedMbox(0, 5)) {
					t.Errorf("asked %q, got %v\n%s", srv.asked, err, raw)
				}
			})
		}
	}
}

func TestExportZipGoesOn(t *testing.T) {
	srv := &exports{breaks: 2, after: 30}
	run := answering(t, srv.ServeHTTP)
	file := filepath.Join(t.TempDir(), "all.zip")
	got := run(nil, "export", file, "--json")
	if got.status != exitOK || !strings.Contains(got.stdout, `"messages":5`) {
		t.Fatalf("%+v", got)
	}
	if asked := strings.Join(srv.asked, " "); asked != "   c2 c4" {
		t.Errorf("asked %q", asked)
	}
	z, err := zip.OpenReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	var names []string
	for _, f := range z.File {
		names = append(names, f.Name)
	}
	if got := strings.Join(names, " "); got != "index.jsonl mail/1.eml mail/2.eml mail/3.eml mail/4.eml mail/5.eml" {
		t.Errorf("the zip has %s", got)
	}
	if n, next, err := readIndex(file, nil); n != 5 || next != "" || err != nil {
		t.Errorf("the index has %d lines, %q, %v", n, next, err)
	}
}

// What is left of another mailbox is not mixed with this one.
func TestExportOfAnother(t *testing.T) {
	srv := &exports{}
	run := answering(t, srv.ServeHTTP)
	file := filepath.Join(t.TempDir(), "all.mbox")
	left := strings.ReplaceAll(string(exportedMbox(0, 5)), "Cursor: c", "Cursor: other")
	if err := os.WriteFile(file+".part", []byte(left), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := run(nil, "export", file); got.status != exitFailed || !strings.Contains(got.stderr, "another mailbox") {
		t.Errorf("%+v", got)
	}
}
