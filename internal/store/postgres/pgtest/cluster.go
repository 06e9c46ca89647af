package pgtest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// superuser is the one role of a private cluster. It needs no password.
const superuser = "postgres"

// cluster is the data of a server in a folder, and how its programs are run.
type cluster struct {
	programs   string // the folder of initdb, pg_ctl and postgres
	owner      owner
	dir        string // of everything; its data is in a folder below
	host, port string
	settings   []string
}

// defaults make a server quick to start and to use. The last setting of a name counts.
var defaults = []string{
	"fsync=off", "full_page_writes=off", "max_connections=300", "shared_buffers=64MB", "unix_socket_directories=",
	"log_min_messages=warning",
}

func (c *cluster) data() string { return filepath.Join(c.dir, "data") }

func (c *cluster) log() string { return filepath.Join(c.dir, "log") }

func (c *cluster) init() error {
	err := c.run("initdb", "--pgdata", c.data(), "--no-sync", "--no-instructions", "--auth", "trust",
		"--username", superuser, "--locale", "C.UTF-8", "--encoding", "UTF8")
	if err != nil {
		return err
	}
	// It listens on loopback alone unless a test says otherwise, and then anyone who reaches it is the test.
	if err := c.appendTo("pg_hba.conf", "host all all all trust\nhost replication all all trust\n"); err != nil {
		return err
	}
	return c.appendTo("postgresql.conf", c.configuration())
}

// copy makes the cluster a standby of another one, which runs.
func (c *cluster) copy(from *cluster) error {
	err := c.run("pg_basebackup", "--pgdata", c.data(), "--no-sync", "--checkpoint", "fast", "--write-recovery-conf",
		"--host", from.host, "--port", from.port, "--username", superuser)
	if err != nil {
		return err
	}
	return c.appendTo("postgresql.conf", c.configuration())
}

func (c *cluster) appendTo(name, text string) error {
	file, err := os.OpenFile(filepath.Join(c.data(), name), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return fmt.Errorf("configure PostgreSQL: %w", err)
	}
	_, err = file.WriteString(text)
	if err = errors.Join(err, file.Close()); err != nil {
		return fmt.Errorf("configure PostgreSQL: %w", err)
	}
	return nil
}

func (c *cluster) configuration() string {
	var lines strings.Builder
	own := []string{"listen_addresses=" + c.host, "port=" + c.port}
	for _, list := range [][]string{defaults, own, c.settings} {
		for _, setting := range list {
			name, value, _ := strings.Cut(setting, "=")
			fmt.Fprintf(&lines, "%s = '%s'\n", name, strings.ReplaceAll(value, "'", "''"))
		}
	}
	return lines.String()
}

// start returns when the server takes connections.
func (c *cluster) start() error {
	err := c.run("pg_ctl", "start", "--pgdata", c.data(), "--log", c.log(), "--wait", "--timeout", "110", "--silent")
	if err != nil {
		log, _ := os.ReadFile(c.log())
		return fmt.Errorf("%w\nits log:\n%s", err, log)
	}
	return nil
}

func (c *cluster) stop(mode string) error {
	if _, err := c.pid(); errors.Is(err, os.ErrNotExist) {
		return nil // not running
	}
	return c.run("pg_ctl", "stop", "--pgdata", c.data(), "--mode", mode, "--wait", "--timeout", "110", "--silent")
}

// pid is the server's first process.
func (c *cluster) pid() (int, error) {
	file, err := os.ReadFile(filepath.Join(c.data(), "postmaster.pid"))
	if err != nil {
		return 0, fmt.Errorf("find PostgreSQL's process: %w", err)
	}
	first, _, _ := strings.Cut(string(file), "\n")
	return strconv.Atoi(first)
}

// run runs one of PostgreSQL's programs as the owner of the data, and without settings from the environment.
func (c *cluster) run(program string, args ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(c.programs, program), args...)
	c.owner.dress(cmd, c.dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", program, err, out)
	}
	return nil
}

// findPrograms returns the folder of the newest server on this machine.
func findPrograms() (string, error) {
	newest, found := 0, ""
	folders, _ := filepath.Glob("/usr/lib/postgresql/*/bin") // where Debian has them, outside of the path
	for _, folder := range folders {
		version, _ := strconv.Atoi(filepath.Base(filepath.Dir(folder)))
		if _, err := exec.LookPath(filepath.Join(folder, "initdb")); err == nil && version > newest {
			newest, found = version, folder
		}
	}
	if found != "" {
		return found, nil
	}
	initdb, err := exec.LookPath("initdb")
	if err != nil {
		return "", errMissing
	}
	if initdb, err = filepath.EvalSymlinks(initdb); err != nil {
		return "", fmt.Errorf("find PostgreSQL: %w", err)
	}
	return filepath.Dir(initdb), nil
}

// freeAddr returns an address that stays free while a server is stopped: nobody else listens, or opens connections
// from, a random address below 127.0.0.0/8. Systems that have only 127.0.0.1 get a port that is free just now.
func freeAddr() (host, port string, err error) {
	random := net.IPv4(127, byte(1+rand.IntN(254)), byte(rand.IntN(256)), byte(1+rand.IntN(254))).String()
	l, err := net.Listen("tcp", net.JoinHostPort(random, "0"))
	if err != nil {
		l, err = net.Listen("tcp", "127.0.0.1:0")
	}
	if err != nil {
		return "", "", fmt.Errorf("find a free address: %w", err)
	}
	defer l.Close()
	return net.SplitHostPort(l.Addr().String())
}
