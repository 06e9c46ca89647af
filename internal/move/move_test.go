package move

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/acme"
	"github.com/mailkin/mailkin/internal/blob"
	"github.com/mailkin/mailkin/internal/blob/s3test"
	"github.com/mailkin/mailkin/internal/config"
	"github.com/mailkin/mailkin/internal/datadir"
	"github.com/mailkin/mailkin/internal/datadir/datadirtest"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/postgres"
	"github.com/mailkin/mailkin/internal/store/postgres/pgtest"
	"github.com/mailkin/mailkin/internal/store/sqlite"
)

// A move is interrupted after every piece, each of a row or two, and what is there in the end is everything.
func TestMoveInterrupted(t *testing.T) {
	d, cfg := newMove(t)
	cfg.Database.Partitions = 2
	rounds := 0
	for done := false; !done; rounds++ {
		ctx, interrupt := context.WithCancel(t.Context())
		left := 10
		m := &move{cfg: cfg, from: d.Config.DataDir, log: discard(), pieceRows: 2, pieceBytes: 1 << 20,
			report: func(s Progress) {
				if left--; left == 0 && s.Step == Copying {
					interrupt()
				}
			}}
		err := errors.Join(m.run(ctx), m.close())
		interrupt()
		if done = err == nil; done {
			break
		}
		if !errors.Is(err, context.Canceled) || m.done.Again != (rounds > 0) || rounds > 50 {
			t.Fatalf("round %d, again %v: %v", rounds, m.done.Again, err)
		}
		if db, err := postgres.Open(t.Context(), string(cfg.Database.URL), postgres.Options{}); err == nil ||
			!strings.Contains(err.Error(), "mailkin move") {
			_ = db.Close()
			t.Fatalf("round %d: a half of it can be opened: %v", rounds, err)
		}
	}
	if rounds < 3 {
		t.Errorf("it was interrupted %d times", rounds)
	}
	checkMoved(t, d, cfg)
}

// A move that ended before it copied anything keeps nodes off the database that it made tables in, and is run again.
func TestMoveInterruptedAtOnce(t *testing.T) {
	d, cfg := newMove(t)
	first, err := postgres.OpenImport(t.Context(), string(cfg.Database.URL), postgres.Options{})
	d.Must(err)
	d.Must(first.Close())
	if db, err := postgres.Open(t.Context(), string(cfg.Database.URL), postgres.Options{}); err == nil ||
		!strings.Contains(err.Error(), "mailkin move") {
		_ = db.Close()
		t.Fatalf("a node starts on it: %v", err)
	}
	if done, err := Run(t.Context(), cfg, d.Config.DataDir, discard(), silent); err != nil || done.Again {
		t.Fatalf("again %v: %v", done.Again, err)
	}
	checkMoved(t, d, cfg)
}

// What differs in the copy is found, whatever it is.
func TestMoveCompares(t *testing.T) {
	d, cfg := newMove(t)
	m := &move{cfg: cfg, from: d.Config.DataDir, log: discard(), report: silent, pieceRows: maxRows,
		pieceBytes: maxBytes}
	defer m.close()
	d.Must(m.open(t.Context()))
	d.Must(m.copyTables(t.Context()))
	d.Must(m.compare(t.Context()))
	for _, tt := range []struct{ name, change string }{
		{"a bit", `UPDATE messages SET seen = NOT seen WHERE seq = 2`},
		{"a byte", `UPDATE docs SET packed = packed || '\x00' WHERE seq = 3`},
		{"nothing for null", `UPDATE docs SET blob = '' WHERE blob IS NULL`},
		{"a row is missing", `DELETE FROM contacts WHERE ctid IN (SELECT ctid FROM contacts LIMIT 1)`},
		{"a row too many", `INSERT INTO labels VALUES (1, 'novel')`},
		{"another's row", `UPDATE contacts SET box = box + 1 WHERE box = (SELECT min(box) FROM contacts)`},
		{"an entry of a log", `DELETE FROM audits WHERE n = 1`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tx, err := m.to.Pool().Begin(t.Context())
			d.Must(err)
			_, err = tx.Exec(t.Context(), tt.change)
			d.Must(errors.Join(err, tx.Commit(t.Context())))
			if err := m.compare(t.Context()); !errors.Is(err, errDiffers) {
				t.Errorf("not found: %v", err)
			}
			_, err = m.to.Pool().Exec(t.Context(),
				`TRUNCATE messages, docs, contacts, labels, audits; UPDATE moves SET key = NULL, done = false
				WHERE name IN ('messages', 'docs', 'contacts', 'labels', 'audits')`)
			d.Must(err)
			d.Must(m.copyTables(t.Context()))
			d.Must(m.compare(t.Context()))
		})
	}
}

// Every column of the database is filled, or it is named here why not.
func TestMoveFillsEveryColumn(t *testing.T) {
	d, cfg := newMove(t)
	m := &move{cfg: cfg, from: d.Config.DataDir, log: discard(), report: silent}
	defer m.close()
	d.Must(m.open(t.Context()))
	filled := map[string]bool{"messages.from_lower": true, "gone.number": true, "era.mark": true, // by other means
		"ping.n": true, "places.base": true, "places.seen": true, // of each store alone
		"era.number": true, "era.at": true, "counters.era": true}
	for _, table := range sqlite.Tables() {
		for _, c := range table.Columns() {
			filled[table.Name+"."+c] = true
		}
	}
	rows, err := m.to.Pool().Query(t.Context(), `SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = 'public'
		AND table_name !~ '^(index_.*|part_texts|text_work|leases|nodes|certs|probe|migrations|deployment|moves)$'`)
	d.Must(err)
	for rows.Next() {
		var column string
		d.Must(rows.Scan(&column))
		if !filled[column] {
			t.Errorf("%s is not filled", column)
		}
	}
	d.Must(rows.Err())
}

// What cannot be moved is refused with a sentence, and nothing is left of it.
func TestMoveRefused(t *testing.T) {
	d, cfg := newMove(t)
	try := func(cfg config.Config, from string) error {
		_, err := Run(t.Context(), cfg, from, discard(), silent)
		return err
	}
	want := func(what string, err error, sentence string) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), sentence) || strings.Contains(err.Error(), "the root") {
			t.Errorf("%s: %v, want %q", what, err, sentence)
		}
	}
	other := cfg
	other.Secret = "another root"
	want("another secret", try(other, d.Config.DataDir), "MAILKIN_SECRET is not the one in ")
	other.Secret = ""
	want("no secret", try(other, d.Config.DataDir), "MAILKIN_SECRET is not set: nodes need the one that is in ")
	want("no folder", try(cfg, t.TempDir()), "no data folder")
	serving, err := sqlite.Open(filepath.Join(d.Config.DataDir, datadir.Database))
	d.Must(err)
	want("it is served", try(cfg, d.Config.DataDir), "another process is using")
	d.Must(serving.Close())
	node, err := postgres.Open(t.Context(), string(cfg.Database.URL), postgres.Options{})
	d.Must(err)
	d.Must(node.Ping(t.Context()))
	want("a node is there", try(cfg, d.Config.DataDir), "a node works on this database")
	d.Must(node.Update(t.Context(), func(tx store.Tx) error { return tx.AppendAudit(t.Context(), mailbox.Audit{}) }))
	d.Must(node.Close())
	want("something is in it", try(cfg, d.Config.DataDir), "its table audits has rows")
	again, err := postgres.Open(t.Context(), string(cfg.Database.URL), postgres.Options{})
	d.Must(err)
	d.Must(again.Close())
}

// Large messages are not put into a bucket that is another deployment's, which would sweep them up.
func TestMoveToBucketOfAnother(t *testing.T) {
	d, cfg := newMove(t)
	cfg.BlobURL = mailbox.Secret(s3test.Start(t).URLWithKeys())
	options, err := blob.ParseBucketURL(string(cfg.BlobURL))
	d.Must(err)
	bucket, err := blob.OpenBucket(options)
	d.Must(err)
	d.Must(bucket.SetMark(t.Context(), "mailkin 0123 4\n"))
	if _, err := Run(t.Context(), cfg, d.Config.DataDir, discard(), silent); err == nil ||
		!strings.Contains(err.Error(), "belongs to another deployment") {
		t.Errorf("moved: %v", err)
	}
	d.Must(bucket.Close())
}

// A folder that was served since a move was interrupted is not gone on with.
func TestMoveOfAnotherState(t *testing.T) {
	d, cfg := newMove(t)
	m := &move{cfg: cfg, from: d.Config.DataDir, log: discard(), report: silent, pieceRows: maxRows,
		pieceBytes: maxBytes}
	d.Must(errors.Join(m.open(t.Context()), m.copyTables(t.Context()), m.close()))
	again := &move{cfg: cfg, from: d.Config.DataDir, log: discard(), report: silent}
	d.Must(errors.Join(again.open(t.Context()), again.close()))
	db, err := sqlite.Open(filepath.Join(d.Config.DataDir, datadir.Database))
	d.Must(err)
	d.Must(errors.Join(db.Ping(t.Context()), db.Close()))
	if _, err := Run(t.Context(), cfg, d.Config.DataDir, discard(), silent); err == nil ||
		!strings.Contains(err.Error(), "was served since") {
		t.Errorf("gone on with: %v", err)
	}
}

// The folder of a server that was killed has mail in its log, which is moved, and looking at it does not make it
// another folder.
func TestMoveAfterCrash(t *testing.T) {
	d := deployment{datadirtest.New(t)}
	for i := range 5 {
		d.store(fmt.Sprintf("mail %d", i), false)
	}
	crashed, cfg := t.TempDir(), d.Config
	for _, name := range []string{datadir.Database, datadir.Database + "-wal", "secret"} {
		b, err := os.ReadFile(filepath.Join(d.Config.DataDir, name))
		d.Must(err)
		d.Must(os.WriteFile(filepath.Join(crashed, name), b, 0o600))
	}
	if info, err := os.Stat(filepath.Join(crashed, datadir.Database+"-wal")); err != nil || info.Size() == 0 {
		t.Fatalf("there is nothing in the log: %v", err)
	}
	cfg.Database.URL, cfg.Secret = mailbox.Secret(pgtest.URL(t)), "the root"
	m := &move{cfg: cfg, from: crashed, log: discard(), report: silent, pieceRows: maxRows, pieceBytes: maxBytes}
	d.Must(errors.Join(m.open(t.Context()), m.copyTables(t.Context()), m.close()))
	if done, err := Run(t.Context(), cfg, crashed, discard(), silent); err != nil || done.Messages != 5 || !done.Again {
		t.Errorf("moved %+v: %v", done, err)
	}
}

// Two moves into one database do not get in each other's way: the slower one ends.
func TestMoveTwice(t *testing.T) {
	d, cfg := newMove(t)
	m := &move{cfg: cfg, from: d.Config.DataDir, log: discard(), report: silent, pieceRows: 1, pieceBytes: maxBytes}
	defer m.close()
	d.Must(m.open(t.Context()))
	p, err := m.piece(sqlite.Tables()[0], nil)
	d.Must(err)
	d.Must(m.to.Append(t.Context(), p))
	if err := m.to.Append(t.Context(), p); err == nil || !strings.Contains(err.Error(), "another move") {
		t.Errorf("the same piece again: %v", err)
	}
	if n, err := m.to.Count(t.Context(), p.Table); n != 1 || err != nil {
		t.Errorf("%d rows: %v", n, err)
	}
}

// Bytes that the folder has lost before are told and stop nothing; certificates come along, and the secrets' files are
// named.
func TestMoveRest(t *testing.T) {
	d, cfg := newMove(t)
	lost, err := blob.Path(fmt.Sprintf("%d/%x", d.Box, fmt.Sprintf("%-16s", "mail 4")))
	d.Must(err)
	d.Must(os.Remove(filepath.Join(d.Config.DataDir, datadir.Blobs, lost)))
	done, err := Run(t.Context(), cfg, d.Config.DataDir, discard(), silent)
	d.Must(err)
	if done.Messages != 9 || done.Mailboxes != 2 || done.Blobs != 2 || len(done.Lost) != 1 || done.Certs != 1 ||
		done.Again {
		t.Errorf("moved %+v", done)
	}
	db, err := postgres.Open(t.Context(), string(cfg.Database.URL), postgres.Options{})
	d.Must(err)
	defer db.Close()
	certs := acme.Shared(postgres.NewCerts(db.Pool()), func() [][]byte { return [][]byte{[]byte(cfg.Secret)} },
		discard())
	if key, err := certs.Load(t.Context(), "certificates/ca/mx.example/mx.example.key"); err != nil ||
		string(key) != "another key" {
		t.Errorf("key %q: %v", key, err)
	}
	secrets, err := Secrets(cfg, d.Config.DataDir)
	d.Must(err)
	want := []Secret{{"MAILKIN_SECRET", d.Config.SecretFile(), true}, {"AUTH_TOKEN", d.Config.TokenFile(), false},
		{"WEBHOOK_SECRET", "", false}}
	if !slices.Equal(secrets, want) {
		t.Errorf("secrets %+v", secrets)
	}
}

func TestMoveRowCodec(t *testing.T) {
	for _, row := range [][]any{nil, {nil}, {int64(-1), "a\x00", []byte{}, nil, []byte("b")}, {int64(1 << 62)}} {
		got, err := decodeRow(encodeRow(nil, row))
		if err != nil || fmt.Sprintf("%#v", got) != fmt.Sprintf("%#v", row) {
			t.Errorf("%#v became %#v: %v", row, got, err)
		}
	}
	for _, bad := range []string{"x", "i123", "t\x05abc", "t", "b\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"} {
		if row, err := decodeRow([]byte(bad)); err == nil {
			t.Errorf("%q is %v", bad, row)
		}
	}
}
