package search

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func FuzzTokens(f *testing.F) {
	for _, s := range vocabulary {
		f.Add(s, "x")
	}
	f.Add("東\r\n京\n\n都 482 915", "482\n915 e-mail")
	f.Add(strings.Repeat("a-b.c@d ", 20), "\u0301\u0e48\u094d\U0001f1e9")
	f.Fuzz(func(t *testing.T, a, b string) {
		tokens, end := Tokenize(nil, Body, a, 7)
		for _, tok := range tokens {
			if tok.Text == "" || len(tok.Text) > MaxText || !utf8.ValidString(tok.Text) || tok.Span == 0 ||
				tok.Pos < 7 ||
				tok.Pos+uint32(tok.Span) > end || strings.ContainsAny(tok.Text, " \t\r\n\x00") {
				t.Fatalf("%+v of %q", tok, a)
			}
		}
		again, _ := Tokenize(nil, Body, a, 7)
		if !slices.Equal(tokens, again) {
			t.Fatalf("%q: %v and %v", a, tokens, again)
		}
		// Parted at blank lines, the pieces give what the whole gives.
		whole, wholeEnd := Tokenize(nil, Body, a+"\n\n"+b, 0)
		pieces, mid := Tokenize(nil, Body, a, 0)
		pieces, last := Tokenize(pieces, Body, b, mid)
		if most, _ := Body.Limit(); len(whole) < most && (last != wholeEnd || !slices.Equal(whole, pieces)) {
			t.Fatalf("%q and %q:\n%v\n%v", a, b, whole, pieces)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, query := range examples {
		f.Add(query, "kim lee")
	}
	for _, s := range []string{`"a (b" OR) -from:(x`, "NOT NOT -(", "482 915 (482) | 1", "from:\"a\"b:c",
		"(((a) b) c) OR -\"", "צה\"ל*", "x ¼ǀ", "000\x1600-\x1600-0 | 0"} {
		f.Add(s, "a b 482-915")
	}
	f.Fuzz(func(t *testing.T, query, text string) {
		q := Parse(query, noon)
		canonical := q.String()
		if nested := strings.Count(canonical, "("); nested < maxDepth && len(canonical) < maxQuery-1 {
			if again := Parse(canonical+" ", noon).String(); again != canonical {
				t.Fatalf("%q\n%s\n%s", query, canonical, again)
			}
		}
		d := &Doc{Tokens: Mail{Subject: text, Body: text + query}.Tokens(nil)}
		h, ok := matches(q, d)
		p := q.Plan()
		if c := p.candidate(d); ok && !c || !p.Verify && c != ok {
			t.Fatalf("%s: match %v, candidate %v: %+v", q, ok, c, p)
		}
		if s := q.Score(h, Stats{Mails: len(query), With: []int{len(text)}}, 0); s < 0 || s > 1 {
			t.Fatal(s)
		}
		again := NewHighlighter(q)
		for _, field := range []Field{Subject, Body, File, Body} {
			got := again.Highlight(field, text, 3)
			checkSnippets(t, got)
			if want := thorough(q).Highlight(field, text, 3); !reflect.DeepEqual(got, want) {
				t.Fatalf("%s: a used highlighter finds %+v, a new one without a sieve %+v", field, got, want)
			}
		}
	})
}

// What a mail says is found by saying it.
func FuzzFindsItself(f *testing.F) {
	for _, s := range vocabulary {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.Map(func(r rune) rune {
			if isQuote(r) {
				return ' '
			}
			return r
		}, strings.ToValidUTF8(text, " "))
		q := Parse(`"`+text+`"`, noon)
		if len(text) > maxQuery-2 || q.Void || q.Root == nil {
			return
		}
		if _, ok := matches(q, &Doc{Tokens: tokensOf("before " + text + " after")}); !ok {
			t.Fatalf("%q is not found", text)
		}
	})
}
