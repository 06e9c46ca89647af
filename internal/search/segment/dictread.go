package segment

import (
	"bytes"
	"context"
	"encoding/binary"
	"sort"
)

const (
	maxOffset = 1 << 48
	maxLength = 1 << 40
)

// dictCursor walks the dictionary of a segment in order.
type dictCursor struct {
	v        *view
	place    int // of the open block
	d        decoder
	restarts []byte
	entry    int
	text     [MaxTerm]byte
	length   int // of the term in text: a slice would be a pointer to write for every term
	list     list
	post     int64 // where the next term's postings begin
	pos      int64
}

// term is the one it stands on, valid until next.
func (c *dictCursor) term() []byte { return c.text[:c.length] }

// lookup finds one term.
func (v *view) lookup(ctx context.Context, term string) (list, bool, error) {
	c := newDictCursor(v)
	found, err := c.seek(ctx, []byte(term))
	if err != nil || !found || string(c.term()) != term {
		return list{}, false, err
	}
	return c.list, true, nil
}

// newDictCursor stands before the first term.
func newDictCursor(v *view) dictCursor { return dictCursor{v: v, place: -1} }

// seek stands on the first term that is not below term; false if there is none.
func (c *dictCursor) seek(ctx context.Context, term []byte) (bool, error) {
	if len(c.v.h.top) == 0 {
		return false, nil
	}
	place, err := c.v.dictPlace(ctx, term)
	if err != nil {
		return false, err
	}
	if err := c.load(ctx, place); err != nil {
		return false, err
	}
	if err := c.restart(term); err != nil {
		return false, err
	}
	for {
		ok, err := c.next(ctx)
		if err != nil || !ok || bytes.Compare(c.term(), term) >= 0 {
			return ok, err
		}
	}
}

// dictPlace is the last dictionary block whose first term is not above term, or the first one.
func (v *view) dictPlace(ctx context.Context, term []byte) (int, error) {
	i := sort.Search(len(v.h.top), func(i int) bool { return bytes.Compare(v.h.top[i].term, term) > 0 })
	i = max(i-1, 0)
	b, err := v.block(ctx, indexBlock, i)
	if err != nil {
		return 0, err
	}
	place := v.h.top[i].place
	d := decoder{b: b}
	for n := 0; d.i < len(d.b); n++ {
		first := d.bytes(int(d.byte()))
		if d.bad {
			return 0, corrupt("index block %d", i)
		}
		if n > 0 && bytes.Compare(first, term) > 0 {
			return place + n - 1, nil
		}
		if d.i == len(d.b) {
			return place + n, nil
		}
	}
	return place, nil
}

// load opens a block and splits the trailer off.
func (c *dictCursor) load(ctx context.Context, place int) error {
	b, err := c.v.block(ctx, dictBlock, place)
	if err != nil {
		return err
	}
	if len(b) < 2 {
		return corrupt("dictionary block %d", place)
	}
	n := int(binary.LittleEndian.Uint16(b[len(b)-2:]))
	at := len(b) - 2 - 2*n
	if n == 0 || at <= 0 {
		return corrupt("restarts of dictionary block %d", place)
	}
	c.place, c.d, c.restarts, c.entry = place, decoder{b: b[:at:at]}, b[at:len(b)-2], 0
	c.length = 0
	return nil
}

// restart goes to the last restart of the block whose term is not above term.
func (c *dictCursor) restart(term []byte) error {
	n := len(c.restarts) / 2
	bad := false
	i := sort.Search(n, func(i int) bool {
		d := decoder{b: c.d.b, i: min(c.restartAt(i), len(c.d.b))}
		d.uvarint()
		d.uvarint()
		head := d.byte()
		first := d.bytes(suffixLength(&d, head))
		bad = bad || d.bad || head>>4 != 0
		return bytes.Compare(first, term) > 0
	})
	if bad {
		return corrupt("restart in dictionary block %d", c.place)
	}
	i = max(i-1, 0)
	c.d.i, c.entry = min(c.restartAt(i), len(c.d.b)), i*restartEvery
	return nil
}

func (c *dictCursor) restartAt(i int) int { return int(binary.LittleEndian.Uint16(c.restarts[2*i:])) }

func suffixLength(d *decoder, head byte) int {
	n := int(head & 15)
	if n == 15 {
		n += int(d.byte())
	}
	return n
}

// next reads an entry; false after the last of the segment.
func (c *dictCursor) next(ctx context.Context) (bool, error) {
	for c.d.i == len(c.d.b) {
		if c.place+1 >= c.v.h.blocks(dictBlock) {
			return false, nil
		}
		if err := c.load(ctx, c.place+1); err != nil {
			return false, err
		}
	}
	if c.entry%restartEvery == 0 {
		c.post, c.pos = c.d.number(maxOffset), c.d.number(maxOffset)
	}
	c.entry++
	if !c.readTerm() {
		return false, corrupt("term in dictionary block %d", c.place)
	}
	c.readList()
	if c.d.bad {
		return false, corrupt("entry in dictionary block %d", c.place)
	}
	return true, nil
}

func (c *dictCursor) readTerm() bool {
	head := c.d.byte()
	shared := int(head >> 4)
	if shared == 15 {
		shared += int(c.d.byte())
	}
	suffix := c.d.bytes(suffixLength(&c.d, head))
	if c.d.bad || shared > c.length || shared+len(suffix) > MaxTerm || len(suffix) == 0 {
		return false
	}
	c.length = shared + copy(c.text[shared:], suffix)
	return true
}

func (c *dictCursor) readList() {
	l := &c.list
	l.post, l.pos, l.postLen, l.superLen = c.post, c.pos, 0, 0
	l.lacksMask, l.lacksLen = 0, 0
	l.docs = int(c.d.number(int64(c.v.r.meta.Docs)))
	l.posLen = c.d.number(maxLength)
	switch {
	case l.docs == 0:
		c.d.fail()
	case l.docs <= inlineDocs:
		c.readInline(l.few[:l.docs])
	default:
		l.postLen = c.d.number(maxLength)
		if l.docs > groupDocs {
			l.superLen = int(c.d.number(maxSuper))
		}
		if l.docs >= lacksDocs && c.v.h.version > 1 {
			c.readLacks()
		}
	}
	c.post += l.postLen + l.lacksLen
	c.pos += l.posLen
}

func (c *dictCursor) readLacks() {
	l := &c.list
	if l.lacksMask = c.d.byte(); l.lacksMask == 0 {
		return
	}
	l.lacksUnion = c.d.byte()
	l.lacks, l.lacksLen, l.lacksSuper = int(c.d.number(maxRuns)), c.d.number(maxLength), 0
	if l.lacks > groupDocs {
		l.lacksSuper = int(c.d.number(maxSuper))
	}
}

// readInline decodes the postings of a term that has few.
func (c *dictCursor) readInline(few []posting) {
	last, least := c.v.r.meta.MaxSeq, c.v.r.meta.MinSeq
	for i := range few {
		distance := c.d.uvarint()
		seq, ok := below(last, distance, least)
		head := c.d.number(MaxFreq<<4 - 1)
		mask := byte(1) << (head & 7)
		if head&8 != 0 {
			mask = c.d.byte()
		}
		if !ok || mask == 0 || distance == 0 && i > 0 {
			c.d.fail()
		}
		few[i] = posting{seq: seq, mask: mask, freq: uint32(head>>4) + 1}
		last = seq
	}
}
