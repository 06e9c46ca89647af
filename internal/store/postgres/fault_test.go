package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/postgres/pgtest"
)

// newBox is a mailbox that is not stored yet.
func newBox(address string) mailbox.Mailbox {
	return mailbox.Mailbox{Address: address, Scope: mailbox.Permanent, Status: mailbox.Active,
		CreatedAt: time.UnixMilli(1_000_000).UTC()}
}

func insertBox(t testing.TB, db *DB, address string) (num mailbox.Num) {
	t.Helper()
	mustUpdate(t, db, func(tx store.Tx) (err error) {
		num, err = tx.InsertMailbox(t.Context(), newBox(address))
		return err
	})
	return num
}

func mustUpdate(t testing.TB, db *DB, fn func(store.Tx) error) {
	t.Helper()
	if err := db.Update(context.Background(), fn); err != nil {
		t.Fatal(err)
	}
}

// cutOff ends the server's side of a transaction's connection, and waits until it has.
func cutOff(t testing.TB, db *DB, tx store.Tx) {
	t.Helper()
	_, err := db.pool.Exec(context.Background(), `SELECT pg_terminate_backend($1, 60000)`,
		int32(tx.(*queries).conn.Conn().PgConn().PID()))
	if err != nil {
		t.Fatal(err)
	}
}

// A connection that is lost before the server has the commit undoes everything, so the function is run again.
func TestLostConnection(t *testing.T) {
	db := newStore(t, Options{})
	for _, c := range []struct {
		name string
		when string
	}{
		{"before the commit", "ask"},
		{"during the commit", "end"},
	} {
		t.Run(c.name, func(t *testing.T) {
			runs, address := 0, strings.ReplaceAll(c.name, " ", "-")+"@x.org"
			err := db.Update(t.Context(), func(tx store.Tx) error {
				runs++
				_, err := tx.InsertMailbox(t.Context(), newBox(address))
				if err != nil || runs > 1 {
					return err
				}
				cutOff(t, db, tx)
				if c.when == "ask" {
					_, err = tx.MailboxAt(t.Context(), address)
				}
				return err
			})
			if err != nil || runs != 2 {
				t.Errorf("%v after %d runs", err, runs)
			}
			err = db.View(t.Context(), func(r store.Reader) error {
				_, err := r.MailboxAt(t.Context(), address)
				return err
			})
			if err != nil {
				t.Errorf("afterwards: %v", err)
			}
		})
	}
}

// Connections that were lost while nobody used them are nobody's error.
func TestLostWhileIdle(t *testing.T) {
	db := newStore(t, Options{})
	num := insertBox(t, db, "a@x.org")
	for _, c := range []struct {
		name string
		do   func() error
	}{
		{"View", func() error {
			return db.View(t.Context(), func(r store.Reader) error {
				_, err := r.Mailbox(t.Context(),
					num)
				return err
			})
		}},
		{"Update", func() error {
			return db.Update(t.Context(), func(tx store.Tx) error {
				_, err := tx.Mailbox(t.Context(),
					num)
				return err
			})
		}},
	} {
		mustUpdate(t, db, func(tx store.Tx) error { return nil })
		_, err := db.pool.Exec(t.Context(), `SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.do(); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// While the database is away everything is answered soon, and when it is back all goes on.
func TestAway(t *testing.T) {
	server := pgtest.Start(t)
	db := openStore(t, server.URL(t), Options{})
	num := insertBox(t, db, "a@x.org")
	server.Stop(t)
	view := func() error {
		return db.View(t.Context(), func(r store.Reader) error { _, err := r.Mailbox(t.Context(), num); return err })
	}
	for name, do := range map[string]func() error{"View": view, "Ping": func() error { return db.Ping(t.Context()) }} {
		began := time.Now()
		if err := do(); !errors.Is(err, store.ErrUnavailable) {
			t.Errorf("%s: %v", name, err)
		}
		if took := time.Since(began); took > 2*acquireTime {
			t.Errorf("%s: answered after %v", name, took)
		}
	}
	server.Restart(t)
	if err := errors.Join(view(), db.Ping(t.Context())); err != nil {
		t.Errorf("back again: %v", err)
	}
}

func TestReadOnly(t *testing.T) {
	db := newStore(t, Options{})
	num := insertBox(t, db, "a@x.org")
	_, err := db.pool.Exec(t.Context(), `DO $$ BEGIN EXECUTE 'ALTER DATABASE ' || current_database() || ' SET default_transaction_read_only = on'; END $$`)
	if err != nil {
		t.Fatal(err)
	}
	db.pool.Reset()
	if err := db.Ping(t.Context()); !errors.Is(err, store.ErrStorage) {
		t.Errorf("Ping: %v", err)
	}
	err = db.View(t.Context(), func(r store.Reader) error { _, err := r.Mailbox(t.Context(), num); return err })
	if err != nil {
		t.Errorf("View: %v", err)
	}
}

func TestExplain(t *testing.T) {
	own := errors.New("own")
	for _, c := range []struct {
		err  error
		want error
	}{
		{nil, nil}, {own, own},
		{&pgconn.PgError{Code: "53100"}, store.ErrFull}, {&pgconn.PgError{Code: "25006"}, store.ErrStorage},
		{&pgconn.PgError{Code: "58030"}, store.ErrStorage}, {&pgconn.PgError{Code: "57P01"}, store.ErrUnavailable},
		{&pgconn.PgError{Code: "57P03"}, store.ErrUnavailable}, {&pgconn.PgError{Code: "08006"}, store.ErrUnavailable},
		{&pgconn.PgError{Code: "53300"}, store.ErrUnavailable}, {&pgconn.PgError{Code: "55P03"}, store.ErrUnavailable},
		{&pgconn.PgError{Code: "40P01"}, store.ErrUnavailable},
	} {
		err := explain(c.err)
		if !errors.Is(err, c.want) || !errors.Is(err, c.err) {
			t.Errorf("%v: %v, want %v", c.err, err, c.want)
		}
	}
	if err := explain(&pgconn.PgError{Code: "42P01"}); errors.Is(err, store.ErrStorage) ||
		errors.Is(err, store.ErrUnavailable) {
		t.Errorf("a mistake of ours: %v", err)
	}
}

// What always meets something is given up.
func TestGivesUp(t *testing.T) {
	db := newStore(t, Options{})
	num := insertBox(t, db, "a@x.org")
	key := mailbox.Key{ID: mailbox.NewID(time.Now()), Mailbox: num, Scope: mailbox.Permanent, CreatedAt: time.Now()}
	runs := 0
	err := db.Update(t.Context(), func(tx store.Tx) error {
		runs++
		return errors.Join(tx.InsertKey(t.Context(), key), tx.InsertKey(t.Context(), key))
	})
	if err == nil || errors.Is(err, store.ErrUnavailable) || runs != attempts {
		t.Errorf("%v after %d runs", err, runs)
	}
}

// No error of Open shows the password.
func TestOpenErrors(t *testing.T) {
	const secret = "s3cret"
	at := strings.Replace(pgtest.URL(t), "//", "//nobody:"+secret+"@", 1)
	at = strings.Replace(at, "postgres@", "", 1)
	for _, url := range []string{
		"postgres://u:" + secret + "@host:port/db", "postgres://u:" + secret + "%zz@host/db",
		"host=x password=" + secret + " port=abc",
		"postgres://u:" + secret + "@127.0.0.1:1/db?connect_timeout=1", at,
	} {
		db, err := Open(t.Context(), url, Options{})
		if err == nil {
			_ = db.Close()
			t.Errorf("%s: opened", url)
			continue
		}
		for e := err; e != nil; e = errors.Unwrap(e) {
			if strings.Contains(fmt.Sprintf("%v %+v", e, e), secret) {
				t.Errorf("the password is in %v", e)
			}
		}
	}
}
