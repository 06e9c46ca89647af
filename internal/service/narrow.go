package service

import (
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Lists of which no index knows the words are narrowed by reading them, newest first, in steps. One call reads so many
// rows at most; the cursor of its answer, which may have few rows or none, goes on from there.
const (
	narrowStep = 500
	narrowMost = 20_000
	// Each has the attempts that were made.
	narrowMostHooks = 5_000
)

// narrowing is how a list is narrowed.
type narrowing[T any] struct {
	kind  cursorKind
	place func(T) int64 // of a row, which is lower for older ones
	fits  func(T) bool
	most  int // rows that one call reads
	read  func(before int64, limit int) ([]T, error)
}

// page reads a page of the rows that fit.
func (n narrowing[T]) page(p Page) (out List[T], err error) {
	if p.Offset != 0 {
		return out, mailbox.InvalidField("offset", "A list that is narrowed goes on from a cursor: leave offset out.")
	}
	place, err := decodeCursor(n.kind, p.Cursor)
	if err != nil {
		return out, err
	}
	for seen := 0; seen < n.most; seen += narrowStep {
		rows, err := n.read(place, narrowStep)
		if err != nil {
			return List[T]{}, err
		}
		for _, r := range rows {
			fits := n.fits(r)
			if fits && len(out.Items) == p.Limit {
				out.Next = encodeCursor(n.kind, place)
				return out, nil
			}
			if place = n.place(r); fits {
				out.Items = append(out.Items, r)
			}
		}
		if len(rows) < narrowStep {
			return out, nil
		}
	}
	out.Next = encodeCursor(n.kind, place)
	return out, nil
}

// wordsIn tells whether texts have all of the words, in whatever case and order.
func wordsIn(words string, texts ...string) bool {
	if words == "" {
		return true
	}
	text := strings.ToLower(strings.Join(texts, "\n"))
	for _, w := range strings.Fields(strings.ToLower(words)) {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}
