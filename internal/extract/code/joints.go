package code

import (
	"bytes"
	"sync"
)

// jointOfWord is what a word in Latin letters, folded, does before a number.
func jointOfWord(w []byte) joint {
	if len(w) == 0 || len(w) > 9 {
		return byNothing
	}
	var low [9]byte
	for i, c := range w {
		low[i] = lowered[c]
	}
	switch string(low[:len(w)]) {
	case "is", "are", "ist", "lautet", "est", "es", "e", "jest", "je", "ar", "er", "on", "este", "yra", "ir", "adalah", "ialah",
		"la", "ni", "ay", "eshte", "da", "hau", "yw", "sind", "son", "sao", "sono", "below", "using":
		return byVerb
	case "of", "at", "in", "by", "from", "since", "until", "between", "and", "than", "over", "about", "per", "under", "before", "after",
		"around", "through", "von", "am", "um", "bis", "seit", "im", "ab", "du", "en", "del", "dal", "dos", "das", "od", "ve", "vom", "zum",
		"till", "within", "near", "sized", "approximately", "another", "these", "or":
		return byPreposition
	}
	return byNothing
}

// verbEnds are words in other scripts that stand between a label and its number, as text before the number ends.
var verbEnds = []string{"είναι", "это", "є", "هو", "هي", "هى", "است", "ہے", "הוא", "היא", "है", "आहे", "হল", "হলো", "છે", "คือ", "ແມ່ນ", "គឺ", "မှာ", "是", "为", "為", "係", "：", "는", "은", "は", "が", "е", "је", "бол", "կոդն է"}

var foldedVerbEnds = sync.OnceValue(func() (ends [][]byte) {
	for _, v := range verbEnds {
		ends = append(ends, []byte(foldPhrase(v)))
	}
	return ends
})

// jointOfEnd is the same for text that ends in another script.
func jointOfEnd(text []byte) joint {
	for _, v := range foldedVerbEnds() {
		if bytes.HasSuffix(text, v) {
			return byVerb
		}
	}
	return byNothing
}
