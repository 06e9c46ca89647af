package webhook

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/miekg/dns"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	testBody = `{"event":"message.received","email_id":"0199e5a4-7c1e-7cc1-b8a5-1f2c3d4e5f60","subject":"Grüße"}`
	testID   = "msg_0199e5a47c1e7cc1"
)

var (
	deploymentSecret = []byte("deployment secret for tests")
	mailboxSecret    = []byte("\x00\x01mailbox secret \xfe\xff of 32 bytes")
)

func shipment(url string) Shipment {
	return Shipment{URL: url, Event: "message.received", EmailID: "0199e5a4-7c1e-7cc1-b8a5-1f2c3d4e5f60", ID: testID,
		Body: []byte(testBody), Secret: deploymentSecret, MailboxSecret: mailboxSecret, At: time.Now()}
}

func anywhere(netip.Addr) bool { return true }

// newPoster is a Poster that may post to this machine, unless the options say otherwise.
func newPoster(t testing.TB, o Options) *Poster {
	t.Helper()
	if o.AllowPrivate == nil {
		o.AllowPrivate = anywhere
	}
	o.Version = "1.2.3"
	p := New(o)
	t.Cleanup(p.Close)
	return p
}

// received is a request that came to a receiver.
type received struct {
	header http.Header
	body   string
	proto  string
	path   string
	host   string
}

// receiver notes what is posted to it and answers with a handler.
type receiver struct {
	*httptest.Server
	mu    sync.Mutex
	posts []received
	conns int
}

func (r *receiver) all() []received {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.posts
}

func (r *receiver) connections() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.conns
}

// newReceiver makes a receiver that is not yet started. A nil handler answers 204.
func newReceiver(t testing.TB, answer http.HandlerFunc) *receiver {
	t.Helper()
	r := new(receiver)
	r.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, _ := io.ReadAll(req.Body)
		r.mu.Lock()
		r.posts = append(r.posts, received{header: req.Header, body: string(body), proto: req.Proto,
			path: req.RequestURI, host: req.Host})
		r.mu.Unlock()
		if answer == nil {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		answer(w, req)
	}))
	r.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			r.mu.Lock()
			r.conns++
			r.mu.Unlock()
		}
	}
	r.Config.ErrorLog = log.New(io.Discard, "", 0)
	t.Cleanup(r.Server.Close)
	return r
}

func startReceiver(t testing.TB, answer http.HandlerFunc) *receiver {
	t.Helper()
	r := newReceiver(t, answer)
	r.Start()
	return r
}

// nameServer answers questions for A and AAAA with the addresses of that kind that its function gives for the name.
func nameServer(t testing.TB, answer func(name string, kind uint16) []string) *net.Resolver {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	up := make(chan struct{})
	srv := &dns.Server{PacketConn: conn, NotifyStartedFunc: func() { close(up) },
		Handler: dns.HandlerFunc(func(w dns.ResponseWriter, req *dns.Msg) {
			q := req.Question[0]
			_ = w.WriteMsg(addresses(req, answer(strings.TrimSuffix(q.Name, "."), q.Qtype)))
		})}
	done := make(chan error, 1)
	go func() { done <- srv.ActivateAndServe() }()
	<-up
	t.Cleanup(func() {
		if err := errors.Join(srv.Shutdown(), <-done); err != nil {
			t.Error(err)
		}
	})
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", conn.LocalAddr().String())
	}}
}

func addresses(req *dns.Msg, texts []string) *dns.Msg {
	m := new(dns.Msg).SetReply(req)
	m.RecursionAvailable = true
	q := req.Question[0]
	header := dns.RR_Header{Name: q.Name, Rrtype: q.Qtype, Class: dns.ClassINET}
	for _, text := range texts {
		switch ip, v6 := net.ParseIP(text), strings.Contains(text, ":"); {
		case q.Qtype == dns.TypeA && !v6:
			m.Answer = append(m.Answer, &dns.A{Hdr: header, A: ip})
		case q.Qtype == dns.TypeAAAA && v6:
			m.Answer = append(m.Answer, &dns.AAAA{Hdr: header, AAAA: ip})
		}
	}
	return m
}

// answer returns a handler that answers with a status and a body.
func answer(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}
