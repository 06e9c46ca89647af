package code

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mailkin/mailkin/internal/lexicon"
)

// plainFind finds codes without any of the ways in which text is stepped over.
func plainFind(m Mail) (string, []Candidate) {
	var r reader
	r.read(&m)
	from := newSender(&m)
	for _, p := range []*page{&r.text, &r.html} {
		p.tokens, p.parted = nil, nil
		for i := 0; i < len(p.text) && len(p.tokens) < maxTokens; {
			if isAlnum(p.text[i]) {
				i = p.word(i)
			} else {
				i++
			}
		}
		p.placeTokens()
		if len(p.tokens) > 0 {
			p.labels = plainLabels(p.text)
			plainPlaces(p)
			settleLabels(p.labels, p.text)
			r.found.add(p, &from, onText)
		}
	}
	r.found.discountLists()
	return r.found.best(onText), r.found.candidates()
}

// plainLabels looks for a phrase at every place.
func plainLabels(text []byte) (labels []label) {
	ph := allPhrases()
	inWord := false
	for i := 0; i+1 < len(text); {
		size, joins := 1, isAlnum(text[i])
		if text[i] >= utf8.RuneSelf {
			var script lexicon.Script
			script, size = lexicon.ScriptAt(text, i)
			joins = script == lexicon.Spaced
		}
		if n, ks := ph.at(text, i, inWord && joins); n > 0 && (i == 0 || text[i-1] != '_') {
			labels = append(labels, label{start: i, end: i + n, kinds: ks,
				inner: inWord && joins && text[i] < utf8.RuneSelf})
			i += n
			inWord = isWordBefore(text, i)
			continue
		}
		inWord = joins
		i += size
	}
	return labels
}

// plainPlaces counts up to every place.
func plainPlaces(p *page) {
	c := counter{text: p.text}
	t := 0
	for i := range p.labels {
		l := &p.labels[i]
		for ; t < len(p.tokens) && p.tokens[t].start < l.start; t++ {
			p.tokens[t].from, p.tokens[t].upTo = c.advance(p.tokens[t].start), c.advance(p.tokens[t].end)
		}
		l.from, l.upTo = c.advance(l.start), c.advance(l.end)
	}
	for ; t < len(p.tokens); t++ {
		p.tokens[t].from, p.tokens[t].upTo = c.advance(p.tokens[t].start), c.advance(p.tokens[t].end)
	}
}

// plainRun is asciiRun, byte by byte.
func plainRun(s string, n int) int {
	for n < len(s) && (s[n] > ' ' && s[n] < 0x7f || s[n] == ' ' && n+1 < len(s) && s[n+1] > ' ' && s[n+1] < 0x7f) {
		n++
	}
	return n
}

func sameCandidate(a, b Candidate) bool {
	return a.Code == b.Code && a.Score == b.Score && slices.Equal(a.Why, b.Why)
}

// same holds that the quick ways find what the plain ones do, and that Best is the best of Find.
func same(t *testing.T, m Mail) {
	t.Helper()
	best, all := Find(m)
	if want, wanted := plainFind(m); best != want || !slices.EqualFunc(all, wanted, sameCandidate) {
		t.Errorf("got %q of %+v, the plain way %q of %+v", best, all, want, wanted)
	}
	if got := Best(m); got != best {
		t.Errorf("Best gives %q, Find %q of %+v", got, best, all)
	}
	text := m.Text[:min(len(m.Text), 1000)]
	for i := range len(text) {
		if text[i] <= ' ' || text[i] >= 0x7f {
			continue
		}
		if got, want := asciiRun(text, i+1), plainRun(text, i+1); got != want {
			t.Errorf("a run from %d goes to %d, not %d", i, want, got)
		}
	}
}

// aside is text that says nothing, to make a mail long.
const aside = "We met at the old place by the river, and it did not rain. \nThen there was bread; some had tea. He " +
	"said: go on! " +
	"Nobody\nknew why, McGee least. Alone\n\nUp to now  it is so.\n"

func TestSame(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	for _, mails := range everySample(t) {
		for _, s := range mails {
			t.Run(s.name, func(t *testing.T) {
				same(t, s.mail)
				long := s.mail
				long.Text = strings.Repeat(aside, 3) + s.mail.Text + "\n" + strings.Repeat(aside, 3)
				same(t, long)
				long.View = seen("<p>" + strings.Repeat(aside, 3) + "</p>" + s.mail.Text + pageOf(s.mail.View))
				same(t, long)
			})
		}
	}
	for name, m := range hostile {
		t.Run(name, func(t *testing.T) { same(t, m) })
	}
}

func TestSameInCorpus(t *testing.T) {
	for _, c := range readCorpus(t) {
		m := c.mail()
		same(t, m)
		m.Text = aside + m.Text + strings.Repeat(aside, 2)
		same(t, m)
	}
}

// A gate must let every phrase through, whatever follows it.
func TestGateLetsPhrasesThrough(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	ph := allPhrases()
	for _, p := range section().Phrases() {
		for _, next := range []string{" and so on, and on", "1234567890123456", ".\n...............",
			"\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9\u00e9", "验证码验证码", "sandsandsandsands", ""} {
			for _, phrase := range []string{strings.ToUpper(p.Text), "x " + strings.ReplaceAll(p.Text, " ", "\n")} {
				text := []byte(phrase + next)
				want, got := plainLabels(text), findLabels(nil, text)
				if !slices.Equal(got, want) {
					t.Errorf("%q: found %+v, want %+v", text, got, want)
				}
			}
		}
	}
	if len(ph.gate.pairs) == 0 || len(ph.gate.others['c'&31]) == 0 {
		t.Error("the gate is empty")
	}
}

func FuzzSame(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add(s.mail.FromName, s.mail.Subject, aside+s.mail.Text+aside+aside, pageOf(s.mail.View))
	}
	f.Fuzz(func(t *testing.T, from, subject, text, html string) {
		same(t, Mail{FromName: from, Subject: subject, Text: text, View: seen(html)})
	})
}
