package smtpd

import "io"

// input is what has been read from the connection and not been used yet: buf[r:w].
type input struct {
	buf  []byte
	r, w int
}

func (in *input) len() int       { return in.w - in.r }
func (in *input) unread() []byte { return in.buf[in.r:in.w] }
func (in *input) skip(n int)     { in.r += n }

// more adds what one Read of src gives. There must be room: the callers never leave a full buffer unread.
func (in *input) more(src io.Reader) error {
	switch {
	case in.r == in.w:
		in.r, in.w = 0, 0
	case in.w == len(in.buf):
		in.w = copy(in.buf, in.unread())
		in.r = 0
	}
	n, err := src.Read(in.buf[in.w:])
	in.w += n
	if n > 0 {
		return nil // an error comes again with the next Read
	}
	if err == nil {
		return io.ErrNoProgress
	}
	return err
}

// move goes on in another buffer, which must have room for what is unread.
func (in *input) move(to []byte) {
	n := copy(to, in.unread())
	in.buf, in.r, in.w = to, 0, n
}
