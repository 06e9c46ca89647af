package httpapi

import (
	"bytes"
	"cmp"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strconv"

	"github.com/mailkin/mailkin/api"
)

// What cannot be read as a request never comes to a handler: net/http answers it by itself, in plain text, and closes
// the connection. All errors of the interface are JSON, so these answers are put into its form on their way out.

// JSONErrors wraps the listener of a server without TLS. Secure is for one with it.
func JSONErrors(l net.Listener) net.Listener { return unparsedListener{l} }

type unparsedListener struct{ net.Listener }

func (l unparsedListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &unparsedConn{c}, nil
}

// unparsedConn rewrites the answers that net/http makes. It writes each of them in one piece.
type unparsedConn struct{ net.Conn }

func (c *unparsedConn) Write(p []byte) (int, error) {
	answer, ok := unparsed(p)
	if !ok {
		return c.Conn.Write(p)
	}
	if _, err := c.Conn.Write(answer); err != nil {
		return 0, err
	}
	return len(p), nil
}

// NetConn is the connection below, as a *tls.Conn has it.
func (c *unparsedConn) NetConn() net.Conn {
	if secure, ok := c.Conn.(*tls.Conn); ok {
		return secure.NetConn()
	}
	return c.Conn
}

// CloseWrite lets the client read the answer before the connection is closed.
func (c *unparsedConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// plainHeaders are the headers of such an answer. Those of a handler always have a Date.
const (
	plainHeaders = "\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n"
	plainMost    = 512 // bytes that one has
)

// unparsed returns such an answer in the form of the interface.
func unparsed(p []byte) ([]byte, bool) {
	const line = "HTTP/1.1 "
	if len(p) > plainMost || len(p) < len(line)+3 || string(p[:len(line)]) != line {
		return nil, false
	}
	head, _, ok := bytes.Cut(p, []byte(plainHeaders))
	status, err := strconv.Atoi(string(p[len(line) : len(line)+3]))
	if status == http.StatusExpectationFailed { // no handler answers that; it has a Date and no body
		ok, head = bytes.HasSuffix(p, []byte("\r\n\r\n")), nil
	}
	if !ok || err != nil || bytes.Contains(head, []byte("\r\n")) {
		return nil, false
	}
	return unparsedAnswer(status, "")
}

// unparsedAnswer is an answer that closes the connection; text is in place of what is usual for the status.
func unparsedAnswer(status int, text string) ([]byte, bool) {
	id := newRequestID()
	e := unparsedError(status, id)
	e.Error = cmp.Or(text, e.Error)
	body, err := json.Marshal(e)
	if err != nil {
		return nil, false
	}
	return fmt.Appendf(nil, "HTTP/1.1 %d %s\r\nContent-Type: application/json\r\nCache-Control: "+
		"no-store\r\nX-Request-Id: %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s",
		status, http.StatusText(status), id, len(body), body), true
}

func unparsedError(status int, id string) api.Error {
	e := api.Error{Error: "This is not a well-formed HTTP request: look at its path, its Host and its other headers.",
		Code: "bad_request", RequestID: id}
	switch status {
	case http.StatusRequestHeaderFieldsTooLarge:
		e = api.Error{Error: "The headers of the request are too large.", Code: "request_headers_too_large",
			RequestID: id}
	case http.StatusExpectationFailed:
		e = api.Error{Error: "The header Expect may only be 100-continue.", Code: "unsupported_expectation",
			RequestID: id}
	case http.StatusNotImplemented:
		e = api.Error{Error: "Of transfer encodings only chunked is known.", Code: "unsupported_transfer_encoding",
			RequestID: id}
	case http.StatusHTTPVersionNotSupported:
		e = api.Error{Error: "This version of HTTP is not spoken here.", Code: "unsupported_version", RequestID: id}
	}
	return e
}
