package resend

import (
	"regexp"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // names of time zones mean the same on every machine
)

// zones are the names of time zones that people write, by how far they are from UTC in hours. What changes with the
// season is taken from the data of the zone.
var zones = map[string]string{"et": "America/New_York", "est": "America/New_York", "edt": "America/New_York",
	"ct": "America/Chicago", "cst": "America/Chicago", "cdt": "America/Chicago", "mt": "America/Denver",
	"mst": "America/Denver", "mdt": "America/Denver", "pt": "America/Los_Angeles", "pst": "America/Los_Angeles",
	"pdt": "America/Los_Angeles", "utc": "UTC", "gmt": "UTC", "z": "UTC", "cet": "Europe/Berlin",
	"cest": "Europe/Berlin", "bst": "Europe/London"}

var units = map[string]time.Duration{"s": time.Second, "sec": time.Second, "second": time.Second,
	"m": time.Minute, "min": time.Minute, "minute": time.Minute, "h": time.Hour, "hr": time.Hour, "hour": time.Hour,
	"d": 24 * time.Hour, "day": 24 * time.Hour, "w": 7 * 24 * time.Hour, "week": 7 * 24 * time.Hour}

var (
	inWords = regexp.MustCompile(`^(?:in )?(an?|one|two|three|four|five|six|seven|eight|nine|ten|` +
		`\d{1,5}(?:\.\d{1,3})?) ?([a-z]+?)s?(?: from now)?$`)
	dotted  = regexp.MustCompile(`\b([ap])\.m\b\.?|\.$`) // a.m.
	atWords = regexp.MustCompile(`^(?:(today|tonight|tomorrow|(?:next |this |on )?(?:mon|tues|wednes|thurs|fri|satur|sun)day)` +
		`)?(?:,? ?(?:at )?(noon|midnight|\d{1,2}(?::\d{2})? ?(?:am|pm)?))?(?: ([a-z]{1,4}))?$`)
	numbers = map[string]float64{"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6,
		"seven": 7, "eight": 8, "nine": 9, "ten": 10}
)

// when reads a time as ISO 8601 or in English words. A time of day is in UTC unless it says otherwise.
func when(text string, now time.Time) (time.Time, bool) {
	text = strings.TrimSpace(text)
	for _, form := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999Z0700", "2006-01-02 15:04:05Z07:00",
		"2006-01-02 15:04:05.999999999Z07", "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05.999999999",
		"2006-01-02 15:04:05", "2006-01-02"} {
		if at, err := time.Parse(form, text); err == nil {
			return at, true
		}
	}
	words := strings.Join(strings.Fields(strings.ToLower(text)), " ")
	words = dotted.ReplaceAllStringFunc(words, func(s string) string { return strings.ReplaceAll(s, ".", "") })
	if words == "now" {
		return now, true
	}
	if m := inWords.FindStringSubmatch(words); m != nil {
		n, known := numbers[m[1]]
		if !known {
			n, _ = strconv.ParseFloat(m[1], 64) // it is digits
		}
		if unit, ok := units[m[2]]; ok {
			return now.Add(time.Duration(n * float64(unit))), true
		}
		if whole := int(n); m[2] == "month" && float64(whole) == n {
			return now.AddDate(0, whole, 0), true
		}
	}
	return atTime(words, now)
}

// atTime reads a day, a time of day, or both.
func atTime(words string, now time.Time) (time.Time, bool) {
	m := atWords.FindStringSubmatch(words)
	if m == nil || m[1] == "" && m[2] == "" {
		return now, false
	}
	zone := time.UTC
	if m[3] != "" {
		name, ok := zones[m[3]]
		if !ok {
			return now, false
		}
		found, err := time.LoadLocation(name)
		if err != nil {
			return now, false
		}
		zone = found
	}
	day := now.In(zone)
	hour, minute, ok := timeOfDay(m[2], m[1], day)
	if !ok {
		return now, false
	}
	on := func(days int) time.Time {
		return time.Date(day.Year(), day.Month(), day.Day()+days, hour, minute, 0, 0, zone)
	}
	switch {
	case m[1] == "tomorrow":
		return on(1), true
	case m[1] == "" && !on(0).After(now): // the next time that it is that late
		return on(1), true
	case strings.HasSuffix(m[1], "day") && m[1] != "today":
		return on(daysUntil(m[1], day, !on(0).After(now))), true
	}
	return on(0), true
}

// daysUntil is how many days away a day of the week is. Today's is a week away when its time is over.
func daysUntil(name string, today time.Time, over bool) int {
	fields := strings.Fields(name)
	for d := time.Sunday; d <= time.Saturday; d++ {
		if strings.ToLower(d.String()) != fields[len(fields)-1] {
			continue
		}
		days := (int(d-today.Weekday()) + 7) % 7
		if days == 0 && (over || fields[0] == "next") {
			days = 7
		}
		return days
	}
	return 0
}

// timeOfDay reads 9am, 9:30 pm, 15:00, noon. A day without one is meant at the present time of day, and tonight at 20.
func timeOfDay(text, day string, now time.Time) (hour, minute int, ok bool) {
	switch {
	case text == "noon":
		return 12, 0, true
	case text == "midnight":
		return 0, 0, true
	case text == "" && day == "tonight":
		return 20, 0, true
	case text == "":
		return now.Hour(), now.Minute(), true
	}
	digits := strings.TrimSpace(strings.TrimRight(text, "apm "))
	h, m, _ := strings.Cut(digits, ":")
	hour, _ = strconv.Atoi(h) // the pattern lets digits through alone
	minute, _ = strconv.Atoi(m)
	switch {
	case strings.HasSuffix(text, "m") && (hour < 1 || hour > 12), hour > 23, minute > 59:
		return 0, 0, false
	case strings.HasSuffix(text, "pm") && hour < 12:
		hour += 12
	case strings.HasSuffix(text, "am") && hour == 12:
		hour = 0
	}
	return hour, minute, true
}
