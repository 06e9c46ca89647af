package code

import "bytes"

// relation is how a token stands to the phrases around it.
type relation struct {
	points  float64 // for the label that names a code
	other   float64 // against, for the label that names something else
	aside   float64 // for or against, for lesser words
	label   *label
	place   string // where the token is, seen from the label
	sure    bool
	cue     bool // a word right before bids to use it
	bid     bool // it stands directly before
	plain   bool // and is a single word: one of several may say what number it bids to use
	purpose bool // a word after says what for
	near    bool // the sentence before says what for

	asked    bool // its label stands right before it, and a word that bids to enter it before that
	numbered bool // it is bid to be entered, but called no more than a number
}

// better keeps the stronger of two labels that name a code.
func (r *relation) better(points float64, l *label, place string) {
	if points > r.points {
		r.points, r.label, r.place, r.sure = points, l, place, l.kinds.has(kindOTP)
	}
}

// against keeps the stronger of two labels that name something else.
func (r *relation) against(points float64) { r.other = min(r.other, points) }

// worth is what a label that names a code is worth right next to a token.
func (l *label) worth() float64 {
	switch {
	case l.kinds.has(kindOTP):
		return 6
	case l.sure && l.kinds.has(kindCode):
		return 5.5
	case l.inner && l.kinds.has(kindCode) && l.yours:
		return 4
	case l.inner && l.kinds.has(kindCode):
		return 2.5 // a code for what no list has
	case l.kinds.has(kindCode) && l.yours:
		return 5
	case l.kinds.has(kindCode):
		return 4
	}
	return 3.5
}

// relate finds what the phrases around a token say about it.
func (p *page) relate(t *token) relation {
	var r relation
	p.relateLeft(t, t.place.joint, &r)
	p.relateRight(t, &r)
	if t.place.standing != amidText {
		p.relateAbove(t, &r)
		p.relateBelow(t, &r)
	}
	r.cue = r.cue || t.place.cue
	if r.label != nil && !r.label.sure {
		if i := p.bracket(t); i >= 0 && r.label.start > i {
			r.aside += p.bracketed(i)
		}
	}
	if r.label != nil && r.place == "after" && p.isSaid(t) {
		r.aside -= 2.5
	}
	if r.cue && r.purpose {
		r.aside += 3
	}
	if r.purpose && r.place == "before" && !r.label.sure {
		r.aside++ // to sign in use the code that it calls 123456, in languages whose verb comes last
	}
	if t.place.joint == byPreposition && t.place.standing == amidText && !r.bid {
		r.aside -= 2
	}
	return r
}

// bracketed is what the text before the bracket at i says of a code in it that is but called a code. It is that of
// what stands before, a shop or a product, unless that speaks of signing in or the like: use the button to verify your
// address (Code 123456).
func (p *page) bracketed(i int) float64 {
	for n := p.labelsFrom(i) - 1; n >= 0 && i-p.labels[n].end <= maxDistance; n-- {
		switch l := &p.labels[n]; {
		case l.kinds.has(kindOther) && i-l.end <= 2:
			return -4
		case l.kinds.has(kindPurpose):
			return 1.5
		}
	}
	return -3
}

// isSaid says whether a token is amid what somebody is quoted to say: they ask "read me the code 123456 that you got".
func (p *page) isSaid(t *token) bool {
	if t.place.standing != amidText {
		return false
	}
	from := max(t.start-48, lastLineEnd(p.text[:t.start])+1)
	open := bytes.LastIndexByte(p.text[from:t.start], '"')
	if open <= 0 || p.text[from+open-1] != ' ' || bytes.HasPrefix(p.text[from+open+1:], []byte(" ")) {
		return false
	}
	end := bytes.IndexByte(p.text[t.end:min(t.end+48, len(p.text))], '"')
	return end > 0 && measure(p.text, from+open, t.start).words > 2 && measure(p.text, t.end, t.end+end).words > 1
}

// isFirst says whether the token is the only one and begins the body.
func (p *page) isFirst(t *token) bool {
	return len(p.tokens) == 1 && p.beginsBody(t)
}

// beginsBody says whether a token begins the body, be it after the name of the sender in brackets.
func (p *page) beginsBody(t *token) bool {
	if t.start < p.subject {
		return false
	}
	before := bytes.TrimRight(p.text[p.subject:t.start], " ")
	named := len(before) < 48 && (bytes.HasSuffix(before, []byte("】")) || bytes.HasSuffix(before, []byte("]")))
	return (named || t.start < p.subject+8) && p.beginsSentence(t.start)
}

// isSubject says whether a token begins a sentence that says what it is: 123456 is what you need.
func (p *page) isSubject(t *token) bool {
	rest := p.text[t.end:]
	if len(rest) < 2 || rest[0] != ' ' || !p.beginsSentence(t.start) {
		return false
	}
	n := 1
	for n < len(rest) && n < 10 && isLetter(rest[n]) {
		n++
	}
	return jointOfWord(rest[1:n]) == byVerb
}

// isMeans says whether a token ends a sentence that says with what to do something: log in with 123456.
func (p *page) isMeans(t *token) bool {
	if t.shape > shapePrefix || t.start == 0 || p.text[t.start-1] != ' ' || !p.endsSentence(t.end) {
		return false
	}
	before := p.text[:t.start-1]
	switch string(lastWord(before)) {
	case "amb", "avec", "com", "con", "cu", "med", "met", "mit", "with":
		return true
	}
	return bytes.HasSuffix(before, []byte(" w/"))
}

// beginsSentence says whether nothing but marks is before i in its sentence.
func (p *page) beginsSentence(i int) bool {
	for n := 0; i > 0 && n < 12; n++ {
		switch c := p.text[i-1]; {
		case c == ',' && i-p.subject < 40: // a greeting
			return true
		case c == '\n' || c == '.' || c == '!' || c == '?' || c == ':' || c == ']' || c == '>' || c == '\t':
			return true
		case isAlnum(c):
			return false
		case c >= 0x80:
			return !isWordRune(p.runeBefore(i))
		}
		i--
	}
	return i == 0
}

// endsSentence says whether a sentence or line ends at i.
func (p *page) endsSentence(i int) bool {
	return i == len(p.text) || p.text[i] == '.' || p.text[i] == '!' || p.text[i] == '\n'
}
