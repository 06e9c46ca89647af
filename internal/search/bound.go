package search

// Bounds is what of a query holds whichever way mail is looked for: its filters, phrases, words that must be in one
// field, and all that must not be there. Words that may be anywhere are left out, because by their meaning mail is
// found that has others. None says that nothing is left.
func (q Query) Bounds() (bounds Query, none bool) {
	bounds = Query{Root: q.Root.bounds(), Void: q.Void}
	if bounds.Root != nil {
		bounds.Root.gather(&bounds.words)
	}
	return bounds, bounds.Root == nil && !bounds.Void
}

// bounds is the part of a node that binds, nil if there is none.
func (n *Node) bounds() *Node {
	switch {
	case n == nil:
		return nil
	case n.Op == Find && !n.Words.Quoted && n.Words.Fields&MailFields == MailFields:
		return nil
	case n.Op != And && n.Op != Or:
		return n
	}
	kids := make([]*Node, len(n.Kids))
	for i, k := range n.Kids {
		if kids[i] = k.bounds(); kids[i] == nil && n.Op == Or {
			return nil // that one may hold
		}
	}
	return all(n.Op, kids)
}

// gather lists the words of a node in their order.
func (n *Node) gather(words *[]*Words) {
	if n.Op == Find {
		*words = append(*words, n.Words)
	}
	for _, k := range n.Kids {
		k.gather(words)
	}
}

// Meant is the words of a query by which mail of the same meaning is looked for: those that are not to be missing, and
// not names of people or files.
func (q Query) Meant() (text string) {
	for _, w := range q.words {
		if w.barred || !w.Fields.Has(Subject) && !w.Fields.Has(Body) {
			continue
		}
		if text != "" {
			text += " "
		}
		text += w.Text
	}
	return text
}
