// Package code finds the verification code in a mail.
//
// Nothing in a mail says which of its numbers is the code, so everything that has the shape of one is a candidate and
// is given points for what speaks for it and against it:
//
//   - wording: a phrase that names a code (verification code, Bestätigungscode, 验证码) beside it, above it or below it;
//     a phrase that names another number (order, phone, postcode, promo code) in those places speaks against it. The
//     phrases of some hundred languages are tables in the words files; of the rarer ones, little more than what a code
//     is called.
//   - layout: alone on its line or in its cell, a digit in each cell, large or spaced in the HTML.
//   - place: in the subject, in subject and body, repeated.
//   - shape: six digits are more usual than four letters; years, dates, prices, parts of addresses and of longer
//     numbers are not candidates or pay for it.
//   - topic: what the whole mail speaks of, from signing in to boarding a plane.
//
// The candidate with the most points is the code if it has enough of them. The points were set by hand, from how such
// mail is written; they are constants beside the rule they belong to.
//
// How a mail is read:
//
//	Text ─► fold ─► page: tokens (shape) and labels (phrases) ─► relation of each token to the labels ─► points
//	HTML ─► tags to lines and marks, fold ─► page, the same way
//
// Both pages begin with the subject. A code found on both counts with the better of its points. The work is linear in
// the mail and bounded: only the first part of a long mail is read.
package code

import (
	"cmp"
	"slices"
)

// Mail is what is looked at.
type Mail struct {
	From     string // the sender's address
	FromName string
	Subject  string
	Text     string // the body as text (from the plain part, or made from HTML by package rfc822)
	HTML     string // the HTML body, empty if there is none
}

// Candidate is something that could be the code.
type Candidate struct {
	Code   string  // as a person would type it
	Score  float64 // 0 to 1
	Reason string  // the evidence, in a few plain words: "after \"verification code\"; alone on its line"
}

// maxCandidates is how many Find gives.
const maxCandidates = 10

// Best gives the code, empty if there is none that is sure enough.
func Best(m Mail) string {
	found := look(&m)
	return found.best()
}

// Find gives the code and everything that was considered, best first, at most 10.
func Find(m Mail) (best string, candidates []Candidate) {
	found := look(&m)
	return found.best(), found.candidates()
}

// look reads the pages of a mail.
func look(m *Mail) *tally {
	var found tally
	if m.Text != "" || m.HTML == "" {
		found.add(textPage(m.Subject, m.Text), m)
	}
	if m.HTML != "" {
		found.add(htmlPage(m.Subject, m.HTML), m)
	}
	found.discountLists()
	slices.SortStableFunc(found.list, func(a, b tallied) int { return cmp.Compare(b.points(), a.points()) })
	return &found
}

// tally puts together what was found of each code, best first in the end.
type tally struct {
	list  []tallied
	at    map[string]int
	pages int
}

// tallied is what was found of a code.
type tallied struct {
	best  finding
	page  int  // the last it was seen on
	times int  // on that page
	most  int  // times on one page
	both  bool // in the subject and in the body
}

// add weighs the tokens of a page.
func (c *tally) add(p *page, m *Mail) {
	if len(p.tokens) == 0 {
		return
	}
	if c.at == nil {
		c.at = make(map[string]int, len(p.tokens))
		c.list = make([]tallied, 0, len(p.tokens))
	}
	c.pages++
	about := topicOf(p)
	about.pro += senderPoints(m)
	for i := range p.tokens {
		if t := &p.tokens[i]; !isSender(t, m) {
			c.count(p.weigh(t, about))
		}
	}
}

// count adds a finding.
func (c *tally) count(f finding) {
	i, ok := c.at[f.token.code]
	if !ok {
		c.at[f.token.code] = len(c.list)
		c.list = append(c.list, tallied{best: f, page: c.pages, times: 1, most: 1})
		return
	}
	e := &c.list[i]
	if e.page != c.pages {
		e.page, e.times = c.pages, 0
	}
	e.times++
	e.most = max(e.most, e.times)
	e.both = e.both || e.times > 1 && f.subject != e.best.subject
	if f.points > e.best.points {
		e.best = f
	}
}

// aList is how many codes of one form make a list: spare codes to print, of which none is the code of this mail.
const aList = 4

// discountLists takes from codes that stand below each other in a list.
func (c *tally) discountLists() {
	type form struct {
		shape shape
		size  int
	}
	forms := map[form]int{}
	for i := range c.list {
		if f := &c.list[i].best; f.standing != amidText && f.points > enough-1 {
			forms[form{f.token.shape, len(f.token.code)}]++
		}
	}
	for i := range c.list {
		if f := &c.list[i].best; f.standing != amidText && forms[form{f.token.shape, len(f.token.code)}] >= aList {
			f.points -= 5
		}
	}
}

// points are the points of a code with what its repetition adds.
func (e *tallied) points() float64 {
	switch {
	case e.both:
		return e.best.points + 1
	case e.most > 1:
		return e.best.points + 0.5
	}
	return e.best.points
}

// best is the code with the most points, if they are enough.
func (c *tally) best() string {
	if len(c.list) == 0 || score(c.list[0].points()) < threshold {
		return ""
	}
	return c.list[0].best.token.code
}

func (c *tally) candidates() []Candidate {
	out := make([]Candidate, 0, min(len(c.list), maxCandidates))
	for i := range c.list[:min(len(c.list), maxCandidates)] {
		e := &c.list[i]
		out = append(out, Candidate{Code: e.best.token.code, Score: score(e.points()), Reason: e.best.reason(e.most)})
	}
	return out
}
