package blob

import (
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/blob/s3test"
)

// calm are times for tests: patience that a busy machine does not exhaust, and short pauses.
var calm = times{tries: 3, patience: time.Minute, longest: 5 * time.Minute, pause: time.Millisecond}

// proxy stands between a bucket and its server, notes the requests, and lets some fail.
type proxy struct {
	forward *httputil.ReverseProxy

	mu       sync.Mutex
	rule     func(request string) fault // nil: nothing fails
	requests []string
}

// fault is what happens to a request.
type fault int

const (
	none    fault = iota
	busy          // 503, and the server never hears of it
	refused       // 403
	unknown       // 501
	lost          // the server does it, and the answer is lost
	cut           // the answer ends after 100,000 bytes
)

// startProxy returns a bucket behind a proxy. Requests read like "PUT 45/12345/abc", "PUT tmp?partNumber", "GET list".
func startProxy(t *testing.T, server *s3test.Server) (*Bucket, *proxy) {
	t.Helper()
	target, err := url.Parse(server.Endpoint())
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{forward: &httputil.ReverseProxy{
		Rewrite:   func(r *httputil.ProxyRequest) { r.SetURL(target); r.Out.Host = r.In.Host }, // the signed one
		Transport: &http.Transport{DisableKeepAlives: true},
		ErrorLog:  log.New(io.Discard, "", 0),
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			if !errors.Is(err, errLost) {
				t.Errorf("proxy: %v", err)
			}
			panic(http.ErrAbortHandler)
		},
	}}
	front := httptest.NewServer(p)
	t.Cleanup(front.Close)
	opt, err := ParseBucketURL(server.URLWithKeys())
	if err != nil {
		t.Fatal(err)
	}
	opt.Endpoint, opt.Prefix = front.URL, testPrefix
	b, err := OpenBucket(opt)
	if err != nil {
		t.Fatal(err)
	}
	b.times = calm
	t.Cleanup(func() { b.Close() })
	return b, p
}

var errLost = errors.New("lost by the test")

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	forward := *p.forward
	switch p.note(r) {
	case busy:
		http.Error(w, "busy", http.StatusServiceUnavailable)
		return
	case refused:
		http.Error(w, "no", http.StatusForbidden)
		return
	case unknown:
		w.WriteHeader(http.StatusNotImplemented)
		_, _ = io.WriteString(w, "<Error><Code>NotImplemented</Code></Error>")
		return
	case lost:
		forward.ModifyResponse = func(*http.Response) error { return errLost }
	case cut:
		forward.ModifyResponse = func(resp *http.Response) error {
			resp.Body = struct {
				io.Reader
				io.Closer
			}{io.MultiReader(io.LimitReader(resp.Body, 100_000), broken{}), resp.Body}
			return nil
		}
	}
	forward.ServeHTTP(w, r)
}

// broken is where a connection breaks.
type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func (p *proxy) note(r *http.Request) fault {
	name := strings.TrimPrefix(strings.TrimPrefix(r.URL.Path, "/"+s3test.Bucket), "/")
	name = strings.TrimPrefix(name, testPrefix+"/")
	if strings.HasPrefix(name, draftPrefix) {
		name = "tmp"
	}
	for _, what := range []string{"partNumber", "uploads", "uploadId", "delete", "list-type"} {
		if r.URL.Query().Has(what) {
			name += "?" + what
			break
		}
	}
	if r.Header.Get("x-amz-copy-source") != "" {
		name += " copy"
	}
	if r.Header.Get("If-None-Match") != "" {
		name += " if free"
	}
	request := r.Method + " " + name
	p.mu.Lock()
	defer p.mu.Unlock()
	p.requests = append(p.requests, request)
	if p.rule == nil {
		return none
	}
	return p.rule(request)
}

// fail sets what fails from now on.
func (p *proxy) fail(rule func(request string) fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rule = rule
}

// first has the first requests that begin so fail.
func first(n int, begins string, f fault) func(string) fault {
	return func(request string) fault {
		if strings.HasPrefix(request, begins) && n > 0 {
			n--
			return f
		}
		return none
	}
}

// take returns the requests so far and forgets them.
func (p *proxy) take() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	requests := p.requests
	p.requests = nil
	return requests
}
