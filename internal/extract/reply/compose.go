package reply

import "strings"

// run is lines that are all quoted or all own.
type run struct {
	from, to int
	quoted   bool
}

// read finds what was written in lines.
func read(ls []line) reading {
	l := letter{ls: ls}
	r := reading{signed: hasDropped(ls)}
	l.findHistory()
	runs := l.written(l.runs())
	r.history = l.end < len(ls) || l.introduced || l.topped
	switch {
	case !hasOwn(runs):
		r.text = l.nothingWritten(runs)
	case l.introduced && !l.answered(runs):
		r.text = l.write(l.withoutFooter(runs), false)
	default:
		runs = untilAnswer(runs)
		r.inline = len(runs) > 1
		r.text = l.write(runs, true)
	}
	if r.text == "" && r.signed && !r.history {
		r.text = l.text(0, len(ls), false) // QUIRK: people write into the element of their signature
	}
	return r
}

func hasDropped(ls []line) bool {
	for i := range ls {
		if ls[i].kind == dropped {
			return true
		}
	}
	return false
}

// runs parts the lines above unmarked history.
func (l *letter) runs() []run {
	var runs []run
	for i := 0; i < l.end; i++ {
		this := &l.ls[i]
		quoted := this.depth > 0
		if this.kind == attribution || this.kind.isMark() || this.blank() && (!quoted || this.made) {
			continue
		}
		if n := len(runs); n > 0 && runs[n-1].quoted == quoted {
			runs[n-1].to = i + 1
		} else {
			runs = append(runs, run{i, i + 1, quoted})
		}
	}
	return runs
}

// written drops signatures, and the runs that were nothing else.
func (l *letter) written(runs []run) []run {
	var kept []run
	for n, r := range runs {
		if !r.quoted && !dropSignature(l.ls[r.from:r.to], n == 0) {
			continue
		}
		if k := len(kept); k > 0 && kept[k-1].quoted == r.quoted {
			kept[k-1].to = r.to
		} else {
			kept = append(kept, r)
		}
	}
	return kept
}

func hasOwn(runs []run) bool {
	for _, r := range runs {
		if !r.quoted {
			return true
		}
	}
	return false
}

// answered says whether an answer needs the quoted lines above it: it is between quoted lines, or below some and the
// text above them is history too.
func (l *letter) answered(runs []run) bool {
	for i := 1; i < len(runs); i++ {
		if !runs[i].quoted && (i+1 < len(runs) || i == 2 && l.topped) {
			return true
		}
	}
	return false
}

// withoutFooter leaves out what stands below a history that was answered above it, unless it is more than a footer.
func (l *letter) withoutFooter(runs []run) []run {
	if len(runs) != 3 || runs[0].quoted || l.isGreeting(runs[0]) {
		return runs
	}
	for i := runs[2].from; i < runs[2].to; i++ {
		if this := &l.ls[i]; this.kind == own && (isProse(this.body) || endsStatement(this.body)) {
			return runs
		}
	}
	return runs[:2]
}

// isGreeting is a line such as "Hi Ann,".
func (l *letter) isGreeting(r run) bool {
	body := l.ls[r.from].body
	return count(l.ls[r.from:r.to]) == 1 && wordCount(body, 6) < 6 && (!endsStatement(body) ||
		strings.Contains(body, ","))
}

// untilAnswer leaves out the quotation at the end, which nothing answers.
func untilAnswer(runs []run) []run {
	if n := len(runs); runs[n-1].quoted {
		return runs[:n-1]
	}
	return runs
}

// nothingWritten returns what is worth reading in a mail without a word of its own.
func (l *letter) nothingWritten(runs []run) string {
	switch {
	case l.passedOn > 0:
		return l.text(l.passedOn, l.end, true)
	case len(runs) > 0 && !l.introduced:
		return l.text(runs[0].from, runs[len(runs)-1].to, false)
	case l.end < len(l.ls) && !l.spoken:
		return l.text(l.forwarded(), len(l.ls), false)
	}
	return ""
}

// forwarded is where the text of a forward begins, also of one that was forwarded several times.
func (l *letter) forwarded() int {
	from := l.content
	for range 5 {
		k := next(l.ls, from)
		if k == len(l.ls) || l.ls[k].kind == own && !separatorAt(l.ls, k) {
			break
		}
		from = l.below(k)
	}
	return from
}

// write joins runs, with or without the quoted ones.
func (l *letter) write(runs []run, quotes bool) string {
	var w writer
	for n, r := range runs {
		if n > 0 && (!quotes || l.blankWithin(runs[n-1].to, r.from)) {
			w.blanks = 1
		}
		if r.quoted && !quotes {
			continue
		}
		for i := r.from; i < r.to; i++ {
			if k := l.ls[i].kind; k == attribution || k == dropped || k.isMark() {
				w.gap = true
			} else {
				w.line(&l.ls[i])
			}
		}
	}
	return w.text()
}

func (l *letter) blankWithin(from, to int) bool {
	for i := from; i < to; i++ {
		if l.ls[i].blank() && !l.ls[i].kind.isMark() {
			return true
		}
	}
	return false
}

// text returns lines as they are, or without their marks.
func (l *letter) text(from, to int, bare bool) string {
	var w writer
	for i := from; i < to; i++ {
		switch this := l.ls[i]; {
		case this.kind.isMark():
		case bare && this.depth > 0:
			w.line(&line{text: this.body, body: this.body})
		default:
			w.line(&this)
		}
	}
	return w.text()
}

// maxMarks bounds the marks of quotation that are written before a line.
const maxMarks = 10

// writer joins lines. None is blank at the beginning or the end.
type writer struct {
	strings.Builder
	blanks int
	gap    bool // something was left out here
}

func (w *writer) line(l *line) {
	if l.blank() && (l.depth == 0 || w.Len() == 0) {
		w.blanks++
		return
	}
	if w.Len() > 0 {
		w.WriteByte('\n')
		if w.gap {
			w.blanks = min(w.blanks, 1)
		}
		for range w.blanks {
			w.WriteByte('\n')
		}
	}
	w.blanks, w.gap = 0, false
	if l.made {
		w.WriteString(strings.Repeat("> ", min(l.depth, maxMarks)))
	}
	w.WriteString(l.text)
}

func (w *writer) text() string { return strings.TrimRight(w.String(), " \t\r\n") }
