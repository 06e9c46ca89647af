package reply

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// dropSignature drops what nobody typed for this mail from lines that are not quoted, and says whether anything is
// left. first says that nothing stands above them.
func dropSignature(ls []line, first bool) bool {
	if first {
		dropBanner(ls)
	}
	dropDevices(ls)
	end := dropNotices(ls)
	if d := delimiter(ls[:end], first); d < end {
		drop(ls[d:afterthoughtIn(ls, d, end)])
		end = dropNotices(ls[:d])
	} else if a := afterthoughtIn(ls, 0, end); a < end {
		end = trimmed(ls[:a])
	}
	if c := card(ls[:end]); c < end {
		drop(ls[c:end])
	}
	return trimmed(ls) > 0
}

// afterthoughtIn is where the writer goes on below a signature that begins at from: a paragraph that begins as a
// postscript does, or asks something. Without one it is end.
func afterthoughtIn(ls []line, from, end int) int {
	for i := from + 1; i < end; i++ {
		l := &ls[i]
		if l.kind != own || l.blank() || !ls[i-1].blank() {
			continue
		}
		if words().AtStart(l.body).Any(afterthought) || from > 0 && isQuestion(l.body) {
			return i
		}
	}
	return end
}

// isQuestion says that somebody asks something in a line, and does not ask to look at a page.
func isQuestion(body string) bool {
	return strings.ContainsAny(body, "?？؟") && isProse(body) && contactIn(body) == 0 &&
		!strings.ContainsAny(body, "\"“”„«»")
}

func drop(ls []line) {
	for i := range ls {
		ls[i].kind = dropped
	}
}

// trimmed is the length of ls without what is blank or dropped at its end.
func trimmed(ls []line) int {
	n := len(ls)
	for n > 0 && (ls[n-1].blank() || ls[n-1].kind == dropped || ls[n-1].kind.isMark()) {
		n--
	}
	return n
}

// delimiter is the line that a signature begins with, or len(ls). What follows a ruler must not be too much for a
// signature or a footer.
func delimiter(ls []line, first bool) int {
	const most = 1500 // bytes below a ruler
	const short = 4   // lines of a signature below a delimiter that nothing stands above
	written, rest := 0, size(ls)
	parts, signed := sections(ls), writtenTo(ls)
	for i := range ls {
		l := &ls[i]
		rest -= len(l.body)
		if l.kind != own || l.blank() {
			continue
		}
		if isDelimiter(l.body) || !parts && i >= signed && rest <= most && isRuler(l.body) && !isHeading(ls, i) &&
			!isBreak(ls, i) {
			if written > 0 || !first || count(ls[i+1:]) <= short {
				return i
			}
		}
		written++
	}
	return len(ls)
}

// writtenTo is the last sentence that a greeting stands below: up to there a ruler is part of a letter, such as the one
// under the head of a table.
func writtenTo(ls []line) int {
	prose, to := 0, 0
	for i := range ls {
		l := &ls[i]
		switch {
		case l.kind != own || l.blank():
		case is(strings.TrimRight(l.body, " .!,;"), signOff):
			to = prose
		case isProse(l.body):
			prose = i
		}
	}
	return to
}

func size(ls []line) int {
	n := 0
	for i := range ls {
		n += len(ls[i].body)
	}
	return n
}

// isDelimiter is the line above a signature: RFC 3676 4.3, and what programs make of it.
func isDelimiter(body string) bool {
	switch body {
	case "--", "—", "–", "——", "__":
		return true
	}
	return false
}

// isRuler is a line drawn with one character.
func isRuler(body string) bool {
	if len(body) < 3 {
		return false
	}
	if isDotted(body) {
		return true
	}
	r, n := utf8.DecodeRuneInString(body)
	if !strings.ContainsRune("-_=*#~+—–─━═", r) {
		return false
	}
	for _, c := range body[n:] {
		if c != r && c != ' ' {
			return false
		}
	}
	return utf8.RuneCountInString(body) >= 3
}

// isDotted is a line of dots with spaces between them, bold or not.
func isDotted(body string) bool {
	const least = 5
	if body[0] == '*' {
		body = strings.Trim(body, "* ")
	}
	return strings.HasPrefix(body, ". .") && strings.Trim(body, ". ") == "" &&
		!strings.Contains(body, "..") && strings.Count(body, ".") >= least
}

// isHeading says that the ruler at i underlines the line above it.
func isHeading(ls []line, i int) bool {
	if i == 0 || ls[i-1].blank() || isRuler(ls[i-1].body) {
		return false
	}
	diff := utf8.RuneCountInString(ls[i-1].body) - utf8.RuneCountInString(ls[i].body)
	return diff >= -2 && diff <= 2
}

// isBreak says that the ruler at i is one of Markdown with empty lines around it, and that the writer goes on
// below: a sentence, which speaks of no address or page as a footer does.
func isBreak(ls []line, i int) bool {
	switch ls[i].body {
	case "---", "***", "___":
	default:
		return false
	}
	if i == 0 || !ls[i-1].blank() || i+1 == len(ls) || !ls[i+1].blank() {
		return false
	}
	k := next(ls, i+1)
	if k == len(ls) || ls[k].kind != own {
		return false
	}
	body := ls[k].body
	return isProse(body) && !hasAddress(body) && !strings.Contains(body, "www.") && !strings.Contains(body, "http")
}

// sections says that rulers part a text: there are sentences between them and below the last one, or one line stands
// between two rulers as a title and something is below. So does a ruler that a line with a colon announces, or that a
// heading of Markdown follows.
func sections(ls []line) bool {
	rulers, lines, prose := 0, 0, false // since the last ruler
	titled, between := false, false
	above := "" // the last line
	for i := range ls {
		l := &ls[i]
		if l.kind != own || l.blank() {
			continue
		}
		drawn := isRuler(l.body)
		if drawn && strings.HasSuffix(above, ":") || isMarkdownHeading(l.body) && isRuler(above) {
			return true
		}
		above = l.body
		switch {
		case drawn:
			if rulers > 0 {
				titled, between = titled || lines == 1, between || prose
			}
			rulers++
			lines, prose = 0, false
		default:
			lines++
			prose = prose || isProse(l.body)
		}
	}
	return titled && lines > 0 || between && prose
}

// isMarkdownHeading is "## Next".
func isMarkdownHeading(body string) bool {
	return body[0] == '#' && strings.HasPrefix(strings.TrimLeft(body, "#"), " ")
}

// isProse is a line of a sentence.
func isProse(body string) bool {
	n := wordCount(body, 8)
	if n >= 8 {
		return true
	}
	return n >= 4 && (endsStatement(body) || strings.HasSuffix(body, ":") || strings.HasSuffix(body, ";"))
}

// endsStatement says that a line ends as a sentence does.
func endsStatement(body string) bool {
	last, _ := utf8.DecodeLastRuneInString(body)
	return strings.ContainsRune(".!?…。！？।", last) && !isAbbreviated(body)
}

// isAbbreviated says that the dot at the end belongs to the last word: "Ph.D.".
func isAbbreviated(body string) bool {
	last := body[strings.LastIndexByte(body, ' ')+1:]
	return strings.HasSuffix(last, ".") && strings.Count(last, ".") > 1 && !strings.HasSuffix(last, "..")
}

// wordCount counts the words of s, up to most. Scripts without spaces count every third character.
func wordCount(s string, most int) int {
	n, wide := 0, 0
	in := false
	for _, r := range s {
		if unicode.IsSpace(r) {
			in = false
			continue
		}
		if r >= 0x0e00 && (r < 0x0e80 || r >= 0x2e80 && r < 0xa000) {
			wide++
		}
		if !in {
			in = true
			if n++; n >= most {
				return n
			}
		}
	}
	return min(n+wide/3, most)
}

func count(ls []line) int {
	n := 0
	for i := range ls {
		if !ls[i].blank() {
			n++
		}
	}
	return n
}
