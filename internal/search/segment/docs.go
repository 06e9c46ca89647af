package segment

import (
	"encoding/binary"
	"math/bits"
)

// document is an entry of the document blocks: distance to the one before, mask of the fields it has, a size byte for
// each.
type document struct {
	seq   int64
	sizes [Fields]byte
}

// maxDocEntry is the most bytes of an entry.
const maxDocEntry = binary.MaxVarintLen64 + 1 + Fields

// docWriter writes the document blocks, newest document first. A block stands by itself: its first entry has distance 0
// from the seq that the head has for it.
type docWriter struct {
	o      *output
	firsts []int64 // of every block
	last   int64
	holes  holeWriter
}

func (w *docWriter) begin() {
	w.firsts = w.firsts[:0]
	w.holes.begin()
}

func (w *docWriter) add(d document) error {
	o := w.o
	if o.meta.Docs >= MaxDocuments {
		return ErrTooLarge
	}
	if o.meta.Docs > 0 && d.seq >= o.meta.MinSeq {
		return corrupt("document %d after %d", d.seq, o.meta.MinSeq)
	}
	if o.meta.Docs > 0 {
		w.holes.between(o.meta.MinSeq, d.seq)
	}
	s := &o.out[docBlock]
	if len(s.buf)+maxDocEntry > smallBlock {
		if err := o.flush(docBlock); err != nil {
			return err
		}
	}
	if len(s.buf) == 0 {
		w.firsts = append(w.firsts, d.seq)
		w.last = d.seq
	}
	s.buf = appendDocument(s.buf, d, w.last)
	w.last = d.seq
	o.meta.Docs++
	o.meta.MaxSeq = max(o.meta.MaxSeq, d.seq)
	o.meta.MinSeq = min(o.meta.MinSeq, d.seq)
	return nil
}

func appendDocument(dst []byte, d document, last int64) []byte {
	dst = binary.AppendUvarint(dst, uint64(last)-uint64(d.seq))
	at := len(dst)
	dst = append(dst, 0)
	for f, size := range d.sizes {
		if size != 0 {
			dst[at] |= 1 << f
			dst = append(dst, size)
		}
	}
	return dst
}

// appendTop writes the first document of every block.
func (w *docWriter) appendTop(head []byte) []byte {
	head = binary.AppendUvarint(head, uint64(len(w.firsts)))
	last := w.o.meta.MaxSeq
	for _, first := range w.firsts {
		head = binary.AppendUvarint(head, uint64(last)-uint64(first))
		last = first
	}
	return head
}

// docReader walks the entries of one block.
type docReader struct {
	d     decoder
	least int64
	cur   document
	first bool
}

func newDocReader(block []byte, first, least int64) docReader {
	return docReader{d: decoder{b: block}, least: least, cur: document{seq: first}, first: true}
}

// next reads an entry; false at the end of the block.
func (r *docReader) next() (bool, error) {
	if r.d.i == len(r.d.b) && !r.d.bad {
		return false, nil
	}
	distance := r.d.uvarint()
	seq, ok := below(r.cur.seq, distance, r.least)
	if !ok || (distance == 0) != r.first {
		return false, corrupt("order of documents")
	}
	r.first = false
	r.cur = document{seq: seq}
	mask := r.d.byte()
	sizes := r.d.bytes(bits.OnesCount8(mask))
	if r.d.bad {
		return false, corrupt("document entry")
	}
	for _, size := range sizes {
		r.cur.sizes[bits.TrailingZeros8(mask)] = size
		mask &= mask - 1
	}
	return true, nil
}
