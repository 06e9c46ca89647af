package record

import (
	"strings"
	"unicode/utf8"
)

// trie finds phrases in folded text. A phrase stands for itself as whole words; with a star at its end for every word
// that begins with it. In scripts without spaces it stands anywhere.
type trie struct {
	nodes []trieNode
	root  [256]int32
}

type trieNode struct {
	edges []trieEdge
	whole entry // the phrase ends here, as a whole word
	stem  entry // the phrase ends here, and the word may go on
}

type trieEdge struct {
	b  byte
	to int32
}

// entry is what a phrase means, and in which languages.
type entry struct {
	means meaning
	langs langs
}

func newTrie() *trie { return &trie{nodes: make([]trieNode, 1)} }

// add enters phrases, parted by commas.
func (t *trie) add(phrases string, e entry) {
	for phrase := range strings.SplitSeq(phrases, ",") {
		phrase, stem := strings.CutSuffix(squeeze(fold(phrase)), "*")
		if phrase == "" {
			continue
		}
		n := t.path(phrase)
		if stem {
			n.stem.join(e)
		} else {
			n.whole.join(e)
		}
	}
}

func (e *entry) join(f entry) {
	e.means |= f.means
	e.langs |= f.langs
}

// path makes the nodes of a phrase and gives the last.
func (t *trie) path(phrase string) *trieNode {
	at := int32(0)
	for i := range len(phrase) {
		next := t.child(at, phrase[i])
		if next == 0 {
			next = int32(len(t.nodes))
			t.nodes = append(t.nodes, trieNode{})
			t.nodes[at].edges = append(t.nodes[at].edges, trieEdge{phrase[i], next})
			if at == 0 {
				t.root[phrase[i]] = next
			}
		}
		at = next
	}
	return &t.nodes[at]
}

func (t *trie) child(at int32, b byte) int32 {
	if at == 0 {
		return t.root[b]
	}
	for _, e := range t.nodes[at].edges {
		if e.b == b {
			return e.to
		}
	}
	return 0
}

// hit is a phrase in a line: a range of its folded form.
type hit struct {
	from, to int
	entry
}

func (h hit) is(m meaning) bool { return h.means&m != 0 }

// find appends the phrases of a text, the longest at each place, without those that lie inside another.
func (t *trie) find(hits []hit, s string) []hit {
	open := true // a word can begin here
	covered := 0
	for i := 0; i < len(s); {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		if (open || isDense(r)) && t.root[s[i]] != 0 {
			if h, ok := t.longest(s, i); ok && h.to > covered {
				hits = append(hits, h)
				covered = h.to
			}
		}
		open = !isWord(r)
		i += size
	}
	return hits
}

// longest gives the longest phrase that begins at i.
func (t *trie) longest(s string, i int) (best hit, ok bool) {
	at := int32(0)
	for j := i; j < len(s); {
		if at = t.child(at, s[j]); at == 0 {
			break
		}
		j++
		n := &t.nodes[at]
		if n.stem.langs != 0 && (j == len(s) || utf8.RuneStart(s[j])) {
			best, ok = hit{i, j, n.stem}, true
		}
		if n.whole.langs != 0 && endsWord(s, j) {
			best, ok = hit{i, j, n.whole}, true
		}
	}
	if ok && isWordAt(s, best.to) {
		best.to = wordEnd(s, best.to)
	}
	return best, ok
}

// endsWord says whether a phrase that ends before j ends a word there.
func endsWord(s string, j int) bool {
	if j == len(s) {
		return true
	}
	if !utf8.RuneStart(s[j]) {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(s[:j])
	if isDense(last) || !isWord(last) {
		return true
	}
	next, _ := utf8.DecodeRuneInString(s[j:])
	return isDense(next) || !isWord(next)
}

// isWordAt says whether a word that is not of a dense script goes on at j.
func isWordAt(s string, j int) bool {
	if j >= len(s) || endsWord(s, j) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(s[j:])
	return isWord(r)
}

// wordEnd gives where the word that goes on at j ends.
func wordEnd(s string, j int) int {
	for j < len(s) {
		r, size := utf8.DecodeRuneInString(s[j:])
		if !isWord(r) || isDense(r) {
			break
		}
		j += size
	}
	return j
}
