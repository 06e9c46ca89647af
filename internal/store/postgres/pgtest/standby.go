package pgtest

import (
	"context"
	"net/url"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Standby starts a server that follows this one, which must be running, some moments behind: commits do not wait for
// it. It ends after the test.
func (s *Server) Standby(t testing.TB) *Server {
	t.Helper()
	standby, err := launchWith(s.cluster.settings, func(c *cluster) error { return c.copy(&s.cluster) })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(standby.end)
	return standby
}

// Detach has a standby stop following when it has everything that its primary has now. What comes later is lost to it.
func (s *Server) Detach(t testing.TB, primary *Server) {
	t.Helper()
	at := one(t, primary, `SELECT pg_current_wal_lsn()::text`)
	until(t, s, `SELECT (pg_last_wal_replay_lsn() >= '`+at+`')::text`)
	if err := execute(s.admin(), `ALTER SYSTEM SET primary_conninfo = ''`); err != nil {
		t.Fatal(err)
	}
	one(t, s, `SELECT pg_reload_conf()::text`)
	until(t, s, `SELECT (count(*) = 0)::text FROM pg_stat_wal_receiver`)
}

// Promote makes a standby a primary, on a timeline of its own.
func (s *Server) Promote(t testing.TB) {
	t.Helper()
	if done := one(t, s, `SELECT pg_promote(true, 100)::text`); done != "true" {
		t.Fatal("the standby was not promoted")
	}
}

// until asks a server again and again until it says true.
func until(t testing.TB, s *Server, question string) {
	t.Helper()
	for end := time.Now().Add(patience); one(t, s, question) != "true"; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: still not", question)
		}
	}
}

// one asks a server for a single value.
func one(t testing.TB, s *Server, question string) (answer string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	conn, err := pgx.Connect(ctx, s.admin())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	if err := conn.QueryRow(ctx, question).Scan(&answer); err != nil {
		t.Fatalf("%s: %v", question, err)
	}
	return answer
}

// At is the URL of a database, with this server in place of those that it names.
func (s *Server) At(database string) string {
	u, err := url.Parse(database)
	if err != nil {
		panic(err)
	}
	u.Host = s.Addr()
	query := u.Query()
	query.Del("target_session_attrs")
	u.RawQuery = query.Encode()
	return u.String()
}
