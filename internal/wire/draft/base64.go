package draft

import "encoding/binary"

// What a byte is in base64, where it is none of the 64 characters. All have one of the two top bits.
const (
	ignored = 0x40
	padding = 0x80
	foreign = 0xC0
)

// sextets is the value of each byte in base64. The standard and the URL alphabet differ in two characters that the
// other does not have, so both are read at once (RFC 4648 4 and 5).
var sextets = func() (table [256]byte) {
	for i := range table {
		table[i] = foreign
	}
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	for i := range len(alphabet) {
		table[alphabet[i]] = byte(i)
	}
	table['-'], table['_'] = 62, 63
	table[' '] = ignored
	table['='] = padding
	return table
}()

// decoder decodes base64 that comes in pieces, with padding or without.
type decoder struct {
	bits    uint32 // of an unfinished group
	chars   int    // how many characters it has
	padding int    // how many padding characters came; nothing else may follow
}

// decode appends what src stands for to dst, which must have room for it and for decodeSlack more bytes. It ends before
// the first byte that is not base64 or is where it cannot be, and says how many it took.
func (d *decoder) decode(dst, src []byte) ([]byte, int) {
	i := 0
	for {
		if d.chars == 0 && d.padding == 0 {
			var n int
			dst, n = decodeGroups(dst, src[i:])
			i += n
		}
		if i == len(src) {
			return dst, i
		}
		var ok bool
		if dst, ok = d.one(dst, src[i]); !ok {
			return dst, i
		}
		i++
	}
}

// decodeSlack is how much decodeGroups writes beyond its result.
const decodeSlack = 2

// decodeGroups decodes eight characters to six bytes for as long as there are eight of the alphabet.
func decodeGroups(dst, src []byte) ([]byte, int) {
	n, out := 0, dst[len(dst):cap(dst)]
	written := 0
	for len(src)-n >= 8 && len(out)-written >= 8 {
		s := src[n : n+8 : n+8]
		a, b, c, d := sextets[s[0]], sextets[s[1]], sextets[s[2]], sextets[s[3]]
		e, f, g, h := sextets[s[4]], sextets[s[5]], sextets[s[6]], sextets[s[7]]
		if (a|b|c|d|e|f|g|h)&foreign != 0 {
			break
		}
		binary.BigEndian.PutUint64(out[written:], uint64(a)<<58|uint64(b)<<52|uint64(c)<<46|uint64(d)<<40|
			uint64(e)<<34|uint64(f)<<28|uint64(g)<<22|uint64(h)<<16)
		n += 8
		written += 6
	}
	return dst[:len(dst)+written], n
}

// one decodes a single character, and tells whether it may be here.
func (d *decoder) one(dst []byte, c byte) ([]byte, bool) {
	switch v := sextets[c]; v {
	case ignored:
	case padding:
		d.padding++
		return dst, d.chars+d.padding <= 4 && d.chars >= 2
	case foreign:
		return dst, false
	default:
		if d.padding > 0 {
			return dst, false
		}
		d.bits = d.bits<<6 | uint32(v)
		if d.chars++; d.chars == 4 {
			dst = append(dst, byte(d.bits>>16), byte(d.bits>>8), byte(d.bits))
			d.bits, d.chars = 0, 0
		}
	}
	return dst, true
}

// end appends what an unfinished group stands for, and tells whether the base64 may end here: padding may be left out,
// but not in part.
func (d *decoder) end(dst []byte) ([]byte, bool) {
	if d.padding > 0 && d.chars+d.padding != 4 {
		return dst, false
	}
	switch d.chars {
	case 1:
		return dst, false
	case 2:
		dst = append(dst, byte(d.bits>>4))
	case 3:
		dst = append(dst, byte(d.bits>>10), byte(d.bits>>2))
	}
	return dst, true
}
