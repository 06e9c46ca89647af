package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/mailkin/mailkin/api"
)

const isoTime = "2006-01-02T15:04:05.000Z"

// when shows a time: for a person by how long ago it was, for a program as ISO 8601.
func (s screen) when(t api.Time) string {
	switch {
	case t.IsZero():
		return ""
	case !s.isTerminal():
		return t.UTC().Format(isoTime)
	}
	return ago(time.Until(t.Time))
}

// age shows a time in a table: for a person as short as possible.
func (s screen) age(t api.Time) string {
	if t.IsZero() || !s.isTerminal() {
		return s.when(t)
	}
	until := time.Until(t.Time)
	d := until.Abs()
	switch {
	case d > 99*24*time.Hour:
		return t.Local().Format(time.DateOnly)
	case d < time.Minute:
		return aheadOr(until, fmt.Sprintf("%ds", int(d/time.Second)))
	case d < time.Hour:
		return aheadOr(until, fmt.Sprintf("%dm", int(d/time.Minute)))
	case d < 48*time.Hour:
		return aheadOr(until, fmt.Sprintf("%dh", int(d/time.Hour)))
	}
	return aheadOr(until, fmt.Sprintf("%dd", int(d/(24*time.Hour))))
}

func aheadOr(until time.Duration, text string) string {
	if until > 0 {
		return "in " + text
	}
	return text
}

// ago says how far a time is from now.
func ago(until time.Duration) string {
	switch {
	case until > -time.Second && until < time.Second:
		return "now"
	case until < 0:
		return roundly(-until) + " ago"
	}
	return "in " + roundly(until)
}

// roundly says a duration in its largest unit.
func roundly(d time.Duration) string {
	for _, u := range []struct {
		size time.Duration
		name string
	}{{24 * time.Hour, "day"}, {time.Hour, "hour"}, {time.Minute, "minute"}} {
		if d < u.size {
			continue
		}
		n := int(math.Round(float64(d) / float64(u.size)))
		if n == 1 {
			return "1 " + u.name
		}
		return fmt.Sprintf("%d %ss", n, u.name)
	}
	return fmt.Sprintf("%d s", max(1, int(d.Round(time.Second)/time.Second)))
}

// bytesText says a size.
func bytesText(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1e6:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	case n < 1e9:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(n)/1e9)
}

// moment is a flag for a point in time: an ISO 8601 time, a day, or a duration, back from now or (with ahead) from now
// on.
type moment struct {
	time.Time
	ahead bool
}

func (m *moment) String() string {
	if m.IsZero() {
		return ""
	}
	return m.UTC().Format(isoTime)
}

func (m *moment) Type() string { return "time" }

// Set reads the flag.
func (m *moment) Set(s string) error {
	if d, err := duration(s); err == nil {
		if !m.ahead {
			d = -d
		}
		m.Time = time.Now().Add(d)
		return nil
	}
	for _, form := range []string{time.RFC3339Nano, "2006-01-02T15:04", time.DateOnly} {
		if t, err := time.Parse(form, s); err == nil {
			m.Time = t
			return nil
		}
	}
	return fmt.Errorf("it is a time such as 2026-03-01T12:00:00Z, a day such as 2026-03-01 (UTC), or a duration such " +
		"as 90s, 15m, 12h or 7d")
}

// span is a flag for a duration; a number alone is seconds.
type span time.Duration

func (d *span) String() string {
	if *d == 0 {
		return ""
	}
	text := time.Duration(*d).String()
	if whole, ok := strings.CutSuffix(text, "h0m0s"); ok {
		return whole + "h"
	}
	return text
}

func (d *span) Type() string { return "duration" }

// Set reads the flag.
func (d *span) Set(s string) error {
	v, err := duration(s)
	if err != nil {
		return fmt.Errorf("it is seconds, or a duration such as 90s, 15m, 12h or 7d")
	}
	*d = span(v)
	return nil
}

// mostDays keeps a duration from overflowing.
const mostDays = 36500

// duration reads 30, 90s, 15m, 12h, 7d or 2w.
func duration(s string) (time.Duration, error) {
	for unit, days := range map[string]int{"d": 1, "w": 7} {
		if number, ok := strings.CutSuffix(s, unit); ok {
			n, err := strconv.Atoi(number)
			if err != nil || n < 0 || n*days > mostDays {
				return 0, strconv.ErrRange
			}
			return time.Duration(n*days) * 24 * time.Hour, nil
		}
	}
	if n, err := strconv.Atoi(s); err == nil {
		if n < 0 || n > mostDays*24*3600 {
			return 0, strconv.ErrRange
		}
		return time.Duration(n) * time.Second, nil
	}
	d, err := time.ParseDuration(s)
	if err == nil && d < 0 {
		err = strconv.ErrRange
	}
	return d, err
}
