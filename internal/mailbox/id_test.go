package mailbox_test

import (
	"strings"
	"testing"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

var moment = time.Date(2026, 3, 14, 15, 9, 26, 535_897_932, time.UTC)

func TestIDRoundTrip(t *testing.T) {
	for range 100 {
		id := mailbox.NewID(moment)
		for _, s := range []string{id.String(), strings.ToUpper(id.String())} {
			if got, ok := mailbox.ParseID(s); !ok || got != id {
				t.Fatalf("ParseID(%s) = %s, %v", s, got, ok)
			}
		}
	}
}

// RFC 9562 5.7: version 7, variant 10, and a leading time in milliseconds.
func TestIDIsUUIDv7(t *testing.T) {
	id := mailbox.NewID(moment)
	s := id.String()
	if s != strings.ToLower(s) || s[14] != '7' || !strings.ContainsRune("89ab", rune(s[19])) {
		t.Errorf("%s is not a lower-case UUID of version 7", s)
	}
	if got, want := id.Time(), moment.Truncate(time.Millisecond); !got.Equal(want) {
		t.Errorf("time %v, want %v", got, want)
	}
	if id == mailbox.NewID(moment) {
		t.Error("two ids of one moment are equal")
	}
}

func TestIDsSortByTime(t *testing.T) {
	for _, tt := range []struct {
		name  string
		later time.Duration
	}{
		{"quarter of a microsecond", 250 * time.Nanosecond},
		{"microsecond", time.Microsecond},
		{"millisecond", time.Millisecond},
		{"year", 365 * 24 * time.Hour},
	} {
		t.Run(tt.name, func(t *testing.T) {
			at := moment
			for range 1000 {
				a, b := mailbox.NewID(at), mailbox.NewID(at.Add(tt.later))
				if a.String() >= b.String() {
					t.Fatalf("%s of %v is not before %s of %v", a, at, b, at.Add(tt.later))
				}
				at = at.Add(7 * time.Millisecond).Add(977 * time.Nanosecond)
			}
		})
	}
}

func TestIDParts(t *testing.T) {
	id := mailbox.NewID(moment)
	if whole, n := id.Whole(); whole != id || n != 0 {
		t.Errorf("a new id is part %d of %s", n, whole)
	}
	seen := map[mailbox.ID]bool{}
	for n := 0; n <= mailbox.MaxPart; n++ {
		part := id.Part(n)
		if whole, got := part.Whole(); whole != id || got != n {
			t.Fatalf("part %d splits into %s and %d", n, whole, got)
		}
		if part.Part(0) != id || !part.Time().Equal(id.Time()) {
			t.Fatalf("part %d lost its whole", n)
		}
		seen[part] = true
	}
	if len(seen) != mailbox.MaxPart+1 {
		t.Errorf("%d different ids for %d parts", len(seen), mailbox.MaxPart+1)
	}
}

func TestParseIDRefuses(t *testing.T) {
	id := mailbox.NewID(moment).String()
	for _, tt := range []struct{ name, s string }{
		{"empty", ""},
		{"short", id[:35]},
		{"long", id + "0"},
		{"no hyphens", strings.ReplaceAll(id, "-", "")},
		{"hyphens elsewhere", id[1:9] + id[:1] + id[9:]},
		{"not hexadecimal", "g" + id[1:]},
		{"braces", "{" + id[:34] + "}"},
		{"multi-byte", "é" + id[2:]},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, ok := mailbox.ParseID(tt.s); ok || !got.IsZero() {
				t.Errorf("ParseID(%q) = %s, %v", tt.s, got, ok)
			}
		})
	}
}

func FuzzParseID(f *testing.F) {
	f.Add(mailbox.NewID(moment).String())
	f.Add("00000000-0000-0000-0000-000000000000")
	f.Fuzz(func(t *testing.T, s string) {
		if id, ok := mailbox.ParseID(s); ok && id.String() != strings.ToLower(s) {
			t.Errorf("ParseID(%q) prints as %s", s, id)
		}
	})
}
