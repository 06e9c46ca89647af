package httpapi

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/mailkin/mailkin/internal/blob"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/store/sqlite"
)

// openReal returns the interface of a real service on an empty store.
func openReal(t *testing.T) *API {
	t.Helper()
	dir := t.TempDir()
	db, err := sqlite.Open(filepath.Join(dir, "mail.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	blobs, err := blob.OpenDir(filepath.Join(dir, "blobs"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = blobs.Close() })
	limits := mailbox.DefaultLimits()
	limits.StreamTime = 100 * time.Millisecond // what was there before comes at once
	svc, err := service.Open(t.Context(), service.Options{
		Store: db, Blobs: blobs, Domains: []string{"mailkin.example"}, Configured: configAddress, Operator: keyOperator,
		Root: "root", Live: service.Live{Bootstrap: true}, Claim: service.ClaimOperator, EventsKept: time.Hour,
		Limits: limits, Now: time.Now, Log: slog.New(slog.DiscardHandler), RejectsKept: 10,
		AllowPrivate: func(netip.Addr) bool { return false }, MinFree: func(uint64) uint64 { return 0 },
		Way: service.WayCapture, Hostname: "mx.mailkin.example",
	})
	if err != nil {
		t.Fatal(err)
	}
	return New(svc, Config{Log: slog.New(slog.DiscardHandler), Registry: prometheus.NewRegistry(), Limits: limits,
		SpoolDir: dir})
}

// client asks a real service and reads its JSON.
type client struct {
	*testing.T
	api *API
}

func (c client) ask(s scenario) *http.Response {
	c.Helper()
	w := httptest.NewRecorder()
	c.api.ServeHTTP(w, s.request())
	if w.Code != s.status {
		c.Fatalf("%s %s: %d %s", s.method, s.path, w.Code, w.Body)
	}
	return w.Result()
}

func (c client) json(s scenario) map[string]any {
	c.Helper()
	var v map[string]any
	if err := json.NewDecoder(c.ask(s).Body).Decode(&v); err != nil {
		c.Fatal(err)
	}
	return v
}

func (c client) text(s scenario) string {
	c.Helper()
	b, err := io.ReadAll(c.ask(s).Body)
	if err != nil {
		c.Fatal(err)
	}
	return string(b)
}

const mail = "From: Ann <ann@x.example>\r\nTo: agent@mailkin.example\r\nSubject: hello\r\nMessage-ID: <1@x.example>\r\n" +
	"MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: " +
	"text/plain\r\n\r\nThe body.\r\n" +
	"--b\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; " +
	"filename=\"a.pdf\"\r\nContent-Transfer-Encoding: base64\r\n\r\n" +
	"MDEyMzQ1Njc4OQ==\r\n--b--\r\n"

// A mail's way through the real service: a mailbox is made, mail comes, is listed, read, downloaded, deleted.
func TestRealService(t *testing.T) {
	c := client{t, openReal(t)}
	made := c.json(scenario{method: post, path: "/v1/mailboxes", key: keyOperator, body: `{"name":"agent"}`,
		status: 201})
	key := fmt.Sprint(made["api_key"])
	got := c.json(scenario{method: post, path: "/v1/ingest?mailbox=agent@mailkin.example", key: keyOperator,
		header: []string{"Content-Type: message/rfc822"}, body: mail, status: 201})
	id := fmt.Sprint(got["id"])

	list := c.json(scenario{path: "/v1/inbox", key: key, status: 200})["emails"].([]any)
	if len(list) != 1 || list[0].(map[string]any)["id"] != id {
		t.Fatalf("inbox: %v", list)
	}
	email := c.json(scenario{path: "/v1/email?id=" + id, key: key, status: 200})
	if email["subject"] != "hello" || !strings.Contains(fmt.Sprint(email["body_text"]), "The body.") ||
		email["message_id"] != "<1@x.example>" {
		t.Errorf("email: %v", email)
	}
	if raw := c.text(scenario{path: "/v1/email/raw?id=" + id, key: key, status: 200}); !strings.HasSuffix(raw, mail) {
		t.Errorf("raw: %q", raw)
	}
	attachment := email["attachments"].([]any)[0].(map[string]any)
	path := "/v1/attachment?id=" + fmt.Sprint(attachment["id"])
	resp := c.ask(scenario{path: path, key: key, status: 200})
	if etag := resp.Header.Get("ETag"); etag != fmt.Sprintf("%q", attachment["sha256"]) ||
		resp.Header.Get("Content-Type") != "application/pdf" {
		t.Errorf("headers: %v", resp.Header)
	}
	for r, want := range map[string]string{"": "0123456789", "bytes=2-4": "234", "bytes=-3": "789", "bytes=9-": "9"} {
		s := scenario{path: path, key: key, header: []string{"Range: " + r}, status: 206}
		if r == "" {
			s.status = 200
		}
		if got := c.text(s); got != want {
			t.Errorf("range %q: %q", r, got)
		}
	}
	c.ask(scenario{path: path, key: key, header: []string{"Range: bytes=10-"}, status: 416})
	c.ask(scenario{path: path, key: key, header: []string{"If-None-Match: " + resp.Header.Get("ETag")}, status: 304})
	c.ask(scenario{path: "/v1/attachment?id=" + id, key: key, status: 404})
	c.ask(scenario{method: remove, path: "/v1/email?id=" + id, key: key, status: 200})
	c.ask(scenario{path: path, key: key, status: 404})
}

// From nothing to a permanent mailbox with the real service: the mail that came before is there, and so is its event.
func TestRealOnboarding(t *testing.T) {
	c := client{t, openReal(t)}
	temporary := c.json(scenario{method: post, path: "/v1/bootstrap", key: "-", status: 201})
	address, first := fmt.Sprint(temporary["mailbox"]), fmt.Sprint(temporary["api_key"])
	c.ask(scenario{method: post, path: "/v1/ingest?mailbox=" + address, key: keyOperator,
		header: []string{"Content-Type: message/rfc822"}, body: mail, status: 201})

	started := c.json(scenario{method: post, path: "/v1/claim/start", key: first, body: `{"name":"robin"}`,
		status: 201})
	poll := "/v1/claim/poll?session=" + fmt.Sprint(started["session_id"])
	_, link, _ := strings.Cut(fmt.Sprint(started["url"]), "session=")
	page := c.text(scenario{path: "/claim?session=" + link, key: "-", status: 200})
	if !strings.Contains(page, "robin@mailkin.example") || !strings.Contains(page, address) {
		t.Errorf("page:\n%s", page)
	}
	form := scenario{method: post, path: "/claim", key: "-",
		header: []string{"Content-Type: application/x-www-form-urlencoded"}}
	form.body, form.status = "session="+link+"&token=wrong", 401
	c.ask(form)
	if state := c.json(scenario{path: poll, key: "-", status: 200})["status"]; state != "pending" {
		t.Errorf("before: %v", state)
	}
	form.body, form.status = "session="+link+"&token="+keyOperator, 200
	c.ask(form)

	polled := c.json(scenario{path: poll, key: "-", status: 200})
	if polled["status"] != "complete" || polled["mailbox"] != "robin@mailkin.example" {
		t.Fatalf("after: %v", polled)
	}
	events := c.text(scenario{path: "/v1/events", key: fmt.Sprint(polled["api_key"]), status: 200})
	if !strings.HasPrefix(events, preamble+"id: ") ||
		!strings.Contains(events, `"mailbox":"robin@mailkin.example","from":"ann@x.example","subject":"hello"`) {
		t.Errorf("events:\n%s", events)
	}
}
