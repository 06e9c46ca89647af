package link

import "slices"

// invitations finds links to accept an invitation with, among those that are for nothing else: by their text, by their
// target, or else the first that fits, where the subject speaks of one.
func (f *finder) invitations() {
	subject := f.subjectMeans().Any(invite) && !f.subjectMeans().Any(alarm)
	met := false
	for i := range f.found {
		if l := &f.found[i]; l.Kind == Other && l.invites(subject) {
			l.Kind, met = Invitation, true
		}
	}
	if met || !subject || slices.ContainsFunc(f.found, func(l finding) bool { return l.Kind.acts() }) {
		return
	}
	for i := range f.found {
		l := &f.found[i]
		if l.Kind == Other && !l.own.Any(away|leave|alarm|decline) && !l.blank && (l.silent || l.own.Any(accepts)) &&
			(l.clue.url.secret || l.clue.url.keyed || l.clue.url.deep) {
			l.Kind = Invitation
			return
		}
	}
}

// accepts are words of links that follow an invitation.
const accepts = signUp | finish | verify | click

// invites tells whether a link says by itself that it is for an invitation. One to turn it down is none.
func (l *finding) invites(subject bool) bool {
	if l.own.Any(away | leave | alarm | decline) {
		return false
	}
	target := l.clue.url.means.Any(invite)
	if l.own.Any(invite) {
		return subject || target || l.clue.url.secret || l.clue.url.keyed
	}
	return target && (l.clue.url.secret || l.clue.url.keyed || subject) && (l.silent || l.own.Any(accepts))
}
