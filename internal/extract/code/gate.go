package code

import (
	"slices"
	"unicode/utf8"
)

// gate tells at a glance that no phrase begins at a place of the text where there is a letter or digit. It may be wrong only
// the other way.
//
// A place is known by the letters that it begins with, up to eight. Those of phrases are hashed into sets that are small
// enough to stay near the processor, which the phrases themselves are not: words has those that are whole words or have at
// least eight letters, stems the first four letters of those that are shorter and may go on.
type gate struct {
	words, stems [gateBits / 64]uint64
	within       [256]inside
	marks        []byte // what is no letter or digit, and some phrases begin with it
	pairs        []pair // what phrases begin with that may begin inside a word
}

const (
	gateLog  = 16
	gateBits = 1 << gateLog
)

// pair is two bytes, each eight times.
type pair struct{ a, b uint64 }

// inside is what a byte does inside a word.
type inside uint8

const (
	leavesWord inside = iota
	goesOn
	goesOnHigh // perhaps: it begins a character of two bytes
	mayBegin   // it is a letter or digit, and some phrases that may begin inside a word begin with it
)

// newGate lets the phrases through that begin with ASCII.
func newGate(phrases []entry, within *trie) *gate {
	g := new(gate)
	for i := range phrases {
		g.add(&phrases[i])
	}
	for c := range g.within {
		switch b := byte(c); {
		case isAlnum(b) && within.root[b] != 0:
			g.within[c] = mayBegin
		case isAlnum(b):
			g.within[c] = goesOn
		case b >= 0xc2 && b < 0xe0 && within.root[b] == 0:
			g.within[c] = goesOnHigh
		}
	}
	return g
}

func (g *gate) add(e *entry) {
	c := e.text[0]
	switch {
	case c >= utf8.RuneSelf:
		return
	case !isAlnum(c):
		if !slices.Contains(g.marks, c) {
			g.marks = append(g.marks, c)
		}
		return
	case e.anywhere:
		if p := (pair{uint64(c) * ones, uint64(e.text[1]|0x20) * ones}); !slices.Contains(g.pairs, p) {
			g.pairs = append(g.pairs, p)
		}
	}
	n := 1
	for n < len(e.text) && n < 8 && isLetter(e.text[n]) {
		n++
	}
	key := uint64(0)
	for i := range n {
		key |= uint64(e.text[i]) << (8 * i)
	}
	if !e.open || n < len(e.text) || n == 8 {
		put(&g.words, key)
		return
	}
	g.stem(key, n)
}

// stem lets all words through that begin with the n letters of key.
func (g *gate) stem(key uint64, n int) {
	put(&g.stems, key&0xffffffff)
	for c := 'a'; n < 4 && c <= 'z'; c++ {
		g.stem(key|uint64(c)<<(8*n), n+1)
	}
}

func put(set *[gateBits / 64]uint64, key uint64) {
	h := hashLetters(key)
	set[h/64] |= 1 << (h % 64)
}

func has(set *[gateBits / 64]uint64, key uint64) bool {
	h := hashLetters(key)
	return set[h/64]&(1<<(h%64)) != 0
}

func hashLetters(key uint64) uint64 { return key * 0x9E3779B97F4A7C15 >> (64 - gateLog) }

// opens says whether a phrase may begin at i, where there is ASCII.
func (g *gate) opens(text []byte, i int) bool {
	if !isAlnum(text[i]) {
		return slices.Contains(g.marks, text[i])
	}
	if i+8 > len(text) {
		return true
	}
	v := load(text, i)
	low := v | 0x20*ones
	others := (^atLeast(low, 'a') | atLeast(low, '{') | v) & highs &^ 0x80 // the first is a letter or digit
	key := low & (others&-others>>7 - 1)
	return has(&g.words, key) || has(&g.stems, key&0xffffffff)
}

// skip goes on from i, eight bytes at a time, to where a phrase may begin. It says whether a word goes up to there, given
// whether one goes up to i.
func (g *gate) skip(text []byte, i int, inWord bool) (int, bool) {
	word := uint64(0) // marks the byte before the eight, if it is of a word
	if inWord {
		word = 0x80
	}
	for ; i+16 <= len(text); i += 8 {
		v := load(text, i)
		low := v | 0x20*ones
		alnum := atLeast(low, 'a')&^atLeast(low, '{') | atLeast(v, '0')&^atLeast(v, ':')
		starts := alnum &^ (alnum<<8 | word)
		places := v&highs | g.insides(low)
		for _, c := range g.marks {
			places |= equal(v, c)
		}
		for all := places | starts; all != 0; all &= all - 1 {
			n := first(all)
			if one := all & -all; places&one != 0 || g.opens(text, i+n) {
				return i + n, (alnum<<8|word)&one != 0
			}
		}
		word = alnum >> 56
	}
	return i, word != 0
}

// insides marks where a phrase may begin inside a word. Of the last byte it does not see what follows.
func (g *gate) insides(low uint64) uint64 {
	const most = 0x7f * ones
	none := uint64(highs)
	for i := range g.pairs {
		p := &g.pairs[i]
		none &= (low ^ p.a + most) | (low^p.b+most)>>8
	}
	return ^none & highs
}
