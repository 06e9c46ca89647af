package record

import "strings"

// timed is a time of day in a folded text.
type timed struct {
	from, to     int
	hour, minute int
	bare         bool // written 10.30, which can be a price or a day
}

// clocks returns the times of day that are written in a folded text.
func clocks(s string) []timed {
	ts := tokens(s)
	var found []timed
	for i := 0; i < len(ts); {
		c, n := clockAt(ts, i)
		if n == 0 {
			i++
			continue
		}
		c.from, c.to = ts[i].from, ts[i+n-1].to
		found = append(found, c)
		i += n
	}
	return found
}

// clockAt reads the time that begins at token i, and returns how many tokens it has.
func clockAt(ts []token, i int) (c timed, n int) {
	if half := halfOfDay(ts, i); half != 0 && i+2 < len(ts) && ts[i+2].digits > 0 { // 午後3時, 오후 3시
		if c, n = plainClock(ts, i+2, true); n > 0 {
			return c.inHalf(half), n + 2
		}
		return c, 0
	}
	if ts[i].digits == 0 || ts[i].digits > 2 || continues(ts, i) {
		return c, 0
	}
	c, n = plainClock(ts, i, false)
	next := i + max(n, 1)
	half, used := amPM(ts, next)
	switch {
	case half != 0 && n == 0 && ts[i].n >= 1 && ts[i].n <= 12: // 3pm
		return timed{hour: ts[i].n}.inHalf(half), 1 + used
	case half != 0 && n > 0 && c.hour <= 12:
		c.bare = false
		return c.inHalf(half), n + used
	}
	return c, n
}

// inHalf turns a time of the twelve-hour clock.
func (c timed) inHalf(half int) timed {
	if c.hour == 12 {
		c.hour = 0
	}
	if half > 0 && c.hour < 12 {
		c.hour += 12
	}
	return c
}

// halfOfDay says whether 上午 (-1), 下午 (1) or their like stand at token i.
func halfOfDay(ts []token, i int) int {
	if i+1 >= len(ts) {
		return 0
	}
	switch ts[i].word + ts[i+1].word {
	case "午前", "上午", "早上", "오전", "凌晨":
		return -1
	case "午後", "下午", "晚上", "오후", "中午", "傍晚":
		return 1
	}
	return 0
}

// amPM reads am, p.m. and their like.
func amPM(ts []token, i int) (half, used int) {
	if i >= len(ts) {
		return 0, 0
	}
	switch ts[i].word {
	case "am", "μμ", "πμ", "pm":
		if ts[i].word == "am" || ts[i].word == "πμ" {
			return -1, 1
		}
		return 1, 1
	case "a", "p":
		if i+2 < len(ts) && ts[i+1].is(".") && ts[i+2].is("m") {
			used = 3
			if i+3 < len(ts) && ts[i+3].is(".") {
				used = 4
			}
			if ts[i].is("a") {
				return -1, used
			}
			return 1, used
		}
	}
	return 0, 0
}

// plainClock reads 10:30, 10:30:00, 10.30 Uhr, 10 Uhr, 15h30, 15 h, 3時30分, 10時半.
func plainClock(ts []token, i int, sure bool) (c timed, n int) {
	c.hour = ts[i].n
	if c.hour > 24 || i+1 >= len(ts) {
		return c, 0
	}
	minute := i+2 < len(ts) && ts[i+2].digits == 2 && ts[i+2].n < 60
	switch sep := ts[i+1]; {
	case sep.is(":") && minute && sep.from == ts[i].to:
		c.minute, n = ts[i+2].n, 3
		if i+4 < len(ts) && ts[i+3].is(":") && ts[i+4].digits == 2 {
			n = 5
		}
	case sep.is("h") && minute && ts[i+2].from-sep.to < 2:
		c.minute, n = ts[i+2].n, 3
	case sep.is("h") || sep.is("uhr") || sep.is("uur") || sep.is("hrs") || sep.is("heures") || sep.is("horas"):
		n = 2
	case isOne(sep, "時", "时", "点", "點", "시"):
		c.minute, n = eastMinutes(ts, i+2)
	case sep.is(".") && minute && sep.from == ts[i].to && ts[i+2].from == sep.to:
		c.minute, n = ts[i+2].n, 3
		c.bare = !sure && !clockWord(ts, i)
	}
	if c.hour == 24 && c.minute != 0 {
		return c, 0
	}
	c.hour %= 24
	return c, n
}

// eastMinutes reads what follows the sign for hours at i-1, and returns how many tokens there are from the hour on.
func eastMinutes(ts []token, i int) (minute, n int) {
	switch {
	case i < len(ts) && (ts[i].is("半") || ts[i].is("반")):
		return 30, 3
	case i+1 < len(ts) && ts[i].digits > 0 && ts[i].n < 60 && isOne(ts[i+1], "分", "분"):
		return ts[i].n, 4
	}
	return 0, 2
}

// clockWord says whether a word next to 10.30 makes it a time.
func clockWord(ts []token, i int) bool {
	if i+3 < len(ts) && isOne(ts[i+3], "uhr", "am", "pm", "uur", "h", "hrs") {
		return true
	}
	before := i - 1
	if before >= 0 && ts[before].is(".") {
		before--
	}
	return before >= 0 && isOne(ts[before], "kl", "klockan", "klokken", "um", "klo", "ore", "alle", "at")
}

// zoneOf returns the time zone that is named in a text, empty if there is none.
func zoneOf(text string) string {
	for _, z := range zonePhrases {
		if strings.Contains(text, z.phrase) {
			return z.name
		}
	}
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(" ()[],;\t", r) }) {
		if strings.Contains(word, "/") && ianaName(word) == word {
			return word
		}
		if offset, ok := zoneShorts[word]; ok {
			return offsetName(offset)
		}
		if strings.HasPrefix(word, "GMT") || strings.HasPrefix(word, "UTC") {
			if zone := readOffset(word); zone != "" {
				return zone
			}
		}
	}
	return ""
}

// zonePhrases are the names of zones that scheduling tools write out.
var zonePhrases = []struct{ phrase, name string }{
	{"Central European", "Europe/Berlin"}, {"Eastern European", "Europe/Helsinki"},
	{"Eastern Time", "America/New_York"}, {"Eastern Standard Time", "America/New_York"},
	{"Eastern Daylight Time", "America/New_York"},
	{"Central Time", "America/Chicago"}, {"Mountain Time", "America/Denver"}, {"Pacific Time", "America/Los_Angeles"},
	{"UK, Ireland, Lisbon", "Europe/London"}, {"British Summer Time", "Europe/London"},
	{"India Standard Time", "Asia/Kolkata"}, {"Japan Standard Time", "Asia/Tokyo"},
	{"Australia Eastern", "Australia/Sydney"}, {"Australian Eastern", "Australia/Sydney"},
	{"China Standard Time", "Asia/Shanghai"},
}

// zoneShorts are abbreviations that mean the same everywhere in mail, in minutes before UTC.
var zoneShorts = map[string]int{
	"CET": 60, "CEST": 120, "MEZ": 60, "MESZ": 120, "EET": 120, "EEST": 180, "WEST": 60, "BST": 60, "EST": -300,
	"EDT": -240, "CDT": -300,
	"MDT": -360, "MST": -420, "PST": -480, "PDT": -420, "JST": 540, "KST": 540, "AEST": 600, "AEDT": 660, "MSK": 180,
	"BRT": -180, "HKT": 480, "SGT": 480, "AKDT": -480, "HST": -600, "NZST": 720, "NZDT": 780,
}
