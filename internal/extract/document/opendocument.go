package document

// openDocument reads text, spreadsheets and slides in OpenDocument.
func (a *archive) openDocument() error {
	if err := a.walk("content.xml", &markedText{out: &a.d.out, elements: openElements}); err != nil {
		return a.broken(err)
	}
	return nil
}

// openElements are those of OpenDocument: text is inside of paragraphs and headings.
var openElements = map[string]element{
	"p": holdsText | endsRow, "h": holdsText | endsRow, "line-break": breaksLine, "tab": isTab, "s": isSpace,
	"table-cell": isCell, "table-row": isRow, "tracked-changes": passedOver,
}
