package segment

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// decoder reads numbers from bytes that may be anything. After the first failure everything is zero and bad stays set.
type decoder struct {
	b   []byte
	i   int
	bad bool
}

func (d *decoder) uvarint() uint64 {
	if d.i < len(d.b) && d.b[d.i] < 0x80 { // nearly always
		v := d.b[d.i]
		d.i++
		return uint64(v)
	}
	return d.longUvarint()
}

func (d *decoder) longUvarint() uint64 {
	v, n := binary.Uvarint(d.b[d.i:])
	if n <= 0 {
		d.fail()
		return 0
	}
	d.i += n
	return v
}

func (d *decoder) varint() int64 {
	v := d.uvarint()
	return int64(v>>1) ^ -int64(v&1)
}

// number reads an unsigned number that may not exceed limit.
func (d *decoder) number(limit int64) int64 {
	v := d.uvarint()
	if v > uint64(limit) {
		d.fail()
		return 0
	}
	return int64(v)
}

func (d *decoder) byte() byte {
	if d.i >= len(d.b) {
		d.fail()
		return 0
	}
	d.i++
	return d.b[d.i-1]
}

func (d *decoder) bytes(n int) []byte {
	if n < 0 || n > len(d.b)-d.i {
		d.fail()
		return nil
	}
	d.i += n
	return d.b[d.i-n : d.i : d.i]
}

func (d *decoder) fail() { d.i, d.bad = len(d.b), true }

// below returns the seq that lies distance under base, if it is not under least.
func below(base int64, distance uint64, least int64) (int64, bool) {
	if base < least || distance > uint64(base)-uint64(least) {
		return 0, false
	}
	return int64(uint64(base) - distance), true
}

// packWidth is how many bits pack uses for values that are all below 1<<bits.Len64(all). Above 32 it takes whole words.
func packWidth(all uint64) int {
	if n := bits.Len64(all); n <= 32 {
		return n
	}
	return 64
}

func packedSize(n, width int) int { return (n*width + 7) / 8 }

// pack appends values of width bits each, lowest bits first.
func pack(dst []byte, values []uint64, width int) []byte {
	if width == 64 {
		for _, v := range values {
			dst = binary.LittleEndian.AppendUint64(dst, v)
		}
		return dst
	}
	if width == 0 {
		return dst
	}
	var acc uint64
	have := 0
	for _, v := range values {
		acc |= v << have
		for have += width; have >= 32; have -= 32 {
			dst = binary.LittleEndian.AppendUint32(dst, uint32(acc))
			acc >>= 32
		}
	}
	for ; have > 0; have -= 8 {
		dst = append(dst, byte(acc))
		acc >>= 8
	}
	return dst
}

// unpack fills dst from packedSize(len(dst), width) bytes.
func unpack(dst []uint64, b []byte, width int) {
	switch width {
	case 0:
		clear(dst)
	case 64:
		for i := range dst {
			dst[i] = binary.LittleEndian.Uint64(b[8*i:])
		}
	default:
		unpackBits(dst, b, width)
	}
}

func unpackBits(dst []uint64, b []byte, width int) {
	mask := uint64(1)<<width - 1
	i, bit := 0, 0
	for ; i < len(dst) && bit>>3+8 <= len(b); i++ {
		dst[i] = binary.LittleEndian.Uint64(b[bit>>3:]) >> (bit & 7) & mask
		bit += width
	}
	var tail [16]byte // the last few bytes, so that a whole word can be loaded
	start := bit >> 3
	copy(tail[:], b[min(start, len(b)):])
	for ; i < len(dst); i++ {
		dst[i] = binary.LittleEndian.Uint64(tail[bit>>3-start:]) >> (bit & 7) & mask
		bit += width
	}
}

// Sizes of fields are kept in a byte: exact below 16, then three bits after the leading one.

func sizeByte(n uint64) byte {
	if n < 16 {
		return byte(n)
	}
	shift := bits.Len64(n) - 4
	if shift > 30 {
		return math.MaxUint8
	}
	return byte(shift<<3 + int(n>>shift))
}

func byteSize(b byte) uint64 {
	if b < 16 {
		return uint64(b)
	}
	shift := b>>3 - 1
	return uint64(b&7|8) << shift
}
