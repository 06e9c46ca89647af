package index_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/index"
	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/store"
	"github.com/mailkin/mailkin/internal/store/sqlite"
)

// damagedIndex returns some of the blocks changed.
type damagedIndex struct {
	*sqlite.Index
	mu   sync.Mutex
	harm map[int64]func([]byte) ([]byte, error) // by segment
}

func newDamaged(t *testing.T) (*kit, *damagedIndex) {
	t.Helper()
	x := &damagedIndex{Index: sqlite.OpenIndex(filepath.Join(t.TempDir(), "index.db"))}
	t.Cleanup(func() {
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	})
	return newService(t, func(o *service.Options) { o.Index = x }), x
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
			k, x := newDamaged(t)
			b, other := k.permanent("robin"), k.permanent("kim")
			b.numbered(40)
			k.receive(plainMail("x@y.test", "kept", "common text"), other.Address)
			k.index()
			x.damage(t, b.Num, tt.harm)
			k.receive(plainMail("x@y.test", "newest", "common text"), b.Address)
			if got := b.find("common"); len(got) != 41 {
				t.Errorf("%d found while it is damaged", len(got))
			}
			found, err := k.svc.Search(t.Context(), b.read(), service.InboxQuery{Query: "common",
				Page: service.Page{Limit: 100}})
			if err != nil || len(found.Items) != 41 {
				t.Errorf("by relevance: %d, %v", len(found.Items), err)
			}
			if got := other.find("common"); len(got) != 1 {
				t.Errorf("another's: %d found", len(got))
			}
			k.svc.Index().Wait() // it is noted
			k.renewed()
			if n := k.svc.Index().Damaged(); n != 1 {
				t.Errorf("it was damaged %d times", n)
			}
			if got := b.find("common"); len(got) != 41 || got[0] != "newest" {
				t.Errorf("%d found when it was rebuilt: %v", len(got), got)
			}
			if n := b.indexed(); n != 41 {
				t.Errorf("%d messages are in the index", n)
			}
		})
	}
}

// Segments that are damaged do not keep others from being merged.
func TestMergeDamaged(t *testing.T) {
	k, x := newDamaged(t)
	b := k.permanent("robin")
	for i := range 40 {
		k.receive(plainMail("x@y.test", fmt.Sprint("number ", i), "common text"), b.Address)
		if err := k.svc.Index().NewIndexer().Round(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	x.damage(t, b.Num, func([]byte) ([]byte, error) { return nil, store.ErrNotFound })
	k.renewed()
	if list, err := x.Segments(t.Context(), b.Num); err != nil || len(list) != 1 || b.indexed() != 40 {
		t.Errorf("segments %v, %v", list, err)
	}
}

// The same while mail keeps coming in, when mailboxes are merged together.
func TestMergeDamagedWhileBusy(t *testing.T) {
	k, x := newDamaged(t)
	b, other := k.permanent("robin"), k.permanent("kim")
	in := k.svc.Index().NewIndexer()
	for i := range 24 {
		k.receive(plainMail("x@y.test", fmt.Sprint("number ", i), "common text"), b.Address, other.Address)
		if i == 23 {
			x.damage(t, b.Num, func([]byte) ([]byte, error) { return nil, store.ErrNotFound })
		}
		k.works("round", in.BusyRound(t.Context()))
	}
	list, err := x.Segments(t.Context(), other.Num)
	k.works("segments", err)
	k.same("segments of the other", len(list), 1)
	k.same("damages", k.svc.Index().Damaged(), int64(1))
}

// indexed counts the messages of a mailbox that are in the index.
func (b box) indexed() (n int) {
	b.k.Helper()
	list, err := b.k.Options.Index.Segments(b.k.Context(), b.Num)
	if err != nil {
		b.k.Fatal(err)
	}
	for _, s := range list {
		n += s.Docs
	}
	return n
}

// renewed runs the indexer until nothing is to be rebuilt.
func (k *kit) renewed() {
	k.Helper()
	ctx, cancel := context.WithCancel(k.Context())
	ended := make(chan error, 1)
	go func() { ended <- k.svc.Index().Run(ctx) }()
	in := k.operator(mailbox.Moderate)
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		done, err := k.svc.Index().Indexed(k.Context()) // first: what could not be merged is on the list by then
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

// The index is rebuilt while it serves: nothing is missing at any time, and nothing is there twice afterwards.
func TestReindex(t *testing.T) {
	k := newService(t, withIndex(t))
	b, other := k.permanent("robin"), k.permanent("kim")
	const many = 300
	ids := b.numbered(many)
	k.receive(plainMail("x@y.test", "kept", "common text"), other.Address)
	k.index()
	before, err := k.Options.Index.Segments(t.Context(), b.Num)
	if err != nil {
		t.Fatal(err)
	}
	x := k.svc.Index().NewIndexer()
	if err := k.svc.Reindex(t.Context(), k.operator(mailbox.Moderate)); err != nil {
		t.Fatal(err)
	}
	steps := 0
	for more := true; more; steps++ {
		if more, err = x.RenewPage(t.Context()); err != nil {
			t.Fatal(err)
		}
		list, err := k.svc.Inbox(t.Context(), b.read(), service.InboxQuery{Query: "common",
			Page: service.Page{Limit: 200}})
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
	after, err := k.Options.Index.Segments(t.Context(), b.Num)
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

// reindexing tells how far a service says that it is.
func (k *kit) reindexing(svc *service.Service) service.Reindexing {
	k.Helper()
	p, err := svc.ReindexProgress(k.Context(), k.operator(mailbox.Moderate))
	if err != nil {
		k.Fatal(err)
	}
	return p
}

// reindex has the index rebuilt, and returns who does it.
func (k *kit) reindex() index.Indexer {
	k.Helper()
	if err := k.svc.Reindex(k.Context(), k.operator(mailbox.Moderate)); err != nil {
		k.Fatal(err)
	}
	return k.svc.Index().NewIndexer()
}

// The node that rebuilds a mailbox's part tells of each page; another tells of the mailbox when it is done. What
// comes meanwhile is not counted.
func TestReindexProgress(t *testing.T) {
	k := newService(t, withIndex(t))
	b, other := k.permanent("robin"), k.permanent("kim")
	const many, few = 300, 5
	b.numbered(many)
	for i := range few {
		k.receive(plainMail("x@y.test", fmt.Sprint("number ", i), "common text"), other.Address)
	}
	k.index()
	another, err := service.Open(t.Context(), k.Options)
	if err != nil {
		t.Fatal(err)
	}
	x := k.reindex()
	for i, want := range []struct{ boxes, here, there int64 }{
		{0, 0, 0},
		{1, 0, 0}, // the configured one has none
		{1, 64, 0},
		{1, 128, 0},
		{1, 192, 0},
		{1, 256, 0},
		{2, many, many},
		{2, many + few, many}, // it has more by now
		{3, many + few, many + few},
	} {
		if i > 0 {
			if _, err := x.RenewPage(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if i == 3 {
			for n := range 70 {
				k.receive(plainMail("x@y.test", fmt.Sprint("meanwhile ", n), "common text"), b.Address, other.Address)
			}
			if err := x.Round(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		p := service.Reindexing{Running: want.boxes < 3, Done: want.boxes, Total: 3, MessagesDone: want.here,
			MessagesTotal: many + few}
		k.same(fmt.Sprint("here, step ", i), k.reindexing(k.svc), p)
		p.MessagesDone = want.there
		k.same(fmt.Sprint("there, step ", i), k.reindexing(another), p)
	}
	k.same("afterwards", k.reindexing(k.svc), service.Reindexing{})
}

// failingIndex cannot be written while it fails.
type failingIndex struct {
	*sqlite.Index
	fails bool
}

func (x *failingIndex) Update(ctx context.Context, fn func(store.IndexTx) error) error {
	if x.fails {
		return store.ErrStorage
	}
	return x.Index.Update(ctx, fn)
}

// What is begun again is not told to be done.
func TestReindexProgressLost(t *testing.T) {
	for _, tt := range []struct {
		name string
		lose func(*testing.T, *failingIndex, index.Indexer)
	}{
		{"it fails", func(t *testing.T, index *failingIndex, x index.Indexer) {
			index.fails = true
			if err := x.RenewSome(t.Context()); !errors.Is(err, store.ErrStorage) {
				t.Fatal(err)
			}
		}},
		{"it is another's turn", func(t *testing.T, _ *failingIndex, x index.Indexer) {
			if err := x.EndTurn(t.Context()); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			index := &failingIndex{}
			k := newService(t, withIndex(t), func(o *service.Options) {
				index.Index = o.Index.(*sqlite.Index)
				o.Index = index
			})
			b := k.permanent("robin")
			b.numbered(100)
			k.index()
			x := k.reindex()
			for range 2 {
				if _, err := x.RenewPage(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			want := service.Reindexing{Running: true, Done: 1, Total: 2, MessagesDone: 64, MessagesTotal: 100}
			k.same("before", k.reindexing(k.svc), want)
			tt.lose(t, index, x)
			want.MessagesDone = 0
			k.same("after", k.reindexing(k.svc), want)
		})
	}
}

// Progress of which nobody saw the end is not mixed up with the next.
func TestReindexProgressAgain(t *testing.T) {
	for _, tt := range []struct {
		name string
		wait time.Duration
		here bool // it is asked for here, not elsewhere
		want service.Reindexing
	}{
		{"asked for here", 0, true, service.Reindexing{Running: true, Total: 2, MessagesTotal: 3}},
		{"long ago", time.Hour, false, service.Reindexing{Running: true, Total: 2, MessagesTotal: 3}},
		// it cannot be known
		{"just now, elsewhere", 0, false, service.Reindexing{Running: true, Total: 2, MessagesTotal: 1}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k := newService(t, withIndex(t))
			b := k.permanent("robin")
			k.receive(plainMail("x@y.test", "one", "common text"), b.Address)
			k.index()
			x := k.reindex()
			k.same("at first", k.reindexing(k.svc), service.Reindexing{Running: true, Total: 2, MessagesTotal: 1})
			for more := true; more; {
				var err error
				if more, err = x.RenewPage(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			for range 2 {
				k.receive(plainMail("x@y.test", "more", "common text"), b.Address)
			}
			k.svc.Index().LookedBefore(tt.wait)
			asked := k.svc
			if !tt.here {
				var err error
				if asked, err = service.Open(t.Context(), k.Options); err != nil {
					t.Fatal(err)
				}
			}
			if err := asked.Reindex(t.Context(), k.operator(mailbox.Moderate)); err != nil {
				t.Fatal(err)
			}
			k.same("again", k.reindexing(k.svc), tt.want)
		})
	}
}

// halfRenewed is in the middle of rebuilding the part of a mailbox of 200 messages.
func halfRenewed(t *testing.T) (*kit, box, index.Indexer) {
	t.Helper()
	k := newService(t, withIndex(t))
	b := k.permanent("robin")
	b.numbered(200)
	k.index()
	x := k.reindex()
	for range 3 {
		_, err := x.RenewPage(t.Context())
		k.works("renew", err)
	}
	return k, b, x
}

// A crash in the middle costs the work on one mailbox and leaves nothing behind.
func TestReindexAfterCrash(t *testing.T) {
	k, b, x := halfRenewed(t)
	if err := x.FlushRenewal(t.Context()); err != nil { // blocks that no segment is noted for
		t.Fatal(err)
	}
	var err error
	if k.svc, err = service.Open(t.Context(), k.Options); err != nil {
		t.Fatal(err)
	}
	if got := b.find("common"); len(got) != 100 {
		t.Errorf("%d found after the crash", len(got))
	}
	if p, err := k.svc.ReindexProgress(t.Context(), k.operator(mailbox.Moderate)); err != nil || !p.Running {
		t.Errorf("it does not go on: %+v, %v", p, err)
	}
	k.renewed()
	if n := b.indexed(); n != 200 {
		t.Errorf("%d messages are in the index", n)
	}
}

// A mailbox that is deleted while its part is rebuilt leaves none.
func TestReindexOfDeleted(t *testing.T) {
	k, b, x := halfRenewed(t)
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
	if err := k.svc.Reindex(t.Context(), k.operator(mailbox.Moderate)); !errors.As(err, &known) ||
		known.Kind != mailbox.Unimplemented {
		t.Errorf("%v", err)
	}
}
