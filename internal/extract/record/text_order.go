package record

import "strings"

// order reads the order that the mail is about.
func (r *reader) order() (o Order, ok bool) {
	o = Order{Source: FromText, Merchant: r.merchant(orderMerchant)}
	id, strong := r.orderID()
	done := r.said(orderDone)
	points := [...]float64{notSaid: 0, below: 0.15, atHead: 0.25, inSubject: 0.3}[done]
	switch {
	case strong:
		points += 0.4
	case id != "":
		points += 0.3
	}
	whole := r.sumLabelled(orderSums)
	if whole.rank == 0 && id != "" {
		whole = r.sumBeside(id)
	}
	if whole.rank > 0 {
		points += 0.1 + 0.05*float64(whole.rank)
	}
	if o.Items = r.items(); len(o.Items) > 0 {
		points += 0.1
	}
	moving := r.said(shipped|transit|outFor|delivered|exception) >= atHead
	if id != "" && moving {
		points += 0.1
	}
	var labelled bool
	if o.Date, labelled = r.orderDay(!moving); labelled {
		points += 0.1
	}
	if o.Date == "" && id != "" {
		o.Date = r.dayInSentence(id)
	}
	o.OrderID, o.Total, o.Currency = id, whole.value, whole.currency
	points -= r.noOrder(o, strong, done)
	o.Confidence, ok = confidence(points)
	if id == "" && (!o.Total.Known() || done < atHead) {
		ok = false
	}
	return o, ok
}

// noOrder returns the points for what speaks against an order: advertising, a cart, a code, a mere receipt.
func (r *reader) noOrder(o Order, strong bool, done volume) float64 {
	points := r.promoted()
	if r.said(cart) >= atHead {
		points += 0.3
	}
	if r.said(secret) >= atHead && !o.Total.Known() {
		points += 0.3
	}
	if r.said(receipt|invoice) == inSubject && (done == notSaid || o.OrderID == "") && len(o.Items) == 0 && !strong {
		points += 0.2
	}
	return points
}

// orderDay returns the day of the order, and whether a label says that it is. alone says whether a day that has a line
// to itself will do.
func (r *reader) orderDay(alone bool) (day string, labelled bool) {
	if day = r.dateLabelled(orderDate, true, false).date(); day != "" {
		return day, true
	}
	if day = r.dayBeside(orderNo | orderDate | orderDone); day != "" {
		return day, true
	}
	day = r.dateLabelled(dateIs, true, false).date()
	if day == "" && alone {
		day = r.loneDate()
	}
	return day, false
}

// dayBeside returns a day that follows a phrase on its line: "Order #2451 (March 13, 2026)", "commande passée le
// 13/03/2026".
func (r *reader) dayBeside(m meaning) (day string) {
	r.each(m, func(i int, h hit) bool {
		rest := r.page.lines[i].folded[h.to:]
		list := dates(rest)
		if len(list) > 0 && list[0].year != 0 && list[0].from < 30 &&
			!strings.ContainsAny(strings.TrimRight(rest[:list[0].from], ". "), ".;!?") {
			day = r.read(list[0], true, false).date()
		}
		return day != ""
	})
	return day
}

// dayInSentence returns the only day on the line of an order's number, if it is close to the number and not long before
// the mail: a day after it is when something will come or is due.
func (r *reader) dayInSentence(id string) string {
	const near = 60 // bytes between the number and the day
	const other = shipped | transit | outFor | delivered | exception | etaIs | dueIs
	for i := range r.page.lines {
		l := &r.page.lines[i]
		at := strings.Index(l.folded, fold(id))
		if at < 0 || r.mail.Date.IsZero() || l.means(orderNo|orderWord|orderDone) == 0 || l.means(other) != 0 {
			continue
		}
		list := dates(l.folded)
		if len(list) != 1 || list[0].year == 0 || list[0].loose || list[0].from-at-len(id) > near ||
			at-list[0].to > near {
			continue
		}
		m := r.read(list[0], true, false)
		if day := m.date(); day <= r.mail.Date.Format("2006-01-02") && r.away(m) <= 60*day24 {
			return day
		}
	}
	return ""
}

// orderID returns the number of the order, and whether a label says that it is one.
func (r *reader) orderID() (id string, strong bool) {
	r.each(orderNo, func(i int, h hit) bool {
		for n, v := range r.page.values(i, h) {
			if v.at != i && (v.line.startsLabel(0) || n > 3) {
				break
			}
			if id = idAt(v.text(), v.at == i); id == "" {
				id = capitals(v.text())
			}
			if id != "" {
				strong = true
				return true
			}
			if v.at == i && v.to-v.from > 30 || v.at != i {
				break
			}
		}
		return false
	})
	if id == "" {
		id, strong = r.belowOrder()
	}
	if id == "" {
		id = r.looseID()
	}
	return id, strong
}

// belowOrder returns a number with a # under a line that says "Order" and nothing else.
func (r *reader) belowOrder() (id string, found bool) {
	r.each(orderWord, func(i int, h hit) bool {
		if i+1 < len(r.page.lines) && strings.TrimRight(r.page.lines[i].folded[h.to:], " :") == "" && h.from == 0 &&
			strings.HasPrefix(r.page.lines[i+1].folded, "#") {
			id = idAt(r.page.lines[i+1].text, false)
		}
		return id != ""
	})
	return id, id != ""
}

// capitals returns an order's number that is nothing but capital letters, or those and a digit or two; of five where
// nothing follows. QUIRK: PrestaShop, pretix.
func capitals(s string) string {
	end, letters := 0, 0
	for end < len(s) && ('A' <= s[end] && s[end] <= 'Z' || isDigit(s[end])) {
		letters += b2i(!isDigit(s[end]))
		end++
	}
	if end < 6-b2i(end == len(s)) || end > 12 || letters*2 < end || end < len(s) && s[end] != ' ' && s[end] != '\t' {
		return ""
	}
	return s[:end]
}

// looseID returns a number that follows the word for an order, or a # in a subject that speaks of one.
func (r *reader) looseID() (id string) {
	r.each(orderWord|orderDone|shipped, func(i int, h hit) bool {
		l := &r.page.lines[i]
		rest := l.original(h.to, len(l.folded))
		direct := firstRun(strings.TrimLeft(rest, " (:"))
		hash := strings.IndexByte(rest, '#')
		switch {
		case hash >= 0 && (i == 0 || hash < 12):
			id = idAt(rest[hash+1:], false)
		case !h.is(orderWord | orderDone):
		case l.isLabel(h) && l.colonAfter(h) && capitals(strings.TrimLeft(rest, " :")) != "":
			id = capitals(strings.TrimLeft(rest, " :"))
		case r.page.volumeOf(i) >= atHead && isID(direct, 6-2*b2i(i == 0)) && !isYear(direct):
			id = direct
		}
		return id != ""
	})
	return id
}

// isYear says whether a run of signs is a year of our time.
func isYear(s string) bool {
	return len(s) == 4 && (strings.HasPrefix(s, "19") || strings.HasPrefix(s, "20"))
}

// idAt returns the number at the front of a text; words says whether a few words may stand before it.
func idAt(text string, words bool) string {
	for skipped := 0; skipped < 4 && text != ""; skipped++ {
		text = strings.TrimLeft(text, " \t:#№\"'(")
		run := firstRun(text)
		if run == "" {
			return ""
		}
		if isID(run, 3) {
			return run
		}
		if !words || strings.ContainsAny(run, "0123456789") {
			return ""
		}
		text = text[len(run):]
	}
	return ""
}

// firstRun returns the letters, digits and signs at the front that numbers are made of.
func firstRun(s string) string {
	end := 0
	for end < len(s) && (isDigit(s[end]) || isAlpha(s[end]) || end > 0 && strings.IndexByte("-_/.", s[end]) >= 0) {
		end++
	}
	return strings.TrimRight(s[:end], "-_/.")
}

// isID says whether a run of signs can be the number of something: it has digits enough, and is no day, no time, no
// address of a page.
func isID(s string, least int) bool {
	count := countDigits(s)
	if len(s) < least || len(s) > 40 || count < 3 && count*2 < len(s) {
		return false
	}
	if strings.Contains(s, "//") || strings.Contains(s, "www.") || strings.HasPrefix(s, "http") {
		return false
	}
	folded := fold(s)
	for _, d := range dates(folded) {
		if d.from == 0 && d.to == len(folded) {
			return false
		}
	}
	return count > 0
}
