package rfc822

import "bytes"

// headBlock collects the raw lines of a header up to its limits.
type headBlock struct {
	buf       []byte
	starts    []int // where each kept field begins in buf
	seen      int   // fields, kept or not
	lines     int
	maxBytes  int
	maxFields int
	midLine   bool // the line goes on in the next bytes
	drop      bool // the field at hand is not kept
	over      bool // bytes were dropped
	overCount bool // fields were dropped
}

func (h *headBlock) reset(lim Limits) {
	h.buf, h.starts = h.buf[:0], h.starts[:0]
	h.seen, h.lines = 0, 0
	h.midLine, h.drop, h.over, h.overCount = false, false, false, false
	h.maxBytes, h.maxFields = lim.HeaderBytes, lim.HeaderFields
}

// field begins a field with its first line.
func (h *headBlock) field(line []byte) {
	h.seen++
	switch {
	case h.seen > h.maxFields:
		h.drop, h.overCount = true, true
	case len(h.buf) >= h.maxBytes:
		h.drop, h.over = true, true
	default:
		h.drop = false
		h.starts = append(h.starts, len(h.buf))
	}
	h.add(line)
}

// add keeps more of the field at hand: its lines until half the block's room is used by this one.
func (h *headBlock) add(line []byte) {
	if h.drop || len(h.starts) == 0 {
		return
	}
	room := min(h.maxBytes-len(h.buf), h.starts[len(h.starts)-1]+h.maxBytes/2-len(h.buf))
	if len(line) > room {
		line = line[:max(room, 0)]
		h.over = true
	}
	h.buf = append(h.buf, line...)
}

// last is what is kept of the field at hand.
func (h *headBlock) last() []byte {
	if h.drop || len(h.starts) == 0 {
		return nil
	}
	return h.buf[h.starts[len(h.starts)-1]:]
}

// lineKind is what a line in a header block looks like.
type lineKind uint8

const (
	lineField  lineKind = iota
	lineFold            // begins with a blank
	lineBlanks          // has nothing but blanks
	lineEmpty
	lineJunk
)

// maxPeek is how much of a line is looked at to tell what it is.
const maxPeek = 1024

// classify looks at a line, which may lack its end.
func classify(line []byte) lineKind {
	line = line[:min(len(line), maxPeek)]
	text := trimLineEnd(line)
	if len(text) == 0 {
		return lineEmpty
	}
	if isBlank(text[0]) {
		if len(bytes.Trim(text, " \t\r")) == 0 && len(text) < len(line) {
			return lineBlanks
		}
		return lineFold
	}
	if fieldName(text) > 0 {
		return lineField
	}
	return lineJunk
}

// fieldName is the length of the field name a line begins with, 0 where it does not. RFC 5322 4.5 allows blanks
// between the name and its colon.
func fieldName(line []byte) int {
	n := 0
	for n < len(line) && line[n] > ' ' && line[n] < 0x7f && line[n] != ':' {
		n++
	}
	colon := n
	for colon < len(line) && isBlank(line[colon]) {
		colon++
	}
	if colon == len(line) || line[colon] != ':' {
		return 0
	}
	return n
}

// lineAt is the line data begins with. ok is false where more bytes are needed to tell; whole is false for a
// line that is longer than what there is.
func (p *Parser) lineAt(data []byte, eof bool) (line []byte, whole, ok bool) {
	i := bytes.IndexByte(data, p.eol)
	switch {
	case i >= 0:
		return data[:i+1], true, true
	case eof:
		return data, true, true
	case len(data) >= maxPeek:
		return data, false, true
	}
	return nil, false, false
}

// headStep takes one line of a header block, or a piece of one.
func (p *Parser) headStep(data []byte, eof bool) (used int, more bool) {
	if p.eol == 0 && !p.detectEOL(data, eof) {
		return 0, false
	}
	if p.head.midLine {
		i := bytes.IndexByte(data, p.eol) + 1
		if p.head.midLine = i == 0; i == 0 {
			i = len(data)
		}
		p.head.add(data[:i])
		p.consume(data[:i])
		return i, true
	}
	if p.eol == '\r' && data[0] == '\n' { // the other half of a line end
		p.consume(data[:1])
		return 1, true
	}
	if d, ok := p.delimiterAt(data, eof); !ok {
		return 0, false
	} else if d.end > 0 {
		p.endHead("")
		p.delimiter(d, data[:d.end])
		return d.end, true
	}
	line, whole, ok := p.lineAt(data, eof)
	if !ok {
		return 0, false
	}
	return p.headLine(line, whole, data[len(line):], eof)
}

// headLine takes a line; rest is what follows it, for the lines that are explained by the next one.
func (p *Parser) headLine(line []byte, whole bool, rest []byte, eof bool) (used int, more bool) {
	kind := classify(line)
	first := p.head.lines == 0
	switch {
	case first && isMboxLine(line):
		p.res.defect(DefectMboxLine)
		p.consume(line) // lines stays 0: a header follows
		return len(line), true
	case kind == lineEmpty:
		return p.emptyLine(line, rest, eof)
	case kind == lineField:
		p.head.field(line)
	case kind == lineFold && !first:
		p.head.add(line)
	default:
		return p.oddLine(line, whole, rest, eof)
	}
	p.head.lines++
	p.head.midLine = !whole
	p.consume(line)
	return len(line), true
}

// isMboxLine says whether a line is the separator of an mbox file, which is no header field.
//
// QUIRK: mail that was cut out of an mbox, or forwarded by programs that keep it so, has it before the header.
func isMboxLine(line []byte) bool {
	line = bytes.TrimPrefix(line, []byte(">"))
	return bytes.HasPrefix(line, []byte("From ")) && fieldName(line) == 0
}

// emptyLine ends the header, except at the very top where a header still follows.
//
// QUIRK: programs that build mail from templates begin with an empty line.
func (p *Parser) emptyLine(line, rest []byte, eof bool) (used int, more bool) {
	if p.head.lines == 0 && p.root && len(p.stack) == 0 && p.pos < maxPeek {
		next, _, ok := p.lineAt(rest, eof)
		if !ok {
			return 0, false
		}
		if isMailField(next) || classify(next) == lineEmpty && len(next) > 0 {
			p.consume(line)
			return len(line), true
		}
	}
	p.consume(line)
	p.endHead("")
	return len(line), true
}

// oddLine decides on a line that has no place in a header by looking at the one after it.
func (p *Parser) oddLine(line []byte, whole bool, rest []byte, eof bool) (used int, more bool) {
	if first := bytes.TrimLeft(line, " \t"); p.head.lines == 0 && len(first) < len(line) && isMailField(first) {
		// QUIRK: a blank before the first field.
		p.res.defect(DefectHeaderLine)
		p.consume(line[:len(line)-len(first)])
		return len(line) - len(first), true
	}
	if !whole || len(line) > maxPeek {
		p.endHead(p.bodyAtOnce())
		return 0, true
	}
	next, _, ok := p.lineAt(rest, eof)
	if !ok {
		return 0, false
	}
	kind, nextKind := classify(line), classify(next)
	if len(next) == 0 {
		nextKind = lineJunk
	}
	switch {
	case kind == lineBlanks && nextKind == lineJunk:
		// QUIRK: the empty line between header and body has a blank in it.
		p.consume(line)
		p.endHead(DefectHeaderUnended)
		return len(line), true
	case kind == lineBlanks:
		// A folded field may have such a line.
	case p.isBrokenFold(line):
		p.res.defect(DefectHeaderLine)
		p.head.add([]byte{' '})
		p.head.add(line)
	case p.head.lines == 0 && !isMailField(next), p.head.lines > 0 && nextKind != lineField && nextKind != lineFold:
		p.endHead(p.bodyAtOnce())
		return 0, true
	default:
		p.res.defect(DefectHeaderLine)
	}
	p.head.lines++
	p.consume(line)
	return len(line), true
}

// bodyAtOnce is the defect of a body that begins where a header should be or go on.
func (p *Parser) bodyAtOnce() Defect {
	if p.head.lines == 0 {
		return DefectHeaderMissing
	}
	return DefectHeaderUnended
}

// isBrokenFold says whether a line is the rest of a structured MIME field.
//
// QUIRK: programs that fold "Content-Type: multipart/mixed;" without indenting the parameters.
func (p *Parser) isBrokenFold(line []byte) bool {
	last := p.head.last()
	if !hasFold(last, "content-") {
		return false
	}
	n := 0
	for n < len(line) && isToken(line[n]) {
		n++
	}
	return n > 0 && n < len(line) && line[n] == '='
}

// mailFields are names that only a mail header begins with, lower-case and with their colon.
var mailFields = [...]string{"received:", "return-path:", "delivered-to:", "from:", "to:", "subject:", "date:",
	"message-id:", "mime-version:", "content-type:", "reply-to:", "sender:", "x-", "cc:", "dkim-signature:",
	"content-transfer-encoding:", "content-disposition:", "authentication-results:", "arc-", "list-"}

func isMailField(line []byte) bool {
	if classify(line) != lineField {
		return false
	}
	for _, name := range mailFields {
		if hasFold(line, name) {
			return true
		}
	}
	return false
}
