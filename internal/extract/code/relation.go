package code

// relation is how a token stands to the phrases around it.
type relation struct {
	points  float64 // for the label that names a code
	other   float64 // against, for the label that names something else
	aside   float64 // for or against, for lesser words
	label   *label
	place   string // where the token is, seen from the label
	sure    bool
	cue     bool // a word right before bids to use it
	purpose bool // a word behind says what for
}

// better keeps the stronger of two labels that name a code.
func (r *relation) better(points float64, l *label, place string) {
	if points > r.points {
		r.points, r.label, r.place, r.sure = points, l, place, l.kinds.has(kindOTP)
	}
}

// against keeps the stronger of two labels that name something else.
func (r *relation) against(points float64) { r.other = min(r.other, points) }

// worth is what a label that names a code is worth right beside a token.
func (l *label) worth() float64 {
	switch {
	case l.kinds.has(kindOTP):
		return 6
	case l.sure && l.kinds.has(kindCode):
		return 5.5
	case l.kinds.has(kindCode) && l.yours:
		return 5
	case l.kinds.has(kindCode):
		return 4
	}
	return 3.5
}

// relate finds what the phrases around a token say about it.
func (p *page) relate(t *token, s standing) relation {
	var r relation
	joined := p.joinedTo(t.start)
	p.relateLeft(t, joined, &r)
	p.relateRight(t, &r)
	if s != amidText {
		p.relateAbove(t, &r)
		p.relateBelow(t, &r)
	}
	r.cue = r.cue || p.isSubject(t) || p.isFirst(t)
	if p.isBrand(t, &r) {
		r.aside -= 3
	}
	if r.cue && r.purpose {
		r.aside += 3
	}
	if joined == byPreposition {
		r.aside -= 2
	}
	return r
}

// isBrand says whether a token is a name between two words that belong together: your N26 code.
func (p *page) isBrand(t *token, r *relation) bool {
	if t.shape != shapeMixed && t.shape != shapeLetters || r.place != "before" || r.label.start-t.end > 1 {
		return false
	}
	i := p.labelsFrom(t.start) - 1
	return i >= 0 && p.labels[i].kinds.has(kindYours) && t.start-p.labels[i].end == 1
}

// maxLabels is how many labels are looked at on each side.
const maxLabels = 8

// relateLeft looks at the labels before a token in its paragraph: the nearest that names something counts.
func (p *page) relateLeft(t *token, j joint, r *relation) {
	first := p.labelsFrom(t.start)
	ruled := -1 // how many words off a label is that names something else, nearer than what is looked at
	for i := first - 1; i >= 0 && i >= first-maxLabels; i-- {
		l := &p.labels[i]
		if l.end > t.start {
			continue
		}
		d := l.upTo.until(t.from)
		if d.far || d.lines > 1 {
			break
		}
		switch {
		case d.stop && !l.names():
		case l.kinds.has(kindPurpose) && d.words <= 6 && !d.number && ruled < 0:
			r.purpose = true
			if j == byVerb && d.words <= 1 && d.lines == 0 {
				r.better(3.5, l, "after") // Verification: 123456
			}
		case l.kinds.has(kindCue) && d.words <= 2 && d.lines == 0 && ruled < 0:
			r.cue = true
			r.aside = max(r.aside, 2.5-0.5*float64(d.words))
		case l.kinds.has(kindOther):
			if d.number || d.stop && d.words > 0 || ruled >= 0 || r.purpose && d.words > 0 {
				continue
			}
			r.against(otherLeft(d, j))
			ruled = d.words
		case l.kinds.any(positive):
			if l.warned && d.words > 1 {
				continue
			}
			points := leftPoints(l.worth(), d, j)
			if l.kinds.has(kindSecret) && t.shape == shapeDigits {
				points += 0.5 // a password of digits alone is seldom one that somebody chose
			}
			if ruled >= 0 {
				if !l.sure || d.stop || ruled == 0 && j == byNothing {
					return
				}
				points -= 2
				r.other = max(r.other, -1)
			}
			r.better(points, l, "after")
			return
		}
	}
}

// otherLeft is what a label of something else says about the number behind it.
func otherLeft(d distance, j joint) float64 {
	switch {
	case d.words <= 1 || j == byVerb && d.words <= 3:
		return -6
	case d.words <= 3:
		return -4
	case d.words <= 5:
		return -2
	}
	return 0
}

// leftPoints is what a label is worth from some distance before the token.
func leftPoints(worth float64, d distance, j joint) float64 {
	linked := j == byVerb
	if d.number {
		worth -= 2
		if linked {
			worth += 1.5
		}
	}
	if d.words == 0 && d.colon {
		worth += 0.5
	}
	switch {
	case d.stop && d.words <= 12:
		return worth - 3
	case d.stop:
		return 0
	case d.words <= 1 || linked && d.words <= 4:
		return worth
	case d.words <= 4 || linked && d.words <= 14:
		return worth - 0.5
	case d.words <= 8:
		return worth - 1.5
	case d.words <= 15:
		return worth - 2.5
	}
	return 0
}

// relateRight looks at the labels behind a token: 123456 is your code.
func (p *page) relateRight(t *token, r *relation) {
	first := p.labelsFrom(t.end)
	for i := first; i < len(p.labels) && i < first+maxLabels; i++ {
		l := &p.labels[i]
		d := t.upTo.until(l.from)
		if d.far || d.stop || d.lines > 1 {
			return
		}
		switch {
		case l.kinds.has(kindUnit) && isCounted(p, t, l):
			r.against(-5)
			return
		case l.kinds.has(kindPurpose) && d.words <= 7 && !d.number:
			r.purpose = true
		case l.kinds.has(kindCue) && d.words <= 1 && (p.text[l.start] >= 0x80 || p.beginsSentence(t.start)):
			r.cue = true
		case l.kinds.has(kindOther):
			if d.words == 0 && d.lines == 0 {
				r.against(-1.5)
			}
			return
		case l.kinds.any(positive):
			if !l.warned {
				r.better(p.rightPoints(t, l, d), l, "before")
			}
			return
		}
	}
}

// isCounted says whether a unit follows the token so closely that it counts it.
func isCounted(p *page, t *token, l *label) bool {
	if t.shape != shapeDigits && t.shape != shapeGroups {
		return false
	}
	gap := p.text[t.end:l.start]
	if p.text[l.start] >= 0xe0 { // a script that writes no spaces
		return len(gap) == 0
	}
	return len(gap) == 1 && gap[0] == ' ' || len(gap) == 0
}

// rightPoints is what a label is worth from some distance behind the token.
func (p *page) rightPoints(t *token, l *label, d distance) float64 {
	worth := l.worth() - 0.5
	if d.number {
		worth -= 2
	}
	if !p.beginsSentence(t.start) {
		worth -= 1
	}
	if p.owned(t, l) {
		worth -= 2.5
	}
	switch {
	case d.words <= 4:
		return worth
	case d.words <= 7:
		return worth - 0.5
	case d.words <= 10:
		return worth - 2
	}
	return 0
}

// owned says whether another token follows right behind the label.
func (p *page) owned(t *token, l *label) bool {
	o := p.tokenFrom(l.end)
	return o != nil && o.code != t.code && o.start-l.end <= 8 && l.upTo.until(o.from).lines == 0
}

// isFirst says whether the token is the only one and begins the body.
func (p *page) isFirst(t *token) bool {
	return len(p.tokens) == 1 && t.start >= p.subject && t.start < p.subject+8 && p.beginsSentence(t.start)
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

// joint is what joins a token to the words before it.
type joint uint8

const (
	byNothing joint = iota
	byVerb          // is, or a colon
	byPreposition
)

// joinedTo says what stands right before i.
func (p *page) joinedTo(i int) joint {
	for n := 0; i > 0 && n < 8; n++ {
		switch c := p.text[i-1]; {
		case c == ':' || c == '=' || c == '>':
			return byVerb
		case c == ' ' || c == '"' || c == '\'' || c == '(' || c == '[' || c == '*' || c == '\n' || c == '\t' || c == '-':
			i--
		case isAlnum(c):
			return jointOfWord(lastWord(p.text[:i]))
		default:
			return jointOfEnd(p.text[:i])
		}
	}
	return byNothing
}
