package rfc822

import (
	"bytes"
	"strings"
)

// unflow joins the lines of format=flowed text into paragraphs (RFC 3676): a line that ends with a space goes
// on in the next one of the same quote depth. delSp says that this space is not part of the text.
func unflow(s string, delSp bool) string {
	f := flow{delSp: delSp}
	return string(f.lines(make([]byte, 0, len(s)), s))
}

// flow does so line by line.
type flow struct {
	delSp bool
	open  bool // a paragraph waits for its next line
	depth int  // of its quotes
	begun bool // the line at hand was too long: this is what follows
}

// step takes whole lines, and long ones in pieces.
func (f *flow) step(dst, src []byte, eof bool) ([]byte, int) {
	n := wholeLines(src, eof)
	if n > 0 && src[n-1] != '\n' && !eof {
		n = max(1, len(bytes.TrimRight(src[:n], " "))) // the space may be at the end of the line
		dst = f.line(dst, string(src[:n]), false)
		f.begun = true
		return dst, n
	}
	return f.lines(dst, string(src[:n])), n
}

func (f *flow) lines(dst []byte, s string) []byte {
	for len(s) > 0 {
		line, rest, ended := strings.Cut(s, "\n")
		dst = f.line(dst, line, ended)
		s, f.begun = rest, false
	}
	return dst
}

// line writes a line, or what could be read of it.
func (f *flow) line(dst []byte, line string, ended bool) []byte {
	text, signature := line, false
	if !f.begun {
		depth := quoteDepth(line)
		text = strings.TrimPrefix(line[depth:], " ") // 4.4: space-stuffing
		signature = text == "-- "                    // 4.3: never flowed
		if f.open && (depth != f.depth || signature) {
			dst = append(dst, '\n')
			f.open = false
		}
		if !f.open && depth > 0 {
			dst = append(dst, line[:depth]...)
			if text != "" {
				dst = append(dst, ' ')
			}
		}
		f.depth = depth
	}
	f.open = strings.HasSuffix(text, " ") && !signature && ended
	if f.open && f.delSp {
		text = text[:len(text)-1]
	}
	dst = append(dst, text...)
	if !f.open && ended {
		dst = append(dst, '\n')
	}
	return dst
}

// quoteDepth counts the quote marks a line begins with.
func quoteDepth(line string) int {
	n := 0
	for n < len(line) && line[n] == '>' {
		n++
	}
	return n
}
