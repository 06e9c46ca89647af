package test

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A call that waits for a code answers within a moment of the mail's 250: it is woken.
func TestWaitIsWoken(t *testing.T) {
	srv := start(t)
	const rounds = 9
	var took []time.Duration
	for i := range rounds {
		b := srv.mailbox(t, fmt.Sprintf("waiting%d", i))
		waiting := b.dial(t, "/code?timeout=55")
		srv.awaitCalls(t, 1)
		srv.deliver(t, codeMail("200002"), b.address)
		began := time.Now()
		var a codeAnswer
		waiting.answer(t).into(t, &a)
		took = append(took, time.Since(began))
		if a.value() != "200002" {
			t.Fatalf("got %+v", a)
		}
	}
	slices.Sort(took)
	t.Logf("answered after %v to %v", took[0], took[rounds-1])
	if took[rounds/2] > 250*time.Millisecond {
		t.Errorf("half of the answers took %v or more: %v", took[rounds/2], took)
	}
}

// A client that hangs up frees its place at once, long before its call would have ended.
func TestHangUpFreesPlace(t *testing.T) {
	srv := start(t, "MAILKIN_LIMIT_STREAMS_PER_MAILBOX=2")
	b, other := srv.mailbox(t, "narrow"), srv.mailbox(t, "roomy")
	for _, path := range []string{"/code?timeout=55", "/wait?timeout=55&subject=never", "/events"} {
		for name, leave := range map[string]func(*call){"end": (*call).hangUp, "reset": (*call).reset} {
			t.Run(path+" "+name, func(t *testing.T) {
				staying, leaving := b.fill(t, path)
				if !other.admits(t) {
					t.Error("another mailbox is full as well")
				}
				leave(leaving)
				eventually(t, func() error {
					if !b.admits(t) {
						return fmt.Errorf("the place is not free")
					}
					return nil
				})
				staying.hangUp()
				srv.awaitCalls(t, 0)
			})
		}
	}
}

// fill opens three calls where there is room for two, and returns the two that were not refused: once one is, they are
// known to have their places.
func (b box) fill(t *testing.T, path string) (one, two *call) {
	t.Helper()
	type refused struct {
		call   int
		answer answer
	}
	first := make(chan refused, 3)
	var calls []*call
	for i := range 3 {
		c := b.dial(t, path)
		calls = append(calls, c)
		go func() {
			a, _ := c.whole()
			first <- refused{i, a}
		}()
	}
	r := <-first
	if r.answer.status != http.StatusTooManyRequests || r.answer.header.Get("Retry-After") == "" {
		t.Fatalf("got %d %s %v", r.answer.status, r.answer.body, r.answer.header)
	}
	checkError(t, r.answer, true, "too_many_streams")
	calls = slices.Delete(calls, r.call, r.call+1)
	return calls[0], calls[1]
}

// admits tells whether there is a place for another stream.
func (b box) admits(t testing.TB) bool {
	t.Helper()
	c := b.dial(t, "/events")
	defer c.hangUp()
	if err := c.pickUp(); err != nil {
		t.Fatal(err)
	}
	return c.resp.StatusCode == http.StatusOK
}

// Of two callers that wait for the same code with consume, one gets it. The other waits on and gets the next.
func TestConsumeOnce(t *testing.T) {
	t.Parallel()
	srv := start(t)
	b := srv.mailbox(t, "two-agents")
	answers := make(chan answer, 2)
	for range 2 {
		c := b.dial(t, "/code?timeout=55&consume=true")
		go func() {
			a, _ := c.whole()
			answers <- a
		}()
	}
	looking := b.dial(t, "/code?timeout=55")
	srv.awaitCalls(t, 3)
	var a codeAnswer
	srv.deliver(t, codeMail("300001"), b.address)
	if (<-answers).into(t, &a); a.value() != "300001" {
		t.Errorf("one caller got %+v", a)
	}
	if looking.answer(t).into(t, &a); a.value() != "300001" {
		t.Errorf("the one who only looks got %+v", a)
	}
	srv.deliver(t, codeMail("300002"), b.address)
	if (<-answers).into(t, &a); a.value() != "300002" {
		t.Errorf("the other caller got %+v", a)
	}
	if a := b.code(t, "timeout=1&consume=true"); a.value() != "" {
		t.Errorf("a third caller got %+v", a)
	}
}

// A stop ends streams in good order and answers those who wait, and does not wait for them.
func TestStopEndsCalls(t *testing.T) {
	srv := start(t, endlessStreams, "MAILKIN_SHUTDOWN_GRACE=1m")
	var streams, waits []*call
	for i := range 4 {
		b := srv.mailbox(t, fmt.Sprintf("open%d", i))
		for range 3 {
			streams = append(streams, b.stream(t, "", nil))
		}
		waits = append(waits, b.dial(t, "/code?timeout=55"), b.dial(t, "/wait?timeout=55"))
	}
	srv.awaitCalls(t, len(streams)+len(waits))
	began := time.Now()
	srv.signal(t, syscall.SIGTERM)
	if status := srv.exit(t); status != 0 {
		t.Errorf("status %d: %s", status, srv.stderr)
	}
	took := time.Since(began)
	t.Logf("stopped after %v", took)
	if took > 20*time.Second {
		t.Errorf("it took %v to stop", took)
	}
	for _, c := range streams {
		c.mustEnd(t)
	}
	for _, c := range waits {
		a := c.answer(t)
		if a.status != 503 || a.header.Get("Retry-After") == "" {
			t.Errorf("%s: %d %s", c.q.URL, a.status, a.body)
		}
		checkError(t, a, true, "stopping")
	}
	srv.checkLog()
}

// A stream says at once that it is there, gives signs of life, and is closed by the server in good order when its time
// is up.
func TestStreamTime(t *testing.T) {
	srv := start(t, "MAILKIN_LIMIT_STREAM=1s", "MAILKIN_LIMIT_KEEPALIVE=100ms")
	b := srv.mailbox(t, "quiet")
	for _, prefix := range []string{"/v1", "/api"} {
		b.prefix = prefix
		began := time.Now()
		a := b.ask(t, "GET", "/events", "")
		if took := time.Since(began); took < time.Second || a.status != 200 ||
			a.header.Get("Content-Type") != "text/event-stream" {
			t.Errorf("%d after %v, headers %v", a.status, took, a.header)
		}
		if !bytes.HasPrefix(a.body, []byte("retry: 1000\n\n: keepalive\n\n: keepalive\n\n")) ||
			strings.Trim(strings.ReplaceAll(string(a.body), ": keepalive\n\n", ""), "\n") != "retry: 1000" {
			t.Errorf("the stream is %q", a.body)
		}
	}
}

// A key that ends takes its streams and waiting calls with it, and nobody else's.
func TestKeyEndsCalls(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		end  func(t *testing.T, b box)
	}{
		{"rotated", func(t *testing.T, b box) { b.ask(t, "POST", "/keys/rotate", "") }},
		{"revoked", func(t *testing.T, b box) {
			var list struct{ Keys []struct{ ID string } }
			b.srv.get(t, b.srv.token, "/v1/mailboxes/"+b.address+"/keys", &list)
			b.srv.do(t, request{method: "DELETE", path: "/v1/keys/" + list.Keys[0].ID, key: b.srv.token}, 200, nil)
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			srv := start(t, endlessStreams)
			b := srv.mailbox(t, "keys")
			var made struct {
				Key string `json:"api_key"`
			}
			srv.do(t, request{method: "POST", path: "/v1/mailboxes/" + b.address + "/keys", key: srv.token}, 201, &made)
			other := box{srv: srv, address: b.address, key: made.Key, prefix: "/v1"}
			stream, staying := b.stream(t, "", nil), other.stream(t, "", nil)
			operators := box{srv: srv, key: srv.token, prefix: "/v1"}.stream(t, "mailbox="+b.address, nil)
			wait := b.dial(t, "/code?timeout=55")
			srv.awaitCalls(t, 4)
			tt.end(t, b)
			stream.mustEnd(t)
			if a := wait.answer(t); a.status != 401 || string(a.body) != unauthorized {
				t.Errorf("the call that waits: %d %s", a.status, a.body)
			}
			srv.deliver(t, mail("afterwards"), b.address)
			staying.mustNext(t)
			operators.mustNext(t)
		})
	}
}

// The first use of a claimed mailbox's new key ends what the temporary one has open.
func TestNewOwnerEndsCalls(t *testing.T) {
	t.Parallel()
	srv := start(t, endlessStreams, "MAILKIN_CLAIM=open")
	b := srv.bootstrap(t)
	c := b.startClaim(t, "")
	stream, wait := b.stream(t, "", nil), b.dial(t, "/wait?timeout=55")
	confirmed(t, c.submit(t, srv, ""))
	owner := box{srv: srv, key: c.poll(t, srv).Key, prefix: "/v1"}
	srv.awaitCalls(t, 2) // confirming and polling end nothing
	owner.inbox(t)
	stream.mustEnd(t)
	if a := wait.answer(t); a.status != 401 || string(a.body) != unauthorized {
		t.Errorf("the call that waits: %d %s", a.status, a.body)
	}
}
