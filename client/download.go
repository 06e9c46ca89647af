package client

import (
	"context"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// Range is a part of a file.
type Range struct {
	Offset int64 // where it begins; below 0: this many bytes before the end
	Length int64 // 0: up to the end
}

func (r Range) isWhole() bool { return r.Offset == 0 && r.Length <= 0 }

func (r Range) header() http.Header {
	var value string
	switch {
	case r.isWhole():
		return nil
	case r.Offset < 0:
		value = strconv.FormatInt(r.Offset, 10)
	case r.Length <= 0:
		value = fmt.Sprintf("%d-", r.Offset)
	default:
		value = fmt.Sprintf("%d-%d", r.Offset, r.Offset+r.Length-1)
	}
	return http.Header{"Range": {"bytes=" + value}}
}

// Download is a file that is being downloaded. It must be closed. A file that ends early is an error of Read, never a
// short file.
type Download struct {
	io.ReadCloser
	Name   string // safe to save a file under: without folders
	Type   string // as the sender gave it: not to be believed
	Size   int64  // of the whole file; -1: not known
	Offset int64  // where what is read begins
	Length int64  // of what is read; -1: not known
	ETag   string // changes with the content
}

// Attachment downloads an attachment, or a part of it, by the id of an entry in Email.Attachments.
func (c *Client) Attachment(ctx context.Context, id string, part Range) (*Download, error) {
	return c.download(ctx, "/v1/attachment", id, part)
}

// Raw downloads a message as it came, to the byte, or a part of it.
func (c *Client) Raw(ctx context.Context, id string, part Range) (*Download, error) {
	return c.download(ctx, "/v1/email/raw", id, part)
}

// ExportOptions are what is exported of a mailbox, and how.
type ExportOptions struct {
	Format   string // "mbox" or "zip"
	After    string // the cursor of the last message that is there already
	MaxBytes int64  // of the messages; 0: all of them
}

// Export downloads all messages of the mailbox, or those after one of them. An mbox has the cursor of each message in
// the field X-Mailkin-Cursor, a zip in its file index.jsonl, whose lines are api.Exported.
func (c *Client) Export(ctx context.Context, o ExportOptions) (*Download, error) {
	v := values{"format": {o.Format}}
	v.text("after", o.After)
	if o.MaxBytes > 0 {
		v.text("max_bytes", strconv.FormatInt(o.MaxBytes, 10))
	}
	return c.stream(ctx, get("/v1/export", url.Values(v)))
}

func (c *Client) download(ctx context.Context, path, id string, part Range) (*Download, error) {
	r := get(path, url.Values{"id": {id}})
	r.header = part.header()
	d, err := c.stream(ctx, r)
	if err != nil {
		return nil, err
	}
	if part.Offset != 0 && d.Offset == 0 && (part.Offset > 0 || d.Size > -part.Offset) {
		_ = d.Close()
		return nil, r.failed(fmt.Errorf("the whole file came where a part was asked for: %w", ErrNotMail))
	}
	return d, nil
}

// Page gets one of the service's documents for people, programs or models: /openapi.json, /llms.txt, /skill.md, /docs,
// /metrics (as operator).
func (c *Client) Page(ctx context.Context, path string) (*Download, error) {
	r := get((&url.URL{Path: "/" + strings.TrimLeft(path, "/")}).EscapedPath(), nil)
	r.open = true
	return c.stream(ctx, r)
}

// stream makes a call whose answer is a file.
func (c *Client) stream(ctx context.Context, r call) (*Download, error) {
	resp, err := c.send(ctx, r)
	if err != nil {
		return nil, err
	}
	d := &Download{
		ReadCloser: resp.Body, Name: filename(resp.Header), Type: resp.Header.Get("Content-Type"),
		Size: resp.ContentLength, Length: resp.ContentLength, ETag: resp.Header.Get("ETag"),
	}
	if resp.StatusCode == http.StatusPartialContent {
		if d.Offset, d.Size, err = contentRange(resp.Header.Get("Content-Range")); err != nil {
			_ = d.Close()
			return nil, r.failed(err)
		}
	}
	return d, nil
}

// contentRange reads where a part begins and how large the whole is.
func contentRange(s string) (offset, size int64, err error) {
	part, whole, _ := strings.Cut(strings.TrimPrefix(s, "bytes "), "/")
	first, _, _ := strings.Cut(part, "-")
	offset, err = strconv.ParseInt(first, 10, 64)
	if err != nil || offset < 0 {
		return 0, 0, fmt.Errorf("the header Content-Range is %q: %w", s, ErrNotMail)
	}
	if size, err = strconv.ParseInt(whole, 10, 64); err != nil || size < offset {
		size = -1
	}
	return offset, size, nil
}

// filename is the name that a header gives a file. What could make it a path is taken out once more: the service is not
// asked whether it did.
func filename(h http.Header) string {
	_, params, err := mime.ParseMediaType(h.Get("Content-Disposition"))
	if err != nil {
		return ""
	}
	name := strings.Map(func(r rune) rune {
		switch {
		case r == '/' || r == '\\' || r == ':':
			return '_'
		case r < ' ' || r == 0x7f:
			return -1
		}
		return r
	}, params["filename"])
	if strings.Trim(name, ". ") == "" && name != "" {
		return "attachment"
	}
	return name
}
