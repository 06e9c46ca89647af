package console

import (
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

func newConsole(t *testing.T) *Console {
	t.Helper()
	return New(Config{Log: slog.New(slog.DiscardHandler), SignIn: NewSignIn("the-operators-token", time.Now)})
}

func get(c http.Handler, path string, header ...string) *http.Response {
	r := httptest.NewRequest("GET", path, nil)
	for _, h := range header {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	c.ServeHTTP(w, r)
	return w.Result()
}

func TestPaths(t *testing.T) {
	c := newConsole(t)
	under := "/console" + c.files().under()
	for _, tt := range []struct {
		name, method, path string
		status             int
		headers            map[string]string
	}{
		{"the console", "GET", "/console", 200, map[string]string{"Content-Type": "text/html; charset=utf-8",
			"Content-Security-Policy": pagePolicy, "Cache-Control": "no-cache"}},
		{"its head", "HEAD", "/console", 200, map[string]string{"Content-Type": "text/html; charset=utf-8"}},
		{"with a slash", "GET", "/console/", 308, map[string]string{"Location": "../console"}},
		{"leaving", "GET", "/console/leave", 200, map[string]string{"Content-Security-Policy": leavePolicy}},
		{"frame", "GET", "/console/frame", 200, map[string]string{"Content-Security-Policy": framePolicy}},
		{"frame with pictures", "GET", "/console/frame/remote", 200,
			map[string]string{"Content-Security-Policy": remotePolicy}},
		{"script", "GET", under + "app/console.js", 200,
			map[string]string{"Content-Type": "text/javascript; charset=utf-8",
				"Cache-Control": "public, max-age=31536000, immutable", "Content-Security-Policy": filePolicy}},
		{"style", "GET", under + "style.css", 200, map[string]string{"Content-Type": "text/css; charset=utf-8"}},
		{"picture", "GET", under + "icon.svg", 200, map[string]string{"Content-Type": "image/svg+xml; charset=utf-8",
			"X-Content-Type-Options": "nosniff"}},
		{"an older version", "GET", "/console/files/0123456789abcdef/app/main.js", 404, nil},
		{"a folder", "GET", under + "app", 404, nil},
		{"out of the folder", "GET", under + "../console.go", 404, nil},
		{"a page", "GET", "/console/mailboxes", 200, map[string]string{"Content-Type": "text/html; charset=utf-8",
			"Content-Security-Policy": pagePolicy, "Cache-Control": "no-cache"}},
		{"a page of a mailbox", "GET", "/console/m/wren@mailkin.localhost/inbox/0123", 200,
			map[string]string{"Content-Type": "text/html; charset=utf-8"}},
		{"too deep", "GET", "/console/m/wren@mailkin.localhost/inbox/0123/4", 404,
			map[string]string{"Content-Type": "application/json", "Cache-Control": "no-store"}},
		{"something else", "GET", "/consoles", 404, nil},
		{"sent to", "POST", "/console", 405, map[string]string{"Allow": "GET, HEAD"}},
		{"a page, sent to", "POST", "/console/mailboxes", 405, nil},
		{"sign-in is not a page", "GET", "/console/signin", 405, map[string]string{"Allow": "POST"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := httptest.NewRecorder()
			c.ServeHTTP(w, httptest.NewRequest(tt.method, tt.path, nil))
			if w.Code != tt.status {
				t.Errorf("status %d, want %d", w.Code, tt.status)
			}
			for name, want := range tt.headers {
				if got := w.Header().Get(name); got != want {
					t.Errorf("%s: %q, want %q", name, got, want)
				}
			}
			if tt.method == "HEAD" && w.Body.Len() > 0 {
				t.Error("a HEAD has a body")
			}
		})
	}
}

// However deep an address is, its document finds the files.
func TestFilesFromEveryDepth(t *testing.T) {
	c := newConsole(t)
	for _, at := range []string{"/console", "/console/mailboxes", "/console/m/a@b.example",
		"/console/m/a@b.example/inbox", "/console/m/a%2Fc@b.example/inbox/0123"} {
		body, _ := io.ReadAll(get(c, at).Body)
		for _, link := range linked.FindAllStringSubmatch(string(body), -1) {
			to := (&url.URL{Path: at}).ResolveReference(&url.URL{Path: link[1]})
			if r := get(c, to.Path); r.StatusCode != http.StatusOK {
				t.Errorf("%s links to %s: status %d", at, to.Path, r.StatusCode)
			}
		}
	}
}

// A document is not loaded again while it has not changed, and everything is small.
func TestCachedAndCompressed(t *testing.T) {
	c := newConsole(t)
	tag := get(c, "/console").Header.Get("ETag")
	if r := get(c, "/console", "If-None-Match: "+tag); r.StatusCode != http.StatusNotModified {
		t.Errorf("status %d", r.StatusCode)
	}
	total := 0
	for name, f := range c.files().byName {
		r := get(c, "/console"+c.files().under()+name, "Accept-Encoding: gzip, br")
		packed, _ := io.ReadAll(r.Body)
		total += len(packed)
		unpacked, err := gzip.NewReader(strings.NewReader(string(packed)))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if text, err := io.ReadAll(unpacked); err != nil || string(text) != string(f.plain) {
			t.Errorf("%s: %v, or not the same", name, err)
		}
	}
	if total > 150_000 {
		t.Errorf("all files together have %d bytes", total)
	}
	t.Logf("all files together have %d bytes", total)
}

var (
	linked   = regexp.MustCompile(`(?:href|src)="([^"#]+)"`)
	imported = regexp.MustCompile(`(?:from|import) "(\.[^"]+)"`)
	inline   = regexp.MustCompile(`(?i)<script>|\son\w+="|\sstyle="|javascript:`)
	outside  = regexp.MustCompile(`(?i)["'(](?:https?:)?//[a-z0-9]`)
)

// Whatever the pages ask for is there, and comes from here.
func TestEverythingIsThere(t *testing.T) {
	c := newConsole(t)
	for _, page := range []string{"/console", "/console/leave"} {
		text, _ := io.ReadAll(get(c, page).Body)
		for _, m := range linked.FindAllStringSubmatch(string(text), -1) {
			if at := path.Join(path.Dir(page), m[1]); get(c, at).StatusCode != 200 {
				t.Errorf("%s asks for %s, which is not there", page, at)
			}
		}
	}
	for name, f := range sources(t) {
		for _, m := range imported.FindAllStringSubmatch(string(f), -1) {
			if at := path.Join(path.Dir(name), m[1]); sources(t)[at] == nil {
				t.Errorf("%s imports %s, which is not there", name, at)
			}
		}
		if path.Ext(name) == ".html" && inline.MatchString(string(f)) {
			t.Errorf("%s has a script or style inside: %s", name, inline.FindString(string(f)))
		}
		if !strings.HasPrefix(name, "vendor/") && name != "icon.svg" &&
			outside.MatchString(strings.ReplaceAll(string(f), `"https://agent.example`, "")) {
			t.Errorf("%s names another host: %s", name, outside.FindString(string(f)))
		}
	}
}

// sources are the files that the console is made from, by their names.
func sources(t *testing.T) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	err := fs.WalkDir(os.DirFS("web"), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || name == "app/console.js" {
			return err
		}
		all[name], err = os.ReadFile("web/" + name)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// The one script is made from the scripts as they are.
func TestBundleIsFresh(t *testing.T) {
	sum := sha256.New()
	all := sources(t)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if path.Ext(name) == ".js" && name != "leave.js" {
			sum.Write(all[name])
		}
	}
	first, _, _ := strings.Cut(string(newConsole(t).files().byName["app/console.js"].plain), "\n")
	if want := "// " + hex.EncodeToString(sum.Sum(nil)); first != want {
		t.Errorf("app/console.js is older than the scripts: run go generate ./internal/console (%s, want %s)", first, want)
	}
}

func TestSignIn(t *testing.T) {
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	const peer = "127.0.0.1:50000"
	for _, tt := range []struct {
		name, peer string
		body       string // TOKEN is the right one
		headers    []string
		after      time.Duration
		proxies    []netip.Prefix
		status     int
	}{
		{name: "in time", body: `{"token":"TOKEN"}`, status: 200},
		{name: "at the last moment", body: `{"token":"TOKEN"}`, after: SignInTime - 1, status: 200},
		{name: "too late", body: `{"token":"TOKEN"}`, after: SignInTime, status: 401},
		{name: "IPv6", peer: "[::1]:50000", body: `{"token":"TOKEN"}`, status: 200},
		{name: "IPv4 inside IPv6", peer: "[::ffff:127.0.0.1]:50000", body: `{"token":"TOKEN"}`, status: 200},
		{name: "another one", body: `{"token":"TOKENx"}`, status: 401},
		{name: "none", body: `{}`, status: 401},
		{name: "empty", body: `{"token":""}`, status: 401},
		{name: "not JSON", body: `token=TOKEN`, status: 400},
		{name: "too large", body: `{"x":"` + strings.Repeat("x", signInBytes) + `","token":"TOKEN"}`, status: 400},
		{name: "another machine", peer: "192.0.2.1:50000", body: `{"token":"TOKEN"}`, status: 403},
		{name: "a socket", peer: "@", body: `{"token":"TOKEN"}`, status: 403},
		{name: "passed on", body: `{"token":"TOKEN"}`, headers: []string{"X-Forwarded-For: 127.0.0.1"}, status: 403},
		{name: "passed on in another way", body: `{"token":"TOKEN"}`, headers: []string{"Forwarded: for=127.0.0.1"},
			status: 403},
		{name: "by a trusted proxy that says nothing", body: `{"token":"TOKEN"}`,
			proxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, status: 403},
		{name: "page of somebody else", body: `{"token":"TOKEN"}`, headers: []string{"Sec-Fetch-Site: cross-site"},
			status: 403},
		{name: "our own page", body: `{"token":"TOKEN"}`, headers: []string{"Sec-Fetch-Site: same-origin"},
			status: 200},
	} {
		t.Run(tt.name, func(t *testing.T) {
			at := now
			s := NewSignIn("the-operators-token", func() time.Time { return at })
			c := New(Config{Log: slog.New(slog.DiscardHandler), SignIn: s, TrustedProxies: tt.proxies})
			token := s.Token() // its time begins
			at = now.Add(tt.after)
			send := func() *httptest.ResponseRecorder {
				r := httptest.NewRequest("POST", "/console/signin",
					strings.NewReader(strings.ReplaceAll(tt.body, "TOKEN", token)))
				r.RemoteAddr = peer
				if tt.peer != "" {
					r.RemoteAddr = tt.peer
				}
				for _, h := range tt.headers {
					name, value, _ := strings.Cut(h, ": ")
					r.Header.Set(name, value)
				}
				w := httptest.NewRecorder()
				c.ServeHTTP(w, r)
				return w
			}
			w := send()
			if w.Code != tt.status || w.Header().Get("Cache-Control") != "no-store" {
				t.Errorf("status %d, want %d: %s", w.Code, tt.status, w.Body)
			}
			if got := strings.Contains(w.Body.String(), "the-operators-token"); got != (tt.status == 200) {
				t.Errorf("answered %s", w.Body)
			}
			if again := send(); tt.status == 200 && again.Code != 401 {
				t.Errorf("the second time: status %d", again.Code)
			}
		})
	}
}

// Where no link was printed, there is nothing to sign in with, not even an empty token.
func TestNoLink(t *testing.T) {
	for name, links := range map[string]*SignIn{"none can be": nil, "none was": NewSignIn("the-operators-token",
		time.Now)} {
		t.Run(name, func(t *testing.T) {
			c := New(Config{Log: slog.New(slog.DiscardHandler), SignIn: links})
			r := httptest.NewRequest("POST", "/console/signin", strings.NewReader(`{"token":""}`))
			r.RemoteAddr = "127.0.0.1:1"
			w := httptest.NewRecorder()
			c.ServeHTTP(w, r)
			if w.Code != http.StatusNotFound {
				t.Errorf("status %d", w.Code)
			}
		})
	}
}

func TestTakesGzip(t *testing.T) {
	c := newConsole(t)
	for accept, want := range map[string]string{
		"": "", "br": "", "gzip": "gzip", "br, GZIP;q=0.5": "gzip", "gzip;q=0": "", "gzip; q=0.000, br": "",
		"*": "gzip", "*;q=0": "",
		"*, gzip;q=0": "", "gzip;q=0, *": "", "*;q=0, gzip": "gzip", "gzip;q=much": "", "xgzip": "", "gzip;q=1": "gzip",
	} {
		if got := get(c, "/console", "Accept-Encoding: "+accept).Header.Get("Content-Encoding"); got != want {
			t.Errorf("%q: %q, want %q", accept, got, want)
		}
	}
}
