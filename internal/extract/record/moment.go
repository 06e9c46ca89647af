package record

import (
	"fmt"
	"time"
)

// moment is a day, perhaps with a time, as somebody wrote it.
type moment struct {
	year, month, day  int // year 0 if it was not written
	hour, minute, sec int
	timed             bool
	zone              string // of Calendar.Timezone
}

func (m moment) known() bool { return m.month != 0 }

// date returns YYYY-MM-DD, empty for a day that is not known.
func (m moment) date() string {
	if m.year == 0 || m.month == 0 {
		return ""
	}
	return fmt.Sprintf("%04d-%02d-%02d", m.year, m.month, m.day)
}

// clock returns HH:MM, empty if there is no time.
func (m moment) clock() string {
	if !m.timed {
		return ""
	}
	return fmt.Sprintf("%02d:%02d", m.hour, m.minute)
}

// iso returns the day or the time, with the offset if that is how its zone is known.
func (m moment) iso() string {
	if !m.timed || m.date() == "" {
		return m.date()
	}
	s := fmt.Sprintf("%sT%02d:%02d:%02d", m.date(), m.hour, m.minute, m.sec)
	switch {
	case m.zone == "UTC":
		return s + "Z"
	case isOffset(m.zone):
		return s + m.zone
	}
	return s
}

// until returns when what starts at m ends; empty: that is not known, or before it starts.
func (m moment) until(end moment) string {
	slack := time.Duration(0)
	switch {
	case m.zone != end.zone:
		slack = 26 * time.Hour // as far apart as clocks are
	case m.timed && !end.timed:
		slack = day24
	}
	if end.date() == "" || end.time().Add(slack).Before(m.time()) {
		return ""
	}
	return end.iso()
}

// time returns the moment on a clock without a zone.
func (m moment) time() time.Time {
	return time.Date(m.year, time.Month(m.month), m.day, m.hour, m.minute, m.sec, 0, time.UTC)
}

// at returns the moment of a clock without a zone; what is not the time stays as in m.
func (m moment) at(t time.Time) moment {
	m.year, m.month, m.day = t.Year(), int(t.Month()), t.Day()
	m.hour, m.minute, m.sec = t.Hour(), t.Minute(), t.Second()
	return m
}

// isOffset says whether a zone is written like +01:00.
func isOffset(zone string) bool {
	return len(zone) == 6 && (zone[0] == '+' || zone[0] == '-') && zone[3] == ':'
}

// offsetName returns the name of a zone that is a given number of minutes before UTC.
func offsetName(minutes int) string {
	sign := '+'
	if minutes < 0 {
		sign, minutes = '-', -minutes
	}
	if minutes == 0 {
		return "UTC"
	}
	return fmt.Sprintf("%c%02d:%02d", sign, minutes/60, minutes%60)
}

// The years that a number in a text can be.
const (
	minYear = 1970
	maxYear = 2100
)

// isDay says whether there is such a day. Year 0 is any.
func isDay(year, month, day int) bool {
	if month < 1 || month > 12 || day < 1 {
		return false
	}
	if year == 0 {
		year = 2000
	}
	return day <= time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}
