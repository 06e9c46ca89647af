package reply

import (
	"strings"

	"github.com/mailkin/mailkin/internal/view"
)

// splitHTML makes lines of a document, of all of it or only as far as somebody has written. It says no if the document
// has none of the elements that matter: then its text says as much.
func splitHTML(v *view.View, all bool) ([]line, bool) {
	if v == nil || len(v.Marks) == 0 {
		return nil, false
	}
	s := marked{text: v.Text(), history: -1, all: all, ls: make([]line, 0, len(v.Runs)/2+8)}
	next := 0
	for i := range v.Runs {
		for ; next < len(v.Marks) && int(v.Marks[next].Run) <= i && !s.cut; next++ {
			s.mark(v.Marks[next].Kind)
		}
		if s.cut {
			break
		}
		if r := &v.Runs[i]; r.Hidden == 0 {
			s.run(r)
		}
	}
	for ; next < len(v.Marks) && !s.cut; next++ {
		s.mark(v.Marks[next].Kind)
	}
	s.flush()
	if s.history >= 0 && !s.below && !s.cut && !all { // what stands below an answer, where nobody has written into it
		s.ls = append(s.ls[:s.history], line{kind: hard})
	}
	fences(s.ls)
	return s.ls, true
}

// marked makes lines of a text with marks in it.
type marked struct {
	ls         []line
	depth      int
	head, sign bool

	text     string // what is shown
	from, to int    // what of it is not yet in lines
	open     int    // marks that are to be ended
	cut      bool   // what follows is history and not needed
	all      bool   // it is needed

	written bool // there was text
	history int  // how many lines are above the first history that there was text above, -1 if there was none
	quoted  bool // and a quotation in it
	below   bool // and text below that
}

// run notes text that is shown. That of a signature is not written by anybody.
func (s *marked) run(r *view.Run) {
	s.to = min(int(r.At)+len(r.Text), len(s.text))
	if s.sign {
		return
	}
	s.written = true
	if s.history >= 0 && s.quoted && s.open == 0 {
		s.below = true
	}
}

// flush makes lines of the text up to here.
func (s *marked) flush() {
	text := strings.TrimPrefix(s.text[s.from:s.to], "\n")
	if s.to > s.from && strings.TrimSpace(text) != "" {
		for l := range strings.SplitSeq(text, "\n") {
			s.add(l)
		}
	}
	s.from = s.to
}

func (s *marked) mark(kind view.MarkKind) {
	s.flush()
	if s.history < 0 && s.written && s.open == 0 && (kind == view.Quote || kind == view.Attribution ||
		kind == view.HistoryIntro) {
		s.history = len(s.ls)
	}
	s.quoted = s.quoted || kind == view.Quote
	switch kind {
	case view.Quote:
		s.depth++
		s.open++
		s.head, s.sign = false, false
	case view.QuoteEnd:
		s.depth = max(s.depth-1, 0)
		s.open--
	case view.Attribution, view.Signature:
		s.head, s.sign = kind == view.Attribution, kind == view.Signature
		s.open++
	case view.SignatureBreak:
		s.head, s.sign = false, true
	case view.AttributionEnd, view.SignatureEnd:
		s.head, s.sign = s.head && kind != view.AttributionEnd, s.sign && kind != view.SignatureEnd
		s.open--
	case view.HistoryIntro:
		s.element(intro)
	case view.History:
		s.cut = s.written && s.open == 0 && !s.all
		s.element(hard)
	case view.Rule:
		s.element(rule)
	case view.ThinRule:
		s.element(thinRule)
	}
}

// element adds a line that stands for an element. What is quoted is history already.
func (s *marked) element(k kind) {
	if s.depth == 0 {
		s.sign = false
		s.ls = append(s.ls, line{kind: k})
	}
}

func (s *marked) add(text string) {
	l := newLine(text)
	if s.depth > 0 {
		l = line{text: text, body: trim(text), depth: s.depth, made: true}
	}
	switch {
	case l.blank():
	case s.depth == 0 && s.head:
		l.kind = attribution
	case s.depth == 0 && s.sign:
		l.kind = dropped
	}
	s.ls = append(s.ls, l)
}
