package main

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/config"
)

// allJSON checks that every line is a JSON object, and returns their messages.
func allJSON(t *testing.T, text string) (messages []string) {
	t.Helper()
	for line := range strings.Lines(text) {
		var entry struct{ Msg string }
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			t.Errorf("not JSON: %q", line)
		}
		messages = append(messages, entry.Msg)
	}
	return messages
}

// With log_format=json whatever the server writes is JSON, from the start to the end.
func TestServeInJSON(t *testing.T) {
	signals := make(chan os.Signal, 2)
	stdout, stderr := &transcript{}, &transcript{}
	p := program{
		args: []string{"serve", "--data-dir", filepath.Join(t.TempDir(), "data"), "--http-addr", "127.0.0.1:0",
			"--smtp-addr", "127.0.0.1:0",
			"--log-format", "json"},
		stdout: stdout, stderr: stderr, signals: signals,
	}
	status := make(chan int, 1)
	go func() { status <- p.run() }()
	select {
	case <-stderr.has(`"msg":"running"`):
	case s := <-status:
		t.Fatalf("ended with status %d: %s", s, stderr.String())
	case <-time.After(30 * time.Second):
		t.Fatal("it does not run")
	}
	signals <- syscall.SIGTERM
	if s := <-status; s != exitOK {
		t.Errorf("status %d", s)
	}
	if stdout.String() != "" {
		t.Errorf("on standard output: %s", stdout.String())
	}
	allJSON(t, stderr.String())
}

// Durations are milliseconds, in every form of the log and however they are given.
func TestLoggedDurations(t *testing.T) {
	for format, want := range map[string]string{
		config.LogText: "took=12.345 ago=1500 short=0.001", config.LogJSON: `"took":12.345,"ago":1500,"short":0.001`,
	} {
		var out bytes.Buffer
		log := logger(&out, config.Config{LogFormat: format})
		log.Info("x", "took", 12345*time.Microsecond, slog.Duration("ago", 1500*time.Millisecond), "short",
			time.Microsecond)
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s: %s", format, out.String())
		}
	}
}

// Why it did not start is JSON, too, as soon as it is known that this is wanted.
func TestServeFailsInJSON(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mailkin.toml")
	if err := os.WriteFile(file, []byte("log_format = \"json\"\nsmtp_addr = \"nowhere\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name    string
		args    []string
		environ []string
		status  int
		want    string
	}{
		{"a wrong setting", []string{"--smtp-addr", "nowhere"}, []string{"MAILKIN_LOG_FORMAT=json"}, exitUsage,
			"smtp_addr"},
		{"a wrong setting in the file", []string{"--config", file}, nil, exitUsage, "smtp_addr"},
		{"no such file", []string{"--config", file + "x", "--log-format", "json"}, nil, exitUsage, "config"},
		{"an unknown variable", nil, []string{"MAILKIN_LOG_FORMAT=json", "MAILKIN_SMTP_ADR=x"}, exitUsage,
			"MAILKIN_SMTP_ADR"},
		{"an unknown flag", []string{"--no-such-flag", "--log-format", "json"}, nil, exitUsage, "no-such-flag"},
		{"an argument", []string{"now", "--log-format=json"}, nil, exitUsage, "now"},
		{"an address that is not here", []string{"--http-addr", "192.0.2.1:1", "--log-format", "json"}, nil, exitFailed,
			"http_addr"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			p := program{args: append([]string{"serve", "--data-dir", filepath.Join(t.TempDir(), "data")}, tt.args...),
				environ: tt.environ,
				stdout:  &stdout, stderr: &stderr, signals: make(chan os.Signal)}
			if s := p.run(); s != tt.status {
				t.Errorf("status %d, want %d", s, tt.status)
			}
			messages := allJSON(t, stderr.String())
			if len(messages) == 0 || messages[len(messages)-1] != "ended" || !strings.Contains(stderr.String(),
				tt.want) || stdout.Len() > 0 {
				t.Errorf("on standard error:\n%s\non standard output:\n%s", stderr.String(), stdout.String())
			}
		})
	}
}
