package segment

import (
	"context"
	"math/bits"
	"sort"
)

// noDoc is the Seq after the last document; the lowest is 1.
const noDoc = 0

// Postings walks the documents of a term, newest first. It begins before the first. One goroutine at a time.
type Postings struct {
	v    *view
	list list

	opened bool
	groups []skip
	group  int // the next to enter
	chunks []skip
	chunk  int // the next to open

	n, i     int // documents of the open chunk, and the one it stands on
	*decoded     // nil before the list is opened: most are asked for their length alone
	starts   positionStart
}

// decoded is the open chunk.
type decoded struct {
	seqs  [chunkDocs]int64
	freqs [chunkDocs]uint16 // less one
	masks [chunkDocs]byte
}

// skip is a group or chunk: its documents lie below base (the first of a list also on it) and not below low.
type skip struct {
	base, low int64 // low is noDoc where no table tells it
	docs      int
	post, pos int64
	postLen   int64
	posLen    int64
}

// positionStart is where the positions of a document of the open chunk begin: the last one asked for, so that going
// forward costs each document once.
type positionStart struct {
	doc    int
	offset int64
	chunk  int64
}

func (p *Postings) reset(v *view, l *list) {
	p.v, p.list, p.opened = v, *l, false
	p.n, p.i = 0, 0
	p.groups, p.chunks, p.group, p.chunk = p.groups[:0], p.chunks[:0], 0, 0
}

// Docs is the number of documents of the term in this segment.
func (p *Postings) Docs() int { return p.list.docs }

// Next goes to the next older document; false after the last.
func (p *Postings) Next(ctx context.Context) (bool, error) {
	if p.i+1 < p.n {
		p.i++
		return true, nil
	}
	target := p.v.r.meta.MaxSeq
	if p.n > 0 {
		target = p.seqs[p.n-1] - 1
	}
	seq, err := p.seek(ctx, target)
	return seq != noDoc, err
}

// Seek goes to the newest document that is not newer than seq, never back; false if there is none.
func (p *Postings) Seek(ctx context.Context, seq int64) (bool, error) {
	found, err := p.seek(ctx, seq)
	return found != noDoc, err
}

// Seq is the document it stands on. Seq, Fields, Freq and Positions are valid after Next or Seek gave true.
func (p *Postings) Seq() int64 { return p.seqs[p.i] }

// Fields is the mask of the fields that have the term.
func (p *Postings) Fields() uint8 { return p.masks[p.i] }

// Freq is how often the term occurs, at most MaxFreq.
func (p *Postings) Freq() uint32 { return uint32(p.freqs[p.i]) + 1 }

// Positions appends where the term occurs, by field and position.
func (p *Postings) Positions(ctx context.Context, dst []Position) ([]Position, error) {
	if p.starts.doc > p.i {
		p.starts.doc, p.starts.offset = 0, p.starts.chunk
	}
	skipped := 0
	for d := p.starts.doc; d < p.i; d++ {
		skipped += numbersOf(p.masks[d], p.freqs[d])
	}
	c := p.v.bytesAt(p.starts.offset)
	if err := c.skip(ctx, skipped); err != nil {
		return dst, err
	}
	p.starts.doc, p.starts.offset = p.i, c.offset
	return c.positions(ctx, dst, p.masks[p.i], p.Freq())
}

// seek is Seek that gives the document, or noDoc.
func (p *Postings) seek(ctx context.Context, target int64) (int64, error) {
	if p.i < p.n {
		if p.seqs[p.i] <= target {
			return p.seqs[p.i], nil
		}
		if p.seqs[p.n-1] <= target {
			return p.forward(target), nil
		}
	}
	return p.seekChunk(ctx, target)
}

// forward goes on in the open chunk, which has a document for target.
func (p *Postings) forward(target int64) int64 {
	for range 8 {
		p.i++
		if p.seqs[p.i] <= target {
			return p.seqs[p.i]
		}
	}
	from := p.i
	p.i += sort.Search(p.n-1-from, func(i int) bool { return p.seqs[from+i] <= target })
	return p.seqs[p.i]
}

// seekChunk opens the next chunk that reaches down to target.
func (p *Postings) seekChunk(ctx context.Context, target int64) (int64, error) {
	if !p.opened {
		if err := p.open(ctx); err != nil {
			return noDoc, err
		}
		if p.n > 0 && p.seqs[p.n-1] <= target {
			return p.inChunk(target), nil
		}
	}
	for {
		for ; p.chunk < len(p.chunks); p.chunk++ {
			c := p.chunks[p.chunk]
			if c.low > target {
				continue
			}
			if err := p.load(ctx, c); err != nil {
				return noDoc, err
			}
			if p.seqs[p.n-1] <= target {
				p.chunk++
				return p.inChunk(target), nil
			}
		}
		if ok, err := p.enterGroup(ctx, target); err != nil || !ok {
			return noDoc, err
		}
	}
}

func (p *Postings) inChunk(target int64) int64 {
	if p.seqs[0] <= target {
		return p.seqs[0]
	}
	return p.forward(target)
}

// enterGroup reads the table of the next group that reaches down to target; false if there is none.
func (p *Postings) enterGroup(ctx context.Context, target int64) (bool, error) {
	for p.group < len(p.groups) && p.groups[p.group].low > target {
		p.group++
	}
	if p.group == len(p.groups) {
		p.n, p.i = 0, 0
		return false, nil
	}
	p.group++
	p.chunk = 0
	return true, p.openGroup(ctx, p.groups[p.group-1])
}

// run returns how far down from seq every document has the term in one of the fields: seq if it does not stand on it,
// and not further than the open chunk where some fields do not count, because only its documents tell theirs.
func (p *Postings) run(seq int64, fields uint8) int64 {
	if p.i >= p.n || p.seqs[p.i] != seq {
		return seq
	}
	low := seq + 1
	for i := p.i; i < p.n; i++ {
		if p.seqs[i] != low-1 || p.masks[i]&fields == 0 {
			return min(low, seq)
		}
		low--
	}
	if fields != anyField {
		return low
	}
	for _, parts := range [][]skip{p.chunks[min(p.chunk, len(p.chunks)):], p.groups[p.group:]} {
		for _, s := range parts {
			if s.base != low || s.low != low-int64(s.docs) {
				return low
			}
			low = s.low
		}
	}
	return low
}

// numbersOf is how many numbers the positions of a document are: one each, and a count for every field but the last.
func numbersOf(mask byte, freq uint16) int { return int(freq) + bits.OnesCount8(mask) }
