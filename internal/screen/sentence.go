package screen

import "strings"

// sentence is a piece of text that rules look at.
type sentence struct {
	text    string
	foreign bool // it has characters beyond ASCII
	odd     bool // it has single letters in a row, or digits within words
}

const (
	longestSentence = 320 // bytes
	apartLetters    = 6   // in a row, to be odd
	digitsWithin    = 3   // to be odd
)

// nextSentence cuts the first sentence off. It ends at a full stop and the like before white space, at an empty line,
// before a line that is an item of a list or begins with a capital letter, and where it gets too long.
func nextSentence(text string) (s sentence, rest string) {
	var w words
	blank, i := 0, 0
	for ; i < len(text); i++ {
		c := text[i]
		if i >= 2*longestSentence && c&0xC0 != 0x80 {
			break
		}
		kind := kinds[c]
		if kind == aLetter {
			w.length++
			continue
		}
		w.end()
		switch {
		case kind == aDigit:
			w.digit(text, i)
			continue
		case kind == high:
			s.foreign = true
			if strings.HasPrefix(text[i:], "。") {
				return s.cut(text, i+len("。"), &w)
			}
			continue
		case kind == aStop && endsHere(text, i):
			return s.cut(text, i+1, &w)
		case kind == aSpace || c == '\n':
			blank = i
		}
		if i >= longestSentence {
			if blank > longestSentence/2 {
				i = blank
			}
			return s.cut(text, i+1, &w)
		}
	}
	w.end()
	return s.cut(text, i, &w)
}

// words counts what is odd about the words of a sentence.
type words struct {
	length int // of the word that is being read
	apart  int // words of one letter in a row
	most   int // the most of them
	within int // digits within words
}

func (w *words) end() {
	switch {
	case w.length == 1:
		w.apart++
		w.most = max(w.most, w.apart)
	case w.length > 1:
		w.apart = 0
	}
	w.length = 0
}

func (w *words) digit(text string, i int) {
	if i > 0 && i+1 < len(text) && kinds[text[i-1]] == aLetter && (kinds[text[i+1]] == aLetter ||
		kinds[text[i+1]] == aDigit) {
		w.within++
	}
}

func (s sentence) cut(text string, n int, w *words) (sentence, string) {
	s.text = text[:n]
	for s.text != "" && s.text[0] <= ' ' {
		s.text = s.text[1:]
	}
	s.odd = w.most >= apartLetters || w.within >= digitsWithin
	return s, text[n:]
}

// endsHere tells whether the sign at i ends a sentence.
func endsHere(text string, i int) bool {
	if i+1 >= len(text) {
		return true
	}
	next := text[i+1]
	if text[i] != '\n' {
		return next <= ' ' || next == '"' || next == '\'' || next == '<' || next == ')'
	}
	switch next {
	case '\n', '\r', '-', '*', '>', '#', '<', '[':
		return true
	}
	return next == 0xE2 || kinds[next] == aDigit || next >= 'A' && next <= 'Z' // a bullet, a number, a new sentence
}

// kind is what a byte is for the cutting of sentences.
type kind uint8

const (
	other kind = iota
	aLetter
	aDigit
	aStop
	aSpace
	high
)

var kinds = func() (of [256]kind) {
	for c := range of {
		switch {
		case isLetter(byte(c)):
			of[c] = aLetter
		case c >= '0' && c <= '9':
			of[c] = aDigit
		case c == '.' || c == '!' || c == '?' || c == '\n':
			of[c] = aStop
		case c == ' ' || c == '\t' || c == '\r':
			of[c] = aSpace
		case c >= 0x80:
			of[c] = high
		}
	}
	return of
}()
