package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"sync"

	"github.com/mailkin/mailkin/client"
)

// answerLimit is the most bytes of an answer that a tool reads.
const answerLimit = 16 << 20

// local carries a client's requests to the interface in the same process, in the name of the client that sent the
// request that they are made for: with its key, and from its address.
type local struct {
	api  http.Handler
	from *http.Request
}

// passedOn are the headers that say who asks: with a key, or as the console with a session.
var passedOn = []string{"Authorization", "Cookie", "X-Mailkin-Console", "Origin", "Sec-Fetch-Site", "X-Forwarded-For",
	"X-Forwarded-Proto"}

// RoundTrip implements http.RoundTripper. The handler runs until its answer is closed, and not longer.
func (l local) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(req.Context())
	in := l.request(ctx, req)
	r, w := io.Pipe()
	a := &answer{header: http.Header{}, begun: make(chan struct{}), to: w, left: answerLimit}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		a.serve(l.api, in)
	}()
	closeAll := sync.OnceFunc(func() {
		cancel()
		_ = r.Close()
		<-ended
	})
	select {
	case <-a.begun:
	case <-ctx.Done():
	}
	switch err := ctx.Err(); {
	case err != nil: // also where the handler has said something because of that
		closeAll()
		return nil, err
	case a.status == 0:
		closeAll()
		return nil, errAborted
	}
	return a.response(req, &localBody{r, closeAll}), nil
}

// request is a request as the interface gets it from a listener.
func (l local) request(ctx context.Context, req *http.Request) *http.Request {
	in := req.Clone(ctx)
	in.RequestURI, in.Host, in.RemoteAddr, in.TLS = req.URL.RequestURI(), l.from.Host, l.from.RemoteAddr, l.from.TLS
	for _, name := range passedOn {
		in.Header.Del(name)
		if values := l.from.Header.Values(name); len(values) > 0 {
			in.Header[name] = values
		}
	}
	if in.Body == nil {
		in.Body = http.NoBody
	}
	return in
}

// errAborted is that the interface broke off.
var errAborted = errors.New("the request was broken off")

// localBody is the body of an answer.
type localBody struct {
	*io.PipeReader
	end func()
}

// Close ends the request that is answered, and waits for it.
func (r *localBody) Close() error {
	r.end()
	return nil
}

// answer is an answer as a handler writes it.
type answer struct {
	header http.Header
	status int // 0: the handler has said nothing
	sent   http.Header
	once   sync.Once
	begun  chan struct{}
	to     *io.PipeWriter
	left   int64
}

// serve runs the handler to its end.
func (a *answer) serve(api http.Handler, in *http.Request) {
	err := errAborted
	defer func() {
		if p := recover(); p == nil {
			err = nil
			a.WriteHeader(http.StatusOK)
		} // it has been logged, or it is http.ErrAbortHandler
		a.once.Do(func() { close(a.begun) })
		_ = in.Body.Close()
		_ = a.to.CloseWithError(err) // nil is the end of the answer
	}()
	api.ServeHTTP(a, in)
}

// Header implements http.ResponseWriter.
func (a *answer) Header() http.Header { return a.header }

// WriteHeader implements http.ResponseWriter.
func (a *answer) WriteHeader(status int) {
	if status < http.StatusOK {
		return // it goes on
	}
	a.once.Do(func() {
		a.status, a.sent = status, a.header.Clone()
		close(a.begun)
	})
}

// Write implements http.ResponseWriter.
func (a *answer) Write(p []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	if a.left -= int64(len(p)); a.left < 0 {
		err := fmt.Errorf("an answer of more than %d bytes: %w", answerLimit, client.ErrTooLarge)
		_ = a.to.CloseWithError(err)
		return 0, err
	}
	return a.to.Write(p)
}

func (a *answer) response(req *http.Request, body io.ReadCloser) *http.Response {
	length, err := strconv.ParseInt(a.sent.Get("Content-Length"), 10, 64)
	if err != nil {
		length = -1
	}
	return &http.Response{
		StatusCode: a.status, Status: http.StatusText(a.status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: a.sent, Body: body, ContentLength: length, Request: req,
	}
}
