package document

import "encoding/xml"

// officeText reads the text of word processors and slides in OOXML: w:t and a:t hold it, the rest says where lines end.
type officeText struct {
	out   *lines
	inT   int // open elements that hold text
	cells int // open cells of tables
	skip  int // open elements that are passed over
}

// start opens an element.
func (o *officeText) start(name string, attrs []xml.Attr) {
	switch {
	case o.skip > 0 || isPassedOver(name):
		o.skip++
	case name == "t":
		o.inT++
	case name == "tab" && attribute(attrs, "pos") == "": // else it sets a tab stop
		o.out.cell()
	case name == "br", name == "cr":
		o.out.line()
	case name == "noBreakHyphen":
		o.out.words("-")
	case name == "tc":
		o.cells++
	}
}

// isPassedOver are elements whose text is said elsewhere, or is gone: the picture of a text for older programs, what
// was deleted or moved away.
func isPassedOver(name string) bool {
	return name == "Fallback" || name == "del" || name == "moveFrom"
}

func (o *officeText) end(name string) {
	if o.skip > 0 {
		o.skip--
		return
	}
	switch name {
	case "t":
		o.inT = max(0, o.inT-1)
	case "p":
		if o.cells > 0 {
			o.out.space = true // a cell stays in its row
		} else {
			o.out.line()
		}
	case "tc":
		o.cells = max(0, o.cells-1)
		o.out.cell()
	case "tr":
		o.out.lineEnd()
	}
}

func (o *officeText) text(b []byte) {
	if o.inT > 0 && o.skip == 0 {
		o.out.words(string(b))
	}
}
