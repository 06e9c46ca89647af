package record

// graph is the things that a mail's markup describes.
type graph struct {
	roots []*node
	byID  map[string]*node
}

// newGraph takes the things of JSON-LD documents: what lies under @graph comes to the top, and a reference by @id is
// replaced by what it refers to.
func newGraph(roots []*node) *graph {
	g := &graph{byID: map[string]*node{}}
	for _, n := range roots {
		g.enter(n, 0)
	}
	for _, n := range roots {
		g.top(n, 0)
	}
	for _, n := range g.roots {
		g.resolve(n, 0)
	}
	return g
}

// enter notes the things that have an id.
func (g *graph) enter(n *node, depth int) {
	if n.id != "" && len(n.props) > 0 && g.byID[n.id] == nil {
		g.byID[n.id] = n
	}
	if depth > maxJSONDepth {
		return
	}
	for _, p := range n.props {
		for _, v := range p.values {
			if v.node != nil {
				g.enter(v.node, depth+1)
			}
		}
	}
}

func (g *graph) top(n *node, depth int) {
	inner := n.nodes("@graph")
	if len(inner) == 0 || depth > 4 {
		g.roots = append(g.roots, n)
		return
	}
	for _, m := range inner {
		g.top(m, depth+1)
	}
	if len(n.types) > 0 {
		g.roots = append(g.roots, n)
	}
}

// resolve replaces references. It goes through what the documents say, not through what they refer to, so it ends.
func (g *graph) resolve(n *node, depth int) {
	if depth > maxJSONDepth {
		return
	}
	for _, p := range n.props {
		for i, v := range p.values {
			switch {
			case v.node == nil:
			case len(v.node.props) == 0 && v.node.id != "" && g.byID[v.node.id] != nil:
				p.values[i].node = g.byID[v.node.id]
			default:
				g.resolve(v.node, depth+1)
			}
		}
	}
}
