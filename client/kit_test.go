package client_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/client"
	"github.com/mailkin/mailkin/internal/app/apptest"
	"github.com/mailkin/mailkin/internal/config"
	"github.com/mailkin/mailkin/internal/mailbox"
)

// patience is how long anything may take before a test gives up.
const patience = 30 * time.Second

const (
	domain  = "mailkin.localhost"
	token   = apptest.Token
	postKey = "a-secret-that-signs-webhooks"
)

// start runs a service. It streams for a moment only, so that tests see streams end.
func start(resolver string) (*apptest.Service, error) {
	return apptest.Start(func(cfg *config.Config) {
		cfg.DNS, cfg.WebhookSecret, cfg.Limits.StreamTime = resolver, mailbox.Secret(postKey), 500*time.Millisecond
	})
}

// shared returns the service that tests and examples share; each has mailboxes of its own. It runs from the first use
// on.
var shared = sync.OnceValue(func() *apptest.Service {
	s, err := start(config.DNSOff)
	if err != nil {
		panic(err)
	}
	stopShared = s.Stop
	return s
})

var stopShared = func() error { return nil }

func TestMain(m *testing.M) {
	code := m.Run()
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	if err := errors.Join(stopShared(), goleak.Find()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// recorder remembers the last answer in JSON, so that it can be held against what the client made of it.
type recorder struct {
	mu   sync.Mutex
	body []byte
}

func (r *recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil || !strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json") {
		return resp, err
	}
	body, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	resp.Body = io.NopCloser(bytes.NewReader(body))
	r.mu.Lock()
	r.body = body
	r.mu.Unlock()
	return resp, err
}

// kit is a test with clients of the shared service.
type kit struct {
	*testing.T
	recorder *recorder
	operator *client.Client
}

func newKit(t *testing.T) *kit { return newKitOf(t, shared()) }

func newKitOf(t *testing.T, s *apptest.Service) *kit {
	t.Helper()
	r := new(recorder)
	c, err := client.New(s.URL, token, client.WithTransport(r), client.WithUserAgent("test"))
	if err != nil {
		t.Fatal(err)
	}
	return &kit{t, r, c}
}

// ctx ends when the test has taken too long.
func (k *kit) ctx() context.Context {
	ctx, cancel := context.WithTimeout(k.Context(), patience)
	k.Cleanup(cancel)
	return ctx
}

// unique returns a name that no other test has, and no other run of this one.
func unique(name string) string { return name + "-" + strings.ToLower(rand.Text()[:10]) }

// mailbox makes a mailbox and returns its address and a client with its key.
func (k *kit) mailbox(name string) (string, *client.Client) {
	k.Helper()
	made := got(k.operator.CreateMailbox(k.ctx(), api.NewMailbox{Name: unique(name)})).same(k)
	return made.Mailbox, k.operator.WithKey(made.APIKey)
}

// deliver hands a message in and returns its id.
func (k *kit) deliver(to, subject, text string) string {
	k.Helper()
	return k.ingest(to, letter(to, subject, text))
}

func (k *kit) ingest(to, raw string) string {
	k.Helper()
	// not same: who waits for it may be answered later
	kept := got(k.operator.Ingest(k.ctx(), to, strings.NewReader(raw))).ok(k)
	if kept.Mailbox != to || kept.ID == "" || kept.Duplicate {
		k.Fatalf("handed in: %+v", kept)
	}
	return kept.ID
}

// letter is a message with a small file.
func letter(to, subject, text string) string {
	return "From: Ann <ann@shop.example>\r\nTo: " + to + "\r\nSubject: " + subject + "\r\nMessage-ID: <" +
		strings.ReplaceAll(subject, " ", "-") + "@shop.example>\r\n" +
		"MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\n" + text + "\r\n" +
		"--b\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; " +
		"filename=\"a.txt\"\r\n\r\n0123456789\r\n--b--\r\n"
}

// result is what a method gave.
type result[T any] struct {
	value T
	err   error
}

func got[T any](v T, err error) result[T] { return result[T]{v, err} }

// ok returns the value, or ends the test with the error.
func (r result[T]) ok(k *kit) T {
	k.Helper()
	if r.err != nil {
		k.Fatal(r.err)
	}
	return r.value
}

// same is ok for an answer: marshalled again, it must be what the service sent, to the last member.
func (r result[T]) same(k *kit) T {
	k.Helper()
	v := r.ok(k)
	k.recorder.mu.Lock()
	sent := k.recorder.body
	k.recorder.mu.Unlock()
	again, err := json.Marshal(v)
	if err != nil {
		k.Fatal(err)
	}
	if diff := cmp.Diff(members(k, sent), members(k, again)); diff != "" {
		k.Errorf("%T is not what was sent:\n%s", v, diff)
	}
	return v
}

// fails fails the test unless the error is of a kind.
func (r result[T]) fails(k *kit, kind error) {
	k.Helper()
	k.is(r.err, kind)
}

func members(k *kit, b []byte) (v any) {
	k.Helper()
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		k.Fatalf("%v: %s", err, b)
	}
	return v
}

// done ends the test if there is an error.
func (k *kit) done(err error) {
	k.Helper()
	if err != nil {
		k.Fatal(err)
	}
}

// is fails the test if an error is not of a kind.
func (k *kit) is(err, kind error) {
	k.Helper()
	if !errors.Is(err, kind) {
		k.Errorf("the error is %v, and not %v", err, kind)
	}
}
