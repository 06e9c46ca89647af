package test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/blob/s3test"
)

// patience is how long anything may take before a test gives up. It is long, because a test that waits for a condition
// goes on as soon as it is true.
const patience = 30 * time.Second

const domain = "mailkin.localhost"

func TestMain(m *testing.M) {
	status := m.Run()
	if built.dir != "" {
		_ = os.RemoveAll(built.dir)
	}
	os.Exit(status)
}

// built is the binary that the tests have made for themselves.
var built struct {
	once sync.Once
	dir  string
	path string
	err  error
}

// binary returns the path of the program.
func binary(t testing.TB) string {
	t.Helper()
	if path := os.Getenv("MAILKIN_TEST_BINARY"); path != "" {
		return path
	}
	built.once.Do(func() {
		if built.dir, built.err = os.MkdirTemp("", "mailkin-test-"); built.err != nil {
			return
		}
		built.path = filepath.Join(built.dir, "mailkin")
		cmd := exec.Command("go", "build", "-o", built.path, "../cmd/mailkin")
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

// begin starts a program. The channel is closed when it has ended.
func begin(t testing.TB, cmd *exec.Cmd) (ended <-chan struct{}) {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(done)
	}()
	return done
}

// server is a running mailkin.
type server struct {
	t       testing.TB
	dir     string         // its data folder
	environ []string       // its settings
	bucket  *s3test.Server // where its large messages are; nil: in the data folder
	wrap    []string       // a program that starts it, such as strace

	http  string // base address
	smtp  string
	lmtp  string
	token string // the operator's

	cmd    *exec.Cmd
	stdout *transcript
	stderr *transcript
	ended  chan struct{} // closed when the process has ended
	status error         // of the ended process

	expectErrors bool // errors in its log are part of the test
}

// newServer makes a server that is not started yet. Settings are KEY=value and win over those of the kit.
func newServer(t testing.TB, settings ...string) *server {
	t.Helper()
	on, bucket := storage(t)
	s := newNode(t, append(on, settings...)...)
	s.bucket = bucket
	return s
}

// newNode is a server on the store that the settings name.
func newNode(t testing.TB, settings ...string) *server {
	dir := filepath.Join(t.TempDir(), "data")
	return &server{t: t, dir: dir, environ: append([]string{
		"PATH=" + os.Getenv("PATH"),
		"MAILKIN_DATA_DIR=" + dir,
		"MAILKIN_HTTP_ADDR=127.0.0.1:0",
		"MAILKIN_SMTP_ADDR=127.0.0.1:0",
		"MAILKIN_LMTP_ADDR=127.0.0.1:0",
		"MAILKIN_MIN_FREE_DISK=1MB",
		"MAILKIN_DNS=off",
	}, settings...)}
}

// start returns a server that answers. It ends with the test.
func start(t *testing.T, settings ...string) *server {
	t.Helper()
	s := newServer(t, settings...)
	s.start(t)
	return s
}

var (
	printedHTTP  = regexp.MustCompile(`(?m)^  HTTP API +(\S+)$`)
	printedSMTP  = regexp.MustCompile(`(?m)^  SMTP +(\S+),`)
	printedLMTP  = regexp.MustCompile(`(?m)^  LMTP +(\S+)$`)
	printedToken = regexp.MustCompile(`(?m)^  Operator token +(\S+)$`)
)

// start starts the server, for the first time or again on the same folder.
func (s *server) start(t testing.TB) {
	t.Helper()
	args := append(append([]string{}, s.wrap...), binary(t), "serve")
	s.cmd = exec.Command(args[0], args[1:]...)
	s.cmd.Env = s.environ
	s.cmd.Dir = filepath.Dir(s.dir)
	s.stdout, s.stderr, s.ended = newTranscript(), newTranscript(), make(chan struct{})
	s.cmd.Stdout, s.cmd.Stderr = s.stdout, s.stderr
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	cmd, ended := s.cmd, s.ended
	go func() {
		s.status = cmd.Wait()
		close(ended)
	}()
	t.Cleanup(func() { s.cleanUp(cmd, ended) })
	ready := "/v1/mailboxes\n"
	if slices.Contains(s.environ, "MAILKIN_CATCH_ALL=on") {
		ready = "accessible via"
	}
	if !s.stdout.await(ready, ended) {
		t.Fatalf("the server did not start: %s%s", s.stdout, s.stderr)
	}
	printed := s.stdout.String()
	s.http, s.smtp, s.lmtp = found(printedHTTP, printed), found(printedSMTP, printed), found(printedLMTP, printed)
	if s.token = tokenIn(s.environ); s.token == "" {
		if token, err := os.ReadFile(found(printedToken, printed)); err == nil {
			s.token = strings.TrimSpace(string(token))
		}
	}
}

func found(re *regexp.Regexp, text string) string {
	if m := re.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}

// cleanUp ends a server that still runs at the end of its test and looks at what it has logged.
func (s *server) cleanUp(cmd *exec.Cmd, ended chan struct{}) {
	if cmd != s.cmd {
		return // it was started again since
	}
	select {
	case <-ended:
	default:
		_ = cmd.Process.Signal(syscall.SIGTERM)
		if !s.waitEnd() {
			_ = cmd.Process.Kill()
			<-ended
			s.t.Errorf("the server did not end within %v of SIGTERM", patience)
		} else if s.status != nil {
			s.t.Errorf("the server ended with %v", s.status)
		}
	}
	s.checkLog()
}

// checkLog finds panics and errors in the log.
func (s *server) checkLog() {
	log := s.stderr.String()
	bad := strings.Contains(log, "panic") || strings.Contains(log, "fatal error") || strings.Contains(log, "DATA RACE")
	if !s.expectErrors && strings.Contains(log, "level=ERROR") {
		bad = true
	}
	if bad {
		s.t.Errorf("the server logged:\n%.4000s", log)
	}
}

func (s *server) waitEnd() bool {
	limit := time.NewTimer(patience)
	defer limit.Stop()
	select {
	case <-s.ended:
		return true
	case <-limit.C:
		return false
	}
}

// signal sends the server a signal.
func (s *server) signal(t testing.TB, sig syscall.Signal) {
	t.Helper()
	if err := s.cmd.Process.Signal(sig); err != nil {
		t.Fatal(err)
	}
}

// exit waits for the server's end and returns its exit status; -1 if a signal ended it.
func (s *server) exit(t testing.TB) int {
	t.Helper()
	if !s.waitEnd() {
		t.Fatalf("the server did not end; its log:\n%s", s.stderr)
	}
	var failed *exec.ExitError
	if errors.As(s.status, &failed) {
		return failed.ExitCode()
	}
	return 0
}

// stop ends the server in good order.
func (s *server) stop(t testing.TB) {
	t.Helper()
	s.signal(t, syscall.SIGTERM)
	if status := s.exit(t); status != 0 {
		t.Fatalf("status %d after SIGTERM: %s", status, s.stderr)
	}
	s.checkLog()
}

// kill ends the server the way a crash does.
func (s *server) kill(t testing.TB) {
	t.Helper()
	s.signal(t, syscall.SIGKILL)
	s.exit(t)
	s.checkLog()
}

// restart stops the server and starts it again on the same folder.
func (s *server) restart(t testing.TB) {
	t.Helper()
	s.stop(t)
	s.start(t)
}

// run runs the program to its end.
func run(t *testing.T, environ []string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs strings.Builder
	cmd := exec.Command(binary(t), args...)
	cmd.Env, cmd.Dir = append([]string{"PATH=" + os.Getenv("PATH")}, environ...), t.TempDir()
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), errs.String()
}
