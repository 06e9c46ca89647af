// Package download hands out files that came from strangers over HTTP: a browser that is led to one must neither guess
// its type nor run it.
package download

import (
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// File is what is said of the bytes.
type File struct {
	Type     string // its media type
	Name     string
	ETag     string
	Modified time.Time
}

// Serve answers with a file, whole or in part. Where it writes nothing, it returns the status of the answer that is
// due, or why the file cannot be read.
func Serve(w http.ResponseWriter, r *http.Request, bytes io.ReadSeeker, f File) (refused int, err error) {
	h := w.Header()
	h.Set("Content-Type", f.Type)
	h.Set("Content-Disposition", Disposition(f.Name))
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Cache-Control", "private, no-cache")
	h.Set("ETag", `"`+f.ETag+`"`)
	if v := r.Header.Get("Range"); !strings.HasPrefix(v, "bytes=") || strings.Contains(v, ",") {
		// Other units mean nothing here, and many ranges are many seeks in something that is decoded from its
		// beginning: the whole is sent instead (RFC 9110 14.2).
		r.Header.Del("Range")
	}
	from, to := &source{ReadSeeker: bytes}, &sink{ResponseWriter: w}
	http.ServeContent(to, r, "", f.Modified, from)
	if from.err != nil || to.refused != 0 {
		h.Del("Content-Disposition")
	}
	return to.refused, from.err
}

// MediaType is the type that the sender gave an attachment, if it is one.
func MediaType(p mailbox.Part) string {
	name, params, err := mime.ParseMediaType(p.ContentType)
	if err != nil || !strings.Contains(name, "/") {
		return "application/octet-stream"
	}
	if p.Charset != "" && params["charset"] == "" {
		params["charset"] = p.Charset
	}
	if full := mime.FormatMediaType(name, params); full != "" {
		return full
	}
	return name
}

// source remembers why reading ended early.
type source struct {
	io.ReadSeeker
	err error
}

func (s *source) Read(p []byte) (int, error) {
	n, err := s.ReadSeeker.Read(p)
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}

func (s *source) Seek(offset int64, whence int) (int64, error) {
	n, err := s.ReadSeeker.Seek(offset, whence)
	if err != nil {
		s.err = err
	}
	return n, err
}

// sink keeps http.ServeContent from writing errors of its own: ours are JSON.
type sink struct {
	http.ResponseWriter
	refused int
}

func (s *sink) WriteHeader(status int) {
	if status >= http.StatusBadRequest {
		s.refused = status
		return
	}
	s.ResponseWriter.WriteHeader(status)
}

func (s *sink) Write(p []byte) (int, error) {
	if s.refused != 0 {
		return len(p), nil
	}
	return s.ResponseWriter.Write(p)
}
