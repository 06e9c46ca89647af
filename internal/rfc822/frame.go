package rfc822

import "strconv"

// frame is an open multipart or nested message.
type frame struct {
	media    string // "multipart/alternative"
	boundary string // of a multipart; "" where none is known
	guessed  string // another boundary that was found in use
	phase    phase
	kids     int
	path     string
	node     *node
	message  *messageBytes // of a nested message
}

// phase is where in a multipart the reader is.
type phase uint8

const (
	phasePreamble phase = iota
	phaseParts
	phaseEpilogue
)

// childPath is the IMAP path of the entity that begins now (RFC 3501 6.4.5): a multipart that is the whole
// body of a message has the message's own path, a single part is number 1 of it.
func (p *Parser) childPath(multipart bool) string {
	prefix, number := "", 1
	if n := len(p.stack); n > 0 {
		top := &p.stack[n-1]
		prefix = top.path
		if top.message == nil {
			number, multipart = top.kids, false
		}
	}
	switch {
	case multipart:
		return prefix
	case prefix == "":
		return strconv.Itoa(number)
	}
	return prefix + "." + strconv.Itoa(number)
}

// delimiter acts on a boundary line: everything inside the part before it ends, and another part begins.
func (p *Parser) delimiter(d delimiter, line []byte) {
	if p.mode == modeSniff {
		p.sniffed(nil)
	}
	p.closeTo(d.level+1, true)
	f := &p.stack[d.level]
	if f.phase == phasePreamble {
		p.dropLeaf()
	} else {
		p.closeLeaf(true)
	}
	p.consume(line)
	if d.guessed != "" {
		f.guessed = d.guessed
		p.noteBoundaries()
		p.res.defect(DefectBoundaryGuessed)
	}
	if d.closing {
		f.phase = phaseEpilogue
		p.mode = modeBody
		return
	}
	if f.phase == phaseEpilogue {
		p.res.defect(DefectPartAfterEnd)
	}
	f.phase = phaseParts
	f.kids++
	p.beginHead()
}

// beginHead makes the next bytes the header of an entity.
func (p *Parser) beginHead() {
	p.head.reset(p.res.lim)
	p.mode = modeHead
}

// closeTo ends the frames from level on, inner ones first. atBoundary says that a boundary line follows, to
// which the line end before it belongs.
func (p *Parser) closeTo(level int, atBoundary bool) {
	for len(p.stack) > level {
		f := &p.stack[len(p.stack)-1]
		if f.message != nil {
			p.closeLeaf(atBoundary)
			p.closeMessage(f, atBoundary)
		} else {
			p.closeMultipart(f, atBoundary)
		}
		p.stack = p.stack[:len(p.stack)-1]
		p.noteBoundaries()
	}
}

// closeMultipart ends a multipart, with its last part if that is still open.
func (p *Parser) closeMultipart(f *frame, atBoundary bool) {
	switch f.phase {
	case phasePreamble:
		// Its boundary never came: what was read is salvaged as text.
		p.res.defect(DefectBoundaryNotFound)
	case phaseParts:
		p.res.defect(DefectEndMissing)
	}
	p.closeLeaf(atBoundary)
}

// openMultipart makes the entity the container of the next parts.
func (p *Parser) openMultipart(e entity) {
	kind := nodeSequence
	if e.media == "multipart/alternative" {
		kind = nodeAlternative
	}
	n := p.parentNode().add(kind)
	if e.boundary == "" {
		p.res.defect(DefectBoundaryMissing)
	}
	path := p.childPath(true)
	p.stack = append(p.stack, frame{media: e.media, boundary: e.boundary, path: path, node: n})
	p.noteBoundaries()
	p.mode = modeBody
	p.prev = '\n'
	// What comes before the first boundary is read as text, in case no boundary comes.
	p.openLeaf(entity{media: "text/plain", charset: e.charset, body: true, salvage: true})
}

// parentNode is where the texts of the next entity belong.
func (p *Parser) parentNode() *node {
	if n := len(p.stack); n > 0 {
		return p.stack[n-1].node
	}
	return p.node
}
