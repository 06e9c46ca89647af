package segment

import "context"

// open finds the groups of the list; a short list has its postings in the dictionary.
func (p *Postings) open(ctx context.Context) error {
	m := p.v.r.meta
	l := &p.list
	p.opened = true
	if p.decoded == nil {
		p.decoded = new(decoded)
	}
	if l.docs <= inlineDocs && !l.apart {
		p.openInline()
		return nil
	}
	if l.docs == 0 {
		return nil
	}
	whole := skip{base: m.MaxSeq, low: noDoc, docs: l.docs, post: l.post, postLen: l.postLen, pos: l.pos,
		posLen: l.posLen}
	if l.docs <= groupDocs {
		p.groups = append(p.groups[:0], whole)
		return nil
	}
	size := int64(l.superLen)
	if size > l.postLen {
		return corrupt("table of groups")
	}
	whole.postLen -= size
	b, err := p.v.window(ctx, postingBlock, l.post+whole.postLen, int(size))
	if err != nil {
		return err
	}
	var used int
	p.groups, used, err = appendSkips(p.groups[:0], b, whole, groupDocs, m.MinSeq)
	if err == nil && used != len(b) {
		err = corrupt("table of groups")
	}
	return err
}

// openGroup reads the table of chunks.
func (p *Postings) openGroup(ctx context.Context, g skip) error {
	if g.docs <= chunkDocs {
		p.chunks = append(p.chunks[:0], g)
		return nil
	}
	n := (g.docs + chunkDocs - 1) / chunkDocs
	b, err := p.v.window(ctx, postingBlock, g.post, int(min(int64(n*maxSkip), g.postLen)))
	if err != nil {
		return err
	}
	p.chunks, _, err = appendSkips(p.chunks[:0], b, g, chunkDocs, p.v.r.meta.MinSeq)
	return err
}

// appendSkips reads the table of what a list or group consists of, parts of size documents each. The table of a group
// lies before its chunks, that of a list after its groups; both must add up to the whole.
func appendSkips(dst []skip, table []byte, whole skip, size int, least int64) ([]skip, int, error) {
	d := decoder{b: table}
	base, post, pos := whole.base, int64(0), int64(0)
	for docs := whole.docs; docs > 0; docs -= size {
		low, ok := below(base, d.uvarint(), least)
		s := skip{base: base, low: low, docs: min(docs, size), post: post, pos: whole.pos + pos}
		s.postLen, s.posLen = d.number(whole.postLen-post), d.number(whole.posLen-pos)
		if d.bad || !ok {
			return dst, 0, corrupt("skip table")
		}
		dst = append(dst, s)
		base, post, pos = low, post+s.postLen, pos+s.posLen
	}
	start := whole.post
	if size == chunkDocs {
		start += int64(d.i)
		post += int64(d.i)
	}
	if post != whole.postLen || pos != whole.posLen || whole.low != noDoc && whole.low != base {
		return dst, 0, corrupt("skip table does not add up")
	}
	for i := range dst {
		dst[i].post += start
	}
	return dst, d.i, nil
}

// load decodes a chunk.
func (p *Postings) load(ctx context.Context, c skip) error {
	if err := p.v.work.spend(ctx, 1); err != nil {
		return err
	}
	if c.postLen > maxChunk {
		return corrupt("chunk of %d bytes", c.postLen)
	}
	b, err := p.v.window(ctx, postingBlock, c.post, int(c.postLen))
	if err != nil {
		return err
	}
	if err := p.decode(b, c); err != nil {
		return err
	}
	p.n, p.i = c.docs, 0
	p.starts = positionStart{offset: c.pos, chunk: c.pos}
	return nil
}

func (p *Postings) decode(b []byte, c skip) error {
	p.n = 0
	n := c.docs
	d := decoder{b: b}
	first := d.uvarint()
	dw, fw := int(d.byte()), int(d.byte())
	same := fw&sameMask != 0
	fw &^= sameMask
	if dw > 32 && dw != 64 || fw > 16 {
		return corrupt("widths of a chunk")
	}
	distances, freqs := d.bytes(packedSize(n-1, dw)), d.bytes(packedSize(n, fw))
	masks := n
	if same {
		masks = 1
	}
	mask := d.bytes(masks)
	if d.bad || d.i != len(b) {
		return corrupt("chunk of %d documents in %d bytes", n, len(b))
	}
	var values [chunkDocs]uint64
	unpack(values[:n-1], distances, dw)
	if !p.setSeqs(values[:n-1], first, c) {
		return corrupt("order of postings")
	}
	unpack(values[:n], freqs, fw)
	for i := range n {
		p.freqs[i] = uint16(values[i])
		p.masks[i] = mask[min(i, masks-1)]
		if p.masks[i] == 0 {
			return corrupt("posting without a field")
		}
	}
	return nil
}

// setSeqs adds the distances up. The sum must not pass the chunk's lowest document, nor may any step wrap around.
func (p *Postings) setSeqs(distances []uint64, first uint64, c skip) bool {
	least := p.v.r.meta.MinSeq
	seq, ok := below(c.base, first, least)
	if !ok || first == 0 && c.base != p.v.r.meta.MaxSeq {
		return false
	}
	p.seqs[0] = seq
	for i, distance := range distances {
		if distance >= uint64(seq-least) {
			return false
		}
		seq -= int64(distance) + 1
		p.seqs[i+1] = seq
	}
	return c.low == noDoc || c.low == seq
}

// openInline takes the postings out of the dictionary entry.
func (p *Postings) openInline() {
	for i, q := range p.list.few[:p.list.docs] {
		p.seqs[i], p.masks[i], p.freqs[i] = q.seq, q.mask, uint16(q.freq-1)
	}
	p.n, p.i = p.list.docs, 0
	p.starts = positionStart{offset: p.list.pos, chunk: p.list.pos}
}
