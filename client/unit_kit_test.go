package client

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// script is a service that gives one answer after the other, and remembers what it was asked.
type script struct {
	t       *testing.T
	answers []func(*http.Request) (*http.Response, error)
	asked   []*http.Request
	bodies  []string
}

func (s *script) RoundTrip(req *http.Request) (*http.Response, error) {
	s.asked = append(s.asked, req)
	if req.Body != nil {
		body, err := io.ReadAll(req.Body)
		_ = req.Body.Close()
		if err != nil {
			return nil, err
		}
		s.bodies = append(s.bodies, string(body))
	}
	if len(s.asked) > len(s.answers) {
		s.t.Errorf("request %d was not expected: %s %s", len(s.asked), req.Method, req.URL)
		return nil, io.ErrUnexpectedEOF
	}
	return s.answers[len(s.asked)-1](req)
}

// says is an answer; the header is in lines "Name: value".
func says(status int, body string, header ...string) func(*http.Request) (*http.Response, error) {
	return func(req *http.Request) (*http.Response, error) {
		resp := &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)),
			ContentLength: int64(len(body)), Request: req}
		for _, line := range header {
			name, value, _ := strings.Cut(line, ": ")
			resp.Header.Add(name, value)
		}
		return resp, nil
	}
}

// breaks is no answer.
func breaks(err error) func(*http.Request) (*http.Response, error) {
	return func(*http.Request) (*http.Response, error) { return nil, err }
}

// hangs is an answer that does not come.
func hangs(req *http.Request) (*http.Response, error) {
	<-req.Context().Done()
	return nil, req.Context().Err()
}

// scripted returns a client of a service that answers so.
func scripted(t *testing.T, answers ...func(*http.Request) (*http.Response, error)) (*Client, *script) {
	t.Helper()
	s := &script{t: t, answers: answers}
	c, err := New("http://service.example", "mk_secret", WithTransport(s))
	if err != nil {
		t.Fatal(err)
	}
	return c, s
}
