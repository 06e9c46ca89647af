package reply

import (
	"strings"
	"unicode/utf8"
)

const maxSeparator = 120 // bytes

// ornament are the characters that separators are drawn with.
const ornament = "-_=*—–─━~#<>[]|+ \t\u00a0"

// separatorAt says whether a line is drawn above history. Without dashes, or with words that are not in the tables, it
// needs a header below it.
func separatorAt(ls []line, i int) bool {
	body := ls[i].body
	if isRunInSeparator(body) {
		return true
	}
	if len(body) > maxSeparator || len(body) < 4 {
		return false
	}
	drawn := strings.IndexByte(ornament, body[0]) >= 0 || body[0] >= utf8.RuneSelf
	if !drawn && !fieldFollows(ls, i) {
		return false
	}
	phrase, drawn := separatorWords(body)
	switch {
	case phrase == "":
		return false
	case drawn:
		return isSeparator(phrase) || isAboveThisLine(phrase) || fieldFollows(ls, i)
	}
	return isSeparator(phrase) && fieldFollows(ls, i)
}

// isRunInSeparator is a separator with the header after it in the same line, as mail programs on phones leave them:
// "-------- Original message --------From: Ann".
func isRunInSeparator(body string) bool {
	if !strings.HasPrefix(body, "---") {
		return false
	}
	inner := strings.TrimLeft(body[:min(len(body), maxSeparator)], "- ")
	phrase, rest, ok := strings.Cut(inner, "---")
	if !ok || !is(strings.TrimSpace(phrase), separator) {
		return false
	}
	f, _ := fieldIn(strings.TrimLeft(rest, "- "))
	return f != 0
}

// separatorWords are the words of a separator, and whether dashes are on both sides of them.
func separatorWords(body string) (phrase string, drawn bool) {
	inner := strings.TrimLeft(body, ornament)
	trimmed := strings.TrimRight(inner, ornament)
	drawn = len(body)-len(inner) >= 2 && len(inner)-len(trimmed) >= 2
	return strings.TrimRight(trimmed, " :：\u00a0"), drawn
}

// isSeparator says whether words are a known separator, or begin with one: "forwarded by Ann Lee on".
func isSeparator(phrase string) bool {
	if is(phrase, separator) {
		return true
	}
	for n, i := 0, 0; n < 5; n++ {
		space := strings.IndexByte(phrase[i:], ' ')
		if space < 0 {
			return false
		}
		i += space
		if is(strings.TrimSuffix(phrase[:i], ","), separator) {
			return n > 0
		}
		i++
	}
	return false
}

func isAboveThisLine(phrase string) bool { return hasPart(phrase, aboveLine) }

// fieldFollows says whether the next line is a header field. Apple Mail quotes the head of what it passes on.
func fieldFollows(ls []line, i int) bool {
	k := next(ls, i+1)
	if k == len(ls) || ls[k].depth < ls[i].depth {
		return false
	}
	f, _ := fieldIn(ls[k].body)
	return f != 0
}
