package record

import (
	"strings"
	"unicode/utf8"
)

// itemParts finds a quantity before, after or in a cell next to a name. It returns the range of the name.
func (r *reader) itemParts(s string) (from, to int, quantity Decimal) {
	trimmed := beforePrice(s)
	to = len(trimmed)
	if n, end := leadingTimes(trimmed); n != "" { // 2 x name
		return end, to, n
	}
	last := strings.LastIndexByte(trimmed, '\t')
	if cell := strings.Trim(trimmed[last+1:], " x"); last > 0 && isCount(cell) { // name, quantity
		return 0, last, Decimal(cell)
	}
	if at, n := trailingTimes(trimmed); n != "" { // name x 2, name (2), name Qty: 2
		return 0, at, n
	}
	// position, name, quantity
	if at := strings.LastIndexByte(trimmed, ' '); r.counts && at > 0 && isCount(trimmed[at+1:]) {
		_, rest, _ := strings.Cut(trimmed, " ")
		if position := strings.TrimSuffix(trimmed[:len(trimmed)-len(rest)], " "); isCount(strings.TrimSuffix(position,
			".")) && len(rest) > to-at {
			from = len(trimmed) - len(rest)
		}
		return from, at, Decimal(trimmed[at+1:])
	}
	// quantity, name
	if first := strings.IndexByte(trimmed, '\t'); first > 0 && isCount(strings.TrimSpace(trimmed[:first])) {
		return first + 1, to, Decimal(strings.TrimSpace(trimmed[:first]))
	}
	return 0, to, ""
}

// isCount says whether s is a small whole number.
func isCount(s string) bool {
	return s != "" && len(s) <= 4 && strings.Trim(s, "0123456789") == "" && s[0] != '0'
}

// leadingTimes reads "2 x " or "2× " at the front.
func leadingTimes(s string) (n Decimal, end int) {
	i := 0
	for i < len(s) && isDigit(s[i]) {
		i++
	}
	rest := strings.TrimLeft(s[i:], " ")
	if !isCount(s[:i]) || len(rest) < 2 {
		return "", 0
	}
	for _, times := range []string{"x ", "x\t", "* "} {
		if strings.HasPrefix(rest, times) {
			return Decimal(s[:i]), len(s) - len(rest) + len(times)
		}
	}
	if word, _, ok := strings.Cut(rest, " "); ok && isParticle(strings.TrimSuffix(word, "."), pieces) {
		return Decimal(s[:i]), len(s) - len(rest) + len(word) + 1
	}
	return "", 0
}

// beforePrice cuts what leads from an item to its price: signs, and a word for it.
func beforePrice(s string) string {
	const signs = " \t@-=:("
	s = strings.TrimRight(s, signs)
	for range 2 {
		if at := strings.LastIndexAny(s, " \t/") + 1; at > 1 && isParticle(s[at:], priceWord) {
			s = strings.TrimRight(s[:at], signs+",;|/")
		}
	}
	return s
}

// withoutPieces cuts the word for what is counted after a number at the end; in letters that are written without
// spaces it may follow at once.
func withoutPieces(s string) string {
	end := strings.TrimRight(s, " .,;/")
	at := len(end)
	for at > 0 && !isDigit(end[at-1]) && strings.IndexByte(" \t,;", end[at-1]) < 0 {
		at--
	}
	if at == 0 || !isParticle(end[at:], pieces) {
		return s
	}
	number := strings.TrimRight(end[:at], " ")
	first, _ := utf8.DecodeRuneInString(end[at:])
	if number == "" || !isDigit(number[len(number)-1]) || len(number) == at && !isDense(first) {
		return s
	}
	return number
}

// trailingTimes reads "x 2", "(2)", "qty 2" or "2 pcs" at the end, and returns where the name ends.
func trailingTimes(s string) (at int, n Decimal) {
	end := strings.TrimRight(s, " )x\t")
	counted := withoutPieces(end)
	pieced := len(counted) < len(end)
	end = counted
	i := len(end)
	for i > 0 && isDigit(end[i-1]) {
		i--
	}
	number := end[i:]
	if !isCount(number) {
		return 0, ""
	}
	before := strings.TrimRight(end[:i], " :")
	switch {
	case strings.HasSuffix(before, " x") || strings.HasSuffix(before, "\tx"):
		return len(before) - 2, Decimal(number)
	case strings.HasSuffix(before, "(") && strings.HasPrefix(s[len(end):], ")"):
		return len(before) - 1, Decimal(number)
	}
	for _, h := range find(phrases(), nil, before) {
		if h.to == len(before) && h.is(quantity) {
			return h.from, Decimal(number)
		}
	}
	if pieced && i > 0 && strings.IndexByte(" \t,", end[i-1]) >= 0 {
		return len(before), Decimal(number)
	}
	return 0, ""
}

// quantityAfter finds a quantity between or after the prices: a cell of its own, or "x 2" at the end.
func quantityAfter(s string, prices []amount) (at int, quantity Decimal) {
	from := prices[0].to
	for _, p := range prices[1:] {
		if cell := withoutPieces(strings.Trim(s[from:p.from], " \tx")); isCount(cell) {
			return from, Decimal(cell)
		}
		from = p.to
	}
	if rest := withoutPieces(strings.Trim(s[from:], " \tx")); isCount(rest) {
		return from, Decimal(rest)
	}
	return 0, ""
}

// quantityLine reads a line that says how many: "Qty: 2", "Menge 1", "数量：3", "x2".
func quantityLine(l *line) Decimal {
	for _, h := range l.hits {
		if !h.is(quantity) || h.from > 2 {
			continue
		}
		rest := strings.TrimLeft(l.folded[h.to:], " :.x\t")
		end := 0
		for end < len(rest) && isDigit(rest[end]) {
			end++
		}
		if isCount(rest[:end]) {
			return Decimal(rest[:end])
		}
	}
	if n, ok := strings.CutPrefix(l.folded, "x"); ok && isCount(strings.TrimSpace(n)) {
		return Decimal(strings.TrimSpace(n))
	}
	if n := withoutPieces(l.folded); len(n) < len(l.folded) && isCount(n) {
		return Decimal(n)
	}
	return ""
}
