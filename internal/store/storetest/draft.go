package storetest

import (
	"context"
	"fmt"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/store"
)

var draftTests = []test{
	{"a draft is found in its mailbox, as it was stored", func(k kit) {
		a, b := k.box("a@x.org").Num, k.box("b@x.org").Num
		d := k.draft(a, "first")
		k.same("in its mailbox", k.draftAt(a, d.ID), d)
		k.same("in any", k.draftAt(0, d.ID), d)
		_, err := k.findDraft(b, d.ID)
		k.is("in another", err, store.ErrNotFound)
		d.Version, d.UpdatedAt, d.Head, d.Body, d.Size = 2, after(time.Hour), []byte("h\x00\xff"), []byte{}, 7
		k.update(func(ctx context.Context, tx store.Tx) error { return tx.UpdateDraft(ctx, d) })
		k.same("changed", k.draftAt(a, d.ID), d)
		gone := d
		gone.Mailbox = b
		err = k.db.Update(k.Context(), func(tx store.Tx) error { return tx.UpdateDraft(k.Context(), gone) })
		k.is("changed in another mailbox", err, store.ErrNotFound)
		err = k.db.Update(k.Context(), func(tx store.Tx) error {
			return tx.InsertDraft(k.Context(), &store.Draft{ID: mailbox.NewID(noon), Mailbox: 99})
		})
		k.is("of a mailbox that is gone", err, store.ErrNotFound)
	}},
	{"drafts are listed newest first, without bodies, and apart from those that were sent", listsDrafts},
	{"drafts count in the storage of their mailbox", func(k kit) {
		box := k.box("a@x.org").Num
		d := k.draft(box, "first")
		k.same("stored", k.counters(box).Bytes, d.Size)
		d.Size = 250
		k.update(func(ctx context.Context, tx store.Tx) error { return tx.UpdateDraft(ctx, d) })
		other := k.draft(box, "second")
		k.same("larger", k.counters(box).Bytes, 250+other.Size)
		k.update(func(ctx context.Context, tx store.Tx) error { return tx.DeleteDraft(ctx, box, d.ID) })
		k.same("deleted", k.counters(box).Bytes, other.Size)
		err := k.db.Update(k.Context(), func(tx store.Tx) error { return tx.DeleteDraft(k.Context(), box, d.ID) })
		k.is("deleted again", err, store.ErrNotFound)
	}},
	{"attachments of a draft go with it, and their blobs are in use", draftFiles},
	{"drafts that were sent are forgotten after their time", func(k kit) {
		box := k.box("a@x.org").Num
		open, first, last := k.draft(box, "open"), k.sentDraft(box, noon), k.sentDraft(box, after(time.Hour))
		trim := func(before time.Time) {
			for more := true; more; {
				k.update(func(ctx context.Context, tx store.Tx) (err error) {
					_, more, err = tx.TrimDrafts(ctx, before, 1)
					return err
				})
			}
		}
		trim(noon)
		k.draftAt(box, first.ID)
		trim(after(time.Hour))
		_, err := k.findDraft(box, first.ID)
		k.is("the first", err, store.ErrNotFound)
		k.draftAt(box, last.ID)
		k.draftAt(box, open.ID)
	}},
	{"drafts go with their mailbox", func(k kit) {
		box, kept := k.box("a@x.org").Num, k.box("b@x.org").Num
		d, sent, other := k.draft(box, "one"), k.sentDraft(box, noon), k.draft(kept, "other")
		for n := range 3 {
			k.draftFile(d, n, store.Content{Packed: []byte("x")})
		}
		k.draftFile(other, 1, store.Content{Packed: []byte("y")})
		k.remove(box)
		k.purge(box, 1)
		for _, id := range []mailbox.ID{d.ID, sent.ID} {
			_, err := k.findDraft(0, id)
			k.is("a draft", err, store.ErrNotFound)
		}
		_, err := k.draftFileAt(d, 1)
		k.is("an attachment", err, store.ErrNotFound)
		_, err = k.draftFileAt(other, 1)
		k.is("of another mailbox", err, nil)
		k.draftAt(kept, other.ID)
	}},
	{"of many who send a draft at the same time one does", func(k kit) {
		d := k.draft(k.box("a@x.org").Num, "once")
		sent := k.race(8, func(ctx context.Context, tx store.Tx, _ int) error {
			now, err := tx.Draft(ctx, d.Mailbox, d.ID)
			if err != nil {
				return err
			}
			if now.IsSent() {
				return errOwn
			}
			m := sample(d.Mailbox, "sent")
			if err := tx.InsertMessage(ctx, &m, store.Content{Packed: []byte("x")}); err != nil {
				return err
			}
			now.SentAt, now.Message = noon, m.ID
			return tx.UpdateDraft(ctx, now)
		}, errOwn)
		k.same("sent", sent, 1)
		k.same("messages", len(k.subjects(d.Mailbox, store.MessageFilter{})), 1)
	}},
}

func listsDrafts(k kit) {
	box, other := k.box("a@x.org").Num, k.box("b@x.org").Num
	var want []store.Draft
	for i := range 5 {
		d := k.draft(box, fmt.Sprint("draft ", i))
		d.Body = nil
		want = append([]store.Draft{d}, want...)
	}
	sent := k.sentDraft(box, noon)
	sent.Body = nil
	k.draft(other, "of another")
	list := func(f store.DraftFilter) []store.Draft {
		return must(k, func(ctx context.Context, r store.Reader) ([]store.Draft, error) {
			return r.Drafts(ctx, box, f)
		})
	}
	k.same("all", list(store.DraftFilter{Limit: 10}), want)
	k.same("sent", list(store.DraftFilter{Sent: true, Limit: 10}), []store.Draft{sent})
	k.same("waiting, where nothing does", list(store.DraftFilter{Waiting: true, Limit: 10}), want)
	for i, status := range []mailbox.DeliveryStatus{mailbox.Scheduled, mailbox.Delivered} {
		d := k.sentDraft(box, noon)
		d.Body = nil
		m := sample(box, "sent")
		m.ID, m.Direction, m.Status = d.Message, mailbox.Outbound, string(status)
		k.mail(m)
		if i == 0 {
			k.same("waiting", list(store.DraftFilter{Waiting: true, Limit: 10}), append([]store.Draft{d}, want...))
			k.same("a page", list(store.DraftFilter{Waiting: true, Limit: 2, Before: d.Number}), want[:2])
		}
	}
	k.same("of those that wait", len(list(store.DraftFilter{Waiting: true, Limit: 10})), len(want)+1)
	k.same("a page", list(store.DraftFilter{Limit: 2, Offset: 1}), want[1:3])
	k.same("the next", list(store.DraftFilter{Limit: 10, Before: want[2].Number}), want[3:])
	k.same("count", must(k, func(ctx context.Context, r store.Reader) (int64, error) {
		return r.CountDrafts(ctx, box)
	}), int64(5))
}

func draftFiles(k kit) {
	box := k.box("a@x.org").Num
	d, other := k.draft(box, "one"), k.draft(box, "two")
	small, large := store.Content{Packed: []byte("x\x00")}, store.Content{Packed: []byte{}, Blob: "1/abc"}
	k.draftFile(d, 1, small)
	k.draftFile(d, 2, large)
	k.draftFile(other, 1, store.Content{Blob: "1/other"})
	for n, want := range map[int]store.Content{1: small, 2: large} {
		got, err := k.draftFileAt(d, n)
		k.is("found", err, nil)
		k.same("found", got, want)
	}
	_, err := k.draftFileAt(d, 3)
	k.is("none", err, store.ErrNotFound)
	used := func() []string {
		return must(k, func(ctx context.Context, r store.Reader) ([]string, error) {
			return r.BlobsInUse(ctx, []string{"1/abc", "1/nobody"})
		})
	}
	k.same("blobs in use", used(), []string{"1/abc"})
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.DeleteDraftFile(ctx, box, d.ID, 2) })
	k.same("blobs after one was deleted", used(), []string{})
	err = k.db.Update(k.Context(), func(tx store.Tx) error { return tx.DeleteDraftFile(k.Context(), box, d.ID, 2) })
	k.is("deleted again", err, store.ErrNotFound)
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.DeleteDraft(ctx, box, d.ID) })
	_, err = k.draftFileAt(d, 1)
	k.is("with its draft", err, store.ErrNotFound)
	_, err = k.draftFileAt(other, 1)
	k.is("of another draft", err, nil)
}

// draft stores a draft.
func (k kit) draft(num mailbox.Num, head string) store.Draft {
	k.Helper()
	return k.insertDraft(store.Draft{ID: mailbox.NewID(noon), Mailbox: num, Version: 1, CreatedAt: noon,
		UpdatedAt: noon, Size: 100, Head: []byte(head), Body: []byte("body\x00")})
}

func (k kit) sentDraft(num mailbox.Num, at time.Time) store.Draft {
	k.Helper()
	return k.insertDraft(store.Draft{ID: mailbox.NewID(noon), Mailbox: num, Version: 3, CreatedAt: noon, UpdatedAt: at,
		Head: []byte("head"), Body: []byte{}, SentAt: at, Message: mailbox.NewID(noon), Thread: mailbox.NewID(noon),
		MessageID: "1@x.org"})
}

func (k kit) insertDraft(d store.Draft) store.Draft {
	k.Helper()
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.InsertDraft(ctx, &d) })
	return d
}

func (k kit) findDraft(num mailbox.Num, id mailbox.ID) (store.Draft, error) {
	k.Helper()
	return ask(k, func(ctx context.Context, r store.Reader) (store.Draft, error) { return r.Draft(ctx, num, id) })
}

func (k kit) draftAt(num mailbox.Num, id mailbox.ID) store.Draft {
	k.Helper()
	d, err := k.findDraft(num, id)
	if err != nil {
		k.Fatal(err)
	}
	return d
}

func (k kit) draftFile(d store.Draft, n int, c store.Content) {
	k.Helper()
	k.update(func(ctx context.Context, tx store.Tx) error { return tx.InsertDraftFile(ctx, d.Mailbox, d.ID, n, c) })
}

func (k kit) draftFileAt(d store.Draft, n int) (store.Content, error) {
	k.Helper()
	return ask(k, func(ctx context.Context, r store.Reader) (store.Content, error) {
		return r.DraftFile(ctx, d.Mailbox, d.ID, n)
	})
}
