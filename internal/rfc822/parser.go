package rfc822

import (
	"bytes"
	"crypto/sha256"
	"hash"
	"sync"
)

// Parser takes a message in pieces.
//
// It is also the reader of what lies inside an encoded container: then it is fed with decoded bytes by the leaf
// of another Parser and shares that one's result.
type Parser struct {
	res    *result
	root   bool      // of the whole message, not of an encoded container
	digest hash.Hash // of the root's identifying fields and body; nil before the body, and where nobody asks for it

	buf  []byte // bytes that could not be decided on yet
	pos  int64  // offset of the first byte that was not consumed
	prev byte   // the byte before it: boundaries begin after a line end
	eol  byte   // what ends a line in header blocks; 0 before it is known

	mode   mode
	head   headBlock
	stack  []frame
	known  boundaries // of the stack
	base   int        // stack depth of the parsers around this one
	leaf   leaf
	uu     uuScanner // of the leaf
	opened bool      // leaf is in use
	around int       // number of the part that is the message this parser reads, -1 for none
	wait   entity    // the entity whose body is sniffed
	node   *node     // where the tree of this parser hangs
}

// mode is what the next bytes are.
type mode uint8

const (
	modeHead mode = iota
	modeSniff
	modeBody // of a leaf, a preamble or an epilogue
	modeSkip // nothing counts any more
)

// NewParser starts a message.
func NewParser(lim Limits) *Parser {
	p := emptyParser()
	p.start(lim)
	return p
}

func emptyParser() *Parser {
	return &Parser{head: headBlock{buf: make([]byte, 0, 2<<10), starts: make([]int, 0, 32)}} // what most headers need
}

func (p *Parser) start(lim Limits) {
	root := &node{kind: nodeSequence}
	p.res, p.root, p.prev, p.node, p.around = newResult(lim.orDefault(), root), true, '\n', root, -1
	p.head.reset(p.res.lim)
}

// parsers are used again by Parse. They have the room for a header and nothing else.
var parsers = sync.Pool{New: func() any { return emptyParser() }}

// Parse reads a message that is in memory.
func Parse(raw []byte, lim Limits) *Message {
	p := parsers.Get().(*Parser)
	p.start(lim)
	_, _ = p.Write(raw)
	m := p.Message()
	const most = 16 << 10 // bytes
	if buf, starts := p.head.buf, p.head.starts; cap(buf) <= most {
		*p = Parser{head: headBlock{buf: buf, starts: starts}}
		parsers.Put(p)
	}
	return m
}

// maxCarry is how much of a write is joined with the bytes carried over, so that a large write after an
// undecided byte does not copy all of it.
const maxCarry = 64 << 10

// Write takes the next bytes. It never fails and does not keep b.
func (p *Parser) Write(b []byte) (int, error) {
	all := len(b)
	for len(p.buf) > 0 && len(b) > 0 {
		n := min(len(b), maxCarry)
		p.buf = append(p.buf, b[:n]...)
		b = b[n:]
		used := p.run(p.buf, false)
		p.buf = p.buf[:copy(p.buf, p.buf[used:])]
	}
	if len(b) > 0 {
		used := p.run(b, false)
		p.buf = append(p.buf[:0], b[used:]...)
	}
	return all, nil
}

// Message ends the parse and returns its result. Call it once.
func (p *Parser) Message() *Message {
	p.finish()
	return p.res.message(p)
}

// finish decides on what is left and closes everything that is open.
func (p *Parser) finish() {
	p.run(p.buf, true)
	p.buf = nil
	if p.mode == modeHead {
		p.endHead(p.bodyAtOnce())
	}
	if p.mode == modeSniff {
		p.sniffed(nil)
	}
	p.closeTo(0, false)
	p.closeLeaf(false)
}

// run consumes what it can of data and says how much that was. With eof it consumes everything.
func (p *Parser) run(data []byte, eof bool) int {
	used := 0
	for used < len(data) {
		var n int
		var more bool
		switch p.mode {
		case modeHead:
			n, more = p.headStep(data[used:], eof)
		case modeSniff:
			more = p.sniffStep(data[used:], eof)
		case modeBody:
			n, more = p.bodyStep(data[used:], eof)
		case modeSkip:
			n = len(data) - used
			p.consume(data[used:])
		}
		used += n
		if !more {
			break
		}
	}
	return used
}

// consume passes by raw bytes: whatever they are, the messages around them are made of them.
func (p *Parser) consume(b []byte) {
	if len(b) == 0 {
		return
	}
	p.pos += int64(len(b))
	p.prev = b[len(b)-1]
	if p.digest != nil {
		p.digest.Write(b)
	}
	for i := range p.stack {
		if m := p.stack[i].message; m != nil {
			m.write(b)
		}
	}
}

// bodyStep takes body bytes up to the next boundary line, and that line.
func (p *Parser) bodyStep(data []byte, eof bool) (used int, more bool) {
	if len(p.stack) == 0 {
		p.body(data)
		return len(data), true
	}
	d, ok := p.findDelimiter(data, eof)
	p.body(data[:d.start])
	if !ok {
		return d.start, false
	}
	if d.end > d.start {
		p.delimiter(d, data[d.start:d.end])
	}
	return d.end, true
}

// body takes bytes that belong to the open leaf, if there is one.
func (p *Parser) body(b []byte) {
	if p.opened && len(b) > 0 {
		p.leaf.write(b)
	}
	p.consume(b)
}

// startDigest begins the digest when the root's header is complete. The names are in a fixed order, so that
// relays may reorder fields.
func (p *Parser) startDigest(h Header) {
	p.digest = sha256.New()
	var line []byte
	for _, name := range [...]string{"message-id", "from", "to", "cc", "subject", "date"} {
		for _, f := range h.spans {
			if !equalFold(h.block[f.name:f.nameEnd], name) {
				continue
			}
			line = append(append(line[:0], name...), ':')
			line = append(line, trimSpace(unfoldRaw(h.block[f.value:f.end]))...)
			p.digest.Write(append(line, '\n'))
		}
	}
}

// detectEOL finds out what ends a line: LF, with or without CR before it, or in mail of old Macs CR alone. It
// is false while that cannot be told.
func (p *Parser) detectEOL(data []byte, eof bool) bool {
	const firstLine = 64 << 10 // a message without any line end in it has none
	i := bytes.IndexAny(data[:min(len(data), firstLine)], "\r\n")
	switch {
	case i < 0:
		if eof || len(data) >= firstLine {
			p.eol = '\n'
		}
		return p.eol != 0
	case data[i] == '\n':
		p.eol = '\n'
		return true
	}
	for n, c := range data[i+1:] {
		if c == '\r' && n < maxCRs {
			continue
		}
		if p.eol = '\n'; c != '\n' {
			p.eol = '\r'
			p.res.defect(DefectBareCarriageLines)
		}
		return true
	}
	if eof {
		p.eol = '\r'
	}
	return eof
}
