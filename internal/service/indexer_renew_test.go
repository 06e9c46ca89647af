package service_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/sqlite"
)

// damagedIndex gives some of the blocks otherwise than they were written.
type damagedIndex struct {
	*sqlite.Index
	mu   sync.Mutex
	harm map[int64]func([]byte) ([]byte, error) // by segment
}

func (x *damagedIndex) Block(ctx context.Context, num mailbox.Num, segment int64, n int) ([]byte, error) {
	b, err := x.Index.Block(ctx, num, segment, n)
	x.mu.Lock()
	defer x.mu.Unlock()
	if harm := x.harm[segment]; harm != nil && err == nil {
		return harm(b)
	}
	return b, err
}

// damage harms the segments that a mailbox has now.
func (x *damagedIndex) damage(t *testing.T, num mailbox.Num, harm func([]byte) ([]byte, error)) {
	t.Helper()
	list, err := x.Segments(t.Context(), num)
	if err != nil || len(list) == 0 {
		t.Fatalf("%d segments, %v", len(list), err)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.harm = make(map[int64]func([]byte) ([]byte, error))
	for _, sg := range list {
		x.harm[sg.ID] = harm
	}
}

// A mailbox whose part of the index is damaged is searched as far as can be, and gets a new one.
func TestSearchDamaged(t *testing.T) {
	for _, tt := range []struct {
		name string
		harm func([]byte) ([]byte, error)
	}{
		{"other bytes", func(b []byte) ([]byte, error) {
			b = slices.Clone(b)
			b[len(b)/2] ^= 0x55
			return b, nil
		}},
		{"cut off", func(b []byte) ([]byte, error) { return b[:len(b)/2], nil }},
		{"no block", func([]byte) ([]byte, error) { return nil, store.ErrNotFound }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x := &damagedIndex{Index: sqlite.OpenIndex(filepath.Join(t.TempDir(), "index.db"))}
			t.Cleanup(func() {
				if err := x.Close(); err != nil {
					t.Error(err)
				}
			})
			k := newService(t, func(o *service.Options) { o.Index = x })
			b, other := k.permanent("robin"), k.permanent("kim")
			for i := range 40 {
				k.receive(plainMail("x@y.test", fmt.Sprint("number ", i), "common text"), b.Address)
			}
			k.receive(plainMail("x@y.test", "kept", "common text"), other.Address)
			k.index()
			x.damage(t, b.Num, tt.harm)
			k.receive(plainMail("x@y.test", "newest", "common text"), b.Address)
			if got := b.find("common"); len(got) != 41 {
				t.Errorf("%d found while it is damaged", len(got))
			}
			found, err := k.svc.Search(t.Context(), b.read(), service.InboxQuery{Query: "common", Page: service.Page{Limit: 100}})
			if err != nil || len(found.Items) != 41 {
				t.Errorf("by relevance: %d, %v", len(found.Items), err)
			}
			if got := other.find("common"); len(got) != 1 {
				t.Errorf("another's: %d found", len(got))
			}
			k.svc.WaitLooks() // it is noted
			k.renewed()
			if n := k.svc.IndexDamaged(); n != 1 {
				t.Errorf("it was damaged %d times", n)
			}
			if got := b.find("common"); len(got) != 41 || got[0] != "newest" {
				t.Errorf("%d found when it was made anew: %v", len(got), got)
			}
			if n := b.indexed(); n != 41 {
				t.Errorf("%d messages are in the index", n)
			}
		})
	}
}

// Segments that are damaged do not keep others from being merged.
func TestMergeDamaged(t *testing.T) {
	x := &damagedIndex{Index: sqlite.OpenIndex(filepath.Join(t.TempDir(), "index.db"))}
	t.Cleanup(func() {
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	})
	k := newService(t, func(o *service.Options) { o.Index = x })
	b := k.permanent("robin")
	for i := range 40 {
		k.receive(plainMail("x@y.test", fmt.Sprint("number ", i), "common text"), b.Address)
		if err := k.svc.NewIndexer().Round(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	x.damage(t, b.Num, func([]byte) ([]byte, error) { return nil, store.ErrNotFound })
	k.renewed()
	if list, err := x.Segments(t.Context(), b.Num); err != nil || len(list) != 1 || b.indexed() != 40 {
		t.Errorf("segments %v, %v", list, err)
	}
}

// indexed counts the messages of a mailbox that are in the index.
func (b box) indexed() (n int) {
	b.k.Helper()
	list, err := b.k.opt.Index.Segments(b.k.Context(), b.Num)
	if err != nil {
		b.k.Fatal(err)
	}
	for _, s := range list {
		n += s.Docs
	}
	return n
}

// renewed runs the indexer until nothing is to be made anew.
func (k *kit) renewed() {
	k.Helper()
	ctx, cancel := context.WithCancel(k.Context())
	ended := make(chan error, 1)
	go func() { ended <- k.svc.Index(ctx) }()
	in := k.operator(mailbox.Moderate, "")
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		done, err := k.svc.Indexed(k.Context()) // first: what could not be merged is on the list by then
		if err != nil {
			k.Fatal(err)
		}
		p, err := k.svc.ReindexProgress(k.Context(), in)
		if err != nil {
			k.Fatal(err)
		}
		if done && !p.Running && p.Done == p.Total {
			break
		}
		if time.Now().After(deadline) {
			k.Fatalf("still %+v, indexed %t", p, done)
		}
	}
	cancel()
	if err := <-ended; err != nil {
		k.Fatal(err)
	}
}

// The index is made anew while it serves: nothing is missing at any time, and nothing is there twice afterwards.
func TestReindex(t *testing.T) {
	k := newService(t, withIndex(t))
	b, other := k.permanent("robin"), k.permanent("kim")
	const many = 300
	var ids []mailbox.ID
	for i := range many {
		ids = append(ids, k.receive(plainMail("x@y.test", fmt.Sprint("number ", i), "common text"), b.Address)[0].ID)
	}
	k.receive(plainMail("x@y.test", "kept", "common text"), other.Address)
	k.index()
	before, err := k.opt.Index.Segments(t.Context(), b.Num)
	if err != nil {
		t.Fatal(err)
	}
	x := k.svc.NewIndexer()
	if err := k.svc.Reindex(t.Context(), k.operator(mailbox.Moderate, "")); err != nil {
		t.Fatal(err)
	}
	steps := 0
	for more := true; more; steps++ {
		if more, err = x.RenewPage(t.Context()); err != nil {
			t.Fatal(err)
		}
		list, err := k.svc.Inbox(t.Context(), b.read(), service.InboxQuery{Query: "common", Page: service.Page{Limit: 200}})
		if err != nil || len(list.Items) != 200 {
			t.Fatalf("step %d: %d found, %v", steps, len(list.Items), err)
		}
		if steps == 2 { // mail comes and goes meanwhile
			k.receive(plainMail("x@y.test", "meanwhile", "common text"), b.Address)
			if err := k.svc.DeleteMessage(t.Context(), b.change(), ids[many-1]); err != nil {
				t.Fatal(err)
			}
			if err := x.Round(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	if steps < many/64 {
		t.Errorf("made in %d steps", steps)
	}
	k.renewed()
	after, err := k.opt.Index.Segments(t.Context(), b.Num)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range after {
		if slices.ContainsFunc(before, func(o store.Segment) bool { return o.ID == s.ID }) {
			t.Errorf("segment %d is still there", s.ID)
		}
	}
	if n := b.indexed(); n < many || n > many+1 { // with the deleted one, until it is swept
		t.Errorf("%d messages are in the index", n)
	}
	if got := b.find("meanwhile"); len(got) != 1 {
		t.Errorf("what came meanwhile: %v", got)
	}
	if got := other.find("common"); !slices.Equal(got, []string{"kept"}) {
		t.Errorf("another's: %v", got)
	}
}

// A crash in the middle costs the work on one mailbox and leaves nothing behind.
func TestReindexAfterCrash(t *testing.T) {
	k := newService(t, withIndex(t))
	b := k.permanent("robin")
	for i := range 200 {
		k.receive(plainMail("x@y.test", fmt.Sprint("number ", i), "common text"), b.Address)
	}
	k.index()
	if err := k.svc.Reindex(t.Context(), k.operator(mailbox.Moderate, "")); err != nil {
		t.Fatal(err)
	}
	x := k.svc.NewIndexer()
	for range 3 {
		if _, err := x.RenewPage(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if err := x.FlushRenewal(t.Context()); err != nil { // blocks that no segment is noted for
		t.Fatal(err)
	}
	var err error
	if k.svc, err = service.Open(t.Context(), k.opt); err != nil {
		t.Fatal(err)
	}
	if got := b.find("common"); len(got) != 100 {
		t.Errorf("%d found after the crash", len(got))
	}
	if p, err := k.svc.ReindexProgress(t.Context(), k.operator(mailbox.Moderate, "")); err != nil || !p.Running {
		t.Errorf("it does not go on: %+v, %v", p, err)
	}
	k.renewed()
	if n := b.indexed(); n != 200 {
		t.Errorf("%d messages are in the index", n)
	}
}

// A mailbox that is deleted while its part is made anew leaves none.
func TestReindexOfDeleted(t *testing.T) {
	k := newService(t, withIndex(t))
	b := k.permanent("robin")
	for i := range 200 {
		k.receive(plainMail("x@y.test", fmt.Sprint("number ", i), "common text"), b.Address)
	}
	k.index()
	if err := k.svc.Reindex(t.Context(), k.operator(mailbox.Moderate, "")); err != nil {
		t.Fatal(err)
	}
	x := k.svc.NewIndexer()
	for range 3 {
		if _, err := x.RenewPage(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := k.svc.DeleteMailbox(t.Context(), b.in(mailbox.DeleteMailbox)); err != nil {
		t.Fatal(err)
	}
	if err := x.Round(t.Context()); err != nil {
		t.Fatal(err)
	}
	for more := true; more; {
		var err error
		if more, err = x.RenewPage(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if n := b.indexed(); n != 0 {
		t.Errorf("%d messages are in the index", n)
	}
}

func TestReindexWithoutIndex(t *testing.T) {
	k := newService(t)
	var known *mailbox.Error
	if err := k.svc.Reindex(t.Context(), k.operator(mailbox.Moderate, "")); !errors.As(err, &known) || known.Kind != mailbox.Unimplemented {
		t.Errorf("%v", err)
	}
}
