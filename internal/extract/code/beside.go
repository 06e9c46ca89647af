package code

import (
	"bytes"
	"unicode/utf8"

	"github.com/mailkin/mailkin/internal/lexicon"
)

// maxLabels is how many labels are looked at on each side.
const maxLabels = 8

// relateLeft looks at the labels before a token in its paragraph: the nearest that names something counts.
func (p *page) relateLeft(t *token, j joint, r *relation) {
	first := p.labelsFrom(t.start)
	ruled := -1  // how many words off a label is that names something else, nearer than what is looked at
	bid := false // a cue stands right before the token
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
			r.near = r.near || bid && l.kinds.has(kindPurpose) && d.words <= 14 && !d.number
		case l.kinds.has(kindPurpose) && d.words <= 6 && !d.number && ruled < 0:
			r.purpose = true
			if j == byVerb && d.lines == 0 {
				points := p.purposePoints(t, i) // Verification: 123456
				if d.words > 2 {
					points -= 0.5 // What you need to log in on your phone: 123456
				}
				r.better(points, l, "after")
			}
		case (bid || t.place.cue) && l.kinds.has(kindPurpose):
			r.purpose, r.other = true, 0 // to approve 45.00 to SHOP on your card, enter 123456
		case l.kinds.has(kindCue) && (j != byVerb || !l.kinds.any(positive)) && d.lines == 0 && ruled < 0 &&
			(d.words <= 2 || j == byVerb && d.words <= 4 && !d.number):
			bid = p.cueLeft(l, d, j, r) || bid
		case l.kinds.has(kindCue) && r.purpose && j == byVerb && d.lines == 0 && !d.number && d.words <= 12 &&
			ruled < 0:
			r.cue = true // here is what you need to log in on your phone: 123456
		case l.kinds.has(kindDone):
			if d.words <= 1 && d.lines == 0 && !d.stop && !d.number && ruled < 0 {
				r.against(-4) // Confirmed: 1234567
				ruled = d.words
			}
		case l.kinds.has(kindIt) && d.words == 0 && p.bidsNumber(i):
			r.cue, r.bid, r.plain, r.numbered = true, true, true, true
			r.aside = max(r.aside, 2)
		case l.kinds.has(kindOther):
			if d.number || d.stop && d.words > 0 || ruled >= 0 || r.purpose && d.words > 0 {
				continue
			}
			r.against(otherLeft(d, j))
			ruled = d.words
		case l.kinds.any(positive):
			if l.warned && d.words > 1 || (d.stop || j != byVerb && t.place.standing == amidText) && p.isPlural(l) {
				continue // you sent 1234 codes, of which 1200 were used
			}
			if l.kinds.has(kindCue) && d.words <= 2 && d.lines == 0 && ruled < 0 {
				p.cueLeft(l, d, j, r)
			}
			r.nameLeft(t, l, d, j, ruled)
			return
		}
	}
}

// cueLeft takes account of a cue before a token, and says whether it is right there: enter 123456, or enter in the app:
// 123456.
func (p *page) cueLeft(l *label, d distance, j joint, r *relation) (bid bool) {
	r.cue = true
	bid = d.words == 0 || j == byVerb && !d.number && d.colon
	if bid && !r.bid {
		r.bid, r.plain = true, bytes.IndexByte(p.text[l.start:l.end], ' ') < 0
	}
	if r.aside = max(r.aside, 2.5-0.5*float64(d.words)); bid {
		r.aside = max(r.aside, 1.5)
	}
	return bid
}

// bidsNumber says whether somebody bids to enter what the label i calls but a number: enter in the app the number 1234.
func (p *page) bidsNumber(i int) bool {
	for n := i - 1; n >= 0 && n >= i-3; n-- {
		switch d := between(p.labels, n, i); {
		case d.words > 6 || d.stop || d.number || d.lines > 0:
			return false
		case p.labels[n].kinds.has(kindCue):
			return true
		}
	}
	return false
}

// purposePoints is what the label i is worth that says but what for something is: Verification: 123456. What it says is
// done to an order or the like (order confirmation: 123456) is no code, and letters take more to be one.
func (p *page) purposePoints(t *token, i int) float64 {
	for n := i - 1; n >= 0 && n >= i-2; n-- {
		if d := between(p.labels, n, i); d.words > 3 || d.stop || d.lines > 0 {
			break
		}
		if p.labels[n].kinds.has(kindOther) {
			return 0
		}
	}
	if t.shape >= shapeMixed {
		return 1
	}
	return 3
}

// nameLeft takes account of a label that names a code. If a label that names something else is nearer, ruled words
// off, only a sure one counts, and less: the code to confirm your order: 123456.
func (r *relation) nameLeft(t *token, l *label, d distance, j joint, ruled int) {
	points := leftPoints(l.worth(), d, j)
	if l.kinds.has(kindSecret) && t.shape == shapeDigits {
		points += 0.5 // a password of digits alone is seldom one that somebody chose
	}
	if l.asked && !l.sure && j == byVerb && !d.stop && t.shape <= shapeGroups {
		points++ // enter these four digits on the screen: 1234
	}
	r.asked = r.asked || l.asked && d.words == 0 && t.shape <= shapeGroups && ruled < 0
	if ruled >= 0 {
		if !l.sure || d.stop || ruled == 0 && j == byNothing {
			return
		}
		points -= 2
		if ruled == 1 && j == byVerb && l.kinds.has(kindOTP) {
			points++ // the OTP for your card is 1234
		}
		r.other = max(r.other, -1)
	}
	r.better(points, l, "after")
}

// otherLeft is what a label of something else says about the number after it.
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
	case linked && d.words <= 24:
		return worth - 1 // amount, merchant, card, date and time between
	case d.words <= 15:
		return worth - 2.5
	}
	return 0
}

// relateRight looks at the labels after a token: 123456 is your code.
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
		case l.kinds.has(kindIntent) && d.words <= 2 && d.lines == 0 && p.lastsMinutes(l.end):
			r.cue, r.aside = true, r.aside+1.5 // 123456, valid for 10 minutes
		case l.kinds.has(kindDone) && d.words <= 1 && d.lines == 0:
			r.against(-4) // 123456 is no longer valid
			return
		case l.kinds.has(kindCue) && d.words <= 1 && p.cuesAfter(t, l):
			if t.place.cue || p.text[l.start] >= utf8.RuneSelf {
				r.aside++ // 123456 - use this to sign in
			}
			r.cue = true
			if d.words == 0 && p.endsSentence(l.end) {
				r.bid, r.aside = true, r.aside+0.5 // 123456 eingeben
			}
		case l.kinds.has(kindCue) && d.words <= 4 && !d.number && p.text[l.start] >= utf8.RuneSelf &&
			p.endsSentence(l.end):
			r.cue, r.aside = true, r.aside+1 // the verb comes last
		case l.kinds.has(kindThing) && r.bid && !r.purpose && d.words <= 3 && d.lines == 0:
			r.against(-4) // enter 1234 on the lock
		case l.kinds.has(kindOther):
			switch {
			case r.bid && !r.purpose && d.words <= 3 && d.lines == 0:
				r.against(-4) // use 123456 as the payment reference
			case d.words == 0 && d.lines == 0:
				r.against(-1.5)
			}
			return
		case l.kinds.any(positive) && p.isPlural(l):
			if d.words == 0 && d.lines == 0 {
				r.against(-5) // 120000 passwords
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

// lastsMinutes says whether a number of minutes follows at i, be it after a word.
func (p *page) lastsMinutes(i int) bool {
	rest := p.text[i:min(len(p.text), i+24)]
	n := bytes.IndexFunc(rest, isDigitRune)
	return n >= 0 && bytes.IndexByte(rest[:n], '\n') < 0 && isTime(rest[n:])
}

func isDigitRune(r rune) bool { return r >= '0' && r <= '9' }

// cuesAfter says whether a cue after a token may be about it: in some languages the verb ends the sentence (123456
// girin), in English the cue is about what follows.
func (p *page) cuesAfter(t *token, l *label) bool {
	return p.text[l.start] >= utf8.RuneSelf || p.beginsSentence(t.start) || p.endsSentence(l.end)
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

// rightPoints is what a label is worth from some distance after the token.
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

// owned says whether another token follows right after the label, or is said to be what it names.
func (p *page) owned(t *token, l *label) bool {
	o := p.tokenFrom(l.end)
	if o == nil || bytes.Equal(o.code, t.code) {
		return false
	}
	d := l.upTo.until(o.from)
	return d.lines == 0 && (o.start-l.end <= 8 || !d.stop && d.words <= 3 && o.place.joint == byVerb)
}

// isPlural says whether a label speaks of codes in general. Those of other languages than these are seldom written
// about.
func (p *page) isPlural(l *label) bool {
	end := l.end
	for end < len(p.text) && isLetter(p.text[end]) {
		end++
	}
	w := lastWord(p.text[:end])
	if len(w) < 4 || len(w) > 12 || lexicon.Lowered[w[len(w)-1]] != 's' {
		return false
	}
	var low [12]byte
	for i, c := range w {
		low[i] = lexicon.Lowered[c]
	}
	switch string(low[:len(w)]) {
	case "claves", "codes", "codigos", "contrasenas", "otps", "passcodes", "passwords", "pins", "senhas", "tokens":
		return true
	}
	return false
}
