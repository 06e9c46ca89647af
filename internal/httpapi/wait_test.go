package httpapi

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// withCode is a message with a verification code.
func withCode() *service.FullMessage {
	m := (&fake{}).full()
	m.Code, m.From = "123456", mailbox.Address{Name: "Ann", Address: "ann@x.example"}
	m.Detail.Links = []mailbox.Link{{URL: "https://x.example/?a&b", Text: "Verify", Kind: "verify"},
		{URL: "https://y.example/", Text: "x.example", Kind: "other", Mismatch: true}}
	m.Detail.CodeCandidates = []mailbox.CodeCandidate{{Code: "123456", Score: 0.9, Why: []string{"alone", "large"}}}
	return &m
}

func TestCode(t *testing.T) {
	seconds := func(n int) func(*testing.T, *fake) {
		return asked(service.CodeQuery{Timeout: time.Duration(n) * time.Second})
	}
	runAll(t, []scenario{
		{name: "found", path: "/v1/code", svc: fake{found: withCode()}, status: 200,
			headers: []string{"Content-Type: application/json", "Cache-Control: no-store"},
			exact: `{"id":"019cb7d1-0000-7000-8000-000000000000","code":"123456","from":"ann@x.example","subject":"a <b> & c","received_at":"2026-03-04T05:06:07.089Z",` +
				`"links":[{"url":"https://x.example/?a&b","text":"Verify","kind":"verify"},{"url":"https://y.example/","text":"x.example","kind":"other","mismatch":true}],` +
				`"candidates":[{"code":"123456","score":0.9,"reason":"alone; large","confidence":0.9,"why":["alone","large"]}]}`},
		{name: "none", path: "/v1/code", status: 200, exact: `{"code":null}`,
			headers: []string{"Content-Type: application/json", "Cache-Control: no-store"}, check: seconds(30)},
		{name: "all", path: "/api/code?timeout=5&since=2026-01-02T03:04:05Z&from=Ann&consume=true", key: keyProvisional,
			status: 200,
			check: asked(service.CodeQuery{Timeout: 5 * time.Second, Since: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
				From: "Ann", Consume: true})},
		{name: "after", path: "/v1/code?timeout=1&after=17", status: 200,
			check: asked(service.CodeQuery{Timeout: time.Second, After: 17})},
		{name: "after is no number", path: "/v1/code?after=now", status: 400, contains: invalid("after")},
		{name: "after nothing", path: "/v1/wait?after=0", status: 400, contains: invalid("after")},
		{name: "shortest", path: "/v1/code?timeout=1", status: 200, check: seconds(1)},
		{name: "longest", path: "/v1/code?timeout=55", status: 200, check: seconds(55)},
		{name: "longer", path: "/v1/code?timeout=56", status: 200, check: seconds(55)},
		{name: "far longer", path: "/v1/code?timeout=99999999999999999999999", status: 200, check: seconds(55)},
		{name: "not given", path: "/v1/code?timeout=", status: 200, check: seconds(30)},
		{name: "no time", path: "/v1/code?timeout=0", status: 400, contains: invalid("timeout")},
		{name: "less", path: "/v1/code?timeout=-1", status: 400, contains: invalid("timeout")},
		{name: "far less", path: "/v1/code?timeout=-99999999999999999999999", status: 400,
			contains: invalid("timeout")},
		{name: "broken", path: "/v1/code?timeout=2.5", status: 400, contains: invalid("timeout")},
		{name: "exponent", path: "/v1/code?timeout=1e1", status: 400, contains: invalid("timeout")},
		{name: "hexadecimal", path: "/v1/code?timeout=0x10", status: 400, contains: invalid("timeout")},
		{name: "unit", path: "/v1/code?timeout=30s", status: 400, contains: invalid("timeout")},
		{name: "since is no time", path: "/v1/code?since=now", status: 400, contains: invalid("since")},
		{name: "NUL in from", path: "/v1/code?from=%00", status: 400, contains: invalid("from")},
		{name: "consume is neither", path: "/v1/code?consume=yes", status: 400, contains: invalid("consume")},
		{name: "HEAD takes nothing", method: "HEAD", path: "/v1/code?consume=true", svc: fake{found: withCode()},
			status:  200,
			headers: []string{"Content-Type: application/json"}, check: asked(nil)},
		{name: "too many", path: "/v1/code", svc: fake{err: mailbox.Errorf(mailbox.Limited, "too_many_streams", "No.")},
			status: 429, headers: []string{"Retry-After: 60"}},
	})
}

func TestWait(t *testing.T) {
	const none = `{"email":null}`
	half := 30 * time.Second
	has := func(what ...string) func(*testing.T, *fake) {
		return asked(service.WaitQuery{Timeout: half, Has: what})
	}
	runAll(t, []scenario{
		{name: "found", path: "/v1/wait", svc: fake{found: withCode()}, status: 200,
			contains: []string{`{"email":{"id":"019cb7d1-`, `"body_text":"text"`, `"downloadable":true`,
				`"mismatch":true}]`}},
		{name: "found by a provisional key", path: "/v1/wait", key: keyProvisional, svc: fake{found: withCode()},
			status: 200, contains: []string{`"downloadable":false`}},
		{name: "none", path: "/v1/wait", status: 200, exact: none, check: asked(service.WaitQuery{Timeout: half})},
		{name: "all", path: "/v1/wait?timeout=7&since=2026-01-02T03:04:05Z&query=a+b&from=f&subject=s&label=l&thread_id=t&has=code", status: 200, exact: none,
			check: asked(service.WaitQuery{Timeout: 7 * time.Second, Since: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
				Query: "a b", From: "f", Subject: "s", Label: "l", Thread: "t", Has: []string{"code"}})},
		{name: "has several", path: "/v1/wait?has=code,%20link", status: 200, check: has("code", "link")},
		{name: "has repeated", path: "/v1/wait?has=attachment&has=link,attachment", status: 200,
			check: has("attachment", "link")},
		{name: "has nothing", path: "/v1/wait?has=,", status: 200, check: has()},
		{name: "has something else", path: "/v1/wait?has=code,links", status: 400, contains: append(invalid("has"),
			"code, link, attachment")},
		{name: "timeout", path: "/v1/wait?timeout=x", status: 400, contains: invalid("timeout")},
		{name: "since", path: "/v1/wait?since=x", status: 400, contains: invalid("since")},
		{name: "subject", path: "/v1/wait?subject=%00", status: 400, contains: invalid("subject")},
		{name: "foreign before the rest", path: "/v1/wait?timeout=x&to=" + otherAddress, status: 403,
			exact: `{"error":"forbidden","message":"Key not authorized for this mailbox"}`},
		{name: "HEAD does not wait", method: "HEAD", path: "/v1/wait", svc: fake{hold: newHold(time.Hour)}, status: 200,
			check: asked(nil)},
		{name: "body too large", path: "/v1/wait", body: strings.Repeat("x", objectLimit+1), status: 413},
		{name: "paused meanwhile", path: "/v1/wait", svc: fake{err: mailbox.Errorf(mailbox.Paused, "x", "y")},
			status: 403, exact: `{"error":"Mailbox is paused"}`},
	})
}

const (
	askCode = "GET /v1/code HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + keyMailbox + "\r\n"
	askMe   = "GET /v1/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + keyMailbox + "\r\n\r\n"
)

// A client that hangs up while it waits is noticed at once, whatever it sent before, and is written nothing.
func TestHangingUpOnAWait(t *testing.T) {
	for name, request := range map[string]string{
		"no body": askCode + "\r\n", "body": askCode + "Content-Length: 2\r\n\r\n{}", "wait": strings.Replace(askCode,
			"code", "wait", 1) + "\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &fake{hold: newHold(time.Hour)}
				serveOn(t, f, func(conn net.Conn) {
					_, _ = io.WriteString(conn, request)
					<-f.hold.entered
					time.Sleep(5 * time.Second)
					_ = conn.Close()
					synctest.Wait()
					select {
					case <-f.hold.left:
					default:
						t.Error("the client was not missed")
					}
				})
			})
		})
	}
}

// The same without a connection: nothing is written, nothing is logged, and it does not count as our fault.
func TestNothingForThoseWhoAreGone(t *testing.T) {
	for _, path := range []string{"/v1/code", "/v1/wait", "/v1/events"} {
		f := &fake{hold: newHold(time.Hour), err: context.Canceled}
		api, log := newAPI(f)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		w := httptest.NewRecorder()
		func() {
			defer func() {
				if p := recover(); p != http.ErrAbortHandler {
					t.Errorf("%s: %v", path, p)
				}
			}()
			api.ServeHTTP(w, scenario{path: path}.request().WithContext(ctx))
		}()
		if w.Body.Len() > 0 || log.Len() > 0 {
			t.Errorf("%s: wrote %s, logged %s", path, w.Body, log)
		}
		page := httptest.NewRecorder()
		api.MetricsHandler().ServeHTTP(page, httptest.NewRequest("GET", "/metrics", nil))
		if want := `route="` + path + `",status="4xx"} 1`; !strings.Contains(page.Body.String(), want) {
			t.Errorf("%s: the metrics lack %s", path, want)
		}
	}
}

// A wait outlasts the time that a body may take, once the body is there.
func TestWaitAfterABody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{hold: newHold(stallTime + 10*time.Second)}
		serveOn(t, f, func(conn net.Conn) {
			resp := talk(t, conn, askCode+"Content-Length: 2\r\n\r\n{}")
			if body, _ := io.ReadAll(resp.Body); resp.StatusCode != 200 || string(body) != `{"code":null}` {
				t.Errorf("%d %s", resp.StatusCode, body)
			}
		})
	})
}

// A body that does not come holds a wait up no longer than any other request.
func TestWaitForABody(t *testing.T) {
	onOwnClock(t, &fake{}, func(t *testing.T, conn net.Conn) {
		began := time.Now()
		resp := talk(t, conn, askCode+"Content-Length: 2\r\n\r\n{")
		if took := time.Since(began); resp.StatusCode != http.StatusRequestTimeout || took != bodyTime {
			t.Errorf("%d after %v", resp.StatusCode, took)
		}
	})
}

// Whoever sends the next request while the first still waits gets both answers, in order.
func TestPipelinedWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{hold: newHold(5 * time.Second)}
		serveOn(t, f, func(conn net.Conn) {
			go func() { _, _ = io.WriteString(conn, askCode+"\r\n"+askMe) }()
			from := bufio.NewReader(conn)
			for _, want := range []string{`{"code":null}`, `"worker":"mailkin"`} {
				resp, err := http.ReadResponse(from, nil)
				if err != nil {
					t.Fatal(err)
				}
				if body, _ := io.ReadAll(resp.Body); resp.StatusCode != 200 || !strings.Contains(string(body), want) {
					t.Errorf("%d %s", resp.StatusCode, body)
				}
			}
		})
	})
}

// startHTTP2 serves an interface over HTTP/2 and returns a request for one of its paths.
func startHTTP2(t *testing.T, f *fake, path string) (*httptest.Server, *http.Request) {
	t.Helper()
	api, _ := newAPI(f)
	srv := httptest.NewUnstartedServer(api)
	srv.EnableHTTP2 = true
	srv.StartTLS()
	t.Cleanup(srv.Close)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, srv.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+keyMailbox)
	return srv, r
}

func TestStreamOverHTTP2(t *testing.T) {
	srv, r := startHTTP2(t, &fake{stream: &fakeStream{script: []moment{{events: []mailbox.Event{received(1, "Hi")}}}}},
		"/v1/events")
	resp, err := srv.Client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if string(body) != preamble+frame(1, "Hi") || err != nil || resp.ProtoMajor != 2 ||
		resp.Header.Get("Connection") != "" {
		t.Errorf("%s %v: %q, %v", resp.Proto, resp.Header, body, err)
	}
}

// Over HTTP/2 a request that is given up is noticed as well, although its connection stays.
func TestHangingUpOverHTTP2(t *testing.T) {
	f := &fake{hold: newHold(time.Hour)}
	srv, r := startHTTP2(t, f, "/v1/wait")
	ctx, cancel := context.WithCancel(t.Context())
	r = r.WithContext(ctx)
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		if resp, err := srv.Client().Do(r); err == nil {
			_ = resp.Body.Close()
			t.Errorf("it was answered with %s %s", resp.Proto, resp.Status)
		}
	}()
	<-f.hold.entered
	cancel()
	<-f.hold.left
	<-gone
}
