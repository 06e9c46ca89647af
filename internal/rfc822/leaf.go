package rfc822

import (
	"crypto/sha256"
	"hash"
)

// leaf is the open body that has no parts of its own. Its bytes are decoded and go to the readers that want them: the
// hash of an attachment, the text kept of a body, or the parser of an encoded container.
type leaf struct {
	entity
	res    *result
	offset int64 // of its first byte in what the parser reads
	raw    int64 // bytes written, without those held
	hold   lineEndHold
	dec    decoder
	out    []byte // decoded bytes on their way
	size   int64

	skim  bool // its bytes are counted and not decoded
	part  int  // its number in result.parts, -1 for none
	hash  hash.Hash
	text  *capture
	uu    *uuScanner
	inner *Parser // of an encoded container
	first int     // number of the first part inside it
}

// openLeaf begins a leaf.
func (p *Parser) openLeaf(e entity) {
	out := p.leaf.out[:0] // the buffer is used again
	p.leaf = leaf{entity: e, res: p.res, offset: p.pos, dec: newDecoder(e.encoding), out: out, part: -1}
	p.opened = true
	l := &p.leaf
	if e.body {
		n := p.parentNode().add(bodyKind(e.media))
		l.text = p.res.capture(n, e)
		if e.media == "text/plain" && !e.salvage && (p.base == 0 || e.encoding == Identity) {
			p.uu = uuScanner{leaf: l}
			l.uu = &p.uu
		}
		return
	}
	if p.isVariant(e) {
		return
	}
	l.part = p.res.addPart(p.part(e))
	l.text = p.res.fallback(e, p.root && len(p.stack) == 0)
	if l.skim = p.res.lim.Skim && l.text == nil; !l.skim {
		l.hash = sha256.New()
	}
}

func bodyKind(media string) nodeKind {
	if media == "text/html" {
		return nodeHTML
	}
	return nodePlain
}

// isVariant says whether a part is only another rendering of the body, for one kind of reader.
//
// QUIRK: newsletters carry AMP and watch versions next to plain text and HTML; nobody attached them.
func (p *Parser) isVariant(e entity) bool {
	n := len(p.stack)
	return n > 0 && p.stack[n-1].media == "multipart/alternative" && e.disposition != "attachment" &&
		(e.media == "text/x-amp-html" || e.media == "text/watch-html")
}

// part is what is known of an attachment before its bytes.
func (p *Parser) part(e entity) Part {
	disposition := e.disposition
	if disposition != "attachment" && disposition != "inline" {
		disposition = "attachment"
		n := len(p.stack)
		related := n > 0 && (p.stack[n-1].media == "multipart/related" || p.stack[n-1].media == "multipart/alternative")
		// An unnamed calendar is an invitation, which says the same as the text.
		unnamed := e.filename == "" && (e.contentID != "" || e.media == "text/calendar")
		if e.disposition == "" && (related || unnamed) {
			disposition = "inline"
		}
	}
	return Part{
		Path: e.path, ContentType: e.media, Charset: e.charset, Filename: e.filename,
		Disposition: disposition, ContentID: e.contentID, Offset: p.pos, Encoding: e.encoding,
	}
}

// write takes raw bytes of the body.
func (l *leaf) write(b []byte) {
	held, b := l.hold.pass(b)
	l.raw += int64(len(held) + len(b))
	l.decode(held)
	l.decode(b)
}

func (l *leaf) decode(b []byte) {
	if len(b) == 0 || l.skim {
		return
	}
	if l.dec == nil {
		l.emit(b)
		return
	}
	// In pieces, so that the buffer stays small however large the write is.
	for len(b) > 0 {
		n := min(len(b), decodeChunk)
		l.out = l.dec.decode(l.out[:0], b[:n])
		b = b[n:]
		l.emit(l.out)
	}
}

// emit hands decoded bytes on.
func (l *leaf) emit(b []byte) {
	if len(b) == 0 {
		return
	}
	l.size += int64(len(b))
	if l.hash != nil {
		l.hash.Write(b)
	}
	switch {
	case l.inner != nil:
		_, _ = l.inner.Write(b)
	case l.uu != nil:
		l.uu.write(b)
	case l.text != nil:
		l.text.write(b)
	}
}

// closeLeaf ends the open leaf. The line end before a boundary is not the leaf's.
func (p *Parser) closeLeaf(atBoundary bool) {
	if !p.opened {
		return
	}
	p.opened = false
	l := &p.leaf
	if !atBoundary {
		held := l.hold.flush()
		l.raw += int64(len(held))
		l.decode(held)
	}
	if l.dec != nil && !l.skim {
		l.out = l.dec.flush(l.out[:0])
		l.emit(l.out)
		if d, ok := l.dec.(*base64Decoder); ok && d.garbage {
			p.res.defect(DefectBase64)
		}
	}
	if l.uu != nil {
		l.uu.finish()
	}
	if l.text != nil {
		l.text.finish()
	}
	if l.part >= 0 {
		part := &p.res.msg.Parts[l.part]
		part.Length, part.Size = l.raw, l.size
		if !l.skim {
			l.hash.Sum(part.SHA256[:0])
		}
	}
	if l.inner != nil {
		p.closeContainer(l)
		return
	}
	p.res.msg.DecodedSize += l.size
}

// dropLeaf forgets a preamble: the boundary has come.
func (p *Parser) dropLeaf() {
	if !p.opened {
		return
	}
	p.opened = false
	if l := &p.leaf; l.text != nil {
		l.text.drop()
	}
}

// lineEndHold keeps back a line end at the end of the bytes so far, because it is not part of the body if a
// boundary comes next (RFC 2046 5.1.1).
type lineEndHold struct {
	held [2]byte
	n    int
	out  [2]byte // what pass gave of held
}

// pass returns the bytes that are certain now: those held before, then those of b.
func (h *lineEndHold) pass(b []byte) (held, certain []byte) {
	if h.n == 1 && h.held[0] == '\r' && len(b) > 0 && b[0] == '\n' {
		if len(b) == 1 {
			h.held[1], h.n = '\n', 2
			return nil, nil
		}
		h.held[1], h.n = '\n', 2
		b = b[1:]
	} else if len(b) == 0 {
		return nil, nil
	}
	h.out = h.held
	held = h.out[:h.n]
	n := len(b)
	if n > 0 && b[n-1] == '\n' {
		n--
	}
	if n > 0 && b[n-1] == '\r' {
		n--
	}
	h.n = copy(h.held[:], b[n:])
	return held, b[:n]
}

// flush returns what is held, at the end of the message.
func (h *lineEndHold) flush() []byte {
	n := h.n
	h.n = 0
	return h.held[:n]
}
