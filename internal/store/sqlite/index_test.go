package sqlite

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/storetest"
)

// The suite that every index must pass.
func TestIndex(t *testing.T) {
	storetest.RunIndex(t, func(t *testing.T) store.Index {
		x := OpenIndex(filepath.Join(t.TempDir(), "index.db"))
		t.Cleanup(func() {
			if err := x.Close(); err != nil {
				t.Errorf("close: %v", err)
			}
		})
		return x
	})
}

// An index that cannot be opened keeps nobody from starting; one that is broken, or of another version, is rebuilt.
func TestIndexFile(t *testing.T) {
	place := func(x *Index) int64 {
		t.Helper()
		p, err := placeOf(t.Context(), x)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	set := func(x *Index, to int64) error {
		return x.Update(t.Context(), func(tx store.IndexTx) error { return tx.SetPlace(0, to) })
	}
	t.Run("no folder, and then one", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "later")
		x := OpenIndex(filepath.Join(dir, "index.db"))
		defer x.Close()
		if err := set(x, 1); err == nil {
			t.Fatal("written into a folder that is not there")
		}
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := set(x, 7); err != nil || place(x) != 7 {
			t.Errorf("when it is there: %v", err)
		}
	})
	t.Run("broken", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "index.db")
		if err := os.WriteFile(path, make([]byte, 10_000), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("this is no database, but a text that is long enough to be taken for one "+
			"by its size alone, or so one would think"), 0o600); err != nil {
			t.Fatal(err)
		}
		x := OpenIndex(path)
		defer x.Close()
		if n := place(x); n != 0 {
			t.Errorf("at %d", n)
		}
	})
	t.Run("kept, and of another version", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "index.db")
		x := OpenIndex(path)
		err := errors.Join(set(x, 5), x.Close())
		x = OpenIndex(path)
		if err != nil || place(x) != 5 {
			t.Fatalf("lost: %v", err)
		}
		q, _, err := x.ready()
		if err == nil {
			err = q.sql(`PRAGMA user_version = 99`).run()
		}
		if err = errors.Join(err, x.Close()); err != nil {
			t.Fatal(err)
		}
		x = OpenIndex(path)
		defer x.Close()
		if n := place(x); n != 0 {
			t.Errorf("of another version, and at %d", n)
		}
		if err := errors.Join(x.Close(), x.Close()); err != nil {
			t.Error(err)
		}
		if err := set(x, 1); !errors.Is(err, store.ErrClosed) {
			t.Errorf("closed, and %v", err)
		}
	})
	t.Run("rebuilt while it is open", func(t *testing.T) {
		x := OpenIndex(filepath.Join(t.TempDir(), "index.db"))
		defer x.Close()
		put := func(text string) (id int64) {
			err := x.Update(t.Context(), func(tx store.IndexTx) (err error) {
				if id, err = tx.NewSegment(); err == nil {
					err = tx.PutBlock(1, id, 1, []byte(text))
				}
				return err
			})
			if got, again := x.Block(t.Context(), 1, id, 1); err != nil || again != nil || string(got) != text {
				t.Fatalf("block of segment %d is %q, want %q: %v, %v", id, got, text, err, again)
			}
			return id
		}
		first := put("first")
		_, file, _ := x.ready()
		x.condemn(t.Context(), file)
		if second := put("second"); second != first {
			t.Errorf("segment %d, so that this tests nothing", second)
		}
	})
	t.Run("what is dropped is synced", func(t *testing.T) {
		x := OpenIndex(filepath.Join(t.TempDir(), "index.db"))
		defer x.Close()
		if err := set(x, 1); err != nil {
			t.Fatal(err)
		}
		x.path += " is not here" // for the one that opens its log
		drop := func(seq int64) error {
			return x.Update(t.Context(), func(tx store.IndexTx) error { return tx.Drop(1, seq) })
		}
		if one, all := drop(7), drop(0); !errors.Is(one, os.ErrNotExist) || !errors.Is(all, os.ErrNotExist) {
			t.Errorf("a message: %v, a mailbox: %v", one, all)
		}
		if err := set(x, 2); err != nil {
			t.Errorf("nothing was dropped: %v", err)
		}
	})
}

// An index that much is deleted from gives its room back while it is written to, a part in each update.
func TestIndexShrinks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	x := OpenIndex(path)
	update := func(fn func(tx store.IndexTx) error) {
		t.Helper()
		if err := x.Update(t.Context(), fn); err != nil {
			t.Fatal(err)
		}
	}
	const blocks = 3000 // of a page each
	update(func(tx store.IndexTx) (err error) {
		for n := range blocks {
			err = errors.Join(err, tx.PutBlock(1, int64(n/100+1), n%100, make([]byte, 8000)))
		}
		return err
	})
	for segment := range int64(blocks / 100) {
		update(func(tx store.IndexTx) error { return tx.DeleteSegment(1, segment+1) })
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	if size := sizeOf(path); size > (freeLeast+50)*indexPageSize {
		t.Errorf("%d bytes are left", size)
	}
}

// placeOf is how far an index has come.
func placeOf(ctx context.Context, x store.Index) (int64, error) {
	places, err := x.Places(ctx)
	return places[0], err
}
