package record

// skipFillers steps over at most three words and signs between the parts of a date.
func skipFillers(ts []token, i int) int {
	for end := i + 3; i < end && i < len(ts) && ts[i].digits == 0 && fillers()[ts[i].word]; {
		i++
	}
	return i
}

// yearAt reads a year at or after fillers; short says whether 26 is one.
func yearAt(ts []token, i int, short bool) (year, next int) {
	j := skipFillers(ts, i)
	if j >= len(ts) {
		return 0, i
	}
	t := ts[j]
	quoted := j > i && ts[j-1].is("'")
	switch {
	case t.digits == 4 && (t.n >= minYear && t.n <= maxYear || t.n >= 2500 && t.n < 2700):
		return t.n, j + 1
	case t.digits == 2 && (quoted || short) && t.n >= 10 && t.n < 60 && !(j+1 < len(ts) && ts[j+1].is(":")):
		return 2000 + t.n, j + 1
	}
	return 0, i
}

// dayAndName reads 14 March 2026, 14. März 2026, 14 de março de 2026 and 14-Mar-26.
func dayAndName(ts []token) (d dated, n int) {
	if ts[0].n == 0 || ts[0].n > 31 {
		return d, 0
	}
	i := skipFillers(ts, 1)
	if i >= len(ts) || months()[ts[i].word] == 0 {
		return d, 0
	}
	dashed := i > 1 && (ts[i-1].is("-") || ts[i-1].is("/"))
	year, next := yearAt(ts, i+1, dashed)
	if year == 0 && isWeakMonth(ts[i].word) {
		return d, 0
	}
	return day(year, months()[ts[i].word], ts[0].n, next)
}

// nameAndDay reads March 14, 2026. A weekday can look like a month, as in mar. 14 mars: then the day goes with the
// other.
func nameAndDay(ts []token) (d dated, n int) {
	i := skipFillers(ts, 1)
	if i >= len(ts) || ts[i].digits == 0 || ts[i].digits > 2 {
		return d, 0
	}
	if i+1 < len(ts) && (ts[i+1].is(":") || ts[i+1].is("h") || ts[i+1].is("%") || ts[i+1].is("$") || ts[i+1].is("€")) {
		return d, 0
	}
	if j := skipFillers(ts, i+1); j < len(ts) && months()[ts[j].word] > 0 && !ts[j-1].is("-") {
		return d, 0
	}
	year, next := yearAt(ts, i+1, false)
	if year == 0 && isWeakMonth(ts[0].word) {
		return d, 0
	}
	return day(year, months()[ts[0].word], ts[i].n, next)
}

// yearAndName reads 2026. március 14. and 2026 m. kovo 14 d.
func yearAndName(ts []token) (d dated, n int) {
	i := skipFillers(ts, 1)
	if i >= len(ts) || months()[ts[i].word] == 0 || ts[0].n < minYear {
		return d, 0
	}
	j := skipFillers(ts, i+1)
	if j >= len(ts) || ts[j].digits == 0 || ts[j].digits > 2 {
		return d, 0
	}
	return day(ts[0].n, months()[ts[i].word], ts[j].n, j+1)
}

// eastAsian reads 2026年3月14日, 3月14日 and the same in Korean.
func eastAsian(ts []token) (d dated, n int) {
	year, i := 0, 0
	if len(ts) > 2 && isOne(ts[1], "年", "년") {
		year, i = ts[0].n, 2
		if ts[0].digits == 2 {
			year += 2000
		}
	}
	if len(ts) < i+4 || ts[i].digits == 0 || !isOne(ts[i+1], "月", "월") || ts[i+2].digits == 0 ||
		!isOne(ts[i+3], "日", "일", "号", "號") {
		return d, 0
	}
	return day(year, ts[i].n, ts[i+2].n, i+4)
}

// reiwa reads 令和8年3月14日.
func reiwa(ts []token) (d dated, n int) {
	i := 1
	if len(ts) > 2 && ts[0].is("令") && ts[1].is("和") {
		i = 2
	}
	if len(ts) <= i || ts[i].digits == 0 || ts[i].n > 60 {
		return d, 0
	}
	if d, n = eastAsian(ts[i:]); n == 0 || d.year == 0 {
		return dated{}, 0
	}
	return day(2018+ts[i].n, d.month, d.day, n+i)
}

// vietnamese reads 14 tháng 3, 2026 and 14 tháng 3 năm 2026.
func vietnamese(ts []token) (d dated, n int) {
	if len(ts) < 3 || !ts[1].is("thang") || ts[2].digits == 0 {
		return d, 0
	}
	year, next := 0, 3
	if len(ts) > 4 && (ts[3].is("nam") || ts[3].is(",")) && ts[4].digits == 4 {
		year, next = ts[4].n, 5
	}
	return day(year, ts[2].n, ts[0].n, next)
}

func isOne(t token, words ...string) bool {
	for _, w := range words {
		if t.is(w) {
			return true
		}
	}
	return false
}
