package lexicon

// Pairs are the nodes that the first two bytes of phrases lead to, for where many places of a text are looked at and no
// phrase is shorter.
type Pairs struct {
	root  [256]uint8    // by the first byte as written: its place in nodes
	nodes [][256]uint32 // by that and the second byte
}

// Pairs makes the table of them.
func (a *Automaton) Pairs() *Pairs {
	root := &a.nodes[0]
	p := &Pairs{nodes: make([][256]uint32, 1+int(root.count))}
	for i := range root.count {
		n := &a.nodes[root.first+uint32(i)]
		for c := range p.nodes[i+1] {
			p.nodes[i+1][c] = a.child(n, byte(c))
		}
		for c := range p.root {
			if Lowered[c] == n.label {
				p.root[c] = i + 1
			}
		}
	}
	return p
}

// Node is the node that two bytes lead to; 0 if no phrase begins with them.
func (p *Pairs) Node(a, b byte) uint32 { return p.nodes[p.root[a]][Lowered[b]] }

// Begins tells whether a phrase begins with a byte.
func (p *Pairs) Begins(c byte) bool { return p.root[c] != 0 }
