package record

import "strings"

// maxNumber is how many characters a number has at most.
const maxNumber = 20

// maxWhole is how many digits an amount has before its fraction: of more, not every cent has a number in JSON.
const maxWhole = 12

// numberAt reads the number that begins at i of a folded text, with what parts it: 1.234,56 or 1 234.50 or 1'234. It
// gives where it ends.
func numberAt(s string, i int) (n Decimal, end int) {
	j, group := i, 0
	for j < len(s) && j-i < maxNumber {
		switch {
		case isDigit(s[j]):
			group++
			j++
			continue
		case j+1 < len(s) && isDigit(s[j+1]) && (s[j] == '.' || s[j] == ',' || s[j] == '\''):
		case s[j] == ' ' && group <= 3 && isGroup(s[j+1:]): // 1 234
		default:
			return numberOf(s[i:j]), dashEnd(s, j)
		}
		group = 0
		j++
	}
	if j < len(s) && isDigit(s[j]) { // longer than money is: no part of it is an amount
		for j < len(s) && (isDigit(s[j]) || j+1 < len(s) && isDigit(s[j+1]) && strings.IndexByte(".,'", s[j]) >= 0) {
			j++
		}
		return "", j
	}
	return numberOf(s[i:j]), dashEnd(s, j)
}

// isGroup says whether three digits and no more stand at the front.
func isGroup(s string) bool {
	return len(s) >= 3 && isDigit(s[0]) && isDigit(s[1]) && isDigit(s[2]) && (len(s) == 3 || !isDigit(s[3]))
}

// dashEnd steps over a dash that stands for no cents: 99,- or 99.-
func dashEnd(s string, j int) int {
	if j+1 < len(s) && (s[j] == ',' || s[j] == '.' || s[j] == ':') && s[j+1] == '-' {
		j += 2
		for j < len(s) && s[j] == '-' {
			j++
		}
	}
	return j
}

// numberOf returns the plain form of a number, empty if it cannot be one.
func numberOf(s string) Decimal {
	s = strings.Map(func(r rune) rune {
		if r == ' ' || r == '\'' {
			return -1
		}
		return r
	}, s)
	whole, fraction, ok := splitNumber(s)
	if !ok {
		return ""
	}
	whole = strings.TrimLeft(whole, "0")
	if whole == "" {
		whole = "0"
	}
	if len(whole) > maxWhole {
		return ""
	}
	if fraction == "" {
		return Decimal(whole)
	}
	return Decimal(whole + "." + fraction)
}

// splitNumber finds out which sign parts the fraction. Where both are there it is the last; a sign that comes twice
// parts thousands, and so does one before three digits, unless there is nothing before it to be thousands.
func splitNumber(s string) (whole, fraction string, ok bool) {
	last := strings.LastIndexAny(s, ".,")
	if last < 0 {
		return s, "", s != ""
	}
	sign := s[last : last+1]
	other := strings.Map(func(r rune) rune { return '.' + ',' - r }, sign)
	before, after := s[:last], s[last+1:]
	switch {
	case strings.Contains(before, sign):
		return strings.ReplaceAll(s, sign, ""), "", !strings.Contains(s, other) && grouped(s, sign)
	case strings.Contains(before, other):
		return strings.ReplaceAll(before, other, ""), after, grouped(before, other) && len(after) <= 3
	case len(after) == 3 && before != "0" && len(before) <= 3:
		return before + after, "", true
	}
	return before, after, len(after) <= 4
}

// grouped says whether the parts are thousands, or the twos and a three of India.
func grouped(s, sign string) bool {
	parts := strings.Split(s, sign)
	for i, p := range parts {
		switch {
		case i == len(parts)-1 && len(p) != 3,
			i == 0 && (p == "" || len(p) > 3),
			len(p) > 3 || len(p) < 2 && i > 0:
			return false
		}
	}
	return true
}
