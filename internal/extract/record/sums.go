package record

import (
	"slices"
	"strings"
)

// amountOf reads the amount of a label. A number without a currency counts if it has cents.
func (r *reader) amountOf(i int, h hit) (a amount, ok bool) {
	for _, v := range r.page.values(i, h) {
		if v.at != i && (v.line.startsLabel(0) || v.to-v.from > 40) {
			return a, false
		}
		list := v.line.amounts()
		for _, a := range list {
			if a.from >= v.from && a.to <= v.to && a.currency != "" && a.from-v.from < 60 {
				return a, true
			}
		}
		for _, a := range list {
			if a.from >= v.from && a.to <= v.to && hasCents(a.value) && a.from-v.from < 60 && (v.at == i ||
				a.from == v.from && a.to == v.to) {
				return a, true
			}
		}
		if v.at != i && len(list) > 0 {
			return a, false
		}
	}
	return a, false
}

func hasCents(d Decimal) bool {
	dot := strings.IndexByte(string(d), '.')
	return dot >= 0 && len(d)-dot == 3
}

// sum is an amount with its currency and how well its label fits.
type sum struct {
	value    Decimal
	currency string
	rank     int
}

// Labels of the whole sum, and how much each says: of an order, and of what was paid.
var (
	orderSums   = map[meaning]int{grandTotal: 2, total: 1}
	receiptSums = map[meaning]int{grandTotal: 3, total: 2, paidIs: 1}
)

// sumLabelled returns the amount of the label that says the most, the last of several.
func (r *reader) sumLabelled(ranks map[meaning]int) (best sum) {
	if sums := r.sumsLabelled(ranks); len(sums) > 0 {
		best = sums[len(sums)-1]
	}
	return best
}

// sumsLabelled returns the amounts of the labels that say the most.
func (r *reader) sumsLabelled(ranks map[meaning]int) (best []sum) {
	var labels meaning
	for m := range ranks {
		labels |= m
	}
	highest := 0
	r.each(labels, func(i int, h hit) bool {
		rank := 0
		for m, n := range ranks {
			if h.is(m) {
				rank = max(rank, n)
			}
		}
		if rank < highest || h.is(partSum) && !h.is(grandTotal) || !r.page.lines[i].isLabel(h) {
			return false
		}
		if a, ok := r.amountOf(i, h); ok && !strings.HasPrefix(string(a.value), "-") {
			if rank > highest {
				highest, best = rank, nil
			}
			best = append(best, sum{a.value, r.currencyOf(a.currency), rank})
		}
		return false
	})
	return best
}

// perPiece turns the prices of lines into prices of one, if the sums of the mail show that they are those of lines.
func (r *reader) perPiece(list []Item) {
	var lines, pieces int64
	for _, item := range list {
		price, ok1 := item.Price.units()
		count, ok2 := item.Quantity.units()
		if !ok1 || !ok2 || count < 10000 || price > 1e12 || count > 1e8 {
			return
		}
		lines += price
		pieces += price * (count / 10000)
	}
	if lines == pieces || !r.isGiven(lines) || r.isGiven(pieces) {
		return
	}
	for i := range list {
		price, _ := list[i].Price.units()
		count, _ := list[i].Quantity.units()
		if count /= 10000; price%count == 0 {
			list[i].Price = decimalOf(price/count, 2)
		}
	}
}

// isGiven says whether a sum is written somewhere after a label, or is what is left of one without another.
func (r *reader) isGiven(units int64) bool {
	var sums []int64
	r.each(partSum|grandTotal|total, func(i int, h hit) bool {
		if a, ok := r.amountOf(i, h); ok {
			if n, ok := a.value.units(); ok {
				sums = append(sums, n)
			}
		}
		return len(sums) >= 20
	})
	for _, a := range sums {
		if a == units || slices.Contains(sums, a-units) && a != 0 {
			return true
		}
	}
	return false
}

// sumBeside returns the sum of an order that a sentence with its number says: the amount next to a word for a total, or
// the only amount with a currency on that line.
func (r *reader) sumBeside(id string) (found sum) {
	const near = 40 // bytes between the word and the amount
	for i := range r.page.lines {
		l := &r.page.lines[i]
		if !strings.Contains(l.text, id) || l.means(orderNo|orderWord|orderDone|shipped) == 0 {
			continue
		}
		only, n := amount{}, 0
		var before *amount
		for k, a := range l.amounts() {
			if a.currency == "" || strings.HasPrefix(string(a.value), "-") {
				continue
			}
			only, n = a, n+1
			for _, h := range l.hits {
				switch {
				case !h.is(total|grandTotal|paidIs) || h.is(partSum):
				case a.from >= h.to && a.from-h.to <= near:
					return sum{a.value, r.currencyOf(a.currency), 4}
				case h.from >= a.to && h.from-a.to <= near/4 && before == nil:
					before = &l.amounts()[k]
				}
			}
		}
		if before != nil {
			return sum{before.value, r.currencyOf(before.currency), 4}
		}
		if n == 1 && found.rank == 0 {
			found = sum{only.value, r.currencyOf(only.currency), 1}
		}
	}
	return found
}
