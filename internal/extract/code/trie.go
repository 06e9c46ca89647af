package code

import (
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
	root  [256]uint8    // by the first byte as written: its place in pairs
	pairs [][256]uint32 // by that and the second byte: a node
}

type node struct {
	first  uint32 // of the children
	some   uint32 // the low five bits that their labels have
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
	at := t.pairs[t.root[text[0]]][lowered[text[1]]]
	for i := 2; at != 0; i++ {
		node := &t.nodes[at]
		if node.open|node.closed != 0 && node.fits(text, i) {
			n, ks = i, node.open
			if ks == 0 || endsWord(text, i) {
				ks |= node.closed
			}
		}
		if i == len(text) {
			break
		}
		at = t.child(node, lowered[text[i]])
	}
	return n, ks
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
	for i := range all {
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

// build lays the nodes out level by level.
func (b *builder) build() trie {
	var t trie
	queue := []int{0}
	t.nodes = append(t.nodes, b.nodes[0].node(0))
	for i := 0; i < len(queue); i++ {
		n := &b.nodes[queue[i]]
		t.nodes[i].first = uint32(len(queue))
		t.nodes[i].count = uint8(len(n.order))
		for _, c := range n.order {
			child := n.next[c]
			t.nodes[i].some |= 1 << (c & 31)
			t.nodes = append(t.nodes, b.nodes[child].node(c))
			queue = append(queue, child)
		}
	}
	t.index()
	return t
}

func (n *buildNode) node(label byte) node {
	return node{label: label, open: n.open, closed: n.closed, caps: n.caps}
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
