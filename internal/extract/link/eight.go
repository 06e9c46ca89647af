package link

import "math/bits"

// plainRun is the end of a run of visible ASCII characters with no more than one space between them, which goes on at n
// behind one of them. It goes eight bytes at a time as long as it can.
func plainRun(s string, n int) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080 // a byte is marked by its high bit
	spaced := uint64(0)                                        // the byte before is a space
	for n+8 <= len(s) {
		b := s[n : n+8]
		v := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
			uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
		visible := v + (0x80-' ')*ones
		spaces := ^(v ^ ' '*ones + 0x7f*ones) & highs
		wrong := (v | ^visible | spaces&(spaces<<8|spaced)) & highs
		if wrong != 0 {
			n += bits.TrailingZeros64(wrong) / 8
			break
		}
		spaced = spaces >> 56
		n += 8
	}
	if s[n-1] == ' ' {
		n--
	}
	for n < len(s) && s[n]-'!' <= 0x7f-'!' || n+1 < len(s) && s[n] == ' ' && s[n+1]-'!' <= 0x7f-'!' {
		n++
	}
	return n
}
