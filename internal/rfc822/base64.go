package rfc822

import (
	"encoding/binary"
	"slices"
)

// base64Decoder reads base64 as it is found: with garbage between the letters, without padding, as several
// padded pieces one after the other, or followed by a line that a mailing list has added.
type base64Decoder struct {
	acc     uint32 // letters of the group that is not complete, 6 bits each
	letters int    // how many there are, 0 to 3
	garbage bool   // something was skipped that is no white space

	padded  bool // padding was seen: from here on only lines that are base64 throughout count
	onLine  bool // still on the line where the padding was
	stopped bool // a line after the padding was something else
	line    []byte
}

// maxLineAfterPadding is more than any encoder writes on a line; what is longer is not a new piece.
const maxLineAfterPadding = 1024

const notBase64 = 0xff

// base64Value maps a letter to its six bits.
var base64Value = func() (t [256]byte) {
	for i := range t {
		t[i] = notBase64
	}
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	for i := range len(alphabet) {
		t[alphabet[i]] = byte(i)
	}
	return t
}()

// base64Group maps the letter at each place of a group of four to its bits; anything else has the top bit.
var base64Group = func() (t [4][256]uint32) {
	for place := range t {
		for c := range 256 {
			t[place][c] = 1 << 31
			if v := base64Value[c]; v != notBase64 {
				t[place][c] = uint32(v) << (18 - 6*place)
			}
		}
	}
	return t
}()

func (d *base64Decoder) decode(dst, src []byte) []byte {
	dst = slices.Grow(dst, len(src)/4*3+8)
	for len(src) > 0 {
		switch {
		case d.stopped:
			return dst
		case d.padded:
			dst, src = d.afterPadding(dst, src)
		default:
			dst, src = d.letterRun(dst, src)
		}
	}
	return dst
}

// letterRun decodes up to the padding, if there is one.
func (d *base64Decoder) letterRun(dst, src []byte) (rest, left []byte) {
	for i := 0; i < len(src); {
		if d.letters == 0 {
			var n int
			dst, n = base64Groups(dst, src[i:])
			for i += n; i < len(src) && isSpace(src[i]); i++ {
			}
			if n > 0 || i == len(src) {
				continue // with the next line, most of the time
			}
		}
		c := src[i]
		i++
		switch v := base64Value[c]; {
		case v != notBase64:
			d.acc = d.acc<<6 | uint32(v)
			if d.letters++; d.letters == 4 {
				dst = append(dst, byte(d.acc>>16), byte(d.acc>>8), byte(d.acc))
				d.acc, d.letters = 0, 0
			}
		case c == '=' && d.letters >= 2:
			dst = d.endGroup(dst)
			d.padded, d.onLine = true, true
			return dst, src[i:]
		case !isSpace(c) && c != '=':
			d.garbage = true
		}
	}
	return dst, nil
}

// base64Groups decodes whole groups and says how many bytes of src it used: it stops at the first group that
// is not four letters.
func base64Groups(dst, src []byte) ([]byte, int) {
	n := len(dst)
	dst = slices.Grow(dst, len(src)/4*3+8)
	out := dst[n:cap(dst)]
	i, o := 0, 0
	for ; i+8 <= len(src) && o+8 <= len(out); i, o = i+8, o+6 {
		s := src[i : i+8 : i+8]
		v := base64Group[0][s[0]] | base64Group[1][s[1]] | base64Group[2][s[2]] | base64Group[3][s[3]]
		w := base64Group[0][s[4]] | base64Group[1][s[5]] | base64Group[2][s[6]] | base64Group[3][s[7]]
		if v|w >= 1<<24 {
			break
		}
		binary.BigEndian.PutUint64(out[o:o+8], uint64(v)<<40|uint64(w)<<16)
	}
	for ; i+4 <= len(src) && o+4 <= len(out); i, o = i+4, o+3 {
		s := src[i : i+4 : i+4]
		v := base64Group[0][s[0]] | base64Group[1][s[1]] | base64Group[2][s[2]] | base64Group[3][s[3]]
		if v >= 1<<24 {
			break
		}
		binary.BigEndian.PutUint32(out[o:o+4], v<<8)
	}
	return dst[:n+o], i
}

// endGroup writes the whole bytes of an incomplete group. A single letter is less than a byte and is dropped.
func (d *base64Decoder) endGroup(dst []byte) []byte {
	switch d.letters {
	case 2:
		dst = append(dst, byte(d.acc>>4))
	case 3:
		dst = append(dst, byte(d.acc>>10), byte(d.acc>>2))
	}
	d.acc, d.letters = 0, 0
	return dst
}

// afterPadding collects a line and decides whether the encoding goes on there.
//
// QUIRK: programs that encode in blocks and glue the blocks together leave padding in the middle; mailing
// lists append their footer in plain text after it.
func (d *base64Decoder) afterPadding(dst, src []byte) (rest, left []byte) {
	for i, c := range src {
		if c != '\n' && c != '\r' {
			if !d.onLine {
				if d.line = append(d.line, c); len(d.line) > maxLineAfterPadding {
					d.stopped = true
					return dst, nil
				}
			}
			continue
		}
		d.onLine = false
		if dst = d.lineAfterPadding(dst); !d.padded || d.stopped {
			return dst, src[i:]
		}
	}
	return dst, nil
}

// lineAfterPadding decides on one collected line.
func (d *base64Decoder) lineAfterPadding(dst []byte) []byte {
	line := trimSpace(d.line)
	d.line = d.line[:0]
	if len(line) == 0 {
		return dst
	}
	if !isBase64Line(line) {
		d.stopped = true
		return dst
	}
	d.padded = false
	dst, _ = d.letterRun(dst, line)
	if d.padded {
		d.onLine = false
	}
	return dst
}

// isBase64Line says whether a line is whole groups of four, padding at the end allowed.
func isBase64Line(line []byte) bool {
	if len(line)%4 != 0 {
		return false
	}
	end := len(line)
	for end > len(line)-2 && line[end-1] == '=' {
		end--
	}
	for _, c := range line[:end] {
		if base64Value[c] == notBase64 {
			return false
		}
	}
	return true
}

func (d *base64Decoder) flush(dst []byte) []byte {
	if d.padded && !d.stopped && !d.onLine {
		dst = d.lineAfterPadding(dst)
	}
	return d.endGroup(dst)
}
