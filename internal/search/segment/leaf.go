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
	Parted bool   // a phrase that is there only if words stand for several
}

// slotCursor walks the documents of everything that may be in a slot.
type slotCursor struct {
	v     *view
	lists []*Postings
	rare  []rarePosting // newest first
	next  int           // in rare
}

// seek returns the newest document not above target that has the slot.
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

// at returns what the document has in the slot.
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

// rareAt returns the rare postings of a document.
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

	parted bool // slots may have parts
	// looks for them when they are first needed: most phrases are found without
	find   func(ctx context.Context) ([]*slotCursor, error)
	parts  []*slotCursor
	places []Position // of one's parts
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
	near, err := c.inOrder(ctx, seq)
	if err != nil {
		return false, err
	}
	if c.count(fields); c.hit.Freq > 0 || !near {
		return c.hit.Freq > 0, nil
	}
	if err := c.inParts(ctx, seq); err != nil {
		return false, err
	}
	c.count(fields)
	c.hit.Parted = c.hit.Freq > 0
	return c.hit.Parted, nil
}

// count notes the starts that are in these fields.
func (c *phrase) count(fields uint8) {
	*c.hit = LeafHit{}
	for _, p := range c.starts {
		if bit := uint8(1) << p.Field(); bit&fields != 0 {
			c.hit.Fields |= bit
			c.hit.Freq++
		}
	}
}

// inOrder finds where the slots stand right after each other. It tells whether they may also stand where one of them
// stands for several words.
func (c *phrase) inOrder(ctx context.Context, seq int64) (near bool, err error) {
	if c.starts, err = c.slots[0].positions(ctx, seq, c.starts[:0]); err != nil {
		return false, err
	}
	for i, s := range c.slots[1:] {
		if c.others, err = s.positions(ctx, seq, c.others[:0]); err != nil {
			return false, err
		}
		if i == 0 && c.parted {
			near = closeBy(c.starts, c.others)
		}
		c.starts = followed(c.starts, c.others, Position(i+1))
	}
	return near, nil
}

// inParts finds where the slots stand after each other if some of them stand for several words. Starts is then where
// the last of them is.
func (c *phrase) inParts(ctx context.Context, seq int64) (err error) {
	c.starts = c.starts[:0]
	if c.parts == nil {
		if c.parts, err = c.find(ctx); err != nil || c.parts == nil {
			c.parted = false
			return err
		}
	}
	if c.starts, err = c.slots[0].positions(ctx, seq, c.starts); err != nil {
		return err
	}
	for i, s := range c.slots[1:] {
		if _, err = c.parts[i].at(ctx, seq); err != nil {
			return err
		}
		if c.places, err = c.parts[i].positions(ctx, seq, c.places[:0]); err != nil {
			return err
		}
		if c.others, err = s.positions(ctx, seq, c.others[:0]); err != nil {
			return err
		}
		c.starts, c.others = following(c.starts, c.places, c.others), c.starts
	}
	return nil
}

// closeBy tells whether one of the others is as far after one of the places as the words that one may stand for. Both
// are in order.
func closeBy(places, others []Position) bool {
	i := 0
	for _, o := range others {
		for i < len(places) && places[i] < o {
			i++
		}
		if i > 0 && o-places[i-1] <= MaxParts {
			return true
		}
	}
	return false
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

// following keeps the others that stand after one of the places where a phrase has come to: right after it, or where
// there is a part too, a little farther. All are in order.
func following(places, parts, others []Position) []Position {
	kept := others[:0]
	i, k := 0, 0
	last := Position(0) // the last of the places with a part, and one more
	for _, o := range others {
		for i < len(places) && places[i] < o {
			for k < len(parts) && parts[k] < places[i] {
				k++
			}
			if k < len(parts) && parts[k] == places[i] {
				last = places[i] + 1
			}
			i++
		}
		if i > 0 && places[i-1]+1 == o || last > 0 && o-last < MaxParts {
			kept = append(kept, o)
		}
	}
	return kept
}
