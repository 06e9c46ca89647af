package storetest

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

func (k indexKit) asked(since time.Time) []mailbox.Num {
	k.Helper()
	list, err := k.x.Asked(k.Context(), since)
	if err != nil {
		k.Fatal(err)
	}
	slices.Sort(list)
	return list
}

func (k indexKit) vectorPlace(place int64, model string) {
	k.Helper()
	p, m, err := k.x.VectorPlace(k.Context())
	if p != place || m != model || err != nil {
		k.Errorf("vectors at %d of %q, want %d of %q: %v", p, m, place, model, err)
	}
}

var vectorTests = []indexTest{
	{"vectors are kept, the last of each message", func(k indexKit) {
		long := strings.Repeat("\x00\xff", 4000)
		k.do(vector(1, 1, "a"), vector(1, 2, long), vector(2, 1, "c"))
		k.do(vector(1, 1, "b"), vector(1, 3, "x"), vector(1, 3, "y"))
		k.same("vectors", k.vectors(1), map[int64]string{1: "b", 2: long, 3: "y"})
		k.same("of another", k.vectors(2), map[int64]string{1: "c"})
		k.same("of nobody", k.vectors(3), map[int64]string{})
	}},
	{"who looks at vectors may stop", func(k indexKit) {
		k.do(vector(1, 1, "a"), vector(1, 2, "b"))
		enough := errors.New("enough")
		seen := 0
		err := k.x.Vectors(k.Context(), 1, func(int64, []byte) error { seen++; return enough })
		if !errors.Is(err, enough) || seen != 1 {
			k.Errorf("after %d: %v", seen, err)
		}
		k.same("and again", len(k.vectors(1)), 2)
	}},
	{"vectors of another model go", func(k indexKit) {
		k.do(vectorPlace(5, "one"), vector(1, 1, "a"))
		k.do(vectorPlace(9, "one"), vector(2, 1, "b"))
		k.vectorPlace(9, "one")
		k.same("of the same", k.vectors(1), map[int64]string{1: "a"})
		k.do(place(77), vectorPlace(2, "two"), vector(2, 2, "c"))
		k.vectorPlace(2, "two")
		k.same("of another", k.vectors(1), map[int64]string{})
		k.same("of the new", k.vectors(2), map[int64]string{2: "c"})
		k.same("place of words", k.place(), int64(77))
	}},
	{"who searches by meaning is known, since a time", func(k indexKit) {
		k.do(asked(1, noon), asked(2, noon.Add(time.Hour)), asked(3, noon.Add(-time.Hour)))
		k.same("asked", k.asked(noon), nums(1, 2))
		k.do(asked(3, noon.Add(time.Minute)))
		k.same("asked again", k.asked(noon.Add(time.Millisecond)), nums(2, 3))
		k.same("nobody", k.asked(noon.Add(2*time.Hour)), nums())
	}},
}
