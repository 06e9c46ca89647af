package record

import (
	"strconv"
	"strings"

	"github.com/mailkin/mailkin/internal/mailbox"
)

// readISO reads a date and time of ISO 8601, with the liberties that senders take: 2026-03-14T10:30:00+01:00,
// 20260314T103000Z, 2026-03-14 10:30, 2026-03-14T10:30+0:00. It returns false for everything else.
func readISO(s string) (m moment, ok bool) {
	s = strings.TrimSpace(s)
	rest, ok := m.readDate(s)
	if !ok || rest == "" {
		return m, ok
	}
	if rest[0] != 'T' && rest[0] != 't' && rest[0] != ' ' {
		return m, false
	}
	rest, ok = m.readClock(strings.TrimLeft(rest[1:], " "))
	if !ok {
		return m, rest == "" // a date with nothing but a "T"
	}
	m.zone = readOffset(strings.TrimSpace(rest))
	return m, true
}

// readDate reads the day, and returns what follows.
func (m *moment) readDate(s string) (rest string, ok bool) {
	year, s, ok := digits(s, 4, 4)
	if !ok {
		return s, false
	}
	dashed := s != "" && (s[0] == '-' || s[0] == '/' || s[0] == '.')
	if dashed {
		s = s[1:]
	}
	shortest := 2
	if dashed {
		shortest = 1
	}
	month, s, ok := digits(s, shortest, 2)
	if !ok {
		return s, false
	}
	if dashed && s != "" && (s[0] == '-' || s[0] == '/' || s[0] == '.') {
		s = s[1:]
	}
	day, s, ok := digits(s, shortest, 2)
	if !ok || !isDay(year, month, day) || len(s) > 0 && isDigit(s[0]) {
		return s, false
	}
	m.year, m.month, m.day = year, month, day
	return s, true
}

// readClock reads the time of day, and returns what follows.
func (m *moment) readClock(s string) (rest string, ok bool) {
	var part [3]int
	for i := range part {
		n, after, ok := digits(s, 1, 2)
		if !ok {
			if i < 2 {
				return s, false
			}
			break
		}
		part[i], s = n, strings.TrimPrefix(after, ":")
	}
	if s != "" && (s[0] == '.' || s[0] == ',') { // fractions of a second
		s = strings.TrimLeft(s[1:], "0123456789")
	}
	if part[0] > 23 || part[1] > 59 || part[2] > 60 {
		return s, false
	}
	m.timed, m.hour, m.minute, m.sec = true, part[0], part[1], min(part[2], 59)
	return s, true
}

// readOffset returns the zone of an offset: Z, +01:00, -0530, +1, GMT+2.
func readOffset(s string) string {
	upper := strings.ToUpper(s)
	upper = strings.TrimPrefix(strings.TrimPrefix(upper, "GMT"), "UTC")
	if upper == "Z" || upper == "" && s != "" {
		return "UTC"
	}
	if upper == "" || upper[0] != '+' && upper[0] != '-' {
		return ""
	}
	number := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, mailbox.Cut(upper, 7))
	hours, rest := number, ""
	if len(number) > 2 {
		hours, rest = number[:len(number)-2], number[len(number)-2:]
	}
	h, err := strconv.Atoi(hours)
	m, _ := strconv.Atoi("0" + rest)
	if err != nil || h > 14 || m > 59 {
		return ""
	}
	if upper[0] == '-' {
		return offsetName(-h*60 - m)
	}
	return offsetName(h*60 + m)
}

// digits reads a number of least to most digits.
func digits(s string, least, most int) (n int, rest string, ok bool) {
	i := 0
	for i < len(s) && i < most && isDigit(s[i]) {
		n = n*10 + int(s[i]-'0')
		i++
	}
	return n, s[i:], i >= least
}
