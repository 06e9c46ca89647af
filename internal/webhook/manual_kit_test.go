package webhook

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"go/format"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// formatSecret writes a mailbox's secret as the libraries of Standard Webhooks take it.
func formatSecret(secret []byte) string { return "whsec_" + base64.StdEncoding.EncodeToString(secret) }

// manual has the programs of the manual by name. They are marked with it: "```python receiver.py".
func manual(t *testing.T) map[string]string {
	t.Helper()
	page, err := os.ReadFile("../../docs/webhooks.md")
	if err != nil {
		t.Fatal(err)
	}
	programs := map[string]string{}
	for _, m := range regexp.MustCompile("(?ms)^```[a-z]+ ([a-z.]+)\n(.*?)^```$").FindAllStringSubmatch(string(page),
		-1) {
		if programs[m[1]] != "" {
			t.Errorf("%s stands there twice", m[1])
		}
		programs[m[1]] = m[2]
	}
	return programs
}

// need says that a test cannot do without a program. Only away from CI may it be missing.
func need(t *testing.T, programs ...string) {
	t.Helper()
	for _, name := range programs {
		if _, err := exec.LookPath(name); err != nil {
			missing(t, name+" is not installed")
		}
	}
}

func missing(t *testing.T, what string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatal(what)
	}
	t.Skip(what)
}

// program writes a program of the manual into a folder and returns the command that runs it.
func program(t *testing.T, name string) []string {
	t.Helper()
	source, ok := manual(t)[name]
	if !ok {
		t.Fatalf("the manual has no %s", name)
	}
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	switch filepath.Ext(name) {
	case ".py":
		need(t, "python3")
		return []string{"python3", file}
	case ".js":
		need(t, "node")
		return []string{"node", file}
	case ".sh":
		need(t, "sh", "openssl")
		return []string{"sh", file}
	}
	if tidy, err := format.Source([]byte(source)); err != nil || string(tidy) != source {
		t.Errorf("%s is not as gofmt has it: %v", name, err)
	}
	need(t, "go")
	binary := strings.TrimSuffix(file, ".go")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", binary, file)
	build.Dir, build.Env = filepath.Dir(file), append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return []string{binary}
}

// runReceiver starts a receiver for the time of the test and returns its URL.
func runReceiver(t *testing.T, command []string) string {
	t.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env = append(os.Environ(), "MAILBOX_SECRET="+formatSecret(mailboxSecret), "PORT=0")
	said := new(bytes.Buffer)
	cmd.Stderr, cmd.WaitDelay = said, 10*time.Second
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	rest := make(chan struct{})
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-rest
		_ = cmd.Wait() // killed
		if t.Failed() {
			t.Logf("it said:\n%s", said)
		}
	})
	first, err := lines.ReadString('\n')
	go func() { // so that it never waits for us
		defer close(rest)
		_, _ = io.Copy(io.Discard, lines)
	}()
	url, ok := strings.CutPrefix(strings.TrimSpace(first), "listening on ")
	if err != nil || !ok {
		t.Fatalf("it says %q, %v", first, err)
	}
	return url
}

// exits runs a command and tells whether it ends with 0. It may end with 1, and with nothing else.
func exits(t *testing.T, env, input string, command []string) bool {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
	cmd.Env = append(os.Environ(), env)
	cmd.Stdin = strings.NewReader(input)
	out, err := cmd.CombinedOutput()
	if code := cmd.ProcessState.ExitCode(); code != 0 && code != 1 {
		t.Errorf("%v: %s", err, out)
	}
	return err == nil
}
