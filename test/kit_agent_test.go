package test

import (
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// bootstrapped is a temporary mailbox as it is given out.
type bootstrapped struct {
	Mailbox   string
	Key       string    `json:"api_key"`
	Scope     string    `json:"scope"`
	ExpiresAt time.Time `json:"expires_at"`
	Replayed  bool      `json:"replayed"`
}

// bootstrap makes a temporary mailbox.
func (s *server) bootstrap(t testing.TB) box {
	t.Helper()
	var made bootstrapped
	s.do(t, request{method: "POST", path: "/v1/bootstrap"}, http.StatusCreated, &made)
	return box{srv: s, address: made.Mailbox, key: made.Key, prefix: "/v1"}
}

// codeMail is a message with a verification code.
func codeMail(code string) string {
	return crlf(fmt.Sprintf(`From: Shop <no-reply@shop.example>
To: someone@mailkin.localhost
Subject: Confirm your sign-in
Message-ID: <code-%[1]s@shop.example>
Date: Mon, 02 Mar 2026 10:00:00 +0000
Content-Type: text/plain; charset=utf-8

Your verification code is %[1]s.
`, code))
}

// codeAnswer is what GET /v1/code gives.
type codeAnswer struct {
	ID   string  `json:"id"`
	Code *string `json:"code"`
}

// value is the code, empty if none came.
func (a codeAnswer) value() string {
	if a.Code == nil {
		return ""
	}
	return *a.Code
}

// code asks for a code and wants an answer with 200.
func (b box) code(t testing.TB, params string) codeAnswer {
	t.Helper()
	var a codeAnswer
	b.srv.get(t, b.key, b.prefix+"/code?"+params, &a)
	return a
}

var inFlight = regexp.MustCompile(`(?m)^mailkin_http_requests_in_flight (\d+)$`)

// awaitCalls waits until the server is answering a given number of requests, no more and no fewer.
func (s *server) awaitCalls(t testing.TB, want int) {
	t.Helper()
	eventually(t, func() error {
		page := s.do(t, request{path: "/metrics", key: s.token}, http.StatusOK, nil)
		n, err := strconv.Atoi(found(inFlight, string(page.body)))
		if err == nil && n-1 != want { // this one is a request too
			err = fmt.Errorf("%d requests are being answered, want %d", n-1, want)
		}
		return err
	})
}

// memory is the memory that the server has now, in KB.
func (s *server) memory(t testing.TB) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		t.Skipf("the server's memory cannot be seen here: %v", err)
	}
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	kb, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		t.Fatal(err)
	}
	return kb
}
