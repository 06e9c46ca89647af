package smtpd

import (
	"bytes"
	"io"
)

var (
	crlf    = []byte("\r\n")
	crlfDot = []byte("\r\n.")
	dotEnd  = []byte(".\r\n")
)

// dotReader reads the message that follows DATA (RFC 5321 4.1.1.4). It looks for CR LF dot with a bulk scan and copies
// everything between in long runs. It ends with io.EOF at CR LF . CR LF and at nothing else; bare CR and LF are
// content (2.3.8), and a dot is an added one only after CR LF (4.5.2).
type dotReader struct {
	in    *input
	await func() error // waits for more input

	run       int  // this many unread bytes are content as they are
	lineStart bool // CR LF, or the beginning, is before what follows the run
	done      bool // the end was seen
}

func newDotReader(in *input, await func() error) *dotReader {
	return &dotReader{in: in, await: await, lineStart: true}
}

// Read fills p as far as it can without waiting, and waits only for the first byte.
func (d *dotReader) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		for d.run == 0 && !d.scan() {
			if n > 0 {
				return n, nil
			}
			if err := d.await(); err == io.EOF {
				return 0, io.ErrUnexpectedEOF // the connection's end is not the message's
			} else if err != nil {
				return 0, err
			}
		}
		if d.done {
			return n, io.EOF
		}
		c := copy(p[n:], d.in.unread()[:d.run])
		d.in.skip(c)
		d.run -= c
		n += c
	}
	return n, nil
}

// scan finds the next run, or the end. It reports false if it takes more input to tell; then one or two bytes at most
// are left unread.
func (d *dotReader) scan() bool {
	b := d.in.unread()
	if d.done {
		return true
	}
	if len(b) == 0 {
		return false
	}
	if d.lineStart && b[0] == '.' {
		switch {
		case bytes.HasPrefix(b, dotEnd):
			d.in.skip(len(dotEnd))
			d.done = true
			return true
		case bytes.HasPrefix(dotEnd, b):
			return false
		}
		d.in.skip(1)
		b = b[1:]
	}
	d.run, d.lineStart = measure(b)
	return d.run > 0
}

// measure tells how many bytes at the beginning of b are content whatever follows, and whether CR LF is at their end.
// A CR at the end of b is left for the next scan, which sees what comes after it.
func measure(b []byte) (run int, lineStart bool) {
	if i := bytes.Index(b, crlfDot); i >= 0 {
		return i + len(crlf), true
	}
	if bytes.HasSuffix(b, crlf) {
		return len(b), true
	}
	if b[len(b)-1] == '\r' {
		return len(b) - 1, false
	}
	return len(b), false
}
