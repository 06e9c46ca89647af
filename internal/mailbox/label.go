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
)

// AutomaticLabels lists them in the order they are shown.
func AutomaticLabels() []string {
	return []string{LabelNewsletter, LabelNotification, LabelCode, LabelPersonal,
		LabelBounce, LabelAutoreply, LabelCalendar, LabelSuspicious}
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

// Relabel applies changes to a message's labels and returns them sorted, each once.
func Relabel(labels, add, remove []string) []string {
	out := slices.Concat(labels, add)
	out = slices.DeleteFunc(out, func(l string) bool { return slices.Contains(remove, l) })
	slices.Sort(out)
	return slices.Compact(out)
}

// Clip keeps what a caller sent from filling an answer.
func Clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
