// Package pgtest gives tests a real PostgreSQL: an empty database in a line, or a server of their own to stop, kill and
// freeze.
//
// URL is for most tests. Where MAILKIN_TEST_POSTGRES holds the URL of a server, the databases are made there; it must
// allow its user to make and drop them. Otherwise the first call in a test process starts a cluster for that process
// alone, on an address of its own below 127.0.0.0/8. It does not sync to disk, so what it tells about speed is
// flattering.
//
// Start is for tests of faults: each call starts another server, always a private one.
//
// Nothing has to be said at the end and nothing is left: every private cluster has a guard, a shell that waits for the
// end of the test process, whatever ended it, and then stops the server and removes its folder.
//
// Without a server's programs a test is skipped, with a sentence that says what to install; where CI is "true" it
// fails.
package pgtest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// patience bounds every step that a test waits for. It is far beyond what any takes.
const patience = 2 * time.Minute

// errMissing says that there is no server to be had on this machine.
var errMissing = errors.New("PostgreSQL's server is missing: install Debian's package postgresql, " +
	"or set MAILKIN_TEST_POSTGRES to the URL of a server where databases may be made")

// shared is the one cluster of a test process. It is never ended from here: no test knows whether it
// is the last, and the guard sees the process end.
var shared = sync.OnceValues(func() (*Server, error) { return launch(nil) })

// URL returns the URL of a fresh, empty database. It is dropped at the end of the test.
func URL(t testing.TB) string {
	t.Helper()
	server := os.Getenv("MAILKIN_TEST_POSTGRES")
	if server == "" {
		s, err := shared()
		if err != nil {
			unavailable(t, err)
		}
		server = s.admin()
	}
	name, at := makeDatabase(t, server)
	t.Cleanup(func() {
		if err := execute(server, "DROP DATABASE IF EXISTS "+quote(name)+" WITH (FORCE)"); err != nil {
			t.Errorf("drop the test's database: %v", err)
		}
	})
	return at
}

// Start starts a server for this test alone and ends it after the test. Settings are of the form "name=value", as in
// postgresql.conf. Start(t, Durable()...) gives a server whose commits survive Kill and whose speed is real.
func Start(t testing.TB, settings ...string) *Server {
	t.Helper()
	s, err := launch(settings)
	if err != nil {
		unavailable(t, err)
	}
	t.Cleanup(s.end)
	return s
}

// Durable returns settings for Start: PostgreSQL's own defaults, which tests otherwise do without.
func Durable() []string { return []string{"fsync=on", "full_page_writes=on"} }

func unavailable(t testing.TB, err error) {
	t.Helper()
	if errors.Is(err, errMissing) && os.Getenv("CI") != "true" {
		t.Skip(err)
	}
	t.Fatal(err)
}

// makeDatabase makes an empty database on the server and returns its name and URL.
func makeDatabase(t testing.TB, server string) (name, at string) {
	t.Helper()
	u, err := url.Parse(server)
	if err != nil {
		t.Fatal("MAILKIN_TEST_POSTGRES is no URL") // not err, which would show the password
	}
	name = "mailkin_" + strings.ToLower(rand.Text())
	// template0 and not template1: nobody can be connected to it, which would make this fail.
	if err := execute(server, "CREATE DATABASE "+quote(name)+" TEMPLATE template0"); err != nil {
		t.Fatalf("make a database: %v", err)
	}
	u.Path = "/" + name
	return name, u.String()
}

func quote(name string) string { return pgx.Identifier{name}.Sanitize() }

// execute runs a statement on a connection of its own.
func execute(server, statement string) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	conn, err := pgx.Connect(ctx, server)
	if err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	defer conn.Close(ctx)
	_, err = conn.Exec(ctx, statement)
	return err
}
