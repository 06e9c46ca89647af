package meaning

import (
	"math"
	"strings"
)

// Query is what somebody looks for, as it is compared with mail.
type Query struct {
	Vector Vector
	words  []word
	far    *farQuery // nil where vectors come from an endpoint
}

// word is a token of a query.
type word struct {
	says  factor
	worth float32 // what its product with a mark counts for; all words together make 1 for a text that is its own mark
}

// The forms in which a query is read. Mail is neither as short nor as bare as what people type, and both bring a query
// nearer to it.
const (
	question = "?"
	heading  = "Subject:"
)

// Query reads a text that somebody looks for: its vector is the mean of the text as a question and as a subject, and
// its words are those of both. Case is left out, as it is of mail.
func (e *Encoder) Query(text string) Query {
	text = strings.ToLower(text)
	if strings.TrimSpace(text) == "" {
		return Query{Vector: e.Vector("")}
	}
	other := look(text)
	if foreign(text) {
		return Query{Vector: e.Vector(""), far: &farQuery{seen: other, text: text}}
	}
	if other.sure { // the English encoder has little to say
		return Query{Vector: e.Vector(text + question), far: &farQuery{other, text, nil}}
	}
	forms := e.read(true, text+question, heading+" "+text)
	asked, headed := forms[0], forms[1]
	add(asked.direction, headed.direction)
	q := Query{Vector: round(asked.direction), far: &farQuery{other, text, unit(asked.direction)}}
	q.words = e.model().weigh(q.words, asked.part(0, len(asked.tokens)-1))
	q.words = e.model().weigh(q.words, headed.part(len(e.model().tokens(heading)), len(headed.tokens)))
	for i := range q.words {
		q.words[i].worth /= float32(len(forms))
	}
	return q
}

// part is some of a text's words.
func (r reading) part(from, to int) reading {
	to = max(to, 0)
	from = min(from, to)
	return reading{tokens: r.tokens[from:to], words: r.words[from*wide : to*wide]}
}

// weigh adds the words of a reading, each by its rarity: "of" tells less than "parcel".
func (m *model) weigh(words []word, r reading) []word {
	var all float32
	for _, id := range r.tokens {
		all += m.rarity[id]
	}
	for i, id := range r.tokens {
		row := r.words[i*wide : (i+1)*wide]
		length := math.Sqrt(float64(inner4(row, row)))
		if m.rarity[id] == 0 || length == 0 {
			continue
		}
		values := make([]int16, wide)
		scale := float64(shorten(values, row)) / (length * math.Sqrt(wide))
		words = append(words, word{newFactor(values), m.rarity[id] / all * float32(scale)})
	}
	return words
}
