package search

import "strings"

// maxGroups is how many groups of digits are taken for one number.
const maxGroups = 6

// numbers sees to groups of digits that stand side by side, as codes are often typed: 482 915 is also 482915.
func (p *parser) numbers(n *Node) *Node {
	if n == nil || n.Op != And {
		return n
	}
	kids := make([]*Node, 0, len(n.Kids))
	for i := 0; i < len(n.Kids); {
		j := i
		for j < len(n.Kids) && n.Kids[j].group() && n.Kids[j].Words.Fields == n.Kids[i].Words.Fields {
			j++
		}
		if j-i >= 2 && j-i <= maxGroups && p.left > 0 {
			p.left--
			kids = append(kids, number(n.Kids[i:j]))
		} else {
			j = max(j, i+1)
			kids = append(kids, n.Kids[i:j]...)
		}
		i = j
	}
	if len(kids) == 1 {
		return kids[0]
	}
	return &Node{Op: And, Kids: kids}
}

// group tells a group of digits that may be a part of a number.
func (n *Node) group() bool {
	return n.Op == Find && !n.Words.Quoted && len(n.Words.Text) >= 2 && len(n.Words.Text) <= 4 &&
		strings.Trim(n.Words.Text, "0123456789") == ""
}

// number is the groups, each of them anywhere, or what they make together.
func number(groups []*Node) *Node {
	var joined strings.Builder
	typed := make([]string, len(groups))
	for i, g := range groups {
		joined.WriteString(g.Words.Text)
		typed[i] = g.Words.String()
	}
	words, _ := parseWords(joined.String(), groups[0].Words.Fields, false)
	if groups[len(groups)-1].Words.Prefix {
		words[0].beginning()
	}
	return &Node{
		Op:    Or,
		Kids:  []*Node{{Op: And, Kids: groups}, {Op: Find, Words: words[0]}},
		typed: strings.Join(typed, " "),
	}
}
