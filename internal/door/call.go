package door

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/download"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/wire"
)

// Call is one request on its way through a door.
type Call struct {
	*http.Request
	W      http.ResponseWriter
	Origin Origin
	Route  *Route         // nil: there is none
	In     service.Access // to the mailbox that the route names, or the key's own; zero where the route is open

	door   *Door
	who    mailbox.Caller
	values map[string]string
}

// Value is what the path has for a {name}; empty for the empty name.
func (c *Call) Value(name string) string { return c.values[name] }

// Enter asks for leave to do what the route is for to another mailbox than the one it had; an empty address is the
// key's own.
func (c *Call) Enter(address string) error {
	return c.EnterFor(c.Route.Need, address)
}

// EnterFor is Enter for something else than what the route is for.
func (c *Call) EnterFor(need mailbox.Capability, address string) error {
	in, err := c.door.Gate.Enter(c.Context(), c.who, service.Act{Need: need,
		Verb: c.Route.Method + " " + c.door.Prefix + c.Route.Path, Mailbox: address, Client: c.Origin.Client,
		Request: c.Origin.RequestID, Peek: c.Method == http.MethodHead})
	if err == nil {
		c.In = in
	}
	return err
}

// Who is the caller; zero where the route is open.
func (c *Call) Who() *mailbox.Caller { return &c.who }

// URL of a path under the door's prefix, for a client that has no key.
func (c *Call) Address(path string) string { return c.Origin.Base + c.door.Prefix + path }

// JSON answers with a value.
func (c *Call) JSON(status int, v any) error {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("encode an answer: %w", err)
	}
	return c.Bytes(status, "application/json", buf.Bytes())
}

// Text answers with plain text.
func (c *Call) Text(status int, text string) error {
	return c.Bytes(status, "text/plain; charset=utf-8", []byte(text))
}

// Bytes answers with bytes of a type. Answers hold mail and keys: nobody in between keeps them.
func (c *Call) Bytes(status int, mediaType string, b []byte) error {
	if err := c.Origin.Hold(len(b)); err != nil {
		return err
	}
	h := c.W.Header()
	h.Set("Content-Type", mediaType)
	h.Set("Content-Length", strconv.Itoa(len(b)))
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	c.W.WriteHeader(status)
	if c.Method != http.MethodHead {
		_, _ = c.W.Write(b) // a client that has gone needs no answer
	}
	return nil
}

// streamBytes is what an answer holds that is written as it is read.
const streamBytes = 128 << 10

// File answers with a file, and closes it.
func (c *Call) File(d service.Download) error {
	defer func() { _ = d.Bytes().Close() }() // only read from
	if err := c.Origin.Hold(streamBytes); err != nil {
		return err
	}
	f := download.File{Type: "message/rfc822"}
	if a := d.Draft; a != nil {
		part := mailbox.Part{Filename: a.File.Filename, ContentType: a.File.ContentType, Size: a.File.Size}
		f = download.File{Type: download.MediaType(part), Name: wire.Filename(part), ETag: a.ID.String(),
			Modified: a.UpdatedAt}
	} else if a := d.Attachment; a != nil {
		f = download.File{Type: download.MediaType(a.Part), Name: wire.Filename(a.Part),
			ETag: hex.EncodeToString(a.Part.SHA256[:]), Modified: a.ReceivedAt}
	} else {
		f.Name, f.ETag, f.Modified = d.Raw.ID.String()+".eml", d.Raw.ID.String(), d.Raw.ReceivedAt
	}
	refused, err := download.Serve(c.W, c.Request, d.Bytes(), f)
	if err != nil || refused == 0 {
		return err
	}
	return Refuse(refused, "invalid_range", "The file has no such bytes, or it is another one.")
}

// ObjectLimit is the most bytes of a JSON body without attachments.
const ObjectLimit = 1_000_000

// Read reads a JSON body of at most that many bytes. An empty one leaves the value as it is.
func (c *Call) Read(into any, limit int64) error {
	b, err := c.Body(limit)
	if err != nil {
		return err
	}
	return Decode(b, into)
}

// Decode reads JSON. An empty text leaves the value as it is.
func Decode(b []byte, into any) error {
	if len(bytes.TrimSpace(b)) == 0 {
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(b))
	err := dec.Decode(into)
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrong):
		refused := Refuse(http.StatusBadRequest, "invalid_type", "%s must not be %s.", named(wrong.Field), wrong.Value)
		refused.Field = wrong.Field
		return refused
	case err != nil:
		return Refuse(http.StatusBadRequest, "invalid_json", "The body is not JSON.")
	}
	if _, err := dec.Token(); err != io.EOF {
		return Refuse(http.StatusBadRequest, "invalid_json", "There is more in the body than one JSON value.")
	}
	return nil
}

func named(field string) string {
	if field == "" {
		return "The body"
	}
	return field
}

// Body reads a body of at most that many bytes.
func (c *Call) Body(limit int64) ([]byte, error) {
	if c.Request.ContentLength > limit {
		return nil, tooLarge(limit)
	}
	var buf bytes.Buffer
	n, err := buf.ReadFrom(io.LimitReader(c.Request.Body, limit+1))
	switch {
	case err != nil:
		return nil, c.Origin.BodyFailure(err)
	case n > limit:
		return nil, tooLarge(limit)
	}
	return buf.Bytes(), nil
}

func tooLarge(limit int64) error {
	return Refuse(http.StatusRequestEntityTooLarge, "body_too_large", "The body is too large: at most %d bytes are "+
		"taken here.", limit)
}

// Message is what an error says to people; nothing internal.
func Message(err error) string {
	var refused *Refusal
	var known *mailbox.Error
	switch {
	case errors.As(err, &refused):
		return refused.Message
	case Status(err) != http.StatusInternalServerError && errors.As(err, &known) && known.Message != "":
		return known.Message
	}
	return http.StatusText(Status(err))
}

// Code is the error's name in this service, for a door's table from ours to theirs.
func Code(err error) string {
	var refused *Refusal
	var known *mailbox.Error
	switch {
	case errors.As(err, &refused):
		return refused.Code
	case errors.As(err, &known):
		return known.Code
	}
	return ""
}

// RetryAfter writes when to come back, where an error says it.
func (c *Call) RetryAfter(err error) {
	var known *mailbox.Error
	if errors.As(err, &known) && known.RetryAfter > 0 {
		seconds := int((known.RetryAfter + time.Second - 1) / time.Second)
		c.W.Header().Set("Retry-After", strconv.Itoa(seconds))
	}
}

// statuses are those of errors that have no other one at a door.
var statuses = map[mailbox.Kind]int{
	mailbox.Invalid:         http.StatusBadRequest,
	mailbox.Unauthorized:    http.StatusUnauthorized,
	mailbox.Forbidden:       http.StatusForbidden,
	mailbox.Denied:          http.StatusForbidden,
	mailbox.Paused:          http.StatusForbidden,
	mailbox.NotFound:        http.StatusNotFound,
	mailbox.Conflict:        http.StatusConflict,
	mailbox.TooLarge:        http.StatusRequestEntityTooLarge,
	mailbox.Limited:         http.StatusTooManyRequests,
	mailbox.Unimplemented:   http.StatusNotImplemented,
	mailbox.Unavailable:     http.StatusServiceUnavailable,
	mailbox.DiskFull:        http.StatusServiceUnavailable,
	mailbox.QuotaFull:       http.StatusInsufficientStorage,
	mailbox.NoRoom:          http.StatusConflict,
	mailbox.NoSuchRecipient: http.StatusNotFound,
	mailbox.TooManyHops:     http.StatusBadRequest,
	mailbox.Lapsed:          http.StatusForbidden,
	mailbox.KeyLost:         http.StatusServiceUnavailable,
}

// Table is a door's routes as a table in Markdown.
func Table(d *Door) string {
	var b strings.Builder
	b.WriteString("| route | here | |\n|---|---|---|\n")
	for _, r := range d.Routes {
		fmt.Fprintf(&b, "| `%s %s` | %s | %s |\n", r.Method, r.Path, r.Support, r.Note)
	}
	return b.String()
}
