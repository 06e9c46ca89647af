package record

import (
	"sync"

	"github.com/mailkin/mailkin/internal/lexicon"
)

// meaning is what a phrase can mean here.
type meaning = lexicon.Set

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

// hit is a phrase in a line: a range of its folded form.
type hit struct {
	from, to int
	means    meaning
	langs    lexicon.LanguageSet
}

func (h hit) is(m meaning) bool { return h.means&m != 0 }

// find appends the phrases of a folded text, the longest at each place, without those that lie inside another.
func find(t *lexicon.Table, hits []hit, s string) []hit {
	for m := range t.Find(s) {
		hits = append(hits, hit{m.From, m.To, m.Means, m.Languages})
	}
	return hits
}

// phrases is all phrases of all languages; "plain" are words that tell the language. It is made at the first use.
var phrases = sync.OnceValue(func() *lexicon.Table {
	return table(map[string]meaning{
		"plain": 0, "orderNo": orderNo, "orderDone": orderDone, "orderWord": orderWord, "grandTotal": grandTotal,
		"total": total, "partSum": partSum, "paidIs": paidIs, "paidSaid": paidSaid, "receipt": receipt,
		"invoice": invoice, "invoiceNo": invoiceNo, "methodIs": methodIs, "orderDate": orderDate, "dateIs": dateIs,
		"dueIs": dueIs, "trackNo": trackNo, "track": track, "parcel": parcel, "shipped": shipped, "transit": transit,
		"outFor": outFor, "delivered": delivered, "exception": exception, "etaIs": etaIs, "carrierIs": carrierIs,
		"quantity": quantity, "itemIs": itemIs, "when": when, "where": where, "what": what, "timeIs": timeIs,
		"apptSaid": apptSaid, "appt": appt, "host": host, "checkIn": checkIn, "checkOut": checkOut, "promo": promo,
		"cart": cart, "secret": secret, "notYet": notYet, "today": today, "tomorrow": tomorrow,
	})
})

// dayWords is the words for today and tomorrow alone, which may be part of longer phrases.
var dayWords = sync.OnceValue(func() *lexicon.Table {
	return table(map[string]meaning{"today": today, "tomorrow": tomorrow})
})

// denials is the words for what has not happened alone. In the table of all, a word has the languages of everything
// that it means: "for" is English, and Danish for "before".
var denials = sync.OnceValue(func() *lexicon.Table { return table(map[string]meaning{"notYet": notYet}) })

// What small words say about what is next to them.
const (
	pieces      meaning = 1 << iota // follows a number of goods: 2 pcs, 3 szt., 1개
	priceWord                       // stands between a quantity and the price
	datedWord                       // stands between a bill and its day
	paidWith                        // stands between a payment and the card
	notYetAfter                     // follows at once what has not happened
	calledOff                       // says that an appointment is off
	digitsShown                     // stands before the digits of a card that are shown
)

// particles is the table of these.
var particles = sync.OnceValue(func() *lexicon.Table {
	return table(map[string]meaning{
		"pieces": pieces, "priceWord": priceWord, "datedWord": datedWord, "paidWith": paidWith,
		"notYetAfter": notYetAfter,
		"cancelled":   calledOff, "lastDigits": digitsShown,
	})
})

// isParticle says whether a word is a small one that says so.
func isParticle(word string, m meaning) bool { return particles().Whole(word).Any(m) }

func table(means map[string]meaning) *lexicon.Table {
	s := lexicon.Section{Name: "record", Means: means, Fold: appendPhrase, Languages: true}
	return s.Compile()
}

// appendPhrase appends a phrase as it is found in a folded line.
func appendPhrase(dst []byte, phrase string) []byte { return append(dst, squeeze(fold(phrase))...) }

// languageOf returns the language with the most phrases, empty if there are none. A phrase of many languages counts
// less.
func languageOf(pages []*page) string {
	var points [lexicon.MaxLanguages]float64
	for _, p := range pages {
		for i := range p.lines {
			for _, h := range p.lines[i].hits {
				share := 1 / float64(h.langs.Len())
				for place := range h.langs.All() {
					points[place] += share
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
	return phrases().Language(best)
}
