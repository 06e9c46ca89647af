package search

import (
	"strconv"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// operators are the names that mean something before a colon, and what they are called inside.
var operators = map[string]string{
	"from": "from", "to": "to", "cc": "to", "bcc": "to", "subject": "subject", "body": "body", "filename": "filename",
	"filetext": "filetext", "label": "label", "has": "has", "before": "before", "older_than": "before",
	"after": "after",
	"since": "after", "newer_than": "after", "is": "is", "in": "in",
}

// textFields are where an operator, as it was typed, looks for words. It is false for one that does not.
func textFields(operator string) (Mask, bool) {
	if operator == inAll {
		return AllFields, true
	}
	name := operators[strings.ToLower(operator)]
	for f := Subject; int(f) < Fields; f++ {
		if name == f.String() {
			return f.Mask(), true
		}
	}
	return AllFields, false
}

// parseFilter reads the value of an operator that is not about words.
func parseFilter(operator, value string, now time.Time) (Filter, bool) {
	value = strings.ToLower(strings.TrimSpace(value))
	switch operators[strings.ToLower(operator)] {
	case "label":
		label, err := mailbox.ParseLabel("label", value)
		return Filter{Kind: Label, Value: label}, err == nil
	case "has":
		return parseHas(value)
	case "before":
		t, ok := parseTime(value, now)
		return Filter{Kind: Before, Time: t}, ok
	case "after":
		t, ok := parseTime(value, now)
		return Filter{Kind: After, Time: t}, ok
	case "is":
		return Filter{Kind: Seen, Yes: value == "seen" || value == "read"},
			value == "seen" || value == "read" || value == "unseen" || value == "unread"
	case "in":
		return Filter{Kind: Direction, Yes: value == "sent" || value == "outbound"},
			value == "sent" || value == "outbound" || value == "inbox" || value == "inbound"
	}
	return Filter{}, false
}

func parseHas(value string) (Filter, bool) {
	for _, what := range []string{HasAttachment, HasCode, HasLink} {
		if value == what || value == what+"s" {
			return Filter{Kind: Has, Value: what}, true
		}
	}
	return Filter{}, false
}

// parseTime reads a day, a time, or how long ago it was.
func parseTime(value string, now time.Time) (time.Time, bool) {
	for _, layout := range []string{time.DateOnly, "2006/01/02", "2006/1/2", "2006-1-2", time.RFC3339Nano} {
		if t, err := time.Parse(layout, strings.ToUpper(value)); err == nil {
			return t.UTC(), true
		}
	}
	today := now.UTC().Truncate(24 * time.Hour)
	switch value {
	case "today":
		return today, true
	case "yesterday":
		return today.AddDate(0, 0, -1), true
	}
	return ago(value, now.UTC())
}

// ago reads 12h, 7d, 2w, 3m and 1y.
func ago(value string, now time.Time) (time.Time, bool) {
	if len(value) < 2 || len(value) > 5 {
		return time.Time{}, false
	}
	n, err := strconv.ParseUint(value[:len(value)-1], 10, 16)
	if err != nil {
		return time.Time{}, false
	}
	count := int(n)
	switch value[len(value)-1] {
	case 'h':
		return now.Add(-time.Duration(count) * time.Hour), true
	case 'd':
		return now.AddDate(0, 0, -count), true
	case 'w':
		return now.AddDate(0, 0, -7*count), true
	case 'm':
		return now.AddDate(0, -count, 0), true
	case 'y':
		return now.AddDate(-count, 0, 0), true
	}
	return time.Time{}, false
}
