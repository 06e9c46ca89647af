package code

import (
	"bytes"
	"cmp"
	"slices"
)

// tally puts together what was found of each code.
type tally struct {
	list  []tallied
	at    [tallySlots]uint16 // by a hash of the code: one more than its place in the list
	pages int
}

// tallySlots is more than the tokens of two pages.
const tallySlots = 1024

// tallied is what was found of a code.
type tallied struct {
	best  finding
	page  int  // the last it was seen on
	times int  // on that page
	most  int  // times on one page
	both  bool // in the subject and in the body
	on    pages
	use   linkUse

	unquoted  bool // not only in lines that quote an earlier mail
	otherwise bool // named as something else at one place
}

// pages says on which pages a code was seen.
type pages uint8

const (
	onText pages = 1 << iota
	onHTML
)

func (c *tally) clear() {
	clear(c.list)
	c.list = c.list[:0]
	clear(c.at[:])
	c.pages = 0
}

// add weighs the tokens of a page.
func (c *tally) add(p *page, from *sender, where pages) {
	c.pages++
	about := topicOf(p)
	about.pro += from.points()
	about.from = from
	p.relateAll(from)
	for i := range p.findings {
		if f := &p.findings[i]; !from.is(f.token) {
			p.weigh(f, &about)
			c.count(*f, where)
		}
	}
	asked := 0
	for i := range c.list {
		e := &c.list[i]
		if e.page == c.pages && e.best.points >= enough-forLinked && !e.best.isNamed() && asked < maxLinkedCodes {
			e.use = max(e.use, p.linked(e.best.token.code))
			asked++
		}
	}
}

// count adds a finding.
func (c *tally) count(f finding, where pages) {
	e := c.of(f.token.code)
	if e.most == 0 {
		*e = tallied{best: f, page: c.pages, times: 1, most: 1, on: where, unquoted: !f.quoted,
			otherwise: f.isOther()}
		return
	}
	e.on |= where
	e.unquoted = e.unquoted || !f.quoted
	e.otherwise = e.otherwise || f.isOther()
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

// of is what was found of a code; nothing yet, if it is new.
func (c *tally) of(code []byte) *tallied {
	slot := hashOf(code) % tallySlots
	for ; c.at[slot] != 0; slot = (slot + 1) % tallySlots {
		if e := &c.list[c.at[slot]-1]; bytes.Equal(e.best.token.code, code) {
			return e
		}
	}
	c.list = append(c.list, tallied{})
	c.at[slot] = uint16(len(c.list))
	return &c.list[len(c.list)-1]
}

func hashOf(code []byte) uint32 {
	h := uint32(len(code))
	for _, b := range code {
		h = (h ^ uint32(b)) * 0x9E3779B1
	}
	return h ^ h>>15
}

// isOther says whether a token is plainly named as something else and nothing names it as a code.
func (f *finding) isOther() bool {
	return f.relation.other <= -6 && f.relation.label == nil && !f.relation.cue
}

// discountQuoted takes from codes that only an earlier mail has, which this one quotes, where it has a code of its own.
func (c *tally) discountQuoted() {
	own := false
	for i := range c.list {
		own = own || c.list[i].unquoted && c.list[i].points() >= enough
	}
	for i := range c.list {
		if e := &c.list[i]; own && !e.unquoted {
			e.best.points -= forQuoted
		}
	}
}

// forQuoted is what a code loses that only an earlier mail has.
const forQuoted = 4

// aList is how many codes of one form make a list: spare codes to print, of which none is the code of this mail.
const aList = 4

// discountLists takes from codes that stand below each other in a list.
func (c *tally) discountLists() {
	if len(c.list) < aList {
		return
	}
	type form struct {
		shape shape
		size  int
	}
	forms := map[form]int{}
	for i := range c.list {
		if f := &c.list[i].best; f.standing != amidText && f.points >= enough-2 {
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
	points := e.best.points
	if e.otherwise && !e.best.relation.sure {
		points -= 3
	}
	switch {
	case e.both:
		points++
	case e.most > 1:
		points += 0.5
	}
	switch {
	case e.use == asSegment:
		points -= 3
	case e.use == asCode && e.best.topical:
		points += forLinked
	}
	return points
}

// best is the first code on some pages with the most points, if they are enough.
func (c *tally) best(on pages) string {
	var top *tallied
	for i := range c.list {
		if e := &c.list[i]; e.on&on != 0 && (top == nil || e.points() > top.points()) {
			top = e
		}
	}
	if top == nil || score(top.points()) < threshold {
		return ""
	}
	return string(top.best.token.code)
}

// candidates are all that was found, best first, as far as it is given out.
func (c *tally) candidates() []Candidate {
	slices.SortStableFunc(c.list, func(a, b tallied) int { return cmp.Compare(b.points(), a.points()) })
	out := make([]Candidate, 0, min(len(c.list), maxCandidates))
	for i := range c.list[:min(len(c.list), maxCandidates)] {
		e := &c.list[i]
		out = append(out, Candidate{Code: string(e.best.token.code), Score: score(e.points()),
			Why: e.best.why(e.most, e.use)})
	}
	return out
}
