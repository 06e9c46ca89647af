package test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"
)

// underTest is where a request carries the test that makes it.
type underTest struct{}

// inTest has a request checked in the name of a test.
func inTest(t testing.TB, r *http.Request) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), underTest{}, t))
}

// checked holds what it transports against the contract. A breach fails the test that the request is made in; without
// one it is an error of the connection.
type checked struct{ http.RoundTripper }

func (c checked) RoundTrip(r *http.Request) (*http.Response, error) {
	t := testOf(r)
	if t == nil && agreed.contract.Load() == nil {
		return nil, errors.New("nothing was asked yet that could show the contract")
	}
	contract, err := promised(t)
	if err != nil {
		return nil, err
	}
	resp, err := c.RoundTripper.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if err := contract.checkResponse(r, resp); err != nil {
		err = fmt.Errorf("%s %s breaks the contract: %w", r.Method, r.URL.RequestURI(), err)
		if t == nil {
			resp.Body.Close()
			return nil, err
		}
		t.Error(err)
	}
	return resp, nil
}

// checkResponse checks an answer whose body was not yet read, and leaves it so.
func (c *contract) checkResponse(r *http.Request, resp *http.Response) error {
	x := exchange{q: r, status: resp.StatusCode, header: resp.Header}
	if resp.Header.Get("Content-Type") == "application/json" && r.Method != http.MethodHead {
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		resp.Body = io.NopCloser(bytes.NewReader(body))
		if err != nil { // the server was killed
			resp.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body), broken{err}))
			return nil
		}
		x.body = brief(body)
	}
	if r.GetBody != nil {
		sent, err := r.GetBody()
		if err != nil {
			return err
		}
		var text shortened
		if _, err := io.Copy(&text, sent); err != nil {
			return err
		}
		x.sent = text.kept
	}
	if err := c.check(x); err != nil {
		return err
	}
	if resp.Header.Get("Content-Type") == "text/event-stream" {
		resp.Body = &checkedStream{ReadCloser: resp.Body, contract: c, t: testOf(r)}
	}
	return nil
}

// testOf is the test that a request is made in, nil if it does not say.
func testOf(r *http.Request) testing.TB {
	t, _ := r.Context().Value(underTest{}).(testing.TB)
	return t
}

// watch puts a proxy before the server that holds what anybody asks it, a shell or another program, against the
// contract. From then on it is the server's address.
func (s *server) watch(t testing.TB) {
	t.Helper()
	target, err := url.Parse(s.http)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{DisableKeepAlives: true}
	pass := &httputil.ReverseProxy{
		Transport: checked{transport}, ErrorLog: log.New(io.Discard, "", 0), // a caller may hang up
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Host = r.In.Host // pages name the address that they were asked at
		},
	}
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the caller has left
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
		pass.ServeHTTP(w, inTest(t, r))
	}))
	t.Cleanup(proxy.Close)
	s.http = proxy.URL
}

// broken is a body that ended early.
type broken struct{ err error }

func (b broken) Read([]byte) (int, error) { return 0, b.err }

// checkedStream holds the events of a stream against the contract as they are read.
type checkedStream struct {
	io.ReadCloser
	contract *contract
	line     []byte
	t        testing.TB // nil: a breach is an error of the connection only
}

func (s *checkedStream) Read(p []byte) (int, error) {
	n, err := s.ReadCloser.Read(p)
	for rest := p[:n]; len(rest) > 0; {
		line, after, ended := bytes.Cut(rest, []byte("\n"))
		s.line, rest = append(s.line, line...), after
		if !ended {
			break
		}
		if data, ok := strings.CutPrefix(string(s.line), "data: "); ok {
			if failed := s.contract.checkEvent(data); failed != nil {
				if s.t != nil {
					s.t.Error(failed)
				}
				return n, failed
			}
		}
		s.line = s.line[:0]
	}
	return n, err
}

// checkEvent holds the data of an event against the contract.
func (c *contract) checkEvent(data string) error {
	if err := c.fitsJSON("/components/schemas/Event", []byte(data)); err != nil {
		return fmt.Errorf("an event breaks the contract: %w\nin %s", err, data)
	}
	return nil
}

// checkHook holds what was posted to a webhook against the contract.
func (c *contract) checkHook(header http.Header, body []byte) error {
	kind := header.Get("X-Webhook-Event")
	hooks, _ := c.doc["webhooks"].(map[string]any)
	hook, _ := hooks[kind].(map[string]any)
	where, op := c.follow("/webhooks/"+kind+"/post", hook["post"])
	if op == nil {
		return fmt.Errorf("the event %q is not in the contract", kind)
	}
	parameters, _ := op["parameters"].([]any)
	for i, p := range parameters {
		p, _ := p.(map[string]any)
		name, _ := p["name"].(string)
		if err := c.checkValue(fmt.Sprintf("%s/parameters/%d", where, i), p, header.Values(name)); err != nil {
			return fmt.Errorf("header %s: %w", name, err)
		}
	}
	if err := c.fitsJSON(where+"/requestBody/content/application~1json/schema", body); err != nil {
		return fmt.Errorf("%w\nin %.2000s", err, body)
	}
	return nil
}

// checkCall checks the answer of a call that has a connection of its own; body is nil for a stream. Where nothing else
// was asked before there is no contract yet.
func checkCall(q *http.Request, resp *http.Response, body []byte) error {
	contract := agreed.contract.Load()
	if contract == nil {
		return nil
	}
	if err := contract.check(exchange{q: q, status: resp.StatusCode, header: resp.Header, body: body}); err != nil {
		return fmt.Errorf("%s %s breaks the contract: %w", q.Method, q.URL.RequestURI(), err)
	}
	return nil
}
