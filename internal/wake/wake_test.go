package wake_test

import (
	"sync"
	"testing"

	"github.com/mailkin/mailkin/internal/wake"
)

func heard(e *wake.Ear) bool {
	select {
	case <-e.C:
		return true
	default:
		return false
	}
}

func TestWake(t *testing.T) {
	var h wake.Hub
	h.Wake(1) // nobody listens
	one, other := h.Listen(1, 9), h.Listen(2, 9)
	if heard(one) {
		t.Error("a wake of before was heard")
	}
	h.Wake(1)
	h.Wake(1)
	if !heard(one) {
		t.Error("a wake was not kept until it was waited for")
	}
	if heard(one) {
		t.Error("two wakes that nobody waited for are more than one")
	}
	if heard(other) {
		t.Error("a wake of another mailbox was heard")
	}
	h.Wake(2, 1)
	if !heard(one) || !heard(other) {
		t.Error("one of two mailboxes was not woken")
	}
}

func TestWakePart(t *testing.T) {
	var h wake.Hub
	ears := []*wake.Ear{h.Listen(1, 9), h.Listen(2, 9), h.Listen(3, 9), h.Listen(4, 9)}
	times := make([]int, len(ears))
	for part := range 3 {
		h.WakePart(part, 3)
		woken := 0
		for i, e := range ears {
			if heard(e) {
				times[i]++
				woken++
			}
		}
		if woken == len(ears) {
			t.Error("all were woken at once")
		}
	}
	for i, n := range times {
		if n != 1 {
			t.Errorf("mailbox %d was woken %d times by all parts", i+1, n)
		}
	}
}

func TestClosedEarsAreForgotten(t *testing.T) {
	var h wake.Hub
	first, second := h.Listen(1, 2), h.Listen(1, 2)
	if h.Listen(1, 2) != nil {
		t.Error("a third ear where two are allowed")
	}
	if !h.Listened(1) || h.Listened(2) {
		t.Error("it is not known who listens")
	}
	if h.Listen(2, 2) == nil {
		t.Error("another mailbox's ears were counted")
	}
	first.Close()
	first.Close()
	if h.Wake(1); heard(first) || !heard(second) {
		t.Error("a closed ear was woken, or an open one was not")
	}
	if h.Listen(1, 2) == nil {
		t.Error("a closed ear still takes a place")
	}
	if n := h.Listening(); n != 3 {
		t.Errorf("%d ears, want 3", n)
	}
}

func TestWakeNeverBlocks(t *testing.T) {
	var h wake.Hub
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 1000 {
				e := h.Listen(1, 100)
				h.Wake(1)
				if !heard(e) {
					t.Error("its own wake was not heard")
				}
				e.Close()
			}
		})
	}
	wg.Wait()
	if n := h.Listening(); n != 0 {
		t.Errorf("%d ears are left", n)
	}
}

func BenchmarkWake(b *testing.B) {
	var h wake.Hub
	for range 256 {
		h.Listen(1, 256)
	}
	b.Run("256 listeners", func(b *testing.B) {
		for b.Loop() {
			h.Wake(1)
		}
	})
	b.Run("none", func(b *testing.B) {
		for b.Loop() {
			h.Wake(2)
		}
	})
}
