package code

import (
	"bytes"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/mailkin/mailkin/internal/lexicon"
)

// joint is what joins a token to the words before it.
type joint uint8

const (
	byNothing joint = iota
	byVerb          // is, or a colon
	byPreposition
)

// joinedTo says what stands right before i.
func (p *page) joinedTo(i int) joint {
	for n := 0; i > 0 && n < 8; n++ {
		switch c := p.text[i-1]; {
		case c == ':' || c == '=' || c == '>':
			return byVerb
		case c == ' ' || c == '"' || c == '\'' || c == '(' || c == '[' || c == '*' || c == '\n' || c == '\t' ||
			c == '-':
			i--
		case isAlnum(c):
			return jointOfWord(lastWord(p.text[:i]))
		default:
			return jointOfEnd(p.text[:i])
		}
	}
	return byNothing
}

// jointOfWord is what a word in Latin letters, folded, does before a number.
func jointOfWord(w []byte) joint {
	if len(w) == 0 || len(w) > 9 {
		return byNothing
	}
	var low [9]byte
	for i, c := range w {
		low[i] = lexicon.Lowered[c]
	}
	switch string(low[:len(w)]) {
	case "adalah", "ar", "are", "ay", "below", "da", "e", "er", "es", "eshte", "est", "este", "glasi", "hau", "ialah",
		"ir", "is", "ist", "iznosi", "je", "jest", "la", "lautet", "luidt", "lyder", "ni", "on", "sao", "sind", "son",
		"sono", "using", "wynosi", "yra", "yw":
		return byVerb
	case "ab", "about", "after", "am", "and", "another", "around", "at", "before", "between",
		"bis", "by", "dal", "das", "del", "dos", "du", "en", "from", "im", "in", "near", "od", "of", "or",
		"over", "per", "seit", "since", "sized", "than", "these", "through", "till", "um", "under", "until",
		"ve", "vom", "von", "within", "zum":
		return byPreposition
	}
	return byNothing
}

// wordEnds are words that text may end with.
type wordEnds struct {
	spaced, unspaced [][]byte
	last             [256]bool // the bytes that they end with
}

// verbEnds are words of other scripts that stand between a label and its number, as the text before the number ends.
// The spaced ones are whole words.
var verbEnds = sync.OnceValue(func() *wordEnds {
	ends := new(wordEnds)
	for _, v := range []string{"είναι", "это", "є", "е", "је", "износи", "гласи",
		"бол", "է", "هو", "هي", "است", "ہے", "הוא", "היא", "है", "आहे", "হল", "হলো", "છે"} {
		ends.spaced = append(ends.spaced, []byte(" "+foldPhrase(v)))
	}
	for _, v := range []string{"คือ", "ແມ່ນ", "គឺ", "မှာ", "是", "为", "為", "係", "는", "은", "は", "が"} {
		ends.unspaced = append(ends.unspaced, []byte(foldPhrase(v)))
	}
	for _, v := range slices.Concat(ends.spaced, ends.unspaced) {
		ends.last[v[len(v)-1]] = true
	}
	return ends
})

// jointOfEnd is the same for text that ends in another script.
func jointOfEnd(text []byte) joint {
	ends := verbEnds()
	if !ends.last[text[len(text)-1]] {
		return byNothing
	}
	list := ends.spaced
	if r, _ := utf8.DecodeLastRune(text); lexicon.IsUnspaced(r) {
		list = ends.unspaced
	}
	for _, v := range list {
		if bytes.HasSuffix(text, v) {
			return byVerb
		}
	}
	return byNothing
}
