package index

import (
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

func TestShownTexts(t *testing.T) {
	id := func(n int) (id mailbox.ID) { id[0], id[1] = byte(n>>8), byte(n); return id }
	has := func(s *shownTexts, n int) bool { _, ok := s.text(id(n)); return ok }
	t.Run("those that were asked for last are kept", func(t *testing.T) {
		var s shownTexts
		text := strings.Repeat("a", 32<<10)
		for n := range 1000 {
			s.keep(id(n), text)
			if !has(&s, 0) || !has(&s, n) {
				t.Fatalf("after %d: first %v, last %v", n, has(&s, 0), has(&s, n))
			}
			if size := (len(s.kept) + len(s.old)) * len(text); size > shownBytes {
				t.Fatalf("%d bytes after %d", size, n)
			}
		}
		if has(&s, 1) {
			t.Error("one that nobody asked for is kept")
		}
	})
	t.Run("a long one is not", func(t *testing.T) {
		var s shownTexts
		if s.keep(id(1), strings.Repeat("a", shownMost+1)); has(&s, 1) {
			t.Error("it is")
		}
	})
	t.Run("after a while without a search none is", func(t *testing.T) {
		var s shownTexts
		now := time.Now()
		s.turn(now)
		s.keep(id(1), "text")
		s.keep(id(2), "text")
		s.turn(now.Add(shownTime - 1))
		s.turn(now.Add(shownTime))
		if !has(&s, 1) {
			t.Error("dropped at once")
		}
		s.turn(now.Add(2 * shownTime))
		if !has(&s, 1) || has(&s, 2) {
			t.Errorf("asked for: %v, not: %v", has(&s, 1), has(&s, 2))
		}
		s.turn(now.Add(3 * shownTime))
		s.turn(now.Add(4 * shownTime))
		if len(s.kept)+len(s.old) > 0 {
			t.Error("not dropped")
		}
	})
}
