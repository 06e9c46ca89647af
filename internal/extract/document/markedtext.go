package document

import "encoding/xml"

// element says what an element of a format does to the text.
type element uint16

const (
	holdsText  element = 1 << iota
	endsLine           // its end ends a line; two leave one empty
	endsRow            // its end ends a line that has something in it
	breaksLine         // it stands for the end of a line
	isTab
	isSpace
	isHyphen
	isCell // lines inside of it are blanks
	isRow
	passedOver // with everything inside of it
)

// markedText reads the text of a format whose elements are known.
type markedText struct {
	out      *lines
	elements map[string]element
	inText   int // open elements that hold text
	cells    int // open cells of tables
	skip     int // open elements that are passed over
}

// start opens an element.
func (m *markedText) start(name string, attrs []xml.Attr) {
	e := m.elements[name]
	if m.skip > 0 || e&passedOver != 0 {
		m.skip++
		return
	}
	switch {
	case e&holdsText != 0:
		m.inText++
	case e&isTab != 0 && attribute(attrs, "pos") == "": // else it sets a tab stop
		m.out.cell()
	case e&isSpace != 0:
		m.out.space = true
	case e&breaksLine != 0:
		m.out.line()
	case e&isHyphen != 0:
		m.out.words("-")
	case e&isCell != 0:
		m.cells++
	}
}

func (m *markedText) end(name string) {
	if m.skip > 0 {
		m.skip--
		return
	}
	e := m.elements[name]
	if e&holdsText != 0 {
		m.inText = max(0, m.inText-1)
	}
	switch {
	case e&(endsLine|endsRow) != 0 && m.cells > 0:
		m.out.space = true // a cell stays in its row
	case e&endsLine != 0:
		m.out.line()
	case e&(endsRow|isRow) != 0:
		m.out.lineEnd()
	case e&isCell != 0:
		m.cells = max(0, m.cells-1)
		m.out.cell()
	}
}

func (m *markedText) text(b []byte) {
	if m.inText > 0 && m.skip == 0 {
		m.out.words(string(b))
	}
}
