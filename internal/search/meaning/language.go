package meaning

import (
	"math"
	"strings"
)

// seen is what the student makes of a text that is not English.
type seen struct {
	language  int       // 0: English, or one that nobody here knows
	sure      bool      // that it is not English
	ids       []int32   // its pieces
	direction []float32 // nil where it was not needed, or nothing is known
}

// englishWords are frequent words of English that are no words of the student's other languages, or rare ones. With
// them most English mail is known as such, and the student is not needed.
var englishWords = map[string]bool{"the": true, "and": true, "you": true, "your": true, "with": true, "this": true,
	"that": true, "are": true, "from": true, "our": true, "not": true, "been": true, "would": true, "which": true,
	"what": true, "where": true}

// soundsEnglish tells whether at least one in twelve words is a frequent one of English.
func soundsEnglish(text string) bool {
	words, english := 0, 0
	for word := range strings.FieldsSeq(text[:min(len(text), maxText)]) {
		words++
		if englishWords[strings.ToLower(strings.Trim(word, ".,:;!?\"'()"))] {
			english++
		}
	}
	return english > 0 && 12*english >= words
}

// look reads a text with the student, unless it is known to be English.
func look(text string) (s seen) {
	if soundsEnglish(text) {
		return s
	}
	by := builtInStudent()
	ids, known := by.tokens(text)
	if !known {
		return s
	}
	// In steps of the table, each of which is three fifths of a natural logarithm. What has Latin letters is English
	// unless two words are not.
	const word, doubt = 8, 14
	most := word
	if foreign(text) {
		most = math.MaxInt
	}
	var against int
	s.language, against = by.language(ids, most)
	s.sure = against > doubt
	s.ids, s.direction = ids, by.direction(ids)
	return s
}

const (
	// farSize is the size of the student's vectors.
	farSize = head + studentDims
	// spoken marks the byte of the language, the last of a record: no number of marks is as high.
	spoken = 0x80
)

// append adds to a record what the student made of a mail.
func (s seen) append(record []byte) []byte {
	return append(append(record, round(s.direction)...), spoken|byte(s.language))
}

// parted takes off the end of a record what the student made; the language is 0 where there is nothing.
func parted(record []byte) (rest []byte, vector Vector, language int) {
	n := len(record) - 1
	if n < farSize || record[n] < spoken {
		return record, nil, 0
	}
	return record[:n-farSize], Vector(record[n-farSize : n]), int(record[n] &^ spoken)
}
