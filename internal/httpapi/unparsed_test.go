package httpapi

import (
	"crypto/tls"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/api"
)

// What is no request that a handler could answer is answered in JSON, too.
func TestUnparsedRequests(t *testing.T) {
	addr := start(t, &fake{})
	api, _ := newAPI(&fake{})
	cfg, roots := pair(t)
	secureAddr := startServer(t, api.Handler(), cfg)
	for _, tt := range []struct {
		name, request string
		status        int
		code          string
	}{
		{"bad escape in the path", "GET /v1/%zz HTTP/1.1\r\nHost: x\r\n\r\n", 400, "bad_request"},
		{"no Host", "GET /v1/me HTTP/1.1\r\n\r\n", 400, "bad_request"},
		{"two Hosts", "GET /v1/me HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400, "bad_request"},
		{"bad Host", "GET /v1/me HTTP/1.1\r\nHost: a b\r\n\r\n", 400, "bad_request"},
		{"bad name of a header", "GET /v1/me HTTP/1.1\r\nHost: x\r\na b: c\r\n\r\n", 400, "bad_request"},
		{"no request", "hello, world\r\n\r\n", 400, "bad_request"},
		{"large headers", "GET /v1/me HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("x", 80<<10) + "\r\n\r\n", 431,
			"request_headers_too_large"},
		{"expectation", "GET /v1/me HTTP/1.1\r\nHost: x\r\nExpect: foo\r\n\r\n", 417, "unsupported_expectation"},
		{"transfer encoding", "POST /v1/send HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n", 501,
			"unsupported_transfer_encoding"},
		{"version", "GET /v1/me HTTP/3.0\r\nHost: x\r\n\r\n", 505, "unsupported_version"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			checkUnparsed(t, talk(t, dial(t, addr), tt.request), tt.status, tt.code)
			secure := tls.Client(dial(t, secureAddr), &tls.Config{RootCAs: roots, ServerName: "example.com"})
			checkUnparsed(t, talk(t, secure, tt.request), tt.status, tt.code)
		})
	}
	// no TLS
	checkUnparsed(t, talk(t, dial(t, secureAddr), "GET /v1/me HTTP/1.1\r\nHost: x\r\n\r\n"), 400, "bad_request")
	for _, tt := range []string{"", "HTTP/1.1", "HTTP/1.1 400 Bad Request\r\nDate: x" + plainHeaders,
		"x" + plainHeaders, "HTTP/1.1 abc" + plainHeaders} {
		if got, ok := unparsed([]byte(tt)); ok {
			t.Errorf("%q became %q", tt, got)
		}
	}
}

func checkUnparsed(t *testing.T, resp *http.Response, status int, code string) {
	t.Helper()
	body, _ := io.ReadAll(resp.Body)
	var e api.Error
	if err := json.Unmarshal(body, &e); err != nil || e.Code != code || e.Error == "" {
		t.Errorf("body %s", body)
	}
	id, kind := resp.Header.Get("X-Request-Id"), resp.Header.Get("Content-Type")
	if resp.StatusCode != status || id == "" || id != e.RequestID || kind != "application/json" || !resp.Close {
		t.Errorf("%d %v", resp.StatusCode, resp.Header)
	}
}
