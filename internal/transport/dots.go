package transport

import (
	"bufio"
	"bytes"
)

// dotWriter writes a message as DATA carries it (RFC 5321 4.5.2): a dot before every line that begins with one, and
// every line ended by CRLF. A CR or LF alone is made a CRLF, too: a server that took it for the end of a line would see
// other lines than we do, and could be made to see the end of the message (RFC 5321 2.3.8).
type dotWriter struct {
	w    *bufio.Writer
	mid  bool // in the middle of a line
	cr   bool // the last byte was a CR, which is not written yet
	fail error
}

const crlf = "\r\n"

var newline = []byte{'\n'}

func (d *dotWriter) Write(p []byte) (int, error) {
	n := len(p)
	if d.cr && n > 0 {
		d.cr, d.mid = false, false
		d.text(crlf)
		if p[0] == '\n' {
			p = p[1:]
		}
	}
	for len(p) > 0 && d.fail == nil {
		p = d.clean(p)
	}
	if d.fail != nil {
		return 0, d.fail
	}
	return n, nil
}

// clean writes the lines that need nothing done to them in one piece, up to one that does, and then that. It returns
// the rest.
func (d *dotWriter) clean(p []byte) (rest []byte) {
	for at := 0; at < len(p); {
		if !d.mid && p[at] == '.' {
			d.bytes(p[:at])
			d.text(".")
			p, at = p[at:], 0
		}
		line, _, ended := bytes.Cut(p[at:], newline)
		cr := bytes.IndexByte(line, '\r')
		switch {
		case cr >= 0 && cr < len(line)-1: // a CR alone
			return d.breakLine(p, at+cr)
		case cr < 0 && ended: // an LF alone
			return d.breakLine(p, at+len(line))
		case !ended:
			d.mid = true
			if d.cr = cr >= 0; d.cr {
				p = p[:len(p)-1]
			}
			d.bytes(p)
			return nil
		}
		d.mid = false
		at += len(line) + 1
	}
	d.bytes(p)
	return nil
}

// breakLine writes a line that ends at a byte that is no CRLF.
func (d *dotWriter) breakLine(p []byte, at int) (rest []byte) {
	d.bytes(p[:at])
	d.text(crlf)
	d.mid = false
	return p[at+1:]
}

// end writes the end of the last line, if it has none, and the final dot.
func (d *dotWriter) end() error {
	if d.mid || d.cr {
		d.text(crlf)
	}
	d.text("." + crlf)
	return d.fail
}

func (d *dotWriter) bytes(p []byte) {
	if d.fail == nil {
		_, d.fail = d.w.Write(p)
	}
}

func (d *dotWriter) text(s string) {
	if d.fail == nil {
		_, d.fail = d.w.WriteString(s)
	}
}
