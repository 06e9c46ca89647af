package segment

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"math/bits"
	"slices"
)

// termTable numbers the terms of a builder: a hash table with open addressing, the text of all terms in one piece. A reset
// costs nothing, so that one builder serves a thousand small mailboxes; a map would be cleared at the size of the largest.
type termTable struct {
	seed  maphash.Seed // senders choose the words, so the hash is not theirs to know
	slots []termSlot
	age   uint32 // slots of another age are empty
	text  []byte
	ends  []uint32 // of each term in text
}

type termSlot struct{ age, hash, id uint32 }

const firstSlots = 1 << 10

func newTermTable() termTable {
	return termTable{seed: maphash.MakeSeed(), slots: make([]termSlot, firstSlots), age: 1}
}

func (t *termTable) reset() {
	t.text, t.ends = t.text[:0], t.ends[:0]
	if t.age++; t.age == 0 {
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

// id gives the number of a term, the next one if it is new.
func (t *termTable) id(term string) uint32 {
	hash := uint32(maphash.String(t.seed, term))
	i := t.find(term, hash)
	if s := t.slots[i]; s.age == t.age {
		return s.id
	}
	id := uint32(len(t.ends))
	t.text = append(t.text, term...)
	t.ends = append(t.ends, uint32(len(t.text)))
	t.slots[i] = termSlot{t.age, hash, id}
	if 2*len(t.ends) > len(t.slots) {
		t.grow()
	}
	return id
}

// find gives the slot of a term, or the empty one where it belongs.
func (t *termTable) find(term string, hash uint32) int {
	last := len(t.slots) - 1
	for i := int(hash) & last; ; i = (i + 1) & last {
		s := t.slots[i]
		if s.age != t.age || s.hash == hash && string(t.name(s.id)) == term {
			return i
		}
	}
}

func (t *termTable) grow() {
	old := t.slots
	t.slots = make([]termSlot, 2*len(old))
	last := len(t.slots) - 1
	for _, s := range old {
		if s.age != t.age {
			continue
		}
		i := int(s.hash) & last
		for t.slots[i].age == t.age {
			i = (i + 1) & last
		}
		t.slots[i] = s
	}
}

func termKey(term []byte) uint64 {
	if len(term) >= 8 {
		return binary.BigEndian.Uint64(term)
	}
	var key uint64
	for i, c := range term {
		key |= uint64(c) << (56 - 8*i)
	}
	return key
}

// order gives the numbers of all terms in the order of the terms. It sorts numbers: the first bytes of each term above its
// number, and looks at whole terms only where those bytes are the same.
func (t *termTable) order(dst []uint64) []uint64 {
	n := len(t.ends)
	width := bits.Len(uint(n))
	dst = slices.Grow(dst[:0], n)[:n]
	for id := range dst {
		dst[id] = termKey(t.name(uint32(id)))>>width<<width | uint64(id)
	}
	slices.Sort(dst)
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
	return dst
}
