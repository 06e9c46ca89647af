package search

import (
	"cmp"
	"slices"
	"strings"
)

// A text is mostly words that nobody searched for. Where the words of a query are plain letters, and the text is ASCII,
// the places at which one of them can be are found by the letter that the text has least of, and tokens are made of
// what is around those places alone: from one white space that ends every compound to another. All other texts are read
// as a whole.

// seekMost is the length of the longest word that is looked for in that way.
const seekMost = 32

// seekSample is how much of a text its letters are counted in.
const seekSample = 16 << 10

// seeker looks for one word.
type seeker struct{ text string }

// rarest is where the word has the letter that a text has least of.
func (k seeker) rarest(text string) (at int) {
	text = text[:min(len(text), seekSample)]
	least := len(text) + 1
	for i := range len(k.text) {
		if n := strings.Count(text, k.text[i:i+1]); n < least {
			at, least = i, n
		}
	}
	return at
}

// seekers are those of a query; none where some of its words cannot be found in that way.
func seekers(m *Matcher) (list []seeker) {
	for i := range m.steps {
		s := &m.steps[i]
		words := m.q.words[s.words]
		if words.barred { // it is not shown
			continue
		}
		if words.end != 1 || len(s.text) > seekMost || strings.ContainsFunc(s.text, notLower) {
			return nil
		}
		list = append(list, seeker{s.text})
	}
	return list
}

func notLower(r rune) bool { return r < 'a' || r > 'z' }

// pieces appends the pieces of an ASCII text in which a word may be, in order and apart from each other. It is not ok
// where looking at the places, or finding the ends of the pieces, would take as long as reading the text.
func pieces(dst []Span, text string, list []seeker) (out []Span, ok bool) {
	looks, found := 64+len(text)/16, 4*len(text)
	for _, k := range list {
		rare := k.rarest(text)
		lower := k.text[rare]
		for _, letter := range [...]byte{lower, lower - 'a' + 'A'} {
			for from := 0; ; {
				n := strings.IndexByte(text[from:], letter)
				if n < 0 {
					break
				}
				if looks--; looks < 0 {
					return dst, false
				}
				from += n
				if start, end, ok := k.around(text, from, rare); ok {
					s := Span{apartBefore(text, start), apartAfter(text, end)}
					if found -= s.End - s.Start; found < 0 {
						return dst, false
					}
					dst = append(dst, s)
					from = s.End - 1
				}
				from++
			}
		}
	}
	slices.SortFunc(dst, func(a, b Span) int { return cmp.Compare(a.Start, b.Start) })
	out = dst[:0]
	for _, s := range dst {
		if n := len(out); n > 0 && s.Start <= out[n-1].End {
			out[n-1].End = max(out[n-1].End, s.End)
		} else {
			out = append(out, s)
		}
	}
	return out, true
}

// around tells where the word is that has its letter at a place, by itself or as the parts of a compound.
func (k seeker) around(text string, at, letter int) (start, end int, ok bool) {
	start = at
	for i := letter - 1; i >= 0; i-- {
		if start--; start > 0 && joint(text[start]) {
			start--
		}
		if start < 0 || plain[text[start]] != k.text[i] {
			return 0, 0, false
		}
	}
	end = at + 1
	for _, want := range []byte(k.text[letter+1:]) {
		if end < len(text) && joint(text[end]) {
			end++
		}
		if end == len(text) || plain[text[end]] != want {
			return 0, 0, false
		}
		end++
	}
	if start > 0 && plain[text[start-1]] != 0 || end < len(text) && plain[text[end]] != 0 {
		return 0, 0, false
	}
	return start, end, true
}

// apartBefore is where the piece begins that a place is in.
func apartBefore(text string, at int) int {
	for at > 0 && !parts(text, at-1) {
		at--
	}
	return at
}

// apartAfter is where it ends.
func apartAfter(text string, at int) int {
	for at < len(text) && !parts(text, at) {
		at++
	}
	return at
}

// parts tells whether white space at a place ends any compound. A space between two groups of digits does not.
func parts(text string, at int) bool {
	switch text[at] {
	case '\n', '\r', '\t':
		return true
	case ' ':
		return at == 0 || text[at-1] < '0' || text[at-1] > '9'
	}
	return false
}
