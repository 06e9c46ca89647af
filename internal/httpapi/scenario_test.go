package httpapi

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/goleak"

	"github.com/mailkin/mailkin/internal/mailbox"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// scenario is one request and what is expected of its answer.
type scenario struct {
	name   string
	method string // GET if empty
	path   string
	key    string   // the mailbox's if empty; "-" for none
	header []string // "Name: value"; a line break between several values
	body   string   // sent as JSON unless header has a Content-Type

	status   int
	exact    string   // the whole body
	contains []string // of the body
	lacks    []string
	headers  []string // "Name: value"; an empty value is for a header that must not be there
	svc      fake
	setup    func(*Config, *http.Request)
	check    func(*testing.T, *fake)
}

func (s scenario) run(t *testing.T) {
	t.Helper()
	f := s.svc
	r, api := s.request(), plain
	if s.setup == nil {
		api.svc = &f
	} else {
		cfg := newConfig(io.Discard)
		s.setup(&cfg, r)
		api = New(&f, cfg)
	}
	w := httptest.NewRecorder()
	api.Handler().ServeHTTP(w, r)
	s.verify(t, w.Result())
	if s.check != nil {
		s.check(t, &f)
	}
}

func (s scenario) request() *http.Request {
	method := s.method
	if method == "" {
		method = http.MethodGet
	}
	var body io.Reader
	if s.body != "" {
		body = strings.NewReader(s.body)
	}
	r := httptest.NewRequest(method, s.path, body)
	if s.body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	switch s.key {
	case "-":
	case "":
		r.Header.Set("Authorization", "Bearer "+keyMailbox)
	default:
		r.Header.Set("Authorization", "Bearer "+s.key)
	}
	for _, line := range s.header {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Del(name)
		for v := range strings.SplitSeq(value, "\n") {
			r.Header.Add(name, v)
		}
	}
	return r
}

func (s scenario) verify(t *testing.T, resp *http.Response) {
	t.Helper()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	body := string(raw)
	if resp.StatusCode != s.status {
		t.Errorf("status %d, want %d; body %s", resp.StatusCode, s.status, body)
	}
	if s.exact != "" && body != s.exact {
		t.Errorf("body\n%s\nwant\n%s", body, s.exact)
	}
	for _, want := range s.contains {
		if !strings.Contains(body, want) {
			t.Errorf("body lacks %s:\n%s", want, body)
		}
	}
	for _, bad := range s.lacks {
		if strings.Contains(body, bad) {
			t.Errorf("body has %s:\n%s", bad, body)
		}
	}
	for _, line := range s.headers {
		name, want, _ := strings.Cut(line, ": ")
		if got := resp.Header.Get(name); got != want {
			t.Errorf("header %s is %q, want %q", name, got, want)
		}
	}
	checkEvery(t, resp, body)
}

// checkEvery checks what holds for every answer.
func checkEvery(t *testing.T, resp *http.Response, body string) {
	t.Helper()
	if resp.Header.Get("X-Request-Id") == "" {
		t.Error("no X-Request-Id")
	}
	if resp.Header.Get("Access-Control-Allow-Origin") != "*" {
		t.Error("no Access-Control-Allow-Origin")
	}
	if resp.StatusCode < 400 || body == "" || strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html") {
		return
	}
	var e map[string]any
	if err := json.Unmarshal([]byte(body), &e); err != nil {
		t.Errorf("the error is not JSON: %s", body)
	}
	if _, ok := e["error"].(string); !ok && resp.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("the error has no sentence: %s", body)
	}
}

// newAPI makes an interface of a fake, and a buffer that has its log.
func newAPI(f *fake) (*API, *bytes.Buffer) {
	log := new(bytes.Buffer)
	api := New(f, newConfig(log))
	api.manual = sharedManual
	return api, log
}

// plain is for single requests, of which a test makes hundreds: making its routes and their metrics takes far longer
// than an answer does. A test puts its own fake behind it, and none of those that use it runs in parallel with another.
var plain = func() *API {
	api := New(nil, newConfig(io.Discard))
	api.manual = sharedManual
	return api
}()

func newConfig(log io.Writer) Config {
	limits := mailbox.DefaultLimits()
	limits.WireBytes = 2_000_000 // so that a test need not send 140 MB
	return Config{
		Log:      slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelInfo})),
		Registry: prometheus.NewRegistry(), Version: "1.2.3", Limits: limits, ResendSecret: resendSecret,
		OpenID: fakeOpenID{},
	}
}

func runAll(t *testing.T, rows []scenario) {
	for _, s := range rows {
		t.Run(s.name, s.run)
	}
}
