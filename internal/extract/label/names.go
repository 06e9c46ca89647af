package label

import "unicode/utf8"

// names is a set of the names of header fields, of which most that the rules ask for are in no mail. It may take a name for
// one that is there, never the other way.
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

// nameSlot is a place for a name, whatever the case of its letters.
func nameSlot(name string) uint8 {
	size := len(name)
	if size == 0 {
		return 0
	}
	h := uint32(size) | uint32(name[size/2]|0x20)<<8 | uint32(name[size-1]|0x20)<<16 | uint32(name[size*3/4]|0x20)<<24
	return uint8(h * 0x9E3779B1 >> 24)
}
