package segment

import (
	"context"
	"fmt"
)

// fewPosting is a posting that came out of a dictionary entry.
type fewPosting struct {
	posting
	source int
}

// allFew says whether the term's postings are all in the dictionaries: most terms are in few documents, and in segments
// of a few mails all are.
func (m *merger) allFew() bool {
	for _, number := range m.same {
		if m.sources[number].dict.list.docs > inlineDocs {
			return false
		}
	}
	return true
}

// mergeFew does what mergeLists does, by sorting.
func (m *merger) mergeFew(ctx context.Context) error {
	m.few = m.few[:0]
	for _, number := range m.same {
		s := m.sources[number]
		l := &s.dict.list
		s.gone.cur = 0
		if s.positions.offset != l.pos {
			s.positions = s.v.bytesAt(l.pos)
		}
		for i := range l.few[:l.docs] {
			m.insert(fewPosting{l.few[i], number})
		}
	}
	for i := range m.few {
		p := &m.few[i]
		s := m.sources[p.source]
		if err := m.place(ctx, s, p.posting); err != nil {
			return fmt.Errorf("segment %d: %w", s.v.r.id.Segment, err)
		}
	}
	return nil
}

// insert keeps few newest first. Segments mostly come one after the other, so there is little to move.
func (m *merger) insert(p fewPosting) {
	i := len(m.few)
	m.few = append(m.few, p)
	for ; i > 0 && m.few[i-1].seq < p.seq; i-- {
		m.few[i] = m.few[i-1]
	}
	m.few[i] = p
}

func (m *merger) place(ctx context.Context, s *source, p posting) error {
	numbers := numbersOf(p.mask, uint16(p.freq-1))
	if len(s.gone.all) > 0 && s.gone.has(p.seq) {
		return s.positions.skip(ctx, numbers)
	}
	if err := m.o.list.add(p); err != nil {
		return err
	}
	return s.positions.copyTo(ctx, m.o, numbers)
}
