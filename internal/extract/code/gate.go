package code

import (
	"slices"
	"unicode/utf8"

	"github.com/mailkin/mailkin/internal/lexicon"
)

// gate tells at a glance that no phrase begins at a place of the text. It may be wrong only the other way.
//
// A place is known by the letters that it begins with, up to eight, and by what the next word begins with: most words
// that phrases begin with are everywhere (in case, this number). Those of phrases are hashed into sets that are small
// enough to stay near the processor, which the phrases themselves are not. The first four letters say which set; in it
// are, by two bits each, whole words or eight letters, such with the first letter of the next word, and stems, which
// may go on.
type gate struct {
	sets   [1 << gateLog]uint64
	within [256]inside
	marks  [256]bool    // what is no letter or digit, and some phrases begin with it
	pairs  [4]pair      // what phrases begin with that may begin inside a word
	others [32][]prefix // what those phrases begin with that have a mark or a pair, by the low bits of the first byte
	high   highGate
	follow [0x800]bool // the characters of two bytes that go on with a word, and no phrase begins with them inside one
}

const gateLog = 11

// pair is two bytes, the first eight times and the second seven times. Of the first, some bits may be anything.
type pair struct{ a, free, b uint64 }

// prefix is up to four bytes that a phrase begins with. In the mask are those that it has.
type prefix struct{ bytes, mask uint32 }

// inside is what a byte does inside a word.
type inside uint8

const (
	leavesWord inside = iota
	goesOn
	goesOnHigh // perhaps: it begins a character of two bytes, see follow
	goesOnWide // perhaps: it begins one of three bytes
	mayBegin   // it is a letter or digit, and some phrases that may begin inside a word begin with it
)

// newGate lets the phrases through.
func newGate(phrases []lexicon.Phrase, within *lexicon.Pairs) *gate {
	g := new(gate)
	for i := range phrases {
		g.add(&phrases[i])
	}
	for c := range g.within {
		switch b := byte(c); {
		case isAlnum(b) && within.Begins(b):
			g.within[c] = mayBegin
		case isAlnum(b):
			g.within[c] = goesOn
		case b >= 0xc2 && b < 0xe0:
			g.within[c] = goesOnHigh
		case b >= 0xe0 && b < 0xf0:
			g.within[c] = goesOnWide
		}
	}
	for r := range g.follow {
		g.follow[r] = lexicon.LowScript(rune(r)) == lexicon.Spaced && within.Node(0xc0|byte(r>>6),
			0x80|byte(r&0x3f)) == 0
	}
	return g
}

func (g *gate) add(e *lexicon.Phrase) {
	c := e.Text[0]
	switch {
	case c >= utf8.RuneSelf:
		g.high.add(e.Text)
		return
	case !isAlnum(c):
		g.addPrefix(e.Text)
		g.marks[c] = true
		return
	case e.Anywhere:
		g.addPrefix(e.Text)
		g.addPair(uint64(c)*ones, uint64(e.Text[1]|0x20)*ones>>8)
	}
	n := 1
	for n < len(e.Text) && n < 8 && isLetter(e.Text[n]) {
		n++
	}
	key := uint64(0)
	for i := range n {
		key |= uint64(e.Text[i]) << (8 * i)
	}
	switch {
	case e.Open && n == len(e.Text) && n < 8:
		g.stem(key, n)
	case n+1 < len(e.Text) && n < 8 && e.Text[n+1] != ' ': // in the text that may be a line end
		at, _ := setOfWord(key)
		g.sets[at] |= bitsOfWord(key, e.Text[n+1]|0x20)
	default:
		at, _ := setOfWord(key)
		g.sets[at] |= bitsOfWord(key, 0)
	}
}

// addPair puts those with the same second byte together: it is enough if few others look the same.
func (g *gate) addPair(a, b uint64) {
	for i := range g.pairs {
		switch p := &g.pairs[i]; p.b {
		case b:
			p.free |= p.a ^ a
			p.a |= p.free
			return
		case 0:
			*p = pair{a: a, b: b}
			return
		}
	}
	panic("phrases begin inside words with more pairs of bytes than gate.pairs has room for")
}

// addPrefix takes what a phrase begins with, up to a space.
func (g *gate) addPrefix(text string) {
	var p prefix
	for i := 0; i < min(4, len(text)) && text[i] != ' '; i++ {
		p.bytes |= uint32(text[i]|0x20) << (8 * i)
		p.mask |= 0xff << (8 * i)
	}
	if of := &g.others[p.bytes&31]; !slices.Contains(*of, p) {
		*of = append(*of, p)
	}
}

// stem lets all words through that begin with the n letters of key.
func (g *gate) stem(key uint64, n int) {
	at, stem := setOfWord(key)
	g.sets[at] |= stem
	for c := 'a'; n < 4 && c <= 'z'; c++ {
		g.stem(key|uint64(c)<<(8*n), n+1)
	}
}

// setOfWord is the set that a word is in, and its bits there as a stem.
func setOfWord(key uint64) (at, stem uint64) {
	h := key & 0xffffffff * 0x9E3779B97F4A7C15
	return h >> (64 - gateLog), twoBits(h << gateLog)
}

// bitsOfWord are the bits of a word before another that begins with next; 0 if that does not matter.
func bitsOfWord(key uint64, next byte) uint64 {
	return twoBits((key + uint64(next)) * 0xD6E8FEB86659FD93)
}

func twoBits(h uint64) uint64 { return 1<<(h>>58) | 1<<(h>>52&63) }

// opens says whether a phrase may begin at i, where there is ASCII.
func (g *gate) opens(text []byte, i int) bool {
	switch {
	case i+9 > len(text):
		return isAlnum(text[i]) || g.marks[text[i]]
	case isAlnum(text[i]):
		v := load(text, i)
		return g.opensWord(text, i, v|0x20*ones, (^letters(v)|v)&highs)
	}
	return g.marks[text[i]] && g.opensOther(text, i)
}

// opensWord says whether a phrase may begin with the letter or digit at i. At least nine bytes are there; of the first
// eight it is given the small letters, and marks where there are no letters.
func (g *gate) opensWord(text []byte, i int, low, ends uint64) bool {
	ends &^= 0x80
	key := low & (ends&-ends>>7 - 1)
	at, stem := setOfWord(key)
	lacks := ^g.sets[at]
	if lacks&bitsOfWord(key, 0) == 0 || lacks&stem == 0 {
		return true
	}
	return ends != 0 && lacks&bitsOfWord(key, text[i+first(ends)+1]|0x20) == 0
}

// opensOther says whether a phrase may begin at i that begins with a mark, or inside a word. At least eight bytes are
// there.
func (g *gate) opensOther(text []byte, i int) bool {
	low := uint32(load(text, i)) | 0x20202020
	for _, p := range g.others[low&31] {
		if low&p.mask == p.bytes {
			return true
		}
	}
	return false
}

// skipRoom is how much text must follow a place that is looked at by skip.
const skipRoom = 16

// skip goes on from i, a word or eight bytes of one at a time, to where a phrase may begin or too little text follows.
// It says whether a word goes up to there, given whether one goes up to i.
func (g *gate) skip(text []byte, i int, inWord bool) (int, bool) {
	for i+skipRoom <= len(text) {
		if c := text[i]; !isAlnum(c) {
			if c >= utf8.RuneSelf || g.marks[c] && g.opensOther(text, i) {
				return i, inWord
			}
			i, inWord = i+1, false
			continue
		}
		v := load(text, i)
		low := v | 0x20*ones
		others := (^letters(v) | v) & highs
		ends := others &^ (digits(v) &^ v)
		if !inWord && g.opensWord(text, i, low, others) {
			return i, false
		}
		within := g.insides(low) & (ends&-ends - 1)
		if !inWord {
			within &^= 0x80
		}
		for ; within != 0; within &= within - 1 {
			if at := i + first(within); g.opensOther(text, at) {
				return at, true
			}
		}
		i, inWord = i+first(ends), true
		if c := text[i]; ends != 0 && c < utf8.RuneSelf && !g.marks[c] {
			i, inWord = i+1, false
		}
	}
	return i, inWord
}

// insides marks where a phrase may begin inside a word. Of the last byte it does not see what follows.
func (g *gate) insides(low uint64) uint64 {
	next := low >> 8
	a, b, c, d := &g.pairs[0], &g.pairs[1], &g.pairs[2], &g.pairs[3]
	none := ((low | a.free) ^ a.a | next ^ a.b) + 0x7f*ones
	none &= ((low | b.free) ^ b.a | next ^ b.b) + 0x7f*ones
	none &= ((low | c.free) ^ c.a | next ^ c.b) + 0x7f*ones
	none &= ((low | d.free) ^ d.a | next ^ d.b) + 0x7f*ones
	return ^none & highs
}
