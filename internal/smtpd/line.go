package smtpd

import (
	"bytes"
	"errors"
	"unicode/utf8"
)

const (
	// lineMax is generous: RFC 5321 4.5.3.1.4 has 512 bytes, the extensions add a few hundred.
	lineMax = 4096
	// lineEndless is where a line stops being a mistake.
	lineEndless = 64 << 10
)

// What can be wrong with a line. The session goes on after the first three.
var (
	errLineLong    = errors.New("line too long")
	errLineBare    = errors.New("line ends with a bare LF")
	errLineBytes   = errors.New("line has control characters or invalid UTF-8")
	errLineEndless = errors.New("line without an end")
)

// line reads a command line and gives it without its end. With an error about the line itself comes as much of it as
// is needed to tell which command it was. finish is as in awaitCommand.
func (w *wire) line(finish bool) (string, error) {
	if !finish && w.isStopped() {
		return "", errStopping
	}
	for seen := 0; ; {
		b := w.in.unread()
		if i := bytes.IndexByte(b[seen:], '\n'); i >= 0 {
			w.in.skip(seen + i + 1)
			return checkLine(b[:seen+i+1])
		}
		if len(b) >= lineMax {
			return w.dropLine(finish)
		}
		seen = len(b)
		if err := w.awaitCommand(finish); err != nil {
			return "", err
		}
	}
}

// checkLine gets a line with its LF.
func checkLine(b []byte) (string, error) {
	text, crlf := bytes.CutSuffix(b, []byte("\r\n"))
	switch {
	case len(b) > lineMax:
		return string(b[:verbMax]), errLineLong
	case !crlf:
		return string(b[:len(b)-1]), errLineBare
	case !utf8.Valid(text) || bytes.ContainsFunc(text, func(c rune) bool { return c < ' ' || c == 0x7f }):
		return string(text), errLineBytes
	}
	return string(text), nil
}

// dropLine reads a line that is too long to its end, keeping only its verb.
func (w *wire) dropLine(finish bool) (string, error) {
	verb := string(w.in.unread()[:verbMax])
	for dropped := 0; dropped < lineEndless; {
		b := w.in.unread()
		if i := bytes.IndexByte(b, '\n'); i >= 0 {
			w.in.skip(i + 1)
			return verb, errLineLong
		}
		dropped += len(b)
		w.in.skip(len(b))
		if err := w.awaitCommand(finish); err != nil {
			return "", err
		}
	}
	return verb, errLineEndless
}
