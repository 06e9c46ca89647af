package httpapi

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"strings"
)

// bodyKind is what a route takes as a body.
type bodyKind uint8

const (
	noBody         bodyKind = iota // what is sent is ignored
	object                         // a JSON object
	optionalObject                 // a JSON object or nothing
	message                        // a raw message
)

// objectLimit is the most that a JSON body may have (API 1).
const objectLimit = 1_000_000

func (k bodyKind) accepts(mediaType string) bool {
	if k == message {
		return mediaType == "message/rfc822" || mediaType == "application/octet-stream"
	}
	return mediaType == "application/json"
}

func (k bodyKind) String() string {
	if k == message {
		return "message/rfc822 or application/octet-stream"
	}
	return "application/json"
}

// readBody checks the body of a request, reads it if it is JSON, and leaves it to the handler if it is a message.
func (a *API) readBody(c *call) error {
	kind, limit := c.at.body, int64(objectLimit)
	if kind == message {
		limit = a.wire
	}
	switch {
	case c.ContentLength > limit:
		return c.tooLarge(limit)
	case kind == noBody || kind == optionalObject && c.ContentLength == 0:
		return nil
	case c.ContentLength == 0:
		return badBody("The request has no body; send %v.", kind)
	}
	if err := checkType(c.Header, kind); err != nil {
		return err
	}
	c.body = &body{from: http.MaxBytesReader(c.out.ResponseWriter, c.Body, limit), out: c.out, limit: limit}
	if kind == message {
		return nil
	}
	return a.readFields(c)
}

// tooLarge refuses a body without reading on; the connection cannot be used again after that.
func (c *call) tooLarge(limit int64) error {
	c.out.Header().Set("Connection", "close")
	return &refusal{http.StatusRequestEntityTooLarge, "body_too_large", fmt.Sprintf("The body is too large: at most %d bytes are taken here.", limit)}
}

func badBody(format string, args ...any) error {
	return &refusal{http.StatusBadRequest, "invalid_body", fmt.Sprintf(format, args...)}
}

func checkType(h http.Header, kind bodyKind) error {
	mediaType, _, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil && !errors.Is(err, mime.ErrInvalidMediaParameter) || !kind.accepts(mediaType) {
		return &refusal{http.StatusUnsupportedMediaType, "unsupported_media_type", fmt.Sprintf("The Content-Type of the body must be %v.", kind)}
	}
	if coding := h.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return &refusal{http.StatusUnsupportedMediaType, "unsupported_media_type", "The body must be sent without a Content-Encoding."}
	}
	return nil
}

// body reads a request's body, gives up on a client that stands still, and remembers why reading ended.
type body struct {
	from  io.Reader
	out   *response
	limit int64
	err   error // other than the end
}

func (b *body) Read(p []byte) (int, error) {
	b.out.awaitBody()
	n, err := b.from.Read(p)
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
