package storetest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/mailkin/mailkin/internal/store"
)

var retiredTests = []test{
	{"is found by its address alone, with its last time", func(k kit) {
		k.retire("ada@x.org", noon)
		k.retire("bob@x.org", noon.Add(time.Second))
		k.retire("ada@x.org", noon.Add(time.Hour))
		k.wantRetired(map[string]time.Time{"ada@x.org": noon.Add(time.Hour), "bob@x.org": noon.Add(time.Second),
			"ada@y.org": {}, "Ada@x.org": {}, "": {}})
	}},
	{"is undone with its transaction, and outlives the mailbox", func(k kit) {
		box := k.box("ada@x.org")
		k.is("Update", k.db.Update(k.Context(), func(tx store.Tx) error {
			_ = tx.Retire(k.Context(), "ada@x.org", noon)
			return errOwn
		}), errOwn)
		k.wantRetired(map[string]time.Time{"ada@x.org": {}})
		k.retire("ada@x.org", noon)
		k.remove(box.Num)
		k.wantRetired(map[string]time.Time{"ada@x.org": noon})
	}},
	{"is trimmed by its time, in steps", func(k kit) {
		for i := range 5 {
			k.retire(fmt.Sprintf("a%d@x.org", i), noon.Add(time.Duration(i-3)*time.Millisecond))
		}
		for _, want := range []bool{true, false} {
			more := false
			k.update(func(ctx context.Context, tx store.Tx) (err error) {
				more, err = tx.TrimRetired(ctx, noon, 2)
				return err
			})
			if more != want {
				k.Errorf("more is %v, want %v", more, want)
			}
		}
		k.wantRetired(map[string]time.Time{"a0@x.org": {}, "a1@x.org": {}, "a2@x.org": {}, "a3@x.org": noon,
			"a4@x.org": noon.Add(time.Millisecond)})
	}},
}

func (k kit) retire(address string, at time.Time) {
	k.Helper()
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.Retire(ctx, address, at) })
}

// wantRetired compares when addresses were retired; the zero time is never.
func (k kit) wantRetired(want map[string]time.Time) {
	k.Helper()
	for address, at := range want {
		got, err := ask(k, func(ctx context.Context, r store.Reader) (time.Time, error) { return r.Retired(ctx, address) })
		if at.IsZero() != errors.Is(err, store.ErrNotFound) || !got.Equal(at) {
			k.Errorf("%q was retired at %v (%v), want %v", address, got, err, at)
		}
	}
}
