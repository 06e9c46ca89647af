package record

import (
	"math/bits"
	"sync"
)

// meaning is what a phrase can mean here.
type meaning uint64

const (
	orderNo    meaning = 1 << iota // label of an order's number
	orderDone                      // an order was placed
	orderWord                      // order, purchase
	grandTotal                     // label of the whole sum, and of nothing else
	total                          // total, sum
	partSum                        // label of another sum: subtotal, tax, shipping, discount
	paidIs                         // label of what was paid
	paidSaid                       // somebody paid: you paid, was charged
	receipt                        // receipt, payment confirmation
	invoice                        // invoice, bill
	invoiceNo                      // label of its number
	methodIs                       // label of the way of payment
	orderDate                      // label of the day of the order
	dateIs                         // label of a day
	dueIs                          // label of the day by which to pay
	trackNo                        // label of a tracking number
	track                          // tracking
	parcel                         // parcel, shipment
	shipped                        // it was sent
	transit                        // it is on its way
	outFor                         // it comes today
	delivered                      // it is there
	exception                      // it could not come
	etaIs                          // label of the day of delivery
	carrierIs                      // label of the carrier
	quantity                       // label of how many
	itemIs                         // label of a column of goods
	when                           // label of an appointment's time
	where                          // label of its place
	what                           // label of its title
	timeIs                         // label of a time of day
	apptSaid                       // an appointment was made
	appt                           // appointment, meeting, booking
	host                           // label of the organizer
	checkIn                        // label of the day of arrival or departure
	checkOut                       // label of the day it ends
	promo                          // offers and newsletters
	cart                           // an order that was not placed, an opinion that is asked for
	secret                         // codes, passwords, sign-ins
	notYet                         // what follows has not happened
	today
	tomorrow
)

// langs is a set of languages: bits in the order of the tables.
type langs uint64

// language is the phrases of one language, parted by commas; a star stands for the rest of a word. plain are words that
// tell the language.
type language struct {
	name, plain string

	orderNo, orderDone, orderWord, orderDate        string
	grandTotal, total, partSum, paidIs, paidSaid    string
	receipt, invoice, invoiceNo, methodIs, dateIs   string
	dueIs                                           string
	trackNo, track, parcel, carrierIs, etaIs        string
	shipped, transit, outFor, delivered, exception  string
	quantity, itemIs                                string
	when, where, what, timeIs, apptSaid, appt, host string
	checkIn, checkOut                               string
	promo, cart, secret, notYet, today, tomorrow    string
}

// rows gives the phrases with what they mean.
func (l *language) rows() map[meaning]string {
	return map[meaning]string{
		0: l.plain, orderNo: l.orderNo, orderDone: l.orderDone, orderWord: l.orderWord, orderDate: l.orderDate,
		grandTotal: l.grandTotal, total: l.total, partSum: l.partSum, paidIs: l.paidIs, paidSaid: l.paidSaid,
		receipt: l.receipt, invoice: l.invoice, invoiceNo: l.invoiceNo, methodIs: l.methodIs, dateIs: l.dateIs, dueIs: l.dueIs,
		trackNo: l.trackNo, track: l.track, parcel: l.parcel, carrierIs: l.carrierIs, etaIs: l.etaIs,
		shipped: l.shipped, transit: l.transit, outFor: l.outFor, delivered: l.delivered, exception: l.exception,
		quantity: l.quantity, itemIs: l.itemIs,
		when: l.when, where: l.where, what: l.what, timeIs: l.timeIs, apptSaid: l.apptSaid, appt: l.appt, host: l.host,
		checkIn: l.checkIn, checkOut: l.checkOut,
		promo: l.promo, cart: l.cart, secret: l.secret, notYet: l.notYet, today: l.today, tomorrow: l.tomorrow,
	}
}

// lexicon is all phrases of all languages. It is made at the first use.
var lexicon = sync.OnceValue(func() *trie {
	t := newTrie()
	for i, l := range allLanguages() {
		for means, phrases := range l.rows() {
			t.add(phrases, entry{means, 1 << i})
		}
	}
	return t
})

// dayWords is the words for today and tomorrow alone, which may be part of longer phrases.
var dayWords = sync.OnceValue(func() *trie {
	t := newTrie()
	for i, l := range allLanguages() {
		t.add(l.today, entry{today, 1 << i})
		t.add(l.tomorrow, entry{tomorrow, 1 << i})
	}
	return t
})

// denials is the words for what has not happened alone. In the table of all, a word has the languages of everything that it
// means: "for" is English, and Danish for "before".
var denials = sync.OnceValue(func() *trie {
	t := newTrie()
	for i, l := range allLanguages() {
		t.add(l.notYet, entry{notYet, 1 << i})
	}
	return t
})

// allLanguages gives the tables. There can be 64 of them.
func allLanguages() []language {
	var all []language
	for _, table := range [][]language{western(), northern(), romance(), slavic(), southern(), asian()} {
		all = append(all, table...)
	}
	return all
}

var languageNames = sync.OnceValue(func() []string {
	var names []string
	for _, l := range allLanguages() {
		names = append(names, l.name)
	}
	return names
})

// languageOf gives the language with the most phrases, empty if there are none. A phrase of many languages counts less.
func languageOf(pages []*page) string {
	var points [64]float64
	for _, p := range pages {
		for i := range p.lines {
			for _, h := range p.lines[i].hits {
				share := 1 / float64(bits.OnesCount64(uint64(h.langs)))
				for set := h.langs; set != 0; set &= set - 1 {
					points[bits.TrailingZeros64(uint64(set))] += share
				}
			}
		}
	}
	best := 0
	for i, p := range points {
		if p > points[best] {
			best = i
		}
	}
	if points[best] == 0 {
		return ""
	}
	return languageNames()[best]
}
