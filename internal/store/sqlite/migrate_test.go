package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

// firstVersion makes a store as the first version did, and runs SQL on it.
func firstVersion(t *testing.T, path, sql string) {
	t.Helper()
	const name = "migrations/0001_mail.sql"
	text, err := fs.ReadFile(migrations, name)
	if err != nil {
		t.Fatal(err)
	}
	c, err := sqlite.OpenConn(path, sqlite.OpenReadWrite, sqlite.OpenCreate)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range append(layoutOf("", 4096), `PRAGMA journal_mode = WAL`) {
		err = errors.Join(err, sqlitex.ExecuteTransient(c, p, nil))
	}
	err = errors.Join(err, migrate(c, path, fstest.MapFS{name: {Data: text}}, quiet),
		sqlitex.ExecuteScript(c, sql, nil),
		c.Close())
	if err != nil {
		t.Fatal(err)
	}
}

// Two messages, of which one answers the other, one that was deleted, and an event, as the first version wrote them
// into mailbox 1 with the alias b@x.org; a key without an end.
const firstMail = `
	INSERT INTO mailboxes VALUES (1, 'a@x.org', 'b@x.org', 'permanent', 1000, 0, 'active', '', '', 0, '', 0, 0, 0, '');
	INSERT INTO addresses VALUES ('a@x.org', 1), ('b@x.org', 1);
	INSERT INTO counters VALUES (1, 4, 1000, 1, 1, 1, 20, 24315, 2);
	INSERT INTO keys VALUES (zeroblob(32), x'0102030405060708090a0b0c0d0e0f10', 1, 'permanent', 'hint', 1000, 0, 0);
	INSERT INTO messages VALUES
		(1 << 32 | 1, x'01000000000000000000000000000000', 5, x'01000000000000000000000000000000', 1, 0, 0, 2000, 10, 0,
		 'received', 'code', 'ada@x', 'Ada', 'a@x.org', 'one', 'your code', '123456', 'one@x', '', zeroblob(16)),
		(1 << 32 | 3, x'03000000000000000000000000000000', 6, x'01000000000000000000000000000000', 0, 1, 1, 4000, 10, 0,
		 'queued', '', 'a@x.org', '', 'ada@x', 'two', 'thank you', '', 'two@x', '', zeroblob(16));
	INSERT INTO docs VALUES (5, NULL, x'31'), (6, 'key', x'32');
	INSERT INTO events VALUES
		(1 << 32 | 2, 3000, 'message.received', x'02000000000000000000000000000000'),
		(1 << 32 | 4, 5000, 'message.delivered', x'03000000000000000000000000000000');`

// A store of the first version with mail in it is copied, brought up to date, and works.
func TestMigrateFirstMail(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mailkin.db")
	firstVersion(t, path, firstMail)
	db := open(t, path)
	wantFirstMail(t, db)
	if got := db.pragma(t, "integrity_check"); got != "ok" {
		t.Errorf("integrity: %s", got)
	}
	// It keeps the pages that it was made with, and its log the same bounds in bytes.
	if got, log := db.pragma(t, "page_size"), db.logPages(checkpointAt); got != "4096" || log != checkpointAt/4096 {
		t.Errorf("pages of %s bytes, copied from %d pages of the log on", got, log)
	}

	const backup = ".before-0002"
	wantPrivate(t, path+backup)
	old, err := sqlite.OpenConn(path+backup, sqlite.OpenReadWrite)
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	for sql, want := range map[string]int{`PRAGMA user_version`: 1, `SELECT count(*) FROM messages`: 2} {
		if got, err := sqlitex.ResultInt(old.Prep(sql)); err != nil || got != want {
			t.Errorf("backup: %s: %d, %v, want %d", sql, got, err, want)
		}
	}
}

// wantFirstMail reads what firstMail is, and changes it.
func wantFirstMail(t *testing.T, db *DB) {
	t.Helper()
	ctx := t.Context()
	id := func(n byte) mailbox.ID { return mailbox.ID{n} }
	err := db.Update(ctx, func(tx store.Tx) error {
		list, err := tx.Messages(ctx, 1, store.MessageFilter{Code: true, Untaken: true, After: 0, Limit: 10})
		if err != nil || len(list) != 1 || list[0].ID != id(1) || list[0].Taken {
			return fmt.Errorf("messages with a code: %+v, %w", list, err)
		}
		events, err := tx.Events(ctx, 1, 0, 10)
		if err != nil {
			return err
		}
		for i, want := range []struct {
			message byte
			kind    mailbox.EventKind
			mail    bool
		}{{1, mailbox.MessageReceived, true}, {2, mailbox.MessageReceived, false}, {3, mailbox.MessageSent, true},
			{3, mailbox.MessageDelivered, true}} {
			e := events[i]
			if e.Number != int64(1001+i) || e.Message != id(want.message) || e.Kind != want.kind ||
				(e.Mail != nil) != want.mail {
				t.Errorf("event %d: %+v", i, e)
			}
		}
		until, _, err := tx.EventsUntil(ctx, 1, time.UnixMilli(4000))
		if until != 1002 {
			t.Errorf("events until the third: %d", until)
		}
		list[0].Taken = true
		_, more, trimErr := tx.TrimEvents(ctx, time.UnixMilli(5000), 10)
		if more {
			t.Error("there are more old events")
		}
		return errors.Join(err, trimErr, tx.UpdateMessage(ctx, list[0]), tx.RenameMailbox(ctx, 1, "c@x.org"),
			tx.TrimKeys(ctx, time.Now()))
	})
	mustWork(t)(err)
	mustWork(t)(db.View(ctx, func(r store.Reader) error {
		m, err := r.Message(ctx, 1, id(1))
		if err != nil || !m.Taken {
			t.Errorf("message %+v", m)
		}
		box, err := r.MailboxAt(ctx, "a@x.org")
		if err != nil || box.Address != "c@x.org" {
			t.Errorf("mailbox %+v", box)
		}
		if keys, err := r.Keys(ctx, 1); err != nil || len(keys) != 1 {
			t.Errorf("keys %v, %v", keys, err)
		}
		events, err := r.Events(ctx, 1, 0, 10)
		if len(events) != 3 {
			t.Errorf("%d events after trimming", len(events))
		}
		return err
	}))
}

// Mailboxes of earlier versions belong to the owner of their domain; of several, to the one who has it now, or had it
// last.
func TestMigrateDomainOwners(t *testing.T) {
	db := newDB(t)
	path := db.path
	mustWork(t)(db.Close())
	text, err := fs.ReadFile(migrations, "migrations/0011_domain_owner.sql")
	mustWork(t)(err)
	const made = `INSERT INTO mailboxes (num, address, aliases, scope, created_at, expires_at, status, paused_by, pause_reason, paused_at,
			hook_url, hook_failed, hook_fails, hook_tried, hook_error)
		SELECT column1, column2, '', 'permanent', 1, 0, 'active', '', '', 0, '', 0, 0, 0, ''
		FROM (VALUES (11, 'a@ours.test'), (12, 'a@own.test'), (13, 'a@lapsed.test'), (14, 'a@asked.test'));
		INSERT INTO domains (id, box, name, token, selector, keys, mx, spf, dkim, dmarc, owned, created_at, verified_at, lapsed_at)
		SELECT randomblob(16), column1, column2, '', '', x'', 0, 0, 0, 0, 0, 1, column3, column4
		FROM (VALUES (1, 'own.test', 5, 9), (2, 'own.test', 7, 0), (3, 'lapsed.test', 5, 6), (4, 'lapsed.test', 5, 7), (5, 'asked.test', 0, 0),
			(0, 'ours.test', 5, 0));`
	mustWork(t)(script(path, `ALTER TABLE mailboxes DROP COLUMN domain_owner;`+made+string(text)))
	got := map[string]mailbox.Num{}
	mustWork(t)(open(t, path).View(t.Context(), func(r store.Reader) error {
		list, err := r.Mailboxes(t.Context(), store.MailboxFilter{Limit: 10})
		for _, m := range list {
			got[m.Address] = m.DomainOwner
		}
		return err
	}))
	want := map[string]mailbox.Num{"a@ours.test": 0, "a@own.test": 2, "a@lapsed.test": 4, "a@asked.test": 0}
	if !maps.Equal(got, want) {
		t.Errorf("owners %v, want %v", got, want)
	}
}
