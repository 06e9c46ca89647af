package reply

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// reconcile takes the plain part, and from the HTML where it ends earlier: elements show signatures and histories that
// no line of text does.
func reconcile(plain, html reading) reading {
	switch {
	case html.text == "" || html.inline || plain.inline:
		return plain
	case !html.history && !html.signed:
		return plain
	}
	if end, ok := endOf(plain.text, html.text); ok {
		plain.text = strings.TrimRight(plain.text[:end], " \t\n")
		plain.history = plain.history || html.history
		return plain
	}
	if !plain.history && html.history && len(html.text) < len(plain.text) {
		return html
	}
	return plain
}

// endOf finds where in text the letters and digits of part have been seen, if text begins with them. It is the end of a
// line.
func endOf(text, part string) (int, bool) {
	i := 0
	for _, r := range part {
		if !isAlnum(r) {
			continue
		}
		at, size := nextAlnum(text, i, r)
		if size == 0 {
			return 0, false
		}
		i = at + size
	}
	end := strings.IndexByte(text[i:], '\n')
	if end < 0 || strings.ContainsFunc(text[i:i+end], isAlnum) {
		return 0, false
	}
	return i + end, true
}

// nextAlnum finds the next letter or digit of text from i on, if it is want.
func nextAlnum(text string, i int, want rune) (at, size int) {
	for i < len(text) {
		r, n := utf8.DecodeRuneInString(text[i:])
		if isAlnum(r) {
			if r == want {
				return i, n
			}
			return 0, 0
		}
		i += n
	}
	return 0, 0
}

func isAlnum(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// sameBeginning says whether a text begins with what lines say: some letters are enough.
func sameBeginning(text string, ls []line) bool {
	const some = 60
	i, seen := 0, 0
	for k := range ls {
		for _, r := range ls[k].body {
			if !isAlnum(r) {
				continue
			}
			at, size := nextAlnum(text, i, r)
			if size == 0 {
				return false
			}
			i = at + size
			if seen++; seen == some {
				return true
			}
		}
	}
	return true
}
