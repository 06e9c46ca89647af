package reply

import (
	"strings"
	"unicode/utf8"
)

// line is one line of a body.
type line struct {
	text  string // as it stands in the mail
	body  string // without marks of quotation and white space around it
	depth int    // how often it is quoted
	kind  kind
	made  bool // quoted by an element, so that text has no marks

	evidence evidence // for an attribution, once it was looked for
}

// kind is what a line is found to be.
type kind uint8

const (
	own         kind = iota
	literal          // inside a code fence: never looked at
	attribution      // introduces a quotation
	dropped          // signature, footer
	intro            // mark: history begins, its attribution first
	hard             // mark: everything from here on is history
	rule             // mark: a line is drawn, as Outlook draws it above history
	thinRule         // mark: a line is drawn
)

// isMark says that a line is not from the mail but stands for an element.
func (k kind) isMark() bool { return k >= intro }

func (l *line) blank() bool { return l.body == "" }

// splitText makes lines of a text.
func splitText(text string) []line {
	ls := make([]line, 0, strings.Count(text, "\n")+1)
	for text != "" {
		var l string
		end := strings.IndexByte(text, '\n')
		if end < 0 {
			l, text = text, ""
		} else {
			l, text = text[:end], text[end+1:]
		}
		ls = append(ls, newLine(strings.TrimSuffix(l, "\r")))
	}
	fences(ls)
	rewrap(ls)
	return ls
}

// newLine reads the marks of quotation a line begins with.
func newLine(text string) line {
	l := line{text: text}
	rest := text
	for {
		t := strings.TrimLeft(rest, " \t\u00a0")
		if t == "" || len(rest)-len(t) > 4 && l.depth == 0 {
			break
		}
		if t[0] == '>' {
			rest = t[1:]
		} else if strings.HasPrefix(t, "＞") {
			rest = t[len("＞"):]
		} else {
			break
		}
		l.depth++
	}
	l.body = trim(rest)
	return l
}

// trim removes white space and characters without width at both ends.
func trim(s string) string {
	for {
		s = strings.TrimSpace(s)
		if s == "" {
			return s
		}
		if s[0] >= utf8.RuneSelf {
			if r, n := utf8.DecodeRuneInString(s); isPadding(r) {
				s = s[n:]
				continue
			}
		}
		if s[len(s)-1] >= utf8.RuneSelf {
			if r, n := utf8.DecodeLastRuneInString(s); isPadding(r) {
				s = s[:len(s)-n]
				continue
			}
		}
		return s
	}
}

// isPadding is a character that shows nothing, or that extensions of mail readers leave behind.
//
// QUIRK: U+1427 is put at the end of a mail by trackers that run in Gmail.
func isPadding(r rune) bool {
	return r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2060 && r <= 0x2069 || r == 0xfeff ||
		r == 0xad || r == 0x1427 || r == 0xfffc
}

// fences finds blocks of code between ``` lines.
func fences(ls []line) {
	open := -1
	for i := range ls {
		if !strings.HasPrefix(ls[i].body, "```") || ls[i].depth > 0 {
			continue
		}
		if open < 0 {
			open = i
			continue
		}
		for k := open; k <= i; k++ {
			ls[k].kind, ls[k].depth = literal, 0
		}
		open = -1
	}
}

// rewrap joins lines that were broken on the way.
func rewrap(ls []line) {
	for i := range ls {
		if isEscaped(ls, i) {
			ls[i].depth = 0
		}
	}
	for i := 1; i < len(ls); i++ {
		l, above := &ls[i], &ls[i-1]
		switch {
		case l.blank() || above.blank() || l.kind != own:
		case l.depth == above.depth+1 && len(l.body) < 20 && l.body[len(l.body)-1] == ':' && isBrokenOff(l.body):
			l.depth--
		case l.depth == 0 && above.depth > 0 && i+1 < len(ls) && ls[i+1].depth > 0 && isLeftOver(above, l):
			l.depth = above.depth
		}
	}
	foreignMarks(ls)
}

// isEscaped is a line that begins with From, with the mark that mailbox files put before it, not one of a quotation.
func isEscaped(ls []line, i int) bool {
	return strings.HasPrefix(ls[i].text, ">From ") && (i == 0 || ls[i-1].depth == 0) && (i+1 == len(ls) ||
		ls[i+1].depth == 0)
}

// isBrokenOff is the end of an attribution whose ">" of the address has come to the beginning of a line.
func isBrokenOff(body string) bool { return body == ":" || has(body, wrote) }

// isLeftOver is the rest of a quoted line: shorter than it, and it was long.
func isLeftOver(above, l *line) bool {
	const long = 60
	return len(above.text) >= long && len(l.body) < len(above.body)
}

// foreignMarks takes lines for quoted that begin with a bar or with initials as in "AL> text", if there are several.
func foreignMarks(ls []line) {
	for i := 0; i < len(ls); i++ {
		mark := markIn(ls[i].body)
		if mark == "" || ls[i].depth > 0 || ls[i].kind != own {
			continue
		}
		to := i + 1
		for to < len(ls) && ls[to].depth == 0 && strings.HasPrefix(ls[to].body, mark) {
			to++
		}
		if mark == "|" && drawsTable(ls[i:to]) {
			i = to - 1
			continue
		}
		for k := i; k < to && to-i > 1; k++ {
			ls[k].depth, ls[k].body = 1, trim(ls[k].body[len(mark):])
		}
		i = to - 1
	}
}

// markIn is the foreign mark of quotation a line begins with.
func markIn(body string) string {
	if body == "" {
		return ""
	}
	if body[0] == '|' {
		return "|"
	}
	n := 0
	for n < len(body) && n < 4 && body[n] >= 'A' && body[n] <= 'Z' {
		n++
	}
	if n > 0 && n < len(body) && body[n] == '>' {
		return body[:n+1]
	}
	return ""
}

// drawsTable says that bars are on both sides of lines.
func drawsTable(ls []line) bool {
	for i := range ls {
		if body := ls[i].body; len(body) > 1 && (body[len(body)-1] == '|' || strings.Count(body, "|") > 2) {
			return true
		}
	}
	return false
}

// next is the first line from i on that is not blank, or len(ls). It looks at a few lines only.
func next(ls []line, i int) int {
	const few = 8
	for k := i; k < len(ls) && k < i+few; k++ {
		if !ls[k].blank() || ls[k].kind.isMark() {
			return k
		}
	}
	return len(ls)
}
