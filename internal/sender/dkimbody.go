package sender

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"hash"
	"io"
)

// bodySum is the hash of a body in canonical form, and the length of that.
type bodySum struct {
	hash   []byte
	length int64
}

// hashBody reads a body once, for one or both of the canonical forms.
func hashBody(ctx context.Context, r io.Reader, h head, size int64, simple, relaxed bool) (sums [2]bodySum, err error) {
	var forms []canonBody
	if simple {
		forms = append(forms, &simpleBody{sumWriter: newSumWriter(&sums[0])})
	}
	if relaxed {
		forms = append(forms, &relaxedBody{sumWriter: newSumWriter(&sums[1])})
	}
	lines := lineEnds{convert: h.bareLF}
	buf := make([]byte, max(min(size, 64<<10), 1))
	for err == nil {
		var n int
		if n, err = r.Read(buf); ctx.Err() != nil {
			return sums, ctx.Err()
		}
		piece := lines.fix(buf[:n])
		for _, f := range forms {
			f.write(piece)
		}
	}
	for _, f := range forms {
		f.close()
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return sums, err
}

// canonBody brings a body into a canonical form, piece by piece.
type canonBody interface {
	write(piece []byte)
	close()
}

// lineEnds makes CRLF of the LF of a message whose lines end so.
type lineEnds struct {
	convert bool
	last    byte
	out     []byte
}

func (l *lineEnds) fix(b []byte) []byte {
	if !l.convert || len(b) == 0 {
		return b
	}
	l.out = l.out[:0]
	for _, c := range b {
		if c == '\n' && l.last != '\r' {
			l.out = append(l.out, '\r')
		}
		l.out = append(l.out, c)
		l.last = c
	}
	return l.out
}

// sumWriter hashes what is written. It holds line ends back until it is known that they are not the last ones.
type sumWriter struct {
	sum   *bodySum
	hash  hash.Hash
	buf   []byte
	crlfs int64 // held back
	cr    bool  // a CR after them: the end of the last piece
}

func newSumWriter(to *bodySum) sumWriter {
	return sumWriter{sum: to, hash: sha256.New(), buf: make([]byte, 0, 4<<10)}
}

// release writes the line ends that were held back.
func (w *sumWriter) release() {
	for ; w.crlfs > 0; w.crlfs-- {
		w.add("\r\n")
	}
}

// emit hashes text after the line ends that were held back.
func (w *sumWriter) emit(text []byte) {
	w.release()
	if len(w.buf)+len(text) > cap(w.buf) {
		w.flush()
	}
	w.sum.length += int64(len(text))
	if len(text) > cap(w.buf)/2 {
		w.flush()
		w.hash.Write(text)
		return
	}
	w.buf = append(w.buf, text...)
}

func (w *sumWriter) add(s string) {
	if len(w.buf)+len(s) > cap(w.buf) {
		w.flush()
	}
	w.buf = append(w.buf, s...)
	w.sum.length += int64(len(s))
}

func (w *sumWriter) flush() {
	w.hash.Write(w.buf)
	w.buf = w.buf[:0]
}

func (w *sumWriter) finish() {
	w.flush()
	w.sum.hash = w.hash.Sum(nil)
}

// simpleBody is RFC 6376 3.4.3: all line ends at the end of the body are one.
type simpleBody struct{ sumWriter }

func (s *simpleBody) write(b []byte) {
	if s.cr && len(b) > 0 {
		if s.cr = false; b[0] == '\n' {
			s.crlfs++
			b = b[1:]
		} else {
			s.release()
			s.add("\r")
		}
	}
	for len(b) > 1 && b[0] == '\r' && b[1] == '\n' {
		s.crlfs++
		b = b[2:]
	}
	if len(b) == 0 {
		return
	}
	s.cr = b[len(b)-1] == '\r'
	b = bytes.TrimSuffix(b, []byte("\r"))
	ends := int64(0)
	for bytes.HasSuffix(b, []byte("\r\n")) {
		ends++
		b = b[:len(b)-2]
	}
	if len(b) > 0 {
		s.emit(b)
	}
	s.crlfs += ends
}

func (s *simpleBody) close() {
	if s.cr {
		s.release()
		s.add("\r")
	}
	s.add("\r\n")
	s.finish()
}

// relaxedBody is RFC 6376 3.4.4: blanks are one space, and none at the end of a line; no empty lines at the end.
type relaxedBody struct {
	sumWriter
	blank bool // blanks held back
	some  bool // something was written
}

func (r *relaxedBody) write(b []byte) {
	if r.cr && len(b) > 0 {
		if r.cr = false; b[0] == '\n' {
			r.lineEnd()
			b = b[1:]
		} else {
			r.text([]byte{'\r'})
		}
	}
	for len(b) > 0 {
		if n := plainText(b); n > 0 {
			r.text(b[:n])
			b = b[n:]
			continue
		}
		switch {
		case b[0] != '\r':
			r.blank = true
		case len(b) == 1:
			r.cr = true
		case b[1] == '\n':
			r.lineEnd()
			b = b[1:]
		default:
			r.text(b[:1])
		}
		b = b[1:]
	}
}

// plainText is the length of the text that b begins with and that stays as it is: most lines, with a space between
// their words.
func plainText(b []byte) int {
	for n, c := range b {
		switch {
		case c > ' ', c != ' ' && c != '\t' && c != '\r':
		case c == ' ' && n > 0 && n+1 < len(b) && b[n+1] > ' ':
		default:
			return n
		}
	}
	return len(b)
}

func (r *relaxedBody) lineEnd() {
	r.crlfs++
	r.blank = false
}

func (r *relaxedBody) text(b []byte) {
	r.release()
	if r.blank {
		r.add(" ")
	}
	r.emit(b)
	r.blank, r.some = false, true
}

func (r *relaxedBody) close() {
	if r.cr {
		r.text([]byte{'\r'})
	}
	if r.some {
		r.add("\r\n")
	}
	r.finish()
}
