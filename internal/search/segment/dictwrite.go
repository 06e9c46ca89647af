package segment

import (
	"encoding/binary"
	"math/bits"
)

const (
	restartEvery = 32
	inlineDocs   = 4
	// maxEntry is the most bytes that one dictionary entry, its restart offsets and its place in the trailer take.
	maxEntry = 4 + MaxTerm + 14*binary.MaxVarintLen64 + inlineDocs*(binary.MaxVarintLen64+4) + 2
)

// dictWriter writes the dictionary and its index. A block is entries and then a trailer: the offset of each restart and
// their number, two bytes each.
type dictWriter struct {
	o        *output
	last     [MaxTerm]byte
	lastLen  int
	entries  int // in the open block
	restarts []int
	blocks   int        // dictionary blocks begun
	top      []topEntry // of every index block
}

// topEntry is the first dictionary block that an index block names.
type topEntry struct {
	term  []byte
	place int
}

// list is where a term's postings and positions are, and how many documents it is in.
type list struct {
	docs      int
	post, pos int64 // offsets in the streams
	postLen   int64
	posLen    int64
	superLen  int                 // of the table of groups at the end of the postings
	few       [inlineDocs]posting // the postings themselves when they are few

	lacks      int   // runs of Seqs that lack the term, after its postings
	lacksMask  byte  // the fields that count there; 0 where no runs are kept
	lacksUnion byte  // all fields that the term is in
	lacksLen   int64 // of those runs
	lacksSuper int   // and of their table of groups
	apart      bool  // it is such runs, and not in the dictionary even when they are few
}

func (w *dictWriter) begin() {
	w.restarts, w.top = w.restarts[:0], w.top[:0]
	w.entries, w.blocks, w.lastLen = 0, 0, 0
}

// add writes an entry; terms come in order.
func (w *dictWriter) add(term []byte, l *list) error {
	s := &w.o.out[dictBlock]
	if len(s.buf)+2*len(w.restarts)+2+maxEntry > smallBlock {
		if err := w.closeBlock(); err != nil {
			return err
		}
	}
	if len(s.buf) == 0 {
		if err := w.index(term); err != nil {
			return err
		}
	}
	shared := 0
	buf := s.buf
	if w.entries%restartEvery == 0 {
		w.restarts = append(w.restarts, len(buf))
		buf = binary.AppendUvarint(buf, uint64(l.post))
		buf = binary.AppendUvarint(buf, uint64(l.pos))
	} else {
		shared = sharedPrefix(w.last[:w.lastLen], term)
	}
	buf = appendTerm(buf, shared, term[shared:])
	s.buf = appendList(buf, l, w.o.meta.MaxSeq)
	w.lastLen = copy(w.last[:], term)
	w.entries++
	return nil
}

func sharedPrefix(a, b []byte) int {
	n := min(len(a), len(b))
	i := 0
	for ; i+8 <= n; i += 8 {
		if x := binary.LittleEndian.Uint64(a[i:]) ^ binary.LittleEndian.Uint64(b[i:]); x != 0 {
			return i + bits.TrailingZeros64(x)/8
		}
	}
	for i < n && a[i] == b[i] {
		i++
	}
	return i
}

// appendTerm writes two lengths in a byte, each followed by the rest if it is 15 or more.
func appendTerm(dst []byte, shared int, suffix []byte) []byte {
	dst = append(dst, byte(min(shared, 15)<<4|min(len(suffix), 15)))
	if shared >= 15 {
		dst = append(dst, byte(shared-15))
	}
	if len(suffix) >= 15 {
		dst = append(dst, byte(len(suffix)-15))
	}
	return append(dst, suffix...)
}

func appendList(dst []byte, l *list, base int64) []byte {
	dst = binary.AppendUvarint(dst, uint64(l.docs))
	dst = binary.AppendUvarint(dst, uint64(l.posLen))
	if l.docs <= inlineDocs {
		return appendInline(dst, l.few[:l.docs], base)
	}
	dst = binary.AppendUvarint(dst, uint64(l.postLen))
	if l.docs > groupDocs {
		dst = binary.AppendUvarint(dst, uint64(l.superLen))
	}
	if l.docs >= lacksDocs {
		dst = appendLacks(dst, l)
	}
	return dst
}

// appendLacks writes where the runs are, beginning with the fields that count; 0 where there are none.
func appendLacks(dst []byte, l *list) []byte {
	dst = append(dst, l.lacksMask)
	if l.lacksMask == 0 {
		return dst
	}
	dst = append(dst, l.lacksUnion)
	dst = binary.AppendUvarint(dst, uint64(l.lacks))
	dst = binary.AppendUvarint(dst, uint64(l.lacksLen))
	if l.lacks > groupDocs {
		dst = binary.AppendUvarint(dst, uint64(l.lacksSuper))
	}
	return dst
}

// index notes the first term of a new dictionary block. The shortest prefix that is above the last term would do; a
// whole term is kept because merges and fuzzing check the order by it.
func (w *dictWriter) index(term []byte) error {
	s := &w.o.out[indexBlock]
	if len(s.buf)+2+MaxTerm > smallBlock {
		if err := w.o.flush(indexBlock); err != nil {
			return err
		}
	}
	if len(s.buf) == 0 {
		w.top = append(w.top, topEntry{term: append([]byte(nil), term...), place: w.blocks})
	}
	s.buf = append(s.buf, byte(len(term)))
	s.buf = append(s.buf, term...)
	w.blocks++
	return nil
}

func (w *dictWriter) closeBlock() error {
	w.trailer()
	return w.o.flush(dictBlock)
}

func (w *dictWriter) trailer() {
	s := &w.o.out[dictBlock]
	for _, at := range w.restarts {
		s.buf = binary.LittleEndian.AppendUint16(s.buf, uint16(at))
	}
	s.buf = binary.LittleEndian.AppendUint16(s.buf, uint16(len(w.restarts)))
	w.restarts, w.entries = w.restarts[:0], 0
}

func (w *dictWriter) finish() {
	if len(w.o.out[dictBlock].buf) > 0 {
		w.trailer()
	}
}

// appendTop writes the first term of every index block.
func (w *dictWriter) appendTop(head []byte) []byte {
	head = binary.AppendUvarint(head, uint64(len(w.top)))
	for _, t := range w.top {
		head = append(head, byte(len(t.term)))
		head = append(head, t.term...)
		head = binary.AppendUvarint(head, uint64(t.place))
	}
	return head
}
