package search

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mailkin/mailkin/internal/mailbox"
)

func repeatTo(text string, size int) string { return strings.Repeat(text, size/len(text)+1)[:size] }

// candidate asks the plan as a store would that keeps every term with its fields.
func (p Plan) candidate(d *Doc) bool {
	if p.None {
		return false
	}
	for _, f := range p.Filters {
		if !f.holds(d) {
			return false
		}
	}
	for _, c := range p.Must {
		if !slices.ContainsFunc(c, func(l Leaf) bool { return l.holds(d) }) {
			return false
		}
	}
	return true
}

func (l Leaf) holds(d *Doc) bool {
	fields := l.Fields
	for i, term := range l.Terms {
		var has Mask
		for _, t := range d.Tokens {
			if t.Text == term || l.Prefix && i == len(l.Terms)-1 && strings.HasPrefix(t.Text, term) {
				has |= t.Field.Mask()
			}
		}
		fields &= has
	}
	return fields != 0
}

var vocabulary = strings.Fields(`order invoice e-mail email mail don't kim lee kim.lee@example.com example.com 482-915 482 915 482915 1,234.56 foo_bar
	foobar Straße naïve U.S.A. usa 東京 東京都 京都 データ 한국어 ภาษา हिन्दी Ёлка مرحبا שלום 🎉 v1.2.3 report.pdf a-b a b ab https://example.com/x`)

func randomText(r *rand.Rand, n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = vocabulary[r.IntN(len(vocabulary))]
	}
	return strings.Join(words, " ")
}

// A mail is found by each of its words, by each phrase of up to four of them, and by its sender.
func TestFoundByItsWords(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		words := strings.Fields(randomText(r, 1+r.IntN(30)))
		from := mailbox.Address{Name: "Zoë O'Neil", Address: "zoe.oneil+x@mx1.shop.example.net"}
		d := &Doc{Tokens: Mail{Body: strings.Join(words, " "), From: []mailbox.Address{from}}.Tokens(nil)}
		for i := range words {
			for n := 1; n <= 4 && i+n <= len(words); n++ {
				phrase := strings.Join(words[i:i+n], " ")
				for _, text := range []string{phrase, `"` + phrase + `"`, strings.ToUpper(phrase) + " "} {
					mustFind(t, text, d)
				}
			}
		}
		for _, text := range []string{"zoe", "Zoë", "oneil", "o'neil", "from:" + from.Address,
			"from:mx1.shop.example.net", "from:shop.example.net",
			"from:example.net", "from:example", "from:shop", "from:zoe.oneil", `from:"zoë o'neil"`, "zoe.oneil+x@mx1"} {
			mustFind(t, text, d)
		}
	}
}

func mustFind(t *testing.T, text string, d *Doc) {
	t.Helper()
	q := Parse(text, noon)
	if _, ok := matches(q, d); !ok {
		t.Fatalf("%s (%s) is not found", text, q)
	}
	if !q.Plan().candidate(d) {
		t.Fatalf("%s (%s) is not planned for: %+v", text, q, q.Plan())
	}
}

// randomQuery writes a query, and what it means of simple words by looking at the lists of them.
func randomQuery(r *rand.Rand, depth int) (string, func(subject, body []string, d *Doc) bool) {
	if depth > 0 && r.IntN(3) > 0 {
		a, holdsA := randomQuery(r, depth-1)
		b, holdsB := randomQuery(r, depth-1)
		switch r.IntN(3) {
		case 0:
			return "(" + a + " " + b + ")", func(s, w []string, d *Doc) bool {
				return holdsA(s, w, d) && holdsB(s, w,
					d)
			}
		case 1:
			return "(" + a + " OR " + b + ")", func(s, w []string, d *Doc) bool {
				return holdsA(s, w, d) ||
					holdsB(s, w, d)
			}
		}
		return "-(" + a + ")", func(s, w []string, d *Doc) bool { return !holdsA(s, w, d) }
	}
	one, two := letterWord(r), letterWord(r)
	switch r.IntN(6) {
	case 0:
		return `"` + one + " " + two + `"`, func(s, w []string, _ *Doc) bool {
			return follows(s, one, two) ||
				follows(w, one, two)
		}
	case 1:
		return "subject:" + one, func(s, _ []string, _ *Doc) bool { return slices.Contains(s, one) }
	case 2:
		return one + "*", func(s, w []string, _ *Doc) bool {
			return slices.Contains(w, one) || slices.ContainsFunc(s,
				func(x string) bool { return strings.HasPrefix(x, one) })
		}
	case 3:
		return "is:seen", func(_, _ []string, d *Doc) bool { return d.Seen }
	}
	return one, func(s, w []string, _ *Doc) bool { return slices.Contains(s, one) || slices.Contains(w, one) }
}

func letterWord(r *rand.Rand) string {
	b := []byte("aa")
	for range r.IntN(2) {
		b = append(b, 'a')
	}
	b[len(b)-1] = byte('a' + r.IntN(4))
	return string(b)
}

func follows(words []string, one, two string) bool {
	for i := 1; i < len(words); i++ {
		if words[i-1] == one && words[i] == two {
			return true
		}
	}
	return false
}

// Match does what a query says, and no plan misses a mail.
func TestMatchAgrees(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	r := rand.New(rand.NewPCG(3, 4))
	found := 0
	for range 20_000 {
		text, holds := randomQuery(r, 4)
		q := Parse(text+" ", noon)
		var subject, body []string
		for range r.IntN(4) {
			subject = append(subject, letterWord(r))
		}
		for range r.IntN(8) {
			body = append(body, letterWord(r))
		}
		d := &Doc{Tokens: Mail{Subject: strings.Join(subject, " "), Body: strings.Join(body, ", ")}.Tokens(nil),
			Seen: r.IntN(2) > 0}
		_, got := matches(q, d)
		if want := holds(subject, body, d); got != want {
			t.Fatalf("%s (%s): %v in %q, %q", text, q, got, subject, body)
		}
		if again := Parse(q.String()+" ", noon).String(); again != q.String() {
			t.Fatalf("%s\n%s\n%s", text, q, again)
		}
		p := q.Plan()
		if c := p.candidate(d); got && !c || !p.Verify && c != got {
			t.Fatalf("%s: candidate %v, match %v: %+v", q, c, got, p)
		}
		if got {
			found++
		}
	}
	if found < 2_000 || found > 18_000 {
		t.Errorf("%d found: the queries test nothing", found)
	}
}
