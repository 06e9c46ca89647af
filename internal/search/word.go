package search

import (
	"strings"
	"unicode/utf8"
)

type wordKind uint8

const (
	noWord wordKind = iota
	ofLetters
	ofCluster
)

// word is a text that is being put together. It holds no more than a token may have, however much is added.
type word struct {
	kind       wordKind
	start, end int
	size       int // of all that was added
	digest     uint64
	digits     bool // nothing but digits
	same       bool // as it stands in the source
	buf        [MaxText]byte
}

// FNV-1a, 64 bits. The digest tells cut words apart; it keeps no secret.
const (
	digestStart = 0xcbf29ce484222325
	digestPrime = 0x100000001b3
)

func (w *word) reset() { w.kind, w.size, w.digest = noWord, 0, digestStart }

func (w *word) add(k wordKind, f folded, start, end int, from rune) {
	if w.kind == noWord {
		w.reset()
		w.kind, w.start, w.end, w.digits, w.same = k, start, start, true, true
	}
	w.same = w.same && f.r == from && f.second == 0 && w.end == start
	w.digits = w.digits && f.class == digit
	w.end = end
	if f.r < utf8.RuneSelf {
		w.addByte(byte(f.r))
	} else {
		var enc [utf8.UTFMax]byte
		for _, c := range enc[:utf8.EncodeRune(enc[:], f.r)] {
			w.addByte(c)
		}
	}
	if f.second != 0 {
		w.addByte(f.second)
	}
}

func (w *word) addByte(c byte) {
	if w.size < MaxText {
		w.buf[w.size] = c
	}
	w.size++
	w.digest = (w.digest ^ uint64(c)) * digestPrime
}

func (w *word) addText(text string) {
	for i := range len(text) {
		w.addByte(text[i])
	}
}

// text is what a token says of the word.
func (w *word) text(s *scanner) string {
	if w.same && w.size <= MaxText {
		return s.src[w.start:w.end]
	}
	return w.copied(s)
}

func (w *word) copied(s *scanner) string {
	if w.size > MaxText {
		w.cut()
	}
	return s.arena.copy(w.buf[:w.size], len(s.src))
}

// cut leaves the beginning and puts the digest after it.
func (w *word) cut() {
	const hex = "0123456789abcdef"
	n := MaxText - 16
	for !utf8.RuneStart(w.buf[n]) {
		n--
	}
	for i := range 16 {
		w.buf[n+i] = hex[w.digest>>(60-4*i)&15]
	}
	w.size = n + 16
}

// arena is where folded text is put. A token's text is a part of it, so it is never written twice: it grows by new
// memory, and what is in use of the old stays.
type arena struct{ b strings.Builder }

const arenaMost = 32 << 10

// reserve makes room for n bytes; source is how long the text is that they are from.
func (a *arena) reserve(n, source int) {
	if a.b.Cap()-a.b.Len() >= n {
		return
	}
	size := min(max(2*a.b.Cap(), source/4, 128), arenaMost)
	a.b = strings.Builder{}
	a.b.Grow(max(size, n))
}

func (a *arena) copy(text []byte, source int) string {
	a.reserve(len(text), source)
	at := a.b.Len()
	a.b.Write(text)
	return a.b.String()[at:]
}

func (a *arena) lower(text string, source int) string {
	a.reserve(len(text), source)
	at := a.b.Len()
	for i := range len(text) {
		a.b.WriteByte(plain[text[i]])
	}
	return a.b.String()[at:]
}
