package code

import (
	"math"
)

// enough is the points from which a token is taken for the code; there its score is the threshold.
const (
	enough    = 5.0
	threshold = 0.5
)

// topic is what the mail as a whole is about.
type topic struct {
	pro, contra float64
	seen        kinds // of the body and the subject
	from        *sender
	sure, code  bool // a label of that sort is somewhere
	short       bool // little text
	off         bool // it speaks much of something else
	paper       bool // its subject says that it is a receipt or the like
	strange     bool // its subject says that it is about something else, and nothing what a code could be for
	refer       bool // it is about bringing friends in, and of no code to verify something
	warned      bool // it warns to give it to nobody
	expires     bool // it says until when something is valid, or what to do if it was not asked for
	verifies    bool // its subject says what for, and nothing speaks of something else
	named       bool // its subject names a thing that has a code, or the code of something
	other       bool // it names something else that may have a number
	plain       bool // it names nothing that a code could be for
}

// topicOf reads the topic of a page from its labels.
func topicOf(p *page) topic {
	var seen, subject kinds
	var t topic
	off, things := 0, false
	for i := range p.labels {
		l := &p.labels[i]
		if l.start < p.subject {
			subject |= l.kinds
			t.named = t.named || l.ofThing || l.kinds == setOf(kindThing)
			things = things || l.kinds.any(setOf(kindOther, kindThing))
			if l.sure {
				subject |= setOf(kindOTP)
			}
		} else {
			seen |= l.kinds
			if l.kinds.any(elseAbout) {
				off++
			}
		}
		t.sure = t.sure || l.sure
		t.code = t.code || l.kinds.has(kindCode)
	}
	t.pro = min(maxPro, bodyTopic(seen)+subjectTopic(subject))
	t.contra = min(3, float64(off))
	if subject.any(elseAbout) {
		t.contra += 2.5
	}
	if t.contra = min(t.contra, 4); t.contra > 0 {
		t.contra += 0.5
	}
	t.off = off > 2
	t.paper = subject.has(kindPaper) && !subject.any(positive|setOf(kindPurpose))
	t.strange = subject.any(elseAbout) && !subject.any(positive|setOf(kindPurpose)) &&
		!seen.has(kindWarn)
	t.warned = seen.has(kindWarn)
	t.expires = seen.has(kindIntent) && !(seen | subject).any(elseAbout|setOf(kindOther, kindDone))
	t.other = things || seen.has(kindOther)
	t.plain = !subject.has(kindCode) &&
		!(seen | subject).any(setOf(kindWarn, kindPurpose, kindOTP))
	t.named = (t.named || things && subject.any(setOf(kindCode, kindSecret))) &&
		!subject.any(setOf(kindOTP, kindPurpose))
	t.verifies = subject.has(kindPurpose) && !(seen | subject).any(elseAbout|setOf(kindOther, kindDone, kindUnit))
	t.refer = (seen | subject).has(kindRefer) && !t.warned && !seen.has(kindOTP) &&
		!subject.any(setOf(kindOTP, kindPurpose))
	t.short = p.isShort()
	t.seen = seen | subject
	return t
}

// elseAbout are the kinds of phrases that tell that a mail is about something else.
var elseAbout = setOf(kindOff, kindRefer)

// maxPro is the most that what a mail is about speaks for its codes.
const maxPro = 2.5

// isShort says whether there is little text.
func (p *page) isShort() bool { return len(p.text)-p.subject < 400 }

func bodyTopic(seen kinds) float64 {
	points := 0.0
	for _, k := range []kind{kindWarn, kindIntent, kindPurpose, kindOTP} {
		if seen.has(k) {
			points += 0.5
		}
	}
	return points
}

func subjectTopic(subject kinds) float64 {
	switch {
	case subject.has(kindOTP):
		return 1.5
	case subject.has(kindCode):
		return 1
	case subject.has(kindPurpose):
		return 0.75
	}
	return 0
}

// finding is a token with what speaks for it.
type finding struct {
	token    *token
	points   float64
	relation relation
	signs    signs
	standing standing
	subject  bool
	sole     bool   // nothing else of the page could be the code
	spoken   bool   // without a label of its own, set apart in a mail that speaks of a code
	quoted   bool   // on a line that quotes an earlier mail
	topical  bool   // the mail is about signing in or the like, and nothing else
	text     []byte // of the label
}

// weigh gives a token its points: those of its shape, layout and labels, and the weights of the signs around it.
func (p *page) weigh(f *finding, about *topic) {
	f.base(p, about)
	f.signs = p.signsOf(f, about)
	f.points += f.signs.weight()
	f.topical = about.pro >= 0.75 && about.contra == 0
	if !f.evident() {
		f.points = min(f.points, enough-1)
	}
}

// base are the points for shape, layout, labels and what the mail is about.
func (f *finding) base(p *page, about *topic) {
	t, r := f.token, &f.relation
	f.quoted = p.isQuoted(t.start)
	if r.numbered && (about.contra >= 2 || !r.purpose && about.pro < 0.75) {
		r.against(-6)
	}
	if t.shape == shapeLetters && r.label == nil {
		r.aside -= 3
	}
	if t.addressed {
		r.cue, r.aside = true, r.aside+4
	}
	if t.document && (!r.sure || r.place == "before" && !p.isSubject(t)) {
		r.aside -= forDocument
	}
	switch {
	case t.long && r.sure && r.points >= 5.5 && (r.place != "before" || p.isSubject(t)):
		r.aside += forLong - 0.5
	case t.odd && (isAsked(r, about) || r.label != nil && (r.label.sure || r.place == "after" &&
		t.place.joint == byVerb)):
		r.aside += forOdd - 0.5
	case t.shape == shapePhrase && !r.sure && (r.label == nil || about.pro < 1):
		r.aside -= 5
	}
	f.points = shapePoints(t) - t.malus + r.points + r.other + r.aside + t.place.layout + about.pro
	if r.label != nil {
		f.text = p.text[r.label.start:r.label.end]
	} else {
		apart := f.subject || f.standing == inOwnCell || f.standing == onOwnLine && p.isApart(t)
		f.points += elsewhere(about, apart)
		f.spoken = apart && (about.sure || about.code)
	}
}

// hasThing says whether a thing that may have a code of its own is named before a token on its line.
func (p *page) hasThing(t *token) bool {
	from := lastLineEnd(p.text[:t.start]) + 1
	for i := p.labelsFrom(t.start) - 1; i >= 0 && p.labels[i].start >= from; i-- {
		if p.labels[i].kinds == setOf(kindThing) {
			return true
		}
	}
	return false
}

// isAsked says whether a text that is about signing in or the like bids to use a token.
func isAsked(r *relation, about *topic) bool {
	return r.bid && r.other == 0 && (about.pro >= 1 || r.near) && about.contra == 0
}

// isNearFirst says whether nothing but a name comes before a token, and no phrase speaks of it: Acme 123456 Do not
// share.
func (p *page) isNearFirst(t *token, r *relation) bool {
	if t.start < p.subject || t.start > p.subject+20 || r.label != nil || r.other != 0 || t.shape > shapePrefix {
		return false
	}
	return len(p.labels) == 0 || p.labels[0].start > t.start
}

// isWholeSentence says whether a token amid text is a sentence of its own, and nothing says that it is something else.
func (p *page) isWholeSentence(t *token, r *relation) bool {
	return r.other == 0 && t.shape <= shapePrefix && t.place.standing == amidText &&
		t.place.joint != byVerb && p.beginsSentence(t.start) && p.endsSentence(t.end)
}

// evident says whether anything but the topic of the mail and the look of a token speaks for it: without that, nothing
// is the code.
func (f *finding) evident() bool {
	r := &f.relation
	return r.label != nil || r.cue || f.spoken || f.signs&speaking != 0
}

// forDocument is what a token loses that is numbered like a document, unless it is said to be a verification code.
const forDocument = 5

// layoutPoints is what it adds how a token is set.
func (p *page) layoutPoints(t *token) (points float64) {
	own, strong := p.markOf(t)
	t.place.strong = strong
	switch t.place.standing {
	case onOwnLine:
		points = 1.5
		if p.isParagraph(t) {
			points = 2
		}
		if p.isApart(t) {
			points += 0.75
		}
	case inOwnCell:
		points = 1.75
	}
	switch {
	case strong:
		points += 1.25
	case own:
		points += 0.5
	}
	if t.start < p.subject {
		points += 0.75
		if t.place.standing == onOwnLine {
			points -= 2
		}
	}
	return points
}

// elsewhere is for a token without a label of its own, in a mail that speaks of codes.
func elsewhere(about *topic, apart bool) float64 {
	points := 0.0
	switch {
	case about.sure:
		points = 2.5
	case about.code:
		points = 1.5
	}
	if !apart {
		points /= 4
	}
	return points
}

// shapePoints is how usual the shape is for a code.
func shapePoints(t *token) float64 {
	n := len(t.code)
	switch t.shape {
	case shapeDigits:
		switch n {
		case 6:
			return 1
		case 5, 8:
			return 0.5
		case 7:
			return 0.25
		}
		return 0
	case shapeGroups, shapeSingles, shapePrefix:
		return 1
	case shapeMixed:
		if n >= 5 {
			return 0.25
		}
		return -0.25
	case shapeHyphen, shapePhrase:
		return 0.5
	}
	return 0
}

// score maps points to 0 to 1.
func score(points float64) float64 { return 1 / (1 + math.Exp(enough-points)) }
