package document

import (
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/extract/ics"
)

// labels are the properties that are shown, and what they are called. The rest is for programs.
var labels = map[string]string{
	"SUMMARY": "Summary", "DTSTART": "Start", "DTEND": "End", "DUE": "Due", "DURATION": "Duration",
	"LOCATION":  "Location",
	"ORGANIZER": "Organizer", "ATTENDEE": "Attendee", "DESCRIPTION": "Description", "URL": "URL", "STATUS": "Status",
	"COMMENT": "Comment", "METHOD": "Method",
	"FN": "Name", "ORG": "Organization", "TITLE": "Title", "TEL": "Phone", "EMAIL": "Email", "ADR": "Address",
	"NOTE": "Note", "BDAY": "Birthday",
}

// maxAttendees bounds a long list of people.
const maxAttendees = 200

// calendar writes the readable properties of events and cards, one to a line.
func (d *document) calendar(s string) {
	var inside []string
	attendees := 0
	for p := range ics.Properties(s, len(s)) {
		if d.out.full || !d.bud.Step() {
			return
		}
		switch {
		case p.Name == "BEGIN":
			if len(inside) < 16 {
				inside = append(inside, strings.ToUpper(strings.TrimSpace(p.Value)))
			}
			d.out.breaks = 2
		case p.Name == "END":
			if len(inside) > 0 {
				inside = inside[:len(inside)-1]
			}
		case shown(inside):
			if p.Name == "ATTENDEE" {
				if attendees++; attendees > maxAttendees {
					continue
				}
			}
			d.property(p)
		}
	}
}

// shown says whether the properties of the innermost component are for people: rules of time zones and alarms are not.
func shown(inside []string) bool {
	for _, c := range inside {
		if c == "VTIMEZONE" || c == "VALARM" {
			return false
		}
	}
	return true
}

func (d *document) property(p ics.Property) {
	label := labels[p.Name]
	if label == "" {
		return
	}
	value := p.Value
	switch p.Name {
	case "DTSTART", "DTEND", "DUE":
		value = moment(value, p.Param("TZID"))
	case "ORGANIZER", "ATTENDEE":
		value = person(p.Param("CN"), address(value))
	case "ADR", "ORG":
		value = strings.Join(strings.FieldsFunc(unescaped(value), func(r rune) bool { return r == ';' }), ", ")
	default:
		value = unescaped(value)
	}
	if strings.TrimSpace(value) == "" {
		return
	}
	d.out.lineEnd()
	d.out.words(label + ": " + value)
	d.out.lineEnd()
}

// unescaped resolves the backslashes of a text.
func unescaped(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return s
	}
	return strings.NewReplacer(`\n`, "\n", `\N`, "\n", `\,`, ",", `\;`, ";", `\\`, `\`).Replace(s)
}

// address is what follows mailto.
func address(s string) string {
	if len(s) > 7 && strings.EqualFold(s[:7], "mailto:") {
		s = s[7:]
	}
	return strings.TrimSpace(s)
}

// moment writes a time as people do. What is no time stays as it is.
func moment(s, zone string) string {
	s = strings.TrimSpace(s)
	for _, f := range [...]struct{ from, to string }{
		{"20060102T150405Z", "2006-01-02 15:04 UTC"}, {"20060102T150405", "2006-01-02 15:04"},
		{"20060102", "2006-01-02"},
	} {
		if t, err := time.Parse(f.from, s); err == nil {
			s = t.Format(f.to)
			break
		}
	}
	if zone != "" {
		s += " " + zone
	}
	return s
}
