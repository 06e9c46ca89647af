package document

// officeElements are those of word processors and slides in OOXML: w:t and a:t hold the text, the rest says where lines
// end. What is passed over is said elsewhere, or is gone: the picture of a text for older programs, what was deleted or
// moved away.
var officeElements = map[string]element{
	"t": holdsText, "p": endsLine, "br": breaksLine, "cr": breaksLine, "tab": isTab, "noBreakHyphen": isHyphen,
	"tc": isCell, "tr": isRow, "Fallback": passedOver, "del": passedOver, "moveFrom": passedOver,
}
