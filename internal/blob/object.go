package blob

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
)

// source is where a packed stream is read from.
type source interface {
	io.ReaderAt
	io.Closer
}

// object reads a packed stream.
type object struct {
	src  source
	idx  index
	seal *frameSeal // nil: the stream is not sealed

	mu     sync.Mutex
	closed bool
	frame  int     // which one is decoded
	raw    *buffer // the decoded frame, nil if there is none
}

// openObject takes over src, also when it fails.
func openObject(src source, size int64, key func(keys []byte) (*frameSeal, error)) (*object, error) {
	idx, err := readIndex(src, size)
	if err != nil {
		return nil, errors.Join(err, src.Close())
	}
	o := &object{src: src, idx: idx}
	if idx.keys == 0 {
		return o, nil
	}
	keys, start := make([]byte, idx.keys), int64(0)
	if len(idx.ends) > 0 {
		start = idx.ends[len(idx.ends)-1]
	}
	if err = readFull(src, keys, start); err == nil {
		o.seal, err = key(keys)
	}
	if err != nil {
		return nil, errors.Join(err, src.Close())
	}
	return o, nil
}

func (o *object) Size() int64 { return o.idx.raw }

func (o *object) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 {
		return 0, fmt.Errorf("read blob: negative offset %d", off)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	n := 0
	for n < len(p) && off < o.idx.raw {
		if err := o.load(int(off / frameSize)); err != nil {
			return n, err
		}
		m := copy(p[n:], o.raw.b[off%frameSize:])
		n += m
		off += int64(m)
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// load makes frame i the decoded one.
func (o *object) load(i int) error {
	if o.closed {
		return os.ErrClosed
	}
	if o.raw != nil && o.frame == i {
		return nil
	}
	o.drop()
	start, packedLen, rawLen := o.idx.frame(i)
	packed := newBuffer(packedLen - bufferSlack) // which has room for packedLen
	defer packed.free()
	packed.b = packed.b[:packedLen]
	if err := readFull(o.src, packed.b, start); err != nil {
		return fmt.Errorf("read frame %d: %w", i, err)
	}
	frame := packed.b
	if o.seal != nil {
		var err error
		if frame, err = o.seal.unseal(i, frame); err != nil {
			return err
		}
	}
	raw, err := decodePooled(frame, rawLen)
	if err != nil {
		return fmt.Errorf("frame %d: %w", i, err)
	}
	o.frame, o.raw = i, raw
	return nil
}

// decodePooled decodes a frame of a stream into a pooled buffer.
func decodePooled(packed []byte, want int) (*buffer, error) {
	n, err := rawSize(packed)
	if err != nil {
		return nil, err
	}
	if n != uint64(want) {
		return nil, fmt.Errorf("%w: frame of %d bytes, %d expected", ErrCorrupt, n, want)
	}
	buf := newBuffer(want)
	raw, err := decodeFrame(buf.b, packed, want)
	if err != nil {
		buf.free()
		return nil, err
	}
	buf.b = raw
	return buf, nil
}

func (o *object) drop() {
	o.raw.free()
	o.raw = nil
}

// Close gives the buffer back. Reads that come later fail; closing again is harmless.
func (o *object) Close() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return nil
	}
	o.closed = true
	o.drop()
	return o.src.Close()
}
