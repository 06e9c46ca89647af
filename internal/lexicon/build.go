package lexicon

import (
	"slices"
)

// builder makes an automaton of phrases that are in the order of their bytes.
type builder struct {
	*Automaton
	phrases []Phrase
	index   map[Value]uint16 // of the values
}

// build makes an automaton of phrases that are in order.
func build(phrases []Phrase, digits bool) *Automaton {
	size := 0
	for i := range phrases {
		size += len(phrases[i].Text)
	}
	a := &Automaton{
		nodes: make([]node, 1, size/4+1), tails: make([]byte, 0, size/2), values: make([]Value, 1), digits: digits,
	}
	b := builder{a, phrases, map[Value]uint16{{}: 0}}
	b.lay(0, len(phrases), 0, 0)
	a.nodes, a.tails = slices.Clone(a.nodes), slices.Clone(a.tails) // they stay for good, without room for more
	root := &a.nodes[0]
	for i := range uint32(root.count) {
		a.first[a.nodes[root.first+i].label] = root.first + i
	}
	return a
}

// lay makes the children of a node, which are what the phrases from lo up to hi go on with after their first depth
// bytes, and then what is below each.
func (b *builder) lay(lo, hi, depth int, at uint32) {
	for lo < hi && len(b.phrases[lo].Text) == depth {
		lo++ // it ends at the node itself
	}
	first := uint32(len(b.nodes))
	b.nodes[at].first = first
	for from := lo; from < hi; {
		to := b.sameByte(from, hi, depth)
		label := b.phrases[from].Text[depth]
		b.nodes[at].count++
		b.nodes[at].some |= 1 << (label & 31)
		end := b.reach(from, to, depth+1)
		tail := len(b.tails)
		b.tails = append(b.tails, b.phrases[from].Text[depth+1:end]...)
		n := node{label: label, tail: uint32(tail), size: uint8(end - depth - 1)}
		b.end(&n, from, to, end)
		b.nodes = append(b.nodes, n)
		from = to
	}
	for child := first; lo < hi; child++ {
		to := b.sameByte(lo, hi, depth)
		b.lay(lo, to, depth+1+int(b.nodes[child].size), child)
		lo = to
	}
}

// sameByte is the end of the phrases that have the same byte at depth as the one at from.
func (b *builder) sameByte(from, hi, depth int) int {
	c := b.phrases[from].Text[depth]
	for to := from + 1; to < hi; to++ {
		if b.phrases[to].Text[depth] != c {
			return to
		}
	}
	return hi
}

// reach is how far a node can be put after depth bytes of some phrases: as long as all of them go on alike, and none
// ends. Nodes at three and six bytes are looked up (see Node), so they stay.
func (b *builder) reach(lo, hi, depth int) int {
	const longest = 255
	a, z := b.phrases[lo].Text, b.phrases[hi-1].Text
	for end := depth; ; end++ {
		if end <= 3 || end == 6 || end == len(a) || end-depth == longest || end == len(z) || a[end] != z[end] {
			return end
		}
	}
}

// end notes what the phrases mean that end at a node.
func (b *builder) end(n *node, lo, hi, depth int) {
	var open, closed Value
	for ; lo < hi && len(b.phrases[lo].Text) == depth; lo++ {
		p := &b.phrases[lo]
		if n.caps = p.Caps; p.Open {
			open.add(p.Value)
		} else {
			closed.add(p.Value)
		}
	}
	n.open, n.closed = b.number(open), b.number(closed)
}

func (b *builder) number(v Value) uint16 {
	i, ok := b.index[v]
	if !ok {
		i = uint16(len(b.values))
		b.index[v] = i
		b.values = append(b.values, v)
	}
	return i
}

// filter tells at a glance that no phrase begins at a place of the text, by a hash of the first bytes there. It may be
// wrong only the other way.
type filter struct {
	bits  [1 << (filterLog - 6)]uint64
	sizes [4]bool // there are phrases of one, two and three bytes
}

const filterLog = 14

// prefix is the first four bytes of what a phrase or a word is folded to, with zeros after the end.
type prefix uint32

func prefixOf[T string | []byte](s T) (p prefix) {
	if len(s) >= 4 {
		return prefix(s[0])<<24 | prefix(s[1])<<16 | prefix(s[2])<<8 | prefix(s[3])
	}
	for i := range min(4, len(s)) {
		p |= prefix(s[i]) << (24 - 8*i)
	}
	return p
}

// first is a prefix of the first n bytes.
func (p prefix) first(n int) prefix { return p >> (32 - 8*n) << (32 - 8*n) }

func (p prefix) hash() uint32 { return uint32(p) * 0x9E3779B1 >> (32 - filterLog) }

func (f *filter) add(text string) {
	h := prefixOf(text).hash()
	f.bits[h/64] |= 1 << (h % 64)
	if len(text) < len(f.sizes) {
		f.sizes[len(text)] = true
	}
}

func (f *filter) has(p prefix) bool {
	h := p.hash()
	return f.bits[h/64]&(1<<(h%64)) != 0
}

// opens tells whether a phrase may begin with the bytes of a prefix.
func (f *filter) opens(p prefix) bool {
	return f.has(p) || f.sizes[3] && f.has(p.first(3)) || f.sizes[2] && f.has(p.first(2)) ||
		f.sizes[1] && f.has(p.first(1))
}
