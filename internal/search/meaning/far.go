package meaning

import (
	"math"
	"slices"
)

// How what the two encoders say is brought to one scale, by how the languages of a query and of a mail go together.
// English queries find English mail by what the English encoder says, and the rest changes nothing about that. What is
// chance among mail of one language should be so among that of another. Chosen with the development half of
// testdata/languages.txt.
const (
	// fromEnglish is for an English query and other mail, toEnglish for the opposite.
	fromEnglish, toEnglish = -0.075, -0.05
	// sameLanguage is what mail in the language of the query is ahead of others by; the English encoder, which reads a
	// little of what has Latin letters, counts by sameNear there.
	sameLanguage, sameNear = 0.15, 0.25
	// bridgeLength is the usual length of what the bridge makes of English mail.
	bridgeLength = 0.94
	// farLeast is what is not taken for a hit.
	farLeast = 0.2
	// otherPlace is where the nearest mail in another language than the query's is at the latest, if it is as near as
	// otherLeast: mail in the language of the query is rarely so far away that no place would be left for another.
	otherPlace, otherLeast = 3, 0.33
)

// farQuery is what somebody looks for, compared with mail that the English encoder cannot read, or that is not in the
// language of the query.
type farQuery struct {
	seen
	english []float32 // the direction that the English encoder gives it
}

// farScan compares a farQuery with mails.
type farScan struct {
	query    farQuery
	student  *scanner // made when it is first needed
	english  *scanner // the same for mail that only the English encoder read; nil for queries that may be English
	length   float32  // of what it is compared with
	constant float32
	kept     *scanner // keeps the nearest
	other    Hit      // the nearest in another language than the query's
}

func (q farQuery) find(keep int) *farScan {
	f := &farScan{query: q, kept: newScanner(nil, 0)}
	f.kept.keep = keep
	return f
}

// prepare reads the query for comparisons with what the student made.
func (f *farScan) prepare() {
	if f.student != nil {
		return
	}
	s, direction := builtInStudent(), f.query.direction
	switch {
	case direction == nil && f.query.english == nil: // nobody can read it
		direction = make([]float32, studentDims)
	case direction == nil:
		direction = s.across(f.query.english)
	}
	f.student = newScanner(round(direction), 1)
	if !f.query.sure {
		return
	}
	to, constant := s.back(direction)
	f.length, f.constant = float32(math.Sqrt(float64(inner4(to, to)))), constant
	f.english = newScanner(round(to), 1)
}

// add compares a mail in some language: near is how near it is by the English encoder, where that read it.
func (f *farScan) add(id uint64, vector Vector, language int, near float32) {
	f.prepare()
	cosine, ok := f.student.nearest(vector)
	if !ok {
		return
	}
	score := cosine
	if !f.query.sure {
		score += fromEnglish
	}
	if language == f.query.language {
		f.keep(Hit{id, score + sameLanguage + sameNear*near})
		return
	}
	f.keep(Hit{id, score})
	f.note(Hit{id, cosine})
}

// addEnglish compares a mail in English with a query that is not.
func (f *farScan) addEnglish(id uint64, vectors []byte) {
	f.prepare()
	if cosine, ok := f.english.nearest(vectors); ok {
		h := Hit{id, (cosine*f.length+f.constant)/bridgeLength + toEnglish}
		f.keep(h)
		f.note(h)
	}
}

func (f *farScan) keep(h Hit) {
	if h.Score >= farLeast {
		f.kept.keeps(h)
	}
}

// note remembers the nearest mail in another language than the query's.
func (f *farScan) note(h Hit) {
	if h.Score >= otherLeast && h.better(f.other) {
		f.other = h
	}
}

// merge adds what it found to hits, the best first.
func (f *farScan) merge(hits []Hit) []Hit {
	hits = inOrder(append(hits, f.kept.kept...))
	at := slices.IndexFunc(hits, func(h Hit) bool { return h.ID == f.other.ID })
	if f.other.Score > 0 && at > otherPlace {
		raised := Hit{f.other.ID, hits[otherPlace].Score}
		copy(hits[otherPlace+1:at+1], hits[otherPlace:at])
		hits[otherPlace] = raised
	}
	return hits
}
