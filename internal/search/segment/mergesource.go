package segment

import (
	"context"
	"fmt"
	"sort"
)

// seqRange is a run of documents that are left out, both ends included, counted among those of one segment.
type seqRange struct{ high, low int64 }

// ranges are newest first.
type ranges struct {
	all   []seqRange
	cur   int
	grows bool // the last document seen was left out
}

// note takes the documents of a segment in order.
func (r *ranges) note(seq int64, gone bool) {
	switch {
	case gone && r.grows:
		r.all[len(r.all)-1].low = seq
	case gone:
		r.all = append(r.all, seqRange{seq, seq})
	}
	r.grows = gone
}

// has says whether a document is left out. Asked newest first since cur was 0.
func (r *ranges) has(seq int64) bool {
	if r.cur < len(r.all) && r.all[r.cur].low > seq {
		rest := r.all[r.cur:]
		r.cur += sort.Search(len(rest), func(i int) bool { return rest[i].low <= seq })
	}
	return r.cur < len(r.all) && seq <= r.all[r.cur].high
}

// mergeDocs writes the documents that stay and notes in every source those that do not.
func (m *merger) mergeDocs(ctx context.Context, dropped func(seq int64) bool) error {
	cursors := make([]docCursor, len(m.sources))
	for i, s := range m.sources {
		cursors[i] = newDocCursor(s.v)
		if _, err := cursors[i].next(ctx); err != nil {
			return fmt.Errorf("segment %d: %w", s.v.r.id.Segment, err)
		}
		for f, n := range s.v.h.tokens {
			m.o.tokens[f] += n
		}
	}
	for {
		best := m.newestDoc(cursors)
		if best < 0 {
			return nil
		}
		seq := cursors[best].seq()
		if err := m.placeDoc(cursors[best].cur(), dropped != nil && dropped(seq), m.sources[best]); err != nil {
			return err
		}
		for i := range cursors {
			if cursors[i].seq() != seq {
				continue
			}
			if i != best {
				m.leaveOut(cursors[i].cur(), m.sources[i])
			}
			if _, err := cursors[i].next(ctx); err != nil {
				return fmt.Errorf("segment %d: %w", m.sources[i].v.r.id.Segment, err)
			}
		}
	}
}

// newestDoc is the cursor whose document is next: of copies that in the latest segment.
func (m *merger) newestDoc(cursors []docCursor) int {
	best := -1
	for i := range cursors {
		seq := cursors[i].seq()
		switch {
		case seq == noDoc:
		case best < 0 || seq > cursors[best].seq():
			best = i
		case seq == cursors[best].seq() && m.sources[i].v.r.id.Segment > m.sources[best].v.r.id.Segment:
			best = i
		}
	}
	return best
}

func (m *merger) placeDoc(d document, gone bool, s *source) error {
	if gone {
		m.leaveOut(d, s)
		return nil
	}
	s.gone.note(d.seq, false)
	return m.o.docs.add(d)
}

// leaveOut takes a document out of the counts. Its size is known to an eighth only, so the counts
// drift a little, which relevance does not notice.
func (m *merger) leaveOut(d document, s *source) {
	s.gone.note(d.seq, true)
	for f, b := range d.sizes {
		m.o.tokens[f] -= min(byteSize(b), m.o.tokens[f])
	}
}

// begin stands on the first posting of the term that stays.
func (s *source) begin(ctx context.Context) error {
	s.postings.reset(s.v, &s.dict.list)
	s.gone.cur, s.pending = 0, 0
	if s.positions.offset != s.dict.list.pos {
		s.positions = s.v.bytesAt(s.dict.list.pos)
	}
	return s.next(ctx, nil)
}

// seq is the posting's document, noDoc after the last.
func (s *source) seq() int64 {
	if s.postings.n == 0 {
		return noDoc
	}
	return s.postings.seqs[s.postings.i]
}

// next goes to the next posting that stays, and passes over the positions of the others. What is pending is copied
// first; nothing is before the first posting.
func (s *source) next(ctx context.Context, o *output) error {
	p := &s.postings
	for {
		if ok, err := p.Next(ctx); err != nil || !ok {
			return err
		}
		if len(s.gone.all) == 0 || !s.gone.has(p.seqs[p.i]) {
			return nil
		}
		if s.pending > 0 {
			if err := s.copyPositions(ctx, o); err != nil {
				return err
			}
		}
		if err := s.positions.skip(ctx, numbersOf(p.masks[p.i], p.freqs[p.i])); err != nil {
			return err
		}
	}
}

func (s *source) copyPositions(ctx context.Context, o *output) error {
	n := s.pending
	s.pending = 0
	return s.positions.copyTo(ctx, o, n)
}
