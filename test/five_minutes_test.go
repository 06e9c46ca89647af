package test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// inTerminal runs a shell script on a terminal, as a person does, and returns what the terminal gets.
const inTerminal = `import os, pty, sys
sys.exit(os.waitstatus_to_exitcode(pty.spawn(["bash", "-e", "-c", sys.argv[1]])))`

// The first five minutes of the tour go as they are printed, and every output shown there is what appears.
func TestFirstFiveMinutes(t *testing.T) {
	t.Parallel()
	embedded(t)
	for _, program := range []string{"bash", "curl", "python3"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not installed", program)
		}
	}
	steps := fiveMinutes(t)
	srv := withDefaults(t)
	srv.watch(t)
	dir := t.TempDir()
	if err := os.Symlink(binary(t), filepath.Join(dir, "mailkin")); err != nil {
		t.Fatal(err)
	}
	const mark = "== step =="
	var script, want []string
	for _, s := range steps {
		script = append(script, s[0], "echo '"+mark+"'")
		want = append(want, s[1])
	}
	addresses := strings.NewReplacer("127.0.0.1:8025", strings.TrimPrefix(srv.http, "http://"), "127.0.0.1:2525",
		srv.smtp)
	cmd := exec.Command("python3", "-c", inTerminal, addresses.Replace(strings.Join(script, "\n")))
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + dir + ":" + os.Getenv("PATH"), "HOME=" + dir, "MAILKIN_URL=" + srv.http, "NO_COLOR=1",
		"TERM=xterm"}
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	shown := strings.Split(strings.ReplaceAll(string(out), "\r\n", "\n"), mark+"\n")
	if len(shown) != len(want)+1 {
		t.Fatalf("%d steps, %d outputs:\n%s", len(want), len(shown)-1, out)
	}
	for i, w := range want {
		if !asPrinted(w).MatchString(shown[i]) {
			t.Errorf("step %d shows\n%s\nand not\n%s", i+1, shown[i], w)
		}
	}
}

// fiveMinutes are the commands of the tour's first five minutes, each with what it prints.
func fiveMinutes(t *testing.T) (steps [][2]string) {
	t.Helper()
	part := tourPart(t, "The first five minutes")
	for _, m := range regexp.MustCompile("(?s)\n```sh\n(.*?)\n```\n+```\n(.*?)\n```\n").FindAllStringSubmatch(part,
		-1) {
		steps = append(steps, [2]string{m[1], m[2] + "\n"})
	}
	if n := strings.Count(part, "\n```sh\n"); len(steps) < 4 || len(steps) != n {
		t.Fatalf("%d commands, and the outputs of %d", n, len(steps))
	}
	return steps
}

// asPrinted matches a text in which … is something else every time. The last line may lack its end.
func asPrinted(text string) *regexp.Regexp {
	parts := strings.Split(strings.TrimRight(text, "\n"), "…")
	for i, p := range parts {
		parts[i] = regexp.QuoteMeta(p)
	}
	return regexp.MustCompile(`^` + strings.Join(parts, `[^\n]*`) + `\n?$`)
}
