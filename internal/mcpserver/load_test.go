package mcpserver

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mailkin/mailkin/client"
)

// load counts the calls in progress.
type load struct {
	came chan struct{}
	open chan struct{}
}

func newLoad() load { return load{make(chan struct{}, 100), make(chan struct{})} }

func (c load) work() {
	c.came <- struct{}{}
	<-c.open
}

// nobody is a source without a mailbox.
type nobody struct{ Source }

func (nobody) Access(context.Context) (Access, error) { return Access{}, nil }

// Calls that take much memory wait for each other, and not longer than their callers do. Others do not wait.
func TestHeavyCallsWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newLoad()
		h := &host{source: nobody{}, heavy: make(chan struct{}, mostHeavy)}
		heavy := tool{heavy: func(in args) bool { return in["offset"] != nil },
			run: func(context.Context, *client.Client, args) (result, error) {
				c.work()
				return result{}, nil
			}}
		done := make(chan error, 10)
		call := func(ctx context.Context, in args) {
			go func() {
				_, err := h.inTurn(ctx, heavy, in)
				done <- err
			}()
			synctest.Wait()
		}
		for range mostHeavy + 1 {
			call(t.Context(), args{"offset": 1})
		}
		if len(c.came) != mostHeavy {
			t.Errorf("%d are at work", len(c.came))
		}
		call(t.Context(), args{})
		if len(c.came) != mostHeavy+1 {
			t.Error("a light one waits")
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		call(ctx, args{"offset": 1})
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("a client that has left: %v", err)
		}
		close(c.open)
		for range mostHeavy + 2 {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
	})
}

// Of the messages of one request only some are at work at a time.
func TestMessagesOfARequestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newLoad()
		answer := (&host{}).guard(func(context.Context, string, mcp.Request) (mcp.Result, error) {
			c.work()
			return nil, nil
		})
		leaving, leave := context.WithCancel(t.Context())
		v := newVisit(httptest.NewRequestWithContext(leaving, http.MethodPost, "/mcp", nil))
		done := make(chan error, mostMessages)
		for range mostMessages {
			go func() {
				_, err := answer(context.WithValue(t.Context(), visitKey{}, v), listTools, nil)
				done <- err
			}()
		}
		synctest.Wait()
		if len(c.came) != mostWorking {
			t.Errorf("%d are at work", len(c.came))
		}
		leave()
		for range mostMessages - mostWorking {
			if err := <-done; !errors.Is(err, context.Canceled) {
				t.Errorf("a message of who has left: %v", err)
			}
		}
		close(c.open)
		for range mostWorking {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
	})
}

// answers is a service that answers so.
type answers func(*http.Request) (*http.Response, error)

func (a answers) RoundTrip(r *http.Request) (*http.Response, error) { return a(r) }

func clientOf(t *testing.T, a answers) *client.Client {
	t.Helper()
	c, err := client.New("http://service.example", "mk_x", client.WithTransport(a), client.WithRetries(1))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A wait ends within a minute, whatever the service does.
func TestWaitsEndInTime(t *testing.T) {
	broken := errors.New("the connection broke")
	for name, run := range map[string]func(context.Context, *client.Client, args) (result, error){"code": waitForCode,
		"email": waitForEmail} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				asked := 0
				c := clientOf(t, func(r *http.Request) (*http.Response, error) {
					if asked++; asked == 1 {
						time.Sleep(50 * time.Second)
						return nil, broken
					}
					<-r.Context().Done()
					return nil, r.Context().Err()
				})
				began := time.Now()
				got, err := run(t.Context(), c, args{"timeout": 55})
				if took := time.Since(began); err != nil || got.fields["found"] != false || took >= time.Minute ||
					asked != 2 {
					t.Errorf("%v, %v after %v and %d requests", got.fields, err, took, asked)
				}
				ctx, cancel := context.WithTimeout(t.Context(), time.Second)
				defer cancel()
				if _, err := run(ctx, c, args{"timeout": 55}); !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("its caller gave up: %v", err)
				}
			})
		})
	}
}

// A message that is too large to be read on says where all of it is.
func TestReadingOnIsBounded(t *testing.T) {
	from := httptest.NewRequest(http.MethodPost, "/mcp", nil)
	api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("full") == "" {
			t.Errorf("asked %s", r.URL)
		}
		_, _ = w.Write([]byte(`{"body_html":"`))
		for piece := []byte(strings.Repeat("x", 1<<20)); ; {
			if _, err := w.Write(piece); err != nil {
				return
			}
		}
	})
	c := clientOf(t, local{api, from}.RoundTrip)
	_, err := readEmail(t.Context(), c, args{"email_id": "7", "view": viewFull, "offset": 100})
	if said := explain(err).Error(); !strings.Contains(said, "/v1/email/raw?id=7") {
		t.Error(said)
	}
}

// A wait for what comes later than now goes on from now, or what comes between two calls would be missed.
func TestWaitingInTheFuture(t *testing.T) {
	began := time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
	got := nothingYet("wait_for_code", began.Add(time.Hour), began, args{"timeout": 30})
	if got["since"] != "2026-03-02T09:59:00.000Z" {
		t.Errorf("%v", got)
	}
}
