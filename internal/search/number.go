package search

import "strings"

const (
	// maxGroups is how many groups of digits are taken for one number.
	maxGroups = 6
	// Groups that are shorter or longer than those of codes are taken for one if it can be a telephone number (ITU-T
	// E.164).
	minPhone, maxPhone = 7, 15
)

// numbers sees to numbers that are typed in groups: 482 915 is also 482915, 1 234,56 also 1234,56, and an IBAN is one
// number however it is written.
func (p *parser) numbers(n *Node) *Node {
	if n == nil || n.Op != And {
		return n
	}
	kids := make([]*Node, 0, len(n.Kids))
	for i := 0; i < len(n.Kids); {
		took, ok := takeNumber(n.Kids[i:])
		if ok && p.left > 0 {
			p.left--
			kids = append(kids, number(n.Kids[i:i+took]))
		} else {
			kids = append(kids, n.Kids[i:i+took]...)
		}
		i += took
	}
	if len(kids) == 1 {
		return kids[0]
	}
	return &Node{Op: And, Kids: kids}
}

// takeNumber tells how many of the words at the beginning go together, at least one, and whether they are a number.
func takeNumber(nodes []*Node) (words int, ok bool) {
	for words < len(nodes) && words < maxIBAN && nodes[words].plain() &&
		nodes[words].Words.Fields == nodes[0].Words.Fields {
		words++
	}
	nodes = nodes[:words]
	if n := takeIBAN(nodes); n > 0 {
		return n, true
	}
	if n := takeAmount(nodes); n > 0 {
		return n, true
	}
	n, ok := takeGroups(nodes)
	return max(n, 1), ok
}

// plain tells a word that may be a part of a number.
func (n *Node) plain() bool { return n.Op == Find && !n.Words.Quoted }

// takeGroups takes groups of digits: of a code, or of a telephone number.
func takeGroups(nodes []*Node) (n int, ok bool) {
	code, digits := true, 0
	for n < len(nodes) && isDigits(nodes[n].Words.Text) {
		size := len(nodes[n].Words.Text)
		code, digits = code && size >= 2 && size <= 4, digits+size
		n++
	}
	return n, n >= 2 && n <= maxGroups && (code || digits >= minPhone && digits <= maxPhone)
}

// takeAmount takes an amount with spaces between its thousands.
func takeAmount(nodes []*Node) int {
	for i, n := range nodes {
		text := n.Words.Text
		if whole, ok := wholeOf(text); ok {
			if i > 0 && len(whole) == 3 {
				return i + 1
			}
			return 0
		}
		if !isDigits(text) || len(text) > 3 || i > 0 && len(text) != 3 {
			return 0
		}
	}
	return 0
}

// takeIBAN takes the groups of an IBAN.
func takeIBAN(nodes []*Node) int {
	var joined strings.Builder
	for i, n := range nodes {
		if len(n.Words.Text) > 4 || joined.Len() > maxIBAN {
			return 0
		}
		joined.WriteString(n.Words.Text)
		if i > 0 && isIBAN(joined.String()) {
			return i + 1
		}
	}
	return 0
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

// grouped returns the groups that an amount or IBAN is written in. Those of an amount are the same as its words, unless
// its first group is a single digit.
func grouped(text string) (groups []string) {
	if whole, ok := wholeOf(text); ok && len(whole) > 3 && len(whole)%3 == 1 {
		groups = append(groups, whole[:1])
		for whole = whole[1:]; whole != ""; whole = whole[3:] {
			groups = append(groups, whole[:3])
		}
		return append(groups, text[strings.IndexAny(text, ".,")+1:])
	}
	if !isIBAN(text) {
		return nil
	}
	for ; len(text) > 4; text = text[4:] {
		groups = append(groups, text[:4])
	}
	return append(groups, text)
}

// wholeOf returns the digits before the point or comma of a number that has one or two after it.
func wholeOf(text string) (digits string, ok bool) {
	i := strings.IndexAny(text, ".,")
	if i < 1 || len(text)-i < 2 || len(text)-i > 3 || !isDigits(text[:i]) || !isDigits(text[i+1:]) {
		return "", false
	}
	return text[:i], true
}

func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// An IBAN is as long as its country says, within these (ISO 13616).
const minIBAN, maxIBAN = 15, 34

// isIBAN tells an IBAN from other words by its check digits.
func isIBAN(text string) bool {
	if len(text) < minIBAN || len(text) > maxIBAN {
		return false
	}
	rest := 0
	for i := range len(text) {
		c := plain[text[(i+4)%len(text)]]
		switch at := (i + 4) % len(text); {
		case c == 0, at < 2 && c <= '9', (at == 2 || at == 3) && c > '9':
			return false
		case c <= '9':
			rest = (rest*10 + int(c-'0')) % 97
		default:
			rest = (rest*100 + int(c-'a') + 10) % 97
		}
	}
	return rest == 1
}
