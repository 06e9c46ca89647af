package code

import (
	"math"
	"math/bits"
	"unicode/utf8"

	"github.com/mailkin/mailkin/internal/lexicon"
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

// ticks is a place, with what the text has up to there. Its numbers stand side by side in two words: there are a great
// many places, and to keep one is to copy two words.
type ticks struct {
	way   uint64 // position, words, halves of words
	marks uint64 // line ends, stops, numbers, colons
}

// One of each, as it is added.
const (
	oneHalf  = 1
	oneWord  = 1 << 21
	oneByte  = 1 << 42
	oneColon = 1
	oneNum   = 1 << 16
	oneStop  = 1 << 32
	oneLine  = 1 << 48
)

func ticksAt(i int) ticks { return ticks{way: uint64(i) * oneByte} }

func (t ticks) pos() int { return int(t.way / oneByte) }

// until is the distance from one place to a later one.
func (a ticks) until(b ticks) distance {
	if b.pos()-a.pos() > maxDistance {
		return distance{words: maxDistance, stop: true, far: true}
	}
	way, marks := b.way-a.way, b.marks-a.marks
	return distance{
		words:  int(way%oneByte/oneWord) + int(way%oneWord)/2,
		stop:   marks%oneLine/oneStop != 0,
		number: marks%oneStop/oneNum != 0,
		colon:  marks%oneNum != 0,
		lines:  int(marks / oneLine),
	}
}

// measure is the distance of two places that were not counted.
func measure(text []byte, from, to int) distance {
	if to-from > maxDistance {
		return distance{words: maxDistance, stop: true, far: true}
	}
	c := counter{text: text, at: ticksAt(from), inWord: from > 0 && isWordBefore(text, from)}
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

// countPlaces counts up to where labels and tokens begin and end. Labels that are near nothing have their place noted,
// but are not counted up to: they are far from all that they may be compared with.
func countPlaces(p *page) {
	c := counter{text: p.text}
	t, name := 0, 0
	passed := math.MinInt32 // where the last token ends, or the last label that names a code
	for i := range p.labels {
		l := &p.labels[i]
		for ; t < len(p.tokens) && p.tokens[t].start < l.start; t++ {
			passed = max(passed, p.tokens[t].end)
			c.token(&p.tokens[t])
		}
		near := l.start-passed <= maxDistance || t < len(p.tokens) && p.tokens[t].start-l.end <= maxDistance
		if !near {
			for name < len(p.labels) && (name < i || !p.labels[name].kinds.any(positive)) {
				name++
			}
			near = name < len(p.labels) && p.labels[name].start-l.end <= maxDistance
		}
		if !near {
			l.from, l.upTo = ticksAt(l.start), ticksAt(l.end)
			continue
		}
		if l.kinds.any(positive) {
			passed = max(passed, l.end)
		}
		c.jump(l.start)
		l.from = c.advance(l.start)
		l.upTo = c.advance(l.end)
	}
	for ; t < len(p.tokens); t++ {
		c.token(&p.tokens[t])
	}
}

// jump restarts the count before a place that is far from all that were counted.
func (c *counter) jump(to int) {
	if to-c.at.pos() <= maxDistance {
		return
	}
	c.at.way = c.at.way%oneByte | ticksAt(to).way
	c.inWord, c.digits = isWordBefore(c.text, to), 0
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
	from := c.at.pos()
	i := from
	for i < to {
		switch b := c.text[i]; {
		case isHan(b):
			n := 3
			for i+n < to && isHan(c.text[i+n]) {
				n += 3
			}
			c.at.way += uint64(n/3) * oneHalf
			c.digits, c.inWord = 0, false
			i += n
		case b >= utf8.RuneSelf:
			i += c.rune(i)
			i = c.runes(i, to)
		case isLetter(b) || b == ' ':
			i += c.prose(i, to)
		case isDigit(b):
			c.letter()
			if c.digits++; c.digits == 3 {
				c.at.marks += oneNum
			}
			i++
		default:
			c.digits, c.inWord = 0, false
			c.mark(i)
			i++
		}
	}
	c.at.way += uint64(i-from) * oneByte
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
	c.at.way += uint64(bits.OnesCount64(words&^(words<<8|before))) * oneWord
	c.inWord = words>>(8*n-1) != 0
	return n
}

// runes takes characters beyond ASCII that go on as the one before i did: in words, or in a script that writes no
// spaces.
func (c *counter) runes(i, to int) int {
	text := c.text
	if c.inWord {
		return c.words(i, to)
	}
	for i+2 < to && text[i]&0xf0 == 0xe0 && lexicon.ScriptOfThree(text, i) == lexicon.Unspaced {
		c.at.way += oneHalf
		i += 3
	}
	return i
}

// words takes letters of scripts that write spaces, and the spaces between.
func (c *counter) words(i, to int) int {
	text := c.text[:to]
	n, last := uint64(0), uint8(1)
	for i+1 < len(text) {
		b := text[i]
		high := int(b >> 7)
		at := (int(b&0x1f)<<6|int(text[i+1]&0x3f))&-high | int(b)&(high-1) // without a jump that depends on the text
		this, size := letterOrSpace[at&0x7ff], 1+high
		if b >= 0xe0 {
			if b >= 0xf0 || i+2 >= len(text) || lexicon.ScriptOfThree(text, i) != lexicon.Spaced {
				break
			}
			this, size = 1, 3
		}
		if this > 1 {
			break
		}
		n += uint64(this &^ last)
		last = this
		i += size
	}
	c.at.way += n * oneWord
	c.inWord = last != 0
	return i
}

// letterOrSpace is 1 for the letters of scripts that write spaces, of one and two bytes, 0 for the space and 2 for
// others.
var letterOrSpace = func() (t [0x800]uint8) {
	for r := range t {
		switch {
		case r == ' ':
		case r < utf8.RuneSelf && isLetter(byte(r)), r >= utf8.RuneSelf && lexicon.LowScript(rune(r)) == lexicon.Spaced:
			t[r] = 1
		default:
			t[r] = 2
		}
	}
	return t
}()

// letter is a character of a word.
func (c *counter) letter() {
	if !c.inWord {
		c.inWord = true
		c.at.way += oneWord
	}
}

// rune takes the character beyond ASCII at i, and says how long it is.
func (c *counter) rune(i int) int {
	c.digits = 0
	script, n := lexicon.ScriptAt(c.text, i)
	switch script {
	case lexicon.Spaced:
		c.letter()
		return n
	case lexicon.Unspaced:
		c.at.way += oneHalf
	case lexicon.Stop:
		c.at.marks += oneStop
	}
	c.inWord = false
	return n
}

// mark takes account of the punctuation at i.
func (c *counter) mark(i int) {
	switch c.text[i] {
	case '\n':
		c.at.marks += oneLine
	case ':', '=':
		c.at.marks += oneColon
	case '!', '?', ';':
		c.at.marks += oneStop
	case '.':
		if i+1 == len(c.text) || c.text[i+1] == ' ' || c.text[i+1] == '\n' || isUpper(c.text[i+1]) {
			if !isAbbreviation(lastWord(c.text[:i])) {
				c.at.marks += oneStop
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
	case "approx", "Art", "art", "bzw", "ca", "Co", "Cod", "cod", "dn", "Dr", "dvs", "exp", "hr", "Inc", "Ltd", "max",
		"min", "Mr", "Mrs", "Ms", "NO", "No", "no", "Nr", "nr", "Num", "num", "Ref", "ref", "resp", "rif", "Rs", "St",
		"Tel", "tel", "tzv", "vs":
		return true
	}
	return false
}
