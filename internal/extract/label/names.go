package label

import "unicode/utf8"

// names is a set of the names of header fields, of which most that the rules ask for are in no mail. It may take a name
// for one that is there, never the other way.
type names [4]uint64

func (n *names) add(name string) {
	for i := range len(name) {
		if name[i] >= utf8.RuneSelf { // some such are equal to letters
			*n = names{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}
			return
		}
	}
	slot := nameSlot(name)
	n[slot/64] |= 1 << (slot % 64)
}

func (n *names) mayHave(name string) bool {
	slot := nameSlot(name)
	return n[slot/64]&(1<<(slot%64)) != 0
}

// meets tells whether a name of the other may be in it.
func (n *names) meets(other *names) bool {
	return n[0]&other[0]|n[1]&other[1]|n[2]&other[2]|n[3]&other[3] != 0
}

// fields are some that a rule asks for together.
type fields struct {
	list []string
	names
}

func fieldsOf(list ...string) *fields {
	f := &fields{list: list}
	for _, name := range list {
		f.add(name)
	}
	return f
}

// nameSlot is a place for a name, whatever the case of its letters.
func nameSlot(name string) uint8 {
	size := len(name)
	if size == 0 {
		return 0
	}
	h := uint32(size) | uint32(name[size/2]|0x20)<<8 | uint32(name[size-1]|0x20)<<16 | uint32(name[size*3/4]|0x20)<<24
	return uint8(h * 0x9E3779B1 >> 24)
}
