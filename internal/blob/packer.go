package blob

// packer turns raw bytes into a packed stream. It hands on a frame as soon as it is full and holds nothing but the
// bytes of the unfinished one.
type packer struct {
	emit func([]byte) error // the slice is only lent
	raw  *buffer
	lens []uint32
	size int64
	seal *frameSeal // nil: the stream is not sealed
	keys []byte     // of a sealed one, before the last flush
}

func (p *packer) Write(b []byte) (int, error) {
	n := len(b)
	for len(b) > 0 {
		part := b[:min(len(b), frameSize-p.gathered())]
		p.gather(part)
		b = b[len(part):]
		if p.gathered() < frameSize {
			break
		}
		if err := p.flush(false); err != nil {
			return n - len(b), err
		}
	}
	return n, nil
}

func (p *packer) gathered() int {
	if p.raw == nil {
		return 0
	}
	return len(p.raw.b)
}

func (p *packer) gather(b []byte) {
	if p.raw == nil {
		p.raw = newBuffer(len(b))
	}
	p.raw = p.raw.grown(len(p.raw.b) + len(b))
	p.raw.b = append(p.raw.b, b...)
	p.size += int64(len(b))
}

// flush hands on what is gathered as a frame; the last time with the index, so that a message of one frame is one
// write.
func (p *packer) flush(last bool) error {
	out := newBuffer(p.gathered())
	defer out.free()
	if p.gathered() > 0 {
		out.b = encodeFrame(out.b, p.raw.b)
		if p.seal != nil {
			out.b = p.seal.Seal(out.b[:0], frameNonce(len(p.lens)), out.b, nil)
		}
		p.lens = append(p.lens, uint32(len(out.b)))
		p.raw.b = p.raw.b[:0]
	}
	if last {
		out.b = append(out.b, p.keys...)
		out.b = appendTail(out.b, p.lens, p.size, p.seal != nil)
	}
	return p.emit(out.b)
}

// release gives the buffer back; the packer is done with then.
func (p *packer) release() {
	p.raw.free()
	p.raw = nil
}
