package meaning

import (
	"bytes"
	"math"
	"slices"
)

// Mail in the language of a query and other mail are two lists, the scores of which do not compare: what the English
// encoder says of English mail is nearly always higher than what the student says of any, and how high chance is, is
// another thing with every query. What does compare is how far a mail stands out of its list. Chosen with the
// development half of testdata/languages.txt.
const (
	// standsOut is how much further other mail has to stand out of its list than mail in the query's language does,
	// which is what people mean more often; in deviations of the scores in a list, beyond what chance makes of so
	// many. It is less for English queries, whose own list is the better one.
	standsOut, standsOutOfEnglish = 1.3, 0.6
	// stretch is what the deviation in a list of other mail counts: its scores are less certain, and so lie closer.
	stretch = 1.4
	// first is by how much more it has to stand out to come before all mail in the language of the query.
	first = 1.5
	// sameNear is what the English encoder, which reads a little of what has Latin letters, counts in the language of
	// the query, and likely what mail in a language is ahead of others by that the query may be in.
	sameNear, likely = 0.25, 0.15
	// Of English mail that is too far away for its words to be compared, the score with them is about withWords of the
	// cosine and wordsAlone.
	withWords, wordsAlone = 0.67, 0.05
	// bridgeLength is the usual length of what the bridge makes of English mail.
	bridgeLength = 0.94
	// closely is what the fit of a query's words to the marks of English mail counts beside how near it is: fits differ
	// by a sixth of what cosines do.
	closely = 5
	// readClosely is of how many English mails the marks are read.
	readClosely = 64
	// nativeLeast and farLeast are what is not taken for a hit, of mail in the language of the query and of other mail.
	nativeLeast, farLeast = 0.05, 0.2
)

// level is what the scores of so many mails come to: their sum, and that of their squares.
type level struct{ n, sum, squares float32 }

// What is usual: of English mail by the English encoder, of mail in another language by the student in the same one,
// and across languages. It counts like twenty mails, so that the level of a few is no chance.
var usualEnglish, usualNative, usualForeign = usual(0.17, 0.07), usual(0.17, 0.09), usual(0.07, 0.095)

func usual(mean, deviation float32) level {
	const n = 20
	return level{n, n * mean, n * (mean*mean + deviation*deviation)}
}

func (l *level) add(score float32) {
	l.n++
	l.sum += score
	l.squares += score * score
}

func (l level) mean() float32 { return l.sum / l.n }

func (l level) deviation() float32 {
	return float32(math.Sqrt(float64(max(l.squares/l.n-l.mean()*l.mean(), 0.0001))))
}

// chance is about how many deviations above the mean the highest score is if all are chance.
func (l level) chance() float32 { return float32(math.Sqrt(2 * math.Log(float64(l.n)))) }

// farQuery is what somebody looks for, compared with mail that the English encoder cannot read, or that is not in the
// language of the query.
type farQuery struct {
	seen
	text    string
	english []float32 // the direction that the English encoder gives it
}

// farScan compares a farQuery with mails.
type farScan struct {
	query    farQuery
	student  *scanner // made when it is first needed
	english  *scanner // the same for mail that only the English encoder read; nil for queries that may be English
	length   float32  // of what it is compared with
	constant float32
	// The nearest mails in the language of the query, unless that may be English, and in others.
	native, foreign *scanner
	here, there     level // of all that either was taken from
	words           []word
	marks           map[uint64]Marks // of the nearest English mails, for a query in another language
}

func (q farQuery) find(keep int) *farScan {
	f := &farScan{query: q, here: usualNative, there: usualForeign}
	f.native, f.foreign = newScanner(nil, 0), newScanner(nil, 0)
	f.native.keep, f.foreign.keep = keep, keep
	return f
}

// prepare reads the query for comparisons with what the student made. Of a query that may be English both have a say.
func (f *farScan) prepare() {
	if f.student != nil {
		return
	}
	s, direction := builtInStudent(), f.query.direction
	if direction == nil {
		ids, _ := s.tokens(f.query.text)
		direction = s.direction(ids)
	}
	if !f.query.sure {
		if f.query.english != nil {
			direction = slices.Clone(direction)
			add(direction, s.across(f.query.english))
			unit(direction)
		}
		f.student = newScanner(round(direction), 1)
		return
	}
	f.student = newScanner(round(direction), 1)
	to, constant := s.back(direction)
	f.length, f.constant = float32(math.Sqrt(float64(inner4(to, to)))), constant
	f.english = newScanner(round(to), 1)
	f.words, f.marks = s.words(f.query.ids), make(map[uint64]Marks)
}

// add compares a mail in some language: near is how near it is by the English encoder, where that read it.
func (f *farScan) add(id uint64, vector Vector, language int, near float32) {
	f.prepare()
	score, ok := f.student.nearest(vector)
	switch {
	case !ok:
	case language != f.query.language:
		f.note(id, score)
	case !f.query.sure:
		f.note(id, score+sameNear*near+likely)
	default:
		score += sameNear * near
		f.here.add(score)
		if score >= nativeLeast {
			f.native.keeps(Hit{id, score})
		}
	}
}

// addEnglish compares a mail in English with a query that is not.
func (f *farScan) addEnglish(id uint64, vectors []byte, marks Marks) {
	f.prepare()
	cosine, ok := f.english.nearest(vectors)
	if !ok || !f.note(id, (cosine*f.length+f.constant)/bridgeLength) || len(marks) == 0 {
		return
	}
	if len(f.marks) > 4*f.foreign.keep {
		f.marks = of(f.foreign.kept, f.marks)
	}
	f.marks[id] = bytes.Clone(marks)
}

// note keeps a mail in another language than the query's, if it is near enough, and tells whether it does.
func (f *farScan) note(id uint64, score float32) bool {
	f.there.add(score)
	return score >= farLeast && f.foreign.keeps(Hit{id, score})
}

// others returns the mail in other languages that it keeps. It reads the marks of the nearest English mails, and puts
// those in the order of how near they are and how well the words of the query fit. The scores stay the same ones, so
// that English mail comes no further up among other mail.
func (f *farScan) others() []Hit {
	var read []Hit
	var scores []float32
	var room []byte
	kept := slices.DeleteFunc(inOrder(slices.Clone(f.foreign.kept)), func(h Hit) bool {
		marks, ok := f.marks[h.ID]
		if !ok || len(read) == readClosely {
			return false
		}
		var fits float32
		fits, room = wordsFit(f.words, marks, room)
		read, scores = append(read, Hit{h.ID, h.Score + closely*fits}), append(scores, h.Score)
		return true
	})
	for i, h := range inOrder(read) { // scores are in order
		kept = append(kept, Hit{h.ID, scores[i]})
	}
	return kept
}

// merge makes one list of what it found and of the English mail that an English query found, of which so many are near
// enough. Hits in the language of the query keep their scores, and others get scores of the same scale.
func (f *farScan) merge(english []Hit, near int) []Hit {
	hits, behind := english[:near], float32(standsOutOfEnglish)
	if f.query.sure {
		hits, behind = f.native.kept, standsOut
	} else {
		f.here = usualEnglish
		for i, h := range english {
			if i >= near { // about what it is with the words, which were not compared
				h.Score = withWords*h.Score + wordsAlone
			}
			f.here.add(h.Score)
		}
	}
	hits = inOrder(slices.Clone(hits))
	mean, deviation := f.here.mean(), f.here.deviation()
	best, ahead := float32(math.Inf(-1)), first*deviation
	if len(hits) > 0 {
		best = hits[0].Score
	}
	for _, h := range f.others() {
		out := (h.Score-f.there.mean())/f.there.deviation() - f.there.chance()
		score := mean + deviation*(f.here.chance()+stretch*out-behind)
		if score > best && score < best+ahead { // just behind it, in their order
			score = best - (best+ahead-score)/1000
		}
		hits = append(hits, Hit{h.ID, score})
	}
	return inOrder(hits)[:min(len(hits), f.foreign.keep)]
}
