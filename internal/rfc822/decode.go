package rfc822

import "io"

// A decoder undoes a transfer encoding. It takes the encoded bytes in any pieces and returns the same bytes for
// every way of cutting them: what Part.Decode yields later has to be what the parse has hashed.
type decoder interface {
	// decode appends to dst what src gives.
	decode(dst, src []byte) []byte
	// flush appends what was held back, at the end of the input.
	flush(dst []byte) []byte
}

// newDecoder returns nil for Identity.
func newDecoder(e Encoding) decoder {
	switch e {
	case Base64:
		return &base64Decoder{}
	case QuotedPrintable:
		return &quotedDecoder{}
	case UUEncode:
		return &uuDecoder{}
	}
	return nil
}

// Decode yields the part's Size bytes. r gives the raw message's bytes [Offset, Offset+Length). It fails only
// with r's own errors.
func (p Part) Decode(r io.Reader) io.Reader {
	out := decodeReader(r, p.Encoding)
	if w := p.Inner; w != nil {
		out = decodeReader(&windowReader{r: out, skip: w.Offset, left: w.Length}, w.Encoding)
	}
	return out
}

// decodeReader wraps r unless there is nothing to decode.
func decodeReader(r io.Reader, e Encoding) io.Reader {
	d := newDecoder(e)
	if d == nil {
		return r
	}
	return &decodingReader{r: r, d: d}
}

// decodingReader pulls encoded bytes and hands out decoded ones.
type decodingReader struct {
	r    io.Reader
	d    decoder
	in   []byte
	out  []byte
	next int // first byte of out that was not handed out
	err  error
}

const decodeChunk = 32 << 10

func (d *decodingReader) Read(b []byte) (int, error) {
	for d.next == len(d.out) {
		if d.err != nil {
			return 0, d.err
		}
		d.fill()
	}
	n := copy(b, d.out[d.next:])
	d.next += n
	return n, nil
}

// fill decodes one chunk.
func (d *decodingReader) fill() {
	if d.in == nil {
		d.in = make([]byte, decodeChunk)
	}
	n, err := d.r.Read(d.in)
	d.next = 0
	d.out = d.d.decode(d.out[:0], d.in[:n])
	if err == io.EOF {
		d.out = d.d.flush(d.out)
	}
	d.err = err
}

// windowReader is the range of r that begins after skip bytes and has left bytes.
type windowReader struct {
	r          io.Reader
	skip, left int64
}

func (w *windowReader) Read(b []byte) (int, error) {
	if w.skip > 0 {
		n, err := io.CopyN(io.Discard, w.r, w.skip)
		w.skip -= n
		if err != nil {
			return 0, err
		}
	}
	if w.left <= 0 {
		return 0, io.EOF
	}
	if int64(len(b)) > w.left {
		b = b[:w.left]
	}
	n, err := w.r.Read(b)
	w.left -= int64(n)
	return n, err
}
