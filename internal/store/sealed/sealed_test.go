package sealed_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/mailkin/mailkin/internal/blob"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/seal"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/postgres"
	"github.com/mailkin/mailkin/internal/store/postgres/pgtest"
	"github.com/mailkin/mailkin/internal/store/sealed"
	"github.com/mailkin/mailkin/internal/store/sqlite"
	"github.com/mailkin/mailkin/internal/store/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func newRing(t *testing.T, dir string) *seal.Ring {
	t.Helper()
	table, err := seal.OpenFile(filepath.Join(dir, "keys"), filepath.Join(dir, "root"))
	if err != nil {
		t.Fatal(err)
	}
	ring, err := seal.Open(t.Context(), table, seal.Options{On: true, Master: func() (seal.Master, error) {
		return seal.FileMaster(filepath.Join(dir, "master"), true)
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = ring.Close() })
	return ring
}

func openSQLite(t *testing.T, dir string) *sqlite.DB {
	t.Helper()
	db, err := sqlite.Open(filepath.Join(dir, "mailkin.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// A sealed store does what every store does.
func TestStore(t *testing.T) {
	if testing.Short() {
		t.Skip("it looks for no races")
	}
	storetest.Run(t, func(t *testing.T) store.Store {
		dir := t.TempDir()
		return sealed.New(openSQLite(t, dir), newRing(t, dir))
	})
}

func TestIndex(t *testing.T) {
	storetest.RunIndex(t, func(t *testing.T) store.Index {
		dir := t.TempDir()
		x := sqlite.OpenIndex(filepath.Join(dir, "index.db"))
		t.Cleanup(func() { _ = x.Close() })
		return sealed.New(openSQLite(t, dir), newRing(t, dir)).NewIndex(x)
	})
}

// mail is what a test stores of one mailbox.
func insert(t *testing.T, db store.Store, id byte, subject string, packed []byte) mailbox.Message {
	t.Helper()
	m := mailbox.Message{ID: mailbox.ID{id}, Subject: subject, From: mailbox.Address{Name: "Marker Name",
		Address: "marker@sender.example"}, To: "marker@recipient.example", Snippet: "marker snippet", Code: "424242",
		MessageID: "marker@id.example", Labels: []string{"verification"}}
	err := db.Update(t.Context(), func(tx store.Tx) (err error) {
		if m.Mailbox, err = tx.InsertMailbox(t.Context(), mailbox.Mailbox{Address: subject + "@x.org"}); err != nil {
			return err
		}
		return tx.InsertMessage(t.Context(), &m, store.Content{Packed: packed})
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func read(t *testing.T, db store.Store, m mailbox.Message) (got mailbox.Message, c store.Content, err error) {
	t.Helper()
	err = db.View(t.Context(), func(r store.Reader) (err error) {
		if got, err = r.Message(t.Context(), m.Mailbox, m.ID); err == nil {
			c, err = r.Content(t.Context(), got)
		}
		return err
	})
	return got, c, err
}

// Nothing that a message says is in the files; it is read as it was; and when the mailbox is removed it cannot be read,
// whatever files were copied before.
func TestSealedAndShredded(t *testing.T) {
	dir := t.TempDir()
	in, ring := openSQLite(t, dir), newRing(t, dir)
	db := sealed.New(in, ring)
	m := insert(t, db, 1, "marker-subject", bytes.Repeat([]byte("marker content "), 100))
	got, c, err := read(t, db, m)
	if err != nil || got.Subject != m.Subject || got.From != m.From || got.Code != m.Code ||
		got.MessageID != m.MessageID ||
		!bytes.Contains(c.Packed, []byte("marker content")) {
		t.Errorf("read %+v, %v", got, err)
	}
	raw, rawContent, err := read(t, in, m)
	said := raw.Subject + raw.From.Name + raw.From.Address + raw.To + raw.Snippet + raw.MessageID
	if err != nil || strings.Contains(said, "marker") ||
		strings.Contains(raw.Code, "42") || bytes.Contains(rawContent.Packed, []byte("marker")) {
		t.Errorf("stored %+v, %v", raw, err)
	}
	err = db.View(t.Context(), func(r store.Reader) error {
		list, err := r.Messages(t.Context(), m.Mailbox, store.MessageFilter{From: "marker name", Code: true, Limit: 5})
		if err != nil || len(list) != 1 {
			t.Errorf("by sender: %v, %v", list, err)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(t.Context(), func(tx store.Tx) error { return tx.RemoveMailbox(t.Context(), m.Mailbox) })
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ring.Open(t.Context(), seal.BySeq("content", m.Mailbox, m.Seq), rawContent.Packed); !errors.Is(err,
		seal.ErrShredded) {
		t.Errorf("opened after the deletion: %v", err)
	}
	again := newRing(t, dir)
	if _, err := again.Open(t.Context(), seal.BySeq("content", m.Mailbox, m.Seq), rawContent.Packed); !errors.Is(err,
		seal.ErrShredded) {
		t.Errorf("opened after a start: %v", err)
	}
}

// Records of two mailboxes, or two of one, cannot be exchanged for each other.
func TestExchangedRecords(t *testing.T) {
	ring := newRing(t, t.TempDir())
	for _, num := range []mailbox.Num{1, 2} {
		if err := ring.NewKey(t.Context(), num); err != nil {
			t.Fatal(err)
		}
	}
	sealed, err := ring.Seal(t.Context(), seal.BySeq("content", 1, 7), []byte("text"))
	if err != nil {
		t.Fatal(err)
	}
	for name, rec := range map[string]seal.Record{"another mailbox": seal.BySeq("content", 2, 7),
		"another message": seal.BySeq("content", 1, 8), "another kind": seal.BySeq("vector", 1, 7)} {
		if _, err := ring.Open(t.Context(), rec, sealed); !errors.Is(err, seal.ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Mail of before there was encryption is read, found and changed beside mail that is sealed.
func TestMixed(t *testing.T) {
	dir := t.TempDir()
	in := openSQLite(t, dir)
	old := insert(t, in, 1, "old", []byte("old content"))
	db := sealed.New(in, newRing(t, dir))
	m := mailbox.Message{ID: mailbox.ID{2}, Mailbox: old.Mailbox, Subject: "new", MessageID: old.MessageID,
		From: old.From}
	err := db.Update(t.Context(), func(tx store.Tx) error {
		return tx.InsertMessage(t.Context(), &m, store.Content{Packed: []byte("new content")})
	})
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(t.Context(), func(tx store.Tx) error {
		list, err := tx.WithMessageID(t.Context(), old.Mailbox, old.MessageID, 10)
		if err != nil || len(list) != 2 || list[0].Subject != "old" || list[1].Subject != "new" {
			t.Errorf("with the Message-ID: %v, %v", list, err)
		}
		for _, m := range list {
			m.Seen, m.Snippet = true, "changed"
			if err := tx.UpdateMessage(t.Context(), m); err != nil {
				return err
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []mailbox.Message{old, m} {
		got, c, err := read(t, db, want)
		if err != nil || got.Subject != want.Subject || !got.Seen || got.Snippet != "changed" ||
			string(c.Packed) != want.Subject+" content" {
			t.Errorf("%+v, %q, %v", got, c.Packed, err)
		}
	}
}

// A large message of two mailboxes is one file; each loses it with its own key.
func TestBlobs(t *testing.T) {
	dir := t.TempDir()
	ring := newRing(t, dir)
	d, err := blob.OpenDir(filepath.Join(dir, "blobs"))
	if err != nil {
		t.Fatal(err)
	}
	d.Seals = sealed.Blobs{Ring: ring}
	draft, err := d.Create(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	text := bytes.Repeat([]byte("marker "), 400_000) // several frames
	_, err = draft.Write(text)
	if err = errors.Join(err, draft.Commit(t.Context(), "1/a", "2/b")); err != nil {
		t.Fatal(err)
	}
	read := func(key string) ([]byte, error) {
		o, err := d.Open(t.Context(), key)
		if err != nil {
			return nil, err
		}
		defer o.Close()
		b := make([]byte, o.Size())
		_, err = o.ReadAt(b, 0)
		return b, err
	}
	for _, key := range []string{"1/a", "2/b"} {
		if got, err := read(key); err != nil || !bytes.Equal(got, text) {
			t.Errorf("%s: %d bytes, %v", key, len(got), err)
		}
	}
	file, err := os.ReadFile(filepath.Join(dir, "blobs/01/1/a"))
	if err != nil || bytes.Contains(file, []byte("marker")) {
		t.Errorf("%d bytes in clear, %v", len(file), err)
	}
	if err := ring.Shred(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	if _, err := read("1/a"); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("after its key: %v", err)
	}
	if got, err := read("2/b"); err != nil || !bytes.Equal(got, text) {
		t.Errorf("the other one: %d bytes, %v", len(got), err)
	}
}

// The table of PostgreSQL does what the file does.
func TestPostgresKeys(t *testing.T) {
	db, err := postgres.Open(t.Context(), pgtest.URL(t), postgres.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	none, err := db.Keys(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	if key, err := none.Key(t.Context(), 0); key != nil || err != nil {
		t.Errorf("before there are any: %v, %v", key, err)
	}
	if there, destroyed, err := none.Keys(t.Context()); len(there)+len(destroyed) > 0 || err != nil {
		t.Errorf("before there are any: %v, %v, %v", there, destroyed, err)
	}
	table, err := db.Keys(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	master := func() (seal.Master, error) { return seal.FileMaster(filepath.Join(dir, "master"), true) }
	ring, err := seal.Open(t.Context(), table, seal.Options{Master: master, On: true})
	if err != nil {
		t.Fatal(err)
	}
	m := insert(t, sealed.New(db, ring), 1, "marker-subject", []byte("marker content"))
	other, err := seal.Open(t.Context(), none, seal.Options{Master: master})
	if err != nil {
		t.Fatal(err)
	}
	got, c, err := read(t, sealed.New(db, other), m)
	if err != nil || got.Subject != m.Subject || string(c.Packed) != "marker content" {
		t.Errorf("on another node: %+v, %v", got, err)
	}
	if raw, c, err := read(t, db, m); err != nil || strings.Contains(raw.Subject+string(c.Packed), "marker") {
		t.Errorf("stored: %+v, %v", raw, err)
	}
	if there, _, err := table.Keys(t.Context()); !slices.Equal(there, []mailbox.Num{m.Mailbox}) || err != nil {
		t.Errorf("keys of %v, %v", there, err)
	}
	err = sealed.New(db, ring).Update(t.Context(), func(tx store.Tx) error {
		return tx.RemoveMailbox(context.WithoutCancel(t.Context()), m.Mailbox)
	})
	if key, keyErr := table.Key(t.Context(), m.Mailbox); err != nil || keyErr != nil || key == nil || len(key) != 0 {
		t.Errorf("after the deletion: %v, %v, %v", key, err, keyErr)
	}
	if _, destroyed, err := table.Keys(t.Context()); !slices.Equal(destroyed, []mailbox.Num{m.Mailbox}) || err != nil {
		t.Errorf("destroyed keys of %v, %v", destroyed, err)
	}
	_ = errors.Join(none.Close(), table.Close())
}

// A mailbox whose mail is sealed and whose key is gone gets no other key: the one that is lost may come back.
func TestLostKey(t *testing.T) {
	dir := t.TempDir()
	under := openSQLite(t, dir)
	m := insert(t, sealed.New(under, newRing(t, dir)), 1, "marker-subject", []byte("marker content"))
	if err := os.Truncate(filepath.Join(dir, "keys"), 0); err != nil {
		t.Fatal(err)
	}
	db := sealed.New(under, newRing(t, dir))
	next := mailbox.Message{ID: mailbox.ID{2}, Mailbox: m.Mailbox, Subject: "more"}
	for name, try := range map[string]func(store.Tx) error{
		"message": func(tx store.Tx) error {
			return tx.InsertMessage(t.Context(), &next, store.Content{Packed: []byte("more")})
		},
		"contact": func(tx store.Tx) error {
			_, err := tx.Contact(t.Context(), m.Mailbox, "kim@example.com")
			return err
		},
	} {
		if err := db.Update(t.Context(), try); !errors.Is(err, seal.ErrLost) {
			t.Errorf("%s: %v", name, err)
		}
	}
	x := sqlite.OpenIndex(filepath.Join(dir, "index.db"))
	t.Cleanup(func() { _ = x.Close() })
	err := db.NewIndex(x).Update(t.Context(), func(tx store.IndexTx) error {
		return tx.PutVector(m.Mailbox, 1, []byte("vector"))
	})
	if !errors.Is(err, seal.ErrLost) {
		t.Errorf("index: %v", err)
	}
	if got, _, err := read(t, db, m); err == nil {
		t.Errorf("a message that cannot be read is %+v", got)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "keys")); err != nil || len(b) > 0 {
		t.Errorf("another key was made: %d bytes, %v", len(b), err)
	}
	err = db.Update(t.Context(), func(tx store.Tx) error {
		return tx.RemoveMailbox(t.Context(), m.Mailbox)
	})
	if err == nil {
		err = db.Update(t.Context(), func(tx store.Tx) error {
			_, done, err := tx.Purge(t.Context(), m.Mailbox, 100)
			if err == nil && !done {
				err = errors.New("there is more")
			}
			return err
		})
	}
	if err != nil {
		t.Errorf("the mailbox cannot be deleted: %v", err)
	}
}
