package compose

import (
	"fmt"
	"io"
)

// Reader returns the message's bytes as they are read; what of it is in memory is what the Mail holds, and one buffer.
// It fails with what Check says, and where an attachment does. Anyone who does not read to the end closes it.
func (m Mail) Reader() io.ReadCloser { return &reader{mail: m} }

// WriteTo writes the message.
func (m Mail) WriteTo(w io.Writer) (int64, error) {
	r := &reader{mail: m}
	defer func() { _ = r.Close() }() // it reads, and has said what was wrong with that
	return r.WriteTo(w)
}

// Size is how many bytes the message has. Of the attachments it opens only messages, to see how they can be written.
func (m Mail) Size() (int64, error) {
	p, err := m.plan()
	if err != nil {
		return 0, err
	}
	size := int64(0)
	for _, piece := range p.pieces {
		size += piece.size()
	}
	return size, nil
}

func (p piece) size() int64 {
	if p.stream != nil {
		return p.stream.length()
	}
	size := int64(len(p.lines))
	var buf []byte
	for rest := p.text.text; rest != ""; size += int64(len(buf)) {
		buf, rest = p.text.next(buf[:0], rest)
	}
	return size
}

// next encodes the first lines of rest.
func (b body) next(dst []byte, rest string) (chunk []byte, left string) {
	text, left := cutLines(rest)
	if b.encoding == quotedPrintable {
		return appendQuoted(dst, text), left
	}
	return appendLines(dst, text), left
}

// reader goes through the pieces.
type reader struct {
	mail   Mail
	pieces []piece
	begun  bool
	open   *stream
	buf    []byte
	chunk  []byte // of buf or a piece, not yet read
	err    error
}

// Read implements io.Reader.
func (r *reader) Read(b []byte) (int, error) {
	for len(r.chunk) == 0 {
		if r.err != nil {
			return 0, r.err
		}
		r.fill()
	}
	n := copy(b, r.chunk)
	r.chunk = r.chunk[n:]
	return n, nil
}

// WriteTo implements io.WriterTo.
func (r *reader) WriteTo(w io.Writer) (int64, error) {
	written := int64(0)
	for {
		if len(r.chunk) > 0 {
			n, err := w.Write(r.chunk)
			written += int64(n)
			r.chunk = r.chunk[n:]
			if err != nil {
				return written, err
			}
		}
		if r.err == io.EOF {
			return written, nil
		}
		if r.err != nil {
			return written, r.err
		}
		r.fill()
	}
}

// Close ends the reading and closes the attachment that is open.
func (r *reader) Close() error {
	if r.err == nil {
		r.err = io.ErrClosedPipe
	}
	r.chunk = nil
	return r.closeStream()
}

func (r *reader) closeStream() error {
	s := r.open
	if s == nil {
		return nil
	}
	r.open = nil
	if err := s.close(); err != nil {
		return fmt.Errorf("close attachment %q: %w", clip(s.name), err)
	}
	return nil
}

// fill makes the next chunk, or sets err.
func (r *reader) fill() {
	if !r.begun {
		r.begun = true
		p, err := r.mail.plan()
		if err != nil {
			r.err = err
			return
		}
		r.pieces = p.pieces
	}
	if len(r.pieces) == 0 {
		r.err = io.EOF
		return
	}
	switch p := &r.pieces[0]; {
	case p.stream != nil:
		r.fillFrom(p.stream)
	case p.text.text != "":
		r.buf, p.text.text = p.text.next(r.buf[:0], p.text.text)
		r.chunk = r.buf
	default:
		r.chunk = p.lines
		r.pieces = r.pieces[1:]
	}
}

// fillFrom takes the next chunk of a stream.
func (r *reader) fillFrom(s *stream) {
	r.open = s
	var done bool
	if r.buf, done, r.err = s.next(r.buf[:0]); r.err != nil {
		_ = r.closeStream() // the first error is the one to tell
		return
	}
	r.chunk = r.buf
	if done {
		r.err = r.closeStream()
		r.pieces = r.pieces[1:]
	}
}
