package httpapi

import (
	"context"
	"encoding/hex"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/wire"
)

// originals holds the verbs that give bytes as they came.
type originals interface {
	Raw(ctx context.Context, in service.Access, id mailbox.ID) (*service.Raw, error)
	Attachment(ctx context.Context, in service.Access, id mailbox.ID) (*service.Attachment, error)
}

func (a *API) attachment(c *call) error {
	id, err := c.params.id("Attachment")
	if err != nil {
		return err
	}
	file, err := a.svc.Attachment(c.Context(), c.in, id)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }() // only read from
	return c.download(file, download{
		contentType: mediaType(file.Part),
		filename:    wire.Filename(file.Part),
		etag:        hex.EncodeToString(file.Part.SHA256[:]),
		modified:    file.ReceivedAt,
	})
}

// rawEmail returns a message's bytes exactly as they came.
func (a *API) rawEmail(c *call) error {
	id, err := c.params.id("Email")
	if err != nil {
		return err
	}
	raw, err := a.svc.Raw(c.Context(), c.in, id)
	if err != nil {
		return err
	}
	defer func() { _ = raw.Close() }() // only read from
	return c.download(raw, download{
		contentType: "message/rfc822",
		filename:    raw.ID.String() + ".eml",
		etag:        raw.ID.String(), // the bytes of an id never change
		modified:    raw.ReceivedAt,
	})
}

// mediaType is the type that the sender gave an attachment, if it is one.
func mediaType(p mailbox.Part) string {
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

// download is how bytes that came from strangers are handed out.
type download struct {
	contentType string
	filename    string
	etag        string
	modified    time.Time
}

// download hands out bytes, whole or in part. They came from a stranger: a browser that is led here must neither guess
// their type nor run them.
func (c *call) download(file io.ReadSeeker, d download) error {
	h := c.out.Header()
	h.Set("Content-Type", d.contentType)
	h.Set("Content-Disposition", disposition(d.filename))
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Cache-Control", "private, no-cache")
	h.Set("ETag", `"`+d.etag+`"`)
	if r := c.Header.Get("Range"); !strings.HasPrefix(r, "bytes=") || strings.Contains(r, ",") {
		// Other units mean nothing here, and many ranges are many seeks in something that is decoded from its
		// beginning: the whole is sent instead (RFC 9110 14.2).
		c.Header.Del("Range")
	}
	if err := c.hold(streamBytes); err != nil {
		return err
	}
	from, to := &source{ReadSeeker: file}, &sink{response: c.out}
	http.ServeContent(to, c.Request, "", d.modified, from)
	if from.err == nil && to.refused == 0 {
		return nil
	}
	h.Del("Content-Disposition")
	switch {
	case from.err != nil:
		return from.err
	case to.refused == http.StatusPreconditionFailed:
		return &refusal{to.refused, "precondition_failed", "The file is another one by now."}
	}
	return &refusal{to.refused, "range_not_satisfiable", "There are no such bytes."}
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
	*response
	refused int
}

func (s *sink) WriteHeader(status int) {
	if status >= http.StatusBadRequest {
		s.refused = status
		return
	}
	s.response.WriteHeader(status)
}

func (s *sink) Write(p []byte) (int, error) {
	if s.refused != 0 {
		return len(p), nil
	}
	return s.response.Write(p)
}
