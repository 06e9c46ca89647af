package code

import (
	"bytes"
	"math/bits"
	"unicode/utf8"
)

// sign is a piece of evidence that is there or not.
type sign uint8

const (
	signStrange     sign = iota // the subject is about something else
	signStrangeSure             // the same, but it is named as a verification code
	signNamed                   // the subject names a thing that may have a code
	signThing                   // a thing that may have a code is named before it or in the mail
	signPaper                   // card slips have an authorization code
	signRefer                   // it is to be passed on
	// Beside a bare word for a code is a word that no list has, and nothing in the mail says what for.
	signUnknown
	// A text about signing in bids to use letters and digits: you want to change your password. Enter K7Q2XF.
	signAsked
	signEnterThe     // enter the code 1234
	signFits         // nothing else could be the code, and its sentence says what for
	signOnly         // a short text has nothing else
	signOnlyPurpose  // the same, and says what for
	signOnlyBid      // the same, and bids to enter it: type 1234 in the app
	signWarned       // a short text warns to give it to nobody, and leads to it
	signWarnedBegins // the same, and it begins a sentence
	signWarnedWhole  // the same, and is a sentence
	signExpires      // a short text says until when it is valid, and leads to it
	signWhole        // is a sentence of its own: somebody wants to log in. 123456
	allSigns
)

// weights are what the signs add. They were searched for on the sets for development, and on these with the phrases of
// each mail left out one after the other: a mail of others has words that no list has.
var weights = [allSigns]float64{
	signStrange: -2.5, signStrangeSure: -0.75, signNamed: -4, signThing: -3, signPaper: -5.5, signRefer: -4.75,
	signUnknown: -1.5, signAsked: 1, signEnterThe: 1, signFits: 1.5, signOnly: 1, signOnlyPurpose: 1.25,
	signOnlyBid: 2.25, signWarned: 3, signWarnedBegins: 2, signWarnedWhole: 1, signExpires: 3.25, signWhole: 2.5,
}

// speaking are signs without which nothing need be the code, though no word names it or bids to use it.
const speaking = 1<<signFits | 1<<signWarned | 1<<signWarnedWhole | 1<<signExpires | 1<<signWhole

// signs is a set of sign.
type signs uint64

func (s *signs) set(one sign, when bool) {
	if when {
		*s |= 1 << one
	}
}

func (s signs) weight() (sum float64) {
	for ; s != 0; s &= s - 1 {
		sum += weights[bits.TrailingZeros64(uint64(s))]
	}
	return sum
}

// signsOf are the signs around a token.
func (p *page) signsOf(f *finding, about *topic) (s signs) {
	t, r := f.token, &f.relation
	plainly := r.sure && t.place.joint == byVerb && !p.beginsSentence(r.label.start) // your login code is 123456
	strange := about.strange && !plainly
	s.set(signStrange, strange && !r.sure)
	s.set(signStrangeSure, strange && r.sure)
	bare := (r.label == nil || !r.label.sure) && !r.purpose && !r.near
	s.set(signNamed, bare && about.named)
	s.set(signThing, bare && !about.named && about.plain &&
		(about.other && r.label != nil && p.subject > 1 || p.hasThing(t)))
	if r.sure && !about.off && !strange {
		f.points -= about.contra / 2
	} else {
		f.points -= about.contra
	}
	s.set(signPaper, about.paper)
	s.set(signRefer, about.refer)
	s.set(signAsked, !r.purpose && isAsked(r, about) && t.shape > shapeGroups && t.shape <= shapeHyphen &&
		t.malus <= 0.5 && isMixed(t.code) && !hasLower(t.code))
	s.set(signEnterThe, r.asked && about.pro >= 1 && !r.label.sure && t.place.joint != byVerb)
	p.signsOfOnly(f, about, &s)
	s.set(signUnknown, r.label != nil && !r.label.sure && !r.sure && p.subject > 1 &&
		!about.seen.any(setOf(kindPurpose, kindOTP)) && p.hasUnknown(r.label, about.from))
	s.set(signFits, f.sole && r.label == nil && about.contra == 0 && t.shape <= shapePrefix && (p.saysWhatFor(t) ||
		about.verifies && r.aside >= 1 && r.other == 0 && f.standing == onOwnLine && p.isApart(t)))
	return s
}

// signsOfOnly are those of a token that a short text has alone.
func (p *page) signsOfOnly(f *finding, about *topic, s *signs) {
	t, r := f.token, &f.relation
	if !about.short || len(p.tokens) > 1 &&
		!(r.cue && r.label == nil && t.shape <= shapePrefix && about.pro >= 0.5 && about.contra == 0 && f.sole) {
		return
	}
	s.set(signOnly, true)
	whole := p.isWholeSentence(t, r)
	switch {
	case r.purpose && (r.cue || r.label != nil):
		s.set(signOnlyPurpose, true)
	case r.bid && (r.plain || about.pro >= 0.5) && r.other == 0 && r.label == nil && about.contra == 0 &&
		t.shape <= shapeGroups:
		s.set(signOnlyBid, true)
	}
	switch led := t.place.joint == byVerb || p.beginsBody(t) || p.isNearFirst(t, r); {
	case about.warned && (led || p.isMeans(t)):
		s.set(signWarned, true)
	case about.warned && p.beginsSentence(t.start):
		s.set(signWarnedBegins, true)
		s.set(signWarnedWhole, whole)
	case about.expires && led && t.shape <= shapePrefix:
		s.set(signExpires, true)
	}
	s.set(signWhole, r.label == nil && whole && about.pro >= 0.5 && about.contra == 0)
}

// relateAll finds what the phrases say of all tokens, and which of them nothing else on the page rivals.
func (p *page) relateAll(from *sender) {
	p.findings = p.findings[:0]
	for i := range p.tokens {
		t := &p.tokens[i]
		p.findings = append(p.findings, finding{token: t, standing: t.place.standing, subject: t.start < p.subject,
			relation: p.relate(t)})
	}
	var one []byte
	rivals := 0
	for i := range p.findings {
		if f := &p.findings[i]; f.isRival() && !bytes.Equal(f.token.code, one) {
			one = f.token.code
			rivals++
		}
	}
	for i := range p.findings {
		f := &p.findings[i]
		f.sole = rivals == 0 || rivals == 1 && bytes.Equal(f.token.code, one)
	}
}

// isRival says whether a token could be the code rather than a postcode, a year or what it is named as.
func (f *finding) isRival() bool {
	t, r := f.token, &f.relation
	return t.malus < 2.5 && !t.document && r.other > -4 &&
		(r.label != nil || r.cue || f.standing != amidText || t.place.joint == byVerb)
}

func hasLower(code []byte) bool {
	_, _, lower := count(code)
	return lower > 0
}

// saysWhatFor says whether the sentence of a token says what for, and names nothing else.
func (p *page) saysWhatFor(t *token) bool {
	var seen kinds
	at := p.labelsFrom(t.start)
	for i := at - 1; i >= max(0, at-maxLabels); i-- {
		l := &p.labels[i]
		if d := l.upTo.until(t.from); d.far || d.stop || d.lines > 1 {
			break
		}
		seen |= l.kinds
	}
	for i := at; i < min(len(p.labels), at+maxLabels); i++ {
		l := &p.labels[i]
		if d := t.upTo.until(l.from); d.far || d.stop || d.lines > 1 {
			break
		}
		seen |= l.kinds
	}
	return seen.any(setOf(kindPurpose, kindOTP)) &&
		!seen.any(elseAbout|setOf(kindOther, kindThing, kindPaper, kindDone, kindUnit))
}

// hasUnknown says whether a word that no list has stands next to a word for a code: what the code is of. Words with
// capitals, of other scripts and of the sender may be names, and count for nothing.
func (p *page) hasUnknown(l *label, from *sender) bool {
	if b := l.start - 1; b > 0 && (p.text[b] == ' ' || p.text[b] == '-') {
		if p.isUnknown(b-len(lastWord(p.text[:b])), b, from) {
			return true
		}
	}
	for i, n := l.end, 0; n < 2 && i+1 < len(p.text) && p.text[i] == ' '; n++ {
		a := i + 1
		for i = a; i < len(p.text) && isLetter(p.text[i]); i++ {
		}
		switch w := p.text[a:i]; {
		case len(w) >= 4:
			return p.isUnknown(a, i, from)
		case jointOfWord(w) == byVerb || besideCodes().AtStart(string(w)) != 0:
			return false // it is that of nothing, or stands on something
		}
	}
	return false
}

// isUnknown says whether a word is longer than an article, no name, and in no list.
func (p *page) isUnknown(a, b int, from *sender) bool {
	w := p.text[a:b]
	if len(w) < 4 || a > 0 && p.text[a-1] >= utf8.RuneSelf || b < len(p.text) && p.text[b] >= utf8.RuneSelf {
		return false
	}
	if _, upper, _ := count(w); upper > 0 || jointOfWord(w) != byNothing || from.has(w) {
		return false
	}
	for i := max(0, p.labelsFrom(a)-1); i < len(p.labels) && p.labels[i].start < b; i++ {
		if p.labels[i].end > a {
			return false
		}
	}
	return besideCodes().AtStart(string(w)) == 0
}
