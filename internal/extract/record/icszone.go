package record

import (
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/extract/ics"
)

// zones are the time zones of a calendar, by TZID.
type zones map[string]*component

// zonesOf collects the VTIMEZONEs, which may stand before or after what uses them.
func zonesOf(c *component, z zones) {
	for _, part := range c.parts {
		if part.name == "VTIMEZONE" {
			if id := part.prop("TZID").Value; z[id] == nil {
				z[id] = part
			}
			continue
		}
		zonesOf(part, z)
	}
}

// name returns the zone of a TZID at a moment: a name that everybody knows, else the offset by the rules of the
// calendar, else by the name itself, else the name as it is.
func (z zones) name(tzid string, at moment) string {
	if name := ianaName(tzid); name != "" {
		return name
	}
	c := z[tzid]
	if c != nil {
		for _, known := range []string{"X-LIC-LOCATION", "X-MICROSOFT-CDO-TZID", "TZID-ALIAS-OF", "X-TZINFO"} {
			if name := ianaName(c.prop(known).Value); name != "" {
				return name
			}
		}
		if offset, ok := c.offset(at); ok {
			return offsetName(offset)
		}
	}
	if open := strings.IndexByte(tzid, '('); open >= 0 { // (UTC-03:00) Brasília
		if inside, rest, ok := strings.Cut(tzid[open+1:], ")"); ok {
			return either(ianaName(strings.TrimSpace(rest)), readOffset(inside), tzid)
		}
	}
	return either(readOffset(tzid), tzid)
}

// maxChanges is how many rules of a zone are looked at. Zones that list every change by itself have a few dozen.
const maxChanges = 200

// offset returns how many minutes before UTC a zone is at a moment on its clocks, by the last change before it.
func (c *component) offset(at moment) (minutes int, ok bool) {
	var last time.Time
	first, firstAt := 0, time.Time{}
	for _, part := range c.parts[:min(len(c.parts), maxChanges)] {
		to, valid := offsetMinutes(part.prop("TZOFFSETTO").Value)
		start, dated := icsMoment(part.prop("DTSTART"))
		if !valid || !dated {
			continue
		}
		if change, changed := part.changeBefore(start, at.time()); changed && (!ok || change.After(last)) {
			minutes, last, ok = to, change, true
		}
		if firstAt.IsZero() || start.time().Before(firstAt) {
			firstAt = start.time()
			if first, valid = offsetMinutes(part.prop("TZOFFSETFROM").Value); !valid {
				first = to
			}
		}
	}
	if !ok && !firstAt.IsZero() { // before all changes
		return first, true
	}
	return minutes, ok
}

// changeBefore returns the last time before t at which the part of a zone began to hold.
func (c *component) changeBefore(start moment, t time.Time) (last time.Time, ok bool) {
	if start.time().After(t) {
		return last, false
	}
	last = start.time()
	if rule := c.prop("RRULE").Value; rule != "" {
		r := readRule(rule)
		for year := t.Year() - 1; year <= t.Year(); year++ {
			from := start.time()
			from = time.Date(max(year, from.Year()), from.Month(), from.Day(), from.Hour(), from.Minute(),
				from.Second(), 0, time.UTC)
			for _, change := range r.inYear(from) {
				if !change.After(t) && !change.Before(start.time()) && (r.until.IsZero() || !change.After(r.until)) &&
					change.After(last) {
					last = change
				}
			}
		}
	}
	for i := range c.props {
		if c.props[i].Name != "RDATE" {
			continue
		}
		for value := range strings.SplitSeq(c.props[i].Value, ",") {
			if m, ok := icsMoment(&ics.Property{Value: value}); ok && !m.time().After(t) && m.time().After(last) {
				last = m.time()
			}
		}
	}
	return last, true
}

// offsetMinutes reads +0100 or -053000.
func offsetMinutes(s string) (int, bool) {
	s = strings.TrimSpace(s)
	if len(s) < 5 || s[0] != '+' && s[0] != '-' {
		return 0, false
	}
	h, rest, ok1 := digits(s[1:], 2, 2)
	m, _, ok2 := digits(strings.TrimPrefix(rest, ":"), 2, 2)
	if !ok1 || !ok2 || h > 15 || m > 59 {
		return 0, false
	}
	if s[0] == '-' {
		return -h*60 - m, true
	}
	return h*60 + m, true
}
