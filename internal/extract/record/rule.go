package record

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mailkin/mailkin/internal/extract/ics"
	"github.com/mailkin/mailkin/internal/mailbox"
)

// rule is how a series goes on (RFC 5545 3.3.10), as far as it has to be known to find its next day.
type rule struct {
	freq       string
	interval   int
	count      int
	until      time.Time
	byMonth    []int
	byMonthDay []int
	byDay      []weekday
	bySetPos   []int
	weekStart  time.Weekday
	odd        bool // there are parts that are not followed here
}

// weekday is MO, or 2TU, the second Tuesday, or -1FR, the last Friday.
type weekday struct {
	n   int
	day time.Weekday
}

var weekdays = map[string]time.Weekday{
	"SU": time.Sunday, "MO": time.Monday, "TU": time.Tuesday, "WE": time.Wednesday, "TH": time.Thursday,
	"FR": time.Friday, "SA": time.Saturday,
}

// readRule reads an RRULE.
func readRule(s string) rule {
	r := rule{interval: 1, weekStart: time.Monday}
	for part := range strings.SplitSeq(strings.ToUpper(mailbox.Cut(s, 1000)), ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		switch name {
		case "FREQ":
			r.freq = value
		case "INTERVAL":
			r.interval = atLeastOne(value)
		case "COUNT":
			r.count = atLeastOne(value)
		case "UNTIL":
			if m, ok := icsMoment(&ics.Property{Value: value}); ok {
				r.until = m.time()
				if !m.timed {
					r.until = r.until.Add(day24 - time.Second)
				}
			}
		case "BYMONTH":
			r.byMonth = numbers(value)
		case "BYMONTHDAY":
			r.byMonthDay = numbers(value)
		case "BYSETPOS":
			r.bySetPos = numbers(value)
		case "BYDAY":
			r.byDay = readWeekdays(value)
		case "WKST":
			if d, ok := weekdays[value]; ok {
				r.weekStart = d
			}
		case "BYYEARDAY", "BYWEEKNO", "RSCALE":
			r.odd = true
		}
	}
	return r
}

func atLeastOne(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || n > 100000 {
		return 1
	}
	return n
}

func numbers(s string) []int {
	var list []int
	for part := range strings.SplitSeq(s, ",") {
		if n, err := strconv.Atoi(strings.TrimSpace(part)); err == nil && n >= -400 && n <= 400 {
			list = append(list, n)
		}
	}
	return list
}

func readWeekdays(s string) []weekday {
	var list []weekday
	for part := range strings.SplitSeq(s, ",") {
		part = strings.TrimSpace(part)
		if len(part) < 2 {
			continue
		}
		d, ok := weekdays[part[len(part)-2:]]
		n, err := strconv.Atoi(part[:len(part)-2])
		if ok && (err == nil && n >= -53 && n <= 53 || len(part) == 2) {
			list = append(list, weekday{n, d})
		}
	}
	return list
}

// maxPeriods is how many days, weeks, months or years of a series are gone through.
const maxPeriods = 30000

// next returns the first day of a series from start that is not before after and not among the days left out.
func (r *rule) next(start, after time.Time, except map[string]bool) (time.Time, bool) {
	seen := 0
	for i := range maxPeriods {
		days, ok := r.period(start, i)
		if !ok {
			break
		}
		for _, d := range days {
			if d.Before(start) {
				continue
			}
			seen++
			if r.count > 0 && seen > r.count || !r.until.IsZero() && d.After(r.until) || d.Year() > maxYear {
				return time.Time{}, false
			}
			if !d.Before(after) && !except[d.Format(time.DateOnly)] {
				return d, true
			}
		}
	}
	return time.Time{}, false
}

// period returns the days of the series in its i-th day, week, month or year.
func (r *rule) period(start time.Time, i int) (days []time.Time, ok bool) {
	step := i * r.interval
	if r.odd || step > maxPeriods*10 {
		return nil, false
	}
	at := start
	switch r.freq {
	case "DAILY":
		at = start.AddDate(0, 0, step)
		days = r.keep([]time.Time{at})
	case "WEEKLY":
		at = start.AddDate(0, 0, 7*step)
		days = r.keep(r.inWeek(start, step))
	case "MONTHLY":
		at = start.AddDate(0, step, 1-start.Day())
		if len(r.byMonth) == 0 || slices.Contains(r.byMonth, int(at.Month())) {
			days = r.pick(r.inMonth(at, start.Day()))
		}
	case "YEARLY":
		at = start.AddDate(step, 0, 0)
		days = r.pick(r.inYear(at))
		if at.Day() != start.Day() { // 29 February
			days = nil
		}
	default:
		return nil, false
	}
	return days, at.Year() <= maxYear
}

// keep leaves out the days that the rule does not allow.
func (r *rule) keep(days []time.Time) []time.Time {
	return slices.DeleteFunc(days, func(d time.Time) bool {
		if len(r.byMonth) > 0 && !slices.Contains(r.byMonth, int(d.Month())) {
			return true
		}
		if len(r.byMonthDay) > 0 && !slices.Contains(r.byMonthDay, d.Day()) {
			return true
		}
		return len(r.byDay) > 0 && !slices.ContainsFunc(r.byDay, func(w weekday) bool { return w.day == d.Weekday() })
	})
}

func (r *rule) inWeek(start time.Time, step int) []time.Time {
	first := start.AddDate(0, 0, -(int(start.Weekday()-r.weekStart)+7)%7+7*step)
	if len(r.byDay) == 0 {
		return []time.Time{start.AddDate(0, 0, 7*step)}
	}
	var days []time.Time
	for i := range 7 {
		days = append(days, first.AddDate(0, 0, i))
	}
	return days
}

// inYear returns the days of a year; from is the day of the series' start in that year.
func (r *rule) inYear(from time.Time) []time.Time {
	if len(r.byMonth) == 0 && len(r.byDay) == 0 && len(r.byMonthDay) == 0 {
		return []time.Time{from}
	}
	list := r.byMonth
	if len(list) == 0 {
		list = []int{int(from.Month())}
		if len(r.byDay) > 0 && len(r.byMonthDay) == 0 && r.byDay[0].n == 0 || len(r.byMonthDay) > 0 {
			list = []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}
		}
	}
	var days []time.Time
	for _, m := range list {
		month := time.Date(from.Year(), time.Month(m), 1, from.Hour(), from.Minute(), from.Second(), 0, time.UTC)
		days = append(days, r.inMonth(month, from.Day())...)
	}
	return days
}

// inMonth returns the days of the month whose first is given; day is the one if the rule names none.
func (r *rule) inMonth(month time.Time, day int) []time.Time {
	last := month.AddDate(0, 1, -1).Day()
	var days []time.Time
	for d := 1; d <= last; d++ {
		t := month.AddDate(0, 0, d-1)
		if len(r.byMonthDay) > 0 && !slices.Contains(r.byMonthDay, d) && !slices.Contains(r.byMonthDay, d-last-1) {
			continue
		}
		if len(r.byDay) > 0 && !slices.ContainsFunc(r.byDay, func(w weekday) bool {
			return w.day == t.Weekday() && (w.n == 0 || w.n == (d-1)/7+1 || w.n == -((last-d)/7+1))
		}) {
			continue
		}
		if len(r.byDay) == 0 && len(r.byMonthDay) == 0 && d != day {
			continue
		}
		days = append(days, t)
	}
	return days
}

// pick takes the days that BYSETPOS names.
func (r *rule) pick(days []time.Time) []time.Time {
	if len(r.bySetPos) == 0 {
		return days
	}
	var picked []time.Time
	for _, pos := range r.bySetPos {
		switch {
		case pos > 0 && pos <= len(days):
			picked = append(picked, days[pos-1])
		case pos < 0 && -pos <= len(days):
			picked = append(picked, days[len(days)+pos])
		}
	}
	return picked
}
