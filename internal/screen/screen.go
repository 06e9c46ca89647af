// Package screen says how far a mail can be trusted, and whether it tries to give orders to a model that reads it.
//
// [Judge] weighs who a mail says it is from against what is known: the result of sender authentication, the domains of
// those the mailbox knows, where an answer would go, what is attached. Its rules are one table in trust.go, and each
// that applies gives a sentence for people.
//
// [Screen] looks for instructions to a model. A mail has more layers than a reader sees, and each is read by itself:
//
//	subject, sender name, attachment names ─┐
//	text ───────────────────────────────────┼─► sentences ─► meanings ─► rules ─► findings ─► verdict
//	HTML ─► shown, hidden, comments, ───────┤
//	        attributes                      ├─► role tags, tool calls, images that carry data away
//	encoded and unseen characters, decoded ─┘
//
// Each sentence is looked up in one table of word stems of some forty languages, and returns a set of meanings such as
// "set aside" and "what was said before". A rule (rules.go) names meanings that together, in one sentence, are an
// instruction to a model, and how many points that is worth. A heading such as "Note to AI agents:" or "[SYSTEM]" tells
// who speaks to whom (heading.go), and the name of a model is joined with the order that follows it (ask.go).
//
// Some orders are none that an agent takes from mail, whoever is asked: to send mail, codes or files to somebody who
// has no part in the mail, to change bank details, to approve, to delete, to give credentials to a page. These count
// unless the sender is known and authenticated. A task that has nothing to do with the mail around it is a finding, too
// (stray.go).
//
// What people say to each other is excused (people.go). Hidden text is normal in mail, and so is encoded text: neither
// is a finding, an instruction in them is, and counts double. A code, a link to act with or a sum that nobody sees and
// that differs from what the mail shows is a finding, too (hiddenvalue.go). Letters that only look like others are read
// as what they look like. Text that speaks about such instructions and quotes them is no finding (example.go).
//
// Two points make a mail flagged, four dangerous. A verdict is advice to anyone who shows the mail to a model. It never
// keeps a mail from being delivered, and clean is no promise: an order that is worded like any other mail looks like
// it.
//
// [ScreenFile] does the same with the text of an attachment or of a calendar.
//
// All of them take time in proportion to the mail's size, look at no more than the first and the last half megabyte
// of each layer, and keep nothing.
package screen

import (
	"strings"
	"sync/atomic"

	"github.com/mailkin/mailkin/internal/view"
)

// Auth is what sender authentication found: each "pass", "fail", "softfail", "neutral", "none", "temperror",
// "permerror".
type Auth struct {
	SPF, DKIM, DMARC, ARC string
	FromAligned           bool // what passed is for the domain of From
	Checked               bool // false: nothing was checked
}

// Mail is what is looked at.
type Mail struct {
	From, FromName string
	NoAuthor       bool     // From is missing, or names nobody
	SeveralAuthors bool     // From names several, of whom From above is one
	ReplyTo        []string // addresses
	Subject        string
	Text           string
	View           *view.View               // the HTML, nil if there is none
	Header         func(name string) string // first value of a header field; may be nil
	Auth           Auth
	Policy         string   // what the domain of From asks for where DMARC fails: "", none, quarantine, reject
	EnvelopeFrom   string   // the return path; empty: none, or not known
	Mismatched     bool     // a link's visible text names another domain than its target
	Shown          []string // the domains that such links name; nil: not known
	Tracked        []string // the domains that links name which lead to services that count clicks
	Known          bool     // this mailbox has had mail from this address before
	Correspondents []string // domains this mailbox has mail from, for look-alikes; may be nil
	Attachments    []string // file names
	Parties        []string // addresses of those the mail is to, besides From and ReplyTo
	Names          []string // of others that the header names: recipients, and who answers go to

	words *atomic.Uint64 // what the text speaks of, for all copies; nil: each judgement looks for itself
}

// Shared returns a mail of which several copies are judged, also at once: what its text speaks of is looked for
// once.
func (m Mail) Shared() Mail {
	m.words = new(atomic.Uint64)
	return m
}

// File is the text of an attachment.
type File struct {
	Text     string
	Calendar bool // it is one
}

// Verdict is how a mail looks to anyone who is about to show it to a model.
type Verdict string

// The verdicts.
const (
	Clean     Verdict = "clean"
	Flagged   Verdict = "flagged"   // something in it is worded as an instruction to a model
	Dangerous Verdict = "dangerous" // it is hidden or disguised, or asks in several ways
)

// Finding is one instruction, or one form in which models are spoken to.
type Finding struct {
	Rule    string
	Layer   string // where: one of the layers below
	Excerpt string // at most 120 runes, printable
}

// The layers of a mail.
const (
	layerSubject    = "subject"
	layerSender     = "sender name"
	layerName       = "recipient name"
	layerAttachment = "attachment name"
	layerFile       = "attachment text"
	layerCalendar   = "calendar"
	layerText       = "text"
	layerHTML       = "html"      // what HTML shows
	layerHidden     = "hidden"    // what CSS hides
	layerComment    = "comment"   // <!-- … -->
	layerAttribute  = "attribute" // alt, title, data-…
	layerEncoded    = "encoded"   // base64, hexadecimal, escapes, rot13, backwards
	layerUnseen     = "unseen"    // spelled by characters that take no room
	layerDisguised  = "disguised" // look-alikes, letters set apart
)

// Screening is what Screen found. A clean mail has no findings.
type Screening struct {
	Verdict  Verdict
	Findings []Finding
}

const (
	maxFindings = 20
	// MaxParties is how many people of each list of addresses are looked at.
	MaxParties = 100
	maxExcerpt = 120 // runes
	maxLayer   = 1 << 20

	flaggedFrom   = 2 // points
	dangerousFrom = 4
)

// Screen looks for instructions to a model.
func Screen(m Mail) Screening {
	r := reader{words: texts(), mail: &m}
	r.read(layerSubject, m.Subject)
	r.read(layerSender, m.FromName)
	for _, name := range m.Names[:min(len(m.Names), maxFindings)] {
		r.read(layerName, name)
	}
	for _, name := range m.Attachments[:min(len(m.Attachments), maxFindings)] {
		r.read(layerAttachment, asWords(name))
	}
	r.read(layerText, clip(m.Text))
	if m.View != nil {
		l := layersOf(m.View)
		r.read(layerHTML, clip(l.shown.String()))
		r.read(layerHidden, clip(l.hidden.String()))
		r.read(layerComment, clip(l.comments.String()))
		r.read(layerAttribute, clip(l.attributes.String()))
		r.hiddenValues(&m)
	}
	return r.screening()
}

// ScreenFile looks for instructions to a model in the text of an attachment of a mail. It is judged by itself: what the
// mail says about attacks excuses nothing in its attachments.
func ScreenFile(m Mail, f File) Screening {
	r := reader{words: texts(), mail: &m}
	if f.Calendar {
		r.read(layerCalendar, withoutLabels(clip(f.Text)))
	} else {
		r.read(layerFile, clip(f.Text))
	}
	return r.screening()
}

// withoutLabels is the text of a calendar without the names of its properties, each of which is a paragraph.
func withoutLabels(text string) string {
	var b strings.Builder
	b.Grow(len(text) + len(text)/8)
	for line := range strings.Lines(text) {
		if label, value, ok := strings.Cut(line, ": "); ok && wordEnd(label, 0) == len(label) {
			b.WriteByte('\n')
			line = value
		}
		b.WriteString(line)
	}
	return b.String()
}

// clip keeps the beginning and the end of what is too long.
func clip(s string) string {
	if len(s) <= maxLayer {
		return s
	}
	return s[:maxLayer/2] + "\n\n" + s[len(s)-maxLayer/2:]
}

// asWords is a file name with spaces between its words.
func asWords(name string) string {
	return strings.Map(func(c rune) rune {
		if c == '_' || c == '-' || c == '.' || c == '+' {
			return ' '
		}
		return c
	}, name)
}
