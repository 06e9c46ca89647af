// Package link finds the links of a mail and what each is for.
//
// A mail is read as a reader meets it: first its HTML, as far as it is shown, then its text. Links are anchors, and
// addresses that stand in the text; only http and https. Each target is listed once, as it is written: tracking
// wrappers are not followed, nor taken apart. What a sender has hidden with a style of the element itself (display:none
// and the like) is not listed, because no reader can click it, and what waits there is for machines: traps, and links
// that are to be taken for others.
//
// What a link is for is decided by what says it most plainly, in this order:
//
//  1. List-Unsubscribe names the target, or the link's own text says it ("Reset password").
//  2. The target's path or parameters say it ("/verify-email?token=…").
//  3. The sentence that the link stands in, or the ones before it, say it. They count only where the link's own text
//     says nothing ("click here", "continue", a bare address).
//  4. If no link of the mail is found to be one that verifies, signs in or resets: the subject says it. Then the first
//     link that fits is it.
//
// What is for nothing else may be a link to accept an invitation with: its text or its target says so, or the subject
// does and it is the first that fits.
//
// Words are those of package lexicon, in some sixty languages. A link is not taken for one that signs in
// because it says "log in": it must carry a secret, or the mail must speak of a sign-in link. Links to choose the first
// password or to regain an account are password resets; links to confirm a subscription or to unlock an account are
// verifications; those to settings of mail are not for unsubscribing unless they say so.
//
// A link is a mismatch if its visible text names a domain and the target belongs to another: registrable domains are
// compared, so that www.example.com and login.example.com are the same, and example.com.evil.test is not; so are short
// domains that organizations have, and gateways that wrap links are seen through. Services that count clicks are no
// mismatch in the mail of a list. What a
// browser would go to counts (user names before an @, escapes and punycode are seen through), and what a reader would
// see: invisible characters do not part a name, and letters that look like Latin ones are read as them.
//
// Find takes time in proportion to the mail's size. Nothing here keeps state, but for memory to use again.
package link

import (
	"slices"
	"strings"

	"github.com/mailkin/mailkin/internal/view"
)

// Kind is what a link is for.
type Kind string

// The kinds.
const (
	Verify      Kind = "verification"
	SignIn      Kind = "sign_in"
	Reset       Kind = "password_reset"
	Invitation  Kind = "invitation"
	Unsubscribe Kind = "unsubscribe"
	Other       Kind = "other"
)

// Mail is what is looked at.
type Mail struct {
	Subject     string
	Text        string     // the body as text; empty where it was made from HTML
	View        *view.View // the HTML, nil if there is none
	Unsubscribe string     // the value of List-Unsubscribe, empty if there is none

	// Alternative says that Text and View are two forms of one body. Mail programs show the HTML, so where that has
	// links, those that only Text has are not listed.
	Alternative bool
}

// Link is one target.
type Link struct {
	URL      string // the real target, as written
	Text     string // what a reader sees: the anchor's text, the image's, or the URL where it stands by itself
	Kind     Kind
	Mismatch bool // the visible text names another domain than the target
}

const (
	maxLinks = 200
	maxText  = 200   // runes
	maxURL   = 8_192 // bytes; longer ones are not listed
	// maxSpans bounds how often links are looked at that were listed before.
	maxSpans = 1_000
)

// Find lists the links, in the order a reader meets them, each URL once, at most 200. If the body has none to
// unsubscribe with, the one of List-Unsubscribe is the last.
func Find(m Mail) []Link {
	r := takeRoom()
	defer r.give()
	f := r.find(m)
	if len(f.header) > 0 && !f.has(Unsubscribe) && len(f.found) < maxLinks {
		if _, ok := f.index[f.header[0]]; !ok {
			f.found = append(f.found, finding{Link: Link{URL: f.header[0], Text: clip(f.header[0]), Kind: Unsubscribe}})
		}
	}
	return f.links()
}

// Signs is what the links of a mail tell of it.
type Signs struct {
	Acts     bool     // one is to verify, to sign in or to reset with
	Mismatch bool     // one is a mismatch
	Shown    []string // the domains that such name, a few of them
	Tracked  []string // the same of links that lead to those who count a list's clicks, and are none
}

// Glance tells what Find would show of the signs, without making a list.
func Glance(m Mail) (s Signs) {
	r := takeRoom()
	defer r.give()
	for i := range r.find(m).found {
		l := &r.finder.found[i]
		s.Acts = s.Acts || l.Kind.acts()
		s.Mismatch = s.Mismatch || l.Mismatch
		const few = 8
		switch {
		case l.Mismatch && len(s.Shown) < few:
			s.Shown = append(s.Shown, l.shows)
		case !l.Mismatch && l.shows != "" && len(s.Tracked) < few:
			s.Tracked = append(s.Tracked, l.shows)
		}
	}
	return s
}

// Any tells whether there is one, cheaply.
func Any(m Mail) bool {
	if len(readText(nil, m.Text, 1).spans) > 0 || len(headerURLs(m.Unsubscribe)) > 0 {
		return true
	}
	r := takeRoom()
	defer r.give()
	return m.View != nil && len(r.readView(m.View, 1).spans) > 0
}

// headerURLs reads the addresses of List-Unsubscribe that are links (RFC 2369 3.2): in angle brackets, parted by
// commas.
func headerURLs(value string) []string {
	var urls []string
	for len(urls) < 4 {
		_, rest, ok := strings.Cut(value, "<")
		if !ok {
			break
		}
		inside, after, ok := strings.Cut(rest, ">")
		if !ok {
			break
		}
		value = after
		if u, ok := target(strings.Join(strings.Fields(inside), "")); ok {
			urls = append(urls, u)
		}
	}
	return urls
}

// Differ tells whether the two forms of a body have different links to verify, sign in or reset with.
func Differ(m Mail) bool {
	if !m.Alternative || m.View == nil || m.Text == "" {
		return false
	}
	shown, plain := Find(Mail{Subject: m.Subject, View: m.View}), Find(Mail{Subject: m.Subject, Text: m.Text})
	at := slices.IndexFunc(shown, func(l Link) bool { return l.Kind.acts() })
	return at >= 0 && slices.ContainsFunc(plain, func(l Link) bool {
		return l.Kind == shown[at].Kind && !slices.ContainsFunc(shown, func(s Link) bool { return s.URL == l.URL })
	})
}
