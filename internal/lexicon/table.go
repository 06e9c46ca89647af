package lexicon

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Table finds the phrases of a section.
type Table struct {
	Starts *Automaton // phrases that begin a word
	Inside *Automaton // phrases that may begin anywhere

	languages []string
	filter    filter
	longest   int  // bytes of a phrase
	within    bool // some phrases of ASCII may begin anywhere
}

// Compile makes a table of phrases. In digits is whether a digit ends a word.
func Compile(phrases []Phrase, digits bool) *Table {
	phrases = sorted(phrases)
	t, starts := new(Table), 0
	for _, p := range phrases {
		t.longest = max(t.longest, len(p.Text))
		t.filter.add(p.Text)
		t.within = t.within || p.Anywhere && p.Text[0] < utf8.RuneSelf
		starts += 1 - b2i(p.Anywhere)
	}
	t.Starts, t.Inside = build(phrases[:starts], digits), build(phrases[starts:], digits)
	return t
}

// sorted returns phrases that begin a word first, then by text; equal ones stay in their order. It sorts their places,
// because moving the phrases takes several times as long.
func sorted(phrases []Phrase) []Phrase {
	places := make([]int32, len(phrases))
	for i := range places {
		places[i] = int32(i)
	}
	slices.SortFunc(places, func(i, j int32) int {
		a, b := &phrases[i], &phrases[j]
		if a.Anywhere != b.Anywhere {
			return cmp.Compare(b2i(a.Anywhere), b2i(b.Anywhere))
		}
		return cmp.Or(strings.Compare(a.Text, b.Text), cmp.Compare(i, j))
	})
	out := make([]Phrase, len(phrases))
	for i, place := range places {
		out[i] = phrases[place]
	}
	return out
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Language is the name of a language by its place in a LanguageSet of this table.
func (t *Table) Language(place int) string { return t.languages[place] }

// In is everything that is meant in a text.
func (t *Table) In(text string) Set {
	if found, ok := t.inASCII(text); ok {
		return found
	}
	return t.inFolded(text)
}

func (t *Table) inFolded(text string) (found Set) {
	var room [512]byte
	folded := Fold(room[:0], text)
	for i := range folded {
		if at := placeAt(folded, i); at == begins || at == inside && (t.within || folded[i] >= 0xc0) {
			found |= t.at(folded[i:], at)
		}
	}
	return found
}

// AtStart is what a text begins with.
func (t *Table) AtStart(text string) Set {
	if text = text[:min(len(text), 4*t.longest)]; isASCII(text) {
		if text == "" || !t.filter.opens(prefixASCII(text)) {
			return 0 // as most
		}
		return union(t.Starts, text) | union(t.Inside, text)
	}
	var room [128]byte
	folded := Fold(room[:0], text)
	if len(folded) == 0 {
		return 0
	}
	return t.at(folded, begins)
}

// AtEnd is what a text ends with.
func (t *Table) AtEnd(text string) (found Set) {
	var room [128]byte
	folded := Fold(room[:0], text[max(0, len(text)-4*t.longest):])
	for i := max(0, len(folded)-t.longest); i < len(folded); i++ {
		switch placeAt(folded, i) {
		case begins:
			found |= exactly(t.Starts, folded[i:]) | exactly(t.Inside, folded[i:])
		case inside:
			found |= exactly(t.Inside, folded[i:])
		}
	}
	return found
}

// Whole is what a text means that is a phrase and nothing else.
func (t *Table) Whole(text string) Set {
	switch {
	case len(text) > 4*t.longest:
		return 0
	case !isASCII(text):
		var room [128]byte
		folded := Fold(room[:0], text)
		return exactly(t.Starts, folded) | exactly(t.Inside, folded)
	case text == "" || !t.filter.opens(prefixASCII(text)):
		return 0
	}
	return exactly(t.Starts, text) | exactly(t.Inside, text)
}

// exactly is what a text means as a whole that is folded or in ASCII.
func exactly[T string | []byte](a *Automaton, text T) (found Set) {
	each(a, text, func(n *node, i int) bool {
		if i == len(text) {
			found = a.values[n.open].Means | a.values[n.closed].Means
		}
		return true
	})
	return found
}

// Count is how many different phrases of a meaning are in a text, up to most.
func (t *Table) Count(text string, of Set, most int) int {
	var room [512]byte
	folded := Fold(room[:0], text)
	seen := map[*node]bool{}
	count := func(a *Automaton, s []byte) {
		each(a, s, func(n *node, i int) bool {
			if a.value(n, endsWord(s, i, a.digits)).Means.Any(of) {
				seen[n] = true
			}
			return len(seen) < most
		})
	}
	for i := 0; i < len(folded) && len(seen) < most; i++ {
		at := placeAt(folded, i)
		if at == begins {
			count(t.Starts, folded[i:])
		}
		if at == begins || at == inside {
			count(t.Inside, folded[i:])
		}
	}
	return len(seen)
}

// place is where in a word a byte of folded text is.
type place uint8

const (
	between place = iota // no word is there
	begins               // a word begins
	inside               // the next character of a word
	middle               // within a character
)

// placeAt is the place of text[i]. A letter of another script begins a word of its own.
func placeAt(text []byte, i int) place {
	c := text[i]
	switch k := kinds[c]; {
	case k == sign:
		return between
	case c&0xc0 == 0x80:
		return middle
	case i == 0 || kinds[text[i-1]] == sign || (k == high) != (kinds[text[i-1]] == high):
		return begins
	}
	return inside
}

// at is what is meant where folded text begins, which is a place of a word.
func (t *Table) at(text []byte, p place) (found Set) {
	if !t.filter.opens(prefixOf(text)) {
		return 0
	}
	if p == begins {
		found = union(t.Starts, text)
	}
	return found | union(t.Inside, text)
}

// union is all that phrases mean that text begins with.
func union[T string | []byte](a *Automaton, text T) (found Set) {
	each(a, text, func(n *node, i int) bool {
		if n.open != 0 {
			found |= a.values[n.open].Means
		}
		if n.closed != 0 && endsWord(text, i, a.digits) {
			found |= a.values[n.closed].Means
		}
		return true
	})
	return found
}

// each calls f for the nodes at which a phrase ends that text begins with, and where that is, until f gives false.
// White space is one space.
func each[T string | []byte](a *Automaton, text T, f func(n *node, i int) bool) {
	if len(text) == 0 {
		return
	}
	at, i := a.first[plainOrHigh[text[0]]], behind(text, 0)
	for at != 0 {
		n := &a.nodes[at]
		if n.open|n.closed != 0 && !f(n, i) {
			return
		}
		if i == len(text) {
			return
		}
		at = a.child(n, plainOrHigh[text[i]])
		if i = behind(text, i); at != 0 && a.nodes[at].size > 0 {
			for _, c := range a.tails[a.nodes[at].tail:][:a.nodes[at].size] {
				if i == len(text) || plainOrHigh[text[i]] != c {
					return
				}
				i = behind(text, i)
			}
		}
	}
}

// plainOrHigh is plain, with the bytes of other characters as they are.
var plainOrHigh = func() (of [256]byte) {
	for c := range of {
		if of[c] = plain[c]; c >= utf8.RuneSelf {
			of[c] = byte(c)
		}
	}
	return of
}()

// behind is where the next byte of the folded text comes from, after that of text[i]: white space folds to one space.
func behind[T string | []byte](text T, i int) int {
	if plainOrHigh[text[i]] != ' ' {
		return i + 1
	}
	for i < len(text) && plainOrHigh[text[i]] == ' ' {
		i++
	}
	return i
}
