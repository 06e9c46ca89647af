package record

import (
	"strings"
	"unicode"
)

// items returns the goods of an order: lines that say how many of what for how much, above the sums.
func (r *reader) items() []Item {
	var list []Item
	end := r.sumsBegin()
	r.table, r.counts = false, false
	for i := 1; i < end && len(list) < maxOrderItems; i++ {
		r.header(&r.page.lines[i])
		if item, used := r.itemAt(i, end); used > 0 {
			list = append(list, item)
			i += used - 1
		}
	}
	r.perPiece(list)
	return list
}

// header notes the head of a table of goods, which says what the columns are.
func (r *reader) header(l *line) {
	both := l.means(itemIs) > 0 && l.means(quantity) > 0 && len(l.text) < 80 && len(l.amounts()) == 0
	for _, h := range l.hits {
		if cell := strings.Trim(l.folded[h.from:cellEnd(l.folded, h.from)], " :"); both ||
			len(cell) == h.to-h.from && l.isLabel(h) {
			r.table = r.table || h.is(itemIs)
			r.counts = r.counts || h.is(quantity)
		}
	}
}

// sumsBegin returns the first line with a sum of goods, or the number of lines if there is none.
func (r *reader) sumsBegin() int {
	end := len(r.page.lines)
	seen := false
	r.each(partSum|grandTotal|total, func(i int, h hit) bool {
		if l := &r.page.lines[i]; i == 0 || !l.isLabel(h) || l.means(itemIs|quantity) > 0 && strings.IndexByte(l.folded,
			'\t') > 0 {
			return false
		}
		if _, ok := r.amountOf(i, h); ok {
			if a := r.page.lines[i].amounts(); len(a) > 0 || seen {
				end = i
				return true
			}
			seen = true
		}
		return false
	})
	return end
}

// itemAt reads an item that begins on line i, and returns how many lines it has.
func (r *reader) itemAt(i, end int) (item Item, used int) {
	l := &r.page.lines[i]
	if l.url || len(l.text) > 300 || r.isSum(l) {
		return item, 0
	}
	if item, ok := r.itemOnLine(l); ok {
		return item, 1
	}
	return r.itemOverLines(i, end)
}

// isSum says whether a line gives a sum, and is no item for that.
func (r *reader) isSum(l *line) bool {
	for _, h := range l.hits {
		if h.from == 0 && h.is(itemIs) && l.colonAfter(h) && l.means(quantity) > 0 {
			return false // it names the goods first
		}
		if h.means&(partSum|grandTotal|total|paidIs|methodIs|orderNo|trackNo|invoiceNo|etaIs|orderDate) != 0 &&
			h.means&itemIs == 0 && l.isLabel(h) {
			return true
		}
	}
	return false
}

// itemOnLine reads an item that stands on one line with its price:
// "2 x Blue shirt $40.00", "Blue shirt × 2 $40.00", "Shirt (1) @ 19.99 = 19.99", or a row of name, quantity and price.
func (r *reader) itemOnLine(l *line) (item Item, ok bool) {
	prices := priced(l)
	if len(prices) == 0 {
		return item, false
	}
	name := strings.TrimSpace(l.folded[:prices[0].from])
	if name == "" {
		return item, false
	}
	item.Price = prices[0].value
	from, to, quantity := r.itemParts(l.folded[:prices[0].from])
	if quantity == "" {
		if to, quantity = quantityAfter(l.folded, prices); to > 0 {
			to = prices[0].from
		}
	}
	if quantity == "" && !(r.table && strings.Count(l.folded[:prices[0].to], "\t") == 1) {
		return item, false
	}
	if to <= from {
		to = prices[0].from
	}
	for _, h := range l.hits {
		if h.from == from && h.to < to && h.is(itemIs) && l.colonAfter(h) {
			from = skipSeparators(l.folded, h.to)
		}
	}
	if to <= from || l.isPhrase(from, to) {
		return item, false
	}
	item.Quantity, item.Name = quantity, itemName(l.original(from, max(from, to)))
	return item, item.Name != ""
}

// isPhrase says whether a range is nothing but a label.
func (l *line) isPhrase(from, to int) bool {
	name := strings.Trim(l.folded[from:to], " \t:")
	for _, h := range l.hits {
		if h.from >= from && h.to <= to && h.means&(anyLabel|orderDone|orderWord) != 0 && h.to-h.from >= len(name) {
			return true
		}
	}
	return false
}

// priced returns the amounts of a line that are prices: with a currency, or with cents.
func priced(l *line) (list []amount) {
	for _, a := range l.amounts() {
		if a.currency != "" || hasCents(a.value) {
			list = append(list, a)
		}
	}
	return list
}

// itemOverLines reads a name with its quantity and price on the next lines, in either order.
func (r *reader) itemOverLines(i, end int) (item Item, used int) {
	if !r.numbersBelow(i) {
		return item, 0
	}
	if item = nameLine(&r.page.lines[i]); item.Name == "" {
		return item, 0
	}
	for j := i + 1; j < end && j <= i+2+b2i(used > 0)*2; j++ {
		below := &r.page.lines[j]
		if q := quantityLine(below); q != "" {
			item.Quantity, used = q, j-i+1
		} else if r.counts && isCount(below.folded) {
			item.Quantity, used = Decimal(below.folded), j-i+1
		}
		if list := priced(below); len(list) > 0 && !r.isSum(below) {
			if list[0].from > 12 && !item.Quantity.Known() {
				return item, 0
			}
			item.Price, used = list[0].value, j-i+1
			if cell := withoutPieces(strings.Trim(below.folded[:list[0].from], " \tx")); isCount(cell) {
				item.Quantity = Decimal(cell)
			}
		}
		if item.Quantity.Known() && item.Price.Known() {
			return item, used
		}
	}
	return Item{}, 0
}

// numbersBelow says whether one of the next two lines has a number that could be a price or a quantity.
func (r *reader) numbersBelow(i int) bool {
	for j := i + 1; j <= i+2 && j < len(r.page.lines); j++ {
		if len(r.page.lines[j].amounts()) > 0 || r.page.has(quantity, j, j+1) ||
			strings.HasPrefix(r.page.lines[j].folded, "x") {
			return true
		}
	}
	return false
}

// nameLine reads a line that has nothing but the name of an item, perhaps with a quantity or after a label.
func nameLine(l *line) (item Item) {
	name := l.text
	for _, h := range l.hits {
		switch {
		case h.from == 0 && h.is(itemIs) && l.colonAfter(h):
			name = l.original(skipSeparators(l.folded, h.to), len(l.folded))
		case h.means&(orderNo|orderDone|orderDate|trackNo|shipped|transit|outFor|delivered|exception|etaIs|quantity|
			receipt|promo) != 0,
			h.from == 0 && h.means&anyLabel != 0 && l.colonAfter(h):
			return item
		}
	}
	if list := dates(l.folded); len(list) > 0 && list[0].year != 0 {
		return item
	}
	if n, at := leadingTimes(l.folded); n != "" {
		item.Quantity, name = n, l.original(at, len(l.folded))
	} else if at, n := trailingTimes(l.folded); n != "" {
		item.Quantity, name = n, l.original(0, max(at, 0))
	}
	item.Name = itemName(name)
	return item
}

// itemName tidies a name, and returns none for what cannot be one.
func itemName(s string) string {
	most := 0
	for cell := range strings.SplitSeq(s, "\t") { // next to the name there may be a number
		if n := countLetters(cell); n > most {
			s, most = cell, n
		}
	}
	s = strings.Trim(squeeze(s), " -–—*•·:|,/")
	if most < 2 || len(s) > 250 || strings.Contains(s, "://") || strings.HasSuffix(s, "?") {
		return ""
	}
	return s
}

func countLetters(s string) (n int) {
	for _, r := range s {
		n += b2i(unicode.IsLetter(r))
	}
	return n
}
