package pgtest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

var errNoPooler = errors.New("PgBouncer is missing: install Debian's package pgbouncer")

// poolerScript is the guard's of a pooler.
const poolerScript = `
while read -r _; do :; done
kill -KILL "$(cat "$1/pid")" 2>/dev/null
rm -rf "$1"
`

// Pooler starts PgBouncer before a server for this test, and returns the URL of the database through it. It gives out
// few connections, by the transaction, so that two transactions of a client hardly ever have the same.
func Pooler(t testing.TB, database string) string {
	t.Helper()
	u, err := url.Parse(database)
	if err != nil {
		t.Fatal("the database's URL is none") // not err, which would show the password
	}
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		program, err = exec.LookPath("/usr/sbin/pgbouncer") // where Debian has it, outside of most paths
	}
	if err != nil {
		if os.Getenv("CI") != "true" {
			t.Skip(errNoPooler)
		}
		t.Fatal(errNoPooler)
	}
	addr, err := startPooler(t, program, u)
	if err != nil {
		t.Fatal(err)
	}
	u.Host = addr
	return u.String()
}

func startPooler(t testing.TB, program string, to *url.URL) (addr string, err error) {
	owner, err := findOwner()
	if err != nil {
		return "", err
	}
	host, port, err := freeAddr()
	if err != nil {
		return "", err
	}
	dir, err := owner.makeFolder()
	if err != nil {
		return "", err
	}
	guard, err := owner.guard(poolerScript, dir)
	if err != nil {
		return "", errors.Join(err, os.RemoveAll(dir))
	}
	t.Cleanup(guard.end)
	settings := filepath.Join(dir, "pgbouncer.ini")
	if err := os.WriteFile(settings, []byte(poolerSettings(to, dir, host, port)), 0o644); err != nil {
		return "", fmt.Errorf("configure PgBouncer: %w", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "--daemon", "--quiet", settings)
	owner.dress(cmd, dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("start PgBouncer: %w\n%s", err, out)
	}
	addr = net.JoinHostPort(host, port)
	return addr, answers(addr)
}

func poolerSettings(to *url.URL, dir, host, port string) string {
	return fmt.Sprintf("[databases]\n* = host=%s port=%s user=%s\n[pgbouncer]\nlisten_addr = %s\nlisten_port = "+
		"%s\nunix_socket_dir =\n"+
		"auth_type = any\npool_mode = transaction\ndefault_pool_size = 8\nmax_client_conn = 500\nlogfile = "+
		"%s\npidfile = %s\n",
		to.Hostname(), to.Port(), superuser, host, port, filepath.Join(dir, "log"), filepath.Join(dir, "pid"))
}

// answers waits until somebody listens.
func answers(addr string) error {
	for deadline := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		conn, err := net.DialTimeout("tcp", addr, patience)
		if err == nil {
			return conn.Close()
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("PgBouncer does not answer: %w", err)
		}
	}
}
