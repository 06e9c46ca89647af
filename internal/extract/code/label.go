package code

import (
	"sort"
	"unicode/utf8"

	"github.com/mailkin/mailkin/internal/lexicon"
)

// label is a phrase in the text.
type label struct {
	start, end int
	kinds      kinds
	sure       bool // names a verification code, by itself or by what it is for
	yours      bool // is said to be the reader's
	ofThing    bool // names a code, but that of something else that is named beside it
	inner      bool // begins inside a word: the code in Afspraakcode
	asked      bool // follows a word that bids to enter it
	warned     bool // follows a warning not to give it away, and so points to nothing
	from, upTo ticks
}

// The kinds that name what a number is.
var (
	naming   = setOf(kindOTP, kindCode, kindSecret, kindOther)
	positive = setOf(kindOTP, kindCode, kindSecret)
)

// names says whether the label tells what a number is.
func (l *label) names() bool { return l.kinds.any(naming) }

// settleLabels decides what those labels mean that depend on their neighbours.
func settleLabels(labels []label, text []byte) {
	warning := -1
	for i := range labels {
		l := &labels[i]
		if l.kinds.has(kindWarn) {
			warning = i
		}
		if warning >= 0 && l.kinds.any(positive) {
			d := between(labels, warning, i)
			l.warned = d.words <= 6 && !d.stop
		}
		switch {
		case l.kinds.has(kindOTP):
			if l.sure = i == 0 || !isOfMeeting(labels, i) || !isLongNumber(text[labels[i-1].end:l.start]); !l.sure {
				l.kinds = setOf(kindOther)
			}
		case l.kinds.has(kindCode) || l.kinds.has(kindSecret):
			settle(labels, i)
		}
	}
}

// findLabels finds the longest phrases from left to right.
func findLabels(labels []label, text []byte) []label {
	s := search{ph: allPhrases(), text: text}
	for {
		var ok bool
		if labels, ok = s.next(labels, len(text)); !ok {
			return labels
		}
		s.i = labels[len(labels)-1].end
		s.inWord = isWordBefore(text, s.i)
	}
}

// search goes through the text and looks at every place for a phrase.
type search struct {
	ph     *phrases
	text   []byte
	i      int
	inWord bool // a word goes up to i
}

// next finds the next place before to, and adds the longest phrase there to the labels.
func (s *search) next(labels []label, to int) (more []label, ok bool) {
	text, ph, i, inWord := s.text, s.ph, s.i, s.inWord
	to = min(to, len(text)-1)
	for {
		opens := false // the gate was asked already
		if i < to && text[i] == ' ' && text[i+1] >= utf8.RuneSelf {
			i, inWord = i+1, false
		} else if i < to && text[i] < utf8.RuneSelf {
			i, inWord = ph.gate.skip(text, i, inWord)
			opens = !inWord && i+skipRoom <= len(text)
		}
		if inWord {
			i = ph.skipWord(text, i)
		}
		if i >= to {
			return labels, false
		}
		c := text[i]
		size, joins := 1, isAlnum(c)
		if c >= 0xe0 && isUnspacedAt(text, i) {
			at, n, ks := ph.nextUnspaced(text, i, to)
			if n > 0 {
				s.i, s.inWord = at+3, false
				return append(labels, label{start: at, end: at + n, kinds: ks}), true
			}
			if at > i {
				i, inWord = at, false
				continue
			}
		}
		if c >= utf8.RuneSelf {
			var script lexicon.Script
			script, size = lexicon.ScriptAt(text, i)
			joins = script == lexicon.Spaced
			if !ph.gate.high.opens(text, i) {
				inWord = joins
				i += size
				continue
			}
		} else if !opens && (c <= ' ' || !(inWord && joins) && !ph.gate.opens(text, i)) {
			inWord = joins
			i++
			continue
		}
		n, ks := ph.at(text, i, inWord && joins)
		at, inner := i, inWord && joins && c < utf8.RuneSelf
		inWord = joins
		i += size
		if n > 0 && (at == 0 || text[at-1] != '_') {
			s.i, s.inWord = i, inWord
			return append(labels, label{start: at, end: at + n, kinds: ks, inner: inner}), true
		}
	}
}

// skipWord goes on from inside a word to where a phrase may begin in it, or to its end.
func (ph *phrases) skipWord(text []byte, i int) int {
	for ; i+1 < len(text); i++ {
		switch c := text[i]; ph.gate.within[c] {
		case goesOn:
		case goesOnHigh:
			r := rune(c&0x1f)<<6 | rune(text[i+1]&0x3f)
			if !ph.gate.follow[r] && (lexicon.LowScript(r) != lexicon.Spaced || ph.gate.high.opens(text, i)) {
				return i
			}
			i++
		case goesOnWide:
			if ph.inside.Node(c, text[i+1]) != 0 || i+2 == len(text) ||
				lexicon.ScriptOfThree(text, i) != lexicon.Spaced {
				return i
			}
			i += 2
		case mayBegin:
			if ph.inside.Node(c, text[i+1]) != 0 {
				return i
			}
		default:
			return i
		}
	}
	return i
}

func isWordBefore(text []byte, i int) bool {
	if c := text[i-1]; c < utf8.RuneSelf {
		return isAlnum(c)
	}
	for i--; text[i]&0xc0 == 0x80; {
		i--
	}
	script, _ := lexicon.ScriptAt(text, i)
	return script == lexicon.Spaced
}

// settle decides what a word for a code means: next to a purpose (sign in, verify) it is a verification code, next to
// a word for something else (order, discount) it is the code of that. A password is not made surer by its purpose:
// mail that speaks of resetting one has a link.
func settle(labels []label, i int) {
	l := &labels[i]
	for _, j := range [4]int{i - 1, i + 1, i - 2, i + 2} {
		if j < 0 || j >= len(labels) {
			continue
		}
		d := between(labels, i, j)
		if d.words > 3 || d.stop || d.number {
			continue
		}
		l.yours = l.yours || labels[j].kinds.has(kindYours)
		l.asked = l.asked || j < i && d.words <= 2 && d.lines == 0 && labels[j].kinds.has(kindCue)
		l.sure = l.sure || labels[j].kinds.has(kindPurpose) && l.kinds.has(kindCode)
	}
	if l.sure {
		return
	}
	for _, j := range [2]int{i - 1, i + 1} {
		if j < 0 || j >= len(labels) || !labels[j].isElse() {
			continue
		}
		if j < i && isOfMeeting(labels, i) {
			l.kinds, l.yours = setOf(kindOther), false
			return
		}
		small := 4
		if j > i && labels[j].kinds == setOf(kindThing) {
			small = 8 // code de la porte
		}
		if gap := max(labels[j].start-l.end, l.start-labels[j].end); gap > small {
			continue // more than a small word between
		}
		if d := between(labels, i, j); d.words <= small/4 && !d.stop && !d.number && !d.colon && d.lines == 0 {
			l.kinds, l.yours, l.ofThing = setOf(kindOther), false, true
			return
		}
	}
}

// isElse says whether a label names something else, or a thing that may have a code of its own.
func (l *label) isElse() bool { return l.kinds.has(kindOther) || l.kinds == setOf(kindThing) }

// isOfMeeting says whether the label i follows soon after the number of a meeting or the like, which it is the password
// of.
func isOfMeeting(labels []label, i int) bool {
	if !labels[i-1].kinds.has(kindOther) || !labels[i-1].kinds.has(kindOff) {
		return false
	}
	d := between(labels, i-1, i)
	return d.number && d.words <= 6 && d.lines <= 2
}

// isLongNumber says whether text has as many digits as the number of a meeting.
func isLongNumber(text []byte) bool {
	n := 0
	for _, c := range text {
		if isDigit(c) {
			n++
		}
	}
	return n >= 9
}

// between is the distance of two labels.
func between(labels []label, i, j int) distance {
	if i > j {
		i, j = j, i
	}
	return labels[i].upTo.until(labels[j].from)
}

// labelsFrom returns the index of the first label that begins at or after i.
func (p *page) labelsFrom(i int) int {
	return sort.Search(len(p.labels), func(n int) bool { return p.labels[n].start >= i })
}
