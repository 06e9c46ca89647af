package service

import (
	"slices"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// A list of numbers, newest first, of which some fit.
func numbers(all, most int, fits func(int64) bool) narrowing[int64] {
	return narrowing[int64]{kind: cursorAudit, place: func(n int64) int64 { return n }, fits: fits, most: most,
		read: func(before int64, limit int) (rows []int64, err error) {
			if before == 0 {
				before = int64(all) + 1
			}
			for n := before - 1; n > 0 && len(rows) < limit; n-- {
				rows = append(rows, n)
			}
			return rows, nil
		}}
}

func TestNarrowing(t *testing.T) {
	tenth := func(n int64) bool { return n%10 == 0 }
	for _, c := range []struct {
		name         string
		list         narrowing[int64]
		limit        int
		found, pages int
	}{
		{"all of it in pages", numbers(2000, narrowMost, tenth), 30, 200, 7},
		{"the last page is full", numbers(2000, narrowMost, tenth), 100, 200, 2},
		{"far away", numbers(2900, 1000, func(n int64) bool { return n == 7 }), 5, 1, 3},
		{"nothing fits", numbers(1999, 1000, func(int64) bool { return false }), 5, 0, 2},
		{"an empty list", numbers(0, 1000, tenth), 5, 0, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			var found []int64
			pages := 0
			for p := (Page{Limit: c.limit}); ; pages++ {
				list, err := c.list.page(p)
				if err != nil || len(list.Items) > c.limit {
					t.Fatalf("%d rows, %v", len(list.Items), err)
				}
				found = append(found, list.Items...)
				if p.Cursor = list.Next; list.Next == "" {
					pages++
					break
				}
			}
			if len(found) != c.found || pages != c.pages || len(slices.Compact(slices.Clone(found))) != len(found) {
				t.Errorf("%d rows in %d pages, want %d in %d: %v", len(found), pages, c.found, c.pages, found)
			}
		})
	}
	if _, err := numbers(9, 9, tenth).page(Page{Limit: 1, Offset: 3}); mailbox.KindOf(err) != mailbox.Invalid {
		t.Errorf("an offset: %v", err)
	}
}

func TestWordsIn(t *testing.T) {
	for words, want := range map[string]bool{"": true, "kim": true, "BOUNCE kim": true, "kim gone": false,
		"xample": true} {
		if got := wordsIn(words, "Kim@Example.com", "bounce"); got != want {
			t.Errorf("%q: %v", words, got)
		}
	}
}
