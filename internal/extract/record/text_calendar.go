package record

import (
	"strings"
	"unicode/utf8"
)

// appointment reads the appointment that the mail is about.
func (r *reader) appointment() (c Calendar, ok bool) {
	c = Calendar{Source: FromText}
	points := [...]float64{notSaid: 0, below: 0.1, atHead: 0.25, inSubject: 0.35}[r.said(apptSaid)]
	start, end, sure := r.moments()
	if start.date() == "" {
		return c, false
	}
	points += sure
	if start.timed {
		points += 0.1
	}
	c.Date, c.Time, c.Timezone, c.End = start.date(), start.clock(), start.zone, start.until(end)
	if c.Location = r.labelledText(where); c.Location != "" {
		points += 0.1
	}
	if title := r.labelledText(what); title != "" {
		c.Title = title
		points += 0.05
	}
	c.Title = either(c.Title, plainSubject(r.mail.Subject))
	c.Organizer = Person{Name: r.labelledText(host)}
	points -= r.promoted()
	if r.said(orderDone) >= atHead || r.said(shipped|transit|outFor|delivered|exception) >= atHead {
		points -= 0.25
	}
	if r.said(receipt|paidSaid|invoice) >= atHead {
		points -= 0.15
	}
	if r.said(secret) >= atHead && r.said(apptSaid) < inSubject { // a meeting may have a passcode
		points -= 0.3
	}
	c.Location = either(c.Location, r.meetingLink())
	c.Confidence, ok = confidence(points)
	if r.cancelled() {
		c.Method = "CANCEL"
	}
	return c, ok
}

// moments returns when the appointment is: after a label, else in a sentence about one. sure are points for how it was
// said.
func (r *reader) moments() (start, end moment, sure float64) {
	for _, label := range []struct {
		means meaning
		sure  float64
	}{{when, 0.3}, {checkIn, 0.25}, {timeIs, 0.25}, {dateIs, 0.2}} {
		r.each(label.means, func(i int, h hit) bool {
			sure = label.sure
			if r.inHeader(i) {
				return false
			}
			if l := &r.page.lines[i]; i == 0 || !l.isLabel(h) {
				if i == 0 || !h.is(when) || !r.dateFollows(i, h) {
					return false
				}
				sure = 0.25 + 0.15*float64(b2i(l.means(appt|apptSaid) > 0 && r.said(apptSaid) < atHead))
			}
			start, end = r.momentOf(i, h)
			return start.date() != ""
		})
		if start.date() != "" {
			return start, end, sure
		}
	}
	return r.momentInSentence()
}

// inHeader says whether a line is among the header lines of a quoted mail, whose date is no appointment.
func (r *reader) inHeader(i int) bool {
	for j := max(0, i-2); j < len(r.page.lines) && j <= i+2; j++ {
		field, rest, ok := strings.Cut(r.page.lines[j].folded, ":")
		if ok && strings.IndexByte(rest, '@') > 0 && strings.Contains(" from to von an de a para da van aan od do "+
			"fra til fran till от кому 发件人 收件人 差出人 宛先 보낸사람 받는사람 ", " "+field+" ") {
			return true
		}
	}
	return false
}

// dateFollows says whether a day stands directly after a phrase.
func (r *reader) dateFollows(i int, h hit) bool {
	list := dates(r.page.lines[i].folded[h.to:])
	return len(list) > 0 && list[0].from < 25 && !list[0].loose
}

// momentOf reads day, time and end after a label. The time may have a label of its own.
func (r *reader) momentOf(i int, h hit) (start, end moment) {
	for _, v := range r.page.values(i, h) {
		if v.at != i && v.line.startsLabel(timeIs) {
			break
		}
		start, end = r.momentsIn(v.line, v.from, v.to)
		if start.known() {
			if !start.timed {
				r.addTime(&start, &end, v.at)
			}
			break
		}
		if v.at != i {
			break
		}
	}
	if end.known() || !start.known() {
		return start, end
	}
	r.each(checkOut, func(i int, h hit) bool {
		if !r.page.lines[i].isLabel(h) {
			return false
		}
		for _, v := range r.page.values(i, h) {
			if last, _ := r.momentsIn(v.line, v.from, v.to); last.date() >= start.date() && last.known() {
				end = last
				return true
			}
		}
		return false
	})
	return start, end
}

// meetingLink returns the address of a meeting that takes place on screens.
func (r *reader) meetingLink() string {
	for _, l := range r.page.links {
		for _, host := range []string{"zoom.us/j/", "meet.google.com/", "teams.microsoft.com/l/meetup",
			"teams.live.com/meet", "webex.com/", "whereby.com/", "meet.jit.si/"} {
			if strings.Contains(l.url, host) {
				return l.url
			}
		}
	}
	return ""
}

// momentsIn reads the first day of a range of a line, with the time after or before it.
func (r *reader) momentsIn(l *line, from, to int) (start, end moment) {
	folded := l.folded[from:to]
	list := dates(folded)
	if len(list) == 0 || list[0].from > 80 {
		return start, end
	}
	d := list[0]
	if d.loose && d.from > 12 && !timeFollows(folded, d.to) {
		return start, end
	}
	start = r.read(d, false, true)
	for _, c := range clocks(folded) {
		if c.bare || c.from < d.to && c.to > d.from || c.from > d.to+40 || c.to < d.from-30 {
			continue
		}
		if !start.timed {
			start.timed, start.hour, start.minute, start.zone = true, c.hour, c.minute, zoneOf(l.original(from, to))
			continue
		}
		end = start
		end.hour, end.minute = c.hour, c.minute
		break
	}
	if len(list) > 1 && list[1].from-d.to < 40 {
		last := r.read(list[1], false, true)
		end.year, end.month, end.day = last.year, last.month, last.day
	}
	if end.known() && end.date() < start.date() || end.date() == start.date() && end.clock() < start.clock() {
		end = moment{}
	}
	return start, end
}

// timeFollows says whether a time of day stands shortly after a place.
func timeFollows(folded string, at int) bool {
	list := clocks(folded[at:])
	return len(list) > 0 && list[0].from < 8 && !list[0].bare
}

// addTime takes the time from the next line, or from a label of its own, close by.
func (r *reader) addTime(start, end *moment, at int) {
	if at+1 < len(r.page.lines) {
		next := r.page.lines[at+1].folded
		if list := clocks(next); len(list) > 0 && list[0].from < 6 && len(next) < 16 && !list[0].bare {
			start.timed, start.hour, start.minute = true, list[0].hour, list[0].minute
			return
		}
	}
	for i := max(1, at-2); i < len(r.page.lines) && i <= at+4; i++ {
		l := &r.page.lines[i]
		for _, h := range l.hits {
			if !h.is(timeIs) || !l.isLabel(h) {
				continue
			}
			for _, v := range r.page.values(i, h) {
				list := clocks(v.folded())
				if len(list) == 0 || list[0].from > 20 {
					continue
				}
				start.timed, start.hour, start.minute, start.zone = true, list[0].hour, list[0].minute, zoneOf(v.text())
				if len(list) > 1 && list[1].from-list[0].to < 12 {
					*end = *start
					end.hour, end.minute = list[1].hour, list[1].minute
				}
				return
			}
		}
	}
}

// momentInSentence reads a day with a time on a line that speaks of an appointment.
func (r *reader) momentInSentence() (start, end moment, sure float64) {
	said := r.said(apptSaid)
	for i := range r.page.lines {
		l := &r.page.lines[i]
		if i > 40 {
			break
		}
		spoken := r.page.has(appt|apptSaid, i, i+1)
		if !spoken && said < atHead {
			continue
		}
		s, e := r.momentsIn(l, 0, len(l.folded))
		switch {
		case s.date() == "":
		case i == 0 && spoken: // a subject with the day
			return s, e, 0.2
		case spoken && s.timed:
			return s, e, 0.25 + 0.15*float64(b2i(said < atHead))
		case said >= atHead && s.timed:
			return s, e, 0.2
		case said >= atHead && !start.known():
			start, end, sure = s, e, 0.1
		}
	}
	return start, end, sure
}

// labelledText returns what stands after a label, in one line.
func (r *reader) labelledText(m meaning) (text string) {
	r.each(m, func(i int, h hit) bool {
		l := &r.page.lines[i]
		if i == 0 || !l.isLabel(h) || !l.colonAfter(h) {
			return false
		}
		for _, v := range r.page.values(i, h) {
			if v.at != i && (v.line.startsLabel(0) || v.to-v.from > 120) {
				break
			}
			if s := squeeze(strings.ReplaceAll(v.text(), "\t", " ")); s != "" && len(s) < 200 && !v.line.url {
				text = strings.Trim(s, " :")
				return true
			}
		}
		return false
	})
	return text
}

// cancelled says whether the subject or the first lines say that the appointment is off.
func (r *reader) cancelled() bool {
	for i := 0; i < len(r.page.lines) && i < 8; i++ {
		l := &r.page.lines[i]
		if (i == 0 || len(l.text) < 80) && particles().In(l.folded).Any(calledOff) &&
			!strings.Contains(l.folded, "policy") && !strings.Contains(l.folded, "free cancel") {
			return true
		}
	}
	return false
}

// plainSubject returns a subject without what is before a colon, as in "Invitation: Lunch @ Mon…" and "Re: …".
func plainSubject(s string) string {
	s = squeeze(s)
	for range 3 {
		before, after, ok := strings.Cut(s, ": ")
		if !ok || utf8.RuneCountInString(before) > 22 || strings.Count(before, " ") > 2 || after == "" {
			break
		}
		s = strings.TrimSpace(after)
	}
	if before, _, ok := strings.Cut(s, " @ "); ok { // QUIRK: Google puts the time after it
		s = before
	}
	return s
}
