package segment

import (
	"encoding/binary"
	"math/bits"
)

const (
	chunkDocs   = 128
	groupChunks = 64
	groupDocs   = chunkDocs * groupChunks
	maxChunk    = binary.MaxVarintLen64 + 2 + chunkDocs*(8+8+1)
	maxSkip     = 3 * binary.MaxVarintLen64
	maxSuper    = 1 << 20

	sameMask = 0x80 // in a chunk's second byte: all documents have the mask that follows
)

// posting is a document of a term: in which fields, and how often.
type posting struct {
	seq  int64
	mask byte
	freq uint32
}

// listWriter writes the postings of one term after the other. The positions of a document are written to their stream
// between its add and the next.
type listWriter struct {
	o     *output
	docs  int
	base  int64 // seq before the open chunk
	limit int64 // the next posting is not above it

	n    int
	open [chunkDocs]posting

	chunks, dir []byte // of the open group
	count       int    // of chunks in it
	groupBase   int64
	super       []byte
	groups      int

	post, pos          int64 // where the term began
	chunkPos, groupPos int64 // where chunk and group began in the positions
	done               list
	lacks              lackWriter
	apart              bool // the runs of a list are being written
}

// begin takes how many documents there will be at most.
func (w *listWriter) begin(most int) {
	w.apart = false
	w.lacks.begin(most)
	w.restart()
}

func (w *listWriter) restart() {
	w.docs, w.n, w.count, w.groups = 0, 0, 0, 0
	w.base = w.o.meta.MaxSeq
	w.groupBase, w.limit = w.base, w.base
	w.chunks, w.dir, w.super = w.chunks[:0], w.dir[:0], w.super[:0]
	w.post, w.pos = w.o.out[postingBlock].offset(), w.o.out[positionBlock].offset()
	w.chunkPos, w.groupPos = w.pos, w.pos
}

func (w *listWriter) add(p posting) error {
	if w.n == chunkDocs {
		w.closeChunk()
		if w.count == groupChunks {
			if err := w.closeGroup(); err != nil {
				return err
			}
		}
	}
	if p.seq > w.limit {
		return corrupt("posting %d after %d", p.seq, w.limit)
	}
	w.limit = p.seq - 1
	w.open[w.n] = p
	w.n++
	w.docs++
	return nil
}

// end returns the finished list, valid until the next begin.
func (w *listWriter) end() (*list, error) {
	l := &w.done
	*l = list{docs: w.docs, post: w.post, pos: w.pos, posLen: w.o.out[positionBlock].offset() - w.pos}
	if w.docs <= inlineDocs {
		copy(l.few[:], w.open[:w.n])
		return l, nil
	}
	var err error
	if l.superLen, err = w.closeList(); err != nil {
		return nil, err
	}
	l.postLen = w.o.out[postingBlock].offset() - w.post
	if runs, ok := w.lacks.end(w.docs); ok {
		err = w.writeLacks(l, runs)
	}
	return l, err
}

// closeList writes what is open, and the table of groups where there are several; it gives the size of that.
func (w *listWriter) closeList() (int, error) {
	w.closeChunk()
	if err := w.closeGroup(); err != nil || w.groups == 1 {
		return 0, err
	}
	if len(w.super) > maxSuper {
		return 0, ErrTooLarge
	}
	return len(w.super), w.o.write(postingBlock, w.super)
}

// writeLacks writes the runs as a list of their own after the term's.
func (w *listWriter) writeLacks(l *list, runs []posting) error {
	w.apart = true
	w.restart()
	l.lacks, l.lacksMask, l.lacksUnion = len(runs), w.lacks.mask, w.lacks.union
	for _, r := range runs {
		if err := w.add(r); err != nil {
			return err
		}
	}
	if len(runs) == 0 {
		return nil
	}
	var err error
	l.lacksSuper, err = w.closeList()
	l.lacksLen = w.o.out[postingBlock].offset() - w.post
	return err
}

// appendInline writes a few postings: distance, then frequency with the field, or with a mask if there are several.
func appendInline(dst []byte, ps []posting, base int64) []byte {
	for _, p := range ps {
		dst = binary.AppendUvarint(dst, uint64(base)-uint64(p.seq))
		base = p.seq
		head := uint64(p.freq-1) << 4
		if bits.OnesCount8(p.mask) == 1 {
			dst = binary.AppendUvarint(dst, head|uint64(bits.TrailingZeros8(p.mask)))
		} else {
			dst = append(binary.AppendUvarint(dst, head|8), p.mask)
		}
	}
	return dst
}

func (w *listWriter) closeChunk() {
	if !w.apart {
		w.lacks.chunk(w.open[:w.n])
	}
	at := len(w.chunks)
	w.chunks = appendChunk(w.chunks, w.open[:w.n], w.base)
	low := w.open[w.n-1].seq
	here := w.o.out[positionBlock].offset()
	w.dir = appendSkip(w.dir, uint64(w.base)-uint64(low), len(w.chunks)-at, here-w.chunkPos)
	w.base, w.chunkPos, w.n = low, here, 0
	w.count++
}

// closeGroup writes a group: its skip table, if it has more than one chunk, and the chunks.
func (w *listWriter) closeGroup() error {
	if w.count == 1 {
		w.dir = w.dir[:0]
	}
	size := len(w.dir) + len(w.chunks)
	if err := w.o.write(postingBlock, w.dir); err != nil {
		return err
	}
	if err := w.o.write(postingBlock, w.chunks); err != nil {
		return err
	}
	w.super = appendSkip(w.super, uint64(w.groupBase)-uint64(w.base), size, w.chunkPos-w.groupPos)
	w.groupBase, w.groupPos = w.base, w.chunkPos
	w.chunks, w.dir, w.count = w.chunks[:0], w.dir[:0], 0
	w.groups++
	return nil
}

func appendSkip(dst []byte, distance uint64, postings int, positions int64) []byte {
	dst = binary.AppendUvarint(dst, distance)
	dst = binary.AppendUvarint(dst, uint64(postings))
	return binary.AppendUvarint(dst, uint64(positions))
}

// appendChunk writes up to 128 postings column by column. The first one's distance counts from base, and may be 0 only
// at the beginning of a list; others are at least 1 and kept less 1, so that a word of every mail takes no bits.
func appendChunk(dst []byte, ps []posting, base int64) []byte {
	var distances, freqs [chunkDocs]uint64
	var allDistances, allFreqs uint64
	first := uint64(base) - uint64(ps[0].seq)
	same := byte(sameMask)
	for i, p := range ps {
		if i > 0 {
			distances[i-1] = uint64(ps[i-1].seq) - uint64(p.seq) - 1
			allDistances |= distances[i-1]
		}
		freqs[i] = uint64(p.freq - 1)
		allFreqs |= freqs[i]
		if p.mask != ps[0].mask {
			same = 0
		}
	}
	dw, fw := packWidth(allDistances), packWidth(allFreqs)
	dst = binary.AppendUvarint(dst, first)
	dst = append(dst, byte(dw), byte(fw)|same)
	dst = pack(dst, distances[:len(ps)-1], dw)
	dst = pack(dst, freqs[:len(ps)], fw)
	if same != 0 {
		return append(dst, ps[0].mask)
	}
	for _, p := range ps {
		dst = append(dst, p.mask)
	}
	return dst
}
