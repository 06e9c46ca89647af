package segment

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math/bits"
	"slices"
)

// termTable numbers the terms of a builder: a hash table with open addressing, the text of all terms in one piece. A
// reset costs nothing, so that one builder serves a thousand small mailboxes; a map would be cleared at the size of the
// largest. A term of up to eight bytes, as most are, is compared as a number, without a look at its text.
type termTable struct {
	seed  maphash.Seed // senders choose the words, so the hash is not theirs to know
	mix   [2]uint64    // the same for short terms
	slots []termSlot
	age   uint32 // 24 bits: slots of another age are empty
	text  []byte
	ends  []uint32 // of each term in text
	keys  []uint64 // the first bytes of each term
}

// termSlot is a term: its first bytes, its number, and in tag the age above a byte that is the length of a term that
// the key is all of, and otherwise a part of its hash.
type termSlot struct {
	key     uint64
	tag, id uint32
}

const (
	firstSlots = 1 << 10
	keyBytes   = 8
)

func newTermTable() termTable {
	seed := maphash.MakeSeed()
	return termTable{seed: seed, mix: [2]uint64{maphash.Bytes(seed, []byte{0}), maphash.Bytes(seed, []byte{1})},
		slots: make([]termSlot, firstSlots), age: 1}
}

func (t *termTable) reset() {
	t.text, t.ends, t.keys = t.text[:0], t.ends[:0], t.keys[:0]
	if t.age++; t.age == 1<<24 {
		clear(t.slots)
		t.age = 1
	}
}

func (t *termTable) name(id uint32) []byte {
	from := uint32(0)
	if id > 0 {
		from = t.ends[id-1]
	}
	return t.text[from:t.ends[id]]
}

// hash returns where the search for a term begins, and what its slot is known by.
func (t *termTable) hash(term string, key uint64) (hash uint64, check uint32) {
	if len(term) <= keyBytes {
		high, low := bits.Mul64(key^t.mix[0], t.mix[1]|1)
		return high ^ low, uint32(len(term))
	}
	hash = maphash.String(t.seed, term)
	return hash, uint32(hash>>57) | 0x80
}

// id returns the number of a term, the next one if it is new.
func (t *termTable) id(term string) uint32 {
	key := stringKey(term)
	hash, check := t.hash(term, key)
	last := len(t.slots) - 1
	i := int(hash) & last
	tag := t.age<<8 | check
	for ; t.slots[i].tag>>8 == t.age; i = (i + 1) & last {
		s := &t.slots[i]
		if s.key == key && s.tag == tag && (len(term) <= keyBytes || string(t.name(s.id)) == term) {
			return s.id
		}
	}
	id := uint32(len(t.ends))
	t.text = append(t.text, term...)
	t.ends = append(t.ends, uint32(len(t.text)))
	t.keys = append(t.keys, key)
	t.slots[i] = termSlot{key, tag, id}
	if 2*len(t.ends) > len(t.slots) {
		t.grow()
	}
	return id
}

func (t *termTable) grow() {
	old := t.slots
	t.slots = make([]termSlot, 2*len(old))
	last := len(t.slots) - 1
	for _, s := range old {
		if s.tag>>8 != t.age {
			continue
		}
		hash, _ := t.hash(string(t.name(s.id)), s.key)
		i := int(hash) & last
		for t.slots[i].tag>>8 == t.age {
			i = (i + 1) & last
		}
		t.slots[i] = s
	}
}

// termKey is the first bytes of a term as a number that orders like them.
func termKey(term []byte) uint64 {
	if len(term) >= keyBytes {
		return binary.BigEndian.Uint64(term)
	}
	var key uint64
	for i, c := range term {
		key |= uint64(c) << (56 - 8*i)
	}
	return key
}

func stringKey(s string) uint64 {
	n := len(s)
	switch {
	case n >= 8:
		return uint64(s[0])<<56 | uint64(s[1])<<48 | uint64(s[2])<<40 | uint64(s[3])<<32 |
			uint64(s[4])<<24 | uint64(s[5])<<16 | uint64(s[6])<<8 | uint64(s[7])
	case n >= 4: // two words that overlap
		first := uint64(s[0])<<24 | uint64(s[1])<<16 | uint64(s[2])<<8 | uint64(s[3])
		last := uint64(s[n-4])<<24 | uint64(s[n-3])<<16 | uint64(s[n-2])<<8 | uint64(s[n-1])
		return first<<32 | last<<(64-8*n)
	}
	var key uint64
	for i := range n {
		key |= uint64(s[i]) << (56 - 8*i)
	}
	return key
}

// order returns the numbers of all terms in the order of the terms. It sorts numbers: the first bytes of each term
// above its number, and looks at whole terms only where those bytes are the same.
func (t *termTable) order(dst, spare []uint64) (sorted, room []uint64) {
	n := len(t.ends)
	width := bits.Len(uint(n))
	dst = slices.Grow(dst[:0], n)[:n]
	for id, key := range t.keys {
		dst[id] = key>>width<<width | uint64(id)
	}
	dst, spare = sortTerms(dst, spare)
	mask := uint64(1)<<width - 1
	for from := 0; from < n; {
		to := from + 1
		for to < n && dst[to]>>width == dst[from]>>width {
			to++
		}
		if to-from > 1 {
			slices.SortFunc(dst[from:to], func(x, y uint64) int {
				return bytes.Compare(t.name(uint32(x&mask)), t.name(uint32(y&mask)))
			})
		}
		from = to
	}
	for i := range dst {
		dst[i] &= mask
	}
	return dst, spare
}

const (
	rankBits = 6
	// fewTerms are sorted as they are: dealing them out would take longer.
	fewTerms = 64
)

// ranks maps every byte to one of 64 ranks that order like the bytes: letters and digits of ASCII, which terms are made
// of, have one each.
var ranks = func() (of [256]uint16) {
	for c := range of {
		switch {
		case c < '0':
			of[c] = 0
		case c <= '9':
			of[c] = uint16(c-'0') + 1
		case c < 'a':
			of[c] = 11
		case c <= 'z':
			of[c] = uint16(c-'a') + 12
		case c < 0x80:
			of[c] = 38
		default:
			of[c] = uint16(c-0x80)>>3 + 39
		}
	}
	return of
}()

// heap is where a key is dealt to. The second byte counts only after a first one that has its rank for itself: after
// one that shares it, as the first bytes of Cyrillic letters do, it does not say which key is lower.
func heap(key uint64) uint16 {
	first := key >> 56
	if first >= '0' && first <= '9' || first >= 'a' && first <= 'z' {
		return ranks[first]<<rankBits | ranks[key>>48&0xff]
	}
	return ranks[first] << rankBits
}

// sortTerms sorts keys of terms: dealt out by their first two bytes, then each heap by itself. It returns the sorted
// keys and the room for the next time.
func sortTerms(keys, spare []uint64) (sorted, room []uint64) {
	if len(keys) <= fewTerms {
		slices.Sort(keys)
		return keys, spare
	}
	var ends [1 << (2 * rankBits)]uint32
	for _, k := range keys {
		ends[heap(k)]++
	}
	sum := uint32(0)
	for i, n := range ends {
		ends[i] = sum
		sum += n
	}
	spare = slices.Grow(spare[:0], len(keys))[:len(keys)]
	for _, k := range keys {
		at := &ends[heap(k)]
		spare[*at] = k
		*at++
	}
	from := uint32(0)
	for _, to := range ends {
		if to-from > 1 {
			slices.Sort(spare[from:to])
		}
		from = to
	}
	return spare, keys
}
