package reply

import "strings"

// letter is a mail on its way to what was written in it.
type letter struct {
	ls []line

	end     int // where history without marks of quotation begins, or the end
	content int // where the text of that history begins, below its head

	tried int // up to here there is no head of a message

	introduced bool // quoted lines have an attribution above them
	topped     bool // an attribution stands above everything, and nothing below it is quoted
	spoken     bool // so it does above unmarked history
	passedOn   int  // where the text of a quoted forward begins, 0 if there is none
}

// found is history at some place: its head from start on, its text from content on.
type found struct {
	start, content int
	from           source
}

// source is what says that there is history.
type source uint8

const (
	fromElement source = iota
	fromSpeech         // an attribution
	fromHeader         // the head of a message, or a separator
)

// findHistory marks the heads of quoted histories as attributions and finds where unmarked history begins.
func (l *letter) findHistory() {
	l.end, l.content = len(l.ls), len(l.ls)
	quoted, written := false, false // the line above is; there was a line before it
	for i := 0; i < len(l.ls); i++ {
		this := &l.ls[i]
		if this.blank() && !this.kind.isMark() {
			continue
		}
		if this.depth > 0 || this.kind == literal {
			if !quoted && this.depth > 0 {
				l.quotedHead(i)
			}
			quoted, written = this.depth > 0, true
			continue
		}
		quoted = false
		f, ok := l.historyAt(i)
		if !ok {
			written = written || !this.kind.isMark()
			continue
		}
		if !l.takeHead(f, written) {
			return
		}
		i = f.content - 1
	}
}

// takeHead marks a head above quoted lines, or says that unmarked history begins there.
func (l *letter) takeHead(f found, written bool) bool {
	switch {
	case l.quoteAt(f.content):
		l.introduced = true
		if f.from == fromHeader && l.passedOn == 0 {
			l.passedOn = f.content
		}
	case f.from == fromSpeech && !written:
		l.topped = true
	default:
		l.end, l.content, l.spoken = f.start, f.content, f.from == fromSpeech
		return false
	}
	l.head(f)
	return true
}

// head marks the head of a history.
func (l *letter) head(f found) {
	for i := f.start; i < f.content; i++ {
		if !l.ls[i].kind.isMark() {
			l.ls[i].kind = attribution
		}
	}
}

// quoteAt says that the next line is quoted.
func (l *letter) quoteAt(i int) bool {
	k := next(l.ls, i)
	return k < len(l.ls) && l.ls[k].depth > 0
}

// historyAt looks for the head of a history whose first or, for an attribution, last line is i.
func (l *letter) historyAt(i int) (found, bool) {
	ls := l.ls
	switch ls[i].kind {
	case hard:
		return found{start: i, content: l.below(i + 1)}, true
	case intro:
		return found{start: i, content: l.afterIntro(i + 1)}, true
	case rule:
		k := next(ls, i+1)
		if k < len(ls) {
			if colon, _ := colonIn(ls[k].body); colon > 0 {
				return found{start: i, content: l.below(i + 1)}, true
			}
		}
		return found{}, false
	case attribution:
		return found{start: i, content: l.afterIntro(i)}, true
	case thinRule:
		return l.underRuler(i)
	}
	if separatorAt(ls, i) {
		return found{i, l.below(i + 1), fromHeader}, true
	}
	if f, _ := fieldIn(ls[i].body); f != 0 && i >= l.tried {
		h := headerAt(ls, i)
		if h.certain() && !l.announced(i, h) {
			return found{i, h.end, fromHeader}, true
		}
		l.tried = h.end // a part of it is not certain either
	}
	if isRuler(ls[i].body) {
		return l.underRuler(i)
	}
	if start, ok := attributionAt(ls, i); ok {
		return found{start, i + 1, fromSpeech}, true
	}
	if strings.HasPrefix(ls[i].text, notesMargin) {
		if f, ok := notesTable(ls, i); ok {
			return f, true
		}
	}
	return found{start: i, content: i + 1}, isNotesHead(ls[i].body) || isNotesBox(ls, i)
}

// isNotesBox is the first line of the boxes that Notes once drew around the fields of a header.
func isNotesBox(ls []line, i int) bool {
	if !strings.HasPrefix(ls[i].body, "|--") || strings.Trim(ls[i].body, "|->") != "" || i+1 == len(ls) {
		return false
	}
	f, _ := fieldIn(strings.TrimLeft(ls[i+1].body, "| "))
	return f != 0
}

// announced says that somebody wrote the fields at i down, for a form or a setting: a line with a colon speaks of them,
// and they have no date.
func (l *letter) announced(i int, h headerBlock) bool {
	if h.fields&fieldDate != 0 {
		return false
	}
	k := i - 1
	for k >= 0 && l.ls[k].blank() && !l.ls[k].kind.isMark() {
		k--
	}
	return k >= 0 && l.ls[k].kind == own && l.ls[k].depth == l.ls[i].depth && strings.HasSuffix(l.ls[k].body, ":")
}

// underRuler takes a ruler for the beginning of history if a header follows, even a short one, or the words of a
// separator.
func (l *letter) underRuler(i int) (found, bool) {
	k := next(l.ls, i+1)
	if k == len(l.ls) {
		return found{}, false
	}
	if phrase, _ := separatorWords(l.ls[k].body); len(phrase) < maxSeparator && is(phrase, separator) {
		return found{i, l.below(k + 1), fromHeader}, true
	}
	h := headerAt(l.ls, k)
	return found{i, h.end, fromHeader}, h.certain() || h.count >= 2 && h.fields&fieldFrom != 0
}

// below skips the header or the attribution that follows a separator.
func (l *letter) below(i int) int {
	k := next(l.ls, i)
	for k < len(l.ls) && (l.ls[k].kind.isMark() || separatorAt(l.ls, k)) {
		i = k + 1
		k = next(l.ls, i)
	}
	if k == len(l.ls) {
		return i
	}
	if h := headerAt(l.ls, k); h.count >= 2 {
		return h.end
	}
	for e := k; e < len(l.ls) && e < k+maxAttributionLines; e++ {
		if start, ok := attributionAt(l.ls, e); ok && start == k {
			return e + 1
		}
	}
	return k
}

// afterIntro skips what an element says to be an attribution, up to the quoted lines.
func (l *letter) afterIntro(i int) int {
	k := i
	for k < len(l.ls) && k < i+2*maxHeaderLines && l.ls[k].depth == 0 && (l.ls[k].kind == attribution ||
		l.ls[k].blank()) {
		k++
	}
	if k > i || k == len(l.ls) || l.ls[k].depth > 0 {
		return k
	}
	return l.below(i)
}

// quotedHead looks for the head of a history in the first quoted lines.
func (l *letter) quotedHead(i int) {
	for k := i; k < len(l.ls) && k < i+maxAttributionLines && l.ls[k].depth > 0; k++ {
		if separatorAt(l.ls, k) {
			l.passedOn = l.below(k + 1)
			l.introduce(i, l.passedOn)
			return
		}
		if start, ok := attributionAt(l.ls, k); ok && start == i {
			l.introduce(i, k+1)
			return
		}
	}
	h := headerAt(l.ls, i)
	if !h.certain() && isRuler(l.ls[i].body) {
		h = headerAt(l.ls, min(i+1, len(l.ls)-1))
	}
	if h.certain() {
		l.passedOn = h.end
		l.introduce(i, h.end)
	}
}

// introduce marks a head within quoted lines.
func (l *letter) introduce(start, content int) {
	l.introduced = true
	l.head(found{start: start, content: content})
}

// quoteFollows says whether the lines below line e are quoted deeper than it. A quoted attribution may stand in the
// quotation itself.
func quoteFollows(ls []line, e int) bool {
	if ls[e].depth > 0 {
		return true
	}
	k := next(ls, e+1)
	return k < len(ls) && (ls[k].depth > ls[e].depth || ls[k].kind == hard)
}

// notesLabels stand in the last column of the table that Notes once put above history.
var notesLabels = [...][3]string{{"To", "cc", "Subject"}, {"An", "Kopie", "Thema"}}

// notesMargin is what its lines begin with at least.
const notesMargin = "        "

// notesTable is that table. Line i has the first label, the sender is in the lines above it, and the subject below the
// last label.
func notesTable(ls []line, i int) (found, bool) {
	const most = 8 // lines of one cell
	for _, labels := range notesLabels {
		if !endsColumn(ls[i].body, labels[0]) {
			continue
		}
		n, k := 1, i+1
		for ; k < len(ls) && k < i+2*most && n < len(labels); k++ {
			if endsColumn(ls[k].body, labels[n]) {
				n++
			}
		}
		if n < len(labels) {
			continue
		}
		start := i
		for start > 0 && start > i-most && !ls[start-1].blank() && strings.HasPrefix(ls[start-1].text, notesMargin) {
			start--
		}
		for k < len(ls) && !ls[k].blank() && strings.HasPrefix(ls[k].text, notesMargin) {
			k++
		}
		return found{start, k, fromHeader}, true
	}
	return found{}, false
}

// endsColumn says that a line ends with a label, and only white space is before it for some way.
func endsColumn(body, label string) bool {
	rest, ok := strings.CutSuffix(body, label)
	return ok && (rest == "" || strings.HasSuffix(rest, "  "))
}

// isNotesHead is the line that Notes puts above history: "Ann Lee---02/01/2016 06:32:10 PM---the first words".
func isNotesHead(body string) bool {
	if len(body) > maxAttributionLine {
		return false
	}
	_, rest, ok := strings.Cut(body, "---")
	if !ok || strings.HasPrefix(body, "---") {
		return false
	}
	date, _, ok := strings.Cut(rest, "---")
	return ok && dateTime(date) == hasDate|hasTime
}
