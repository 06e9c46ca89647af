package code

// hyphenated looks at runs joined by hyphens. first is the end of the first run.
func (p *page) hyphenated(start, first int) int {
	groups := [maxGroups]span{{start, first}}
	n, end := 1, first
	for end+1 < len(p.text) && p.text[end] == '-' && isAlnum(p.text[end+1]) {
		s := span{end + 1, end + 1}
		for s.end < len(p.text) && isAlnum(p.text[s.end]) {
			s.end++
		}
		end = s.end
		if n < maxGroups {
			groups[n] = s
		}
		n++
	}
	if n <= 4 {
		p.joined(groups[:n], start, end)
	}
	return end
}

// joined decides what two to four runs with hyphens between them are.
func (p *page) joined(groups []span, start, end int) {
	text := p.text
	word := text[start:end]
	digits, upper, lower := count(word)
	t := token{start: start, end: end, code: p.text[start:end], shape: shapeHyphen}
	size, uniform := groups[0].size(), isUniform(groups)
	total := digits + upper + lower
	switch {
	case upper+lower == 0:
		p.joinedDigits(groups, uniform, total)
		return
	case len(groups) == 2 && digits == groups[1].size() && digits >= 4 && digits <= 8 &&
		isGlued(text[start:groups[0].end]):
		t.start, t.code, t.shape = groups[1].start, p.text[groups[1].start:end], shapeDigits
		p.tokens = append(p.tokens, t)
		return
	case len(groups) == 2 && digits == groups[0].size() && digits >= 4 && digits <= 8 && lower <= 4 && upper == 0:
		p.plainNumber(start, groups[0].end) // 123456-dir, with the ending of a word
		return
	case len(groups) == 2 && isPrefix(text, groups[0], groups[1]):
		t.shape, t.document = shapePrefix, isTicket(groups) || isDocument(text[start:groups[0].end])
	case uniform && size >= 3 && size <= 5 && total <= 12 && lower == 0:
		if digits == 0 {
			t.malus = 0.5
		}
		if total > 10 {
			t.malus = 1.5 // a licence key
		}
	case uniform && size >= 3 && size <= 5 && total <= 12 && digits > 1 && upper == 0:
		t.malus = 0.5
	case uniform && size >= 4 && size <= 5 && total <= 12 && digits > 1 && upper > 0:
		t.malus = 1
	case uniform && size == 2 && len(groups) > 2 && digits > 0 && lower == 0:
		t.malus = 1 // AB-12-CD, a number plate too
	case uniform && size >= 4 && size <= 5 && len(groups) == 2 && lower == total:
		if p.standing(&t) != onOwnLine && p.joinedTo(start) != byVerb {
			return
		}
		t.malus = 4 // long-term
	case len(groups) > 2 && lower == total && size >= 3 && total >= 12:
		t.shape, t.malus = shapeWords, 1.5
	case isOdd(groups, total) && digits > 0 && lower == 0:
		t.odd, t.malus = true, forOdd
	default:
		return
	}
	p.keep(t)
}

// forOdd is what a token loses whose groups have different sizes, unless it is named as a code or asked for: most are
// numbers of documents or parts.
const forOdd = 2.5

// isOdd says whether groups of different sizes could be a code: two or three, five to nine characters together.
func isOdd(groups []span, total int) bool {
	for _, g := range groups {
		if g.size() > 5 {
			return false
		}
	}
	return len(groups) <= 3 && total >= 5 && total <= 9
}

// oddDigits keeps 8842-01 and 71-882-045, and rules out what begins or ends with a year, and short phone numbers.
func (p *page) oddDigits(groups []span, total int) {
	if p.longGroups(groups) || !isOdd(groups, total) || hasYear(p.text, groups) ||
		len(groups) == 2 && groups[0].size() == 3 && groups[1].size() == 4 {
		return
	}
	p.keepOdd(groups)
}

// keepOdd keeps groups of digits of different sizes.
func (p *page) keepOdd(groups []span) {
	t := token{start: groups[0].start, end: groups[len(groups)-1].end, shape: shapeGroups, odd: true, malus: forOdd}
	t.code = p.digitsOf(t.start, t.end)
	p.keep(t)
}

// hasYear says whether the first or the last group is a year.
func hasYear(text []byte, groups []span) bool {
	for _, g := range [2]span{groups[0], groups[len(groups)-1]} {
		if g.size() == 4 && isYear(text[g.start:g.end]) {
			return true
		}
	}
	return false
}

// isPrefix is G-123456: one to four capitals before digits.
func isPrefix(text []byte, a, b span) bool {
	if a.size() > 4 || b.size() < 4 || b.size() > 8 {
		return false
	}
	for _, c := range text[a.start:a.end] {
		if !isUpper(c) {
			return false
		}
	}
	for _, c := range text[b.start:b.end] {
		if !isDigit(c) {
			return false
		}
	}
	return true
}

// isTicket says whether a prefix and its digits are as long as the key of an issue: CORE-4482.
func isTicket(groups []span) bool { return groups[0].size() > 2 && groups[1].size() < 6 }

// isDocument says whether documents are numbered with such letters before the digits, by programs of every language:
// INV-05080. What names them is often but a word for a number.
func isDocument(letters []byte) bool {
	switch string(letters) {
	case "BILL", "BKG", "CASE", "CRN", "DOC", "EST", "FAC", "FACT", "FAK", "FV", "INC", "INV", "ORD", "PAY", "PO",
		"POL", "QUO",
		"QUOT", "RCPT", "RE", "REC", "REF", "REQ", "RG", "RMA", "RNR", "SHP", "SO", "TCK", "TKT", "TRX", "TXN":
		return true
	}
	return false
}

// joinedDigits keeps 123-456, and rules dates, ranges and phone numbers out.
func (p *page) joinedDigits(groups []span, uniform bool, total int) {
	if !uniform {
		p.oddDigits(groups, total)
		return
	}
	if p.longGroups(groups) || total < 4 || total > 9 {
		return
	}
	t := token{start: groups[0].start, end: groups[len(groups)-1].end, shape: shapeGroups}
	t.code = p.digitsOf(t.start, t.end)
	switch groups[0].size() {
	case 1:
		t.shape = shapeSingles
	case 2:
		if total == 4 {
			return
		}
		t.malus = 1.5 // sort codes
		if isShortDate(t.code) {
			t.malus = 3
		}
	case 4:
		if isYear(t.code[:4]) && isYear(t.code[4:]) {
			return
		}
	}
	if total == 9 {
		t.malus++
	}
	p.keep(t)
}

func count(word []byte) (digits, upper, lower int) {
	for _, c := range word {
		switch {
		case isDigit(c):
			digits++
		case isUpper(c):
			upper++
		case isLower(c):
			lower++
		}
	}
	return digits, upper, lower
}
