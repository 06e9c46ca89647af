package segment

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"slices"
)

// MaxMerge is how many segments one merge takes.
const MaxMerge = 64

// sourceBlocks is how many blocks a merge keeps of each source: two of what it reads at the same time.
const sourceBlocks = 6

// Merge writes the documents of the segments as one new segment, less those for which dropped is true; it is asked once
// for every document and may be nil. Of documents with the same Seq the one in the segment with the highest number
// stays. If none is left nothing is written and Meta has no documents. The sources are read block by block, in order.
func Merge(ctx context.Context, w Writer, id ID, from []*Reader, dropped func(seq int64) bool) (Meta, error) {
	if len(from) > MaxMerge {
		return Meta{}, fmt.Errorf("%w: merge of %d segments", ErrTooLarge, len(from))
	}
	m := merger{o: newOutput()}
	m.o.begin(w, id)
	for _, r := range from {
		if r.id.Mailbox != id.Mailbox {
			return Meta{}, fmt.Errorf("%w: merge of mailboxes %d and %d", ErrQuery, id.Mailbox, r.id.Mailbox)
		}
		v, err := newView(ctx, r, newCache(sourceBlocks))
		if err != nil {
			return Meta{}, err
		}
		m.sources = append(m.sources, &source{v: v, dict: newDictCursor(v), positions: v.bytesAt(0)})
	}
	if err := m.mergeDocs(ctx, dropped); err != nil {
		return Meta{}, fmt.Errorf("merge documents: %w", err)
	}
	if m.o.meta.Docs == 0 {
		return Meta{}, nil
	}
	if err := m.mergeTerms(ctx); err != nil {
		return Meta{}, fmt.Errorf("merge terms: %w", err)
	}
	return m.o.finish()
}

type merger struct {
	o       *output
	sources []*source

	// By numbers, because a pointer that is written for every term costs more than the rest while memory is collected.
	terms []int    // sources that still have terms
	keys  []uint64 // the first bytes of the terms they stand on
	same  []int    // sources that have the term in hand
	slots []int    // their places in terms

	last    [MaxTerm]byte // the term written last
	lastLen int
	few     []fewPosting
}

// source is a segment that is being merged.
type source struct {
	v         *view
	dict      dictCursor
	postings  Postings
	positions byteCursor
	pending   int // positions that are to be copied
	gone      ranges
}

// mergeTerms writes term by term what the sources have of it.
func (m *merger) mergeTerms(ctx context.Context) error {
	m.keys = make([]uint64, len(m.sources))
	for i := range m.sources {
		m.terms, m.slots = append(m.terms, i), append(m.slots, i)
	}
	for {
		if err := m.nextTerms(ctx); err != nil {
			return err
		}
		m.lowest()
		if len(m.same) == 0 {
			return nil
		}
		term := m.sources[m.same[0]].dict.term()
		if bytes.Compare(term, m.last[:m.lastLen]) <= 0 {
			return corrupt("order of terms")
		}
		m.lastLen = copy(m.last[:], term)
		if err := m.mergeTerm(ctx); err != nil {
			return err
		}
	}
}

// nextTerms moves the sources whose term was written. One that is through gives its place to the last: from the end, so
// that the places before stay what they are.
func (m *merger) nextTerms(ctx context.Context) error {
	for _, slot := range slices.Backward(m.slots) {
		s := m.sources[m.terms[slot]]
		ok, err := s.dict.next(ctx)
		if err != nil {
			return fmt.Errorf("segment %d: %w", s.v.r.id.Segment, err)
		}
		if ok {
			m.keys[slot] = termKey(s.dict.term())
			continue
		}
		last := len(m.terms) - 1
		m.terms[slot], m.keys[slot] = m.terms[last], m.keys[last]
		m.terms, m.keys = m.terms[:last], m.keys[:last]
	}
	return nil
}

// lowest sets same to the sources that stand on the lowest term, and slots to their places in terms.
func (m *merger) lowest() {
	m.same, m.slots = m.same[:0], m.slots[:0]
	least := uint64(math.MaxUint64)
	for _, key := range m.keys {
		least = min(least, key)
	}
	for slot, key := range m.keys {
		if key != least {
			continue
		}
		number := m.terms[slot]
		c := 0
		if len(m.same) > 0 {
			c = bytes.Compare(m.sources[number].dict.term(), m.sources[m.same[0]].dict.term())
		}
		if c < 0 {
			m.same, m.slots = m.same[:0], m.slots[:0]
		}
		if c <= 0 {
			m.same, m.slots = append(m.same, number), append(m.slots, slot)
		}
	}
}

// mergeTerm writes the postings of the sources in same, newest first. A run that comes from one source is taken whole.
func (m *merger) mergeTerm(ctx context.Context) error {
	most := 0
	for _, number := range m.same {
		most += m.sources[number].dict.list.docs
	}
	m.o.list.begin(most)
	merge := m.mergeLists
	if m.allFew() {
		merge = m.mergeFew
	}
	if err := merge(ctx); err != nil {
		return err
	}
	for _, number := range m.same {
		s := m.sources[number]
		if s.positions.offset != s.dict.list.pos+s.dict.list.posLen {
			return corrupt("length of positions in segment %d", s.v.r.id.Segment)
		}
	}
	if m.o.list.docs == 0 {
		return nil // all its documents are gone
	}
	l, err := m.o.list.end()
	if err != nil {
		return err
	}
	return m.o.dict.add(m.last[:m.lastLen], l)
}

func (m *merger) mergeLists(ctx context.Context) error {
	for _, number := range m.same {
		s := m.sources[number]
		if err := s.begin(ctx); err != nil {
			return err
		}
	}
	for {
		best, second := m.newest()
		if best == nil {
			return nil
		}
		if best.seq() == second {
			return corrupt("a document in postings that is not in the list of documents")
		}
		if err := m.drain(ctx, best, second); err != nil {
			return fmt.Errorf("segment %d: %w", best.v.r.id.Segment, err)
		}
	}
}

// newest returns the source whose posting is next, and the seq at which another one's is.
func (m *merger) newest() (best *source, second int64) {
	first := int64(noDoc)
	second = noDoc
	for _, number := range m.same {
		s := m.sources[number]
		seq := s.seq()
		if seq > first {
			best, first, second = s, seq, first
		} else if seq > second {
			second = seq
		}
	}
	return best, second
}

// drain writes the postings of a source that are newer than second.
func (m *merger) drain(ctx context.Context, s *source, second int64) error {
	p := &s.postings
	for p.n > 0 && p.seqs[p.i] > second {
		if m.o.list.n == chunkDocs { // a chunk's positions are complete before the next begins
			if err := s.copyPositions(ctx, m.o); err != nil {
				return err
			}
		}
		if err := m.o.list.add(posting{seq: p.seqs[p.i], mask: p.masks[p.i], freq: p.Freq()}); err != nil {
			return err
		}
		s.pending += numbersOf(p.masks[p.i], p.freqs[p.i])
		if err := s.next(ctx, m.o); err != nil {
			return err
		}
	}
	return s.copyPositions(ctx, m.o)
}
