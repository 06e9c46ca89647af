package browser

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// patience is how long anything may take before a test gives up.
const patience = 45 * time.Second

// built is the binary that the tests have made for themselves.
var built struct {
	once sync.Once
	path string
	err  error
}

func binary(t testing.TB) string {
	t.Helper()
	if path := os.Getenv("MAILKIN_TEST_BINARY"); path != "" {
		return path
	}
	built.once.Do(func() {
		built.path = filepath.Join(scratch, "mailkin")
		cmd := exec.Command("go", "build", "-o", built.path, "../../cmd/mailkin")
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			built.err = fmt.Errorf("go build: %w\n%s", err, out)
		}
	})
	if built.err != nil {
		t.Fatal(built.err)
	}
	return built.path
}

// server is a running mailkin.
type server struct {
	t      testing.TB
	url    string
	token  string
	link   string // signs in once; only where the output is a terminal
	stdout *transcript
	stderr *transcript
}

var (
	printedHTTP  = regexp.MustCompile(`(?m)^  HTTP API +(\S+)$`)
	printedToken = regexp.MustCompile(`(?m)^  Operator token +(\S+)$`)
	printedLink  = regexp.MustCompile(`(?m)^  (http\S+#signin=\S+)$`)
)

// start returns a server that answers. It ends with the test, in good order.
func start(t testing.TB, settings ...string) *server {
	t.Helper()
	return launch(t, nil, nil, settings)
}

// startInTerminal is start for a person who looks at what is printed.
func startInTerminal(t testing.TB) *server {
	t.Helper()
	ours, programs := terminal(t)
	return launch(t, ours, programs, nil)
}

// launch starts a server, in a terminal where there is one.
func launch(t testing.TB, ours, programs *os.File, settings []string) *server {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data")
	s := &server{t: t, stdout: &transcript{}, stderr: &transcript{}}
	cmd := exec.Command(binary(t), "serve")
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "TZ=UTC", "MAILKIN_DATA_DIR=" + dir,
		"MAILKIN_HTTP_ADDR=127.0.0.1:0",
		"MAILKIN_SMTP_ADDR=127.0.0.1:0", "MAILKIN_MIN_FREE_DISK=1MB", "MAILKIN_DNS=off"}, settings...)
	cmd.Dir = t.TempDir()
	cmd.Stdout, cmd.Stderr = s.stdout, s.stderr
	if programs != nil {
		cmd.Stdout = programs
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		if programs != nil {
			programs.Close()
			_, _ = io.Copy(s.stdout, ours) // until the program has ended
		}
		ended <- cmd.Wait()
	}()
	t.Cleanup(func() { s.stop(cmd, ended) })
	s.await(ended)
	return s
}

// await waits until the server has said where it is.
func (s *server) await(ended chan error) {
	t := s.t
	t.Helper()
	limit := time.After(patience)
	for !strings.HasSuffix(s.stdout.String(), "/v1/mailboxes\n\n") {
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("the server did not start: %v\n%s%s", err, s.stdout, s.stderr)
		case <-limit:
			t.Fatalf("the server did not start in time\n%s%s", s.stdout, s.stderr)
		case <-time.After(2 * time.Millisecond):
		}
	}
	printed := s.stdout.String()
	s.url, s.link = found(printedHTTP, printed), found(printedLink, printed)
	token, err := os.ReadFile(found(printedToken, printed))
	if err != nil {
		t.Fatal(err)
	}
	s.token = strings.TrimSpace(string(token))
}

func found(re *regexp.Regexp, text string) string {
	if m := re.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}

func (s *server) stop(cmd *exec.Cmd, ended chan error) {
	_ = cmd.Process.Signal(syscall.SIGTERM)
	select {
	case err := <-ended:
		if err != nil {
			s.t.Errorf("the server ended with %v", err)
		}
	case <-time.After(patience):
		_ = cmd.Process.Kill()
		s.t.Errorf("the server did not end in time")
	}
	if log := s.stderr.String(); strings.Contains(log, "panic") || strings.Contains(log, "level=ERROR") {
		s.t.Errorf("the server logged:\n%.4000s", log)
	}
}

// call makes a request and returns its JSON; any status but a success fails the test.
func (s *server) call(key, method, path string, body any) map[string]any {
	s.t.Helper()
	kind, reader := "application/json", io.Reader(nil)
	switch b := body.(type) {
	case nil:
	case string:
		kind, reader = "message/rfc822", strings.NewReader(b)
	default:
		encoded, err := json.Marshal(b)
		if err != nil {
			s.t.Fatal(err)
		}
		reader = bytes.NewReader(encoded)
	}
	r, err := http.NewRequest(method, s.url+"/v1/"+path, reader)
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+key)
	r.Header.Set("Content-Type", kind)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode >= 300 {
		s.t.Fatalf("%s %s: status %d, %v: %.500s", method, path, answer.StatusCode, err, text)
	}
	var out map[string]any
	if err := json.Unmarshal(text, &out); err != nil {
		s.t.Fatal(err)
	}
	return out
}

// box is a mailbox with its key.
type box struct {
	s            *server
	address, key string
}

func (s *server) mailbox(name string) box {
	s.t.Helper()
	made := s.call(s.token, "POST", "mailboxes", map[string]any{"name": name})
	return box{s, made["mailbox"].(string), made["api_key"].(string)}
}

// receive gives the mailbox a message, and its id.
func (b box) receive(mail string) string {
	b.s.t.Helper()
	mail = strings.ReplaceAll(strings.ReplaceAll(mail, "\r\n", "\n"), "\n", "\r\n")
	return b.s.call(b.s.token, "POST", "ingest?mailbox="+url.QueryEscape(b.address), mail)["id"].(string)
}

// do makes a request with the mailbox's key.
func (b box) do(method, path string, body any) map[string]any {
	b.s.t.Helper()
	return b.s.call(b.key, method, path, body)
}

// transcript is an output that can be read while it is written.
type transcript struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (t *transcript) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.text.Write(p)
}

func (t *transcript) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.ReplaceAll(t.text.String(), "\r\n", "\n") // as a terminal has them
}
