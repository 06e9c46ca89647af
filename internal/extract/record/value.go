package record

import "strings"

// value is a text that may belong to a label.
type value struct {
	line     *line
	at       int // number of the line
	from, to int // range of its folded form
}

func (v value) folded() string { return v.line.folded[v.from:v.to] }
func (v value) text() string   { return v.line.original(v.from, v.to) }

// values returns where the value of a label can be, the likeliest first: after it, in the next cell, below it in the
// same column, on the next lines.
func (p *page) values(i int, h hit) []value {
	l := &p.lines[i]
	var list []value
	from := skipSeparators(l.folded, h.to)
	cell := cellEnd(l.folded, from)
	if from < cell {
		list = append(list, value{l, i, from, cell})
	}
	for end := cell; end < len(l.folded) && len(list) < 3; {
		next := cellEnd(l.folded, end+1)
		list = append(list, value{l, i, end + 1, next})
		end = next
	}
	column := strings.Count(l.folded[:h.from], "\t")
	for j := i + 1; j <= i+2 && j < len(p.lines); j++ {
		below := &p.lines[j]
		if column > 0 || strings.IndexByte(l.folded, '\t') >= 0 {
			if from, to, ok := cellAt(below.folded, column); ok && strings.IndexByte(below.folded, '\t') >= 0 {
				list = append(list, value{below, j, from, to})
				continue
			}
		}
		list = append(list, value{below, j, 0, len(below.folded)})
	}
	return list
}

// skipSeparators steps over what stands between a label and its value on one line.
func skipSeparators(s string, i int) int {
	for {
		rest := strings.TrimLeft(s[i:], " :#.-=*|>\"]")
		for _, word := range []string{"】", "is ", "no.", "nr.", "("} {
			rest = strings.TrimPrefix(rest, word)
		}
		if len(rest) == len(s)-i {
			return i
		}
		i = len(s) - len(rest)
	}
}

// cellEnd returns where the cell ends in which i is.
func cellEnd(s string, i int) int {
	if i >= len(s) {
		return len(s)
	}
	if tab := strings.IndexByte(s[i:], '\t'); tab >= 0 {
		return i + tab
	}
	return len(s)
}

// cellAt returns the range of a cell.
func cellAt(s string, column int) (from, to int, ok bool) {
	for ; column > 0; column-- {
		tab := strings.IndexByte(s[from:], '\t')
		if tab < 0 {
			return 0, 0, false
		}
		from += tab + 1
	}
	return from, cellEnd(s, from), true
}

// isLabel says whether a phrase stands as a label: at the front of its cell, or before a colon or its like.
func (l *line) isLabel(h hit) bool {
	before := strings.TrimRight(l.folded[:h.from], " -*>#([")
	if before == "" || before[len(before)-1] == '\t' || strings.HasSuffix(before, "【") ||
		strings.HasSuffix(before, "■") || strings.HasSuffix(before, "・") {
		return true
	}
	return l.colonAfter(h)
}

// colonAfter says whether a colon follows a phrase, perhaps after something in brackets or a few letters.
func (l *line) colonAfter(h hit) bool {
	rest := l.folded[h.to:]
	if open := strings.IndexByte(rest, '('); open >= 0 && open < 3 {
		if end := strings.IndexByte(rest, ')'); end > 0 && end < 40 {
			rest = rest[end+1:]
		}
	}
	rest = strings.TrimLeft(rest, " ")
	return strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, "：") || strings.HasPrefix(rest, "\t") || rest == ""
}

// startsLabel says whether a line begins with a label of another kind, so that it is nobody's value.
func (l *line) startsLabel(except meaning) bool {
	return len(l.hits) > 0 && l.hits[0].from < 3 && l.hits[0].means&anyLabel != 0 && l.hits[0].means&except == 0 &&
		l.isLabel(l.hits[0]) && l.colonAfter(l.hits[0])
}

// anyLabel are the meanings of labels.
const anyLabel = orderNo | grandTotal | total | partSum | paidIs | invoiceNo | methodIs | orderDate | dateIs | dueIs |
	trackNo | carrierIs | etaIs |
	quantity | itemIs | when | where | what | timeIs | host | checkIn | checkOut
