package lexicon

// Automaton is phrases as a tree of their bytes (a trie), of which every node knows what the phrases mean that end
// there. The children of a node stand in a row, so a node needs no pointers.
type Automaton struct {
	nodes  []node
	tails  []byte
	values []Value
	first  [256]uint32 // the node of each first byte
	digits bool        // a digit ends a word
}

type node struct {
	first  uint32 // of the children
	some   uint32 // the low five bits that their labels have
	tail   uint32 // where the bytes are that follow the label, if nothing else can
	size   uint8  // of the tail
	count  uint8
	label  byte   // the byte that leads here
	caps   bool   // only in capitals
	open   uint16 // what the phrases mean that may go on here
	closed uint16 // what they mean only where the word ends
}

// Value is what a phrase means, and in which languages.
type Value struct {
	Means     Set
	Languages LanguageSet
}

func (v *Value) add(w Value) {
	v.Means |= w.Means
	v.Languages |= w.Languages
}

// Lowered is how phrases see a byte: capitals are small, white space is a space.
var Lowered = func() (t [256]byte) {
	for i := range t {
		c := byte(i)
		switch {
		case c >= 'A' && c <= 'Z':
			c += 'a' - 'A'
		case c == '\n' || c == '\t':
			c = ' '
		}
		t[i] = c
	}
	return t
}()

// LongestFrom is the longest phrase that folded text begins with: its length and what it means. The first i bytes lead
// to the node.
func LongestFrom[T string | []byte](a *Automaton, at uint32, text T, i int) (n int, v Value) {
	best, both := uint32(0), false
	for at != 0 {
		node := &a.nodes[at]
		if node.open|node.closed != 0 {
			ends := node.closed != 0 && endsWord(text, i, a.digits)
			if (ends || node.open != 0) && (!node.caps || inCapitals(text[:i])) {
				n, best, both = i, at, ends
			}
		}
		if i == len(text) {
			break
		}
		if at = a.child(node, Lowered[text[i]]); at == 0 {
			break
		}
		if i = passTail(a, at, text, i+1); i < 0 {
			break
		}
	}
	if n == 0 {
		return 0, v
	}
	return n, a.value(&a.nodes[best], both)
}

// value is what a node means where a phrase ends, and perhaps the word.
func (a *Automaton) value(n *node, ends bool) Value {
	v := a.values[n.open]
	if ends {
		v.add(a.values[n.closed])
	}
	return v
}

// passTail goes over the bytes of text that have to follow the label of a node. It returns a negative number where
// others do.
func passTail[T string | []byte](a *Automaton, at uint32, text T, i int) int {
	n := &a.nodes[at]
	if i+int(n.size) > len(text) {
		return -1
	}
	for _, c := range a.tails[n.tail:][:n.size] {
		if Lowered[text[i]] != c {
			return -1
		}
		i++
	}
	return i
}

func inCapitals[T string | []byte](text T) bool {
	for i := range len(text) {
		if text[i] >= 'a' && text[i] <= 'z' {
			return false
		}
	}
	return true
}

func (a *Automaton) child(n *node, c byte) uint32 {
	if n.some&(1<<(c&31)) == 0 {
		return 0
	}
	for i := n.first; i < n.first+uint32(n.count); i++ {
		if a.nodes[i].label == c {
			return i
		}
	}
	return 0
}

// Node is the node that the first bytes of a phrase lead to: up to three of them, or six.
func (a *Automaton) Node(text string) uint32 {
	at := a.first[text[0]]
	for i := 1; i < len(text) && at != 0; i += 1 + int(a.nodes[at].size) {
		at = a.child(&a.nodes[at], text[i])
	}
	return at
}

// EndsWord tells whether a word ends before text[i], which is folded. A digit does not end a word of letters.
func EndsWord(text string, i int) bool { return endsWord(text, i, false) }

// endsWord tells whether a word ends before text[i]: no letter or digit follows, or a letter of another kind. Whether a
// digit ends a word of letters depends.
func endsWord[T string | []byte](text T, i int, digits bool) bool {
	if i >= len(text) {
		return true
	}
	last, next := kinds[text[i-1]], kinds[text[i]]
	switch {
	case last == sign:
		return true
	case next == digit:
		return digits && last != digit
	case next < letter:
		return next == sign
	case next == letter:
		return false
	}
	script, _ := ScriptAt(text, i)
	return script != Spaced
}

// kind is what a byte is to a word.
type kind uint8

const (
	sign   kind = iota // neither letter nor digit
	digit              // 0 to 9
	letter             // of ASCII
	high               // beyond ASCII
)

var kinds = func() (of [256]kind) {
	for c := range of {
		switch {
		case c >= '0' && c <= '9':
			of[c] = digit
		case c|0x20 >= 'a' && c|0x20 <= 'z':
			of[c] = letter
		case c >= 0x80:
			of[c] = high
		}
	}
	return of
}()
