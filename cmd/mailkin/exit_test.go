package main

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/mailkin/mailkin/api"
	"github.com/mailkin/mailkin/internal/config"
)

// answering returns what runs a command against a service that always answers the same.
func answering(t *testing.T, h http.HandlerFunc) func(signals <-chan os.Signal, args ...string) outcome {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	return func(signals <-chan os.Signal, args ...string) outcome {
		var stdout, stderr bytes.Buffer
		p := program{args: args, stdout: &stdout, stderr: &stderr, signals: signals,
			environ: []string{"MAILKIN_URL=" + srv.URL, "MAILKIN_API_KEY=mk_x", "XDG_CONFIG_HOME=" + t.TempDir()}}
		status := p.run()
		return outcome{status, stdout.String(), stderr.String()}
	}
}

// Whatever the service answers, there is a status for it, one line, and nothing that a terminal obeys.
func TestStatusOfRefusals(t *testing.T) {
	for _, tt := range []struct {
		name   string
		status int
		body   string
		want   int
		says   string
	}{
		{"wrong key", 401, `{"error":"Unauthorized"}`, exitNoKey, "does not know the key from MAILKIN_API_KEY"},
		{"another's mailbox", 403, `{"error":"forbidden","message":"Key not authorized for this mailbox"}`, exitNoKey,
			"Key not authorized for this mailbox"},
		{"temporary", 403, `{"error":"No.","code":"provisional_capability_denied","upgrade":{"command":"mailkin claim","url":"x"}}`, exitNoKey, `Run "mailkin claim".`},
		{"paused", 403, `{"error":"Mailbox is paused"}`, exitRefused, `Run "mailkin mailbox resume".`},
		{"not there", 404, `{"error":"Email not found","code":"not_found"}`, exitNothing, "Email not found"},
		{"wrong", 400, `{"error":"The limit is wrong.","code":"invalid_limit"}`, exitRefused, "The limit is wrong."},
		{"conflict", 409, `{"error":"Taken.","code":"taken"}`, exitRefused, "Taken."},
		{"too much", 429, `{"error":"Too many.","code":"daily_send_limit"}`, exitRefused,
			"Too many. Try again in 2 hours."},
		{"full", 507, `{"error":"Full.","code":"mailbox_full"}`, exitRefused, "Full."},
		{"not set up", 501, `{"error":"No sending.","code":"sending_unavailable"}`, exitRefused, "No sending."},
		{"broken", 500, `{"error":"Internal error","code":"internal","request_id":"r-1"}`, exitFailed, "request r-1"},
		{"away", 502, `bad gateway`, exitUnreachable, "Try again in a moment."},
		{"moved", 301, ``, exitRefused, "Redirects are not followed"},
		{"another program", 200, `<html>`, exitUnreachable, "is not a Mailkin"},
		{"hostile", 400, `{"error":"a\u001b]0;x\u0007\nb"}`, exitRefused, "a␛]0;x␇ b"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			run := answering(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Retry-After", "7200") // so long that it is not tried again
				w.WriteHeader(tt.status)
				_, _ = io.WriteString(w, tt.body)
			})
			got := run(nil, "inbox")
			if got.status != tt.want || got.stdout != "" || strings.Count(got.stderr, "\n") != 1 ||
				!strings.Contains(got.stderr, tt.says) {
				t.Errorf("got %+v, want status %d and %q", got, tt.want, tt.says)
			}
		})
	}
}

// member is a name in the JSON of the interface, as a message has it.
var member = regexp.MustCompile(`\b[a-z]+(?:_[a-z]+)+\b`)

// noFlag are names with which no command can go wrong, and words that commands take themselves.
var noFlag = "client_id email_id review_all review_new review_outside on_hold"

// What the service says in terms of its routes and its JSON is said in terms of commands.
func TestMessagesNameCommands(t *testing.T) {
	seen, settings := 0, map[string]bool{}
	for _, s := range config.Settings() {
		settings[s.Key] = true
	}
	for _, folder := range []string{"service", "mailbox", "wire", "wire/draft"} {
		for _, text := range literals(t, "../../internal/"+folder) {
			if strings.Count(text, " ") < 3 || strings.Contains(text, "SELECT") || !strings.HasSuffix(text, ".") {
				continue
			}
			got := namingCommands(text)
			if got != text {
				seen++
			}
			if strings.Contains(got, " /v1/") || strings.Contains(got, "null") {
				t.Errorf("%s: %q becomes %q; add to inCommands", folder, text, got)
			}
			for _, name := range member.FindAllString(got, -1) {
				if !strings.Contains(noFlag, name) && !settings[name] {
					t.Errorf("%s: %q becomes %q, with %s; add to inCommands", folder, text, got, name)
				}
			}
		}
	}
	if seen < len(inCommands)-4 {
		t.Errorf("%d messages name something of the interface", seen)
	}
}

// literals are the texts in the code of a folder, those that are added up as one.
func literals(t *testing.T, folder string) (texts []string) {
	t.Helper()
	files, err := filepath.Glob(folder + "/*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files in %s, %v", len(files), folder, err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(gotoken.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			e, ok := n.(ast.Expr)
			if !ok {
				return true
			}
			text := joinedText(e)
			if text != "" {
				texts = append(texts, text)
			}
			return text == ""
		})
	}
	return texts
}

// joinedText is a text, or what several added up are; empty: it is something else.
func joinedText(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		if err == nil && e.Kind == gotoken.STRING {
			return text
		}
	case *ast.BinaryExpr:
		if e.Op == gotoken.ADD {
			return joinedText(e.X) + joinedText(e.Y)
		}
	}
	return ""
}

// A signal ends what waits: 130 where something was to come, and 0 where it is the way to end.
func TestSignal(t *testing.T) {
	gone := make(chan struct{})
	run := answering(t, func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-gone:
		}
	})
	defer close(gone)
	for _, tt := range []struct {
		args []string
		want int
		says string
	}{
		{[]string{"code"}, exitInterrupted, "no code came before it was interrupted"},
		{[]string{"wait", "--timeout", "0"}, exitInterrupted, "no message came before it was interrupted"},
		{[]string{"inbox"}, exitInterrupted, "ended before it was done"}, {[]string{"events"}, exitOK, ""},
	} {
		signals := make(chan os.Signal, 1)
		signals <- os.Interrupt
		if got := run(signals, tt.args...); got.status != tt.want || !strings.Contains(got.stderr, tt.says) {
			t.Errorf("%v: %+v, want status %d and %q", tt.args, got, tt.want, tt.says)
		}
	}
}

// Work on the data that a signal ended says so, and not with what words it noticed.
func TestSignalEndsWorkOnTheData(t *testing.T) {
	p := &program{}
	cmd := p.onData(&cobra.Command{Use: "work", SilenceUsage: true, SilenceErrors: true},
		func(config.Config, []string) error { return fmt.Errorf("copy the database: %w", context.Canceled) })
	cmd.SetArgs([]string{"--data-dir", t.TempDir()})
	if err := cmd.Execute(); statusOf(err) != exitInterrupted || strings.Contains(err.Error(), "context") {
		t.Errorf("%v", err)
	}
}

func TestForwarderTriesAgain(t *testing.T) {
	for _, tt := range []struct {
		name     string
		answers  []int
		attempts int
		ok       bool
	}{
		{"at once", []int{204}, 1, true}, {"the third time", []int{500, 302, 200}, 3, true},
		{"never", []int{500, 500, 500, 500}, 4, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n := 0
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(tt.answers[n])
				n++
			}))
			defer srv.Close()
			w := &forwarder{url: srv.URL, secret: "whsec_AAAA", pauses: make([]time.Duration, 3), http: srv.Client()}
			w.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
			if r := w.post(t.Context(), api.Event{ID: "1", Event: api.MessageReceived}); r.attempts != tt.attempts ||
				(r.err == nil) != tt.ok {
				t.Errorf("got %+v", r)
			}
		})
	}
}

func TestMoment(t *testing.T) {
	for in, back := range map[string]time.Duration{"90s": 90 * time.Second, "45": 45 * time.Second,
		"7d": 7 * 24 * time.Hour, "2w": 14 * 24 * time.Hour, "1h30m": 90 * time.Minute} {
		var m moment
		if err := m.Set(in); err != nil || (time.Since(m.Time)-back).Abs() > time.Minute {
			t.Errorf("%s: %v, %v", in, m.Time, err)
		}
	}
	for in, want := range map[string]string{"2026-03-01": "2026-03-01T00:00:00.000Z",
		"2026-03-01T12:00:00+01:00": "2026-03-01T11:00:00.000Z"} {
		var m moment
		if err := m.Set(in); err != nil || m.String() != want {
			t.Errorf("%s: %v, %v", in, m.String(), err)
		}
	}
	for _, in := range []string{"", "soon", "99999999999d", "-5", "-5s", "2026-13-01"} {
		if err := new(moment).Set(in); err == nil {
			t.Errorf("%q is a time", in)
		}
	}
}

// A connection that fails is said in words that know nothing of libraries.
func TestSilence(t *testing.T) {
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	defer secure.Close()
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	for _, tt := range []struct{ url, want string }{
		{"http://127.0.0.1:1", "nothing listens there"},
		{"https" + strings.TrimPrefix(plain.URL, "http"), "it does not speak TLS: an address of it begins with http://"},
		{secure.URL, "its certificate is from nobody that this machine trusts"},
	} {
		_, err := http.Get(tt.url)
		if err == nil || silence(err) != tt.want {
			t.Errorf("%s: %q, want %q", tt.url, silence(err), tt.want)
		}
	}
	got := mailkin(t, nil, "health", "--http-addr", "127.0.0.1:1")
	if got.status != exitFailed || !strings.Contains(got.stderr, "no answer from http://127.0.0.1:1: nothing listens there. Is") {
		t.Errorf("%+v", got)
	}
}
