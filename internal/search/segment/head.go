package segment

import (
	"bytes"
	"math"
)

// head is the parsed block 0.
type head struct {
	version byte
	tokens  [Fields]uint64
	firsts  []int64 // newest document of every document block
	top     []topEntry
	full    [kinds]int    // blocks that are rows of their own
	tail    [kinds][]byte // the last block, where the head took it in
}

func parseHead(b []byte, meta Meta) (*head, error) {
	d := &decoder{b: b}
	h := &head{}
	if h.version = d.byte(); h.version < 1 || h.version > formatVersion {
		return nil, corrupt("version %d", h.version)
	}
	docs, low, high := d.number(MaxDocuments), d.varint(), d.varint()
	if d.bad || docs == 0 || docs != int64(meta.Docs) || low != meta.MinSeq || high != meta.MaxSeq || low < 1 ||
		low > high {
		return nil, corrupt("the store has noted another segment")
	}
	for f := range h.tokens {
		h.tokens[f] = d.uvarint()
	}
	h.parseFirsts(d, meta)
	h.parseTop(d)
	h.parseBlocks(d)
	if d.bad || d.i != len(b) {
		return nil, corrupt("head of %d bytes", len(b))
	}
	return h, h.check()
}

func (h *head) parseFirsts(d *decoder, meta Meta) {
	n := d.number(int64(len(d.b)))
	h.firsts = make([]int64, 0, n)
	last := meta.MaxSeq
	for range n {
		seq, ok := below(last, d.uvarint(), meta.MinSeq)
		if !ok {
			d.fail()
			return
		}
		h.firsts = append(h.firsts, seq)
		last = seq
	}
}

func (h *head) parseTop(d *decoder) {
	n := d.number(int64(len(d.b)))
	for range n {
		term := d.bytes(int(d.byte()))
		place := d.number(maxPlace)
		if d.bad {
			return
		}
		h.top = append(h.top, topEntry{term: term, place: int(place)})
	}
}

func (h *head) parseBlocks(d *decoder) {
	var tails [kinds]int
	for k := indexBlock; k < kinds; k++ {
		h.full[k] = int(d.number(maxPlace))
		tails[k] = int(d.number(math.MaxUint16))
	}
	for k := indexBlock; k < kinds; k++ {
		if tails[k] > k.capacity() {
			d.fail()
		}
		h.tail[k] = d.bytes(tails[k])
	}
}

// blocks is how many blocks of a kind there are, wherever they are.
func (h *head) blocks(k kind) int {
	if len(h.tail[k]) > 0 {
		return h.full[k] + 1
	}
	return h.full[k]
}

// check compares what the head says twice.
func (h *head) check() error {
	if len(h.firsts) != h.blocks(docBlock) || len(h.top) != h.blocks(indexBlock) {
		return corrupt("tables of the head")
	}
	if (h.blocks(dictBlock) > 0) != (len(h.top) > 0) {
		return corrupt("dictionary without an index")
	}
	for i, t := range h.top {
		if i == 0 && t.place != 0 || i > 0 && (t.place <= h.top[i-1].place ||
			bytes.Compare(t.term, h.top[i-1].term) <= 0) {
			return corrupt("order of the index")
		}
		if t.place >= h.blocks(dictBlock) {
			return corrupt("index beyond the dictionary")
		}
	}
	return nil
}
