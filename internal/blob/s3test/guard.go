package s3test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// guardScript reads the number of the server's process, a line for every start and a 0 for every end, until its input
// ends, which is when the test process closes it or dies.
const guardScript = `
pid=0
while read -r line; do pid=$line; done
[ "$pid" -gt 0 ] && kill -KILL "$pid" 2>/dev/null
rm -rf "$1"
`

// guard ends a server when the test process ends.
type guard struct {
	cmd  *exec.Cmd
	line *os.File // the guard's input
}

// watch starts a guard for the folder. It has no output of the test's: nothing waits for it but end.
func watch(dir string) (*guard, error) {
	theirs, ours, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("guard the S3 server: %w", err)
	}
	defer theirs.Close()
	cmd := exec.Command("/bin/sh", "-c", guardScript, "guard", dir)
	cmd.Stdin, cmd.Dir = theirs, "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return nil, errors.Join(fmt.Errorf("guard the S3 server: %w", err), ours.Close())
	}
	return &guard{cmd: cmd, line: ours}, nil
}

// watch tells the guard the process, 0 for none.
func (g *guard) watch(pid int) { fmt.Fprintln(g.line, pid) }

// end lets the guard do its work and waits for it.
func (g *guard) end() {
	_ = g.line.Close()
	_ = g.cmd.Wait()
}
