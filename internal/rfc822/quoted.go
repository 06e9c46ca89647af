package rfc822

import "bytes"

// quotedDecoder reads quoted-printable, RFC 2045 6.7. A "=" that begins no escape is itself.
type quotedDecoder struct {
	// held is what cannot be decided before more is seen: an escape that is not complete, or white space
	// that is dropped if a line end follows.
	held []byte
}

// maxHeldSpace bounds how much white space is held: lines have at most 76 characters, so more is content.
const maxHeldSpace = 1024

func (d *quotedDecoder) decode(dst, src []byte) []byte {
	eol := -1 // of the line at hand, in src
	for i := 0; i < len(src); {
		if len(d.held) > 0 {
			var left []byte
			dst, left = d.resolve(dst, src[i:])
			i = len(src) - len(left)
			continue
		}
		if eol < i {
			if eol = bytes.IndexByte(src[i:], '\n') + i; eol < i {
				eol = len(src)
			}
		}
		n := quotedPlain(src[i:eol], eol == len(src))
		dst = append(dst, src[i:i+n]...)
		if i += n; i == eol && i < len(src) {
			dst = append(dst, '\n')
			i++
		} else if i < len(src) {
			d.held = append(d.held, src[i])
			i++
		}
	}
	return dst
}

// quotedPlain is how much of a line, given without its LF, stands for itself: up to a "=", or up to the white
// space at its end. A CR before the LF is not white space; in a line that is not complete it may be.
func quotedPlain(line []byte, open bool) int {
	if eq := bytes.IndexByte(line, '='); eq >= 0 {
		return eq
	}
	end := len(line)
	if end > 0 && line[end-1] == '\r' && !open {
		end--
	}
	if n := lastNonBlank(line[:end]); n < end {
		return n
	}
	if open {
		return lastNonBlank(line)
	}
	return len(line)
}

// lastNonBlank is the length of b without the blanks and CRs at its end.
func lastNonBlank(b []byte) int {
	n := len(b)
	for n > 0 && (b[n-1] == ' ' || b[n-1] == '\t' || b[n-1] == '\r') {
		n--
	}
	return n
}

// resolve decides on what is held with the next byte of src.
func (d *quotedDecoder) resolve(dst, src []byte) (rest, left []byte) {
	if d.held[0] != '=' {
		return d.space(dst, src)
	}
	c := src[0]
	switch last := d.held[len(d.held)-1]; {
	case c == '\n': // a soft line break, whatever blanks came before it
		d.held = d.held[:0]
		return dst, src[1:]
	case last == '\r': // QUIRK: a soft line break in a message with bare CR line ends
		d.held = d.held[:0]
		return dst, src
	case (c == ' ' || c == '\t' || c == '\r') && (len(d.held) == 1 || isBlank(last)) && len(d.held) < maxHeldSpace:
		d.held = append(d.held, c)
		return dst, src[1:]
	case len(d.held) == 1 && unhex(c) >= 0:
		d.held = append(d.held, c)
		return dst, src[1:]
	case len(d.held) == 2 && unhex(last) >= 0 && unhex(c) >= 0:
		dst = append(dst, byte(unhex(last)<<4|unhex(c)))
		d.held = d.held[:0]
		return dst, src[1:]
	}
	return d.release(dst), src // no escape after all
}

// space goes on with white space that may be the end of a line.
func (d *quotedDecoder) space(dst, src []byte) (rest, left []byte) {
	last := d.held[len(d.held)-1]
	switch c := src[0]; {
	case c == '\n': // RFC 2045 6.7 (3): blanks at the end of a line were added on the way
		if last == '\r' {
			dst = append(dst, '\r')
		}
		d.held = d.held[:0]
		return append(dst, '\n'), src[1:]
	case (isBlank(c) || c == '\r') && last != '\r' && len(d.held) < maxHeldSpace:
		d.held = append(d.held, c)
		return dst, src[1:]
	}
	return d.release(dst), src
}

// release returns what is held as it is.
func (d *quotedDecoder) release(dst []byte) []byte {
	dst = append(dst, d.held...)
	d.held = d.held[:0]
	return dst
}

func (d *quotedDecoder) flush(dst []byte) []byte {
	if len(d.held) == 0 {
		return dst
	}
	// A soft line break as the last thing is nothing, and so are blanks at the end.
	if len(d.held) == 1 || lastNonBlank(d.held) <= 1 {
		if d.held[len(d.held)-1] == '\r' && d.held[0] != '=' {
			dst = append(dst, '\r')
		}
		d.held = d.held[:0]
		return dst
	}
	return d.release(dst)
}

// unhex is the value of a hex digit of either case, or -1.
func unhex(c byte) int {
	switch {
	case '0' <= c && c <= '9':
		return int(c - '0')
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	}
	return -1
}
