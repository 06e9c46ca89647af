package rfc822

import (
	"bytes"
	"strings"
)

// uuDecoder decodes one uuencoded file: a line "begin 644 name", lines of a length and letters, "end". It is also
// the transfer encoding x-uuencode, where text may stand before the begin line.
type uuDecoder struct {
	line  []byte // the line at hand, as far as it goes
	begun bool
	ended bool
}

// maxUULine is the longest line that is decoded: 1 + 84 letters and a checksum are the most there can be.
const maxUULine = 256

func (d *uuDecoder) decode(dst, src []byte) []byte {
	for len(src) > 0 && !d.ended {
		end := bytes.IndexAny(src, "\r\n")
		if end < 0 {
			d.keep(src)
			return dst
		}
		d.keep(src[:end])
		dst = d.endLine(dst)
		src = src[end+1:]
	}
	return dst
}

func (d *uuDecoder) keep(b []byte) {
	d.line = append(d.line, b[:min(len(b), maxUULine-len(d.line))]...)
}

// endLine decodes the line at hand.
func (d *uuDecoder) endLine(dst []byte) []byte {
	line := d.line
	d.line = d.line[:0]
	switch {
	case !d.begun:
		_, d.begun = uuBegin(line)
	case isUUEnd(line):
		d.ended = true
	case isUULine(line):
		dst = appendUU(dst, line)
	}
	return dst
}

func (d *uuDecoder) flush(dst []byte) []byte {
	if d.ended {
		return dst
	}
	return d.endLine(dst)
}

// uuBegin reads "begin 644 name".
func uuBegin(line []byte) (name string, ok bool) {
	rest, ok := bytes.CutPrefix(line, []byte("begin "))
	if !ok {
		return "", false
	}
	rest = bytes.TrimLeft(rest, " ")
	n := 0
	for n < len(rest) && rest[n] >= '0' && rest[n] <= '7' {
		n++
	}
	if n < 3 || n > 5 || n == len(rest) || rest[n] != ' ' {
		return "", false
	}
	name = strings.Trim(string(rest[n:]), " \t\r\n")
	return name, name != ""
}

func isUUEnd(line []byte) bool { return string(bytes.TrimRight(line, " \t\r\n")) == "end" }

// uuLength is how many bytes a line says it holds, and how many letters that takes.
func uuLength(c byte) (size, letters int) {
	size = int(c-' ') & 63
	return size, (size + 2) / 3 * 4
}

// isUULine says whether a line without its end can be a line of data. Blanks at its end, which are letters of
// value zero, may have been lost on the way; a checksum may follow.
func isUULine(line []byte) bool {
	if len(line) == 0 {
		return true // a lost blank: the line of length zero
	}
	for _, c := range line {
		if c < ' ' || c > '`' {
			return false
		}
	}
	size, letters := uuLength(line[0])
	have := len(line) - 1
	if size == 0 {
		return have <= 2
	}
	return have <= letters+2 && have >= letters/2
}

// appendUU decodes a line that isUULine accepts.
func appendUU(dst, line []byte) []byte {
	if len(line) == 0 {
		return dst
	}
	size, _ := uuLength(line[0])
	line = line[1:]
	bits := func(i int) byte {
		if i < len(line) {
			return (line[i] - ' ') & 63
		}
		return 0
	}
	for i := 0; size > 0; i += 4 {
		a, b, c, d := bits(i), bits(i+1), bits(i+2), bits(i+3)
		group := [3]byte{a<<2 | b>>4, b<<4 | c>>2, c<<6 | d}
		n := min(size, 3)
		dst = append(dst, group[:n]...)
		size -= n
	}
	return dst
}
