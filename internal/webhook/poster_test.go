package webhook

import (
	"bufio"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
)

// What goes over the wire, header by header.
func TestHeaders(t *testing.T) {
	r := startReceiver(t, nil)
	s := shipment(r.URL + "/hook?a=b#c")
	s.At = time.Unix(1767225600, 999_000_000)
	o := newPoster(t, Options{}).Post(t.Context(), s)
	if !o.OK() || o.Status != 204 || o.Error != "" || o.Duration <= 0 {
		t.Fatalf("%+v", o)
	}
	posts := r.all()
	if len(posts) != 1 || posts[0].body != testBody || posts[0].path != "/hook?a=b" {
		t.Fatalf("received %+v", posts)
	}
	hexMAC := func(key []byte, text string) []byte {
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(text))
		return mac.Sum(nil)
	}
	want := map[string]string{
		"X-Webhook-Signature": "sha256=" + hex.EncodeToString(hexMAC(deploymentSecret, testBody)),
		"X-Webhook-Event":     "message.received",
		"X-Webhook-Id":        "0199e5a4-7c1e-7cc1-b8a5-1f2c3d4e5f60",
		"X-Webhook-Timestamp": "1767225600",
		"Webhook-Id":          testID,
		"Webhook-Timestamp":   "1767225600",
		"Webhook-Signature": "v1," + base64.StdEncoding.EncodeToString(hexMAC(mailboxSecret,
			testID+".1767225600."+testBody)),
		"Svix-Id":        testID,
		"Svix-Timestamp": "1767225600",
		"Svix-Signature": "v1," + base64.StdEncoding.EncodeToString(hexMAC(mailboxSecret,
			testID+".1767225600."+testBody)),
		"Content-Type":   "application/json",
		"User-Agent":     "Mailkin/1.2.3 (+webhook)",
		"Content-Length": strconv.Itoa(len(testBody)),
	}
	for name, value := range want {
		if got := posts[0].header.Values(name); len(got) != 1 || got[0] != value {
			t.Errorf("%s: %q, want %q", name, got, value)
		}
	}
	for name := range posts[0].header {
		if _, ok := want[name]; !ok {
			t.Errorf("%s is sent too", name)
		}
	}
}

// What is said of an attempt afterwards is what was sent, but for what the URL says of a user.
func TestHeadersAreKnownAfterwards(t *testing.T) {
	r := startReceiver(t, nil)
	p := newPoster(t, Options{})
	job := service.HookJob{Hook: mailbox.Hook{ID: mailbox.NewID(time.Now()), URL: strings.Replace(r.URL, "//",
		"//robin:pass@", 1), Kind: mailbox.MessageBounced,
		Message: mailbox.NewID(time.Now()), Body: []byte(testBody)}, Secret: deploymentSecret,
		MailboxSecret: mailboxSecret}
	a := p.Attempt(t.Context(), job)
	if !a.OK() {
		t.Fatalf("%+v", a)
	}
	sent := r.all()[0].header
	said := p.Headers(job, mailbox.DecodeAttempts(mailbox.EncodeAttempts([]mailbox.HookAttempt{a}))[0].At)
	if len(said) != len(sent)-1 { // Content-Length
		t.Errorf("said %v, sent %v", said, sent)
	}
	for name, value := range said {
		if name == "Authorization" {
			value = "Basic cm9iaW46cGFzcw=="
			if strings.Contains(said[name], "cm9") {
				t.Errorf("%s: %s", name, said[name])
			}
		}
		if got := sent.Get(name); got != value {
			t.Errorf("%s: said %q, sent %q", name, value, got)
		}
	}
	job.URL = "http://bad host"
	if got := p.Headers(job, a.At); got != nil {
		t.Errorf("of what cannot be posted: %v", got)
	}
}

// Known values: the usual example of HMAC-SHA256, and that of Standard Webhooks.
func TestSignatures(t *testing.T) {
	if got, want := bodySignature([]byte("key"), []byte("The quick brown fox jumps over the lazy dog")),
		"sha256=f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		t.Fatal(err)
	}
	got := standardSignature(key, "msg_p5jXN8AQM9LWM0D4loKWxJek", time.Unix(1614265330, 0),
		[]byte(`{"test": 2432232314}`))
	if want := "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := formatSecret(key); got != secret {
		t.Errorf("%s, want %s", got, secret)
	}
}

func TestStatus(t *testing.T) {
	for status, ok := range map[int]bool{
		200: true, 201: true, 202: true, 204: true, 226: true, 299: true,
		300: false, 301: false, 302: false, 304: false, 307: false, 308: false, 400: false, 401: false, 404: false,
		410: false, 429: false, 500: false, 503: false, 600: false, 999: false,
	} {
		t.Run(strconv.Itoa(status), func(t *testing.T) {
			r := startReceiver(t, answer(status, ""))
			o := newPoster(t, Options{}).Post(t.Context(), shipment(r.URL))
			if o.Status != status || o.OK() != ok || (o.Error == "") != ok {
				t.Errorf("%+v", o)
			}
			if !ok && !strings.Contains(o.Error, strconv.Itoa(status)) {
				t.Errorf("says %q", o.Error)
			}
		})
	}
}

// A redirect is a failure, and nobody goes where it points: not from a public receiver to a private one, nor elsewhere.
func TestRedirect(t *testing.T) {
	tr := newTrap(t)
	for _, status := range []int{301, 302, 303, 307, 308} {
		r := startReceiver(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "http://127.0.0.1:"+tr.port+"/")
			w.WriteHeader(status)
		})
		o := newPoster(t, Options{}).Post(t.Context(), shipment(r.URL))
		if want := fmt.Sprintf("The receiver answered %d: redirects are not followed.", status); o.OK() ||
			o.Status != status || o.Error != want {
			t.Errorf("%+v", o)
		}
		if tr.hits.Load() != 0 || len(r.all()) != 1 {
			t.Errorf("%d was followed", status)
		}
	}
}

func TestUnusable(t *testing.T) {
	r := startReceiver(t, nil)
	for _, tt := range []struct {
		name, says string
		change     func(*Shipment)
	}{
		{"no URL", saysURL, func(s *Shipment) { s.URL = "" }},
		{"another scheme", saysURL, func(s *Shipment) { s.URL = "ftp" + strings.TrimPrefix(s.URL, "http") }},
		{"no host", saysURL, func(s *Shipment) { s.URL = "http://:80/" }},
		{"no port of a number", saysURL, func(s *Shipment) { s.URL = "http://127.0.0.1:x/" }},
		{"unsigned", "The event could not be signed.", func(s *Shipment) { s.Secret = nil }},
		{"unsigned for the mailbox", "The event could not be signed.",
			func(s *Shipment) { s.MailboxSecret = []byte{} }},
		{"header of two lines", "The receiver's answer could not be read.",
			func(s *Shipment) { s.Event = "a\r\nX-Injected: b" }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := shipment(r.URL)
			tt.change(&s)
			if o := newPoster(t, Options{}).Post(t.Context(), s); o.OK() || o.Status != 0 || o.Error != tt.says {
				t.Errorf("%+v", o)
			}
		})
	}
	if n := len(r.all()); n != 0 {
		t.Errorf("%d were sent", n)
	}
}

// The user and password of a URL are sent, and stand in neither outcome nor log.
func TestUserInURL(t *testing.T) {
	var log strings.Builder
	logger := slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	r := startReceiver(t, nil)
	p := newPoster(t, Options{Log: logger})
	secret := func(url string) string {
		return strings.Replace(url, "//", "//robin:p%40ss-w0rd@", 1) + "/path-s3cret?key=query-s3cret"
	}
	if o := p.Post(t.Context(), shipment(secret(r.URL))); !o.OK() {
		t.Fatalf("%+v", o)
	}
	if got, want := r.all()[0].header.Get("Authorization"),
		"Basic "+base64.StdEncoding.EncodeToString([]byte("robin:p@ss-w0rd")); got != want {
		t.Errorf("sent %q", got)
	}
	r.Close()
	p.Close()
	said := ""
	for _, o := range []Outcome{
		p.Post(t.Context(), shipment(secret(r.URL))),
		p.Post(t.Context(), shipment(secret("http://bad host"))),
		newPoster(t, Options{Log: logger, AllowPrivate: func(netip.Addr) bool { return false }}).Post(t.Context(),
			shipment(secret(r.URL))),
	} {
		if o.OK() {
			t.Errorf("%+v", o)
		}
		said += o.Error
	}
	for _, word := range []string{"robin", "ss-w0rd", "s3cret",
		base64.StdEncoding.EncodeToString([]byte("robin:p@ss-w0rd"))} {
		if strings.Contains(log.String()+said, word) {
			t.Errorf("%q is in\n%s%s", word, log.String(), said)
		}
	}
	host := strings.TrimPrefix(r.URL, "http://")
	if strings.Contains(said, host) || !strings.Contains(log.String(), host) || !strings.Contains(log.String(),
		"level=WARN") {
		t.Errorf("the log says\n%sthe outcomes\n%s", log.String(), said)
	}
}

// Proxies in the environment get nothing.
func TestNoProxy(t *testing.T) {
	proxy, r := startReceiver(t, nil), startReceiver(t, nil)
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"} {
		t.Setenv(name, proxy.URL)
	}
	// A proxy is never used for loopback addresses, so it takes a name.
	p := newPoster(t, Options{Resolver: nameServer(t, thisMachine)})
	if p.transport.Proxy != nil {
		t.Error("the transport asks for a proxy")
	}
	_, port, _ := strings.Cut(strings.TrimPrefix(r.URL, "http://"), ":")
	if o := p.Post(t.Context(), shipment("http://hook.example:"+port)); !o.OK() || len(r.all()) != 1 ||
		len(proxy.all()) != 0 {
		t.Errorf("%+v, %d by the proxy", o, len(proxy.all()))
	}
}

// Posts one after the other share a connection.
func TestConnections(t *testing.T) {
	r := startReceiver(t, answer(200, "ok"))
	p := newPoster(t, Options{})
	for range 20 {
		if o := p.Post(t.Context(), shipment(r.URL)); !o.OK() {
			t.Fatalf("%+v", o)
		}
	}
	if n := r.connections(); n != 1 {
		t.Errorf("%d connections", n)
	}
}

// A kept connection that the receiver closes just as the next event is on its way costs no attempt.
func TestStaleConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var conns, posts atomic.Int32
		p := pipePoster(t, func(conn net.Conn) {
			conns.Add(1)
			in := bufio.NewReader(conn)
			for n := 0; ; n++ {
				req, err := http.ReadRequest(in)
				if err != nil {
					return
				}
				_, _ = io.Copy(io.Discard, req.Body)
				posts.Add(1)
				if n == 1 {
					return
				}
				_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
			}
		})
		for range 3 {
			if o := p.Post(t.Context(), shipment("http://hook.example/")); !o.OK() {
				t.Errorf("%+v", o)
			}
			synctest.Wait() // the connection is kept
		}
		if conns.Load() != 3 || posts.Load() != 5 {
			t.Errorf("%d connections, %d posts", conns.Load(), posts.Load())
		}
	})
}

// The caller's own end is told from the receiver's slowness.
func TestBrokenOff(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r := startReceiver(t, func(_ http.ResponseWriter, req *http.Request) {
		cancel()
		<-req.Context().Done()
	})
	if o := newPoster(t, Options{}).Post(ctx, shipment(r.URL)); o.OK() || o.Error != "The attempt was broken off." {
		t.Errorf("%+v", o)
	}
}
