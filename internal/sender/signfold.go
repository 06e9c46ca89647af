package sender

// maxLine is the length of a line that RFC 5322 2.1.1 asks for.
const maxLine = 78

// foldedField is a header field that is written piece by piece, with a fold wherever a line would be too long.
type foldedField struct {
	text   []byte
	column int // length of the last line
}

func newFoldedField(start string) *foldedField {
	return &foldedField{append(make([]byte, 0, 1<<10), start...), len(start)}
}

// add writes a piece that must stay whole, after a blank or on a new line. A piece longer than a line has one of its
// own.
func (f *foldedField) add(blank, piece string) {
	if f.column+len(blank)+len(piece) > maxLine {
		f.fold()
		blank = ""
	}
	f.text = append(append(f.text, blank...), piece...)
	f.column += len(blank) + len(piece)
}

// fill writes text that may be cut anywhere.
func (f *foldedField) fill(text string) {
	for text != "" {
		if f.column >= maxLine {
			f.fold()
		}
		n := min(len(text), maxLine-f.column)
		f.text = append(f.text, text[:n]...)
		f.column += n
		text = text[n:]
	}
}

func (f *foldedField) fold() {
	f.text = append(f.text, "\r\n "...)
	f.column = 1
}
