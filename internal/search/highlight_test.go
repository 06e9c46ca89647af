package search

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// marked writes a snippet with its hits in brackets.
func marked(s Snippet) string {
	var b strings.Builder
	at := 0
	for _, span := range s.Spans {
		b.WriteString(s.Text[at:span.Start] + "[" + s.Text[span.Start:span.End] + "]")
		at = span.End
	}
	return b.String() + s.Text[at:]
}

func TestHighlight(t *testing.T) {
	for _, tt := range []struct{ name, query, text, want string }{
		{"a word", "kim ", "Hello Kim, hello KIM.", "Hello [Kim], hello [KIM]."},
		{"folded", "strasse cafe ", "Die Straße beim Cafe\u0301 X", "Die [Straße] beim [Cafe\u0301] X"},
		{"a compound", "email ", "my e-mail and email", "my [e-mail] and [email]"},
		{"a phrase", `"order no"`, "no order; order no. 5", "no order; [order no]. 5"},
		{"a beginning", "inv", "Invoice in vain", "[Invoice] in vain"},
		{"an address", "example.com ", "to kim@mail.example.com now", "to kim@mail.[example.com] now"},
		{"a code", "482915 ", "code 482-915!", "code [482-915]!"},
		{"Chinese", "验证码 ", "您的验证码是", "您的[验证码]是"},
		{"Japanese, half width", "データ ", "新しいﾃﾞｰﾀです", "新しい[ﾃﾞｰﾀ]です"},
		{"Thai", "รหัส ", "ใส่รหัสนี้", "ใส่[รหัส]นี้"},
		{"an emoji with its colour", "👍 ", "done 👍🏽!", "done [👍🏽]!"},
		{"an emoji with its selector", "❤ ", "with ❤\uFE0F us", "with [❤\uFE0F] us"},
		{"neighbours", "東京 京都 ", "東京都", "[東京都]"},
		{"not what must not be", "kim -lee OR lee ", "kim lee park", "[kim] [lee] park"},
		{"nothing but negations", "-park ", "kim lee", ""},
		{"other fields", "from:kim ", "kim lee", ""},
		{"nothing there", "park ", "kim lee", ""},
		{"no words", "is:seen", "kim lee", ""},
		{"one line, nothing hidden", "kim lee ", "\n\n a\tb\r\n  kim\u202E\u200B \x00lee \U000E0041 ",
			"a b [kim] [lee]"},
		{"not UTF-8", "kim ", "\xff\xfekim\xff", "��[kim]�"},
		{"HTML stays text", "kim ", "<b>kim</b>", "<b>[kim]</b>"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := NewHighlighter(Parse(tt.query, noon)).Highlight(Subject, tt.text, 3)
			if tt.want == "" && len(got) == 0 {
				return
			}
			if len(got) != 1 || marked(got[0]) != tt.want {
				t.Errorf("%+v, want %q", got, tt.want)
			}
		})
	}
}

func TestHighlightWindows(t *testing.T) {
	filler := strings.Repeat("lorem ipsum dolor ", 40)
	text := filler + "kim " + filler + "an invoice from kim lee today " + filler + "lee and lee " + filler +
		"invoice " + filler
	q := Parse("kim lee invoice ", noon)
	got := NewHighlighter(q).Highlight(Body, text, 3)
	if len(got) != 3 {
		t.Fatalf("%+v", got)
	}
	checkSnippets(t, got)
	if one := NewHighlighter(q).Highlight(Body, text, 1); len(one) != 1 || !strings.Contains(marked(one[0]),
		"an [invoice] from [kim] [lee] today") {
		t.Errorf("%+v", one)
	}
	if len(NewHighlighter(q).Highlight(Body, text, 99)) > maxSnippets ||
		len(NewHighlighter(q).Highlight(Body, text, 0)) != 0 || len(NewHighlighter(q).Highlight(Body, text, -1)) != 0 {
		t.Error("wrong number of snippets")
	}
	for _, s := range got {
		if n := utf8.RuneCountInString(s.Text); n < windowRunes/2 || n > windowRunes+2 ||
			!strings.HasPrefix(s.Text, ellipsis) {
			t.Errorf("%d characters: %q", n, s.Text)
		}
	}
}

func TestHighlightLongHit(t *testing.T) {
	for _, text := range []string{strings.Repeat("x", 10_000), strings.Repeat("東", 3_000)} {
		got := NewHighlighter(Parse(text[:300]+"* ", noon)).Highlight(Subject, text, 3)
		checkSnippets(t, got)
		for _, s := range got {
			if utf8.RuneCountInString(s.Text) > windowRunes+2 {
				t.Errorf("%d characters", utf8.RuneCountInString(s.Text))
			}
		}
	}
}

func TestRuneSpans(t *testing.T) {
	s := Snippet{Text: "äö kim 東京", Spans: []Span{{5, 8}, {9, 15}}}
	if got := s.RuneSpans(); !slices.Equal(got, []Span{{3, 6}, {7, 9}}) {
		t.Error(got)
	}
}

// checkSnippets makes sure that spans can be used without looking.
func checkSnippets(t *testing.T, snippets []Snippet) {
	t.Helper()
	for _, s := range snippets {
		if !utf8.ValidString(s.Text) || len(s.Spans) == 0 || strings.ContainsAny(s.Text, "\r\n\t\x00") {
			t.Fatalf("%+v", s)
		}
		at := 0
		for _, span := range s.Spans {
			if span.Start < at || span.End <= span.Start || span.End > len(s.Text) ||
				!utf8.ValidString(s.Text[span.Start:span.End]) {
				t.Fatalf("%v in %q", s.Spans, s.Text)
			}
			at = span.End + 1
		}
	}
}

// The best window comes later in the text than the next best, and both grow towards each other.
func TestHighlightWindowsMeet(t *testing.T) {
	filler := strings.Repeat("lorem ipsum ", 10)
	got := NewHighlighter(Parse("kim lee ", noon)).Highlight(Body, filler+"kim "+filler+"kim lee "+filler, 3)
	checkSnippets(t, got)
	if len(got) != 2 || strings.Count(marked(got[0])+marked(got[1]), "[kim]") != 2 {
		t.Errorf("%+v", got)
	}
}

// thorough makes a token of every word.
func thorough(q Query) *Highlighter {
	l := NewHighlighter(q)
	for i := range l.sieve {
		l.sieve[i] = math.MaxUint64
	}
	l.seek = nil
	return l
}

// The pieces of plain text that are looked at have everything that reading the whole would highlight.
func TestHighlightPieces(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	words := strings.Fields("kim Lee KIM lees akim mail e-mail email E-MAIL order number order's 12 345 67 4711 a b c " +
		"U.S.A. kim@lee.example usa don't don t x")
	gaps := strings.Split("  |\n|\r\n|\t|. |, |-|.|'|@|+|_|--|: |/|,|\"| \"|(|) |\x00", "|")
	some := 0
	for range 20_000 {
		var text strings.Builder
		for range r.IntN(30) {
			text.WriteString(words[r.IntN(len(words))] + gaps[r.IntN(len(gaps))])
			if r.IntN(4) == 0 {
				text.WriteByte(' ')
			}
		}
		query := words[r.IntN(len(words))] + " "
		for range r.IntN(3) {
			query += []string{"", "OR ", "-", "from:"}[r.IntN(4)] + words[r.IntN(len(words))] +
				[]string{" ", ""}[r.IntN(2)]
		}
		q := Parse(query, noon)
		for _, f := range []Field{Subject, Body} {
			got := NewHighlighter(q).Highlight(f, text.String(), 3)
			want := thorough(q).Highlight(f, text.String(), 3)
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("%s in %s of %q:\n%+v\n%+v", query, f, text.String(), got, want)
			}
			if len(got) > 0 && len(NewHighlighter(q).seek) > 0 {
				some++
			}
		}
	}
	if some < 2000 {
		t.Errorf("%d texts with something to highlight", some)
	}
}

// A text in which nearly every place could be a word, or that is one piece, is read as a whole.
func TestHighlightManyPlaces(t *testing.T) {
	q := Parse("xa xb xc xd xe xf ", noon)
	l := NewHighlighter(q)
	for _, tt := range []struct {
		name, text string
		ok         bool
	}{
		{"words between others", strings.Repeat(strings.Repeat("lorem ipsum dolor sit amet ", 5)+"xa ", 100), true},
		{"nothing but one letter of them", strings.Repeat("x ", 1000), true},
		{"nothing but their letters", strings.Repeat("axbxcxdxexf ", 1000), false},
		{"one piece", strings.Repeat("1 ", 500) + "xa-xb-xc-xd-xe-xf", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if _, ok := pieces(nil, tt.text, l.seek); ok != tt.ok {
				t.Errorf("pieces are looked for: %v, want %v", ok, tt.ok)
			}
			got, want := l.Highlight(Body, tt.text, 3), thorough(q).Highlight(Body, tt.text, 3)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%+v, want %+v", got, want)
			}
		})
	}
}

// Words that fall through the sieve are none that would be highlighted.
func TestHighlightSieve(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	r := rand.New(rand.NewPCG(5, 6))
	some := 0
	for range 2000 {
		words := strings.Fields(randomText(r, 40))
		at := r.IntN(36)
		query := strings.Join(words[at:at+1+r.IntN(3)], " ")
		switch r.IntN(3) {
		case 0:
			query = `"` + query + `"`
		case 1:
			query = query[:len(query)/2] + "*"
		}
		var text string
		for _, w := range words {
			text += w + []string{" ", ", ", ". ", "\n\n", "-", "'", `"`, "\u00ad", "é "}[r.IntN(9)]
		}
		q := Parse(query, noon)
		for _, f := range []Field{Subject, Body} {
			got, want := NewHighlighter(q).Highlight(f, text, 3), thorough(q).Highlight(f, text, 3)
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("%s in %s of %q:\n%+v\n%+v", query, f, text, got, want)
			}
			some += len(got)
		}
	}
	if some < 200 {
		t.Errorf("%d pieces in all", some)
	}
}
