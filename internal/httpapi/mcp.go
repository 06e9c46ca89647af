package httpapi

import (
	"bytes"
	"io"
	"net/http"
	"time"
)

// mcpPath is where the tools for models are. What speaks there is not ours: it is given requests whose key was checked
// and whose body is there, and its answers go through the same writer as all others.
const mcpPath = "/mcp"

// forMCP tells whether a request is one for the tools.
func (a *API) forMCP(path string) bool { return a.mcp != nil && path == mcpPath }

// serveMCP hands a request to the tools: after the key (401) and the pause (403), the method (405) and the body (413,
// 415).
func (a *API) serveMCP(c *call) error {
	err := a.meter(c)
	if err != nil {
		return err
	}
	if c.in.Caller, err = a.caller(c); err != nil {
		return err
	}
	if c.Method != http.MethodPost {
		c.out.Header().Set("Allow", "OPTIONS, POST")
		return &refusal{http.StatusMethodNotAllowed, "method_not_allowed", "This address takes messages of the Model " +
			"Context Protocol by POST; there are no streams and no sessions."}
	}
	if c.ContentLength > objectLimit {
		return c.tooLarge(objectLimit)
	}
	if err := checkType(c.Header, object); err != nil {
		return err
	}
	c.body = &body{from: http.MaxBytesReader(c.out.ResponseWriter, c.Body, objectLimit), out: c.out, limit: objectLimit,
		until: time.Now().Add(bodyTime)}
	var buf bytes.Buffer // its bytes outlive this function's frames where a call goes on after its client has gone
	if err := c.read(&buf); err != nil {
		return err
	}
	_ = c.out.control.SetReadDeadline(time.Time{}) // as in drain: a client that waits says nothing
	c.Request.Body = io.NopCloser(&buf)
	c.out.Header()["Cache-Control"] = noStore
	out := &heldResponse{response: c.out, call: c}
	a.mcp.ServeHTTP(out, c.Request)
	return out.err
}

// heldResponse is a response to somebody who has a whole answer in memory when it is written.
type heldResponse struct {
	*response
	call *call
	err  error // there is no room for the answer
}

func (w *heldResponse) WriteHeader(status int) {
	if w.err == nil {
		w.response.WriteHeader(status)
	}
}

func (w *heldResponse) Write(p []byte) (int, error) {
	if w.err == nil {
		w.err = w.call.hold(cap(p))
	}
	if w.err != nil {
		return 0, w.err
	}
	return w.response.Write(p)
}
