package meaning

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

const (
	// reserved is how many entries of the vocabulary are no text. The first of them stands for what is not in it.
	reserved = 6
	unknown  = 0
	// space is what the vocabulary has for the beginning of a word.
	space = "\u2581"
	// maxText is how many bytes of a text are looked at: more than the longest pieces could make 128 tokens of.
	maxText = 4096
)

// piece is an entry of the vocabulary: part of a word, or a word with its space before it.
type piece struct {
	id    int32
	score float64 // logarithm of how frequent it is
}

// normal is a text as the vocabulary has it: compatible characters folded, every run of white space one space.
func normal(text string) string {
	if len(text) > maxText {
		text = text[:maxText]
	}
	text = strings.ToValidUTF8(text, "\uFFFD")
	words := strings.Fields(norm.NFKC.String(text))
	if len(words) == 0 {
		return ""
	}
	return space + strings.Join(words, space)
}

// tokens divides a text into the pieces of the vocabulary that are together the likeliest, at most 128 of them.
func (m *model) tokens(text string) []int32 {
	s := normal(text)
	if len(s) > maxText { // folding may lengthen a text elevenfold
		s = strings.ToValidUTF8(s[:maxText], "")
	}
	steps := m.likeliest(s)
	var ids []int32
	for end := len(s); end > 0; end = int(steps[end].from) {
		id := steps[end].id
		if id == unknown && len(ids) > 0 && ids[len(ids)-1] == unknown {
			continue // a run of what is not known is one token
		}
		ids = append(ids, id)
	}
	slices.Reverse(ids)
	return ids[:min(len(ids), maxTokens)]
}

// step is the best way to a place in the text: the token that ends there, and where it begins.
type step struct {
	best     float64
	id, from int32
}

// likeliest returns the best step to every place of s where a character ends.
func (m *model) likeliest(s string) []step {
	steps := make([]step, len(s)+1)
	for start := 0; start < len(s); {
		_, size := utf8.DecodeRuneInString(s[start:])
		known := false
		for end := start + size; end <= len(s) && end-start <= m.longest; {
			if p, ok := m.pieces[s[start:end]]; ok {
				known = true
				steps[end].offer(steps[start].best+p.score, p.id, start)
			}
			_, next := utf8.DecodeRuneInString(s[end:])
			end += max(next, 1)
		}
		if !known {
			steps[start+size].offer(steps[start].best, unknown, start)
		}
		start += size
	}
	return steps
}

// offer takes a step if it is as good as what there was; of equals the shortest token wins.
//
// QUIRK: the original takes a sum of zero for a place not reached yet. Only a colon at the beginning, which its
// vocabulary scores with zero, makes a difference.
func (s *step) offer(score float64, id int32, from int) {
	if s.best == 0 || score >= s.best {
		*s = step{best: score, id: id, from: int32(from)}
	}
}
