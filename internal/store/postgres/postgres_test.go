package postgres

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/postgres/pgtest"
	"github.com/mailkin/mailkin/internal/store/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The suite that every store must pass, in every form that the store can have.
func TestStore(t *testing.T) {
	t.Run("plain", func(t *testing.T) { runSuite(t, Options{}) })
	t.Run("partitions", func(t *testing.T) {
		rec := &recorder{sent: make(map[string][]any)}
		db := runSuite(t, Options{Partitions: 2, tracer: rec})
		t.Run("statements", func(t *testing.T) {
			askMore(t, db)
			runIndexSuite(t, db)
			statementsTouchOnePart(t, rec)
		})
	})
}

// runSuite runs the suite on a database of its own, and returns that with what the last test has left.
func runSuite(t *testing.T, opt Options) *DB {
	url := pgtest.URL(t)
	// which takes twice as long, and changes nothing but how statements are sent
	if os.Getenv("MAILKIN_TEST_STORE") == "pooler" {
		url, opt.Pooler, opt.MaxConns = pgtest.Pooler(t, url), true, 16
	}
	var db *DB
	whole := t
	open := func(*testing.T) store.Store {
		// one for all cases that leave it open: a new one prepares every statement again
		if db == nil || db.closed {
			db = openStore(whole, url, opt)
		}
		empty(whole, db)
		return db
	}
	storetest.Run(t, open)
	open(t)
	return db
}

// openStore opens a store and closes it when the test ends, if the test did not.
func openStore(t testing.TB, url string, opt Options) *DB {
	t.Helper()
	db, err := Open(context.Background(), url, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return db
}

// newStore opens a store in a database of its own.
func newStore(t testing.TB, opt Options) *DB {
	t.Helper()
	return openStore(t, pgtest.URL(t), opt)
}

// empty takes everything out of a store, which is quicker than another database.
func empty(t testing.TB, db *DB) {
	t.Helper()
	_, err := db.pool.Exec(context.Background(), `DO $$ DECLARE t text; BEGIN
		FOR t IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename !~ '_[0-9]+$'
			AND tablename NOT IN ('migrations', 'deployment', 'places', 'ping', 'gone', 'era') AND tablename NOT LIKE 'index%'
		LOOP EXECUTE 'DELETE FROM ' || quote_ident(t); END LOOP;
		UPDATE gone SET number = 0; END $$`)
	if err != nil {
		t.Fatal(err)
	}
}

// A database that is spread over several servers is known by its catalogue.
func TestDistributed(t *testing.T) {
	db := newStore(t, Options{})
	if db.distributed {
		t.Error("plain PostgreSQL is taken for a distributed database")
	}
	if _, err := db.pool.Exec(t.Context(), `CREATE TABLE pg_dist_partition ()`); err != nil {
		t.Fatal(err)
	}
	if err := db.check(t.Context()); err != nil || !db.distributed {
		t.Errorf("Citus is not recognised: %v", err)
	}
}

// Whoever runs a deployment behind a pooler is told which settings its connections lack, and no more when they have
// them.
func TestPoolerSettings(t *testing.T) {
	url := pgtest.URL(t)
	logged := func() string {
		var out strings.Builder
		openStore(t, pgtest.Pooler(t, url), Options{Pooler: true, Log: slog.New(slog.NewTextHandler(&out, nil))})
		return out.String()
	}
	if out := logged(); !strings.Contains(out, "idle_in_transaction_session_timeout = '5s'") ||
		!strings.Contains(out, "enable_seqscan") || strings.Contains(out, "tcp_") {
		t.Errorf("logged %s", out)
	}
	db := openStore(t, pgtest.Pooler(t, url), Options{Pooler: true})
	statements, err := db.missingSettings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for statement := range strings.SplitSeq(statements, "; ") {
		if _, err := db.pool.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	if out := logged(); out != "" {
		t.Errorf("logged %s", out)
	}
}

// Behind a pooler each transaction may come to another server process: nothing is left in one for the next.
func TestPooler(t *testing.T) {
	db := newStore(t, Options{Pooler: true, MaxConns: 2})
	num := insertBox(t, db, "a@x.org")
	for i := range int64(3) {
		m, c := benchMail(i, num)
		mustUpdate(t, db, func(tx store.Tx) error { return receiveMail(tx, m, c) })
		if _, err := db.pool.Exec(t.Context(), `DISCARD ALL`); err != nil {
			t.Fatal(err)
		}
	}
	err := db.View(t.Context(), func(r store.Reader) error {
		list, err := r.Messages(t.Context(), num, store.MessageFilter{Limit: 10})
		if err != nil || len(list) != 3 {
			t.Errorf("%d messages", len(list))
		}
		prepared := -1
		e := r.(*queries).sql(`SELECT count(*) FROM pg_prepared_statements WHERE name <> ''`).one(
			func(r row) { prepared = int(r.Int(0)) })
		if prepared != 0 {
			t.Errorf("%d statements are prepared", prepared)
		}
		return errors.Join(err, e)
	})
	if err != nil {
		t.Error(err)
	}
}
