package code

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// kinds is a set of kind.
type kinds uint16

func (k kinds) has(one kind) bool { return k&(1<<one) != 0 }

// any says whether the two have something in common.
func (k kinds) any(other kinds) bool { return k&other != 0 }

func setOf(ks ...kind) (s kinds) {
	for _, k := range ks {
		s |= 1 << k
	}
	return s
}

// trie finds the longest phrase at a place. The children of a node stand in a row, so a node needs no pointers.
type trie struct {
	nodes []node
	tails []byte
	root  [256]uint8    // by the first byte as written: its place in pairs
	pairs [][256]uint32 // by that and the second byte: a node
}

type node struct {
	first  uint32 // of the children
	some   uint32 // the low five bits that their labels have
	tail   uint32 // where the bytes are that follow the label, if nothing else can
	size   uint8  // of the tail
	count  uint8
	label  byte // the byte that leads here
	caps   bool // only in capitals
	open   kinds
	closed kinds // only where the word ends
}

// begins says whether a phrase begins with the two bytes.
func (t *trie) begins(a, b byte) bool { return t.pairs[t.root[a]][lowered[b]] != 0 }

// longest is the longest phrase text begins with: its length and what it says.
func (t *trie) longest(text []byte) (n int, ks kinds) {
	return t.longestFrom(t.pairs[t.root[text[0]]][lowered[text[1]]], text, 2)
}

// longestFrom is the same, from the node on that the first i bytes lead to.
func (t *trie) longestFrom(at uint32, text []byte, i int) (n int, ks kinds) {
	for at != 0 {
		node := &t.nodes[at]
		if node.open|node.closed != 0 && node.fits(text, i) {
			n, ks = i, node.open
			if node.closed != 0 && (ks == 0 || endsWord(text, i)) {
				ks |= node.closed
			}
		}
		if i == len(text) {
			break
		}
		at = t.child(node, lowered[text[i]])
		if i++; at != 0 {
			next := &t.nodes[at]
			end := i + int(next.size)
			if end > len(text) {
				break
			}
			for _, c := range t.tails[next.tail:][:next.size] {
				if lowered[text[i]] != c {
					return n, ks
				}
				i++
			}
		}
	}
	return n, ks
}

// nodeOf is the node that a text leads to, which has as many bytes as are never in a tail.
func (t *trie) nodeOf(text string) uint32 {
	at := t.pairs[t.root[text[0]]][text[1]]
	for i := 2; i < len(text); i += 1 + int(t.nodes[at].size) {
		at = t.child(&t.nodes[at], text[i])
	}
	return at
}

func (n *node) fits(text []byte, end int) bool {
	if n.open == 0 && !endsWord(text, end) {
		return false
	}
	if n.caps {
		for _, c := range text[:end] {
			if isLower(c) {
				return false
			}
		}
	}
	return true
}

func (t *trie) child(n *node, c byte) uint32 {
	if n.some&(1<<(c&31)) == 0 {
		return 0
	}
	for i := n.first; i < n.first+uint32(n.count); i++ {
		if t.nodes[i].label == c {
			return i
		}
	}
	return 0
}

// endsWord says whether no letter or digit follows at i, or the two are of different kinds.
func endsWord(text []byte, i int) bool {
	if i >= len(text) {
		return true
	}
	if text[i-1] < utf8.RuneSelf && !isAlnum(text[i-1]) {
		return true
	}
	if c := text[i]; c < utf8.RuneSelf {
		return !isLetter(c) && (!isDigit(c) || !isDigit(text[i-1]))
	}
	script, _ := scriptAt(text, i)
	return script != scriptSpaced
}

// phrases are the phrases of all languages, those that begin a word and those found anywhere.
type phrases struct {
	starts, inside trie
	gate           *gate
	unspaced       *charPairs
	longest        int // bytes
}

// at is the longest phrase at i. Within a word only some are looked for.
func (ph *phrases) at(text []byte, i int, within bool) (n int, ks kinds) {
	a, b := text[i], text[i+1]
	if !within && ph.starts.begins(a, b) {
		n, ks = ph.starts.longest(text[i:])
	}
	if ph.inside.begins(a, b) {
		if m, more := ph.inside.longest(text[i:]); m > n {
			return m, more
		}
	}
	return n, ks
}

var allPhrases = sync.OnceValue(func() *phrases {
	var starts, inside builder
	var all []entry
	for _, group := range allWords() {
		for i := range group {
			for _, l := range group[i].lists() {
				for p := range strings.SplitSeq(l.list, ",") {
					e, ok := parsePhrase(p, l.kind)
					if !ok {
						continue
					}
					to := &starts
					if e.anywhere {
						to = &inside
					}
					to.add(e)
					all = append(all, e)
					if plain := strings.ReplaceAll(e.text, "ã", "a"); plain != e.text && !e.exact {
						e.text = plain
						to.add(e)
						all = append(all, e)
					}
				}
			}
		}
	}
	ph := &phrases{starts: starts.build(), inside: inside.build()}
	ph.gate = newGate(all, &ph.inside)
	ph.unspaced = new(charPairs)
	for i := range all {
		if all[i].anywhere {
			ph.unspaced.add(all[i].text, &ph.inside)
		}
		ph.longest = max(ph.longest, len(all[i].text))
	}
	return ph
})

// entry is a phrase as the tables write it.
type entry struct {
	text     string // folded
	kind     kind
	anywhere bool // may begin inside a word
	open     bool // may end inside a word
	caps     bool
	exact    bool // not without its tilde
}

func parsePhrase(p string, k kind) (entry, bool) {
	p = strings.TrimSpace(p)
	if p == "" {
		return entry{}, false
	}
	e := entry{kind: k}
	p, e.caps = strings.CutPrefix(p, "=")
	p, e.exact = strings.CutPrefix(p, "^")
	p, e.anywhere = strings.CutPrefix(p, "*")
	p, e.open = strings.CutSuffix(p, "*")
	e.text = foldPhrase(p)
	first, _ := utf8.DecodeRuneInString(e.text)
	last, _ := utf8.DecodeLastRuneInString(e.text)
	e.open = e.open || isUnspaced(last)
	names := k == kindOTP || k == kindCode || k == kindPurpose
	e.anywhere = e.anywhere || isUnspaced(first) || names && isRightToLeft(first)
	return e, true
}

// builder is a trie under construction.
type builder struct {
	nodes []buildNode
}

type buildNode struct {
	next         map[byte]int
	order        []byte
	open, closed kinds
	caps         bool
}

func (b *builder) add(e entry) {
	if len(b.nodes) == 0 {
		b.nodes = append(b.nodes, buildNode{})
	}
	at := 0
	for i := range len(e.text) {
		c := e.text[i]
		next, ok := b.nodes[at].next[c]
		if !ok {
			next = len(b.nodes)
			b.nodes = append(b.nodes, buildNode{})
			n := &b.nodes[at]
			if n.next == nil {
				n.next = map[byte]int{}
			}
			n.next[c] = next
			n.order = append(n.order, c)
		}
		at = next
	}
	n := &b.nodes[at]
	if n.caps = e.caps; e.open {
		n.open |= setOf(e.kind)
	} else {
		n.closed |= setOf(e.kind)
	}
}

// build lays the nodes out so that those of one phrase are close to each other.
func (b *builder) build() trie {
	t := trie{nodes: []node{{}}}
	b.lay(&t, 0, 0, 0)
	t.nodes, t.tails = slices.Clone(t.nodes), slices.Clone(t.tails) // they stay for good, without room for more
	t.index()
	return t
}

// lay puts the children of a node in a row, and behind them what is below each. The node has so many bytes above it.
func (b *builder) lay(t *trie, from, at, above int) {
	n := &b.nodes[from]
	first := len(t.nodes)
	t.nodes[at].first, t.nodes[at].count = uint32(first), uint8(len(n.order))
	ends := make([]int, len(n.order))
	for i, c := range n.order {
		t.nodes[at].some |= 1 << (c & 31)
		tail := len(t.tails)
		end := n.next[c]
		for depth := above + 1; b.nodes[end].isPassed(depth); depth++ {
			next := b.nodes[end].order[0]
			t.tails = append(t.tails, next)
			end = b.nodes[end].next[next]
		}
		ends[i] = end
		e := &b.nodes[end]
		t.nodes = append(t.nodes, node{label: c, open: e.open, closed: e.closed, caps: e.caps, tail: uint32(tail), size: uint8(len(t.tails) - tail)})
	}
	for i, end := range ends {
		b.lay(t, end, first+i, above+1+int(t.nodes[first+i].size))
	}
}

// isPassed says whether a node is but a step on the way to another, so many bytes from the root. By two bytes, and by one or
// two characters of three, nodes are looked up.
func (n *buildNode) isPassed(depth int) bool {
	return len(n.order) == 1 && n.open|n.closed == 0 && depth > 3 && depth != 6
}

// index makes the tables for the first two bytes. No phrase is shorter.
func (t *trie) index() {
	root := &t.nodes[0]
	t.pairs = make([][256]uint32, 1+int(root.count))
	for i := range root.count {
		n := &t.nodes[root.first+uint32(i)]
		for c := range t.pairs[i+1] {
			t.pairs[i+1][c] = t.child(n, byte(c))
		}
		for c := range t.root {
			if lowered[c] == n.label {
				t.root[c] = i + 1
			}
		}
	}
}
