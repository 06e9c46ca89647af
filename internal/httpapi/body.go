package httpapi

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"strings"
	"time"
)

// bodyKind is what a route takes as a body.
type bodyKind uint8

const (
	noBody bodyKind = iota // what is sent is ignored
	// the same, but it is read first: only then does the server notice a client that hangs up
	drained
	object         // a JSON object
	optionalObject // a JSON object or nothing
	message        // a raw message, which the handler reads
	draft          // a JSON object of a message to send, which the handler reads
	attached       // a JSON object of an attachment, or a form of files, which the handler reads
	signed         // JSON whose bytes are signed, which the handler reads
	form           // of a page
)

const (
	objectLimit = 1_000_000 // the most bytes that a JSON body may have (API 1)
	formLimit   = 16_000    // the same for a form
)

func (k bodyKind) accepts(mediaType string) bool {
	switch k {
	case message:
		return mediaType == "message/rfc822" || mediaType == "application/octet-stream"
	case attached:
		return mediaType == "application/json" || mediaType == "multipart/form-data"
	case form:
		return mediaType == "application/x-www-form-urlencoded"
	}
	return mediaType == "application/json"
}

func (k bodyKind) String() string {
	switch k {
	case message:
		return "message/rfc822 or application/octet-stream"
	case attached:
		return "application/json or multipart/form-data"
	case form:
		return "application/x-www-form-urlencoded"
	}
	return "application/json"
}

// limit is the most bytes that such a body may have.
func (a *API) limit(k bodyKind) int64 {
	switch k {
	case message, draft, attached:
		return a.limits.WireBytes
	case form:
		return formLimit
	}
	return objectLimit
}

// large tells whether such a body may take as long as it moves: largeTime, and a second more for each largeRate bytes.
func (k bodyKind) large() bool { return k == message || k == draft || k == attached }

// readBody checks the body of a request, and reads it unless that is left to the handler.
func (a *API) readBody(c *call) error {
	kind, limit := c.at.body, a.limit(c.at.body)
	switch {
	case c.ContentLength > limit:
		return c.tooLarge(limit)
	case kind == noBody:
		c.drainUnread()
		return nil
	case (kind == optionalObject || kind == drained) && c.ContentLength == 0:
		return nil
	case c.ContentLength == 0:
		return badBody("The request has no body; send %v.", kind)
	case kind == optionalObject && c.ContentLength < 0 && c.Header.Get("Content-Type") == "":
		// A body of unknown length may be none; if it is not, its type is missing.
		if n, _ := io.ReadFull(c.Body, make([]byte, 1)); n == 0 {
			return nil
		}
		return checkType(c.Header, kind)
	case kind != drained:
		if err := checkType(c.Header, kind); err != nil {
			return err
		}
	}
	c.body = &body{from: http.MaxBytesReader(c.out.ResponseWriter, c.Body, limit), out: c.out, limit: limit}
	if kind.large() {
		c.body.until, c.body.moves = time.Now().Add(largeTime), true
	} else {
		c.body.until = time.Now().Add(bodyTime)
	}
	switch kind {
	case drained:
		return c.drain()
	case message, draft, attached, signed:
		return nil
	case form:
		return a.readForm(c)
	}
	return a.readFields(c)
}

// drain reads a body that nobody needs. After it there is no limit on how long the client may say nothing.
func (c *call) drain() error {
	_, _ = io.Copy(io.Discard, c.body) // the body remembers
	if err := c.failure(); err != nil {
		return err
	}
	_ = c.out.control.SetReadDeadline(time.Time{}) // as in response.awaitBody
	return nil
}

// unreadMost is how much of a body that nobody needs is read so that its connection can be used again.
const unreadMost = 256 << 10

// drainUnread reads what is left of a body that nobody needs, before the answer is written. net/http would do it there,
// where a stop of the server cannot tell it from a request that is being answered. If the rest does not come the
// connection is closed after the answer.
func (c *call) drainUnread() {
	h := c.out.Header()
	if c.ContentLength == 0 || c.ProtoMajor > 1 || c.Header.Get("Expect") != "" || h.Get("Connection") == "close" {
		return
	}
	if c.ContentLength <= unreadMost {
		rest := &body{from: io.LimitReader(c.Body, unreadMost+1), out: c.out, until: time.Now().Add(bodyTime)}
		if n, err := io.Copy(io.Discard, rest); err == nil && n <= unreadMost {
			_ = c.out.control.SetReadDeadline(time.Time{}) // as in drain
			return
		}
	}
	h.Set("Connection", "close")
	_ = c.out.control.SetReadDeadline(longPast) // net/http would read on
}

// read reads a body whole into a buffer.
func (c *call) read(buf *bytes.Buffer) error {
	_, err := buf.ReadFrom(c.body)
	if failed := c.failure(); failed != nil {
		return failed
	}
	return err
}

// readForm reads the fields of a page's form.
func (a *API) readForm(c *call) error {
	buf := a.buffer()
	defer a.release(buf)
	if err := c.read(buf); err != nil {
		return err
	}
	fields, err := parseParams(buf.String())
	if err != nil {
		return badBody("The form is not well encoded.")
	}
	c.form = fields
	return nil
}

// tooLarge refuses a body without reading on; the connection cannot be used again after that.
func (c *call) tooLarge(limit int64) error {
	c.out.Header().Set("Connection", "close")
	return &refusal{http.StatusRequestEntityTooLarge, "body_too_large",
		fmt.Sprintf("The body is too large: at most %d bytes are taken here.", limit)}
}

func badBody(format string, args ...any) error {
	return &refusal{http.StatusBadRequest, "invalid_body", fmt.Sprintf(format, args...)}
}

func checkType(h http.Header, kind bodyKind) error {
	mediaType, _, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil && !errors.Is(err, mime.ErrInvalidMediaParameter) || !kind.accepts(mediaType) {
		return &refusal{http.StatusUnsupportedMediaType, "unsupported_media_type",
			fmt.Sprintf("The Content-Type of the body must be %v.", kind)}
	}
	if coding := h.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return &refusal{http.StatusUnsupportedMediaType, "unsupported_media_type", "The body must be sent without a " +
			"Content-Encoding."}
	}
	return nil
}

// body reads a request's body, gives up on a client that stands still, and remembers why reading ended.
type body struct {
	from  io.Reader
	out   *response
	limit int64
	until time.Time // when it must be there
	moves bool      // until is put off by what comes
	err   error     // other than the end
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.out.awaitBody(b.until, func() (int, error) { return b.from.Read(p) })
	if b.moves {
		b.until = b.until.Add(time.Duration(n) * time.Second / largeRate)
	}
	if err != nil && err != io.EOF {
		b.err = err
	}
	return n, err
}

// failure is what to tell a caller whose body could not be read to its end; nil if it could.
func (c *call) failure() error {
	var large *http.MaxBytesError
	switch err := c.body.err; {
	case err == nil:
		return nil
	case errors.As(err, &large):
		return c.tooLarge(c.body.limit)
	case errors.Is(err, os.ErrDeadlineExceeded):
		c.out.Header().Set("Connection", "close")
		return &refusal{http.StatusRequestTimeout, "request_timeout", "The body did not come in time."}
	}
	return badBody("The body ended early.")
}
