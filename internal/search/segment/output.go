package segment

import (
	"encoding/binary"
	"fmt"
	"math"
)

// headRoom is how large a head may become by taking in unfinished blocks.
const headRoom = 32 << 10

// output writes a segment: full blocks as they come, the head at the end. Documents are written before terms.
type output struct {
	w      Writer
	id     ID
	meta   Meta
	tokens [Fields]uint64
	out    [kinds]stream

	head []byte
	docs docWriter
	dict dictWriter
	list listWriter
}

// stream is the open block of one kind.
type stream struct {
	buf  []byte
	full int   // blocks written
	size int64 // bytes before buf
}

// offset is where the next byte will be, counted over all blocks of the stream.
func (s *stream) offset() int64 { return s.size + int64(len(s.buf)) }

func newOutput() *output {
	o := &output{}
	o.docs.o, o.dict.o, o.list.o, o.list.lacks.o = o, o, o, o
	return o
}

// begin makes it ready for a segment; the buffers of the last one are used again.
func (o *output) begin(w Writer, id ID) {
	o.w, o.id = w, id
	o.meta = Meta{MinSeq: math.MaxInt64}
	o.tokens = [Fields]uint64{}
	for k := range o.out {
		o.out[k] = stream{buf: o.out[k].buf[:0]}
	}
	o.docs.begin()
	o.dict.begin()
}

// write appends to a kind whose content runs on over the borders of its blocks.
func (o *output) write(k kind, b []byte) error {
	s := &o.out[k]
	for len(s.buf)+len(b) > streamBlock {
		n := streamBlock - len(s.buf)
		s.buf = append(s.buf, b[:n]...)
		b = b[n:]
		if err := o.flush(k); err != nil {
			return err
		}
	}
	s.buf = append(s.buf, b...)
	return nil
}

// flush writes the open block of a kind and begins the next.
func (o *output) flush(k kind) error {
	s := &o.out[k]
	if s.full >= maxPlace {
		return ErrTooLarge
	}
	n := len(s.buf)
	sealed, err := o.put(k.number(s.full), s.buf)
	if err != nil {
		return err
	}
	s.buf = sealed[:0]
	s.full++
	s.size += int64(n)
	return nil
}

// put writes one block and gives back the buffer, which may have grown.
func (o *output) put(n int, payload []byte) ([]byte, error) {
	sealed := seal(o.id, n, payload)
	if err := o.w.WriteBlock(n, sealed); err != nil {
		return nil, fmt.Errorf("write block %d of segment %d: %w", n, o.id.Segment, err)
	}
	o.meta.Blocks++
	o.meta.Bytes += int64(len(sealed))
	return sealed, nil
}

// finish writes what is still open. Without documents nothing was written and nothing will be.
func (o *output) finish() (Meta, error) {
	if o.meta.Docs == 0 {
		return Meta{}, nil
	}
	o.dict.finish()
	head := o.appendHead(o.head[:0])
	room := headRoom - len(head)
	for k := indexBlock; k < kinds; k++ {
		if n := len(o.out[k].buf); n <= room {
			room -= n
		} else if err := o.flush(k); err != nil {
			return Meta{}, err
		}
	}
	for k := indexBlock; k < kinds; k++ {
		s := &o.out[k]
		head = binary.AppendUvarint(head, uint64(s.full))
		head = binary.AppendUvarint(head, uint64(len(s.buf)))
	}
	for k := indexBlock; k < kinds; k++ {
		head = append(head, o.out[k].buf...)
	}
	if len(head) > maxPayload {
		return Meta{}, ErrTooLarge
	}
	var err error
	if o.head, err = o.put(headBlock.number(0), head); err != nil {
		return Meta{}, err
	}
	return o.meta, nil
}

// appendHead returns the part of the head before the table of blocks.
func (o *output) appendHead(head []byte) []byte {
	head = append(head, formatVersion)
	head = binary.AppendUvarint(head, uint64(o.meta.Docs))
	head = binary.AppendVarint(head, o.meta.MinSeq)
	head = binary.AppendVarint(head, o.meta.MaxSeq)
	for _, n := range o.tokens {
		head = binary.AppendUvarint(head, n)
	}
	head = o.docs.appendTop(head)
	return o.dict.appendTop(head)
}
