package record

import (
	"strings"
	"sync"

	"github.com/mailkin/mailkin/internal/lexicon"
	"github.com/mailkin/mailkin/internal/mailbox"
)

// receipt reads what the mail says was paid, or is to be paid. order is what was read as the order.
func (r *reader) receipt(order Order) (c Receipt, ok bool) {
	c = Receipt{Source: FromText}
	points := [...]float64{notSaid: 0, below: 0.1, atHead: 0.25, inSubject: 0.35}[r.said(receipt)]
	points += [...]float64{notSaid: 0, below: 0.1, atHead: 0.2, inSubject: 0.3}[r.said(invoice)]
	if r.page.count(receipt) >= 3 {
		points += 0.1
	}
	paid, said := r.paidAmount()
	labelled := r.sumLabelled(receiptSums)
	switch {
	case said:
		points += 0.45 + 0.05*float64(paid.rank)
		c.Amount, c.Currency = paid.value, paid.currency
	case labelled.rank > 0:
		points += [...]float64{notSaid: 0, below: 0.15, atHead: 0.25, inSubject: 0.35}[r.said(paidSaid)]
	}
	if labelled.rank > 0 {
		points += 0.15 + 0.05*float64(b2i(labelled.rank == 3))
		c.Amount, c.Currency = labelled.value, either(labelled.currency, c.Currency)
	}
	if c.PaymentMethod = r.method(); c.PaymentMethod != "" {
		points += 0.1
	}
	c.Date = either(r.dateLabelled(dateIs, true, false).date(), order.Date, r.paidOn(), r.writtenOn(), r.loneDate())
	if c.Date != "" {
		points += 0.05
	}
	if r.page.anywhere(invoiceNo | dueIs) {
		points += 0.05
	}
	if labelled.rank > 0 && order.OrderID == "" && r.cardPays(labelled.value) {
		points += 0.25
	}
	points -= r.promoted()
	if r.said(cart) == inSubject || r.said(secret) == inSubject {
		points -= 0.3
	}
	c.OrderID, c.Merchant = order.OrderID, r.merchant(receiptMerchant)
	c.Confidence, ok = confidence(points)
	return c, ok && c.Amount.Known()
}

// paidAmount returns the amount of a sentence that says that somebody paid: "You paid $20.00", "charged for $136.97".
// It has a higher rank if the subject says so, or the sentence says it twice: "You sent a payment of".
func (r *reader) paidAmount() (s sum, found bool) {
	r.each(paidSaid|paidIs, func(i int, h hit) bool {
		l := &r.page.lines[i]
		if i > 40 || r.denied(i, h) || !h.is(paidSaid) && (len(l.text) > 40 || h.from < 3) { // $33.98 paid
			return false
		}
		rank := b2i(r.page.lines[0].means(paidSaid) > 0) + b2i(l.means(paidSaid) > 1)
		for _, a := range l.amounts() {
			if (a.currency == "" && !hasCents(a.value)) || a.from > h.to+60 || a.to < h.from-40 ||
				strings.HasPrefix(string(a.value), "-") {
				continue
			}
			if !strings.Contains(l.folded[min(h.to, a.from):max(h.to, a.from)], ". ") {
				s, found = sum{a.value, r.currencyOf(a.currency), rank}, true
				return true
			}
		}
		return false
	})
	return s, found
}

// paidOn returns the day that directly follows a word for paying: "Paid March 10, 2026", "payment of $20.00 on March
// 10".
func (r *reader) paidOn() (day string) {
	r.each(paidIs|paidSaid|receipt, func(i int, h hit) bool {
		rest, near := r.page.lines[i].folded[h.to:], 12
		for _, a := range r.page.lines[i].amounts() {
			if a.currency != "" && a.from >= h.to && a.from < h.to+near {
				near += a.to - h.to
				break
			}
		}
		if list := dates(rest); len(list) > 0 && list[0].from < near && !list[0].loose &&
			!strings.Contains(rest[:list[0].from], "by ") && !strings.Contains(rest[:list[0].from], "bis ") {
			day = r.read(list[0], true, false).date()
		}
		return day != ""
	})
	return day
}

// writtenOn returns the day of a bill that stands after its number: "Rechnung 2026-118 vom 03.03.2026". Days with
// other words before them may be those on which it is due.
func (r *reader) writtenOn() (day string) {
	r.each(invoice|invoiceNo|receipt, func(i int, h hit) bool {
		rest := mailbox.Cut(r.page.lines[i].folded[h.to:], 60)
		list := dates(rest)
		if len(list) == 0 || list[0].year == 0 || list[0].from > 30 {
			return false
		}
		before := strings.TrimRight(rest[:list[0].from], " ")
		if isParticle(before[strings.LastIndexByte(before, ' ')+1:], datedWord) {
			day = r.read(list[0], true, false).date()
		}
		return day != ""
	})
	return day
}

// cards are ways of payment as they are written, and their usual name. Long ones come first.
var cards = sync.OnceValue(func() [][2]string { return pairs(paymentTable) })

// method returns the way of payment: what a label says, or a card with its last digits.
func (r *reader) method() (method string) {
	r.each(methodIs, func(i int, h hit) bool {
		l := &r.page.lines[i]
		if l.isLabel(h) {
			method = r.methodOf(i, h)
		} else {
			method = cardIn(l.folded[h.to:], 30)
		}
		return method != ""
	})
	for i := 0; i < len(r.page.lines) && method == ""; i++ {
		method = cardBefore(r.page.lines[i].folded)
	}
	if method == "" {
		method = r.paidWith()
	}
	return method
}

// paidWith returns the card or service that a sentence about a payment names: "You paid $20.00 with PayPal".
func (r *reader) paidWith() (method string) {
	r.each(paidSaid, func(i int, h hit) bool {
		rest := mailbox.Cut(r.page.lines[i].folded[h.to:], 80)
		for _, c := range cards() {
			at := strings.Index(rest, " "+c[0])
			if at <= 0 || c[1] == "Mir" || !lexicon.EndsWord(rest, at+1+len(c[0])) {
				continue
			}
			if before := rest[:at]; isParticle(before[strings.LastIndexByte(before, ' ')+1:], paidWith) {
				method = cardIn(rest[at+1:], 0)
				break
			}
		}
		return method != ""
	})
	return method
}

// methodOf returns the way of payment after a label: one that is known, else the text itself if it can be one.
func (r *reader) methodOf(i int, h hit) string {
	list := r.page.values(i, h)
	if len(list) == 0 || list[0].at != i && list[0].line.startsLabel(0) {
		return ""
	}
	v := list[0]
	if card := cardIn(v.folded(), 80); card != "" {
		return card
	}
	text := strings.Trim(strings.ReplaceAll(v.text(), "\t", " "), " .:")
	if len(text) < 3 || len(text) > 40 || len(v.line.amounts()) > 0 || len(dates(v.folded())) > 0 ||
		strings.ContainsAny(text, "@:") {
		return ""
	}
	return text
}

// cardBefore returns the card that is named last before the digits that are shown of it.
func cardBefore(folded string) string {
	last := lastDigits(folded)
	if last == "" {
		return ""
	}
	before := folded[:strings.Index(folded, last)]
	best, name := -1, ""
	for _, c := range cards() {
		if at := strings.LastIndex(before, c[0]); at > best {
			best, name = at, c[1]
		}
	}
	if name == "" {
		return ""
	}
	return name + " " + last
}

// cardIn returns the card or service that is named near the front of a folded text, with its last digits if they are
// there.
func cardIn(folded string, near int) string {
	best, name := near+1, ""
	for _, c := range cards() {
		at := strings.Index(folded, c[0])
		if at < 0 || at >= best || at > 0 && isAlpha(folded[at-1]) || at+len(c[0]) < len(folded) &&
			isAlpha(folded[at+len(c[0])]) {
			continue
		}
		best, name = at, c[1]
	}
	if name == "" {
		return ""
	}
	if last := lastDigits(mailbox.Cut(folded[best:], 60)); last != "" {
		return name + " " + last
	}
	return name
}

// cardPays says whether a card stands with its last digits on a line with an amount: "Visa ••••4242  $20.00".
func (r *reader) cardPays(value Decimal) bool {
	for i := range r.page.lines {
		if cardBefore(r.page.lines[i].folded) == "" {
			continue
		}
		for _, a := range r.page.lines[i].amounts() {
			if a.value == value && a.currency != "" {
				return true
			}
		}
	}
	return false
}

// lastDigits returns the four digits that are shown of a card: after stars, dots or a word for the end.
func lastDigits(folded string) string {
	for i := 0; i+4 <= len(folded); i++ {
		if !isDigit(folded[i]) {
			continue
		}
		end := i
		for end < len(folded) && isDigit(folded[end]) {
			end++
		}
		if end-i == 4 && hidden(strings.TrimRight(folded[:i], " -")) {
			return folded[i:end]
		}
		i = end
	}
	return ""
}

// hidden says whether a text ends with what stands for the digits that are not shown.
func hidden(s string) bool {
	for _, mark := range []string{"*", "••", "···", "....", "xxx", " x", "x-", "...", "●", "∙"} {
		if strings.HasSuffix(s, mark) {
			return true
		}
	}
	return particles().AtEnd(s).Any(digitsShown)
}
