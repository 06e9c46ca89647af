package segment

import (
	"context"
	"slices"
	"sort"
)

// anyField is the mask of a leaf that may be in any field.
const anyField = 0xff

// LeafHit is what a leaf found in a document: nothing, if Freq is 0.
type LeafHit struct {
	Fields uint8
	Freq   uint32 // occurrences of the word, in all fields; of a phrase in the fields asked for
}

// slotCursor walks the documents of everything that may be in a slot.
type slotCursor struct {
	v     *view
	lists []*Postings
	rare  []rarePosting // newest first
	next  int           // in rare
}

// seek gives the newest document not above target that has the slot.
func (s *slotCursor) seek(ctx context.Context, target int64) (int64, error) {
	best := int64(noDoc)
	for _, p := range s.lists {
		seq, err := p.seek(ctx, target)
		if err != nil {
			return noDoc, err
		}
		best = max(best, seq)
	}
	if seq := s.seekRare(target); seq > best {
		best = seq
	}
	return best, nil
}

func (s *slotCursor) seekRare(target int64) int64 {
	if s.next < len(s.rare) && s.rare[s.next].seq > target {
		rest := s.rare[s.next:]
		s.next += sort.Search(len(rest), func(i int) bool { return rest[i].seq <= target })
	}
	if s.next == len(s.rare) {
		return noDoc
	}
	return s.rare[s.next].seq
}

// at gives what the document has in the slot.
func (s *slotCursor) at(ctx context.Context, seq int64) (hit LeafHit, err error) {
	for _, p := range s.lists {
		found, err := p.seek(ctx, seq)
		if err != nil {
			return hit, err
		}
		if found == seq {
			hit.Fields |= p.Fields()
			hit.Freq += p.Freq()
		}
	}
	for _, p := range s.rareAt(seq) {
		hit.Fields |= p.mask
		hit.Freq += p.freq
	}
	return hit, nil
}

// rareAt gives the rare postings of a document.
func (s *slotCursor) rareAt(seq int64) []rarePosting {
	if s.seekRare(seq) != seq {
		return nil
	}
	end := s.next
	for end < len(s.rare) && s.rare[end].seq == seq {
		end++
	}
	return s.rare[s.next:end]
}

// positions appends where the slot is in the document that at has found.
func (s *slotCursor) positions(ctx context.Context, seq int64, dst []Position) ([]Position, error) {
	sources := 0
	var err error
	for _, p := range s.lists {
		if p.n == 0 || p.Seq() != seq {
			continue
		}
		sources++
		if dst, err = p.Positions(ctx, dst); err != nil {
			return dst, err
		}
	}
	for _, p := range s.rareAt(seq) {
		sources++
		c := s.v.bytesAt(p.offset)
		if err := c.skip(ctx, p.numbers); err != nil {
			return dst, err
		}
		if dst, err = c.positions(ctx, dst, p.mask, p.freq); err != nil {
			return dst, err
		}
	}
	if sources > 1 {
		slices.Sort(dst)
	}
	return dst, s.v.work.spend(ctx, 1+len(dst)/chunkDocs)
}

func (s *slotCursor) cost() int {
	sum := len(s.rare)
	for _, p := range s.lists {
		sum += p.list.docs
	}
	return sum
}

// word is a leaf of one slot.
type word struct {
	slotCursor
	fields uint8
	hit    *LeafHit
}

func (c *word) at(ctx context.Context, seq int64) (bool, error) {
	hit, err := c.slotCursor.at(ctx, seq)
	if err != nil || hit.Fields&c.fields == 0 {
		return false, err
	}
	*c.hit = hit
	return true, nil
}

func (c *word) run(seq int64) int64 {
	low := seq
	for _, p := range c.lists {
		low = min(low, p.run(seq, c.fields))
	}
	return low
}

// phrase is a leaf of several slots.
type phrase struct {
	slots  []*slotCursor
	order  []*slotCursor // cheapest first
	fields uint8
	hit    *LeafHit
	starts []Position
	others []Position
}

func (c *phrase) seek(ctx context.Context, target int64) (int64, error) {
	for range leaps {
		start := target
		for _, s := range c.order {
			seq, err := s.seek(ctx, target)
			if err != nil || seq == noDoc {
				return noDoc, err
			}
			target = seq
		}
		if target == start {
			break
		}
	}
	return target, nil
}

func (c *phrase) cost() int { return c.order[0].cost() }

// at looks at positions only when every slot is in the document, in a common field.
func (c *phrase) at(ctx context.Context, seq int64) (bool, error) {
	fields := c.fields
	for _, s := range c.order {
		hit, err := s.at(ctx, seq)
		if err != nil {
			return false, err
		}
		if fields &= hit.Fields; fields == 0 {
			return false, nil
		}
	}
	var err error
	if c.starts, err = c.slots[0].positions(ctx, seq, c.starts[:0]); err != nil {
		return false, err
	}
	for i, s := range c.slots[1:] {
		if c.others, err = s.positions(ctx, seq, c.others[:0]); err != nil {
			return false, err
		}
		c.starts = followed(c.starts, c.others, Position(i+1))
	}
	hit := LeafHit{}
	for _, p := range c.starts {
		if bit := uint8(1) << p.Field(); bit&fields != 0 {
			hit.Fields |= bit
			hit.Freq++
		}
	}
	*c.hit = hit
	return hit.Freq > 0, nil
}

// followed keeps the starts that have another distance after them. Both are in order.
func followed(starts, others []Position, distance Position) []Position {
	kept := starts[:0]
	i := 0
	for _, p := range starts {
		for i < len(others) && others[i] < p+distance {
			i++
		}
		if i < len(others) && others[i] == p+distance {
			kept = append(kept, p)
		}
	}
	return kept
}
