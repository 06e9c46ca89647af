// Package code finds the verification code in a mail.
//
// Nothing in a mail says which of its numbers is the code, so everything that has the shape of one is a candidate and
// is given points for what speaks for it and against it:
//
//   - wording: a phrase that names a code (verification code, Bestätigungscode, 验证码) next to it, above it or below it;
//     a phrase that names another number (order, phone, postcode, promo code) in those places speaks against it. The
//     phrases of some hundred languages are the sections [code] of package lexicon; of the rarer ones, little more than
//     what a code is called.
//   - layout: alone on its line or in its cell, a digit in each cell, large or spaced in the HTML.
//   - place: in the subject, in subject and body, repeated.
//   - shape: six digits are more usual than four letters; years, dates, prices, parts of addresses and of longer
//     numbers are not candidates or pay for it.
//   - topic: what the whole mail speaks of, from signing in to boarding a plane.
//
// The candidate with the most points is the code if it has enough of them. What may be there or not is a sign, with a
// weight in one table (evidence.go); what depends on distance and shape has its points next to the rule.
//
// How a mail is read:
//
//	Text ─► fold ─► page: tokens (shape) and labels (phrases) ─► relation of each token to the labels ─► points
//	HTML ─► package view ─► lines and marks, fold ─► page, the same way
//
// Both pages begin with the subject. A code found on both counts with the better of its points. The work is linear in
// the mail and bounded: only the first part of a long mail is read.
//
// Text in which there is nothing to find is stepped over, eight bytes at a time (eight.go) and without a look at the
// phrases (gate.go); what is stepped over is what would have given nothing. What that saves of the whole way in is in
// docs/measurements/reading.md.
package code

import "github.com/mailkin/mailkin/internal/view"

// Mail is what is looked at.
type Mail struct {
	From     string // the sender's address
	FromName string
	Subject  string
	Text     string     // the plain part; empty where the body is HTML alone
	View     *view.View // the HTML body, nil if there is none

	// Alternative says that Text and View are two forms of one body. Mail programs show the HTML, so a code that it
	// shows counts before one that only Text has.
	Alternative bool
}

// Candidate is something that could be the code.
type Candidate struct {
	Code  string   // as a person would type it
	Score float64  // 0 to 1
	Why   []string // the evidence, each in a few plain words: after "verification code", alone on its line
}

// maxCandidates is how many Find gives.
const maxCandidates = 10

// Best returns the code, empty if there is none that is sure enough.
func Best(m Mail) string {
	r := takeReader()
	defer r.give()
	r.weighAll(&m)
	return r.best(&m)
}

// Forms gives the code of each of the two forms of a body.
func Forms(m Mail) (text, html string) {
	r := takeReader()
	defer r.give()
	r.weighAll(&m)
	return r.found.best(onText), r.found.best(onHTML)
}

// Find returns the code and everything that was considered, best first, at most 10.
func Find(m Mail) (best string, candidates []Candidate) {
	r := takeReader()
	defer r.give()
	r.weighAll(&m)
	return r.best(&m), r.found.candidates()
}

// weighAll reads a mail and gives every candidate its points.
func (r *reader) weighAll(m *Mail) {
	r.read(m)
	r.findLabels()
	from := newSender(m)
	r.weigh(&from)
}
