package link

import (
	"strings"
	"testing"
)

// same compares what a list shows, too.
func (s Signs) same(other Signs) bool { return s.Acts == other.Acts && s.Mismatch == other.Mismatch }

// signsOf is what Glance returns, from the list.
func signsOf(links []Link) (s Signs) {
	for _, l := range links {
		s.Acts = s.Acts || l.Kind == Verify || l.Kind == SignIn || l.Kind == Reset
		s.Mismatch = s.Mismatch || l.Mismatch
	}
	return s
}

func TestGlance(t *testing.T) {
	for _, tt := range []struct {
		name string
		mail Mail
		want Signs
	}{
		{"no links", Mail{Text: "Lunch at noon?"}, Signs{}},
		{"others", Mail{Text: "See https://a.example/news and www.b.example."}, Signs{}},
		{"one to verify", Mail{Text: "Confirm your address: https://a.example/verify?token=4f6d2a9c8b7e1035"},
			Signs{Acts: true}},
		{"one to reset", Mail{View: seen(`<a href="https://a.example/x">Reset password</a>`)}, Signs{Acts: true}},
		{"by the subject alone", Mail{Subject: "Verify your e-mail", Text: "https://a.example/x/4f6d2a9c8b7e1035aa"},
			Signs{Acts: true}},
		{"mismatch", Mail{View: seen(`<a href="https://evil.example/">bank.com</a>`)}, Signs{Mismatch: true}},
		{"both", Mail{View: seen(`<a href="https://evil.example/reset">bank.com</a> <a href="https://a.example/y">Reset password</a>`)}, Signs{Acts: true, Mismatch: true}},
		{"to unsubscribe", Mail{Unsubscribe: "<https://a.example/u>"}, Signs{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := Glance(tt.mail); !got.same(tt.want) || !got.same(signsOf(Find(tt.mail))) {
				t.Errorf("got %+v, want %+v; links %+v", got, tt.want, Find(tt.mail))
			}
		})
	}
	for name, m := range hostile(20_000) {
		t.Run(name, func(t *testing.T) {
			if got, want := Glance(m), signsOf(Find(m)); !got.same(want) {
				t.Errorf("got %+v, want %+v", got, want)
			}
		})
	}
}

// nextPlain is where an address is next, found byte by byte.
func nextPlain(text string, start int) int {
	for i := start; i < len(text); i++ {
		rest := text[i:]
		switch {
		case hasPrefixFold(rest, "https://"), hasPrefixFold(rest, "http://"):
			return i
		case isWWW(rest) && (i == start || isWordStart(text, i)):
			return i
		}
	}
	return -1
}

func samePlaces(t *testing.T, text string) {
	t.Helper()
	for i := 0; i < len(text); i++ {
		signs := addressSigns{text: text}
		for from, at := i, 0; from < len(text) && at >= 0; from = at + 1 {
			want := nextPlain(text, from)
			if at = signs.next(from); at != want {
				t.Fatalf("from %d the next address of %q is at %d, not %d", from, text, want, at)
			}
		}
	}
}

var places = []string{
	"", ":", "a:", "http:", "http://", "x https://a.example: www.b.example.", "www.", "www.x", "WwW.x y",
	"xwww.y http://z", "...www.:::http://",
	"hhttp://a http:/b https:// :// .www.www. a.www.b (www.c)", "one two  three\tfour\x7f five é six seven eight nine ",
	"http://a www.b:c.d:e",
}

func TestSamePlaces(t *testing.T) {
	for _, text := range places {
		t.Run(text, func(t *testing.T) { samePlaces(t, text) })
	}
}

func FuzzSame(f *testing.F) {
	for _, text := range places {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { samePlaces(t, text[:min(len(text), 120)]) })
}

func benchmarkGlance(b *testing.B, m Mail) {
	Glance(m) // makes the tables
	b.SetBytes(int64(len(m.Text)))
	b.ReportAllocs()
	for b.Loop() {
		Glance(m)
	}
}

func BenchmarkGlanceHTML(b *testing.B) {
	benchmarkGlance(b, Mail{Subject: "Welcome to Acme", View: seen(sampleHTML())})
}

func BenchmarkGlanceText(b *testing.B) {
	benchmarkGlance(b, Mail{Subject: "News", Text: strings.Repeat("A line of text that says nothing at all, and then "+
		"another.\n", 70)})
}
