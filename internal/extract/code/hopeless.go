package code

import (
	"bytes"
	"sort"
)

// Most mail has no code, and most of its numbers are far from being one: they stand amid text that names no code. To
// see that takes less than to give them their points. What is looked at here can only be too kind to a token: its
// points are never more than what is assumed, so that a mail without hope is one in which nothing would have been
// found.

// hopeless says whether no token of the mail can have enough points. It asks twice: first with what can be seen around
// the tokens alone, then with all phrases of the mail, which it leaves on the pages.
func (r *reader) hopeless(from *sender) bool {
	if r.isDense() {
		r.findLabels()
		return false
	}
	hope := false
	for p := range r.pages() {
		p.weighAlone()
		hope = hope || p.hopeAtAGlance(from)
	}
	if !hope {
		return true
	}
	r.findLabels()
	for p := range r.pages() {
		if p.hope(from) {
			return false
		}
	}
	return true
}

// isDense says whether the mail has so many tokens that to ask for each takes about as long as to give it its points.
func (r *reader) isDense() bool {
	text, tokens := 0, 0
	for p := range r.pages() {
		text, tokens = text+len(p.text), tokens+len(p.tokens)
	}
	return tokens > 8 && text < 120*tokens
}

// hopeAtAGlance says whether a token has hope, whatever the mail is about. If that would take about as long as to look
// at everything, it says yes.
func (p *page) hopeAtAGlance(from *sender) bool {
	about := topic{pro: maxPro + from.points(), sure: true, short: p.isShort()}
	var ahead glance
	size := 0
	if p.hopeful(from, about, func(near span) kinds {
		size += ahead.extend(near).size()
		return 0
	}) || size > len(p.text)*3/4 {
		return true
	}
	seen := glance{labels: p.labels[:0]}
	hope := p.hopeful(from, about, func(near span) kinds { return seen.kindsIn(p.text, near) })
	p.labels = seen.labels[:0]
	return hope
}

// hope says the same when the phrases are known, though not yet what they mean together.
func (p *page) hope(from *sender) bool {
	about := p.kindestTopic()
	about.pro += from.points()
	return p.hopeful(from, about, func(near span) (ks kinds) {
		for i := p.labelsFrom(near.start); i < len(p.labels) && p.labels[i].start < near.end; i++ {
			ks |= p.labels[i].kinds
		}
		return ks
	})
}

// hopeful says whether a token may have enough points, given what the mail is about and the kinds of phrases around a
// place.
func (p *page) hopeful(from *sender, about topic, around func(span) kinds) bool {
	repeated := 0.5
	if p.tokens[0].start < p.subject {
		repeated = 1
	}
	if about.short && len(p.tokens) == 1 {
		repeated += 3
	}
	lacks := enough - about.pro - repeated
	for i := range p.tokens {
		if t := &p.tokens[i]; t.alone+elsewhere(about, t.apart) >= lacks && !from.is(t) {
			return true
		}
	}
	for i := range p.tokens {
		t := &p.tokens[i]
		if t.most(about, helpful) >= lacks && !from.is(t) && t.most(about, around(p.near(t))) >= lacks {
			return true
		}
	}
	return false
}

// weighAlone gives the tokens the points that they have without any phrase.
func (p *page) weighAlone() {
	bare := page{text: p.text, subject: p.subject, tokens: p.tokens, marks: p.marks}
	for i := range p.tokens {
		t := &p.tokens[i]
		f := bare.weigh(t, topic{})
		t.alone, t.apart, t.cued = f.points, f.standing != amidText || f.subject, f.relation.cue
	}
}

// helpful are the kinds of phrases that can give points to the tokens around them.
var helpful = positive | setOf(kindPurpose, kindCue)

// most is the most that a token can have with phrases of some kinds around it, but for what the mail is about. A label
// counts, or else that there are labels elsewhere.
func (t *token) most(about topic, ks kinds) float64 {
	points := t.alone
	if ks.has(kindCue) {
		points += 2.5 + 1 // right before it, and in the line above
	}
	if ks.has(kindPurpose) && (t.cued || ks.has(kindCue)) {
		points += 3
	}
	return points + max(elsewhere(about, t.apart), t.gain(ks))
}

// gain is the most that a label of some kinds can give to a token.
func (t *token) gain(ks kinds) (points float64) {
	switch {
	case ks.has(kindOTP) || ks.has(kindCode):
		points = 6.5 // a sure one, and a colon
	case ks.has(kindSecret):
		points = 4.5 // with a colon, before digits
	case ks.has(kindPurpose):
		points = 3 // right before it
	default:
		return 0
	}
	if t.shape == shapeLetters {
		points += 3 // which it had lost for being without
	}
	if t.document && ks.has(kindOTP) {
		points += forDocument // the same
	}
	return points
}

// kindestTopic is what the mail may be about at best: phrases that speak against codes do not count, and a code is
// taken for one of the kind that is wanted wherever the mail speaks of a purpose.
func (p *page) kindestTopic() topic {
	var subject, body kinds
	for i := range p.labels {
		if l := &p.labels[i]; l.start < p.subject {
			subject |= l.kinds
		} else {
			body |= l.kinds
		}
	}
	all := subject | body
	t := topic{code: all.has(kindCode), short: p.isShort()}
	t.sure = all.has(kindOTP) || all.has(kindCode) && all.has(kindPurpose)
	if t.sure && subject.has(kindCode) {
		subject |= setOf(kindOTP)
	}
	t.pro = min(maxPro, bodyTopic(body)+subjectTopic(subject))
	return t
}

// near is where the phrases begin that have to do with a token: those that end no further before it than maxDistance
// and the line above, and those that begin as close after it. It may itself end in a phrase, from where that is
// counted. To a token that is set apart belong more lines.
func (p *page) near(t *token) span {
	if t.place.near.end == 0 {
		t.place.near = p.findNear(t)
	}
	return t.place.near
}

func (p *page) findNear(t *token) span {
	longest := allPhrases().LongestPhrase()
	s := span{max(0, t.start-maxDistance-longest), min(len(p.text), t.end+maxDistance+longest)}
	above, below := p.text[s.start:t.start], p.text[min(s.end, t.end+longest):s.end]
	for range 2 {
		above = above[:max(0, lastLineEnd(above))]
		_, below, _ = bytes.Cut(below, []byte("\n"))
	}
	s.start, s.end = max(s.start, s.start+len(above)-longest), s.end-len(below)
	if t.place.standing == amidText {
		return s
	}
	from, to := p.lineAt(t.start, t.end)
	for n := 0; n < linesAbove && from > 0; n++ {
		from = p.lineBefore(from).start
	}
	for n := 0; n < linesBelow && to < len(p.text); n++ {
		to = p.lineAfter(to).end
	}
	return span{min(s.start, from), max(s.end, to)}
}

// glance is what was seen of the phrases of a text in one part of it.
type glance struct {
	part   span
	labels []label // all that begin there, be it within longer ones
}

// extend takes a part to what was seen, and returns what of it was not. If it does not go on from there, what was seen
// is forgotten.
func (g *glance) extend(part span) span {
	if part.start < g.part.start || part.start > g.part.end {
		g.part, g.labels = span{part.start, part.start}, g.labels[:0]
	}
	from := g.part.end
	g.part.end = max(from, part.end)
	return span{from, g.part.end}
}

// kindsIn are the kinds of all phrases that begin in a part of the text.
func (g *glance) kindsIn(text []byte, part span) (ks kinds) {
	if more := g.extend(part); more.size() > 0 {
		g.look(text, more)
	}
	i := sort.Search(len(g.labels), func(n int) bool { return g.labels[n].start >= part.start })
	for ; i < len(g.labels) && g.labels[i].start < part.end; i++ {
		ks |= g.labels[i].kinds
	}
	return ks
}

// look adds the phrases of a part.
func (g *glance) look(text []byte, part span) {
	i := part.start
	for i > 0 && text[i]&0xc0 == 0x80 {
		i--
	}
	s := search{ph: allPhrases(), text: text, i: i, inWord: i > 0 && isWordBefore(text, i)}
	for ok := true; ok; {
		g.labels, ok = s.next(g.labels, part.end)
	}
}
