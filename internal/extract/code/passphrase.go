package code

import (
	"bytes"
	"cmp"
	"slices"
)

// passphrases keeps words that could be typed as a code, three to six and written alike: on the line after one that
// ends with a colon, after a colon up to the end of the line, or in quotes.
func (p *page) passphrases() {
	had := len(p.tokens)
	for i := p.subject; i < len(p.text); i++ {
		n := bytes.IndexByte(p.text[i:], ':')
		if n < 0 {
			break
		}
		if i += n; i+1 < len(p.text) && (p.text[i+1] == ' ' || p.text[i+1] == '\n') {
			p.passphrase(i+1, "\n")
		}
	}
	for i := p.subject; i < len(p.text); i++ {
		n := bytes.IndexByte(p.text[i:], '"')
		if n < 0 {
			break
		}
		i += n
		p.passphrase(i+1, "\"\n")
	}
	if len(p.tokens) > had {
		slices.SortStableFunc(p.tokens, func(a, b token) int { return cmp.Compare(a.start, b.start) })
	}
}

// passphrase keeps the words from i, after white space, up to one of some characters.
func (p *page) passphrase(i int, upTo string) {
	for i < len(p.text) && (p.text[i] == '\n' || p.text[i] == ' ') {
		i++
	}
	if i+minPassphrase > len(p.text) || !isLetter(p.text[i]) || len(p.tokens) == maxTokens {
		return
	}
	line := p.text[i:min(len(p.text), i+maxPassphrase+1)]
	if n := bytes.IndexAny(line, upTo); n >= 0 {
		line = line[:n]
	}
	if isPassphrase(line) {
		p.keep(token{start: i, end: i + len(line), code: line, shape: shapePhrase, malus: 2})
	}
}

// How long a passphrase is.
const (
	minPassphrase = 11
	maxPassphrase = 60
)

// isPassphrase says whether a line is three to six words, in small letters or each with a capital, and no sentence.
func isPassphrase(line []byte) bool {
	if len(line) < minPassphrase || len(line) > maxPassphrase {
		return false
	}
	words, capital := 0, isUpper(line[0])
	for word := range bytes.SplitSeq(line, []byte(" ")) {
		words++
		if len(word) < 3 || len(word) > 12 || isUpper(word[0]) != capital || isFunctionWord(word) {
			return false
		}
		for _, c := range word[1:] {
			if !isLower(c) {
				return false
			}
		}
	}
	return words >= 3 && words <= 6
}

// isFunctionWord is one of those that hardly a sentence does without and no list of words for passphrases has.
func isFunctionWord(word []byte) bool {
	switch string(bytes.ToLower(word)) {
	case "and", "are", "der", "die", "das", "den", "des", "ein", "eine", "for", "from", "has", "have", "here", "les",
		"las", "los", "not", "only", "our", "para", "per", "please", "por", "pour", "que", "see", "sent", "that",
		"the", "this", "und", "une", "use", "using", "was", "when", "will", "with", "you", "your":
		return true
	}
	return false
}
