package main

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mailkin/mailkin/internal/app"
	"github.com/mailkin/mailkin/internal/config"
)

func TestLine(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"plain", "Grüße, 世界", "Grüße, 世界"},
		{"sets the title", "a\x1b]0;x\x07b", "a␛]0;x␇b"},
		{"eight-bit sequence", "a\u009b31mb", "a\ufffd31mb"},
		{"bytes that are no text", "a\x9b31m\xffb", "a\ufffd31m\ufffdb"},
		{"lines and tabs", "a\r\nb\tc", "a  b c"},
		{"delete", "a\x7fb", "a␡b"},
		{"turned round", "exe\u202efdp.", "exe\ufffdfdp."},
		{"tags that nobody sees", "a\U000e0041b", "a\ufffdb"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := line(tt.in); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// A JSON text stays what it is, and holds nothing that a terminal obeys.
func FuzzCleanJSON(f *testing.F) {
	for _, s := range []string{"", "a\x1b[2J", "\u009b\u202e\U000e0041\x7f", "\xff\x00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		s = strings.ToValidUTF8(s, "?")
		b, err := json.Marshal(map[string]string{"a": s})
		if err != nil {
			t.Fatal(err)
		}
		clean := cleanJSON(b)
		var back map[string]string
		if err := json.Unmarshal(clean, &back); err != nil || back["a"] != s {
			t.Fatalf("%q became %q: %v", s, back["a"], err)
		}
		if r := strings.IndexFunc(string(clean), func(r rune) bool { return visible(r) != r }); r >= 0 {
			t.Fatalf("%q has a character that is not to be seen", clean)
		}
		var out bytes.Buffer
		w := &cleanWriter{w: &out}
		for _, c := range []byte(s) { // in the smallest pieces
			if _, err := w.Write([]byte{c}); err != nil {
				t.Fatal(err)
			}
		}
		if out.String() != strings.Join(strings.Split(linesOf(s), ""), "") {
			t.Fatalf("in pieces %q, at once %q", out.String(), linesOf(s))
		}
	})
}

// linesOf is lines without what needs to see two characters at once.
func linesOf(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return r
		}
		return visible(r)
	}, s)
}

func TestCut(t *testing.T) {
	for _, tt := range []struct {
		in   string
		most int
		want string
	}{
		{"short", 10, "short"}, {"exactly", 7, "exactly"}, {"a long one", 6, "a lon…"}, {"世界世界", 5, "世界…"},
		{"世界世界", 6, "世界…"},
		{"e\u0301e\u0301e\u0301", 3, "e\u0301e\u0301e\u0301"}, {"😀😀", 3, "😀…"},
	} {
		if got := cut(tt.in, tt.most); got != tt.want || columns(got) > tt.most {
			t.Errorf("cut(%q, %d) = %q of %d columns, want %q", tt.in, tt.most, got, columns(got), tt.want)
		}
	}
}

func TestSafeName(t *testing.T) {
	for in, want := range map[string]string{
		"report.pdf": "report.pdf", "../../etc/passwd": "_._.._etc_passwd", ".bashrc": "_bashrc", "-rf": "_rf",
		"": "attachment", "..": "attachment",
		"a\x1b[2Jb.txt": "a_[2Jb.txt", `C:\x\y.txt`: "C__x_y.txt", "trailing. ": "trailing", "世界.txt": "世界.txt",
		"/": "attachment",
	} {
		if got := safeName(in); got != want {
			t.Errorf("safeName(%q) = %q, want %q", in, got, want)
		}
	}
	if long := safeName(strings.Repeat("世", 300) + ".pdf"); len(long) > mostName || !utf8.ValidString(long) ||
		!strings.HasSuffix(long, ".pdf") {
		t.Errorf("a long name became %q", long)
	}
}

// hostile is mail that a terminal would obey, in every place that a command shows.
const hostile = "From: \"<E>]0;owned<B><E>[2J\" <kim@example.com>\r\nTo: $TO\r\nSubject: " +
	"=?utf-8?q?=1B[31m=C2=9B2J=E2=80=AE_code?=\r\nMessage-ID: <h<E>@example.com>\r\n" +
	"X-Odd: <E>[6n\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: " +
	"text/plain; charset=utf-8\r\n\r\n" +
	"Your verification code is " +
	"482915.<E>[2J<E>]52;c;eA==<B>\r\nhttps://example.com/confirm?<E>[2J\r\n--b\r\nContent-Type: text/html; " +
	"charset=utf-8\r\n\r\n" +
	"<p>tide <E>[2J</p>\r\n--b\r\nContent-Type: text/plain; name=\"x<E>[2J.txt\"\r\nContent-Disposition: attachment; " +
	"filename=\"x<E>[2J.txt\"\r\n\r\nfile <E>[2J\r\n--b--\r\n"

// ours are the only sequences that a command writes: the styles of screen.go.
var ours = regexp.MustCompile(`\x1b\[(0|1|2|31|32|33)m`)

// What comes from mail is never obeyed by a terminal, whichever command shows it.
func TestTerminalIsSafe(t *testing.T) {
	run, smtpAddr, token := screenKit(t)
	run(token, "mailbox", "create", "wren", "--keep")
	mail := strings.NewReplacer("<E>", "\x1b", "<B>", "\a", "$TO", "wren@mailkin.localhost").Replace(hostile)
	if err := bring(smtpAddr, "kim@example.com", "wren@mailkin.localhost", mail); err != nil {
		t.Fatal(err)
	}
	shown := run("", "wait", "--timeout", "1m")
	id := found(t, `id +([0-9a-f-]{36})`, shown)
	thread := found(t, `thread +([0-9a-f-]{36})`, shown)
	part := found(t, `attachment +([0-9a-f-]{36})`, shown)
	for _, args := range [][]string{
		{"inbox"}, {"inbox", "--json"}, {"read", id}, {"read", id, "--json"}, {"read", id, "--raw"},
		{"read", id, "--html"}, {"read", id, "--headers"},
		{"read", id, "--links"}, {"read", id, "--reply-text"}, {"search", "code"}, {"search", "code", "--json"},
		{"threads"}, {"threads", thread},
		{"threads", "--json"}, {"code"}, {"code", "--json"}, {"wait", "--json"}, {"extract", id},
		{"extract", id, "--json"},
		{"attachment", part, "-o", "-"}, {"events", "--since", "1h", "--count", "1"},
		{"events", "--since", "1h", "--count", "1", "--json"},
		{"reply", id, "--dry-run", "--force", "x\x1b[2J"}, {"key", "revoke", "\x1b[2J"}, {"stats"}, {"mailbox"},
	} {
		t.Run(strings.Join(args[:1], " "), func(t *testing.T) {
			text := ours.ReplaceAllString(run("", args...), "")
			if i := strings.IndexFunc(text, func(r rune) bool {
				return r != '\n' && r != '\t' &&
					visible(r) != r
			}); i >= 0 || !utf8.ValidString(text) {
				t.Errorf("%v: %q", args, text[max(0, i-20):min(len(text), i+20)])
			}
			if text == "" {
				t.Errorf("%v: nothing is shown", args)
			}
		})
	}
}

func found(t *testing.T, pattern, text string) string {
	t.Helper()
	m := regexp.MustCompile(pattern).FindStringSubmatch(ours.ReplaceAllString(text, ""))
	if m == nil {
		t.Fatalf("no %s in %q", pattern, text)
	}
	return m[1]
}

// screenKit starts a server, and returns what runs commands on a terminal of 100 columns and returns all they show.
func screenKit(t *testing.T) (run func(key string, args ...string) string, smtpAddr, token string) {
	t.Helper()
	dir := t.TempDir()
	cfg, err := config.Load(config.Source{Flags: map[string]string{"data-dir": filepath.Join(dir, "data"),
		"http-addr": "127.0.0.1:0", "smtp-addr": "127.0.0.1:0"}})
	if err != nil {
		t.Fatal(err)
	}
	a, err := app.Open(t.Context(), cfg, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	ran := make(chan error, 1)
	go func() { ran <- a.Run(t.Context()) }() // which ends before the clean-up
	t.Cleanup(func() {
		<-ran
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	token, err = secretValue(cfg, "token")
	if err != nil {
		t.Fatal(err)
	}
	return func(key string, args ...string) string {
		var out bytes.Buffer
		p := program{args: args, stdout: &out, stderr: &out, environ: []string{"XDG_CONFIG_HOME=" + dir,
			urlVariable + "=http://" + a.Addrs().HTTP},
			terminal: func(io.Writer) (int, bool) { return 100, true }}
		if key != "" {
			p.environ = append(p.environ, keyVariable+"="+key)
		}
		p.run()
		return out.String()
	}, a.Addrs().SMTP, token
}

// On a terminal there are columns, colours (unless NO_COLOR says otherwise) and times that a person reads.
func TestPretty(t *testing.T) {
	const list = `{"emails":[{"id":"1","from_address":"kim@example.com","from_name":"Kim","subject":"世界 ` + "\u009b" +
		`long long long long long long long long","code":"123456","direction":"inbound",
		"received_at":"2020-01-01T00:00:00.000Z","labels":[],"trust":{"level":"suspicious","reasons":[]}}],"search_mode":"keyword","next_cursor":"next"}`
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, list)
	}))
	defer srv.Close()
	for _, tt := range []struct {
		name    string
		environ string
		want    string
	}{
		{"colours", "", "\x1b[2mID\x1b[0m  \x1b[2mWHEN\x1b[0m"},
		{"none", "NO_COLOR=1", "ID  WHEN"},
		{"a dumb terminal", "TERM=dumb", "ID  WHEN"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			p := program{args: []string{"inbox", "--limit", "1"}, stdout: &stdout, stderr: &stderr,
				terminal: func(io.Writer) (int, bool) { return 60, true },
				environ: []string{"MAILKIN_URL=" + srv.URL, "MAILKIN_API_KEY=mk_x", "XDG_CONFIG_HOME=" + t.TempDir(),
					tt.environ}}
			if status := p.run(); status != exitOK {
				t.Fatalf("status %d: %s", status, stderr.String())
			}
			if !strings.HasPrefix(stdout.String(), tt.want) || !strings.Contains(stdout.String(), "2020-01-01") ||
				!strings.Contains(stderr.String(), "--cursor next") {
				t.Errorf("got %q, %q", stdout.String(), stderr.String())
			}
			for row := range strings.Lines(ours.ReplaceAllString(stdout.String(), "")) {
				if columns(strings.TrimSuffix(row, "\n")) > 60 {
					t.Errorf("%q has %d columns", row, columns(row))
				}
			}
		})
	}
}
