package test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// mostChecked is the size up to which bodies are read to be checked: tests with larger ones are about memory.
const mostChecked = 16 << 20

// underTest is where a request carries the test that makes it.
type underTest struct{}

// inTest has a request checked in the name of a test.
func inTest(t testing.TB, r *http.Request) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), underTest{}, t))
}

// checked holds what it transports against the contract. A breach fails the test that the request is made in; without one it is an error of
// the connection.
type checked struct{ http.RoundTripper }

func (c checked) RoundTrip(r *http.Request) (*http.Response, error) {
	t, _ := r.Context().Value(underTest{}).(testing.TB)
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
	if resp.Header.Get("Content-Type") == "application/json" && resp.ContentLength <= mostChecked && r.Method != http.MethodHead {
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		resp.Body = io.NopCloser(bytes.NewReader(body))
		if err != nil { // the server was killed
			resp.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body), broken{err}))
			return nil
		}
		x.body = body
	}
	if r.GetBody != nil && r.ContentLength <= mostChecked {
		sent, err := r.GetBody()
		if err != nil {
			return err
		}
		if x.sent, err = io.ReadAll(sent); err != nil {
			return err
		}
	}
	if err := c.check(x); err != nil {
		return err
	}
	if resp.Header.Get("Content-Type") == "text/event-stream" {
		resp.Body = &checkedStream{ReadCloser: resp.Body, contract: c}
	}
	return nil
}

// broken is a body that ended early.
type broken struct{ err error }

func (b broken) Read([]byte) (int, error) { return 0, b.err }

// checkedStream holds the events of a stream against the contract as they are read.
type checkedStream struct {
	io.ReadCloser
	contract *contract
	line     []byte
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

// checkCall checks the answer of a call that has a connection of its own; body is nil for a stream. Where nothing else was asked before there
// is no contract yet.
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
