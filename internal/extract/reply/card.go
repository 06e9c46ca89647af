package reply

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// contact is what of a business card a line holds.
type contact uint8

const (
	cardMail contact = 1 << iota
	cardPhone
	cardWeb
	cardLabel // "Tel:" before the number
)

// card is where a business card at the end of the lines begins, or len(ls): a name, and below it at least two of
// address, phone number and web page. A number with a label is enough below a full name.
func card(ls []line) int {
	const most = 14 // lines
	if from := nameAgain(ls); from < len(ls) {
		return from
	}
	top, seen := len(ls), contact(0)
	lowest := top // where the uppermost paragraph with a contact begins
	for from := len(ls); from > 0 && len(ls)-from < most; {
		to := trimmed(ls[:from])
		for from = to; from > 0 && !ls[from-1].blank() && ls[from-1].kind != literal; {
			from--
		}
		c, ok := contacts(ls[from:to])
		if !ok || c == 0 && (seen == 0 || to-from > 1 || !isTitle(ls[from].body) || signsOff(ls[:from])) {
			if ok && isRole(ls[from:to]) && signsOff(ls[:from]) && isCard(seen) {
				return from + 1
			}
			break
		}
		if top, seen = from, seen|c; c != 0 {
			lowest = from
		}
	}
	if seen == cardPhone && isNumberBelowName(ls) {
		return len(ls) - 1
	}
	if !isCard(seen) {
		return len(ls)
	}
	if seen == cardPhone|cardLabel {
		if top = lowest; !isFullName(ls[top].body) {
			return len(ls)
		}
	}
	return underSignOff(ls, top)
}

// nameAgain is where the last paragraph begins if it is a card, and somebody signed above it with the first word of the
// card's first line: "Rob", and below that "Rob Stone", "Cargoline Ltd.", "4 Mill Lane". Otherwise it is len(ls).
func nameAgain(ls []line) int {
	const most = 8 // lines
	to := trimmed(ls)
	from := to
	for from > 0 && !ls[from-1].blank() && ls[from-1].kind == own {
		from--
	}
	above := trimmed(ls[:from])
	if to-from < 2 || to-from > most || above < 2 || above == from ||
		!isFullName(ls[from].body) {
		return len(ls)
	}
	name := strings.Trim(ls[above-1].body, " .-*_")
	if name == "" || !strings.EqualFold(name, firstWord(ls[from].body)) || !signsOff(ls[:above-1]) {
		return len(ls)
	}
	return from
}

// isCard says that there are two things of a card, one of which is an address or a number.
func isCard(seen contact) bool { return seen&(seen-1) != 0 && seen&(cardMail|cardPhone) != 0 }

// isRole is a name with what its owner does below it: "Bob Ray", "Head of Sales".
func isRole(ls []line) bool {
	return len(ls) == 2 && isName(ls[1].body)
}

// isNumberBelowName says that the last line is nothing but a phone number, below a name that somebody signs with.
func isNumberBelowName(ls []line) bool {
	n := len(ls)
	return n > 2 && !strings.ContainsFunc(ls[n-1].body, unicode.IsLetter) && isName(ls[n-2].body) &&
		wordCount(ls[n-2].body, 4) < 4 && signsOff(ls[:n-2])
}

// isFullName is a title of two words or more.
func isFullName(body string) bool { return isTitle(body) && wordCount(body, 2) >= 2 }

// signsOff says that the last line is one that a name belongs below.
func signsOff(ls []line) bool {
	n := trimmed(ls)
	return n > 0 && isSignOff(ls[n-1].body)
}

// underSignOff leaves a greeting and a name above the card where they are, and says where it begins after that.
func underSignOff(ls []line, top int) int {
	if isSignOff(ls[top].body) {
		if top++; top < len(ls) && isName(ls[top].body) {
			top++
		}
	} else if !isName(ls[top].body) {
		return len(ls)
	}
	above := trimmed(ls[:top])
	if above == 0 || strings.HasSuffix(ls[above-1].body, ":") {
		return len(ls)
	}
	return top
}

// contacts says what a paragraph holds, and whether it looks like a part of a card.
func contacts(ls []line) (all contact, ok bool) {
	const widest = 90
	if len(ls) > 10 {
		return 0, false
	}
	for i := range ls {
		body := ls[i].body
		c := contactIn(body)
		if len(body) > 2*widest || utf8.RuneCountInString(body) > widest ||
			c == 0 && isProse(body) && !strings.Contains(body, "|") {
			return 0, false
		}
		all |= c
	}
	return all, true
}

func contactIn(body string) (c contact) {
	if wordCount(body, 12) >= 12 {
		return 0
	}
	if hasAddress(body) {
		c |= cardMail
	}
	if strings.Contains(body, "www.") || strings.Contains(body, "http") {
		c |= cardWeb
	}
	if isPhone(body) {
		c |= cardPhone
		if is(firstWord(body), phoneLabel) {
			c |= cardLabel
		}
	}
	return c
}

// isPhone says that there is a phone number in a line: seven digits or more with nothing but signs between them.
func isPhone(body string) bool {
	digits := 0
	for _, r := range body {
		switch {
		case r >= '0' && r <= '9':
			if digits++; digits >= 7 {
				return true
			}
		case strings.ContainsRune(" .-–()/+\u00a0", r):
		default:
			digits = 0
		}
	}
	return false
}

// isName is a line that may be a name, and a title after it: a few words, the first one with a capital, and no end of a
// sentence.
func isName(body string) bool {
	if contactIn(body) != 0 {
		return false
	}
	name, _, _ := strings.Cut(body, "|")
	if name = strings.TrimSpace(name); name == "" || wordCount(name, 8) >= 8 {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(name)
	if strings.ContainsRune("?!:,;…。", last) || last == '.' && wordCount(name, 4) >= 4 && !isAbbreviated(name) {
		return false
	}
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(name, "*_-–—~/ "))
	return unicode.IsLetter(first) && !unicode.IsLower(first)
}

// isTitle is a name of which every word has a capital, as that of a firm. The last word may be short for something.
func isTitle(body string) bool {
	if !isName(body) || wordCount(body, 5) >= 5 {
		return false
	}
	for w := range strings.FieldsSeq(body) {
		first, _ := utf8.DecodeRuneInString(w)
		if unicode.IsLower(first) || strings.HasSuffix(w, ".") && (len(w) > 5 || len(w) == len(body)) {
			return false
		}
	}
	return true
}

func isSignOff(body string) bool {
	if wordCount(body, 6) >= 6 {
		return false
	}
	return strings.HasSuffix(body, ",") || is(strings.TrimRight(body, " .!,;"), signOff)
}
