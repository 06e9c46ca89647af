package rfc822

import (
	"strconv"
	"strings"
	"time"
)

// parseDate reads a Date field. It knows RFC 5322 with its obsolete forms, RFC 3339, ctime, and what comes of
// them in the wild; what it cannot read is the zero time.
func parseDate(s string) time.Time {
	s = trimSpace(stripComments(s))
	if d, ok := plainDate(s); ok {
		return d.time()
	}
	t := anyDate(s)
	if i := strings.LastIndexByte(s, ';'); i >= 0 && t.IsZero() {
		return anyDate(trimSpace(s[i+1:])) // QUIRK: a whole Received field
	}
	return t
}

func anyDate(s string) time.Time {
	if t, ok := isoDate(s); ok {
		return t
	}
	var d dateParts
	for _, w := range dateWords(s) {
		d.take(w)
	}
	return d.time()
}

// plainDate reads the form that RFC 5322 3.3 asks for, "Tue, 3 Nov 2026 10:11:12 +0000", as most mail has it.
func plainDate(s string) (d dateParts, ok bool) {
	if len(s) < 5 || s[3] != ',' || s[4] != ' ' || !isWeekday(s[:3]) {
		return d, false
	}
	if s = s[5:]; len(s) > 1 && s[1] == ' ' {
		d.day, s = decimal(s[:1]), s[1:]
	} else if len(s) > 2 {
		d.day, s = decimal(s[:2]), s[2:]
	}
	const rest = " Nov 2026 10:11:12 +0000"
	if len(s) != len(rest) || s[0] != ' ' || s[4] != ' ' || s[9] != ' ' || s[12] != ':' || s[15] != ':' ||
		s[18] != ' ' || s[19] != '+' && s[19] != '-' {
		return d, false
	}
	d.month = strings.Index("   JanFebMarAprMayJunJulAugSepOctNovDec", s[1:4])
	if d.month%3 != 0 {
		return d, false
	}
	d.month /= 3
	d.year, d.hour, d.minute, d.second = decimal(s[5:9]), decimal(s[10:12]), decimal(s[13:15]), decimal(s[16:18])
	hours, minutes := decimal(s[20:22]), decimal(s[22:])
	d.offset = hours*3600 + minutes*60
	if s[19] == '-' {
		d.offset = -d.offset
	}
	ok = d.day > 0 && d.day <= 31 && d.month > 0 && d.year > 0 && d.hour >= 0 && d.hour < 24 && d.minute >= 0 &&
		d.minute < 60 &&
		d.second >= 0 && d.second < 60 && hours >= 0 && hours <= 24 && minutes >= 0 && minutes < 60
	return d, ok
}

func isWeekday(s string) bool {
	switch s {
	case "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun":
		return true
	}
	return false
}

// decimal is the number that s is, -1 where it is none.
func decimal(s string) int {
	n := 0
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return -1
		}
		n = n*10 + int(s[i]-'0')
	}
	return n
}

// isoDate reads RFC 3339, also with a space for the T and without a zone.
func isoDate(s string) (time.Time, bool) {
	if len(s) < 10 || s[4] != '-' || s[7] != '-' {
		return time.Time{}, false
	}
	for _, layout := range [...]string{time.RFC3339, "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 -0700",
		"2006-01-02T15:04:05-0700", "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02"} {
		if t, err := time.Parse(layout, s); err == nil {
			return sane(t)
		}
	}
	return time.Time{}, false
}

// sane refuses years that no mail has, and that JSON cannot carry.
func sane(t time.Time) (time.Time, bool) {
	if y := t.Year(); y < 1900 || y > 9000 {
		return time.Time{}, false
	}
	return t, true
}

// maxDateWords is more than any date has.
const maxDateWords = 16

// dateWords splits at blanks and commas, and at dashes and slashes between parts of a date.
func dateWords(s string) []string {
	words := strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '\t' || r == ',' || r == ';' })
	var out []string
	for _, w := range words[:min(len(words), maxDateWords)] {
		if strings.Count(w, "-") == 2 && w[0] != '-' { // 07-Oct-1994
			out = append(out, strings.Split(w, "-")...)
			continue
		}
		out = append(out, w)
	}
	return out
}

// dateParts is what the words of a date have given so far.
type dateParts struct {
	day, month, year     int
	hour, minute, second int
	hasTime, hasZone     bool
	offset               int // seconds east
	bad                  bool
}

func (d *dateParts) take(w string) {
	w = strings.TrimRight(w, ".")
	switch {
	case w == "":
	case strings.IndexByte(w, ':') > 0 && !d.hasTime:
		d.clock(w)
	case (w[0] == '+' || w[0] == '-') && len(w) > 1:
		d.zone(w)
	case w[0] >= '0' && w[0] <= '9':
		d.number(w)
	default:
		d.name(w)
	}
}

// number is the day before the month and the year after it, except that a day can also follow (ctime).
func (d *dateParts) number(w string) {
	digits := 0
	for digits < len(w) && w[digits] >= '0' && w[digits] <= '9' {
		digits++
	}
	n, err := strconv.Atoi(w[:digits])
	switch {
	case err != nil:
		d.bad = true
	case digits == 4 && d.year != 0 && d.hasTime && !d.hasZone:
		d.zone("+" + w) // QUIRK: a zone without its sign
	case d.day == 0 && n <= 31 && digits <= 2:
		if d.day = n; n == 0 {
			d.bad = true
		}
	case d.year == 0:
		d.year = fullYear(n, digits)
	}
}

// fullYear reads years of two and three digits as RFC 5322 4.3 says.
func fullYear(n, digits int) int {
	switch {
	case digits == 2 && n < 50:
		return 2000 + n
	case digits <= 3:
		return 1900 + n
	}
	return n
}

// clock reads 11:51, 11:51:07, 11:51:07.25, 11:51PM, 11:51:07-0500.
func (d *dateParts) clock(w string) {
	if i := strings.LastIndexAny(w, "+-"); i > 0 {
		d.zone(w[i:])
		w = w[:i]
	}
	if i := len(w) - 2; i > 0 && (equalFold(w[i:], "pm") || equalFold(w[i:], "am")) {
		defer d.meridiem(w[i:])
		w = w[:i]
	}
	w = strings.TrimSuffix(w, "Z")
	w, _, _ = strings.Cut(w, ".")
	fields := strings.Split(w, ":")
	into := [...]*int{&d.hour, &d.minute, &d.second}
	for i, f := range fields {
		n, err := strconv.Atoi(f)
		if i >= len(into) || err != nil || n < 0 {
			d.bad = true
			return
		}
		*into[i] = n
	}
	d.hasTime = true
	d.bad = d.bad || d.hour > 24 || d.minute > 59 || d.second > 60
}

func (d *dateParts) meridiem(w string) {
	switch {
	case equalFold(w, "pm") && d.hour < 12:
		d.hour += 12
	case equalFold(w, "am") && d.hour == 12:
		d.hour = 0
	}
}

// zone reads +0100, +01:00, -600, +1.
func (d *dateParts) zone(w string) {
	sign := 1
	if w[0] == '-' {
		sign = -1
	}
	digits := strings.Replace(w[1:], ":", "", 1)
	n, err := strconv.Atoi(digits)
	if err != nil || d.hasZone {
		return
	}
	if len(digits) <= 2 {
		n *= 100
	}
	if h, m := n/100, n%100; h <= 24 && m < 60 {
		d.offset, d.hasZone = sign*(h*3600+m*60), true
	}
}

// name is a month, a weekday, a zone, or nothing.
func (d *dateParts) name(w string) {
	w = strings.ToLower(w)
	if len(w) >= 3 && d.month == 0 {
		if i := strings.Index("jan feb mar apr may jun jul aug sep oct nov dec ", w[:3]+" "); i >= 0 {
			d.month = i/4 + 1
			return
		}
	}
	if w == "am" || w == "pm" {
		d.meridiem(w)
		return
	}
	if d.hasZone || !d.hasTime {
		return
	}
	if hours, ok := zoneHours[w]; ok { // RFC 5322 4.3
		d.offset, d.hasZone = hours*3600, true
	} else if rest, ok := strings.CutPrefix(w, "gmt"); ok && (rest[0] == '+' || rest[0] == '-') {
		d.zone(rest) // GMT+0200
	}
}

// zoneHours are the names of RFC 822 and some that are common. Military letters mean nothing reliable.
var zoneHours = map[string]int{
	"ut": 0, "utc": 0, "gmt": 0, "z": 0, "wet": 0,
	"est5edt": -5, "cst6cdt": -6, "mst7mdt": -7, "pst8pdt": -8,
	"est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8, "pdt": -7,
	"bst": 1, "cet": 1, "met": 1, "mez": 1, "west": 1, "cest": 2, "mest": 2, "mesz": 2, "eet": 2, "eest": 3, "msk": 3,
	"hkt": 8, "jst": 9, "kst": 9, "aest": 10, "aedt": 11, "hst": -10, "akst": -9, "akdt": -8,
}

// time is the date if enough of it was there.
func (d *dateParts) time() time.Time {
	if d.bad || d.day == 0 || d.month == 0 || d.year == 0 {
		return time.Time{}
	}
	loc := time.UTC
	if d.offset != 0 {
		loc = time.FixedZone("", d.offset)
	}
	t := time.Date(d.year, time.Month(d.month), d.day, d.hour, d.minute, d.second, 0, loc)
	if t.Day() != d.day && d.hour < 24 && d.second < 60 {
		return time.Time{} // 31 February
	}
	t, _ = sane(t)
	return t
}
