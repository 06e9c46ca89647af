package service

import (
	"math"
	"slices"
	"testing"

	"github.com/mailkin/mailkin/internal/index"
)

var cursorKinds = []cursorKind{cursorMessage, cursorThread, cursorReply, cursorMailbox, cursorReject, cursorAudit}

func TestCursor(t *testing.T) {
	for _, kind := range cursorKinds {
		for _, place := range []int64{1, 2, 127, 128, 1<<32 - 1, 1 << 32, 1 << 62} {
			s := encodeCursor(kind, place)
			for _, other := range cursorKinds {
				got, err := decodeCursor(other, s)
				if other == kind && (err != nil || got != place) {
					t.Errorf("%c %d: %d, %v", kind, place, got, err)
				}
				if other != kind && (err == nil || got != 0) {
					t.Errorf("a cursor of %c is one of %c", kind, other)
				}
			}
		}
	}
	if got, err := decodeCursor(cursorMessage, ""); got != 0 || err != nil {
		t.Errorf("none: %d, %v", got, err)
	}
}

func TestCursorGarbage(t *testing.T) {
	good := encodeCursor(cursorMessage, 300)
	for _, c := range []struct{ name, cursor string }{
		{"no base64", "!!!"},
		{"a space", " "},
		{"too short", "AQ"},
		{"padded", good + "="},
		{"longer", good + "AA"},
		{"cut", good[:len(good)-1]},
		{"of place 0", encodeCursor(cursorMessage, 0)},
		{"negative", encodeCursor(cursorMessage, -1)},
		{"too high", encodeCursor(cursorMessage, math.MaxInt64)},
		{"another version", "Am2sAg"},
		{"a number", "17"},
		{"a new line", good + "\n"},
	} {
		if got, err := decodeCursor(cursorMessage, c.cursor); err == nil || got != 0 {
			t.Errorf("%s: %d, %v", c.name, got, err)
		}
	}
}

// The cursor of a search names what was shown, in few bytes, and is no other.
func TestSearchCursor(t *testing.T) {
	p := index.Place{UpTo: 1 << 40}
	for i := range int64(1000) {
		p.Shown = append(p.Shown, 1<<40-i*200)
	}
	s := encodeFound(p)
	got, err := decodeFound(s)
	if err != nil || got.UpTo != p.UpTo || !slices.Equal(got.Shown, p.Shown) || len(s) > 3000 {
		t.Errorf("%d characters, %d shown, %v", len(s), len(got.Shown), err)
	}
	for _, bad := range []string{"!!!", "AQ", s[:len(s)-1] + "=", encodeCursor(cursorMessage, 300),
		encodeFound(index.Place{UpTo: 5, Shown: []int64{4, -1}}), encodeFound(index.Place{})} {
		if got, err := decodeFound(bad); err == nil {
			t.Errorf("%q is %+v", bad, got)
		}
	}
}

// Whatever comes in is refused or is the one spelling of a place.
func FuzzCursor(f *testing.F) {
	for _, kind := range cursorKinds {
		f.Add(byte(kind), encodeCursor(kind, 77))
	}
	f.Add(byte('m'), "")
	f.Add(byte('m'), "AW2AAA")
	f.Fuzz(func(t *testing.T, kind byte, s string) {
		place, err := decodeCursor(cursorKind(kind), s)
		switch {
		case err != nil && place != 0:
			t.Errorf("%q: place %d and %v", s, place, err)
		case err == nil && s != "" && (place <= 0 || encodeCursor(cursorKind(kind), place) != s):
			t.Errorf("%q is place %d, which is %q", s, place, encodeCursor(cursorKind(kind), place))
		}
	})
}
