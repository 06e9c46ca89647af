package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestNew(t *testing.T) {
	for _, row := range []struct{ name, base, key, want string }{
		{"plain", "https://mail.example.com", "mk_1", "https://mail.example.com"},
		{"with slash", "http://127.0.0.1:8025/", "", "http://127.0.0.1:8025"},
		{"with a path", "https://example.com/mail//", "k", "https://example.com/mail"},
		{"with the version", "https://example.com/v1/", "k", "https://example.com"},
		{"with spaces", " https://example.com\n", "k", "https://example.com"},
		{"no scheme", "example.com", "k", ""},
		{"another scheme", "ftp://example.com", "k", ""},
		{"no host", "https:///x", "k", ""},
		{"a password", "https://a:secret@example.com", "k", ""},
		{"a query", "https://example.com?a=b", "k", ""},
		{"nothing", "", "k", ""},
		{"no URL", "https://exa mple.com:secret", "k", ""},
		{"a key with a line break", "https://example.com", "mk_secret\n", ""},
		{"a key with a space", "https://example.com", "mk secret", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			c, err := New(row.base, row.key)
			switch {
			case row.want == "" && err == nil:
				t.Errorf("made %v", c)
			case row.want == "" && strings.Contains(err.Error(), "secret"):
				t.Errorf("the error tells too much: %v", err)
			case row.want != "" && (err != nil || c.BaseURL() != row.want):
				t.Errorf("made %v, error %v", c, err)
			}
		})
	}
}

// The key is in no text that is made of a client, and goes to nobody else.
func TestKeyIsSafe(t *testing.T) {
	var elsewhere []string
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		elsewhere = append(elsewhere, r.Header.Get("Authorization"))
	}))
	defer other.Close()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.URL+"/v1/me?secret=1", http.StatusTemporaryRedirect)
	}))
	defer srv.Close()
	c, err := New(srv.URL, "mk_secret", WithHTTPClient(&http.Client{CheckRedirect: nil}))
	if err != nil {
		t.Fatal(err)
	}
	defer http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	_, err = c.Me(t.Context())
	var refused *Error
	if !errors.As(err, &refused) || refused.Code != codeRedirect || refused.Status != 307 || len(elsewhere) > 0 {
		t.Errorf("error %v, elsewhere %q", err, elsewhere)
	}
	if text := fmt.Sprintf("%v %+v %#v %s", c, c, c, err); strings.Contains(text, "secret") ||
		!strings.Contains(text, other.URL) {
		t.Error(text)
	}
	if _, err := c.WithKey("mk_\n").Me(t.Context()); err == nil {
		t.Error("a key with a line break was used")
	}
}

func TestErrors(t *testing.T) {
	for _, row := range []struct {
		name   string
		status int
		body   string
		header []string
		want   Error
		kinds  []error
	}{
		{"unauthorized", 401, `{"error":"Unauthorized"}`, nil, Error{Code: "unauthorized", Message: "Unauthorized"},
			[]error{ErrUnauthorized}},
		{"forbidden", 403, `{"error":"forbidden","message":"Key not authorized for this mailbox"}`, nil,
			Error{Code: "forbidden", Message: "Key not authorized for this mailbox"}, []error{ErrForbidden}},
		{"paused", 403, `{"error":"Mailbox is paused"}`, nil, Error{Code: "mailbox_paused",
			Message: "Mailbox is paused"}, []error{ErrForbidden, ErrPaused}},
		{"paused for mail", 503, `{"error":"The mailbox is paused; try again later.","code":"mailbox_paused"}`,
			[]string{"Retry-After: 300"},
			Error{Code: "mailbox_paused", Message: "The mailbox is paused; try again later.",
				RetryAfter: 5 * time.Minute}, []error{ErrPaused, ErrUnavailable}},
		{"invalid", 400, `{"error":"E","code":"invalid_to","field":"to"}`, []string{"X-Request-Id: 7"},
			Error{Code: "invalid_to", Message: "E", Field: "to", RequestID: "7"}, []error{ErrInvalid}},
		{"limit", 429, `{"error":"E","code":"daily_send_limit","limit":100}`, []string{"Retry-After: 3600"},
			Error{Code: "daily_send_limit", Message: "E", RetryAfter: time.Hour}, []error{ErrRateLimited}},
		{"internal", 500, `{"error":"Internal server error","code":"internal","request_id":"8"}`, nil,
			Error{Code: "internal", Message: "Internal server error", RequestID: "8"}, nil},
		{"of a proxy", 502, `<html>Bad gateway`, []string{"Retry-After: Wed, 01 Jan 2020 00:00:00 GMT"}, Error{},
			[]error{ErrUnavailable}},
		{"not an object", 404, `[1]`, nil, Error{}, []error{ErrNotFound}},
		{"wrong types", 409, `{"error":7,"code":[],"field":{},"upgrade":1}`, nil, Error{}, []error{ErrConflict}},
		{"without end", 413, `{"error":"` + strings.Repeat("x", 2*errorLimit), nil, Error{}, []error{ErrTooLarge}},
		{"others", 501, `{}`, nil, Error{}, []error{ErrUnsupported}},
		{"full", 507, `{}`, []string{"Retry-After: -1"}, Error{}, []error{ErrFull}},
	} {
		t.Run(row.name, func(t *testing.T) {
			c, _ := scripted(t, says(row.status, row.body, row.header...))
			c.retries = 0
			_, err := c.Me(t.Context())
			var e *Error
			if !errors.As(err, &e) {
				t.Fatal(err)
			}
			if e.Status != row.status || e.Code != row.want.Code || e.Message != row.want.Message ||
				e.Field != row.want.Field ||
				e.RequestID != row.want.RequestID || e.RetryAfter != row.want.RetryAfter {
				t.Errorf("got %+v", e)
			}
			for _, kind := range []error{ErrInvalid, ErrUnauthorized, ErrForbidden, ErrPaused, ErrNotFound, ErrConflict,
				ErrTooLarge, ErrRateLimited, ErrUnsupported, ErrUnavailable, ErrFull, ErrTimedOut} {
				want := false
				for _, k := range row.kinds {
					want = want || k == kind
				}
				if errors.Is(err, kind) != want {
					t.Errorf("is it %v? %v", kind, !want)
				}
			}
			if e.Error() == "" || !strings.HasPrefix(err.Error(), "GET /v1/me: ") {
				t.Errorf("it says %q", err)
			}
		})
	}
}

func TestAnswersThatAreNone(t *testing.T) {
	c, _ := scripted(t, says(200, `<html>`))
	if _, err := c.Me(t.Context()); !errors.Is(err, ErrNotMail) {
		t.Error(err)
	}
	c, _ = scripted(t, func(req *http.Request) (*http.Response, error) {
		resp, err := says(200, "")(req)
		resp.Body = io.NopCloser(endless{})
		return resp, err
	})
	if _, err := c.Me(t.Context()); !errors.Is(err, ErrTooLarge) {
		t.Error(err)
	}
	c, _ = scripted(t, says(200, `{"emails":[],"next_cursor":"1"}`), says(200, `{"emails":[],"next_cursor":"1"}`))
	for _, err := range c.InboxAll(t.Context(), InboxQuery{}) {
		if err == nil {
			t.Error("a list that goes on where it was")
		}
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

// A download that stands still ends; one that is read slowly does not.
func TestStandingStill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, w := io.Pipe()
		c, _ := scripted(t, func(req *http.Request) (*http.Response, error) {
			context.AfterFunc(req.Context(), func() { _ = w.CloseWithError(req.Context().Err()) })
			resp, err := says(200, "")(req)
			resp.Body, resp.ContentLength = r, -1
			return resp, err
		})
		d, err := c.Raw(t.Context(), "1", Range{})
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		time.Sleep(time.Hour) // the reader takes its time
		go func() { _, _ = w.Write([]byte("abc")) }()
		if n, err := d.Read(make([]byte, 9)); n != 3 || err != nil {
			t.Fatalf("%d bytes, %v", n, err)
		}
		began := time.Now()
		_, err = d.Read(make([]byte, 9))
		var timeout net.Error
		if !errors.As(err, &timeout) || !timeout.Timeout() || time.Since(began) != stallTime {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
}
