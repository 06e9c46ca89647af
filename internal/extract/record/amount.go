package record

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// amount is a number in a line, with its currency if there is one next to it.
type amount struct {
	from, to int // in the folded line, with the currency
	value    Decimal
	currency string // a code, or a shared sign, or empty
}

// maxAmounts is how many are read of one line.
const maxAmounts = 40

// amounts returns the numbers of a line that could be money. They are looked for once.
func (l *line) amounts() []amount {
	if !l.counted {
		l.money, l.counted = l.findAmounts(), true
	}
	return l.money
}

func (l *line) findAmounts() (found []amount) {
	s := l.folded
	floor := 0 // where the amount before ends
	for i := 0; i < len(s) && len(found) < maxAmounts; i++ {
		if !isDigit(s[i]) {
			continue
		}
		n, end := numberAt(s, i)
		a := amount{from: i, to: end, value: n}
		if n != "" && l.attach(&a, floor) {
			found = append(found, a)
			floor = a.to
		}
		i = max(i, end-1)
	}
	return found
}

// attach finds the currency and the sign of a number, and says whether it is one by itself, not part of a date, of a
// longer number or of a word. The currency begins not before floor.
func (l *line) attach(a *amount, floor int) bool {
	sign, from := l.signBefore(a.from, floor)
	code, to := l.signAfter(a.to)
	if code != "" && l.opens(a, to) {
		code = ""
	}
	switch {
	case code != "" && (sign == "" || !strings.HasPrefix(code, "?")):
		a.currency, a.to = code, to
	case sign != "":
		a.currency = sign
	}
	if l.negative(from, a) {
		a.value = "-" + a.value
	}
	if sign != "" {
		a.from = from
	}
	return a.currency != "" || !l.joined(a.from, a.to)
}

// negative says whether an amount has a minus before it, or brackets around it. from is where it begins with its
// currency.
func (l *line) negative(from int, a *amount) bool {
	s := l.folded
	switch {
	case from < a.from && s[a.from-1] == '-': // $-5
		return true
	case from == 0:
		return false
	case s[from-1] == '-': // -$5
		return from == 1 || s[from-2] == ' ' || s[from-2] == '\t'
	}
	return from < a.from && s[from-1] == '(' && a.to < len(s) && s[a.to] == ')' // ($5)
}

// joined says whether letters, digits or signs that numbers are made of are directly next to a range.
func (l *line) joined(from, to int) bool {
	s := l.folded
	if from > 0 && strings.IndexByte("/:#@_.+'", s[from-1]) >= 0 && !(s[from-1] == ':' && from > 1 &&
		!isDigit(s[from-2])) {
		return true
	}
	if to < len(s) && (strings.IndexByte("/:@_%'+", s[to]) >= 0 || s[to] == '-' && to+1 < len(s) && s[to+1] != ' ') {
		return true
	}
	before, _ := utf8.DecodeLastRuneInString(s[:from])
	after, _ := utf8.DecodeRuneInString(s[to:])
	return from > 0 && isWord(before) && !isDense(before) || to < len(s) && isWord(after) && !isDense(after) ||
		from > 1 && s[from-1] == '-' && isWord(rune(s[from-2]))
}

// maxSign is how many bytes a sign has at most.
const maxSign = 16

// signBefore returns the currency that ends before i, and where it begins.
func (l *line) signBefore(i, floor int) (sign string, from int) {
	s := l.folded
	end := i
	for end > floor && i-end < 2 && (s[end-1] == ' ' || s[end-1] == '\t' || s[end-1] == '-') {
		end--
	}
	for from = max(floor, end-maxSign); from < end; from++ {
		if !utf8.RuneStart(s[from]) || from > 0 && !parted(s, from) {
			continue
		}
		if sign := l.sign(from, end); sign != "" {
			return sign, from
		}
	}
	return "", i
}

// parted says whether a sign can begin at from: not inside a word, unless it is no letter itself.
func parted(s string, from int) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:from])
	r, _ := utf8.DecodeRuneInString(s[from:])
	return !unicode.IsLetter(r) || isDense(r) || !isWord(before) || isDense(before)
}

// signAfter returns the currency that begins at i or after a space, and where it ends.
func (l *line) signAfter(i int) (sign string, to int) {
	s := l.folded
	from := i
	if from < len(s) && (s[from] == ' ' || s[from] == '(') {
		from++
	}
	for to = min(len(s), from+maxSign); to > from; to-- {
		if to < len(s) && !utf8.RuneStart(s[to]) {
			continue
		}
		last, _ := utf8.DecodeLastRuneInString(s[from:to])
		next, _ := utf8.DecodeRuneInString(s[to:])
		if to < len(s) && isWord(next) && isWord(last) && !isDense(last) {
			continue
		}
		if sign := l.sign(from, to); sign != "" && sign != "?r" {
			return sign, to
		}
	}
	return "", i
}

// opens says whether the sign that ends at to is not that of the amount before it, but of the next: "x2 $40.00",
// "2 R$ 34,95".
func (l *line) opens(a *amount, to int) bool {
	s := l.folded
	switch {
	case s[a.to] != ' ' || to+1 >= len(s):
		return false
	case isDigit(s[to]):
		return true
	case s[to] != ' ' || !isDigit(s[to+1]) || !isCount(string(a.value)):
		return false
	}
	next, end := numberAt(s, to+1)
	if !hasCents(next) {
		return false
	}
	own, _ := l.signAfter(end)
	return own == ""
}

// sign returns the currency of a range. A code counts in capital letters.
func (l *line) sign(from, to int) string {
	s := l.folded[from:to]
	if code := strings.ToUpper(s); isCurrency(code) {
		if strings.Contains(safeCodes, " "+s+" ") || l.original(from, to) == code {
			return code
		}
		return ""
	}
	code := currencySigns()[s]
	if code == "?r" && l.original(from, to) != "R" {
		return ""
	}
	return code
}
