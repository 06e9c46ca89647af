package rfc822

import "github.com/mailkin/mailkin/internal/view"

// node is a place in the tree of the message's texts. Attachments are not in it.
type node struct {
	kind nodeKind
	text string // of nodePlain and nodeHTML
	cut  bool
	view *view.View // of nodeHTML, once it was read
	kids []*node

	part *bodyPart // in a survey: how to read all of it
	long bool      // and there is more of it than text has
}

type nodeKind uint8

const (
	nodeNone nodeKind = iota
	nodePlain
	nodeHTML
	nodeSequence    // one after the other
	nodeAlternative // one instead of the other
	nodeMessage     // a nested message
	nodeReturned    // a message that a report returns
)

// add hangs a new node below n.
func (n *node) add(kind nodeKind) *node {
	kid := &node{kind: kind}
	n.kids = append(n.kids, kid)
	return kid
}

// has says whether a text of that kind is at or below n, nested messages left out.
func (n *node) has(kind nodeKind) bool {
	switch n.kind {
	case kind:
		return n.long || trimSpace(n.text) != ""
	case nodeMessage, nodeReturned:
		return false
	}
	for _, k := range n.kids {
		if k.has(kind) {
			return true
		}
	}
	return false
}

// seen is a nodeHTML as a person sees it.
func (n *node) seen() *view.View {
	if n.view == nil {
		n.view = view.ReadString(n.text)
	}
	return n.view
}
