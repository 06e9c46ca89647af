package record

import (
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/extract/ics"
)

// calendarsOf returns the events of calendars.
func calendarsOf(s *scene, texts []string) []Calendar {
	var found []Calendar
	for _, text := range texts {
		root := readICS(text)
		z := zones{}
		zonesOf(root, z)
		found = root.events(s, z, "", found)
	}
	return found
}

// events appends the events of a component and its parts.
func (c *component) events(s *scene, z zones, method string, found []Calendar) []Calendar {
	if m := strings.TrimSpace(c.prop("METHOD").Value); m != "" {
		method = strings.ToUpper(m)
	}
	for _, part := range c.parts {
		if len(found) >= maxFound {
			break
		}
		if part.name != "VEVENT" {
			found = part.events(s, z, method, found)
			continue
		}
		if e, ok := part.event(s, z, method); ok {
			found = append(found, e)
		}
	}
	return found
}

// event makes an entry of a VEVENT.
func (c *component) event(s *scene, z zones, method string) (e Calendar, ok bool) {
	e = Calendar{Source: FromICS, Confidence: 0.98, Method: method}
	e.Title, e.UID = c.text("SUMMARY"), strings.TrimSpace(c.prop("UID").Value)
	e.Location = c.text("LOCATION")
	if e.Location == "" {
		e.Location = either(c.text("CONFERENCE"), c.text("X-GOOGLE-CONFERENCE"),
			c.text("X-MICROSOFT-SKYPETEAMSMEETINGURL"))
	}
	e.Organizer = icsPerson(c.prop("ORGANIZER"))
	e.Attendees = c.attendees()
	if strings.EqualFold(strings.TrimSpace(c.prop("STATUS").Value), "CANCELLED") {
		e.Method = "CANCEL"
	}
	start, dated := icsMoment(c.prop("DTSTART"))
	dated = dated && start.year > 0
	if tzid := c.prop("DTSTART").Param("TZID"); dated && start.timed && start.zone == "" && tzid != "" {
		start.zone = z.name(tzid, start)
	}
	if dated {
		e.Date, e.Time, e.Timezone = start.date(), start.clock(), start.zone
		e.End = c.end(start, z)
		c.series(&e, s, start)
	}
	if replaced, ok := icsMoment(c.prop("RECURRENCE-ID")); ok {
		e.RecurrenceID = replaced.date()
	}
	switch {
	case !dated && e.Title == "" && e.UID == "":
		return e, false
	case !dated:
		e.Confidence = 0.6
	case e.Title == "" || e.UID == "":
		e.Confidence = 0.9
	}
	return e, true
}

// icsMoment reads a DATE or DATE-TIME. QUIRK: forms with dashes and with offsets are taken as well.
func icsMoment(p *ics.Property) (moment, bool) {
	return readISO(strings.TrimSpace(p.Value))
}

// end returns when an event ends: by DTEND, which of whole days is the day after the last, or by DURATION.
func (c *component) end(start moment, z zones) string {
	end, ok := icsMoment(c.prop("DTEND"))
	switch {
	case ok && end.timed:
		if tzid := c.prop("DTEND").Param("TZID"); end.zone == "" && tzid != "" {
			end.zone = z.name(tzid, end)
		}
	case ok:
		if end.time().After(start.time()) {
			end = end.at(end.time().AddDate(0, 0, -1))
		}
	default:
		span, ok := duration(c.prop("DURATION").Value)
		if !ok {
			return ""
		}
		if !start.timed {
			span = max(0, span-day24)
		}
		end = start.at(start.time().Add(span))
	}
	return start.until(end)
}

// duration reads P1DT2H30M (RFC 5545 3.3.6).
func duration(s string) (time.Duration, bool) {
	s = strings.TrimPrefix(strings.ToUpper(strings.TrimSpace(s)), "+")
	if len(s) < 3 || s[0] != 'P' {
		return 0, false
	}
	units := map[byte]time.Duration{'W': 7 * day24, 'D': day24, 'H': time.Hour, 'M': time.Minute, 'S': time.Second}
	var sum time.Duration
	for s = strings.TrimPrefix(s[1:], "T"); s != ""; s = strings.TrimPrefix(s, "T") {
		n, rest, ok := digits(s, 1, 6)
		if !ok || rest == "" || units[rest[0]] == 0 {
			return 0, false
		}
		sum, s = sum+time.Duration(n)*units[rest[0]], rest[1:]
	}
	return sum, sum < 100*366*day24
}

// series fills in how an event is repeated, and when next.
func (c *component) series(e *Calendar, s *scene, start moment) {
	e.Rule = strings.TrimSpace(c.prop("RRULE").Value)
	if s.mail.Date.IsZero() || e.Rule == "" && c.prop("RDATE").Value == "" {
		return
	}
	after := s.mail.Date.Truncate(day24)
	except := map[string]bool{}
	c.eachDate("EXDATE", func(m moment) { except[m.date()] = true })
	rule := readRule(e.Rule)
	next, ok := rule.next(start.time(), after, except)
	if e.Rule == "" {
		next, ok = start.time(), !start.time().Before(after)
	}
	c.eachDate("RDATE", func(m moment) {
		if t := m.time(); !t.Before(after) && (!ok || t.Before(next)) {
			next, ok = t, true
		}
	})
	if ok {
		e.Next = start.at(next).date()
	}
}

// eachDate yields the days of all properties of a name.
func (c *component) eachDate(name string, give func(moment)) {
	for i := range c.props {
		if c.props[i].Name != name {
			continue
		}
		for value := range strings.SplitSeq(c.props[i].Value, ",") {
			value, _, _ = strings.Cut(value, "/") // of a period the start
			if m, ok := icsMoment(&ics.Property{Value: value}); ok {
				give(m)
			}
		}
	}
}

// icsPerson reads an ORGANIZER or ATTENDEE.
func icsPerson(p *ics.Property) Person {
	address := strings.TrimSpace(p.Value)
	if len(address) > 7 && strings.EqualFold(address[:7], "mailto:") {
		address = strings.TrimSpace(address[7:])
	}
	if strings.EqualFold(address, "mailto:") || !strings.Contains(address, "@") {
		address = p.Param("EMAIL")
	}
	name := icsText(p.Param("CN"))
	if name == address {
		name = ""
	}
	return Person{Name: name, Address: address}
}

func (c *component) attendees() []Person {
	var list []Person
	for i := range c.props {
		if c.props[i].Name != "ATTENDEE" || len(list) >= maxPeople {
			continue
		}
		if p := icsPerson(&c.props[i]); p != (Person{}) {
			list = append(list, p)
		}
	}
	return list
}
