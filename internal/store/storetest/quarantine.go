package storetest

import (
	"context"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

var quarantineTests = []test{
	{"Lists", quarantineLists},
	{"Released", quarantineReleased},
	{"Trimmed", quarantineTrimmed},
	{"Removed", quarantineRemoved},
}

// quarantined stores mail in quarantine that ends after some time. Its digest is of its name.
func (k kit) quarantined(num mailbox.Num, name string, kept time.Duration, blob string) store.Quarantined {
	k.Helper()
	m := store.Quarantined{ID: mailbox.NewID(noon), Mailbox: num, ReceivedAt: noon, ExpiresAt: after(kept), Size: 10,
		Digest: digestOf(name), Head: []byte(name + "\x00\xff")}
	k.update(func(ctx context.Context, tx store.Tx) error {
		return tx.InsertQuarantined(ctx, &m, store.Content{Packed: []byte("packed " + name), Blob: blob})
	})
	return m
}

func digestOf(name string) (d mailbox.Digest) {
	copy(d[:], name)
	return d
}

// quarantine lists the heads of what is in quarantine.
func (k kit) quarantine(num mailbox.Num, f store.QuarantineFilter) (heads []string) {
	k.Helper()
	for _, m := range must(k, func(ctx context.Context, r store.Reader) ([]store.Quarantined, error) {
		return r.Quarantine(ctx, num, f)
	}) {
		heads = append(heads, string(m.Head[:len(m.Head)-2]))
	}
	return heads
}

func quarantineLists(k kit) {
	a, b := k.box("a@x.org").Num, k.box("b@x.org").Num
	one := k.quarantined(a, "one", time.Hour, "")
	two := k.quarantined(b, "two", time.Hour, "")
	three := k.quarantined(a, "three", time.Minute, "")
	k.same("a's", k.quarantine(a, store.QuarantineFilter{At: noon, Limit: 9}), []string{"three", "one"})
	k.same("everybody's", k.quarantine(0, store.QuarantineFilter{At: noon, Limit: 9}), []string{"three", "two", "one"})
	k.same("a page", k.quarantine(0, store.QuarantineFilter{At: noon, Limit: 1, Offset: 1}), []string{"two"})
	k.same("behind it", k.quarantine(0, store.QuarantineFilter{At: noon, Limit: 9, Before: two.Number}),
		[]string{"one"})
	k.same("of a, behind it", k.quarantine(a, store.QuarantineFilter{At: noon, Limit: 9, Before: three.Number}),
		[]string{"one"})
	k.same("later", k.quarantine(a, store.QuarantineFilter{At: three.ExpiresAt, Limit: 9}), []string{"one"})
	for _, num := range []mailbox.Num{a, 0} {
		got := must(k, func(ctx context.Context, r store.Reader) (store.Quarantined, error) {
			return r.Quarantined(ctx, num, one.ID)
		})
		k.same("found", got, one)
	}
	k.view(func(ctx context.Context, r store.Reader) error {
		_, err := r.Quarantined(ctx, b, one.ID)
		k.is("of another", err, store.ErrNotFound)
		messages, bytes, err := r.CountQuarantine(ctx, a)
		k.same("count", []int64{messages, bytes}, []int64{2, 20})
		twin, err2 := r.QuarantinedTwin(ctx, a, digestOf("one"))
		k.same("twin", twin, one.ID)
		_, err3 := r.QuarantinedTwin(ctx, b, digestOf("one"))
		k.is("twin of another", err3, store.ErrNotFound)
		c, err4 := r.QuarantinedContent(ctx, a, one.ID)
		k.same("content", string(c.Packed)+c.Blob, "packed one")
		_, err5 := r.QuarantinedContent(ctx, b, one.ID)
		k.is("content of another", err5, store.ErrNotFound)
		for _, err := range []error{err, err2, err4} {
			k.is("read", err, nil)
		}
		return nil
	})
}

func quarantineReleased(k kit) {
	a := k.box("a@x.org").Num
	m := k.quarantined(a, "one", time.Hour, "1/one")
	m.ReleasedAt, m.Message = after(time.Minute), m.ID
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.MarkReleased(ctx, m) })
	k.same("list", k.quarantine(a, store.QuarantineFilter{At: noon, Limit: 9}), []string(nil))
	k.view(func(ctx context.Context, r store.Reader) error {
		got, err := r.Quarantined(ctx, a, m.ID)
		k.is("found", err, nil)
		k.same("released", []any{got.ReleasedAt, got.Message, len(got.Head)}, []any{m.ReleasedAt, m.ID, 0})
		_, err = r.QuarantinedContent(ctx, a, m.ID)
		k.is("content", err, store.ErrNotFound)
		_, err = r.QuarantinedTwin(ctx, a, m.Digest)
		k.is("twin", err, store.ErrNotFound)
		messages, bytes, err := r.CountQuarantine(ctx, a)
		k.is("count", err, nil)
		k.same("counted", messages+bytes, int64(0))
		used, err := r.BlobsInUse(ctx, []string{"1/one"})
		k.same("blobs", len(used), 0)
		return err
	})
}

func quarantineTrimmed(k kit) {
	a := k.box("a@x.org").Num
	k.quarantined(a, "one", time.Minute, "1/one")
	k.quarantined(a, "two", 2*time.Minute, "")
	last := k.quarantined(a, "three", time.Hour, "1/three")
	trim := func(at time.Time, limit int) (blobs []string, removed int, more bool) {
		k.update(func(ctx context.Context, tx store.Tx) (err error) {
			blobs, removed, more, err = tx.TrimQuarantine(ctx, at, limit)
			return err
		})
		return blobs, removed, more
	}
	blobs, removed, more := trim(after(2*time.Minute), 1)
	k.same("first", []any{blobs, removed, more}, []any{[]string{"1/one"}, 1, true})
	blobs, removed, more = trim(after(2*time.Minute), 2)
	k.same("second", []any{blobs, removed, more}, []any{[]string(nil), 1, false})
	used := must(k, func(ctx context.Context, r store.Reader) ([]string, error) {
		return r.BlobsInUse(ctx, []string{"1/one", "1/three"})
	})
	k.same("blobs", used, []string{"1/three"})
	remove := func() error {
		return k.db.Update(k.Context(), func(tx store.Tx) error {
			return tx.DeleteQuarantined(k.Context(), a, last.ID)
		})
	}
	k.is("deleted", remove(), nil)
	k.is("deleted twice", remove(), store.ErrNotFound)
}

func quarantineRemoved(k kit) {
	a, b := k.box("a@x.org").Num, k.box("b@x.org").Num
	for _, name := range []string{"one", "two", "three"} {
		k.quarantined(a, name, time.Hour, "")
	}
	k.quarantined(b, "other", time.Hour, "")
	k.remove(a)
	k.purge(a, 2)
	k.same("after its mailbox", k.quarantine(0, store.QuarantineFilter{At: noon, Limit: 9}), []string{"other"})
	err := k.db.Update(k.Context(), func(tx store.Tx) error {
		m := store.Quarantined{ID: mailbox.NewID(noon), Mailbox: a}
		return tx.InsertQuarantined(k.Context(), &m, store.Content{})
	})
	k.is("for a mailbox that is gone", err, store.ErrNotFound)
}
