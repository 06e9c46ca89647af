// Package pebbletest gives tests a certificate authority: Pebble, Let's Encrypt's own server for testing ACME clients,
// started as a program of its own. It validates for real: it looks names up, connects to them, and checks what it is
// told.
//
// For Pebble every name is on this machine. It asks at two ports that the package listens on and forwards to wherever
// the test says (Forward), to several addresses in turn if there are several nodes.
//
// The program is the one that MAILKIN_TEST_PEBBLE names, else pebble in the checkout's bin or in PATH. Without it the
// test is skipped, and fails where CI=true.
package pebbletest

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// patience is for everything together; it takes a quarter of a second.
const patience = 30 * time.Second

// Server is a running authority.
type Server struct {
	Directory string         // URL for ACME clients
	Roots     *x509.CertPool // of its own HTTPS
	RootsFile string         // the same as a file, for SSL_CERT_FILE
	Issuers   *x509.CertPool // of the certificates that it issues

	http, tls *forwarder
	orders    func() int
}

// Start starts an authority that ends with the test.
func Start(t testing.TB) *Server {
	t.Helper()
	program := find(t)
	dir := t.TempDir()
	s := &Server{RootsFile: filepath.Join(dir, "cert.pem"), Roots: x509.NewCertPool(), Issuers: x509.NewCertPool()}
	keyFile := filepath.Join(dir, "key.pem")
	s.Roots.AddCert(certify(t, s.RootsFile, keyFile))
	s.http, s.tls = forward(t), forward(t)
	for try := 0; ; try++ {
		api, management := freeAddr(t), freeAddr(t)
		file := configure(t, dir, map[string]any{
			"listenAddress": api, "managementListenAddress": management, "certificate": s.RootsFile,
			"privateKey": keyFile,
			"httpPort":   s.http.port(), "tlsPort": s.tls.port(), "keyAlgorithm": "ecdsa",
			"retryAfter": map[string]int{"authz": 1, "order": 1},
		})
		s.Directory = "https://" + api + "/dir"
		if s.run(t, program, file, management) {
			return s
		}
		if try == 3 { // somebody else had the port, four times
			t.Fatal("pebble does not start")
		}
	}
}

// Forward says where the authority's questions go: host:port of listeners for plain HTTP and for HTTPS; none: nowhere.
// Before that they wait.
func (s *Server) Forward(plain, secure []string) {
	s.http.set(plain)
	s.tls.set(secure)
}

// Orders counts the certificates that were asked for.
func (s *Server) Orders() int { return s.orders() }

// find returns the program.
func find(t testing.TB) string {
	t.Helper()
	if path := os.Getenv("MAILKIN_TEST_PEBBLE"); path != "" {
		return path
	}
	_, file, _, _ := runtime.Caller(0)
	path := filepath.Join(filepath.Dir(file), "../../../bin/pebble")
	if _, err := os.Stat(path); err == nil {
		return path
	}
	if path, err := exec.LookPath("pebble"); err == nil {
		return path
	}
	const missing = "pebble is missing: \"make setup\" builds it"
	if os.Getenv("CI") == "true" {
		t.Fatal(missing)
	}
	t.Skip(missing)
	return ""
}

func configure(t testing.TB, dir string, settings map[string]any) string {
	t.Helper()
	text, err := json.Marshal(map[string]any{"pebble": settings})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "pebble.json")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// run starts the program and waits until it answers; false: it has ended.
func (s *Server) run(t testing.TB, program, file, management string) bool {
	t.Helper()
	log := &counter{}
	cmd := exec.Command(program, "-config", file, "-dnsserver", names(t))
	cmd.Env = []string{"PEBBLE_VA_NOSLEEP=1", "PEBBLE_WFE_NONCEREJECT=0"}
	cmd.Stdout, cmd.Stderr = log, log
	started, ended := make(chan error, 1), make(chan struct{})
	go func() {
		defer close(ended)
		runtime.LockOSThread() // it ends with the thread that started it, and so with the test
		defer runtime.UnlockOSThread()
		dieWithParent(cmd)
		err := cmd.Start()
		started <- err
		if err == nil {
			_ = cmd.Wait()
		}
	}()
	if err := <-started; err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-ended
	})
	s.orders = log.orders
	return s.await(t, ended, management)
}

// await asks until there is an answer.
func (s *Server) await(t testing.TB, ended <-chan struct{}, management string) bool {
	t.Helper()
	client := &http.Client{Timeout: patience, Transport: &http.Transport{DisableKeepAlives: true,
		TLSClientConfig: &tls.Config{RootCAs: s.Roots}}}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for {
		_, err := get(ctx, client, s.Directory)
		var root []byte
		if err == nil {
			root, err = get(ctx, client, "https://"+management+"/roots/0")
		}
		if err == nil {
			return s.Issuers.AppendCertsFromPEM(root)
		}
		tick := time.NewTimer(10 * time.Millisecond)
		select {
		case <-ended:
			return false
		case <-ctx.Done():
			t.Fatalf("pebble does not answer: %v", err)
		case <-tick.C:
		}
	}
}

func get(ctx context.Context, client *http.Client, url string) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	resp, err := client.Do(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("status %d", resp.StatusCode)
	}
	return io.ReadAll(resp.Body)
}

// counter reads Pebble's log for the one thing that tests want of it.
type counter struct{ n atomic.Int64 }

func (c *counter) Write(p []byte) (int, error) {
	c.n.Add(int64(strings.Count(string(p), "Issued certificate serial")))
	return len(p), nil
}

func (c *counter) orders() int { return int(c.n.Load()) }

// freeAddr is an address that nobody listens on. Pebble cannot choose one itself; should somebody else be quicker, it
// ends and is started again with another.
func freeAddr(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}
