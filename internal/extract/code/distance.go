package code

import (
	"math/bits"
	"unicode/utf8"
)

// distance is what lies between two places of the text.
type distance struct {
	words  int  // how many; in scripts without spaces, two characters count as one
	stop   bool // a sentence ends
	number bool // another number of three or more digits
	colon  bool // a colon or an equals sign
	lines  int  // line ends; an empty line is two
	far    bool // more than matters
}

// maxDistance is how many bytes apart two places may be to have to do with each other.
const maxDistance = 160

// ticks is a place, with what the text has up to there.
type ticks struct {
	pos                                             int32
	words, halves, stops, numbers, colons, newlines uint16
}

// until is the distance from one place to a later one.
func (a ticks) until(b ticks) distance {
	if b.pos-a.pos > maxDistance {
		return distance{words: maxDistance, stop: true, far: true}
	}
	return distance{
		words:  int(b.words-a.words) + int(b.halves-a.halves)/2,
		stop:   b.stops != a.stops,
		number: b.numbers != a.numbers,
		colon:  b.colons != a.colons,
		lines:  int(b.newlines - a.newlines),
	}
}

// measure is the distance of two places that were not counted.
func measure(text []byte, from, to int) distance {
	if to-from > maxDistance {
		return distance{words: maxDistance, stop: true, far: true}
	}
	c := counter{text: text, at: ticks{pos: int32(from)}, inWord: from > 0 && isWordBefore(text, from)}
	start := c.at
	return start.until(c.advance(to))
}

// counter goes through the text once.
type counter struct {
	text   []byte
	at     ticks
	inWord bool
	digits int // in a row
}

// countPlaces counts up to where labels and tokens begin and end. Labels that are near nothing have their place noted, but
// are not counted up to: they are far from all that they may be compared with.
func countPlaces(p *page) {
	c := counter{text: p.text}
	near := closeness{page: p}
	t := 0
	for i := range p.labels {
		l := &p.labels[i]
		for t < len(p.tokens) && p.tokens[t].start < l.start {
			c.token(&p.tokens[t])
			t++
		}
		if !near.has(i) {
			l.from, l.upTo = ticks{pos: int32(l.start)}, ticks{pos: int32(l.end)}
			continue
		}
		c.jump(l.start)
		l.from = c.advance(l.start)
		l.upTo = c.advance(l.end)
	}
	for ; t < len(p.tokens); t++ {
		c.token(&p.tokens[t])
	}
}

// closeness tells of labels, asked one after the other, whether a token or a label that names a code is close.
type closeness struct {
	page        *page
	passed      int // where the last of these ends that begins before the label
	token, name int // the next of them, by its index
}

func (n *closeness) has(label int) bool {
	p := n.page
	l := &p.labels[label]
	for n.token < len(p.tokens) && p.tokens[n.token].start < l.start {
		n.passed = max(n.passed, p.tokens[n.token].end)
		n.token++
	}
	for n.name < len(p.labels) && (n.name < label || !p.labels[n.name].kinds.any(positive)) {
		if p.labels[n.name].kinds.any(positive) {
			n.passed = max(n.passed, p.labels[n.name].end)
		}
		n.name++
	}
	return n.passed > 0 && l.start-n.passed <= maxDistance ||
		n.token < len(p.tokens) && p.tokens[n.token].start-l.end <= maxDistance ||
		n.name < len(p.labels) && p.labels[n.name].start-l.end <= maxDistance
}

// jump begins to count anew before a place that is far from all that were counted.
func (c *counter) jump(to int) {
	if to-int(c.at.pos) <= maxDistance {
		return
	}
	c.at.pos, c.inWord, c.digits = int32(to), isWordBefore(c.text, to), 0
	for c.digits < 3 && isDigit(c.text[to-1-c.digits]) {
		c.digits++
	}
}

func (c *counter) token(t *token) {
	c.jump(t.start)
	t.from = c.advance(t.start)
	t.upTo = c.advance(t.end)
}

// advance goes on to a place. A place that was passed already counts as the one where the counter is: a label that
// begins inside a token.
func (c *counter) advance(to int) ticks {
	i := int(c.at.pos)
	for i < to {
		switch b := c.text[i]; {
		case b >= utf8.RuneSelf:
			i += c.rune(i)
			i = c.runes(i, to)
		case isLetter(b) || b == ' ':
			i += c.prose(i, to)
		case isDigit(b):
			c.letter()
			if c.digits++; c.digits == 3 {
				c.at.numbers++
			}
			i++
		default:
			c.digits, c.inWord = 0, false
			c.mark(i)
			i++
		}
	}
	c.at.pos = int32(i)
	return c.at
}

// prose takes the letters and spaces from i, where there is one, up to eight, and says how many these are.
func (c *counter) prose(i, to int) int {
	c.digits = 0
	if i+8 > len(c.text) {
		if c.text[i] == ' ' {
			c.inWord = false
		} else {
			c.letter()
		}
		return 1
	}
	v := load(c.text, i)
	words, before := letters(v), uint64(0)
	if c.inWord {
		before = 0x80
	}
	n := min(to-i, first((^(words|equal(v, ' '))|v)&highs))
	words &= 1<<(8*n) - 1
	c.at.words += uint16(bits.OnesCount64(words &^ (words<<8 | before)))
	c.inWord = words>>(8*n-1) != 0
	return n
}

// runes takes characters beyond ASCII that go on as the one before i did: in a word, or in a script that writes no spaces.
func (c *counter) runes(i, to int) int {
	text := c.text
	if c.inWord {
		for i+1 < to && text[i] >= utf8.RuneSelf && text[i] < 0xe0 && lowScripts[rune(text[i]&0x1f)<<6|rune(text[i+1]&0x3f)] == scriptSpaced {
			i += 2
		}
		for i+2 < to && text[i]&0xf0 == 0xe0 && scriptOfThree(text, i) == scriptSpaced {
			i += 3
		}
		return i
	}
	for i+2 < to && text[i]&0xf0 == 0xe0 && scriptOfThree(text, i) == scriptUnspaced {
		c.at.halves++
		i += 3
	}
	return i
}

// letter is a character of a word.
func (c *counter) letter() {
	if !c.inWord {
		c.inWord = true
		c.at.words++
	}
}

// rune takes the character beyond ASCII at i, and says how long it is.
func (c *counter) rune(i int) int {
	c.digits = 0
	script, n := scriptAt(c.text, i)
	switch script {
	case scriptSpaced:
		c.letter()
	case scriptUnspaced:
		c.at.halves++
		c.inWord = false
	case scriptStop:
		c.at.stops++
		c.inWord = false
	default:
		c.inWord = false
	}
	return n
}

// mark takes account of the punctuation at i.
func (c *counter) mark(i int) {
	switch c.text[i] {
	case '\n':
		c.at.newlines++
	case ':', '=':
		c.at.colons++
	case '!', '?', ';':
		c.at.stops++
	case '.':
		if i+1 == len(c.text) || c.text[i+1] == ' ' || c.text[i+1] == '\n' || isUpper(c.text[i+1]) {
			if !isAbbreviation(lastWord(c.text[:i])) {
				c.at.stops++
			}
		}
	}
}

// isAbbreviation is a word that is written with a full stop.
func isAbbreviation(w []byte) bool {
	if len(w) == 1 {
		return true
	}
	switch string(w) {
	case "approx", "Art", "art", "bzw", "ca", "Co", "Cod", "cod", "Dr", "dvs", "exp", "hr", "Inc", "Ltd", "max",
		"min", "Mr", "Mrs", "Ms", "NO", "No", "no", "Nr", "nr", "Num", "num", "Ref", "ref", "resp", "rif", "St",
		"Tel", "tel", "tzv", "vs":
		return true
	}
	return false
}
