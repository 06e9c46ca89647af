package pdf

import (
	"bytes"
	"compress/flate"
	"io"
)

// Bounds of streams.
const (
	maxFilters = 6
	maxStream  = 16 << 20
)

// data is what a stream holds, decoded. It is taken from the budget, and nil where a filter is not for text. What is
// broken at some point is given up to there.
func (f *file) data(s *stream) []byte {
	raw, taken := s.raw, 0
	if f.key != nil {
		if taken = len(raw); !f.bud.Take(taken) {
			return nil
		}
		raw = f.key.decryptStream(s)
	}
	filters, parms := f.filters(s.dict)
	if len(filters) == 0 {
		f.bud.Give(taken)
		return f.copied(raw)
	}
	for i, kind := range filters {
		out, ok := f.filter(kind, raw)
		if ok && i < len(parms) && predicts(kind) {
			out = f.predict(out, f.dict(parms[i]))
		}
		f.bud.Give(taken)
		if !ok {
			return nil
		}
		raw, taken = out, cap(out)
	}
	return raw
}

// copied charges for bytes that lie in the file, so that all data are given back alike.
func (f *file) copied(raw []byte) []byte {
	if !f.bud.Take(len(raw)) {
		return nil
	}
	return raw[:len(raw):len(raw)]
}

// filters are the names and parameters of the filters a stream went through.
func (f *file) filters(d dict) (kinds []name, parms array) {
	switch o := f.resolve(d["Filter"]).(type) {
	case name:
		return []name{o}, array{d["DecodeParms"]}
	case array:
		for _, k := range o[:min(len(o), maxFilters)] {
			kinds = append(kinds, f.name(k))
		}
		if p := f.dict(d["DecodeParms"]); len(kinds) == 1 && p != nil {
			return kinds, array{p} // QUIRK: one dictionary for an array of one
		}
		return kinds, f.array(d["DecodeParms"])
	}
	return nil, nil
}

// predicts says whether a filter may have a predictor.
func predicts(kind name) bool {
	return kind == "FlateDecode" || kind == "Fl" || kind == "LZWDecode" || kind == "LZW"
}

// filter undoes one filter.
func (f *file) filter(kind name, raw []byte) ([]byte, bool) {
	var r io.Reader
	switch kind {
	case "FlateDecode", "Fl":
		r = f.inflater(raw)
	case "LZWDecode", "LZW":
		r = newLZW(raw)
	case "ASCIIHexDecode", "AHx":
		r = &asciiHex{b: raw}
	case "ASCII85Decode", "A85":
		r = &base85{b: raw}
	case "RunLengthDecode", "RL":
		r = &runLength{b: raw}
	case "Crypt":
		return f.copied(raw), true
	default:
		return nil, false
	}
	out, _ := f.bud.Read(r, maxStream)
	return out, true
}

// inflater reads zlib data. Its checksum is not asked for: what can be unpacked is worth reading. QUIRK: some write an
// empty line before the data, some leave the header out.
func (f *file) inflater(raw []byte) io.Reader {
	raw = bytes.TrimLeft(raw, "\r\n")
	if len(raw) >= 2 && raw[0]&0x0f == 8 && (int(raw[0])<<8|int(raw[1]))%31 == 0 {
		raw = raw[2:]
	}
	r := bytes.NewReader(raw)
	if reset, ok := f.inflate.(flate.Resetter); ok && reset.Reset(r, nil) == nil {
		return f.inflate
	}
	f.inflate = flate.NewReader(r)
	return f.inflate
}

// asciiHex reads hexadecimal digits up to ">".
type asciiHex struct {
	b   []byte
	pos int
}

func (a *asciiHex) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		high, ok := a.digit()
		if !ok {
			return n, io.EOF
		}
		low, _ := a.digit()
		p[n] = high<<4 | low
		n++
	}
	return n, nil
}

func (a *asciiHex) digit() (byte, bool) {
	for ; a.pos < len(a.b) && a.b[a.pos] != '>'; a.pos++ {
		if d := hexDigit(a.b[a.pos]); d < 16 {
			a.pos++
			return d, true
		}
	}
	return 0, false
}

// base85 reads base 85 up to "~>".
type base85 struct {
	b    []byte
	pos  int
	left []byte // decoded and not yet read
	buf  [4]byte
}

func (a *base85) Read(p []byte) (int, error) {
	return drain(p, &a.left, a.group)
}

// drain reads what is decoded and not yet read. more decodes more; false: there is none.
func drain(p []byte, left *[]byte, more func() bool) (n int, err error) {
	for n < len(p) {
		if len(*left) == 0 && !more() {
			return n, io.EOF
		}
		c := copy(p[n:], *left)
		*left = (*left)[c:]
		n += c
	}
	return n, nil
}

// group decodes the next five digits.
func (a *base85) group() bool {
	v, n := uint32(0), 0
	for ; a.pos < len(a.b) && n < 5; a.pos++ {
		c := a.b[a.pos]
		if c == '~' {
			break
		}
		if c == 'z' && n == 0 {
			a.pos++
			a.buf, a.left = [4]byte{}, a.buf[:]
			return true
		}
		if c >= '!' && c <= 'u' {
			v, n = v*85+uint32(c-'!'), n+1
		}
	}
	if n < 2 {
		return false
	}
	for i := n; i < 5; i++ {
		v = v*85 + 84
	}
	a.buf = [4]byte{byte(v >> 24), byte(v >> 16), byte(v >> 8), byte(v)}
	a.left = a.buf[:n-1]
	return true
}

// runLength reads runs: a length and bytes, or a byte that is repeated.
type runLength struct {
	b     []byte
	left  int
	byteN bool // the run is one byte, again and again
}

func (r *runLength) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		if r.left == 0 {
			if len(r.b) < 2 || r.b[0] == 128 {
				return n, io.EOF
			}
			r.byteN = r.b[0] > 128
			r.left = int(r.b[0]) + 1
			if r.byteN {
				r.left = 257 - int(r.b[0])
			}
			r.b = r.b[1:]
		}
		if len(r.b) == 0 {
			return n, io.EOF
		}
		p[n] = r.b[0]
		n++
		r.left--
		if !r.byteN || r.left == 0 {
			r.b = r.b[1:]
		}
	}
	return n, nil
}
