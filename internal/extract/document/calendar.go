package document

import (
	"strings"
	"time"
)

// property is a line of a calendar (RFC 5545) or of a card (RFC 6350): name;params:value.
type property struct{ name, params, value string }

// labels are the properties that are shown, and what they are called. The rest is for programs.
var labels = map[string]string{
	"SUMMARY": "Summary", "DTSTART": "Start", "DTEND": "End", "DUE": "Due", "DURATION": "Duration", "LOCATION": "Location",
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
	for line := range unfolded(s) {
		if d.out.full || !d.bud.Step() {
			return
		}
		p, ok := propertyOf(line)
		switch {
		case !ok:
		case p.name == "BEGIN":
			if len(inside) < 16 {
				inside = append(inside, strings.ToUpper(strings.TrimSpace(p.value)))
			}
			d.out.breaks = 2
		case p.name == "END":
			if len(inside) > 0 {
				inside = inside[:len(inside)-1]
			}
		case shown(inside):
			if p.name == "ATTENDEE" {
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

func (d *document) property(p property) {
	label := labels[p.name]
	if label == "" {
		return
	}
	value := p.value
	switch p.name {
	case "DTSTART", "DTEND", "DUE":
		value = moment(value, p.param("TZID"))
	case "ORGANIZER", "ATTENDEE":
		value = person(p.param("CN"), address(value))
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

// unfolded gives the lines of a calendar, each whole: what begins with a blank goes on with the line before it.
func unfolded(s string) func(func(string) bool) {
	return func(yield func(string) bool) {
		var b strings.Builder
		for line := range strings.Lines(s) {
			line = strings.TrimRight(line, "\r\n")
			if line != "" && (line[0] == ' ' || line[0] == '\t') {
				b.WriteString(line[1:])
				continue
			}
			if b.Len() > 0 && !yield(b.String()) {
				return
			}
			b.Reset()
			b.WriteString(line)
		}
		if b.Len() > 0 {
			yield(b.String())
		}
	}
}

// propertyOf parts a line. A colon in quotes belongs to a parameter.
func propertyOf(line string) (property, bool) {
	quoted := false
	for i := range len(line) {
		switch line[i] {
		case '"':
			quoted = !quoted
		case ':':
			if quoted {
				continue
			}
			name, params, _ := strings.Cut(line[:i], ";")
			if dot := strings.LastIndexByte(name, '.'); dot >= 0 {
				name = name[dot+1:] // of a group: item1.TEL
			}
			return property{strings.ToUpper(strings.TrimSpace(name)), params, line[i+1:]}, true
		}
	}
	return property{}, false
}

// param is the value of a parameter, without quotes.
func (p property) param(name string) string {
	for rest := p.params; rest != ""; {
		var one string
		end, quoted := 0, false
		for end < len(rest) && (quoted || rest[end] != ';') {
			if rest[end] == '"' {
				quoted = !quoted
			}
			end++
		}
		one, rest = rest[:end], strings.TrimPrefix(rest[end:], ";")
		if key, value, ok := strings.Cut(one, "="); ok && strings.EqualFold(strings.TrimSpace(key), name) {
			return strings.Trim(value, `" `)
		}
	}
	return ""
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
		{"20060102T150405Z", "2006-01-02 15:04 UTC"}, {"20060102T150405", "2006-01-02 15:04"}, {"20060102", "2006-01-02"},
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
