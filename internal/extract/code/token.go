package code

import (
	"bytes"
	"unicode/utf8"
)

// shape is how a token looks.
type shape uint8

const (
	shapeDigits  shape = iota // 123456
	shapeGroups               // 123 456, 12-34-56
	shapeSingles              // 1 2 3 4 5 6, a digit in each cell
	shapePrefix               // G-123456
	shapeMixed                // 7K9FQ
	shapeHyphen               // ABC-D4F
	shapeLetters              // XBKVN
	shapeWords                // mova-tuki-hasi-relo
	shapePhrase               // copper lantern drift maple
)

// token is a run of text that has the shape of a code.
type token struct {
	start, end int
	code       []byte // in the memory of the page
	shape      shape
	document   bool    // is numbered like an invoice or an order
	long       bool    // is as long as a phone number, and takes a sure label to be a code
	odd        bool    // is parted unevenly, as document numbers are: a label or more must ask for it
	addressed  bool    // is for a program to read: @example.com #123456, <#> 123456
	malus      float64 // what its characters and neighbours speak against it
	from, upTo ticks
	place      place
}

// findTokens goes through the text and keeps what has the shape of a code.
func (p *page) findTokens() {
	for i := 0; len(p.tokens) < maxTokens; {
		if i = nextAlnum(p.text, i); i == len(p.text) {
			break
		}
		if i = prose(p.text, i); i < len(p.text) && isAlnum(p.text[i]) {
			i = p.word(i)
		}
	}
	p.placeTokens()
}

// word looks at the run of letters and digits that begins at i, and returns where to go on. Addresses are stepped over.
func (p *page) word(i int) int {
	text, end := p.text, i
	var seen class
	for end < len(text) && isAlnum(text[end]) {
		seen |= classes[text[end]]
		end++
	}
	next := p.addressAt(i, end)
	switch {
	case next > end:
	case seen != classLower|classAddress || end-i == 1:
		next = p.run(i, end, seen)
	case p.isHyphened(end):
		next = p.hyphenated(i, end)
	case end-i >= 4 && !p.isAmid(i, end):
		p.letters(i, end, false)
	}
	return next
}

// addressAt is where the address ends that begins with the run from i to end, or end if there is none.
func (p *page) addressAt(i, end int) int {
	if end == len(p.text) || !isAddressByte(p.text[end]) || i > 0 && p.text[i-1] != ':' && isAddressByte(p.text[i-1]) {
		return end
	}
	return max(end, addressEnd(p.text, i, end))
}

// isHyphened says whether a run that ends at end goes on after a hyphen.
func (p *page) isHyphened(end int) bool {
	return end+1 < len(p.text) && p.text[end] == '-' && isAlnum(p.text[end+1])
}

// run looks at a run of letters and digits, joined with its neighbours where they belong together, and returns where
// to go on. Seen are the classes of its characters.
func (p *page) run(i, end int, seen class) int {
	if end == i+1 {
		if next := p.singles(i); next > i {
			return next
		}
	}
	switch {
	case p.isHyphened(end):
		return p.hyphenated(i, end)
	case seen&classLetter == 0:
		return p.number(i, end)
	case seen&classDigit == 0:
		p.letters(i, end, seen&classLower == 0)
	default:
		if next := p.mixedGroups(i, end); next > end {
			return next
		}
		p.mixed(i, end)
	}
	return end
}

// mixedGroups keeps two runs of capitals and digits of one size with a space between: 7F3K 9QX2. It returns where they
// end, or end if there are none. Runs of three are postcodes, and more than two are keys.
func (p *page) mixedGroups(start, end int) int {
	n := end - start
	last := end + 1 + n
	if n < 4 || n > 5 || last > len(p.text) || p.text[end] != ' ' || !isCapitals(p.text[start:end]) {
		return end
	}
	if second := p.text[end+1 : last]; !isCapitals(second) || !isMixed(second) {
		return end
	}
	if rest := p.text[last:]; len(rest) > 0 && isAlnum(rest[0]) || len(rest) > 2 && rest[0] == ' ' &&
		isCapitals(rest[1:3]) {
		return end
	}
	p.keep(token{start: start, end: last, code: p.digitsOf(start, last), shape: shapeHyphen, malus: 0.5})
	return last
}

// isCapitals says whether a run has but capitals and digits.
func isCapitals(run []byte) bool {
	for _, c := range run {
		if !isUpper(c) && !isDigit(c) {
			return false
		}
	}
	return true
}

// isMixed says whether a run has letters and digits.
func isMixed(run []byte) bool {
	digits, upper, lower := count(run)
	return digits > 0 && upper+lower > 0
}

// keep adds a token unless its neighbours rule it out.
func (p *page) keep(t token) {
	malus, ok := p.neighbours(&t)
	if !ok {
		return
	}
	t.malus += malus
	p.tokens = append(p.tokens, t)
}

// addressEnd is where the web or mail address ends that begins with the run from i to end, or i if there is none.
func addressEnd(text []byte, i, end int) int {
	at, scheme, dots := false, false, 0
	for end < len(text) && isAddressByte(text[end]) {
		switch text[end] {
		case '@':
			at = at || end > i && end+1 < len(text) && isAlnum(text[end+1])
		case ':':
			if bytes.HasPrefix(text[end:], []byte("://")) {
				scheme = true
			} else if !scheme {
				return plainEnd(i, end, at)
			}
		case '/', '?', '=', '&':
			if dots == 0 && !scheme {
				return i
			}
			scheme = true
		case '.':
			if end > i && end+1 < len(text) && isLetter(text[end-1]) && isLower(text[end+1]) {
				dots++
			}
		}
		end++
	}
	if scheme || at || dots >= 2 {
		return end
	}
	return i
}

func plainEnd(i, end int, at bool) int {
	if at {
		return end
	}
	return i
}

// letters looks at a run of letters alone. Capitals may stand where a code is named; others only on a line of their
// own, and not if they begin like a sentence.
func (p *page) letters(start, end int, capitals bool) {
	n := end - start
	if n < 4 || n > 10 || p.isAmid(start, end) && !capitals {
		return
	}
	t := token{start: start, end: end, code: p.text[start:end], shape: shapeLetters, malus: 2}
	if capitals {
		if n > 8 || p.shouting(start, end) || p.standing(&t) == amidText && p.joinedTo(start) != byVerb &&
			!p.isSubject(&t) && p.bracket(&t) < 0 && !p.endsLine(&t) {
			return
		}
	} else {
		if t.malus = 4.5; isUpper(p.text[start]) && isLower(p.text[start+1]) || p.standing(&t) != onOwnLine {
			return
		}
	}
	p.keep(t)
}

// endsLine says whether a run of capitals at the end of a line is hardly a word: it has next to no vowels.
func (p *page) endsLine(t *token) bool {
	if t.end < len(p.text) && p.text[t.end] != '\n' || len(t.code) < 6 {
		return false
	}
	vowels := 0
	for _, c := range t.code {
		if c == 'A' || c == 'E' || c == 'I' || c == 'O' || c == 'U' || c == 'Y' {
			vowels++
		}
	}
	return vowels < 2
}

// bracket is where the bracket opens that a token ends, with a word or two before it: (Code 123456). It is -1 where
// there is none.
func (p *page) bracket(t *token) int {
	switch p.runeAfter(t.end) {
	case ')', '）':
	default:
		return -1
	}
	line := p.text[max(0, t.start-48):t.start]
	i := max(bytes.LastIndexByte(line, '('), bytes.LastIndex(line, []byte("（")))
	if i < 0 || bytes.IndexByte(line[i:], '\n') >= 0 {
		return -1
	}
	if i += t.start - len(line); measure(p.text, i, t.start).words > 4 {
		return -1
	}
	return i
}

// isAmid says at a glance that a run has words next to it.
func (p *page) isAmid(start, end int) bool {
	return start > 1 && p.text[start-1] == ' ' && isAlnum(p.text[start-2]) ||
		end+1 < len(p.text) && p.text[end] == ' ' && isAlnum(p.text[end+1])
}

// shouting says whether the word before or after a run of capitals is in capitals too.
func (p *page) shouting(start, end int) bool {
	before := lastWord(bytes.TrimRight(p.text[:start], " "))
	after := bytes.TrimLeft(p.text[end:min(len(p.text), end+12)], " ")
	n := 0
	for n < len(after) && isUpper(after[n]) {
		n++
	}
	if n > 1 && (n == len(after) || !isLetter(after[n])) {
		return true
	}
	_, upper, lower := count(before)
	return upper > 1 && lower == 0 && !isGlued(before)
}

// mixed looks at a run of letters and digits.
func (p *page) mixed(start, end int) {
	word := p.text[start:end]
	n, lead := len(word), 0
	for lead < n && isLetter(word[lead]) {
		lead++
	}
	tail := bytes.IndexFunc(word[lead:], func(r rune) bool { return r < '0' || r > '9' })
	if lead > 0 && tail < 0 && n-lead >= 4 && isGlued(word[:lead]) {
		p.keep(token{start: start + lead, end: end, code: p.text[start+lead : end], shape: shapeDigits})
		return
	}
	if n < 4 || n > 12 || isMasked(word) || isQuantity(word) || n == 11 && end == len(p.text) {
		return
	}
	t := token{start: start, end: end, code: p.text[start:end], shape: shapeMixed, malus: mixedMalus(word, lead,
		tail < 0)}
	t.document = tail < 0 && n-lead >= 4 && isDocument(word[:lead])
	if tail < 0 && lead >= 3 && n-lead <= 2 && p.isPercentage(word[lead:]) {
		t.malus += 4 // SAVE20, in a mail that promises 20 %
	}
	p.keep(t)
}

// isPercentage says whether the mail names a number as a percentage.
func (p *page) isPercentage(number []byte) bool {
	for text := p.text; ; {
		i := bytes.Index(text, number)
		if i < 0 {
			return false
		}
		if bytes.HasPrefix(bytes.TrimLeft(text[i+len(number):min(len(text), i+len(number)+4)], " "), []byte("%")) ||
			i > 0 && text[i-1] == '%' {
			return true
		}
		text = text[i+len(number):]
	}
}

// mixedMalus is what speaks against a mixed run: a word with a number after it is a name or a promo code, and long
// runs are keys. lead letters come first; plain says that only digits follow them.
func mixedMalus(word []byte, lead int, plain bool) float64 {
	malus := 0.0
	switch {
	case plain && lead >= 3 && isLower(word[1]) && isUpper(word[0]):
		malus = 4 // Office365
	case plain && lead >= 4:
		malus = 2.5 // SAVE20
	}
	if len(word) > 8 {
		malus += 1.5
	}
	if len(word) > 6 && isHex(word) {
		malus += 2 // a commit
	}
	return malus
}

func isHex(word []byte) bool {
	for _, c := range word {
		if !isDigit(c) && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// isGlued is a word that some write onto a number without a space.
func isGlued(word []byte) bool {
	switch string(bytes.ToLower(word)) {
	case "is", "otp", "code", "pin", "kod", "tan", "ist", "est":
		return true
	}
	return false
}

// isMasked is XX1234, the rest of a number that is not shown.
func isMasked(word []byte) bool {
	n := 0
	for n < len(word) && (word[n] == 'X' || word[n] == 'x') {
		n++
	}
	if n < 2 {
		return false
	}
	for _, c := range word[n:] {
		if !isDigit(c) {
			return false
		}
	}
	return true
}

// isQuantity is a number with its unit: 1080p, 500mb, 10min.
func isQuantity(word []byte) bool {
	n := 0
	for n < len(word) && isDigit(word[n]) {
		n++
	}
	if n == 0 || n > 4 {
		return false
	}
	if isDuration(word) {
		return true
	}
	if len(word)-n > 5 {
		return false
	}
	switch string(bytes.ToLower(word[n:])) {
	case "ad", "am", "bc", "cm", "d", "day", "days", "dong", "e", "eme", "er", "eur", "fps", "ft", "g", "gb",
		"gbp", "ghz", "gmt", "h", "hr", "hrs", "hz", "inr", "k", "kb", "kc", "kg", "khz", "km", "kr", "kwh",
		"l", "lei", "m", "mah", "mb", "mbps", "mhz", "min", "mins", "minut", "ml", "mm", "ms", "nd", "p", "pcs",
		"pm", "pt", "pts", "px", "rd", "rs", "s", "sec", "st", "tb", "th", "tl", "usd", "utc", "vnd", "w", "x",
		"year", "zl":
		return true
	}
	return false
}

// isDuration is a time as programs write it: 5m0s, 1h30m.
func isDuration(word []byte) bool {
	units := []byte("dhms")
	for len(word) > 0 {
		n := 0
		for n < len(word) && isDigit(word[n]) {
			n++
		}
		if n == 0 || n == len(word) {
			return false
		}
		i := bytes.IndexByte(units, word[n])
		if i < 0 {
			return false
		}
		units, word = units[i+1:], word[n+1:]
	}
	return true
}

// runeBefore and runeAfter are the characters next to a run.
func (p *page) runeBefore(i int) rune {
	r, _ := utf8.DecodeLastRune(p.text[:i])
	return r
}

func (p *page) runeAfter(i int) rune {
	r, _ := utf8.DecodeRune(p.text[i:])
	return r
}
