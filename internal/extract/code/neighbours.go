package code

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/mailkin/mailkin/internal/lexicon"
)

// neighbours looks at the characters next to a token. Some rule it out (a decimal, an address, a price, a time), some
// only speak against it.
func (p *page) neighbours(t *token) (malus float64, ok bool) {
	if p.isMoney(t) {
		return 0, false
	}
	if p.isDecorated(t) {
		return 0, true
	}
	if p.boundLeft(t) || p.boundRight(t) || p.isMaskedTail(t) {
		return 0, false
	}
	switch p.runeBefore(t.start) {
	case '#':
		if r := p.runeBefore(t.start - 1); r == '(' || r == '[' {
			return 0, false // the number of an issue or a ticket
		}
		if t.addressed = p.afterDomain(t.start - 1); !t.addressed {
			malus += 2
		}
	case '[', '(':
		if t.shape == shapePrefix && t.start < p.subject {
			malus += 3 // the key of a ticket
		}
	case '№', '°':
		malus += 4
	}
	if p.runeAfter(t.end) == '#' {
		malus += 3 // to be dialled
	}
	if p.afterState(t) {
		malus += 3
	}
	if bytes.HasPrefix(p.text[p.subject:], []byte("<#>")) && len(p.tokens) == 0 {
		t.addressed = true // to a program on the phone, which looks for its hash at the end
	}
	if i := t.start; i > 1 && p.text[i-1] == ' ' && isDigit(p.text[i-2]) {
		malus += 1.5 // the rest of a longer number
	}
	return malus, true
}

// isDecorated says whether a token stands between equal marks, as many on one side as on the other, and nothing that
// they could belong to next to them: ##448120##, ***448120***, ** 448120 **.
func (p *page) isDecorated(t *token) bool {
	from, to := t.start, t.end
	if from > 0 && p.text[from-1] == ' ' && to < len(p.text) && p.text[to] == ' ' {
		from, to = from-1, to+1
	}
	if from == 0 || !isDecoration(p.text[from-1]) {
		return false
	}
	mark, n := p.text[from-1], 0
	for from > 0 && to < len(p.text) && p.text[from-1] == mark && p.text[to] == mark {
		from, to, n = from-1, to+1, n+1
	}
	return n > 0 && isLoose(p.runeBefore(from)) && isLoose(p.runeAfter(to))
}

// isLoose says whether the character next to a mark is nothing that the mark could belong to.
func isLoose(r rune) bool {
	if r < utf8.RuneSelf {
		return !isAlnum(byte(r)) && !isDecoration(byte(r))
	}
	return lexicon.IsUnspaced(r) || !isWordRune(r)
}

// isDecoration is a mark that is set around a word to make it stand out.
func isDecoration(c byte) bool {
	return c == '#' || c == '*' || c == '_' || c == '~' || c == '=' || c == '-' || c == '^'
}

// boundLeft says whether the character before a token makes it a part of something else.
func (p *page) boundLeft(t *token) bool {
	text, i := p.text, t.start
	if i == 0 {
		return false
	}
	var before byte
	if i > 1 {
		before = text[i-2]
	}
	switch text[i-1] {
	case '"':
		return before == '=' || before == ' ' && i > 2 && text[i-3] == '=' // of a program
	case '=':
		return !p.isAssigned(i - 1)
	case '/', '\\', '@', '_', '&', '~', '^', '+', '%':
		return true
	case '.', ',':
		return isAlnum(before) && text[i-1] == '.' || isDigit(before)
	case '-':
		return isAlnum(before) || before == '-'
	case ':':
		return isDigit(before) && (i < 3 || !isLetter(text[i-3]))
	case '\'':
		return isAlnum(before)
	}
	return false
}

// isAssigned says whether the equals sign at i follows a word that names a code, and is not one of a web address.
func (p *page) isAssigned(i int) bool {
	w := lastWord(p.text[:i])
	from := i - len(w)
	return isGlued(w) && (from == 0 || p.text[from-1] == ' ' || p.text[from-1] == '\n' || p.text[from-1] == '<')
}

// boundRight is the same for the character after it.
func (p *page) boundRight(t *token) bool {
	text, i := p.text, t.end
	if i == len(text) {
		return false
	}
	var after byte
	if i+1 < len(text) {
		after = text[i+1]
	}
	switch text[i] {
	case '@', '=', '_', '\\', '%', '^', '+':
		return true
	case '/':
		return isAlnum(after)
	case '.':
		return isLower(after) || isDigit(after) && !isTime(text[i+1:])
	case ',':
		return isDigit(after) && !isTime(text[i+1:])
	case ':':
		return isDigit(after)
	case ' ':
		return after == '%'
	case '\'':
		return isLower(after)
	}
	return false
}

// isTime says whether text begins with a number of minutes or the like: what is before it is a number of its own,
// though no space is between (448120,10分钟内有效).
func isTime(text []byte) bool {
	n := 0
	for n < len(text) && n < 3 && isDigit(text[n]) {
		n++
	}
	text = bytes.TrimPrefix(text[n:], []byte(" "))
	for _, unit := range [...]string{
		"min", "sec", "dak", "phut", "мин", "сек", "хв", "分", "秒", "小时", "小時", "時間", "분", "초", "시간",
	} {
		if len(text) >= len(unit) && strings.EqualFold(string(text[:len(unit)]), unit) {
			return true
		}
	}
	return false
}

// isMoney says whether a sign of currency is next to the token.
func (p *page) isMoney(t *token) bool {
	if t.shape != shapeDigits && t.shape != shapeGroups {
		return false
	}
	left, right := t.start, t.end
	if left > 0 && p.text[left-1] == ' ' {
		left--
	}
	if isCurrency(p.runeBefore(left)) {
		return true
	}
	if isCurrencyWord(lastWord(p.text[:left])) {
		return true
	}
	if right < len(p.text) && p.text[right] == ' ' {
		right++
	}
	r := p.runeAfter(right)
	return isCurrency(r) && r != '$'
}

func isCurrency(r rune) bool {
	switch r {
	case '$', '¢', '£', '¤', '¥', '฿', '៛':
		return true
	}
	return r >= 0x20a0 && r <= 0x20cf
}

// isCurrencyWord is a currency as it is written before an amount.
func isCurrencyWord(w []byte) bool {
	switch string(w) {
	case "AED", "ARS", "AUD", "BDT", "BRL", "CAD", "CHF", "CLP", "CNY", "COP", "CZK", "DKK", "EGP", "EUR",
		"GBP", "HKD", "HUF", "IDR", "INR", "JPY", "KES", "KRW", "KSh", "Ksh", "LKR", "MXN", "MYR", "NGN", "NOK",
		"NPR", "NT", "NZD", "PHP", "PKR", "PLN", "RM", "RMB", "RON", "Rp", "RS", "Rs", "rs", "Rs.", "RUB",
		"SAR", "SEK", "SGD", "THB", "TL", "TRY", "TWD", "UAH", "USD", "VND", "ZAR":
		return true
	}
	return false
}

// lastWord is the run of letters that text ends with.
func lastWord(text []byte) []byte {
	i := len(text)
	for i > 0 && len(text)-i < 24 && isLetter(text[i-1]) {
		i--
	}
	return text[i:]
}

// isMaskedTail is the visible end of a number: ****1234, ••7681, ...1234.
func (p *page) isMaskedTail(t *token) bool {
	i := t.start
	spaced := i > 0 && p.text[i-1] == ' '
	if spaced {
		i--
	}
	if i == 0 || isAlnum(p.text[i-1]) && lexicon.Lowered[p.text[i-1]] != 'x' {
		return false
	}
	r, n := utf8.DecodeLastRune(p.text[:i])
	before, _ := utf8.DecodeLastRune(p.text[:i-n])
	switch r {
	case '•', '●', '∙':
		return true
	case '…':
		return !spaced
	case '.':
		return !spaced && before == '.'
	case '-':
		return !spaced && before == '*'
	case 'x', 'X', '·':
		return before == r
	case '*':
		// Emphasis in Markdown has as many stars after.
		return before == '*' && (i > 2 && p.text[i-3] == '*' || !bytes.HasPrefix(p.text[t.end:], []byte("**")))
	}
	return false
}

// afterDomain says whether a sign at i follows @example.com, the way a browser is told for whom a code is.
func (p *page) afterDomain(i int) bool {
	word := p.text[:i]
	if !bytes.HasSuffix(word, []byte(" ")) {
		return false
	}
	word = word[:len(word)-1]
	at := bytes.LastIndexByte(word[max(0, len(word)-80):], '@')
	if at < 0 {
		return false
	}
	return bytes.IndexByte(word[max(0, len(word)-80)+at:], ' ') < 0
}

// afterState is a postcode after two capitals: CA 94105.
func (p *page) afterState(t *token) bool {
	if t.shape != shapeDigits || t.end-t.start != 5 || t.start < 4 {
		return false
	}
	s := p.text[t.start-4 : t.start]
	return (s[0] == ' ' || s[0] == ',') && isUpper(s[1]) && isUpper(s[2]) && s[3] == ' '
}
