package code

import "unicode/utf8"

// highGate is the gate where there is no ASCII. A place is known by its first four, six and eight bytes: phrases are
// hashed by as many of these as come before their first ASCII byte, into a set that the first four say.
type highGate struct {
	sets  [1 << highLog]uint64
	short [1 << (shortLog - 6)]uint64 // the first characters of phrases that have less than four bytes there
}

const (
	highLog  = 10
	shortLog = 12
)

func (g *highGate) add(text string) {
	key, n := uint64(0), 0
	for ; n < 8 && n < len(text) && text[n] >= utf8.RuneSelf; n++ {
		key |= uint64(text[n]) << (8 * n)
	}
	at, four, six, eight := setOfHigh(key)
	switch {
	case n == 8:
		g.sets[at] |= eight
	case n >= 6:
		g.sets[at] |= six
	case n >= 4:
		g.sets[at] |= four
	default:
		h := hashOfShort(key)
		g.short[h>>6] |= 1 << (h & 63)
	}
}

// opens says whether a phrase may begin at i.
func (g *highGate) opens(text []byte, i int) bool {
	if i+8 > len(text) {
		return true
	}
	v := load(text, i)
	at, four, six, eight := setOfHigh(v)
	lacks := ^g.sets[at]
	if lacks&four == 0 || lacks&six == 0 || lacks&eight == 0 {
		return true
	}
	h := hashOfShort(v)
	return g.short[h>>6]>>(h&63)&1 != 0
}

// setOfHigh is the set of a place that begins with the bytes of v, and its bits there by four, six and eight of them.
func setOfHigh(v uint64) (at, four, six, eight uint64) {
	h := v & 0xffffffff * 0x9E3779B97F4A7C15
	return h >> (64 - highLog), twoBits(h << highLog), twoBits(v << 16 * 0xD6E8FEB86659FD93),
		twoBits(v * 0xA0761D6478BD642F)
}

// hashOfShort is the place of the character that v begins with, by its first two or three bytes.
func hashOfShort(v uint64) uint64 {
	if v&0x20 == 0 {
		v <<= 8
	}
	return v << 40 >> 40 * 0x9E3779B97F4A7C15 >> (64 - shortLog)
}
