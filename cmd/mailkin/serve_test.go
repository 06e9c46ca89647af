package main

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/app"
	"github.com/mailkin/mailkin/internal/config"
)

// A start prints what a person can act on, and the first signal ends it in good order.
func TestServeUntilSignal(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	signals := make(chan os.Signal, 2)
	stdout := &transcript{}
	var stderr bytes.Buffer
	p := program{
		args:   []string{"serve", "--data-dir", dir, "--http-addr", "127.0.0.1:0", "--smtp-addr", "127.0.0.1:0"},
		stdout: stdout, stderr: &stderr, signals: signals,
	}
	status := make(chan int, 1)
	go func() { status <- p.run() }()
	select {
	case <-stdout.has("/v1/mailboxes\n"):
	case s := <-status:
		t.Fatalf("ended with status %d: %s", s, stderr.String())
	case <-time.After(30 * time.Second):
		t.Fatal("no welcome within 30 s")
	}
	signals <- syscall.SIGTERM
	select {
	case s := <-status:
		if s != exitOK {
			t.Errorf("status %d: %s", s, stderr.String())
		}
	case <-time.After(30 * time.Second):
		t.Fatal("no end within 30 s of the signal")
	}
	token, err := os.ReadFile(filepath.Join(dir, "token"))
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{stdout.String(), stderr.String()} {
		if strings.Contains(text, strings.TrimSpace(string(token))) {
			t.Error("the operator token is printed")
		}
	}
}

func TestPortInUse(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for _, flag := range []string{"http-addr", "smtp-addr"} {
		t.Run(flag, func(t *testing.T) {
			args := []string{"serve", "--data-dir", filepath.Join(t.TempDir(), "data"), "--log-level", "error"}
			for _, f := range []string{"http-addr", "smtp-addr"} {
				addr := "127.0.0.1:0"
				if f == flag {
					addr = taken.Addr().String()
				}
				args = append(args, "--"+f, addr)
			}
			got := mailkin(t, nil, args...)
			want := fmt.Sprintf("mailkin: setting %s: %s is already in use by another program; choose another with "+
				"--%s or MAILKIN_%s\n",
				strings.ReplaceAll(flag, "-", "_"), taken.Addr(), flag,
				strings.ToUpper(strings.ReplaceAll(flag, "-", "_")))
			if got.status != exitFailed || got.stderr != want || got.stdout != "" {
				t.Errorf("got %+v, want stderr %q", got, want)
			}
		})
	}
}

func TestWelcome(t *testing.T) {
	plain := config.Default()
	secure := config.Default()
	secure.TLS.Mode, secure.Hostname = config.TLSFiles, "mail.example"
	for _, tt := range []struct {
		name   string
		cfg    config.Config
		at     app.Addrs
		token  token
		signIn string
		want   []string
	}{
		{"plain", plain, app.Addrs{HTTP: "127.0.0.1:8025", SMTP: "127.0.0.1:2525"},
			token{"/data/token", "$(cat /data/token)"}, "once",
			[]string{"http://127.0.0.1:8025\n", "127.0.0.1:2525, for mail to mailkin.localhost", "/data/token\n",
				`"Authorization: Bearer $(cat /data/token)"`,
				"http://127.0.0.1:8025/console\n", "  http://127.0.0.1:8025/console#signin=once\n"}},
		{"every interface", plain, app.Addrs{HTTP: "[::]:80", SMTP: "[::]:25"}, token{}, "",
			[]string{"http://127.0.0.1:80/v1/mailboxes"}},
		{"TLS", secure, app.Addrs{HTTP: "[::]:443"}, token{}, "", []string{"https://mail.example:443/v1/mailboxes",
			"SMTP            off"}},
		{"more listeners", plain, app.Addrs{HTTP: "127.0.0.1:1", LMTP: "unix:/run/lmtp", Metrics: "0.0.0.0:9"}, token{},
			"",
			[]string{"LMTP            unix:/run/lmtp", "http://127.0.0.1:9/metrics"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var b bytes.Buffer
			welcome(&b, tt.cfg, tt.at, tt.token, tt.signIn)
			for _, part := range tt.want {
				if !strings.Contains(b.String(), part) {
					t.Errorf("no %q in\n%s", part, b.String())
				}
			}
			if tt.signIn == "" && strings.Contains(b.String(), "signin") {
				t.Errorf("a link without a token in\n%s", b.String())
			}
		})
	}
}

// The shell must find the token where the printed command looks for it, whatever its folder is called.
func TestTokenInShell(t *testing.T) {
	dir := filepath.Join(t.TempDir(), `a "b" $c 'd'`)
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "token")
	if err := os.WriteFile(path, []byte("the-token\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	from := func(s string) []config.Value {
		return []config.Value{{Setting: config.Setting{Variable: "AUTH_TOKEN"}, From: s}}
	}
	for _, tt := range []struct {
		name   string
		token  token
		setEnv string
	}{
		{"file", tokenIn(path, nil), ""},
		{"variable", tokenIn("AUTH_TOKEN", from("variable AUTH_TOKEN")), "AUTH_TOKEN=the-token"},
		{"file that a variable names", tokenIn("AUTH_TOKEN", from("variable AUTH_TOKEN_FILE")),
			"AUTH_TOKEN_FILE=" + path},
	} {
		t.Run(tt.name, func(t *testing.T) {
			cmd := exec.Command("bash", "-c", `echo "Bearer `+tt.token.shell+`"`)
			cmd.Env = append(cmd.Env, "PATH=/usr/bin:/bin", tt.setEnv)
			out, err := cmd.Output()
			if err != nil || string(out) != "Bearer the-token\n" {
				t.Errorf("got %q, %v", out, err)
			}
		})
	}
}

// What only another setting cures ends with 2 and names it; what may pass by itself ends with 1.
func TestServeWrongSettings(t *testing.T) {
	garbage := filepath.Join(t.TempDir(), "garbage.pem")
	if err := os.WriteFile(garbage, []byte("garbage"), 0o600); err != nil {
		t.Fatal(err)
	}
	database := "MAILKIN_DATABASE_URL=postgres://kim:secret@127.0.0.1:1/x?connect_timeout=1"
	for _, tt := range []struct {
		name, setting string
		environ       []string
		status        int
	}{
		{"no certificate", "tls", []string{"MAILKIN_TLS=files:/no/such/cert.pem,/no/such/key.pem"}, exitUsage},
		{"no certificate in the file", "tls", []string{"MAILKIN_TLS=files:" + garbage + "," + garbage}, exitUsage},
		{"database", "database_url", []string{"MAILKIN_DATABASE_URL=postgres://kim:secret@host:port/x"}, exitUsage},
		{"database, sslmode", "database_url", []string{"MAILKIN_DATABASE_URL=postgres://kim:secret@127.0.0.1:1/x?sslmode=perhaps"}, exitUsage},
		{"bucket, scheme", "blob_url", []string{"MAILKIN_BLOB_URL=https://bucket.example", database}, exitUsage},
		{"bucket, no keys", "blob_url", []string{"MAILKIN_BLOB_URL=s3://bucket", database}, exitUsage},
		{"bucket, endpoint", "blob_url", []string{"MAILKIN_BLOB_URL=s3://kim:secret@bucket?endpoint=127.0.0.1",
			database}, exitUsage},
		{"resolver", "dns", []string{"MAILKIN_DNS=nowhere"}, exitUsage},
		{"embeddings", "embeddings_url", []string{"MAILKIN_EMBEDDINGS_URL=ftp://host/"}, exitUsage},
		{"a database that does not answer", "database_url", []string{database}, exitFailed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			environ := append(tt.environ, "MAILKIN_SECRET=0123456789abcdef0123456789abcdef",
				"AUTH_TOKEN=0123456789abcdef", "WEBHOOK_SECRET=0123456789abcdef0123456789abcdef")
			var stdout, stderr bytes.Buffer
			p := program{args: []string{"serve", "--data-dir", filepath.Join(t.TempDir(), "data"), "--http-addr",
				"127.0.0.1:0", "--smtp-addr",
				"127.0.0.1:0"}, environ: environ, stdout: &stdout, stderr: &stderr, signals: make(chan os.Signal)}
			if s := p.run(); s != tt.status || !strings.Contains(stderr.String(), tt.setting) ||
				strings.Contains(stderr.String(), "kim:") {
				t.Errorf("status %d, want %d: %s", s, tt.status, stderr.String())
			}
		})
	}
}

// A start in a folder that others can enter says so, once, and makes nothing there that they can read.
func TestServeInOpenFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	if err := errors.Join(os.Mkdir(dir, 0o755), os.Chmod(dir, 0o755)); err != nil {
		t.Fatal(err)
	}
	signals := make(chan os.Signal, 2)
	stdout, stderr := &transcript{}, &transcript{}
	p := program{args: []string{"serve", "--data-dir", dir, "--http-addr", "127.0.0.1:0", "--smtp-addr", "127.0.0.1:0"},
		stdout: stdout, stderr: stderr, signals: signals}
	status := make(chan int, 1)
	go func() { status <- p.run() }()
	select {
	case <-stdout.has("Operator token"):
	case s := <-status:
		t.Fatalf("ended with status %d: %s", s, stderr.String())
	case <-time.After(30 * time.Second):
		t.Fatal("it does not run")
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) < 5 {
		t.Fatalf("%v, %v", entries, err)
	}
	for _, e := range entries {
		if info, err := e.Info(); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v, %v", e.Name(), info.Mode(), err)
		}
	}
	signals <- syscall.SIGTERM
	if s := <-status; s != exitOK || strings.Count(stderr.String(), "level=WARN") != 1 ||
		!strings.Contains(stderr.String(), dir+" (0755)") {
		t.Errorf("status %d: %s", s, stderr.String())
	}
}
