package code

import (
	"bytes"
	"math/bits"
)

// sign is a piece of evidence that is there or not.
type sign uint8

const (
	signStrange       sign = iota // the subject is about something else
	signStrangeSure               // the same, but it is named as a verification code
	signContra                    // each word that tells that the mail is about something else
	signNamed                     // the subject names a thing that may have a code
	signThing                     // a thing that may have a code is named before it or in the mail
	signPaper                     // card slips have an authorization code
	signRefer                     // it is to be passed on
	signAsked                     // a text about signing in bids to use it: you want to change your password. Enter 123456
	signAskedMixed                // the same of letters and digits
	signOnly                      // a short text has nothing else
	signOnlyPurpose               // the same, and says what for
	signOnlyBid                   // the same, and bids to enter it: type 1234 in the app
	signWarned                    // a short text warns to give it to nobody, and leads to it
	signWarnedBegins              // the same, and it begins a sentence
	signWarnedWhole               // the same, and is a sentence
	signExpires                   // a short text says until when it is valid, and leads to it
	signWhole                     // is a sentence of its own: somebody wants to log in. 123456
	signEnterThe                  // enter the code 1234
	signAlone                     // the subject says what for, and the body has little else
	signExpiresStrong             // alone on its line, set off, and it expires
	signVerifies                  // alone on its line, in a mail that verifies something
	signs0                        // how many there are
)

// weights are what the signs add.
var weights = [signs0]float64{
	signStrange: -2.5, signStrangeSure: -0.75, signNamed: -4, signThing: -1.5, signPaper: -4.5, signRefer: -4.5,
	signAsked: 1.5, signAskedMixed: 1, signOnly: 1, signOnlyPurpose: .5, signOnlyBid: 1.5, signWarned: 3, signWarnedBegins: 2,
	signWarnedWhole: 1, signExpires: 3, signWhole: 2.5, signEnterThe: 1, signAlone: 1, signExpiresStrong: 2, signVerifies: 1,
}

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
	if !r.purpose && isAsked(r, about) {
		digits := t.shape <= shapeGroups || t.shape == shapeWords
		s.set(signAsked, digits)
		s.set(signAskedMixed, !digits && t.shape <= shapeHyphen && t.malus <= 0.5 && isMixed(t.code) && !hasLower(t.code))
	}
	s.set(signEnterThe, r.asked && about.pro >= 1 && !r.label.sure && t.place.joint != byVerb)
	s.set(signAlone, about.alone && f.standing != amidText)
	p.signsOfOnly(f, about, &s)
	if f.standing == onOwnLine && t.shape <= shapePrefix && r.label == nil {
		switch {
		case about.expires && t.place.strong:
			s.set(signExpiresStrong, true)
		case about.verifies && r.aside >= 1 && r.other == 0 && about.short && f.sole && p.isApart(t):
			s.set(signVerifies, true)
		}
	}
	f.bare = s&(1<<signWarned|1<<signWarnedWhole|1<<signExpires|1<<signWhole|1<<signExpiresStrong|1<<signVerifies) != 0
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
