package code

import (
	"bytes"
	"unicode/utf8"
)

// span is a part of the text.
type span struct{ start, end int }

func (s span) size() int { return s.end - s.start }

// maxGroups bounds the groups of a number that are read.
const maxGroups = 8

// number looks at the digits from start to end and at the groups of digits that follow after single spaces. Groups
// of one size are one number; three or more of different sizes are a phone number and no code.
func (p *page) number(start, end int) int {
	if end-start < 3 && (end == len(p.text) || p.text[end] != ' ') {
		return end // the most are days, hours and the like
	}
	groups := [maxGroups]span{{start, end}}
	n := 1
	for at := end; n < maxGroups; n++ {
		next := p.digitsAfter(at)
		if next.size() == 0 {
			break
		}
		groups[n] = next
		at = next.end
	}
	all := groups[:n]
	if n > 1 {
		if last := all[n-1].end; p.grouped(all) || p.longGroups(all) || p.oddGroups(all) || isPhone(p.text, all) {
			return last
		}
	}
	if last := p.halves(start, end); last > end {
		return last
	}
	p.plainNumber(start, end)
	return end
}

// halves keeps two groups of three digits that are set further apart than by a space, in two cells or by a dash with
// spaces, or of three or four with a dot between. It returns where they end, or end if there are none. Amid text they
// are a range.
func (p *page) halves(start, end int) int {
	size := end - start
	if size < 3 || size > 4 || end == len(p.text) {
		return end
	}
	at := end + dotAt(p.text[end:])
	switch rest := p.text[end:]; {
	case size > 3:
	case bytes.HasPrefix(rest, []byte(" - ")), bytes.HasPrefix(rest, []byte("\t-\t")):
		at += 3
	case rest[0] == '\t':
		at++
	}
	last := at
	for last < len(p.text) && isDigit(p.text[last]) {
		last++
	}
	if at == end || last-at != size || last < len(p.text) && isLetter(p.text[last]) {
		return end
	}
	t := token{start: start, end: last, shape: shapeGroups, malus: 0.5}
	if s := p.standing(&t); s == inOwnCell || s == amidText && p.joinedTo(start) != byVerb {
		return end
	}
	t.code = p.digitsOf(start, last)
	p.keep(t)
	return last
}

// oddGroups keeps groups of two to four digits of different sizes that end with their line or sentence: 850 117 22.
// Before other words the last group is rather a number of its own.
func (p *page) oddGroups(groups []span) bool {
	total := 0
	for _, g := range groups {
		if g.size() < 2 || g.size() > 4 {
			return false
		}
		total += g.size()
	}
	last := groups[len(groups)-1].end
	if last < len(p.text) && p.text[last] == ' ' || !isOdd(groups, total) || total < 6 || hasYear(p.text, groups) ||
		total > 7 && p.text[groups[0].start] == '0' {
		return false
	}
	p.keepOdd(groups)
	return true
}

// digitsAfter is the group of digits that follows at i after one space, if it ends as a group does.
func (p *page) digitsAfter(i int) span {
	text := p.text
	if i >= len(text) || text[i] != ' ' {
		return span{}
	}
	s := span{i + 1, i + 1}
	for s.end < len(text) && isDigit(text[s.end]) {
		s.end++
	}
	if s.end < len(text) && (isLetter(text[s.end]) || text[s.end] == ':' && s.size() <= 2) {
		return span{}
	}
	return s
}

// grouped keeps groups of one size as one number: 123 456.
func (p *page) grouped(groups []span) bool {
	if !isUniform(groups) {
		return false
	}
	size := groups[0].size()
	total := size * len(groups)
	if size < 2 || size > 4 || total > 9 || total < 4 {
		return false
	}
	t := token{start: groups[0].start, end: groups[len(groups)-1].end, shape: shapeGroups}
	t.code = p.digitsOf(t.start, t.end)
	switch {
	case size == 2 && total == 4, size == 4 && isYear(t.code[:4]) && isYear(t.code[4:]):
		return false
	case size == 2 && isShortDate(t.code):
		t.malus = 1
	case total == 9:
		t.malus = 1
	}
	p.keep(t)
	return true
}

// isUniform says whether all groups have one size.
func isUniform(groups []span) bool {
	for _, g := range groups[1:] {
		if g.size() != groups[0].size() {
			return false
		}
	}
	return true
}

// forLong is what a number of ten digits loses, unless it is said to be a verification code: most are phone numbers.
const forLong = 3

// longGroups keeps ten or twelve digits in groups, as phone numbers are written too: 123 456 7890, 12345 67890.
func (p *page) longGroups(groups []span) bool {
	first, last := groups[0], groups[len(groups)-1]
	total := 0
	for _, g := range groups {
		total += g.size()
	}
	switch {
	case total == 10 && len(groups) < 4 && first.size() >= 3 && last.size() >= first.size() &&
		p.text[first.start] != '0':
	case total == 12 && first.size() > 2 && isUniform(groups):
	default:
		return false
	}
	t := token{start: first.start, end: last.end, shape: shapeGroups, malus: forLong, long: true}
	t.code = p.digitsOf(t.start, t.end)
	p.keep(t)
	return true
}

// isPhone says whether groups of different sizes are parts of one long number.
func isPhone(text []byte, groups []span) bool {
	total, short := 0, 0
	for _, g := range groups {
		total += g.size()
		if g.size() < 2 {
			short++
		}
	}
	if len(groups) > 2 {
		return total >= 7 && short < 2
	}
	return total >= 9 && text[groups[0].start] == '0'
}

// plainNumber keeps a run of digits.
func (p *page) plainNumber(start, end int) {
	n := end - start
	if n < 4 || n > 10 {
		return
	}
	t := token{start: start, end: end, code: p.text[start:end], shape: shapeDigits}
	switch {
	case n == 4 && isYear(t.code):
		t.malus = 2.5
		if p.endsDate(start) {
			t.malus = 6
		}
	case n == 8 && isLongDate(t.code):
		t.malus = 2
	case n == 9:
		t.malus = 1.5
	case n == 10:
		t.malus, t.long = forLong, true
	}
	p.keep(t)
}

// digitsOf is the text from start to end without what parts its groups.
func (p *page) digitsOf(start, end int) []byte {
	from := len(p.parted)
	for _, c := range p.text[start:end] {
		if isAlnum(c) {
			p.parted = append(p.parted, c)
		}
	}
	return p.parted[from:]
}

// endsDate says whether a day comes right before the year at i, or before the name of the month there: 12 November
// 2026, November 12, 2026.
func (p *page) endsDate(i int) bool {
	before := bytes.TrimRight(p.text[max(0, i-24):i], " ")
	word := len(before)
	for word > 0 && (isLetter(before[word-1]) || before[word-1] >= utf8.RuneSelf || before[word-1] == '.') {
		word--
	}
	if len(before)-word > 0 {
		before = bytes.TrimRight(before[:word], " ")
		before = bytes.TrimSuffix(before, []byte("."))
	} else {
		before = bytes.TrimSuffix(before, []byte(","))
	}
	n := 0
	for n < len(before) && isDigit(before[len(before)-1-n]) {
		n++
	}
	return n == 1 || n == 2 && string(before[len(before)-2:]) <= "31"
}

func isYear(s []byte) bool { return string(s) >= "1900" && string(s) < "2100" }

// isLongDate is 20240312, 12032024 or 03122024.
func isLongDate(s []byte) bool {
	return isYear(s[:4]) && isDayMonth(s[6:8], s[4:6]) ||
		isYear(s[4:]) && (isDayMonth(s[:2], s[2:4]) || isDayMonth(s[2:4], s[:2]))
}

// isShortDate is 12 03 24 in any order of day and month.
func isShortDate(s []byte) bool {
	return len(s) == 6 && (isDayMonth(s[:2], s[2:4]) || isDayMonth(s[2:4], s[:2])) && string(s[4:]) >= "20" &&
		string(s[4:]) < "40"
}

func isDayMonth(day, month []byte) bool {
	return string(day) >= "01" && string(day) <= "31" && string(month) >= "01" && string(month) <= "12"
}

// singles looks at characters that stand one by one, as in a row of cells: four to eight, and none next to them.
func (p *page) singles(i int) int {
	text := p.text
	var code [9]byte
	n, digits, at, last := 0, 0, i, i
	for at < len(text) && n < len(code) && (isSingle(text, at) || n >= 3 && endsSingles(text, at)) {
		code[n] = text[at]
		if n++; isDigit(text[at]) {
			digits++
		}
		last = at + 1
		if at = nextSingle(text, last); at == last {
			break
		}
	}
	if n < 4 {
		return i
	}
	t := token{start: i, end: last, code: p.digitsOf(i, last), shape: shapeSingles}
	switch {
	case n > 8 || digits == 0 || digits < n && text[i+1] == ' ' && digits < 2:
		return last
	case isRising(code[:n]):
		t.malus = 4 // stars to give, pages to go to
	}
	p.keep(t)
	return last
}

// isSingle is a digit or capital with nothing of its kind next to it.
func isSingle(text []byte, i int) bool {
	if !isDigit(text[i]) && !isUpper(text[i]) {
		return false
	}
	return i+1 == len(text) || !isAlnum(text[i+1]) && text[i+1] != '.' && text[i+1] != ')'
}

// endsSingles is a digit at the end of a sentence, the last of those that stand one by one.
func endsSingles(text []byte, i int) bool {
	return isDigit(text[i]) && i+1 < len(text) && text[i+1] == '.' && (i+2 == len(text) || text[i+2] == ' ' ||
		text[i+2] == '\n')
}

// nextSingle is where the next of the characters may be that stand one by one: after white space, and a dash or a dot
// that may have a cell of its own.
func nextSingle(text []byte, i int) int {
	for n := 0; n < 5 && i < len(text); n++ {
		size := 0
		switch c := text[i]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '-' || c == '|':
			size = 1
		case c >= utf8.RuneSelf:
			size = dotAt(text[i:])
		}
		if size == 0 {
			return i
		}
		i += size
	}
	return i
}

// dotAt is the length of the dot in the middle of the line that text begins with, 0 if there is none.
func dotAt(text []byte) int {
	switch r, n := utf8.DecodeRune(text); r {
	case '·', '•', '‧', '∙', '⋅':
		return n
	}
	return 0
}

func isRising(code []byte) bool {
	for i := 1; i < len(code); i++ {
		if code[i] != code[i-1]+1 {
			return false
		}
	}
	return true
}
