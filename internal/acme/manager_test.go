package acme

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/zap"

	"github.com/mailkin/mailkin/internal/acme/pebbletest"
	"github.com/mailkin/mailkin/internal/store/postgres"
	"github.com/mailkin/mailkin/internal/store/postgres/pgtest"
)

const patience = 60 * time.Second

// node is a Manager with its two listeners.
type node struct {
	m         *Manager
	tls, http net.Listener
	logged    *lockedBuffer
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// hello is what a handshake asks with.
func hello(name string) *tls.ClientHelloInfo {
	conn, _ := net.Pipe()
	return &tls.ClientHelloInfo{ServerName: name, Conn: conn}
}

var errFallback = errors.New("there is only the fallback")

// newNode makes a node that listens, and is not yet run.
func newNode(t *testing.T, ca *pebbletest.Server, storage Storage, names ...string) *node {
	t.Helper()
	n := &node{tls: listenTCP(t), http: listenTCP(t), logged: &lockedBuffer{}}
	n.m = New(Options{Names: names, Email: "ops@example.com", Directory: ca.Directory, Storage: storage,
		Roots:    ca.Roots,
		Fallback: func() (*tls.Certificate, error) { return nil, errFallback },
		Log:      slog.New(slog.NewTextHandler(n.logged, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	t.Cleanup(func() { _ = n.m.Close() })
	secure := &http.Server{Handler: http.NotFoundHandler(), ErrorLog: slog.NewLogLogger(slog.DiscardHandler, 0),
		TLSConfig: &tls.Config{GetCertificate: n.m.Certificate, NextProtos: []string{"h2", "http/1.1", Protocol}}}
	plain := &http.Server{Handler: n.m.Handler()}
	serving := sync.WaitGroup{}
	serving.Go(func() { _ = secure.ServeTLS(n.tls, "", "") })
	serving.Go(func() { _ = plain.Serve(n.http) })
	t.Cleanup(func() {
		_, _ = secure.Close(), plain.Close()
		serving.Wait()
	})
	return n
}

func listenTCP(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	return l
}

// run runs the node until the test ends, or the function that it returns is called.
func (n *node) run(t *testing.T, withHTTP bool) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	doors := Doors{TLS: n.tls.Addr().String()}
	if withHTTP {
		doors.HTTP = n.http.Addr().String()
	}
	go func() { ended <- n.m.Run(ctx, doors) }()
	once := sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("Run: %v", err)
		}
	})
	t.Cleanup(once)
	return once
}

// shows waits until the node has a certificate for the name that the authority's roots verify.
func (n *node) shows(t *testing.T, ca *pebbletest.Server, name string) *x509.Certificate {
	t.Helper()
	deadline := time.Now().Add(patience)
	for {
		c, err := tls.DialWithDialer(&net.Dialer{Timeout: patience}, "tcp", n.tls.Addr().String(),
			&tls.Config{ServerName: name, RootCAs: ca.Issuers})
		if err == nil {
			defer c.Close()
			return c.ConnectionState().PeerCertificates[0]
		}
		if time.Now().After(deadline) {
			t.Fatalf("no certificate for %s: %v; log:\n%s", name, err, n.logged)
		}
		time.Sleep(20 * time.Millisecond) // nothing tells when it is there
	}
}

func TestObtain(t *testing.T) {
	ca := pebbletest.Start(t)
	for _, tt := range []struct {
		name     string
		withHTTP bool
	}{
		{"within the handshake", false},
		{"over plain HTTP", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before := ca.Orders()
			storage := Folder(t.TempDir())
			n := newNode(t, ca, storage, "mx.example.test", "api.example.test")
			if tt.withHTTP { // and the other door is closed
				ca.Forward([]string{n.http.Addr().String()}, nil)
			} else {
				ca.Forward(nil, []string{n.tls.Addr().String()})
			}
			if _, err := n.m.Certificate(hello("mx.example.test")); !errors.Is(err, errFallback) {
				t.Errorf("before there is one: %v", err)
			}
			stop := n.run(t, tt.withHTTP)
			first := n.shows(t, ca, "mx.example.test")
			n.shows(t, ca, "api.example.test")
			for _, asked := range []string{"", "elsewhere.test", "MX.Example.Test."} {
				cert, err := n.m.Certificate(hello(asked))
				if err != nil || !bytes.Equal(cert.Certificate[0], first.Raw) {
					t.Errorf("asked for %q: %v", asked, err)
				}
			}
			stop()
			again := newNode(t, ca, storage, "mx.example.test", "api.example.test")
			again.run(t, tt.withHTTP)
			if !again.shows(t, ca, "mx.example.test").Equal(first) {
				t.Error("after a restart it is another one")
			}
			again.shows(t, ca, "api.example.test")
			if n := ca.Orders() - before; n != 2 {
				t.Errorf("%d certificates were issued for two names", n)
			}
			for _, secret := range []string{"PRIVATE", "key_auth", "token"} {
				if strings.Contains(n.logged.String(), secret) {
					t.Errorf("%q is in the log", secret)
				}
			}
		})
	}
}

// Several nodes have one certificate between them, whichever of them the authority asks.
func TestNodesShare(t *testing.T) {
	for _, tt := range []struct {
		name string
		kv   func(t *testing.T) KV
	}{
		{"in memory", func(*testing.T) KV { return newTable() }},
		{"in PostgreSQL", certTable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			kv := tt.kv(t)
			ca := pebbletest.Start(t)
			var nodes []*node
			var doors []string
			for range 3 {
				n := newNode(t, ca, share(t, kv, "secret"), "mx.example.test")
				nodes, doors = append(nodes, n), append(doors, n.tls.Addr().String())
			}
			ca.Forward(nil, doors)
			for _, n := range nodes {
				n.run(t, false)
			}
			first := nodes[0].shows(t, ca, "mx.example.test")
			for i, n := range nodes {
				if !n.shows(t, ca, "mx.example.test").Equal(first) {
					t.Errorf("node %d has another one", i)
				}
			}
			if ca.Orders() != 1 {
				t.Errorf("%d certificates were issued", ca.Orders())
			}
			wantSealed(t, kv)
		})
	}
}

// certTable is the table of a real database.
func certTable(t *testing.T) KV {
	t.Helper()
	db, err := postgres.Open(t.Context(), pgtest.URL(t), postgres.Options{})
	must(t, err)
	t.Cleanup(func() { _ = db.Close() })
	return postgres.NewCerts(db.Pool())
}

// wantSealed wants no private key to be there to read.
func wantSealed(t *testing.T, kv KV) {
	t.Helper()
	keys, err := kv.List(t.Context(), "")
	must(t, err)
	for _, key := range keys {
		if value, err := kv.Load(t.Context(), key); err != nil || bytes.Contains(value, []byte("PRIVATE KEY")) {
			t.Errorf("%s is a private key for everybody to read, or nobody: %v", key, err)
		}
	}
	if len(keys) < 4 { // an account, its key, a certificate, its key
		t.Errorf("keys %v", keys)
	}
}

// An authority that cannot be reached is no reason not to end.
func TestRunEnds(t *testing.T) {
	dead := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }))
	defer dead.Close()
	roots := x509.NewCertPool()
	roots.AddCert(dead.Certificate())
	n := newNode(t, &pebbletest.Server{Directory: dead.URL, Roots: roots}, Folder(t.TempDir()), "mx.example.test")
	stop := n.run(t, false)
	if _, err := n.m.Certificate(hello("mx.example.test")); !errors.Is(err, errFallback) {
		t.Errorf("Certificate: %v", err)
	}
	for deadline := time.Now().Add(patience); n.m.States()["mx.example.test"].Error == ""; {
		if time.Now().After(deadline) {
			t.Fatalf("states %+v", n.m.States())
		}
		time.Sleep(20 * time.Millisecond) // nothing tells when it has failed
	}
	stop()
	if err := n.m.Run(context.Background(), Doors{TLS: "nonsense"}); err == nil {
		t.Error("an address that is none was taken")
	}
}

func TestHandler(t *testing.T) {
	ca := &pebbletest.Server{Directory: "https://127.0.0.1:1/dir"}
	n := newNode(t, ca, Folder(t.TempDir()), "mx.example.test")
	for _, tt := range []struct {
		name, method, host, path string
		key                      bool
		status                   int
		location                 string
	}{
		{"a page", "GET", "mx.example.test", "/claim?x=1", false, 308, "https://mx.example.test/claim?x=1"},
		{"with a port", "HEAD", "MX.example.test:80", "/", false, 308, "https://mx.example.test/"},
		{"a path that looks like a host", "GET", "mx.example.test", "//evil.test/", false, 308,
			"https://mx.example.test//evil.test/"},
		{"another name", "GET", "evil.test", "/", false, 404, ""},
		{"no challenge of ours", "GET", "mx.example.test", "/.well-known/acme-challenge/x", false, 308,
			"https://mx.example.test/.well-known/acme-challenge/x"},
		{"with something in it", "POST", "mx.example.test", "/v1/send", false, 403, ""},
		{"with a key", "GET", "mx.example.test", "/v1/inbox", true, 403, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := httptest.NewRequest(tt.method, "http://x"+tt.path, nil)
			r.Host = tt.host
			if tt.key {
				r.Header.Set("Authorization", "Bearer mk_x")
			}
			w := httptest.NewRecorder()
			n.m.Handler().ServeHTTP(w, r)
			if w.Code != tt.status || w.Header().Get("Location") != tt.location {
				t.Errorf("%d %q, want %d %q", w.Code, w.Header().Get("Location"), tt.status, tt.location)
			}
		})
	}
}

// Only what is meant to be shown comes through.
func TestBridge(t *testing.T) {
	var out bytes.Buffer
	log := bridge(slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelInfo})))
	log = log.With(zap.String("ca", "https://ca.test"), zap.String("account", "hidden"))
	log.Info("hidden")
	log.Error("refused", zap.Error(fmt.Errorf("for a reason")), zap.String("token", "hidden"))
	for _, want := range []string{"level=WARN", "acme: refused", "for a reason", "https://ca.test"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in %s", want, out.String())
		}
	}
	if strings.Contains(out.String(), "hidden") {
		t.Errorf("too much: %s", out.String())
	}
	if err := log.Sync(); err != nil {
		t.Error(err)
	}
}
