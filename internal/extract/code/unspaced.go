package code

import "github.com/mailkin/mailkin/internal/lexicon"

// charPairs finds phrases of scripts that write no spaces by their first two characters, where these have three bytes
// each: there is no word to know a place by, and something may begin at every character.
type charPairs struct {
	gate  [1 << (pairGateLog - 6)]uint64 // by a hash of the two
	slots [1 << pairLog]charPair         // by the same hash, or the next that was free
	// by the character: some phrase that begins with it has another second one, or none
	alone [1 << 10]uint64
}

// charPair is two characters, or one that is alone, and the node of the tree that they lead to; no such node is 0.
type charPair struct {
	bytes uint64
	node  uint32
}

const (
	pairGateLog = 14
	pairLog     = 11
	pairBytes   = 1<<48 - 1
	charBytes   = 1<<24 - 1
)

func hashOfPair(v uint64) uint64 { return v << 16 * 0x9E3779B97F4A7C15 }

// charAt is the number of the character of three bytes that v begins with.
func charAt(v uint64) uint64 { return v&0xf<<12 | v>>2&0xfc0 | v>>16&0x3f }

// startsPair says whether v begins with two characters of three bytes.
func startsPair(v uint64) bool { return v&0xf00000f0 == 0xe00000e0 }

// add takes what a phrase of the tree begins with.
func (c *charPairs) add(text string, t *lexicon.Automaton) {
	if text[0]&0xf0 != 0xe0 {
		return
	}
	v := uint64(0)
	for i := range min(8, len(text)) {
		v |= uint64(text[i]) << (8 * i)
	}
	if !startsPair(v) {
		at := charAt(v)
		c.alone[at>>6] |= 1 << (at & 63)
		c.put(v&charBytes, t.Node(text[:3]))
		return
	}
	at := hashOfPair(v) >> (64 - pairGateLog)
	c.gate[at>>6] |= 1 << (at & 63)
	c.put(v&pairBytes, t.Node(text[:6]))
}

func (c *charPairs) put(bytes uint64, node uint32) {
	slot := hashOfPair(bytes) >> (64 - pairLog)
	for c.slots[slot].node != 0 && c.slots[slot].bytes != bytes {
		slot = (slot + 1) % uint64(len(c.slots))
	}
	c.slots[slot] = charPair{bytes, node}
}

// node is the node that some bytes lead to.
func (c *charPairs) node(bytes uint64) uint32 {
	slot := hashOfPair(bytes) >> (64 - pairLog)
	for c.slots[slot].bytes != bytes && c.slots[slot].node != 0 {
		slot = (slot + 1) % uint64(len(c.slots))
	}
	return c.slots[slot].node
}

// skip goes on from i over characters of scripts that write no spaces to where a phrase may begin. It returns the node
// of the first bytes there, and how many these are; 0 if something else is there.
func (c *charPairs) skip(text []byte, i, to int) (at int, node uint32, size int) {
	for to = min(to, len(text)-7); i < to && isUnspacedAt(text, i); i += 3 {
		v := load(text, i)
		if at := charAt(v); c.alone[at>>6]>>(at&63)&1 != 0 {
			return i, c.node(v & charBytes), 3
		}
		if at := hashOfPair(v) >> (64 - pairGateLog); c.gate[at>>6]>>(at&63)&1 == 0 {
			continue
		}
		if node := c.node(v & pairBytes); node != 0 {
			return i, node, 6
		}
	}
	return i, 0, 0
}

// nextUnspaced goes on from i in the same way to the next phrase, and returns its length and what it says; 0 if there
// is none.
func (ph *phrases) nextUnspaced(text []byte, i, to int) (at, n int, ks kinds) {
	for {
		at, node, size := ph.unspaced.skip(text, i, to)
		if node == 0 {
			return at, 0, 0
		}
		if n, ks = longestFrom(ph.Inside, node, text[at:], size); n > 0 && (at == 0 || text[at-1] != '_') {
			return at, n, ks
		}
		i = at + 3
	}
}

// isUnspacedAt says whether a character of three bytes of a script that writes no spaces is at i. It does not know all
// of them.
func isUnspacedAt(text []byte, i int) bool {
	return text[i]&0xf0 == 0xe0 && i+2 < len(text) && lexicon.ScriptOfThree(text, i) == lexicon.Unspaced
}

// isHan says whether the byte begins a character of the large blocks of Han, which have three bytes each.
func isHan(c byte) bool { return c >= 0xe4 && c <= 0xe9 }
