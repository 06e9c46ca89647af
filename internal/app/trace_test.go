package app

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/mailkin/mailkin/internal/config"
	"github.com/mailkin/mailkin/internal/mailbox"
)

// collector takes spans as an OTLP collector does, and decodes them with OpenTelemetry's own types.
type collector struct {
	*httptest.Server
	mu    sync.Mutex
	spans []*tracepb.Span
	came  chan struct{}
}

func newCollector(t *testing.T) *collector {
	c := &collector{came: make(chan struct{}, 1)}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var data tracepb.TracesData // on the wire the same as an ExportTraceServiceRequest
		if err == nil {
			err = proto.Unmarshal(body, &data)
		}
		if err != nil || r.URL.Path != "/v1/traces" || r.Header.Get("Content-Type") != "application/x-protobuf" ||
			r.Header.Get("X-Scope") != "a b" || len(data.ProtoReflect().GetUnknown()) > 0 {
			t.Errorf("%s %v: %v, %d bytes", r.URL.Path, r.Header, err, len(body))
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		for _, rs := range data.ResourceSpans {
			if rs.Resource.Attributes[0].Value.GetStringValue() != "mailkin" {
				t.Errorf("resource %v", rs.Resource)
			}
			for _, ss := range rs.ScopeSpans {
				c.spans = append(c.spans, ss.Spans...)
			}
		}
		select {
		case c.came <- struct{}{}:
		default:
		}
	}))
	t.Cleanup(c.Close)
	return c
}

// tree draws the spans of the trace that has a span of this name, once it has all of these.
func (c *collector) tree(t *testing.T, of string, want ...string) (lines []string, id string) {
	t.Helper()
	timeout := time.After(20 * time.Second)
	for {
		lines, id = c.draw(of)
		if !slices.ContainsFunc(want, func(w string) bool { return !slices.Contains(lines, w) }) {
			return lines, id
		}
		select {
		case <-c.came:
		case <-timeout:
			t.Fatalf("the trace of %s is\n%s", of, strings.Join(lines, "\n"))
		}
	}
}

func (c *collector) draw(of string) (lines []string, id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.IndexFunc(c.spans, func(s *tracepb.Span) bool { return s.Name == of })
	if i < 0 {
		return nil, ""
	}
	trace := c.spans[i].TraceId
	byID := make(map[string]*tracepb.Span)
	for _, s := range c.spans {
		if bytes.Equal(s.TraceId, trace) {
			byID[string(s.SpanId)] = s
		}
	}
	for _, s := range byID {
		path := s.Name
		for p := byID[string(s.ParentSpanId)]; p != nil; p = byID[string(p.ParentSpanId)] {
			path = p.Name + " > " + path
		}
		if s.EndTimeUnixNano < s.StartTimeUnixNano {
			path += " ends before it begins"
		}
		lines = append(lines, path)
	}
	slices.Sort(lines)
	return slices.Compact(lines), hex.EncodeToString(trace)
}

type lockedLog struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedLog) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedLog) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// One mail by SMTP, and one that is sent over HTTP within a caller's trace: each is one tree to its last attempt, the
// webhook is told the trace, and so is the log.
func TestTraces(t *testing.T) {
	c := newCollector(t)
	told := make(chan string, 10)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		told <- r.Header.Get("traceparent")
	}))
	defer receiver.Close()
	a, log := startTraced(t, c.URL)
	call := func(method, path, body, parent string) {
		t.Helper()
		req, err := http.NewRequest(method, "http://"+a.Addrs().HTTP+path, strings.NewReader(body))
		must(t, err)
		req.Header.Set("Authorization", "Bearer "+string(a.cfg.AuthToken))
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("traceparent", parent)
		resp, err := http.DefaultClient.Do(req)
		must(t, err)
		defer resp.Body.Close()
		if b, _ := io.ReadAll(resp.Body); resp.StatusCode/100 != 2 {
			t.Fatalf("%s %s: %d %s", method, path, resp.StatusCode, b)
		}
	}
	call("PATCH", "/v1/mailbox", fmt.Sprintf(`{"webhook_url":%q}`, receiver.URL), "")
	sendMail(t, a.Addrs().SMTP, a.cfg.Mailbox)
	lines, id := c.tree(t, "smtp session", "smtp session", "smtp session > receive",
		"smtp session > receive > store update", "smtp session > receive > webhook attempt")
	if parent := <-told; !strings.HasPrefix(parent, "00-"+id+"-") || !strings.HasSuffix(parent, "-01") {
		t.Errorf("the webhook was told %q of trace %s:\n%s", parent, id, strings.Join(lines, "\n"))
	}
	for _, msg := range []string{"message received", "session", "webhook"} {
		if !slices.ContainsFunc(strings.Split(log.String(), "\n"), func(line string) bool {
			return strings.Contains(line, `"msg":"`+msg+`"`) && strings.Contains(line, `"trace_id":"`+id+`"`)
		}) {
			t.Errorf("no line %q has trace %s:\n%s", msg, id, log)
		}
	}

	const callers = "0af7651916cd43dd8448eb211c80319c"
	call("POST", "/v1/send", `{"to":["wren@example.com"],"subject":"secret words","text":"x"}`,
		"00-"+callers+"-b7ad6b7169203331-01")
	lines, id = c.tree(t, "POST /v1/send", "POST /v1/send", "POST /v1/send > send",
		"POST /v1/send > send > store update", "POST /v1/send > send > delivery attempt",
		"POST /v1/send > send > delivery attempt > store update")
	if id != callers {
		t.Errorf("not within the caller's trace, but %s:\n%s", id, strings.Join(lines, "\n"))
	}
	call("GET", "/v1/me", "", "00-1af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00")
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.spans {
		if strings.Contains(s.String(), "secret words") {
			t.Errorf("a subject is in %v", s)
		}
	}
}

func startTraced(t *testing.T, url string) (*App, *lockedLog) {
	t.Helper()
	cfg := config.Default()
	cfg.DataDir, cfg.DNS, cfg.Mailbox = t.TempDir(), config.DNSOff, "ops@mailkin.localhost"
	cfg.AuthToken = "an-operator-token-for-tests"
	cfg.HTTPAddr, cfg.SMTPAddr, cfg.MinFree = "127.0.0.1:0", "127.0.0.1:0", config.FreeSpace{}
	cfg.WebhookAllowPrivate = config.PrivateTargets{All: true}
	cfg.Trace = config.Trace{URL: url, Headers: map[string]mailbox.Secret{"X-Scope": "a b"}, Ratio: 1}
	log := &lockedLog{}
	a, err := Open(t.Context(), cfg, slog.New(slog.NewJSONHandler(log, nil)))
	must(t, err)
	run(t, a)
	return a, log
}

// A collector that takes nothing, or is not there, delays no mail; what it did not take is counted.
func TestTracesWithoutCollector(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0") // takes connections and never answers
	must(t, err)
	defer silent.Close()
	for _, row := range []struct{ name, url string }{
		{"nobody is there", "http://" + netip.MustParseAddrPort("127.0.0.1:1").String()},
		{"it never answers", "http://" + silent.Addr().String()},
	} {
		t.Run(row.name, func(t *testing.T) {
			a, _ := startTraced(t, row.url)
			began := time.Now()
			for range 20 {
				sendMail(t, a.Addrs().SMTP, a.cfg.Mailbox)
			}
			if took := time.Since(began); took > 5*time.Second {
				t.Errorf("20 mails took %v", took)
			}
		})
	}
}

// run runs an app until the test ends.
func run(t *testing.T, a *App) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- a.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		must(t, a.Close())
	})
}
