package resend

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // names of time zones mean the same on every machine
)

// zones are the names of time zones that people write. What changes with the season is taken from the data of the zone;
// a name that says which season it is, is that many hours from UTC all year.
var (
	zones = map[string]string{"et": "America/New_York", "ct": "America/Chicago", "mt": "America/Denver",
		"pt": "America/Los_Angeles"}
	offsets = map[string]int{"utc": 0, "gmt": 0, "z": 0, "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7,
		"mdt": -6, "pst": -8, "pdt": -7, "wet": 0, "west": 1, "bst": 1, "cet": 1, "cest": 2, "eet": 2, "eest": 3,
		"msk": 3, "jst": 9, "aest": 10, "aedt": 11}
)

var units = map[string]time.Duration{"s": time.Second, "sec": time.Second, "second": time.Second,
	"m": time.Minute, "min": time.Minute, "minute": time.Minute, "h": time.Hour, "hr": time.Hour, "hour": time.Hour,
	"d": 24 * time.Hour, "day": 24 * time.Hour, "w": 7 * 24 * time.Hour, "week": 7 * 24 * time.Hour}

// pattern is a regular expression that is made when it is first needed.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

var (
	amount  = `(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half an?|\d{1,5}(?:\.\d{1,3})?)`
	inWords = pattern(`^(?:in )?(` + amount + `) ?([a-z]+?)s?(?:(?: and)?,? (` + amount + `) ?([a-z]+?)s?)?` +
		`(?: from now| later)?$`)
	days    = `today|tonight|tomorrow|tmrw|the day after tomorrow|day after tomorrow|(?:next |this |on )*` + weekday
	weekday = `(?:mon|tue|tues|wednes|wed|thurs|thu|fri|satur|sat|sun)(?:day)?`
	months  = `(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*`
	dates   = `(?:on )?` + months + `\.? \d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?|(?:on )?(?:the )?\d{1,2}(?:st|nd|rd|th)?` +
		`(?: of)? ` + months + `\.?(?:,? \d{4})?`
	inDays  = `in ` + amount + ` (?:day|week|month)s?|next (?:week|month|year)`
	daytime = `(?:in the |this )?(?:morning|afternoon|evening|night)`
	timeOf  = `noon|midday|midnight|` + daytime + `|\d{1,2}(?::\d{2}){0,2} ?(?:am|pm)?|\d{1,2} o'?clock`
	atWords = pattern(`^(` + days + `|` + dates + `|` + inDays + `)?(?:,? ?(?:at |@ ?)?(` + timeOf + `))?` +
		`(?: ([a-z]{1,4}))?$`)
	timeThen = pattern(`^(?:at )?(` + timeOf + `)(?: ([a-z]{2,4}))?,? (` + days + `|` + dates + `)$`)
	datePart = pattern(`(` + months + `)|\b(\d{4})\b|(\d{1,2})`)
	dotted   = pattern(`\b([ap])\.m\b\.?|\.$`) // a.m.
	numbers  = map[string]float64{"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6,
		"seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "half a": 0.5, "half an": 0.5}
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
	words = dotted().ReplaceAllStringFunc(words, func(s string) string { return strings.ReplaceAll(s, ".", "") })
	if words == "now" {
		return now, true
	}
	if m := inWords().FindStringSubmatch(words); m != nil {
		at, ok := later(now, m[1], m[2])
		if ok && m[3] != "" {
			at, ok = later(at, m[3], m[4])
		}
		if ok {
			return at, true
		}
	}
	if m := timeThen().FindStringSubmatch(words); m != nil { // 9am tomorrow
		return atTime(m[3], m[1], m[2], now)
	}
	m := atWords().FindStringSubmatch(words)
	if m == nil || m[1] == "" && m[2] == "" {
		return now, false
	}
	return atTime(m[1], m[2], m[3], now)
}

// later is a time and so many units more.
func later(at time.Time, number, unit string) (time.Time, bool) {
	n, known := numbers[number]
	if !known {
		n, _ = strconv.ParseFloat(number, 64) // it is digits
	}
	if length, ok := units[unit]; ok {
		return at.Add(time.Duration(n * float64(length))), true
	}
	if whole := int(n); unit == "month" && float64(whole) == n {
		return at.AddDate(0, whole, 0), true
	}
	return at, false
}

// zoneNamed is the time zone of a name; an empty one means UTC.
func zoneNamed(name string) (*time.Location, bool) {
	if name == "" {
		return time.UTC, true
	}
	if hours, ok := offsets[name]; ok {
		return time.FixedZone(name, hours*60*60), true
	}
	zone, err := time.LoadLocation(zones[name])
	return zone, err == nil && zones[name] != ""
}

// atTime reads a day, a time of day, or both, of which one is not empty.
func atTime(dayText, timeText, zoneName string, now time.Time) (time.Time, bool) {
	zone, ok := zoneNamed(zoneName)
	if !ok {
		return now, false
	}
	day := now.In(zone)
	hour, minute, ok := timeOfDay(timeText, dayText, day)
	if !ok {
		return now, false
	}
	on := func(days int) time.Time {
		return time.Date(day.Year(), day.Month(), day.Day()+days, hour, minute, 0, 0, zone)
	}
	fields := strings.Fields(dayText)
	switch {
	case dayText == "tomorrow", dayText == "tmrw":
		return on(1), true
	case strings.HasSuffix(dayText, "after tomorrow"):
		return on(2), true
	case dayText == "" && !on(0).After(now): // the next time that it is that late
		return on(1), true
	case dayText == "", dayText == "today", dayText == "tonight":
		return on(0), true
	case fields[0] == "in":
		last := len(fields) - 1
		at, ok := later(on(0), strings.Join(fields[1:last], " "), strings.TrimSuffix(fields[last], "s"))
		return at, ok
	case fields[0] == "next" && slices.Contains([]string{"week", "month", "year"}, fields[1]):
		return map[string]time.Time{"week": on(7), "month": on(0).AddDate(0, 1, 0),
			"year": on(0).AddDate(1, 0, 0)}[fields[1]], true
	}
	if n, ok := daysUntil(fields, day, !on(0).After(now)); ok {
		return on(n), true
	}
	return onDate(dayText, on(0), now)
}

// onDate reads August 5, 5th of Aug 2026. Without a year it is the next day of that date.
func onDate(text string, at, now time.Time) (time.Time, bool) {
	year, date, month := 0, 0, time.Month(0)
	for _, m := range datePart().FindAllStringSubmatch(text, -1) {
		switch {
		case m[1] != "":
			for name := time.January; name <= time.December; name++ {
				if strings.HasPrefix(strings.ToLower(name.String()), m[1]) || m[1] == "sept" && name == time.September {
					month = name
				}
			}
		case m[2] != "":
			year, _ = strconv.Atoi(m[2])
		default:
			date, _ = strconv.Atoi(m[3])
		}
	}
	of := func(year int) time.Time {
		return time.Date(year, month, date, at.Hour(), at.Minute(), 0, 0, at.Location())
	}
	found := of(max(year, at.Year()))
	if year == 0 && !found.After(now) {
		found = of(at.Year() + 1)
	}
	return found, month != 0 && found.Day() == date && (year == 0 || year == found.Year())
}

// daysUntil is how many days away a day of the week is. Today's is a week away when its time is over. False: the words
// name none.
func daysUntil(words []string, today time.Time, over bool) (int, bool) {
	name := words[len(words)-1]
	for d := time.Sunday; d <= time.Saturday; d++ {
		if len(name) < 3 || !strings.HasPrefix(strings.ToLower(d.String()), name) {
			continue
		}
		days := (int(d-today.Weekday()) + 7) % 7
		if days == 0 && (over || words[0] == "next") {
			days = 7
		}
		return days, true
	}
	return 0, false
}

// dayHours is what people mean by a part of a day.
var dayHours = map[string]int{"morning": 9, "afternoon": 15, "evening": 20, "night": 20}

// timeOfDay reads 9am, 9:30 pm, 15:00, noon. A day without one is meant at the present time of day, and tonight at 20.
func timeOfDay(text, day string, now time.Time) (hour, minute int, ok bool) {
	switch {
	case text == "noon", text == "midday":
		return 12, 0, true
	case text == "midnight":
		return 0, 0, true
	case text == "" && day == "tonight":
		return 20, 0, true
	case text == "":
		return now.Hour(), now.Minute(), true
	}
	words := strings.Fields(text)
	if h, ok := dayHours[words[len(words)-1]]; ok {
		return h, 0, true
	}
	text, _, _ = strings.Cut(text, " o")
	digits := strings.TrimSpace(strings.TrimRight(text, "apm "))
	h, m, _ := strings.Cut(digits, ":")
	m, _, _ = strings.Cut(m, ":")
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
