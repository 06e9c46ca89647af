package report

import (
	"math/bits"
	"sync"

	"github.com/mailkin/mailkin/internal/lexicon"
)

// What the words that mail systems write can mean here.
const (
	daemonName    lexicon.Set = 1 << iota // is in the From field of mail systems
	bounceSubject                         // begins the subject of a report
	daemonSubject                         // is somewhere in the subject of what a mail system writes
	bounceText                            // is in the text of a report
	rejectedText                          // is in the text of a receipt that is a refusal
	delaySubject                          // is in the subject of a report about a delay
	delayText                             // is in its text
	autoPhrase                            // begins the subject of an automatic answer, or stands in it before a colon
	autoSubject                           // begins such a subject
	awayText                              // is in the text of somebody who is away
	headLine                              // begins the header of an original message without further announcement
	separator                             // is in a line that announces the original message
	otherLine                             // begins a line whose addresses are not recipients
	firstReason                           // the first of reasons; the others follow
)

// reason is a group of ways to say why.
type reason struct {
	list   string // its name in the word files
	status string // what RFC 3463 has for it
	hard   bool
	weak   bool // hard only where it is the recipient that was refused
	unless bool // hard unless the status says that the mailbox exists
}

// reasons are in the order in which they are believed: the first one found decides. What is in one mail is often worded
// like two of them: a full mailbox is "unavailable", and an unknown user's rejection mentions spam.
var reasons = [...]reason{
	// A group that may not exist or may not be open: its system does not say which.
	{list: "group", status: "5.7.2"},
	// Full: it may be emptied.
	{list: "full", status: "5.2.2"},
	// Disabled: its owner may come back to it. What is closed for good says so, and is in noUser.
	{list: "disabled", status: "5.2.1"},
	// The sender: what is "not found" in these is not the recipient.
	{list: "sender", status: "5.1.8"},
	{list: "moved", status: "5.1.6", hard: true},
	// No such user, in words that mean nothing else.
	{list: "noUser", status: "5.1.1", hard: true},
	// No such domain, or one that takes no mail.
	{list: "noDomain", status: "5.1.2", hard: true},
	// No such user: hard wherever it is said.
	{list: "unknownUser", status: "5.1.1", hard: true, unless: true},
	// No such user, in words that are also said for other reasons.
	{list: "unavailable", status: "5.1.1", hard: true, weak: true},
	// The message, the way, and the rest.
	{list: "tooLarge", status: "5.3.4"},
	{list: "loop", status: "5.4.6"},
	{list: "expired", status: "4.4.7"},
	{list: "unreachable", status: "4.4.1"},
	{list: "refused", status: "5.7.1"},
}

// phrases is the table of all words. It is made at the first use.
var phrases = sync.OnceValue(func() *lexicon.Table {
	s := lexicon.Section{Name: "report", Means: map[string]lexicon.Set{
		"daemon": daemonName, "subject": bounceSubject, "daemonSubject": daemonSubject, "bounce": bounceText,
		"rejected": rejectedText, "delaySubject": delaySubject, "delay": delayText, "auto": autoPhrase,
		"autoSubject": autoSubject,
		"away":        awayText, "headLine": headLine, "separator": separator, "otherLine": otherLine,
	}}
	for i, r := range reasons {
		s.Means[r.list] = firstReason << i
	}
	return s.Compile()
})

// has tells whether words that mean something are in a text.
func has(text string, means lexicon.Set) bool { return phrases().In(text).Any(means) }

// begins tells whether a text begins with such words.
func begins(text string, means lexicon.Set) bool { return phrases().AtStart(text).Any(means) }

// reasonIn is the reason that a text gives; ok is false if it gives none.
func reasonIn(text string) (r reason, ok bool) {
	found := phrases().In(text) / firstReason
	if found == 0 {
		return r, false
	}
	return reasons[bits.TrailingZeros64(uint64(found))], true
}
