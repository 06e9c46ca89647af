package rfc822

import (
	"crypto/sha256"
	"hash"
)

// messageBytes follows the raw bytes of a nested message, which is an attachment as a whole.
type messageBytes struct {
	part int
	hash hash.Hash
	size int64
	hold lineEndHold
}

func (m *messageBytes) write(b []byte) {
	held, b := m.hold.pass(b)
	m.take(held)
	m.take(b)
}

func (m *messageBytes) take(b []byte) {
	if len(b) > 0 {
		m.size += int64(len(b))
		m.hash.Write(b)
	}
}

// openMessage begins a nested message: its header comes next.
func (p *Parser) openMessage(e entity) {
	e.path = p.childPath(false)
	n := p.messageNode()
	m := &messageBytes{part: p.res.addPart(p.part(e)), hash: sha256.New()}
	p.stack = append(p.stack, frame{media: e.media, path: e.path, node: n, message: m})
	p.res.messages++
	p.beginHead()
}

// messageNode is where a nested message's texts belong. What a report returns is evidence and not something
// that anybody says in this message (RFC 6522 3).
func (p *Parser) messageNode() *node {
	kind := nodeMessage
	if n := len(p.stack); n > 0 && p.stack[n-1].media == "multipart/report" {
		kind = nodeReturned
	}
	return p.parentNode().add(kind)
}

func (p *Parser) closeMessage(f *frame, atBoundary bool) {
	m := f.message
	if !atBoundary {
		m.take(m.hold.flush())
	}
	part := &p.res.msg.Parts[m.part]
	part.Length, part.Size = m.size, m.size
	m.hash.Sum(part.SHA256[:0])
	p.res.messages--
}

// nameMessage names the message that a header belongs to by its subject, if it has no file name.
func (p *Parser) nameMessage(h Header) {
	number := p.around
	if n := len(p.stack); n > 0 {
		if p.stack[n-1].message == nil {
			return
		}
		number = p.stack[n-1].message.part
	}
	if number < 0 {
		return
	}
	part := &p.res.msg.Parts[number]
	if part.Filename == "" {
		part.Filename = messageFilename(h.First("Subject"))
	}
}

// openContainer begins a message or multipart that is encoded as a whole, which RFC 2045 6.4 forbids. Another
// parser reads what it decodes to.
func (p *Parser) openContainer(e entity) {
	message := isMessage(e.media)
	e.path = p.childPath(!message)
	p.mode = modeBody
	n := p.parentNode()
	if message {
		n = p.messageNode()
	}
	inner := &Parser{res: p.res, prev: '\n', base: p.base + len(p.stack) + 1, node: n, around: -1}
	inner.head.reset(p.res.lim)
	p.leaf = leaf{entity: e, res: p.res, offset: p.pos, dec: newDecoder(e.encoding), part: -1, inner: inner}
	p.opened = true
	l := &p.leaf
	if message {
		l.part = p.res.addPart(p.part(e))
		l.hash = sha256.New()
		inner.around = l.part
	}
	l.first = len(p.res.msg.Parts)
	if !message {
		e.encoding = Identity
		inner.openMultipart(e)
	}
}

// closeContainer ends the inner parser and says of its parts where they are in the raw message. In a container
// inside a container they cannot be named: there only the texts are found.
func (p *Parser) closeContainer(l *leaf) {
	l.inner.finish()
	if p.base > 0 {
		p.res.msg.Parts = p.res.msg.Parts[:l.first]
	}
	for i := l.first; i < len(p.res.msg.Parts); i++ {
		part := &p.res.msg.Parts[i]
		part.Inner = &Window{Offset: part.Offset, Length: part.Length, Encoding: part.Encoding}
		part.Offset, part.Length, part.Encoding = l.offset, l.raw, l.encoding
		part.Path = joinPath(l.path, part.Path)
	}
}

// joinPath puts a path inside a container after the container's.
func joinPath(outer, inner string) string {
	if outer == "" || inner == "" {
		return outer + inner
	}
	return outer + "." + inner
}
