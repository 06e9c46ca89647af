package record

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// dated is a day in a folded text.
type dated struct {
	from, to int
	moment
	swapped moment // the other reading of 03/04, if there is one
	loose   bool   // two numbers, which can be much else
}

// token is a number, a word or a sign of a folded text.
type token struct {
	from, to int
	n        int // of a number
	digits   int // how many it has, 0 for what is no number
	word     string
}

func (t token) is(word string) bool { return t.digits == 0 && t.word == word }

// maxTokens is how many are read of one text.
const maxTokens = 1000

// tokens takes a folded text apart, if there is a number in it. A character of East Asian scripts is a token of its
// own.
func tokens(s string) []token {
	if !strings.ContainsAny(s, "0123456789") { // no day and no time without a number
		return nil
	}
	list := make([]token, 0, 16)
	for i := 0; i < len(s) && len(list) < maxTokens; {
		r, size := utf8.DecodeRuneInString(s[i:])
		t := token{from: i, to: i + size}
		switch {
		case unicode.IsSpace(r):
			i += size
			continue
		case r < utf8.RuneSelf && isDigit(s[i]):
			for t.to = i; t.to < len(s) && isDigit(s[t.to]); t.to++ {
				t.digits++
				t.n = min(t.n*10+int(s[t.to]-'0'), 1<<30)
			}
		case isWord(r) && r < 0x2e80:
			for t.to < len(s) {
				next, size := utf8.DecodeRuneInString(s[t.to:])
				if !isWord(next) || next >= 0x2e80 || unicode.IsDigit(next) {
					break
				}
				t.to += size
			}
		}
		t.word = s[t.from:t.to]
		list = append(list, t)
		i = t.to
	}
	return list
}

// dates returns the days that are written in a folded text.
func dates(s string) []dated {
	ts := tokens(s)
	var found []dated
	for i := 0; i < len(ts); {
		d, n := dateAt(ts[i:])
		if n == 0 || continues(ts, i) {
			i++
			continue
		}
		d.from, d.to = ts[i].from, ts[i+n-1].to
		found = append(found, d)
		i += n
	}
	return found
}

// continues says whether a number goes on from another one before it: as in 1.14.03.2026.
func continues(ts []token, i int) bool {
	if i < 2 || ts[i].digits == 0 || ts[i-1].to != ts[i].from || ts[i-2].digits == 0 || ts[i-2].to != ts[i-1].from {
		return false
	}
	return isPart(ts[i-1]) || ts[i-1].is(":") || ts[i-1].is(",")
}

// dateAt reads the date that begins with the first token, and returns how many it has.
func dateAt(ts []token) (d dated, n int) {
	first := ts[0]
	switch {
	case first.digits > 4 || first.digits == 3:
	case first.digits == 4:
		for _, form := range []func([]token) (dated, int){yearFirst, eastAsian, yearAndName} {
			if d, n = form(ts); n > 0 {
				return d, n
			}
		}
	case first.digits > 0:
		for _, form := range []func([]token) (dated, int){eastAsian, numeric, dayAndName, vietnamese, dayAndMonth} {
			if d, n = form(ts); n > 0 {
				return d, n
			}
		}
	case first.is("令") || first.is("r"):
		return reiwa(ts)
	case months()[first.word] > 0:
		return nameAndDay(ts)
	}
	return dated{}, 0
}

// day makes a date of its parts, if there is such a day.
func day(year, month, day, n int) (dated, int) {
	if year >= 2500 && year < 2700 { // Thailand counts from the Buddha
		year -= 543
	}
	if !isDay(year, month, day) || year != 0 && (year < minYear || year > maxYear) {
		return dated{}, 0
	}
	return dated{moment: moment{year: year, month: month, day: day}}, n
}

// yearFirst reads 2026-03-14, 2026/3/14 and 2026. 3. 14.
func yearFirst(ts []token) (dated, int) {
	if len(ts) < 5 || !isPart(ts[1]) || ts[3].word != ts[1].word || ts[2].digits == 0 || ts[2].digits > 2 ||
		ts[4].digits == 0 || ts[4].digits > 2 || ts[1].from != ts[0].to {
		return dated{}, 0
	}
	return day(ts[0].n, ts[2].n, ts[4].n, 5)
}

func isPart(t token) bool { return t.is("-") || t.is("/") || t.is(".") }

// numeric reads 14.03.2026, 03/14/2026 and 14-3-26.
func numeric(ts []token) (d dated, n int) {
	if len(ts) < 5 || !isPart(ts[1]) || ts[3].word != ts[1].word || ts[2].digits == 0 || ts[2].digits > 2 ||
		ts[1].from != ts[0].to || ts[3].from != ts[2].to {
		return d, 0
	}
	year := ts[4].n
	switch {
	case ts[4].digits == 2 && year >= 10 && year < 60 && ts[4].from == ts[3].to && (ts[0].digits == 2 || ts[1].is("/")):
		year += 2000
	case ts[4].digits != 4:
		return d, 0
	}
	if len(ts) > 6 && ts[5].word == ts[1].word && ts[5].from == ts[4].to && ts[6].digits > 0 && ts[6].from == ts[5].to {
		return d, 0 // the address of a machine, a version
	}
	d, n = day(year, ts[2].n, ts[0].n, 5)
	if ts[1].is(".") {
		return d, n
	}
	other, m := day(year, ts[0].n, ts[2].n, 5)
	switch {
	case n == 0:
		return other, m
	case m > 0 && ts[0].n != ts[2].n:
		d.swapped = other.moment
	}
	return d, n
}

// dayAndMonth reads 14.03. and 14/3, which may be something else.
func dayAndMonth(ts []token) (d dated, n int) {
	if len(ts) < 3 || !isPart(ts[1]) || ts[1].is("-") || ts[2].digits == 0 || ts[2].digits > 2 ||
		ts[1].from != ts[0].to || ts[2].from != ts[1].to {
		return d, 0
	}
	n = 3
	followed := len(ts) > 3 && ts[3].from == ts[2].to
	switch {
	case ts[1].is("."):
		if !followed || !ts[3].is(".") || len(ts) > 4 && ts[4].from == ts[3].to && ts[4].digits > 0 {
			return d, 0
		}
		n = 4
	case followed && (isPart(ts[3]) && !ts[3].is(".") || ts[3].digits > 0 || ts[3].is("x")):
		return d, 0
	}
	d, m := day(0, ts[2].n, ts[0].n, n)
	other, k := day(0, ts[0].n, ts[2].n, n)
	switch {
	case m == 0 && k > 0 && ts[1].is("/"):
		d, m = other, k
	case k > 0 && ts[1].is("/") && ts[0].n != ts[2].n:
		d.swapped = other.moment
	}
	d.loose = true
	return d, m
}
