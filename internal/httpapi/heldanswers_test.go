package httpapi

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// Of long answers there are so many bytes in memory, and no client has all of them. Whoever reads gets room from
// whoever does not.
func TestHeldAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l longAnswers
		const piece = heldShare / 2
		open := func(client string, n int) (*response, error) {
			w := newResponse(&discard{header: http.Header{}})
			w.answers, w.client = &l, client
			return w, l.hold(t.Context(), w, n)
		}
		must := func(client string, n int) *response {
			t.Helper()
			w, err := open(client, n)
			if err != nil {
				t.Fatalf("%s: %v", client, err)
			}
			return w
		}
		first, second := must("a", piece), must("a", piece)
		if _, err := first.Write([]byte("x")); err != nil {
			t.Fatal(err)
		}
		moving, stop := context.WithCancel(t.Context())
		stopped := make(chan struct{})
		go func() { // both of them take something now and then
			defer close(stopped)
			for moving.Err() == nil {
				time.Sleep(heldStall / 2)
				_, _ = first.Write([]byte("x"))
				_, _ = second.Write([]byte("x"))
			}
		}()
		if _, err := open("a", piece); !errors.Is(err, errTooMuchHeld) {
			t.Errorf("more than its share: %v", err)
		}
		other := must("b", piece) // the rest is for others
		stop()
		<-stopped
		time.Sleep(heldStall)
		_, _ = second.Write([]byte("x"))
		third := must("a", piece)
		if !first.cut.Load() || second.cut.Load() || other.cut.Load() {
			t.Error("not the one was cut off that has stood still the longest")
		}
		must("b", piece)
		time.Sleep(2 * heldStall)
		must("c", 3*heldMost) // alone it may be as large as it likes
		for w := range l.open {
			l.remove(w)
		}
		if l.held.bytes != 0 || len(l.held.clients) != 0 || third.held != 0 {
			t.Errorf("%d bytes are left of %d clients", l.held.bytes, len(l.held.clients))
		}
	})
}

// longMail has a mail of three megabytes.
type longMail struct{ *fake }

var threeMegabytes = strings.Repeat("a line of the text", 3<<20/18)

func (s longMail) Message(context.Context, service.Access, mailbox.ID, service.MessageOptions) (service.FullMessage,
	error) {
	m := s.full()
	m.Detail.Text = threeMegabytes
	return m, nil
}

// Enter notes nothing: many ask at once.
func (longMail) Enter(_ context.Context, who mailbox.Caller, act service.Act) (service.Access, error) {
	return service.Access{Act: act, Caller: who, Box: who.Mailbox}, nil
}

// Admit notes nothing either.
func (longMail) Admit(netip.Addr, mailbox.Secret) ([]service.Rate, error) { return nil, nil }

// Clients that ask and do not read take a bounded part of the memory, and hold nobody up who does.
func TestSlowReadersMemory(t *testing.T) {
	const clients, most = 60, 90 << 20 // half of what they would take
	var asked, over atomic.Int32
	api := New(longMail{&fake{}}, newConfig(io.Discard))
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		defer over.Add(1)
		api.ServeHTTP(w, r)
	}))
	srv.Config.ConnState = func(c net.Conn, s http.ConnState) {
		if s == http.StateNew {
			_ = c.(*net.TCPConn).SetWriteBuffer(64 << 10) // else the system takes whole answers
		}
	}
	srv.Start()
	t.Cleanup(srv.Close)
	before := heapInUse()
	for range clients {
		c := askMail(t, srv)
		_ = c.(*net.TCPConn).SetReadBuffer(16 << 10)
		t.Cleanup(func() { _ = c.Close() })
	}
	settled := func() bool {
		api.answers.mu.Lock()
		defer api.answers.mu.Unlock()
		return asked.Load() == clients && int(over.Load())+len(api.answers.open) == clients &&
			api.answers.held.waiting == 0
	}
	for !settled() {
		time.Sleep(10 * time.Millisecond)
	}
	if held := heapInUse() - before; held > most {
		t.Errorf("%d MB are held for those who do not read", held>>20)
	}
	resp, err := http.ReadResponse(bufio.NewReader(askMail(t, srv)), nil)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("who reads: %v, %v", resp, err)
	}
	if n, err := io.Copy(io.Discard, resp.Body); err != nil || n < int64(len(threeMegabytes)) {
		t.Errorf("who reads gets %d bytes, %v", n, err)
	}
}

// askMail asks for a mail.
func askMail(t *testing.T, srv *httptest.Server) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", srv.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	_, err = fmt.Fprintf(c, "GET /v1/email?id=%s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n", fakeID,
		keyMailbox)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func heapInUse() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
