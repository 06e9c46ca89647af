// Package openidtest gives tests a real OpenID provider, oidc-provider for node, with people who need no passwords.
//
// "make setup" installs it in the folder bin/openid of this module; MAILKIN_TEST_OPENID_MODULES names another
// node_modules. Where it is missing the test is skipped, and fails where CI=true.
//
// A server of ours stands in front of it, at the address that is the issuer. It can be made to lie: to change what is
// in a token, which it signs again with the provider's own key, or to be down.
package openidtest

import (
	"bufio"
	"bytes"
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	_ "embed" // the provider
	"encoding/base64"
	"encoding/json"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
)

//go:embed provider.mjs
var script string

// Person is what the provider says of somebody.
type Person struct {
	Name     string   `json:"name"`
	Email    string   `json:"email"`
	Verified bool     `json:"email_verified"`
	Groups   []string `json:"groups"`
}

// Server is a provider.
type Server struct {
	Issuer string
	key    *rsa.PrivateKey

	mu     sync.Mutex
	change func(claims map[string]any) // of ID tokens; nil: none
	down   bool
	asked  map[string]int // requests, by path
}

// Settings are those of a server of ours for this provider. public is where people reach that.
func (s *Server) Settings(public string) []string {
	return []string{"MAILKIN_OIDC_ISSUER=" + s.Issuer, "MAILKIN_OIDC_CLIENT_ID=mailkin",
		"MAILKIN_OIDC_CLIENT_SECRET=the-secret-of-the-client", "MAILKIN_OIDC_ROLES=admin=admins,view=staff",
		"MAILKIN_OIDC_SCOPES=openid profile email groups", "MAILKIN_PUBLIC_URL=" + public}
}

// Lie has the provider change what is in its ID tokens from now on; nil: nothing.
func (s *Server) Lie(change func(claims map[string]any)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.change = change
}

// Down has the provider answer 503, or answer again.
func (s *Server) Down(down bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.down = down
}

// Asked tells how many requests there were whose path begins so.
func (s *Server) Asked(path string) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for at, times := range s.asked {
		if strings.HasPrefix(at, path) {
			n += times
		}
	}
	return n
}

// Start starts a provider that knows these people and sends them back to a server that is reached at public.
func Start(t testing.TB, public string, people map[string]Person) *Server {
	t.Helper()
	modules := findModules(t)
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{key: key, asked: map[string]int{}}
	var proxy http.Handler
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.asked[r.URL.Path]++
		down := s.down
		s.mu.Unlock()
		if down {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	s.Issuer = strings.Replace(front.URL, "127.0.0.1", "localhost", 1) // another site than ours, to a browser
	settings, err := json.Marshal(map[string]any{"issuer": s.Issuer, "jwks": map[string]any{"keys": []any{jwk(key)}},
		"redirects": []string{public + "/signin/callback"}, "after": []string{public + "/console"}, "people": people})
	if err != nil {
		t.Fatal(err)
	}
	target := &url.URL{Scheme: "http", Host: launch(t, modules, string(settings))}
	proxy = &httputil.ReverseProxy{ModifyResponse: s.answer, Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		r.Out.Host = r.In.Host
		r.SetXForwarded()
		r.Out.Header.Del("Accept-Encoding")
	}}
	return s
}

// launch starts node and returns where it listens.
func launch(t testing.TB, modules, settings string) string {
	cmd := exec.Command("node", "--input-type=module", "--eval", script)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "MODULES=" + modules + "/", "SETTINGS=" + settings}
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if _, addr, ok := strings.Cut(lines.Text(), "listening on "); ok {
			go func() { _, _ = io.Copy(io.Discard, out) }()
			return addr
		}
	}
	_ = cmd.Wait()
	t.Fatalf("the provider did not start: %s", &errs)
	return ""
}

func findModules(t testing.TB) string {
	t.Helper()
	modules := os.Getenv("MAILKIN_TEST_OPENID_MODULES")
	if modules == "" {
		_, file, _, _ := runtime.Caller(0)
		modules = filepath.Join(filepath.Dir(file), "../../../bin/openid/node_modules")
	}
	if _, err := os.Stat(filepath.Join(modules, "oidc-provider")); err != nil {
		const missing = "the npm package oidc-provider is not there; \"make setup\" brings it"
		if os.Getenv("CI") == "true" {
			t.Fatal(missing)
		}
		t.Skip(missing)
	}
	return modules
}

func base64url(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// jwk is a private key as RFC 7518 writes it.
func jwk(k *rsa.PrivateKey) map[string]string {
	number := func(n *big.Int) string { return base64url(n.Bytes()) }
	return map[string]string{"kty": "RSA", "kid": "of-the-tests", "use": "sig", "alg": "RS256",
		"n": number(k.N), "e": number(big.NewInt(int64(k.E))), "d": number(k.D), "p": number(k.Primes[0]),
		"q": number(k.Primes[1]), "dp": number(k.Precomputed.Dp), "dq": number(k.Precomputed.Dq),
		"qi": number(k.Precomputed.Qinv)}
}

// fonts are what the provider's pages load from elsewhere.
var fonts = regexp.MustCompile(`@import url\([^)]*\);`)

// answer changes what the provider answers where that is needed.
func (s *Server) answer(resp *http.Response) error {
	s.mu.Lock()
	change := s.change
	s.mu.Unlock()
	isPage := strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html")
	isToken := change != nil && resp.Request.URL.Path == "/token" && resp.StatusCode == http.StatusOK
	if !isPage && !isToken {
		return nil
	}
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	text = fonts.ReplaceAll(text, nil)
	if isToken {
		if text, err = s.lie(text, change); err != nil {
			return err
		}
	}
	resp.Body = io.NopCloser(bytes.NewReader(text))
	resp.ContentLength = int64(len(text))
	resp.Header.Set("Content-Length", strconv.Itoa(len(text)))
	return nil
}

// lie changes the ID token in an answer, and signs it again.
func (s *Server) lie(text []byte, change func(map[string]any)) ([]byte, error) {
	var body map[string]any
	if err := json.Unmarshal(text, &body); err != nil {
		return nil, err
	}
	token, _ := body["id_token"].(string)
	parts := strings.Split(token, ".")
	payload, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return nil, err
	}
	var claims map[string]any
	if err := json.Unmarshal(payload, &claims); err != nil {
		return nil, err
	}
	change(claims)
	if payload, err = json.Marshal(claims); err != nil {
		return nil, err
	}
	signed := parts[0] + "." + base64url(payload)
	sum := sha256.Sum256([]byte(signed))
	signature, err := rsa.SignPKCS1v15(rand.Reader, s.key, crypto.SHA256, sum[:])
	if err != nil {
		return nil, err
	}
	if claims["badly signed"] == true {
		signature[0] ^= 1
	}
	body["id_token"] = signed + "." + base64url(signature)
	return json.Marshal(body)
}
