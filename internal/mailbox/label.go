package mailbox

import (
	"slices"
	"strings"
)

// Automatic labels, set when a message arrives (API 5).
const (
	LabelNewsletter   = "newsletter"
	LabelNotification = "notification"
	LabelCode         = "code"
	LabelPersonal     = "personal"
	LabelBounce       = "bounce"
	LabelAutoreply    = "autoreply"
	LabelCalendar     = "calendar"
	LabelSuspicious   = "suspicious"
	LabelSpam         = "spam"        // by a scanner
	LabelVirus        = "virus"       // by a scanner
	LabelUnscanned    = "unscanned"   // a scanner could not be asked
	LabelBlocklisted  = "blocklisted" // a DNS block list has the client's address
)

// AutomaticLabels lists them in the order they are shown.
func AutomaticLabels() []string {
	return []string{LabelNewsletter, LabelNotification, LabelCode, LabelPersonal,
		LabelBounce, LabelAutoreply, LabelCalendar, LabelSuspicious,
		LabelSpam, LabelVirus, LabelUnscanned, LabelBlocklisted}
}

// OnceLabels are the automatic labels that record what was known when a message came and cannot be worked out again.
func OnceLabels() []string {
	return []string{LabelSuspicious, LabelSpam, LabelVirus, LabelUnscanned, LabelBlocklisted}
}

// ParseLabel returns a label in its one spelling, or says what is wrong with it.
func ParseLabel(field, s string) (string, error) {
	l := strings.ToLower(strings.TrimSpace(s))
	if !validLabel(l) {
		return "", InvalidField(field, "%q is not a label: use 1 to 32 of a-z, 0-9, _ and -, beginning with a letter "+
			"or digit.", Clip(s, 40))
	}
	return l, nil
}

func validLabel(l string) bool {
	if l == "" || len(l) > 32 || l[0] == '_' || l[0] == '-' {
		return false
	}
	return strings.Trim(l, "abcdefghijklmnopqrstuvwxyz0123456789_-") == ""
}

// A tag is a label of captured mail that has a spelling of its own: any case, spaces, dots. It is kept among the labels
// with a prefix that no label can have, so that neither is taken for the other, and with + for a space, which separates
// labels.
const (
	tagPrefix = "tag:"
	maxTag    = 100
)

// CleanTag returns a tag as it is kept: what is no letter, digit, dot, @, - or _ is a space. Empty: nothing is left.
func CleanTag(s string) string {
	s = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_.@", r) {
			return r
		}
		return ' '
	}, s)
	s = strings.Join(strings.Fields(s), " ")
	return strings.TrimSpace(s[:min(len(s), maxTag)])
}

// TagLabel is the label as which a tag is kept.
func TagLabel(tag string) string { return tagPrefix + strings.ReplaceAll(tag, " ", "+") }

// Tags are the tags among labels, sorted as these are.
func Tags(labels []string) (tags []string) {
	for _, l := range labels {
		if tag, ok := strings.CutPrefix(l, tagPrefix); ok {
			tags = append(tags, strings.ReplaceAll(tag, "+", " "))
		}
	}
	return tags
}

// Retag replaces the tags among labels.
func Retag(labels, tags []string) []string {
	out := slices.DeleteFunc(slices.Clone(labels), func(l string) bool { return strings.HasPrefix(l, tagPrefix) })
	for _, t := range tags {
		out = append(out, TagLabel(t))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Relabel applies changes to a message's labels and returns them sorted, each once.
func Relabel(labels, add, remove []string) []string {
	out := slices.Concat(labels, add)
	out = slices.DeleteFunc(out, func(l string) bool { return slices.Contains(remove, l) })
	slices.Sort(out)
	return slices.Compact(out)
}

// Clip shortens a text that a caller sent, so that it does not fill an error message.
func Clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
