package document

import "encoding/xml"

// openDocument reads text, spreadsheets and slides in OpenDocument.
func (a *archive) openDocument() error {
	if err := a.walk("content.xml", &openText{out: &a.d.out}); err != nil {
		return a.broken(err)
	}
	return nil
}

// openText reads what is inside paragraphs and headings.
type openText struct {
	out   *lines
	inP   int // open paragraphs
	cells int
	skip  int // open elements that are passed over
}

func (o *openText) start(name string, _ []xml.Attr) {
	switch {
	case o.skip > 0 || name == "tracked-changes":
		o.skip++
	case name == "p" || name == "h":
		o.inP++
	case name == "tab":
		o.out.cell()
	case name == "s":
		o.out.space = true
	case name == "line-break":
		o.out.line()
	case name == "table-cell":
		o.cells++
	}
}

func (o *openText) end(name string) {
	if o.skip > 0 {
		o.skip--
		return
	}
	switch name {
	case "p", "h":
		o.inP = max(0, o.inP-1)
		if o.cells > 0 {
			o.out.space = true // a cell stays in its row
		} else {
			o.out.lineEnd()
		}
	case "table-cell":
		o.cells = max(0, o.cells-1)
		o.out.cell()
	case "table-row":
		o.out.lineEnd()
	}
}

func (o *openText) text(b []byte) {
	if o.inP > 0 && o.skip == 0 {
		o.out.words(string(b))
	}
}
