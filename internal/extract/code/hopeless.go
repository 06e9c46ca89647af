package code

// Most mail has no code, and most of its numbers are far from being one: they stand amid text that names no code. To see
// that takes less than to give them their points. What is looked at here can only be too kind to a token: its points are
// never more than what is assumed, so that a mail without hope is one in which nothing would have been found.

// hopeless says whether no token of the mail can have enough points. It asks twice: first with what can be seen around
// the tokens alone, then with all phrases of the mail, which it leaves on the pages.
func (r *reader) hopeless(from *sender) bool {
	hope := false
	for p := range r.pages() {
		hope = p.hopeAtAGlance(from) || hope
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

// hopeAtAGlance says whether a token has hope, whatever the mail is about.
func (p *page) hopeAtAGlance(from *sender) bool {
	p.weighAlone()
	about := topic{pro: maxPro + from.points(), sure: true, short: p.isShort()}
	left := len(p.text) / 2 // more would take as long as to look at everything
	return p.hopeful(from, about, func(near span) kinds {
		if left -= near.size(); left < 0 {
			return helpful
		}
		return kindsIn(p.text, near)
	})
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

// hopeful says whether a token may have enough points, given what the mail is about and the kinds of phrases around a place.
func (p *page) hopeful(from *sender, about topic, around func(span) kinds) bool {
	repeated := 0.5
	if p.tokens[0].start < p.subject {
		repeated = 1
	}
	if about.short && len(p.tokens) == 1 {
		repeated += 3
	}
	for i := range p.tokens {
		if t := &p.tokens[i]; t.alone+elsewhere(about, t.apart)+about.pro+repeated >= enough && !from.is(t) {
			return true
		}
	}
	for i := range p.tokens {
		t := &p.tokens[i]
		most := t.alone + elsewhere(about, t.apart) + about.pro + repeated
		if most+t.gain(helpful) >= enough && !from.is(t) && most+t.gain(around(p.near(t))) >= enough {
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
		t.alone, t.apart = f.points, f.standing != amidText || f.subject
	}
}

// helpful are the kinds of phrases that can give points to the tokens around them.
var helpful = positive | setOf(kindPurpose, kindCue)

// gain is the most that phrases of some kinds can give to a token.
func (t *token) gain(ks kinds) (points float64) {
	if ks.has(kindCue) {
		points += 2.5 + 1 // right before it, and in the line above
	}
	if ks.has(kindPurpose) {
		points += 3 // with a cue
	}
	switch {
	case ks.any(positive):
		points += 6.5 // a sure one, and a colon
	case ks.has(kindPurpose):
		points += 3 // right before it
	}
	if t.shape == shapeLetters && ks.any(positive|setOf(kindPurpose)) {
		points += 3 // which it had lost for being without
	}
	return points
}

// kindestTopic is what the mail may be about at best: phrases that speak against codes do not count, and a code is taken for
// one of the kind that is wanted wherever the mail speaks of a purpose.
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

// near is where the phrases begin that have to do with a token.
func (p *page) near(t *token) span {
	reach := maxDistance + allPhrases().longest
	s := span{max(0, t.start-reach), min(len(p.text), t.end+reach)}
	if p.standing(t) == amidText {
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

// kindsIn are the kinds of all phrases that begin in a part of the text, be it within longer ones.
func kindsIn(text []byte, part span) (ks kinds) {
	for part.start > 0 && text[part.start]&0xc0 == 0x80 {
		part.start--
	}
	s := search{ph: allPhrases(), text: text, i: part.start, inWord: part.start > 0 && isWordBefore(text, part.start)}
	for {
		found, ok := s.next(part.end)
		if !ok {
			return ks
		}
		ks |= found.kinds
	}
}
