package pgtest_test

import (
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"go.uber.org/goleak"

	"github.com/mailkin/mailkin/internal/store/postgres/pgtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const patience = time.Minute

func connect(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	return conn
}

// ask returns the one text that the query answers.
func ask(t *testing.T, conn *pgx.Conn, query string) string {
	t.Helper()
	var text string
	if err := conn.QueryRow(t.Context(), query).Scan(&text); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return text
}

func TestURLsAreFresh(t *testing.T) {
	const noOfTables = "SELECT count(*)::text FROM pg_tables WHERE schemaname = 'public'"
	for _, name := range []string{"first", "second"} {
		t.Run(name, func(t *testing.T) {
			conn := connect(t, pgtest.URL(t))
			if n := ask(t, conn, noOfTables); n != "0" {
				t.Errorf("%s tables in a fresh database", n)
			}
			if _, err := conn.Exec(t.Context(), "CREATE TABLE letters (n int)"); err != nil {
				t.Error(err)
			}
			if got := ask(t, conn, "SHOW server_encoding"); got != "UTF8" {
				t.Errorf("encoding %s", got)
			}
		})
	}
}

func TestDroppedAfterTheTest(t *testing.T) {
	var url string
	t.Run("user", func(t *testing.T) { url = pgtest.URL(t) })
	if conn, err := pgx.Connect(t.Context(), url); err == nil {
		conn.Close(t.Context())
		t.Error("the database is still there")
	}
}

// A server that was given is used, and only databases of our own are touched there.
func TestGivenServer(t *testing.T) {
	s := pgtest.Start(t)
	given := s.URL(t)
	t.Setenv("MAILKIN_TEST_POSTGRES", given)
	var url string
	t.Run("user", func(t *testing.T) {
		url = pgtest.URL(t)
		if url == given || !strings.Contains(url, s.Addr()) {
			t.Errorf("%s is not a new database on %s", url, s.Addr())
		}
		connect(t, url)
	})
	names := ask(t, connect(t, given), "SELECT string_agg(datname, ' ') FROM pg_database WHERE datname LIKE 'mailkin%'")
	if !strings.HasSuffix(given, "/"+names+"?sslmode=disable") {
		t.Errorf("databases after the test: %s", names)
	}
}

// What was committed is there again at the same address, after an orderly end and after a crash.
func TestRestart(t *testing.T) {
	s := pgtest.Start(t, pgtest.Durable()...)
	url := s.URL(t)
	conn := connect(t, url)
	if got := ask(t, conn, "SHOW fsync"); got != "on" {
		t.Errorf("fsync is %s", got)
	}
	if _, err := conn.Exec(t.Context(), "CREATE TABLE letters (n int)"); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		end  func(testing.TB)
	}{{"stop", s.Stop}, {"kill", s.Kill}} {
		t.Run(tt.name, func(t *testing.T) {
			conn := connect(t, url)
			if _, err := conn.Exec(t.Context(), "INSERT INTO letters VALUES (1)"); err != nil {
				t.Fatal(err)
			}
			tt.end(t)
			if _, err := conn.Exec(t.Context(), "SELECT 1"); err == nil {
				t.Error("it still answers")
			}
			s.Restart(t)
			connect(t, url)
		})
	}
	if n := ask(t, connect(t, url), "SELECT count(*)::text FROM letters"); n != "2" {
		t.Errorf("%s of 2 rows", n)
	}
}

// A frozen server is reached and says nothing, to old connections and to new ones, until it goes on.
func TestPause(t *testing.T) {
	s := pgtest.Start(t)
	conn := connect(t, s.URL(t))
	resume := s.Pause(t)
	raw, err := net.Dial("tcp", s.Addr())
	if err != nil {
		t.Fatalf("a frozen server refuses: %v", err)
	}
	defer raw.Close()
	answer := make(chan error, 1)
	go func() {
		_, err := conn.Exec(t.Context(), "SELECT 1")
		answer <- err
	}()
	select {
	case err := <-answer:
		t.Errorf("it answers: %v", err)
	case <-time.After(100 * time.Millisecond):
	}
	resume()
	if err := <-answer; err != nil {
		t.Error(err)
	}
}

const insideVariable = "MAILKIN_TEST_PGTEST_INSIDE"

// A test process that dies leaves neither a server nor a folder.
func TestGuard(t *testing.T) {
	if os.Getenv(insideVariable) != "" {
		s := pgtest.Start(t)
		os.Stdout.WriteString("\naddr " + s.Addr() + "\n")
		select {} // until it is killed
	}
	temp := tempFolder(t)
	cmd := exec.Command(os.Args[0], "-test.run=^TestGuard$", "-test.v")
	cmd.Env = append(os.Environ(), insideVariable+"=yes", "TMPDIR="+temp)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	addr := readAddr(t, out)
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	for deadline := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		left, err := filepath.Glob(temp + "/*")
		if err != nil {
			t.Fatal(err)
		}
		if len(left) == 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("left: %v", left)
		}
	}
	if conn, err := net.Dial("tcp", addr); err == nil {
		conn.Close()
		t.Error("the server still runs")
	}
}

// tempFolder is one that any user may write to, as the system's is.
func tempFolder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "mailkin-guard-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o777|os.ModeSticky); err != nil {
		t.Fatal(err)
	}
	return dir
}

// readAddr reads the line that the inner test prints.
func readAddr(t *testing.T, out interface{ Read([]byte) (int, error) }) string {
	t.Helper()
	var text strings.Builder
	buf := make([]byte, 1024)
	for {
		n, err := out.Read(buf)
		text.Write(buf[:n])
		if _, rest, ok := strings.Cut(text.String(), "\naddr "); ok {
			if addr, _, ok := strings.Cut(rest, "\n"); ok {
				return addr
			}
		}
		if strings.Contains(text.String(), "--- SKIP") {
			t.Skip(text.String())
		}
		if err != nil {
			t.Fatalf("the inner test says %q: %v", text.String(), err)
		}
	}
}
