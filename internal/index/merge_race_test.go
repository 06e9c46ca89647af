package index_test

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/background"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/store"
)

// betweenIndex calls the test in each merge, when its segments were chosen and are not yet replaced, and counts the
// segments that are written.
type betweenIndex struct {
	store.Index
	between func()
	written int
}

func (x *betweenIndex) Update(ctx context.Context, fn func(store.IndexTx) error) error {
	return x.Index.Update(ctx, func(tx store.IndexTx) error { return fn(betweenTx{tx, x}) })
}

type betweenTx struct {
	store.IndexTx
	x *betweenIndex
}

func (t betweenTx) PutSegment(s store.Segment) error {
	t.x.written++
	return t.IndexTx.PutSegment(s)
}

func (t betweenTx) DeleteSegment(num mailbox.Num, segment int64) error { // nobody but a merge
	if do := t.x.between; do != nil {
		t.x.between = nil
		do()
	}
	return t.IndexTx.DeleteSegment(num, segment)
}

// Mail that is deleted while its index is merged is out of the index when that has come to rest, and it does come to
// rest: nothing is written when nothing has changed.
func TestDeletedWhileMerging(t *testing.T) {
	const segments = 32 // are merged
	for _, tt := range []struct {
		name   string
		delete func(ids []mailbox.ID) []mailbox.ID
		box    bool // the mailbox goes
		left   int
	}{
		{name: "the oldest", delete: func(ids []mailbox.ID) []mailbox.ID { return ids[:1] }, left: 53},
		{name: "the newest", delete: func(ids []mailbox.ID) []mailbox.ID { return ids[len(ids)-1:] }, left: 53},
		{name: "what is not indexed", delete: func(ids []mailbox.ID) []mailbox.ID { return ids[segments+1:] },
			left: 34},
		{name: "most", delete: func(ids []mailbox.ID) []mailbox.ID { return ids[5:50] }, left: 9},
		{name: "all", delete: func(ids []mailbox.ID) []mailbox.ID { return ids }, left: 1},
		{name: "the mailbox", box: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			workers := background.New(slog.Default())
			hooked := &betweenIndex{}
			k := newService(t, withIndex(t), func(o *service.Options) {
				hooked.Index, o.Index, o.Workers = o.Index, hooked, workers
			})
			b := k.permanent("robin")
			x := k.svc.Index().NewIndexer()
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			var ids []mailbox.ID
			mail := func() {
				n := len(ids)
				ids = append(ids, k.receive(plainMail("x@y.test", fmt.Sprint("number ", n), "common text"),
					b.Address)[0].ID)
			}
			for range segments {
				mail()
				k.works("round", x.Round(ctx)) // each is a segment
			}
			fired := false
			hooked.between = func() {
				fired = true
				for range 21 { // not indexed yet
					mail()
				}
				if tt.box {
					_, err := k.svc.DeleteMailbox(ctx, b.in(mailbox.DeleteMailbox))
					k.works("delete the mailbox", err)
					return
				}
				for _, id := range tt.delete(ids) {
					k.works("delete", k.svc.DeleteMessage(ctx, b.change(), id))
				}
				mail() // what was deleted may lie between the first and the last of the next segment, and is in none
			}
			for range 3 { // what was deleted is heard of in the next round
				k.works("index and merge", x.Catch(ctx))
			}
			if !fired {
				t.Fatal("nothing was merged")
			}
			hooked.written = 0
			k.works("once more", x.Catch(ctx))
			k.same("segments that are written when nothing has changed", hooked.written, 0)
			k.same("merges without progress", workers.NoProgress()["index_merge"], int64(0))
			if !tt.box {
				k.same("found", len(b.find("common")), tt.left)
			}
			boxes, err := k.Options.Index.Unmerged(ctx, 10)
			k.works("what is to be merged", err)
			k.same("mailboxes to merge", len(boxes), 0)
		})
	}
}
