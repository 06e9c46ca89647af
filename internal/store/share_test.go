package store_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mailkin/mailkin/internal/store"
)

func TestDivide(t *testing.T) {
	for _, c := range []struct {
		name       string
		partitions int
		had        map[int]string
		nodes      []string
		most       map[string]int // how many each has then
		moved      int            // that somebody had
	}{
		{"nobody", 4, nil, nil, map[string]int{}, 0},
		{"one node", 4, nil, []string{"a"}, map[string]int{"a": 4}, 0},
		{"at first", 5, nil, []string{"a", "b"}, map[string]int{"a": 3, "b": 2}, 0},
		{"a node joins", 4, map[int]string{0: "a", 1: "a", 2: "a", 3: "a"}, []string{"a", "b"},
			map[string]int{"a": 2, "b": 2}, 2},
		{"a node is gone", 4, map[int]string{0: "a", 1: "b", 2: "a", 3: "b"}, []string{"b"}, map[string]int{"b": 4}, 2},
		{"nothing changes", 5, map[int]string{0: "b", 1: "b", 2: "b", 3: "a", 4: "a"}, []string{"a", "b"},
			map[string]int{"a": 2, "b": 3}, 0},
		{"more nodes than partitions", 2, map[int]string{0: "c", 1: "a"}, []string{"a", "b", "c"},
			map[string]int{"a": 1, "c": 1}, 0},
		{"one for another", 3, map[int]string{0: "a", 1: "b", 2: "gone"}, []string{"a", "b", "c"},
			map[string]int{"a": 1, "b": 1, "c": 1}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			owner := store.Divide(c.partitions, c.had, c.nodes)
			most, moved := map[string]int{}, 0
			for p, n := range owner {
				if most[n]++; c.had[p] != "" && c.had[p] != n {
					moved++
				}
			}
			if !maps.Equal(most, c.most) || moved != c.moved {
				t.Errorf("%v, %d moved: %v", most, moved, owner)
			}
			if again := store.Divide(c.partitions, owner, c.nodes); !maps.Equal(again, owner) {
				t.Errorf("then %v", again)
			}
		})
	}
}

// shares gives what the test says.
type shares struct {
	store.Leaser
	mu    sync.Mutex
	share store.Share
	err   error
	back  bool
}

func (s *shares) Share(context.Context, string, string, int, time.Duration) (store.Share, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.share, s.err
}

func (s *shares) Unshare(context.Context, string, string) error {
	s.back = true
	return nil
}

func (s *shares) set(share store.Share, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.share, s.err = share, err
}

func TestRunShare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &shares{}
		var began []string
		var causes []error
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			turn := store.Turn{Leaser: s, What: "index", Holder: "me", TTL: ttl, Log: slog.New(slog.DiscardHandler)}
			done <- turn.RunShare(ctx, 4, func(ctx context.Context, share store.Share) error {
				began = append(began, fmt.Sprint(share.Partitions, " ", share.Fence))
				<-ctx.Done()
				causes = append(causes, context.Cause(ctx))
				return nil
			})
		}()
		step := func(name string, share store.Share, err error, want ...string) {
			t.Helper()
			s.set(share, err)
			time.Sleep(ttl)
			if synctest.Wait(); !slices.Equal(began, want) {
				t.Errorf("%s: %v", name, began)
			}
		}
		step("none", store.Share{Fence: 1}, nil)
		step("a share", store.Share{Partitions: []int{1, 2}, Fence: 1}, nil, "[1 2] 1")
		step("the same", store.Share{Partitions: []int{1, 2}, Fence: 1}, nil, "[1 2] 1")
		step("more", store.Share{Partitions: []int{1, 2, 3}, Fence: 1}, nil, "[1 2] 1", "[1 2 3] 1")
		step("the fence rose", store.Share{Partitions: []int{1, 2, 3}, Fence: 2}, nil, "[1 2] 1", "[1 2 3] 1",
			"[1 2 3] 2")
		step("it is not known", store.Share{}, store.ErrUnavailable, "[1 2] 1", "[1 2 3] 1", "[1 2 3] 2")
		other := func(err error) bool { return !errors.Is(err, store.ErrFenced) }
		if len(causes) != 3 || slices.ContainsFunc(causes, other) {
			t.Errorf("ended for %v", causes)
		}
		if cancel(); <-done == nil || !s.back {
			t.Errorf("given back: %v", s.back)
		}
	})
}
