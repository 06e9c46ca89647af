package sqlite

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

func openIndex(t *testing.T) *Index {
	t.Helper()
	x := OpenIndex(filepath.Join(t.TempDir(), "index.db"))
	t.Cleanup(func() {
		if err := x.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return x
}

func updateIndex(t *testing.T, x *Index, fn func(store.IndexTx) error) {
	t.Helper()
	if err := x.Update(t.Context(), fn); err != nil {
		t.Fatal(err)
	}
}

func scrub(t *testing.T, x *Index) {
	t.Helper()
	for more := true; more; {
		var err error
		if more, err = x.Scrub(t.Context(), math.MaxInt64); err != nil {
			t.Fatal(err)
		}
	}
}

// What is to be rebuilt is listed once and until it is done; then blocks without a segment are gone.
func TestIndexRenewals(t *testing.T) {
	x := openIndex(t)
	check := func(when string, want ...mailbox.Num) {
		t.Helper()
		list, err := x.Renewals(t.Context(), 10)
		if err != nil || !slices.Equal(list, want) {
			t.Errorf("%s: %v, want %v, %v", when, list, want, err)
		}
	}
	check("at first")
	updateIndex(t, x, func(tx store.IndexTx) error {
		return errors.Join(tx.Renew(3), tx.Renew(1), tx.Renew(3), tx.Renew(2), tx.PutBlock(1, 7, 0, []byte("kept")),
			tx.PutSegment(store.Segment{Mailbox: 1, ID: 7}),
			tx.PutBlock(1, 8, 0, []byte("loose")), tx.PutBlock(2, 9, 0, []byte("another's")))
	})
	check("noted", 1, 2, 3)
	updateIndex(t, x, func(tx store.IndexTx) error { return errors.Join(tx.Renewed(1), tx.Drop(3, 0)) })
	check("one is done and one deleted", 2)
	for _, tt := range []struct {
		num     mailbox.Num
		segment int64
		there   bool
	}{{1, 7, true}, {1, 8, false}, {2, 9, true}} {
		if _, err := x.Block(t.Context(), tt.num, tt.segment, 0); (err == nil) != tt.there {
			t.Errorf("block of segment %d: %v", tt.segment, err)
		}
	}
}

// A file that breaks while it is open is thrown away; the next caller finds an empty index.
func TestIndexBreaks(t *testing.T) {
	x := openIndex(t)
	updateIndex(t, x, func(tx store.IndexTx) error {
		for n := range 200 {
			if err := tx.PutBlock(1, 1, n, bytes.Repeat([]byte{byte(n)}, 8000)); err != nil {
				return err
			}
		}
		return errors.Join(tx.PutSegment(store.Segment{Mailbox: 1, ID: 1, Docs: 1}), tx.SetPlace(0, 5))
	})
	scrub(t, x) // everything is in the file
	info, err := os.Stat(x.path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(x.path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteAt(bytes.Repeat([]byte{0x5a}, int(info.Size())-8192), 8192)
	if err = errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	failed := 0
	for n := range 200 {
		if _, err := x.Block(t.Context(), 1, 1, n); err != nil && !errors.Is(err, store.ErrNotFound) {
			failed++
		}
	}
	if failed == 0 || failed > 10 {
		t.Errorf("%d blocks could not be read", failed)
	}
	if place, err := placeOf(t.Context(), x); err != nil || place != 0 {
		t.Errorf("at %d, %v", place, err)
	}
	updateIndex(t, x, func(tx store.IndexTx) error { return tx.SetPlace(0, 9) })
	if place, err := placeOf(t.Context(), x); err != nil || place != 9 {
		t.Errorf("at %d, %v", place, err)
	}
}

// Bytes of what was deleted are in no file when the index was scrubbed.
func TestIndexScrub(t *testing.T) {
	x := openIndex(t)
	secret := bytes.Repeat([]byte("a secret word, "), 4000)
	for id := range int64(20) {
		updateIndex(t, x, func(tx store.IndexTx) error {
			data := secret
			if id == 19 {
				data = bytes.Repeat([]byte("kept"), 10_000)
			}
			return errors.Join(tx.PutBlock(1, id+1, 0, data), tx.PutSegment(store.Segment{Mailbox: 1, ID: id + 1}))
		})
	}
	updateIndex(t, x, func(tx store.IndexTx) error {
		for id := range int64(19) {
			if err := tx.DeleteSegment(1, id+1); err != nil {
				return err
			}
		}
		return nil
	})
	scrub(t, x)
	for _, suffix := range []string{"", "-wal"} {
		b, err := os.ReadFile(x.path + suffix)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(b, secret[:15]) {
			t.Errorf("index.db%s has it still", suffix)
		}
	}
	if b, err := x.Block(t.Context(), 1, 20, 0); err != nil || len(b) != 40_000 {
		t.Errorf("what was kept: %d bytes, %v", len(b), err)
	}
}
