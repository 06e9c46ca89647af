package search

import (
	"strings"

	"golang.org/x/net/idna"
)

// spell lets words find what is also written in another way: an amount or IBAN that is typed without spaces those with
// them, and a domain its IDNA form. What must not be there is left as it is: of what is spelled in one way the index
// can tell at once.
func (p *parser) spell(n *Node) *Node {
	switch {
	case n == nil || n.typed != "" || n.Op == Not:
	case n.Op == And || n.Op == Or:
		for i, k := range n.Kids {
			n.Kids[i] = p.spell(k)
		}
	case n.plain() && p.left > 0:
		if other := otherwise(n.Words.Text); other != "" {
			p.left--
			words, _ := parseWords(other, n.Words.Fields, true)
			return &Node{Op: Or, Kids: []*Node{n, {Op: Find, Words: words[0]}}, typed: n.Words.String()}
		}
	}
	return n
}

// otherwise is another way to write a word, as a phrase; empty if there is none.
func otherwise(text string) string {
	if groups := grouped(text); groups != nil {
		return strings.Join(groups, ";") // which does not join digits
	}
	return otherDomain(text)
}

// otherDomain writes a domain, or that of an address, in its IDNA form, which most mail has.
func otherDomain(text string) string {
	at := strings.LastIndexByte(text, '@') + 1
	domain := text[at:]
	if isASCII(domain) || !strings.Contains(domain, ".") {
		return ""
	}
	ascii, err := idna.Lookup.ToASCII(domain)
	if err != nil || !isASCII(ascii) {
		return ""
	}
	return text[:at] + ascii
}
