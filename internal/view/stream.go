package view

import (
	"bytes"
	"io"
	"strings"

	"golang.org/x/net/html/atom"
)

// Stream writes the text of a document that comes token by token and may be too long to be held: what Text returns, but
// that a style sheet counts only for what follows it. It takes no more memory than the elements that are open.
type Stream struct {
	b   builder
	raw tag    // the element that is open whose content is no markup
	own []byte // and what was read of it
}

// stepSize is how much text is kept back at most before it is written.
const stepSize = 8 << 10

// NewStream returns one that writes to to.
func NewStream(to io.Writer) *Stream {
	s := &Stream{b: builder{view: &View{}, streams: true, quirks: true, msoAt: -1}}
	s.b.sheet, s.b.styles = &sheet{quirks: true, streams: true, budget: leastSteps}, map[string]inlineStyle{}
	s.b.headTag = globalTag(atom.Head)
	s.b.shown.to, s.b.hidden.to = to, io.Discard
	s.b.push(s.b.elementOf(globalTag(atom.Html)))
	return s
}

// Err is the error of the writer.
func (s *Stream) Err() error { return s.b.shown.err }

// Close writes what is left.
func (s *Stream) Close() error {
	s.endRaw()
	s.b.closeTo(0)
	s.b.shown.buf = bytes.TrimRight(s.b.shown.buf, " \t\n")
	s.b.shown.flush(0)
	return s.b.shown.err
}

// Plain takes text whose lines count.
func (s *Stream) Plain(text string) {
	s.b.shown.write(text, true)
	s.b.shown.flush(stepSize)
}

// Token takes a whole tag, a comment, or a piece of text. Text in an element such as style comes as it is written.
func (s *Stream) Token(raw string) {
	if s.b.sheet.budget += stepsPerByte * len(raw); s.b.sheet.exceeded {
		s.b.sheet.budget = 0
	}
	switch {
	case s.raw.atom != 0 && (len(raw) < 3 || raw[1] != '/' || !isNamed(raw[2:], s.raw.name)):
		s.content(raw)
	case s.raw.atom != 0:
		s.endRaw()
	case len(raw) > 9 && strings.EqualFold(raw[:9], "<!doctype"):
		s.b.quirks = isQuirks(raw)
		s.b.sheet.quirks = s.b.quirks
	default:
		s.token(raw)
	}
	s.b.shown.flush(stepSize)
	s.b.hidden.flush(stepSize)
	const manyStyles = 200
	if len(s.b.styles) > manyStyles {
		clear(s.b.styles)
		s.b.inline = s.b.inline[:0]
	}
}

// content takes a piece of an element whose content is no markup. A long style sheet is read rule by rule; of others
// the beginning is enough.
func (s *Stream) content(raw string) {
	const longest = 256 << 10
	if len(s.own)+len(raw) <= longest {
		s.own = append(s.own, raw...)
		return
	}
	if s.raw.atom != atom.Style {
		return
	}
	css := string(s.own[bytes.IndexByte(s.own, '>')+1:]) + raw
	end := strings.LastIndexByte(css, '}') + 1
	if end == 0 && trim(css) != "" && !strings.Contains(css, "/*") {
		s.b.sheet.exceeded = true // nobody knows what it hides
	}
	s.b.sheet.add(css[:end])
	s.own = append(append(s.own[:0], "<style>"...), trim(css[end:])...)
	if len(s.own) > longest {
		s.own = s.own[:len("<style>")]
	}
}

func (s *Stream) token(raw string) {
	b := &s.b
	b.doc, b.at = raw, 0
	if len(raw) < 2 || raw[0] != '<' || !startsMarkup(raw[1:]) {
		b.at = len(raw)
		b.write(raw)
		return
	}
	t, comment, ok := b.markup()
	if ok && !t.end && isRaw(t.atom) {
		s.raw, s.own = t, append(s.own[:0], raw...)
		return
	}
	b.take(t, comment, ok)
}

// endRaw reads an element whose content is no markup.
func (s *Stream) endRaw() {
	if s.raw.atom == 0 {
		return
	}
	s.own = append(append(append(s.own, "</"...), s.raw.name...), '>')
	s.b.doc, s.b.at = string(s.own), 0
	if t, _, ok := s.b.markup(); ok {
		if t.atom == atom.Style {
			s.b.sheet.vars.doc, s.b.sheet.vars.values = s.b.doc, nil
		}
		s.b.startTag(t)
	}
	s.raw = tag{}
}

// flush gives away what is certain, if that is more than most: not the white space at the end, and not the last
// character.
func (t *lines) flush(most int) {
	if t.to == nil || len(t.buf) <= most {
		return
	}
	n := len(t.buf)
	if most > 0 {
		n = len(bytes.TrimRight(t.buf, " \t\n")) - 1
		if n < len(t.buf)-most {
			n = len(t.buf) - 1 // too much of it
		}
	}
	t.ended = t.ended || t.from < n && bytes.IndexByte(t.buf[min(t.from, n):n], '\n') >= 0
	if t.err == nil {
		_, t.err = t.to.Write(t.buf[:n])
	}
	t.buf = t.buf[:copy(t.buf, t.buf[n:])]
	t.from = max(t.from-n, 0)
}
