package pgtest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// guardScript waits until its input ends, which is when the test process closes it or dies, then ends the server and
// removes the folder. pg_ctl waits for the end; a server that does not end within its patience, or was just being
// started, ends by itself when it finds its folder gone.
const guardScript = `
while read -r _; do :; done
"$1/pg_ctl" stop --pgdata "$2/data" --mode immediate --wait --silent >/dev/null 2>&1
rm -rf "$2"
`

// guard ends a server when the test process ends.
type guard struct {
	cmd  *exec.Cmd
	line *os.File // the guard's input
}

// watch starts the guard of a cluster.
func (c *cluster) watch() (*guard, error) {
	return c.owner.guard(guardScript, c.programs, c.dir)
}

// guard starts a guard. It has no goroutine and no output of the test's: nothing waits for it but end.
func (o owner) guard(script string, args ...string) (*guard, error) {
	theirs, ours, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("guard a server: %w", err)
	}
	defer theirs.Close()
	cmd := exec.Command("/bin/sh", append([]string{"-c", script, "guard"}, args...)...)
	o.dress(cmd, "/")
	cmd.Stdin = theirs
	if err := cmd.Start(); err != nil {
		return nil, errors.Join(fmt.Errorf("guard a server: %w", err), ours.Close())
	}
	return &guard{cmd: cmd, line: ours}, nil
}

// end lets the guard do its work and waits for it.
func (g *guard) end() {
	_ = g.line.Close()
	_ = g.cmd.Wait()
}

// owner is the user that PostgreSQL runs as: it refuses to be root.
type owner struct{ id *syscall.Credential } // nil for the test's own

func findOwner() (owner, error) {
	if os.Getuid() != 0 {
		return owner{}, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err := strconv.ParseUint(u.Uid, 10, 32)
		if err != nil {
			return owner{}, fmt.Errorf("user %s: %w", name, err)
		}
		gid, err := strconv.ParseUint(u.Gid, 10, 32)
		if err != nil {
			return owner{}, fmt.Errorf("user %s: %w", name, err)
		}
		return owner{id: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}, nil
	}
	return owner{}, errors.New("PostgreSQL does not run as root, and there is no user postgres or nobody")
}

// makeFolder makes a folder of the owner's for a cluster. Not the test's own: it must outlive the test process until
// the guard has done its work.
func (o owner) makeFolder() (string, error) { return o.makeFolderIn("") }

func (o owner) makeFolderIn(where string) (string, error) {
	dir, err := os.MkdirTemp(where, "mailkin-postgres-")
	if err != nil {
		return "", fmt.Errorf("make a folder for PostgreSQL: %w", err)
	}
	if o.id != nil {
		if err := os.Chown(dir, int(o.id.Uid), int(o.id.Gid)); err != nil {
			return "", errors.Join(fmt.Errorf("make a folder for PostgreSQL: %w", err), os.Remove(dir))
		}
	}
	return filepath.Abs(dir)
}

// dress has the program run as the owner, in a process group of its own, so that an interrupt at the terminal reaches
// the tests first, and without the environment, which may hold settings for PostgreSQL's clients.
func (o owner) dress(cmd *exec.Cmd, dir string) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: o.id, Setpgid: true}
	cmd.Dir = dir
	cmd.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C"}
}
