package link

import "github.com/mailkin/mailkin/internal/lexicon"

// settle is what words mean together. Other is: nothing that is known.
func settle(s lexicon.Set) Kind {
	switch {
	case s.Any(leave):
		return Unsubscribe
	case s.Has(password | reset), s.Has(recovers | account):
		return Reset
	case s.Any(magic):
		return SignIn
	case s.Has(verify | email):
		return Verify
	case s.Any(business):
		return Other
	case s.Has(verify) && s.Any(account|signUp|list|signIn), s.Has(finish | signUp):
		return Verify
	case s.Any(signIn):
		return SignIn
	}
	return Other
}

// acts tells of the kinds that a mail is sent for.
func (k Kind) acts() bool { return k == Verify || k == SignIn || k == Reset }

// vague tells whether a link's own text leaves open what it is for.
func vague(own lexicon.Set) bool {
	return own&^(click|verify|finish|reset|password|email|account|signIn) == 0
}

// clue is all that is known of one link.
type clue struct {
	own     lexicon.Set // of its text; none for a bare address
	silent  bool        // there is no text, or it is an address
	blank   bool        // there is no text
	url     evidence
	subject lexicon.Set
}

// worded tells whether a link has a text that says something, but nothing of the kind.
func (c clue) worded() bool {
	return !c.silent && !c.own.Any(click|verify|finish|reset|signIn)
}

// carries tells whether a link has a secret, or seems to have a short one and shows no more than its address or "click
// here".
func (c clue) carries() bool { return c.url.secret || c.url.keyed && !c.worded() && !c.blank }

// plain is the kind that a link itself tells, by its text or its target; false if it does not.
func (c clue) plain() (Kind, bool) {
	k := settle(c.own)
	if k != Other && (k != SignIn || c.signsIn(c.own)) {
		return k, true
	}
	k = settle(c.url.means)
	speaks := c.url.secret || !c.worded() // else it may be a page about the matter
	switch {
	case k == Unsubscribe, k == Reset && speaks, k == Verify && speaks, c.url.means.Any(magic) && speaks:
		return k, true
	case c.own.Any(business|away) && !c.own.Any(click):
		return Other, true
	}
	return Other, false
}

// signsIn tells whether a link that speaks of signing in is one that does it.
func (c clue) signsIn(words lexicon.Set) bool {
	return (words | c.subject).Any(magic) || c.url.named || c.url.means.Any(magic) ||
		c.url.secret && (c.url.means.Any(signIn) || c.subject.Any(signIn) && !c.subject.Any(alarm|business))
}

// told is the kind that the sentences around a link tell, for one whose own text does not; false if that is not more
// than a guess.
func (c clue) told(n nearby) (k Kind, sure bool) {
	switch {
	case n.own.Any(alarm):
		return Other, true
	case n.own.Any(leave):
		return Unsubscribe, true
	case c.own.Any(signIn): // but plain did not find that it does it
		if c.signsIn(n.own) {
			return SignIn, true
		}
		return Other, true
	}
	if k := c.toldBy(n.own, n.label && c.url.deep); k != Other && c.leads(n) {
		return k, true
	}
	if k := c.weak(n.own); k == Verify {
		return k, true
	}
	if c.carries() {
		for s := range n.before() {
			if k = c.toldBy(s, false); k.acts() && !s.Any(alarm|ignore) {
				return k, n.empty || n.own.Any(click) || c.own.Any(click) && !n.own.Any(away|business)
			}
		}
	}
	k = c.weak(n.own)
	return k, k != Other
}

// toldBy is the kind that a sentence tells of a link. Where it asks to click on what carries a secret, or is no more
// than the link's label, one word is enough.
func (c clue) toldBy(sentence lexicon.Set, label bool) Kind {
	k := settle(sentence | c.own)
	asks := label || c.carries() && (sentence|c.own).Any(click) && !c.worded()
	switch {
	case k == SignIn && !sentence.Any(magic):
		if about := settle(c.subject); about == Verify || about == Reset {
			return about // and then one is signed in
		}
		if !sentence.Any(click) || !c.signsIn(sentence) {
			return Other
		}
	case k != Other || sentence.Any(business):
	case asks && sentence.Any(password):
		return Reset
	case asks && sentence.Any(verify):
		return Verify
	}
	return k
}

// leads tells whether a link is what its sentence speaks of, and not a front page that is mentioned in it.
func (c clue) leads(n nearby) bool {
	return c.url.secret || c.url.deep || n.label || (n.own | c.own).Any(click)
}

// weak is the kind that a single word of the target, or of the link, hints at where it carries a secret.
func (c clue) weak(sentence lexicon.Set) Kind {
	s := c.url.means | c.own
	switch {
	case !c.url.secret || (s | sentence | c.subject).Any(business):
		return Other
	case s.Any(verify):
		return Verify
	case s.Any(signIn) && c.signsIn(s):
		return SignIn
	}
	return Other
}
