package service_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
	"github.com/mailkin/mailkin/internal/service"
	"github.com/mailkin/mailkin/internal/store"
)

// torn is a store that is lost at some of its updates, before or after it has done them.
type torn struct {
	store.Store
	mu            sync.Mutex
	before, after []int // numbers of updates, from the first one that is counted
	count         int
}

func (s *torn) Update(ctx context.Context, fn func(store.Tx) error) error {
	s.mu.Lock()
	n := s.count
	s.count++
	s.mu.Unlock()
	if slices.Contains(s.before, n) {
		return store.ErrUnavailable
	}
	err := s.Store.Update(ctx, fn)
	if err == nil && slices.Contains(s.after, n) {
		return fmt.Errorf("%w: connection lost", store.ErrUnavailable)
	}
	return err
}

// Where each mailbox has a transaction of its own, mail that is stored for some only is there once for each when its
// sender comes back. Without a Message-ID nobody has it until all have.
func TestReceiveApart(t *testing.T) {
	small, large := letter("small"), mixed("large", noise(500<<10))
	nameless := strings.Replace(small, "Message-ID: <small@sender.test>\r\n", "", 1)
	for _, c := range []struct {
		name, raw     string
		before, after []int
		stored        int // recipients who are told that it is stored
		updates       int // of one message
	}{
		{"one is not stored", small, []int{1}, nil, 2, 3},
		{"of one nobody knows", small, nil, []int{0}, 2, 3},
		{"two are lost", small, []int{2}, []int{1}, 1, 3},
		{"all are lost", small, []int{0, 1, 2}, nil, 0, 3},
		{"a large one", large, []int{0}, []int{2}, 1, 3},
		{"without a Message-ID", nameless, []int{0}, nil, 0, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			var s *torn
			k := newService(t, func(o *service.Options) {
				s = &torn{Store: o.Store}
				o.Store, o.Apart = s, true
			})
			boxes := []box{k.permanent("a"), k.permanent("b"), k.permanent("c")}
			env := k.envelope(boxes[2].Address, boxes[0].Address, boxes[1].Address, "b+tag@example.test")
			s.count, s.before, s.after = 0, c.before, c.after
			receipts, err := k.svc.Receive(t.Context(), env, strings.NewReader(c.raw))
			k.same("transactions", s.count, c.updates)
			stored := map[string]bool{}
			for _, r := range receipts {
				if r.Err == nil {
					stored[r.Mailbox] = true
				} else {
					k.same("error", mailbox.KindOf(r.Err), mailbox.Unavailable)
				}
			}
			k.same("stored", len(stored), c.stored)
			if (err != nil) != (c.stored == 0) {
				t.Error(err)
			}
			s.before, s.after = nil, nil
			again := k.receive(c.raw, boxes[2].Address, boxes[0].Address, boxes[1].Address)
			for i, b := range []box{boxes[2], boxes[0], boxes[1]} {
				if stored[b.Address] && !again[i].Duplicate {
					t.Errorf("%s was not known to have it", b.Address)
				}
				k.same(b.Address, len(k.subjects(b)), 1)
				k.wholeRaw(b, again[i].ID, c.raw)
			}
			if c.raw == large {
				k.same("files", len(k.files()) >= 3, true)
			}
		})
	}
}

// wholeRaw wants the bytes of a message to be these.
func (k *kit) wholeRaw(b box, id mailbox.ID, want string) {
	k.Helper()
	raw, err := k.svc.Raw(k.Context(), b.read(), id)
	k.works("Raw", err)
	defer raw.Close()
	got := make([]byte, raw.Size())
	_, err = raw.ReadAt(got, 0)
	if string(got) != want {
		k.Errorf("%s has other bytes: %v", b.Address, err)
	}
}
