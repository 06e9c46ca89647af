// Package label decides the automatic labels of a mail, from one table of rules.
//
// Each rule of the table in rules.go gives one label, and has a name and a test. Several labels may apply; how they go
// together is said here and nowhere else:
//
//   - A mail is a bounce, or an automatic reply, or neither. Those are answers by machines, and are not called
//     newsletter or notification as well, though most of them carry the marks of both.
//   - A newsletter is what was sent to many: discussion lists too. Marks of bulk sending alone (Precedence, campaigns,
//     "unsubscribe" at the end) do not make one of a mail with a code or with a link to verify, sign in or reset; with
//     a code it takes a list's own marks (List-Id, List-Post).
//   - A notification is what a program sent to one. Its weaker marks (a sender that takes no answers, the marks of a
//     sending service) are those of newsletters too, so they count only for what is not one; the stronger ones, such as
//     X-GitHub-Reason or a notice of shipping, count next to it.
//   - A code mail is labelled code, and notification only where a rule says so: most come from senders that take no
//     answers. A mail with a link to verify, sign in or reset is always a notification.
//   - Advertising is a newsletter, with the marks of a list or without: several of its phrases, from a sender that is
//     no person.
//   - Machines are known by their names (trackers, feeds, faxes, monitors) and by the subjects that they write.
//   - Calendar goes with everything.
//   - Personal is what no rule has found. Whether a mail is suspicious is decided elsewhere.
//
// Traps that the rules know: most bounces say "Auto-Submitted: auto-replied", and few of them are automatic replies
// (RFC 3834); Exchange sends automatic replies as auto-generated; the null sender is that of bounces and of automatic
// replies (RFC 5321 4.5.5, RFC 3834 3.3); vacation programs say "Precedence: bulk"; reports of successful delivery, of
// complaints (RFC 5965) and of reading (RFC 8098) have the form of bounces (RFC 6522).
package label

import (
	"slices"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// Mail is what is looked at.
type Mail struct {
	From          string // address of the From header
	Name          string // the name that goes with it
	EnvelopeFrom  string // empty for the null sender
	Subject, Text string
	Fields        []mailbox.Field // the header; looking it up here costs less than to ask Header
	// first value of a header field, empty if there is none; asked where Fields is nil
	Header func(name string) string
	Types  []string // media types of the message's parts, the top-level one first
	Code   bool     // the mail has a verification code
	Links  bool     // it has a verification, sign-in or reset link
}

// Of returns the labels, sorted.
func Of(m Mail) []string {
	v := newView(m)
	var labels []string
	for _, step := range steps {
		if step.unless != nil && step.unless(labels) {
			continue
		}
		if anyRule(step.rules, v) {
			labels = append(labels, step.label)
			v.newsletter = v.newsletter || step.label == mailbox.LabelNewsletter
		}
	}
	if len(labels) == 0 {
		return []string{mailbox.LabelPersonal}
	}
	slices.Sort(labels)
	return labels
}

// step is a label with its rules. Steps are taken in order, because some labels exclude others.
type step struct {
	label  string
	unless func(labels []string) bool // given those that apply so far
	rules  []rule
}

func answered(labels []string) bool {
	return slices.Contains(labels, mailbox.LabelBounce) || slices.Contains(labels, mailbox.LabelAutoreply)
}

var steps = []step{
	{label: mailbox.LabelBounce, rules: bounceRules},
	{label: mailbox.LabelAutoreply, rules: autoreplyRules, unless: answered},
	{label: mailbox.LabelNewsletter, rules: newsletterRules, unless: answered},
	{label: mailbox.LabelNotification, rules: notificationRules, unless: answered},
	{label: mailbox.LabelCode, rules: codeRules},
	{label: mailbox.LabelCalendar, rules: calendarRules},
}

func anyRule(rules []rule, v *view) bool {
	for i := range rules {
		if rules[i].when(v) {
			return true
		}
	}
	return false
}
